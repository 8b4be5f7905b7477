// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Making and summing lock statistics; what fills them is in common/kernel/spinlock.c.
 *
 * Each CPU's record has cache lines of its own, so that counting adds no sharing to the lock that
 * is counted. What would invalidate a sum: a thread that still takes the lock.
 */
#include "common/measure/lockstat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void init_cpu(struct lp_lockstat_cpu *c)
{
	memset(c, 0, sizeof(*c));
	lp_histogram_init(&c->wait_ticks);
	lp_histogram_init(&c->hold_ticks);
}

int lp_lockstat_init(struct lp_lockstat *stat, int cpus, struct lp_error *err)
{
	stat->cpus = 0;
	stat->cpu = aligned_alloc(LP_CACHE_PAIR, (size_t)cpus * sizeof(*stat->cpu));
	if (!stat->cpu)
		return lp_fail(err, ENOMEM, "no memory for lock statistics of %d CPUs", cpus);
	stat->cpus = cpus;
	for (int i = 0; i < cpus; i++)
		init_cpu(&stat->cpu[i]);
	return 0;
}

void lp_lockstat_destroy(struct lp_lockstat *stat)
{
	free(stat->cpu);
	stat->cpu = NULL;
	stat->cpus = 0;
}

void lp_lockstat_sum(const struct lp_lockstat *stat, struct lp_lockstat_cpu *out)
{
	init_cpu(out);
	for (int i = 0; i < stat->cpus; i++) {
		const struct lp_lockstat_cpu *c = &stat->cpu[i];

		out->acquisitions += c->acquisitions;
		out->contentions += c->contentions;
		out->acquisition_bounces += c->acquisition_bounces;
		out->contention_bounces += c->contention_bounces;
		lp_histogram_merge(&out->wait_ticks, &c->wait_ticks);
		lp_histogram_merge(&out->hold_ticks, &c->hold_ticks);
	}
}
