#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs that are stopped, killed, and gone on with; two at once; journals that were damaged.
load helpers

interrupt_with() { # signal expected-status
    FAKE_PLAN=slow "$LOCKPATH" run --bench "$FAKE" --case "$ONE" --case "$TWO" --out r >out 2>&1 &
    pid=$!
    started 4
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
    run "$LOCKPATH" run --bench "$FAKE" --resume r
    [ "$status" -eq 0 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 10 ]
    [ "$(sort calls | uniq -d | wc -l)" -le 1 ]
}

@test "SIGINT ends with 130" {
    # A background job of a script ignores SIGINT unless told otherwise.
    FAKE_PLAN=slow env --default-signal=INT "$LOCKPATH" run --bench "$FAKE" --case "$ONE" \
        --case "$TWO" --out r >out 2>&1 &
    pid=$!
    started 3
    kill -INT "$pid"
    wait "$pid" && status=0 || status=$?
    [ "$status" -eq 130 ]
    jq -e . r/benchmark.json >/dev/null
}

@test "SIGKILL loses no finished repetition; the child dies too; a torn line is cut off" {
    FAKE_PLAN=slow "$LOCKPATH" run --bench "$FAKE" --case "$ONE" --case "$TWO" --out r >out 2>&1 &
    pid=$!
    started 4
    kill -KILL "$pid"
    wait "$pid" || true
    printf '{"name": "torn' >>r/journal.jsonl
    run "$LOCKPATH" finish r
    [ "$status" -eq 0 ]
    [ "$(rows '.name')" -ge 3 ]
    gone "$(<pid)"
    run "$LOCKPATH" run --bench "$FAKE" --resume r
    [ "$status" -eq 0 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 10 ]
}

@test "two runs do not write one folder" {
    FAKE_PLAN=slow "$LOCKPATH" run --bench "$FAKE" --case "$ONE" --out r >out 2>&1 &
    pid=$!
    started 1
    run "$LOCKPATH" run --bench "$FAKE" --resume r
    [ "$status" -eq 2 ]
    [[ $output == *"another run is writing"* ]]
    kill "$pid"
    wait "$pid" || true
}

@test "a malformed journal is named with its line" {
    run_fake --repetitions 1
    sed -i '2s/.*/{"name": /' r/journal.jsonl
    run "$LOCKPATH" run --bench "$FAKE" --resume r
    [ "$status" -eq 2 ]
    [[ $output == *"r/journal.jsonl:2:"* ]]
}

@test "a journal with a case of another build is refused with the part that is unknown" {
    run_fake --repetitions 1
    sed -i '1s/per_page/percy_page/' r/journal.jsonl
    run "$LOCKPATH" run --bench "$FAKE" --resume r
    [ "$status" -eq 2 ]
    [[ $output == *"percy_page"* ]]
}

@test "going on wants the CPUs that the run was begun with" {
    [ "$(nproc)" -gt 1 ] || skip "one CPU may be used"
    run_fake --repetitions 1
    cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')
    run taskset -c "$cpu" "$LOCKPATH" run --bench "$FAKE" --resume r
    echo "$output"
    [ "$status" -eq 2 ]
    [[ $output == *"which may not be used now"* ]]
}

@test "going on with a finished run measures nothing" {
    run_fake
    run "$LOCKPATH" run --bench "$FAKE" --resume r
    [ "$status" -eq 0 ]
    [ "$(attempts)" -eq 10 ]
    [ "$(rows '.name')" -eq 10 ]
}
