// SPDX-License-Identifier: GPL-2.0-or-later
/* What the hooks of every suite need of a run: placed memory, nodes of CPUs, a pace. */
#include "suites/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

void *lp_run_alloc(struct lp_run *run, size_t bytes, int node, struct lp_error *err)
{
	int os_node = node >= 0 && run->nodes ? run->nodes[node % run->nnodes] : -1;
	struct lp_memory *grown;

	grown = realloc(run->memory, (run->memory_count + 1) * sizeof(*grown));
	if (!grown) {
		lp_fail(err, ENOMEM, "no memory for the list of areas");
		return NULL;
	}
	run->memory = grown;
	if (lp_memory_alloc(&grown[run->memory_count], bytes, os_node, err))
		return NULL;
	return grown[run->memory_count++].base;
}

int lp_run_cpu_node(const struct lp_run *run, int cpu)
{
	for (int i = 0; run->node && i < run->nnodes; i++)
		if (run->nodes[i] == run->node[cpu])
			return i;
	return cpu * run->nnodes / run->cpus;
}

void lp_worker_wait_for_pace(struct lp_worker *w)
{
	uint64_t due_ns =
		w->pace_from_ns + (uint64_t)((double)w->ops * 1e9 / (double)w->pace_ops_per_s);
	/* Sleep in whole milliseconds: one switch a millisecond, whatever the batch. */
	uint64_t now_ns = lp_clock_ns();
	struct timespec ts;

	if (due_ns < now_ns + 1000000)
		return;
	ts.tv_sec = (time_t)(due_ns / LP_NS_PER_S);
	ts.tv_nsec = (long)(due_ns % LP_NS_PER_S);
	/* One try: a signal is an interrupt to be taken, and the next batch waits again. */
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}
