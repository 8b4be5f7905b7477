# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the command-line tests: a folder of its own for each test, and the fake bench.
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export FAKE_DIR=$BATS_TEST_TMPDIR
    FAKE=$LP_SOURCE/tests/cli/fakes/bench
    LOCKPATH=$LP_BUILD/lockpath
    ONE=lru_rotate/per_page/lock:ticket/nodes:1/threads:1
    TWO=lru_rotate/pagevec_ref/batch:14/lock:ticket/nodes:1/threads:1
}

# Runs two named cases with the fake bench into ./r.
run_fake() {
    run "$LOCKPATH" run --bench "$FAKE" --case "$ONE" --case "$TWO" --seed 3 --out r "$@"
}

rows() { # jq filter over the rows
    jq -r "[.benchmarks[] | $1] | length" r/benchmark.json
}

# Waits until process $1 is gone, or dead and not yet waited for.
gone() {
    local state i
    for ((i = 0; i < 100; i++)); do
        state=$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null || echo Z)
        [ "$state" != Z ] || return 0
        sleep 0.05
    done
    return 1
}

# Waits until the fake bench was started $1 times.
started() {
    local i
    for ((i = 0; i < 600; i++)); do
        [ ! -e calls ] || [ "$(attempts)" -lt "$1" ] || return 0
        sleep 0.05
    done
    return 1
}

attempts() {
    wc -l <calls
}
