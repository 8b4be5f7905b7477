#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The supervisor: repetitions that end badly, interruptions, resuming. With a fake bench.
load helpers

@test "a run leaves a journal, a benchmark.json, details, facts and suites, all valid JSON" {
    run_fake
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = r ]
    for file in benchmark.json details.json machine.json suites.json; do
        jq -e . "r/$file" >/dev/null
    done
    jq -es 'length == 11' r/journal.jsonl
    [ "$(rows '.name')" -eq 10 ]
    [ "$(jq -r .context.lockpath.absent.cycles_per_op r/benchmark.json)" = "no PMU" ]
    [ ! -e r/attempt.json ]
}

@test "the order is shuffled by the seed, round by round" {
    run_fake --repetitions 3
    mv calls first
    [ "$(head -2 first | cut -d' ' -f2 | tr '\n' ' ')" = "0 0 " ]
    rm -r r
    run_fake --repetitions 3
    cmp first calls
}

@test "a failing repetition is an error row and the rest goes on" {
    FAKE_PLAN="ok fail ok" run_fake
    [ "$status" -eq 1 ]
    [[ $output == *"the check found a lost page"* ]]
    [ "$(rows 'select(.error_occurred)')" -eq 1 ]
    [ "$(rows 'select(.error_occurred and .error_message == "error: the check found a lost page")')" -eq 1 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 9 ]
}

@test "a crash is an error row that names the signal" {
    FAKE_PLAN="crash ok" run_fake
    [ "$status" -eq 1 ]
    [ "$(rows 'select(.error_occurred and (.error_message | test("signal 11")))')" -eq 1 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 9 ]
}

@test "a hanging repetition is killed at its limit" {
    FAKE_PLAN="hang ok" run_fake --repetitions 1 --min-time 0.001
    [ "$status" -eq 1 ]
    [ "$(rows 'select(.error_occurred and (.error_message | test("^timeout: killed")))')" -eq 1 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 1 ]
    ! pgrep -f "sleep 600"
}

@test "garbage, nothing and another case's row are errors, not results" {
    FAKE_PLAN="garbage none wrong ok" run_fake
    [ "$status" -eq 1 ]
    [ "$(rows 'select(.error_occurred)')" -eq 3 ]
}

@test "megabytes of chatter do not hold a repetition up" {
    FAKE_PLAN=loud run_fake --repetitions 1
    [ "$status" -eq 0 ]
}

@test "a disturbed repetition is run again, and the better attempt counts" {
    FAKE_PLAN="disturbed ok" run_fake
    [ "$status" -eq 0 ]
    [ "$(attempts)" -eq 11 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 10 ]
}

@test "on a machine that is always disturbed the attempts are bounded" {
    FAKE_PLAN=disturbed run_fake
    [ "$status" -eq 0 ]
    [ "$(attempts)" -le 16 ]
    [ "$(rows 'select(.verdict == 1)')" -eq 10 ]
}

interrupt_with() { # signal expected-status
    FAKE_PLAN=slow "$lockpath" run --bench "$fake" --case "$one" --case "$two" --out r >out 2>&1 &
    pid=$!
    while [ ! -e calls ] || [ "$(attempts)" -lt 4 ]; do sleep 0.05; done
    kill "-$1" "$pid"
    wait "$pid" && status=0 || status=$?
    echo "status $status"
    [ "$status" -eq "$2" ]
}

@test "SIGTERM leaves a complete result of what has finished, and resume goes on" {
    interrupt_with TERM 143
    jq -e . r/benchmark.json >/dev/null
    done_before=$(rows '.name')
    [ "$done_before" -ge 3 ] && [ "$done_before" -lt 10 ]
    grep -q -- "--resume r" out
    run "$lockpath" run --bench "$fake" --resume r
    [ "$status" -eq 0 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 10 ]
    [ "$(sort calls | uniq -d | wc -l)" -le 1 ]
}

@test "SIGINT ends with 130" {
    # A background job of a script ignores SIGINT unless told otherwise.
    FAKE_PLAN=slow env --default-signal=INT "$lockpath" run --bench "$fake" --case "$one" \
        --case "$two" --out r >out 2>&1 &
    pid=$!
    while [ ! -e calls ] || [ "$(attempts)" -lt 3 ]; do sleep 0.05; done
    kill -INT "$pid"
    wait "$pid" && status=0 || status=$?
    [ "$status" -eq 130 ]
    jq -e . r/benchmark.json >/dev/null
}

@test "SIGKILL loses no finished repetition; the child dies too; a torn line is cut off" {
    FAKE_PLAN=slow "$lockpath" run --bench "$fake" --case "$one" --case "$two" --out r >out 2>&1 &
    pid=$!
    while [ ! -e calls ] || [ "$(attempts)" -lt 4 ]; do sleep 0.05; done
    kill -KILL "$pid"
    wait "$pid" || true
    printf '{"name": "torn' >>r/journal.jsonl
    run "$lockpath" finish r
    [ "$status" -eq 0 ]
    [ "$(rows '.name')" -ge 3 ]
    sleep 0.5
    ! pgrep -f "$fake --case $one"
    run "$lockpath" run --bench "$fake" --resume r
    [ "$status" -eq 0 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 10 ]
}

@test "two runs do not write one folder" {
    FAKE_PLAN=slow "$lockpath" run --bench "$fake" --case "$one" --out r >out 2>&1 &
    pid=$!
    while [ ! -e calls ]; do sleep 0.05; done
    run "$lockpath" run --bench "$fake" --resume r
    [ "$status" -eq 2 ]
    [[ $output == *"another run is writing"* ]]
    kill "$pid"
    wait "$pid" || true
}

@test "a malformed journal is named with its line" {
    run_fake --repetitions 1
    sed -i '2s/.*/{"name": /' r/journal.jsonl
    run "$lockpath" run --bench "$fake" --resume r
    [ "$status" -eq 2 ]
    [[ $output == *"r/journal.jsonl:2:"* ]]
}

@test "a journal with a case of another build is refused with the part that is unknown" {
    run_fake --repetitions 1
    sed -i '1s/per_page/percy_page/' r/journal.jsonl
    run "$lockpath" run --bench "$fake" --resume r
    [ "$status" -eq 2 ]
    [[ $output == *"percy_page"* ]]
}

@test "a full disk stops the run with one line and keeps what has finished" {
    [ "$EUID" -eq 0 ] || skip "mounting a small file system needs root"
    mkdir small
    mount -t tmpfs -o size=64k none small || skip "this machine does not let a tmpfs be mounted"
    FAKE_PLAN="ok" run "$lockpath" run --bench "$fake" --suite lru_rotate --out small/r
    echo "$output" | tail -3
    lines_kept=$(jq -s length small/r/journal.jsonl || echo broken)
    umount small
    [ "$status" -eq 2 ]
    [[ $output == *"No space left on device"* ]]
    [ "$lines_kept" != broken ]
}

@test "a comma as the decimal sign of the locale changes nothing" {
    locale -a | grep -qi '^de_DE' || skip "no locale with a decimal comma is installed"
    LC_ALL=de_DE.UTF-8 run_fake --min-time 0.05
    [ "$status" -eq 0 ]
    [ "$(jq .context.lockpath.min_time_s r/benchmark.json)" = 0.05 ]
}
