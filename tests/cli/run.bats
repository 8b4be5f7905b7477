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
    gone "$(<pid)"
}

@test "garbage, nothing and another case's row are errors, not results" {
    FAKE_PLAN="garbage none wrong ok" run_fake
    [ "$status" -eq 1 ]
    [ "$(rows 'select(.error_occurred)')" -eq 3 ]
}

@test "a result without an end is stopped, and takes neither the disk nor the memory" {
    FAKE_PLAN="huge ok" run_fake
    [ "$status" -eq 1 ]
    [ "$(rows 'select(.error_occurred and (.error_message | test("File size limit exceeded")))')" -eq 1 ]
    [ "$(rows 'select(.verdict == 0)')" -eq 9 ]
    [ -z "$(find r -size +1M)" ]
}

@test "megabytes of chatter do not hold a repetition up" {
    FAKE_PLAN=loud run_fake --repetitions 1
    [ "$status" -eq 0 ]
}

@test "a disturbed repetition is run again, and the last attempt counts" {
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

@test "a full disk stops the run with one line, keeps what has finished, and is gone on with" {
    [ "$EUID" -eq 0 ] || skip "mounting a small file system needs root"
    mkdir small
    mount -t tmpfs -o size=64k none small || skip "this machine does not let a tmpfs be mounted"
    run "$LOCKPATH" run --bench "$FAKE" --suite lru_rotate --out small/r
    first=$status
    first_output=$output
    jq -es 'length > 1 and all(.[1:][]; .outcome == "ok")' small/r/journal.jsonl || first=broken
    mount -o remount,size=20m small
    run "$LOCKPATH" run --bench "$FAKE" --resume small/r
    missing=$(jq -s '(.[0].plan | map(.repetitions) | add) - (.[1:] | length)' small/r/journal.jsonl)
    umount small
    echo "$first_output" | tail -3
    [ "$first" -eq 2 ]
    [ "$(grep -c "No space left on device" <<<"$first_output")" -eq 1 ]
    [ "$status" -eq 0 ]
    [ "$missing" -eq 0 ]
}

@test "on a terminal one line is rewritten, and no line is wider than it" {
    script -qefc "stty cols 50; '$LOCKPATH' run --bench '$FAKE' --case '$TWO' --out r" typescript
    tr '\r' '\n' <typescript | sed 's/\x1b\[K//g; s/…/./' >shown
    [ "$(grep -c "^\[[0-9]*/5\] lru_rotate/" shown)" -eq 5 ]
    [ "$(awk '/^\[/ && length > 49' shown | wc -l)" -eq 0 ]
    grep -q "/batch:14 [.] 0:0[0-9] left" shown
    [ "$(grep -c "5 repetitions: 5 valid" shown)" -eq 1 ]
}

@test "a comma as the decimal sign of the locale changes nothing" {
    locale -a | grep -qi '^de_DE' || skip "no locale with a decimal comma is installed"
    LC_ALL=de_DE.UTF-8 run_fake --min-time 0.05
    [ "$status" -eq 0 ]
    [ "$(jq .context.lockpath.min_time_s r/benchmark.json)" = 0.05 ]
}
