#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lockpath-report as a user types it: what it prints, where it fails, and with which status.
load helpers

results=$LP_SOURCE/tests/data/results

report() {
    "$LP_BUILD/lockpath-report" "$@"
}

refused() { # words arguments…
    local words=$1
    shift
    run report "$@"
    echo "$output"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "lockpath-report: "*"$words"* ]]
}

@test "a report is the golden one, in both formats, however the option is written" {
    diff <(report report "$results/mixed") "$results/mixed/report.txt"
    diff <(report report "$results/mixed" --format text) "$results/mixed/report.txt"
    diff <(report report --format markdown "$results/mixed") "$results/mixed/report.md"
    diff <(report report --format=markdown "$results/mixed") "$results/mixed/report.md"
    diff <(report claims "$results/mixed") "$results/mixed/claims.txt"
}

@test "a report does not depend on the locale" {
    diff <(LC_ALL=de_DE.UTF-8 report report "$results/mixed") "$results/mixed/report.txt"
    diff <(LC_ALL=C report report "$results/mixed") "$results/mixed/report.txt"
}

@test "a journal and a Google Benchmark file can be read alone" {
    run report report "$results/mixed/journal.jsonl"
    [ "$status" -eq 0 ]
    [[ $output == *"no machine.json here"* ]]
    run report report "$results/foreign/benchmark.json"
    [ "$status" -eq 0 ]
    [[ $output == *"BM_copy/4096"* ]]
}

@test "help and version" {
    run report help
    [ "$status" -eq 0 ]
    [[ $output == Usage:* ]]
    run report --version
    [ "$status" -eq 0 ]
    [[ $output == "lockpath-report "[0-9]* ]]
}

@test "wrong usage is one line and status 2" {
    refused "which command?"
    refused "no such command: 'frobnicate'" frobnicate
    refused "which results folder?" report
    refused "no such option: '--frobnicate'" report "$results/mixed" --frobnicate
    refused "--format needs text or markdown" report "$results/mixed" --format
    refused "no such format: 'pdf'" report "$results/mixed" --format pdf
    refused "no such format" report "$results/mixed" --format=
    refused "one results folder only" report "$results/mixed" "$results/mixed"
}

@test "unusable input is one line and status 2, whatever its name is" {
    refused "nosuch: No such file" report nosuch
    mkdir $'two\nlines'
    refused "two?lines: neither journal.jsonl nor" report $'two\nlines'
    mkdir bad
    head -c 3000 /dev/urandom >bad/journal.jsonl
    refused "bad/journal.jsonl:1: " report bad
}

@test "output that cannot be written is status 2" {
    run bash -c '"$0" report "$1" 2>&1 >/dev/full' "$LP_BUILD/lockpath-report" "$results/mixed"
    [ "$status" -eq 2 ]
    [[ $output == *"No space left"* ]]
    run bash -c '"$0" help 2>&1 >/dev/full' "$LP_BUILD/lockpath-report"
    [ "$status" -eq 2 ]
    run bash -c '"$0" report "$1" 2>err | true; echo ${PIPESTATUS[0]}' \
        "$LP_BUILD/lockpath-report" "$results/mixed"
    # A pipe may take the whole of it before its reader is gone.
    [[ $output == 0 || $output == 2 ]]
}
