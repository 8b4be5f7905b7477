#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How long lockpath-report takes to read 100 000 rows, and how much memory: 1 s and 200 MB are the
# bounds to keep. A benchmark for a quiet machine, no test. Usage: speed.sh BUILD-FOLDER [ROWS]
set -euo pipefail

build=${1:?which build folder?}
rows=${2:-100000}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# Rows like real ones: 30 figures of 17 digits, two of them null, and details that are passed over.
make_rows() {
    awk -v rows="$rows" -v form="$1" '
    function figures(   i, text) {
        text = "\"label\":\"valid\",\"verdict\":0,\"iterations\":123456,\"time_unit\":\"ns\""
        for (i = 0; i < 28; i++)
            text = text sprintf(",\"some_figure_%02d_ns\":%.17g", i, rand() * 1000)
        return text sprintf(",\"real_time\":%.17g,\"cpu_time\":%.17g,\"cycles_per_op\":null", \
            rand() * 100, rand() * 100)
    }
    BEGIN {
        srand(1)
        buckets = "[1,3]"
        for (i = 2; i < 20; i++)
            buckets = buckets ",[" i * 10 ",3]"
        for (i = 0; i < rows; i++) {
            name = sprintf("speed/variant_%d/pages:%d/threads:2", i % 4, i / 20)
            row = "{\"name\":\"" name "\",\"run_name\":\"" name "\",\"repetition_index\":" \
                int(i / 4) % 5 "," figures() "}"
            if (form == "journal")
                print "{\"name\":\"" name "\",\"repetition\":" int(i / 4) % 5 ",\"attempt\":0," \
                    "\"outcome\":\"ok\",\"message\":null,\"row\":" row ",\"lockpath\":{" \
                    "\"absent\":{\"cycles_per_op\":\"no PMU\"},\"histograms\":{\"a_ns\":{" \
                    "\"buckets\":[" buckets "]}}},\"wall_s\":0.2}"
            else
                print (i ? "," : "") row
        }
    }'
}

measure() {
    printf '%s, %s MB: ' "$1" "$(($(stat -c %s "$folder/$1") / 1000000))"
    { /usr/bin/time -f '%e s, %U s of CPU time, %M KiB' \
        "$build/lockpath-report" claims "$folder/$1" >"$folder/out"; } 2>&1
}

{
    echo '{"lockpath_journal":1}'
    make_rows journal
} >"$folder/journal.jsonl"
{
    echo '{"context":{"lockpath":{}},"benchmarks":['
    make_rows benchmark
    echo ']}'
} >"$folder/benchmark.json"
measure journal.jsonl
measure benchmark.json
