#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What `list` shows, and what a process that may use one CPU is told.
load helpers

@test "suites, variants, parameters and cases are listed" {
    run "$LOCKPATH" list
    [ "$status" -eq 0 ]
    for word in "lru_rotate:" "pagevec_irq" "2.6.24" "noop_on_one_cpu" "$ONE  ×5"; do
        [[ $output == *"$word"* ]]
    done
}

@test "every listed name is a case that can be asked for" {
    "$LOCKPATH" list --suite lru_rotate --profile full | sed -n 's/^    \(lru_rotate\/[^ ]*\)  ×.*/\1/p' >names
    [ "$(wc -l <names)" -gt 100 ]
    [ -z "$(sort names | uniq -d)" ]
    shuf -n 12 --random-source=<(yes) names | while read -r name; do
        "$LOCKPATH" list --case "$name" >/dev/null
    done
}

@test "on one CPU two-thread rows are skipped with the reason" {
    [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] || skip "the machine has one CPU"
    cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')
    run taskset -c "$cpu" "$LOCKPATH" list --suite lru_rotate
    [ "$status" -eq 0 ]
    [[ $output == *"skipped here:"* ]]
    [[ $output == *"threads:2: 2 threads need 2 CPUs, 1 may be used here"* ]]
    [[ $output == *"$ONE"* ]]
    run taskset -c "$cpu" "$LOCKPATH" run --bench "$FAKE" --suite locks --filter ticket --out r
    [ "$status" -eq 0 ]
    grep -q '"skipped":\[{"name":"locks/ticket/threads:2","reason":"2 threads need 2 CPUs' r/journal.jsonl
    run taskset -c "$cpu" "$LOCKPATH" run --bench "$FAKE" --threads 2
    [ "$status" -eq 2 ]
}
