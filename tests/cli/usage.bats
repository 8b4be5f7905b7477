#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is refused, with one line that says why, a status of 2, and nothing left behind.
load helpers

refused() { # words command…
    local words=$1
    shift
    run "$@"
    echo "$output"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"$words"* ]]
    [ -z "$(find . -mindepth 1)" ]
}

@test "no command, an unknown one, an unknown option, a stray argument" {
    refused "say what to do" "$LOCKPATH"
    refused "no such command" "$LOCKPATH" frobnicate
    refused "no such option" "$LOCKPATH" run --frobnicate
    refused "no such option" "$LOCKPATH" list -x
    refused "no such argument" "$LOCKPATH" run quick
    refused "wants a value" "$LOCKPATH" run --suite
}

@test "values out of range name what is legal" {
    refused "quick or full" "$LOCKPATH" run --profile fast
    refused "no such suite" "$LOCKPATH" run --suite nosuch
    refused "from 1 to 1000" "$LOCKPATH" run --repetitions 0
    refused "from 1 to 1000" "$LOCKPATH" run --repetitions 3x
    refused "0.001 to 3600" "$LOCKPATH" run --min-time 0
    refused "0.001 to 3600" "$LOCKPATH" run --min-time nan
    refused "whole number" "$LOCKPATH" run --seed -1
    refused "whole number" "$LOCKPATH" run --seed abc
}

@test "thread counts that cannot be used name the CPUs that can" {
    refused "may be used" "$LOCKPATH" run --threads 0
    refused "may be used" "$LOCKPATH" run --threads 100000
    refused "may be used" "$LOCKPATH" run --threads 1,1
    refused "may be used" "$LOCKPATH" run --threads 1,
    refused "may be used" "$LOCKPATH" run --threads one
}

@test "a filter without a match, or that is no expression, leaves nothing" {
    refused "matches no case" "$LOCKPATH" run --filter nothing_is_called_this
    refused "--filter [" "$LOCKPATH" run --filter "["
    refused "matches no case" "$LOCKPATH" list --filter nothing_is_called_this
}

@test "a case that does not exist says which part is wrong" {
    refused "no variant 'nosuch'" "$LOCKPATH" run --case lru_rotate/nosuch/threads:1
    refused "from 1 to 63" "$LOCKPATH" run --case lru_rotate/pagevec_ref/batch:99/threads:1
}

@test "--resume goes with no other selection, and wants a journal" {
    refused "--resume" "$LOCKPATH" run --resume r --filter x
    refused "No such file" "$LOCKPATH" run --resume nowhere
}

@test "an existing results folder is not overwritten" {
    mkdir r
    run "$LOCKPATH" run --bench "$FAKE" --case "$ONE" --out r
    [ "$status" -eq 2 ]
    [[ $output == *"--resume"* ]]
    [ -z "$(ls -A r)" ]
}

@test "a missing measuring program is named" {
    refused "build it first" "$LOCKPATH" run --bench ./nowhere --case "$ONE"
}

@test "lockpath-bench refuses as clearly" {
    refused "no such option" "$LP_BUILD/lockpath-bench" --frobnicate
    refused "no variant" "$LP_BUILD/lockpath-bench" --case lru_rotate/nosuch/threads:1
    refused "does not exist" "$LP_BUILD/lockpath-bench" --case "$ONE" --cpus 99999
    refused "--out goes with --case" "$LP_BUILD/lockpath-bench" --out x
}

@test "help and version are for standard output and succeed" {
    run "$LOCKPATH" help
    [ "$status" -eq 0 ]
    [[ $output == *"--resume DIR"* ]]
    run "$LOCKPATH" version
    [[ $output == "lockpath "* ]]
    run "$LP_BUILD/lockpath-bench" --help
    [ "$status" -eq 0 ]
}

@test "run.sh refuses what it does not know" {
    run "$LP_SOURCE/run.sh" frobnicate
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    run "$LP_SOURCE/run.sh" help
    [ "$status" -eq 0 ]
    [[ $output == *"install what is missing"* ]]
}
