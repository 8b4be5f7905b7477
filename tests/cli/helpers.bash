# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the command-line tests: a folder of its own for each test, and the fake bench.
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export FAKE_DIR=$BATS_TEST_TMPDIR
    fake=$LP_SOURCE/tests/cli/fakes/bench
    lockpath=$LP_BUILD/lockpath
    one=lru_rotate/per_page/lock:ticket/nodes:1/threads:1
    two=lru_rotate/pagevec_ref/batch:14/lock:ticket/nodes:1/threads:1
}

# Runs two named cases with the fake bench into ./r.
run_fake() {
    run "$lockpath" run --bench "$fake" --case "$one" --case "$two" --seed 3 --out r "$@"
}

rows() { # jq filter over the rows
    jq -r "[.benchmarks[] | $1] | length" r/benchmark.json
}

attempts() {
    wc -l <calls
}
