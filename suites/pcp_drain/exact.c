// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exact mode: one thread plays all CPUs in a seeded order, turn by turn, so that every count comes
 * out the same on every machine. A drain is one indivisible event; what other CPUs do between the
 * failure of an allocation and its retry is what the order of turns puts there.
 */
#include "suites/pcp_drain/pcp_drain.h"

enum { EXACT_TURNS = 20000 }; /* a CPU: most of them after the zone has filled up */

uint64_t pcp_drain_play(struct lp_run *run)
{
	struct pcp_drain *s = run->state;
	uint64_t order = run->seed, ops = 0, turns = (uint64_t)s->cpus * EXACT_TURNS;

	for (s->turn = 0; s->turn < turns; s->turn++) {
		int cpu = (int)lp_random_below(&order, (uint32_t)s->cpus);

		lp_cpu_enter(cpu);
		pcp_turn(s, s->cpu[cpu]);
	}
	for (int i = 0; i < s->cpus; i++)
		ops += s->cpu[i]->n.allocs;
	return ops;
}
