#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Instructions per operation of each loop, by callgrind: two counts and their difference, so that
# start and end cancel. Fails if one of ours takes more than 1.02 of the hand-written loop's.
#
# Usage: instructions.sh OVERHEAD-PROGRAM [SANITIZERS [BUILD-TYPE]]
# Exit status: 0 held, 1 not, 77 skipped (ctest's word for it).
set -eu

program=$1
limit=1.02

if [ -n "${2:-}" ]; then
	echo "skipped: built with sanitizers ($2), whose instructions are not the harness's"
	exit 77
fi
if [ "${3:-}" = Debug ]; then
	echo "skipped: built without optimisation, which none of the loops is made for"
	exit 77
fi
if ! command -v valgrind >/dev/null; then
	echo "skipped: valgrind is not installed (apt-get install valgrind)"
	exit 77
fi

# "operations instructions" of one run of a loop
counts() {
	log=$(mktemp)
	# fair: otherwise a busy worker keeps the leader from ending the window
	operations=$(valgrind --tool=callgrind --fair-sched=try --callgrind-out-file=/dev/null \
		--log-file="$log" "$program" count "$1" "$2") || {
		cat "$log" >&2
		rm -f "$log"
		return 1
	}
	sed -n "s/.*Collected : *\([0-9]*\).*/$operations \1/p" "$log"
	rm -f "$log"
}

# Instructions per operation of a loop between a short and a long run. A window of the team is of
# time, so that on a busy machine the long one may hold fewer operations than the short one: again.
per_operation() {
	for _ in 1 2 3; do
		short=$(counts "$1" "$2")
		long=$(counts "$1" "$3")
		echo "$short $long" |
			awk '{ if ($3 < 2 * $1) exit 1; printf "%.4f\n", ($4 - $2) / ($3 - $1) }' &&
			return
	done
}

handwritten=$(per_operation handwritten 200000 2200000)
shim=$(per_operation shim 200000 2200000)
team=$(per_operation team 100 600)

printf 'instructions per operation: handwritten %s, shim %s, team %s\n' \
	"$handwritten" "$shim" "$team"
echo "$handwritten $shim $team" | awk -v limit="$limit" '
	# A loop that was left out by the compiler would hold any limit.
	NF != 3 || $1 < 5 { print "not a measurement"; exit 1 }
	{
		printf "ratio to handwritten: shim %.4f, team %.4f (limit %s)\n", $2 / $1, $3 / $1, limit
		exit $2 / $1 > limit || $3 / $1 > limit
	}'
