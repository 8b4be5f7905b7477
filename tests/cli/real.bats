#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The real programs together, on a tiny selection.
load helpers

@test "exact rows come out the same twice, whatever the machine" {
    run "$LOCKPATH" run --case lru_rotate/pagevec_ref/mode:exact/threads:1 --repetitions 2 --out r
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(jq '[.benchmarks[].pages_per_lock] == [14, 14]' r/benchmark.json)" = true ]
    [ "$(jq '[.benchmarks[] | has("ns_per_op")] | any' r/benchmark.json)" = false ]
}

@test "a timed row carries its evidence, and what is absent its reason" {
    run "$LOCKPATH" run --case "$ONE" --repetitions 1 --min-time 0.02 --out r
    [ "$status" -eq 0 ]
    jq -e '.benchmarks[0] | .verdict < 2 and .locks_per_page == 1 and .iterations > 0 and
        .memory_elsewhere_pages == 0 and has("involuntary_switches") and has("cycles_per_op")' r/benchmark.json
    jq -e '.benchmarks[0].cycles_per_op != null or .context.lockpath.absent.cycles_per_op != null' r/benchmark.json
}

@test "lockpath-bench works as any Google Benchmark program does" {
    run "$LP_BUILD/lockpath-bench" --benchmark_list_tests --benchmark_filter=locks/ticket
    [ "$status" -eq 0 ]
    [[ $output == *"locks/ticket/threads:1"* ]]
    "$LP_BUILD/lockpath-bench" --min-time 0.01 --benchmark_filter='^locks/ticket/threads:1$' \
        --benchmark_repetitions=2 --benchmark_format=json --benchmark_out=o.json --benchmark_out_format=json >s.json
    jq -e '.benchmarks | length >= 2' s.json >/dev/null
    jq -e '.benchmarks | length >= 2' o.json >/dev/null
    run "$LP_BUILD/lockpath-bench" --benchmark_filter=nothing_is_called_this
    [ "$status" -eq 2 ]
    [[ $output != *"DEBUG"* ]]
}
