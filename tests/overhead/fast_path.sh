#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Instructions of the page allocator's fast path, by callgrind, beside the time that the row
# pcp_drain/…/actors:victims/threads:1 measures: one allocation and one free of a page of order 0.
# Fails above 200, twice what the interrupts-off list takes.
#
# Usage: fast_path.sh LOCKPATH-BENCH [SANITIZERS [BUILD-TYPE]]
# Exit status: 0 held, 1 not, 77 skipped (ctest's word for it).
set -eu

bench=$1
limit=200

if [ -n "${2:-}" ] || [ "${3:-}" = Debug ]; then
	echo "skipped: sanitizers or no optimisation change the instructions"
	exit 77
fi
if ! command -v valgrind >/dev/null; then
	echo "skipped: valgrind is not installed (apt-get install valgrind)"
	exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Only the loop of the workers is counted, so start and end cost nothing.
per_operation() {
	valgrind --tool=callgrind --fair-sched=try --callgrind-out-file=/dev/null \
		--collect-atstart=no --toggle-collect=pcp_drain_run --log-file="$folder/log" \
		"$bench" --case "$1" --min-time 0.2 --out "$folder/row" || {
		cat "$folder/log" >&2
		return 1
	}
	operations=$(sed -n 's/.*"iterations": *\([0-9]*\).*/\1/p' "$folder/row")
	sed -n "s/.*Collected : *\([0-9]*\).*/$operations \1/p" "$folder/log" |
		awk '{ printf "%.1f\n", $2 / $1 }'
}

masked=$(per_operation pcp_drain/ipi_masked/case:storm/actors:victims/threads:1)
remote=$(per_operation pcp_drain/remote_lock/case:storm/actors:victims/threads:1)
printf 'instructions per allocation and free: interrupts off %s, a lock per list %s\n' \
	"$masked" "$remote"
echo "$masked $remote" | awk -v limit="$limit" '
	{ exit !($1 > 10 && $1 <= limit && $2 > 10 && $2 <= limit) }'
