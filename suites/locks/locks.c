// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What all lock variants share: the lock alone on its lines, counters that only mutual exclusion
 * keeps right, and the figures of lock statistics.
 */
#include "suites/locks/locks.h"

#include <errno.h>
#include <stdio.h>

const char *locks_no_statistics(const struct lp_case *c, const struct lp_topology *t)
{
	return c->mode == LP_MODE_OBSERVED ? "only the suite's own locks keep statistics" : NULL;
}

int locks_setup(struct lp_run *run, struct lp_error *err)
{
	const struct locks_algorithm *a = run->spec->variant->algorithm;
	struct locks *s = lp_run_alloc(run, sizeof(*s), lp_run_cpu_node(run, 0), err);

	if (!s)
		return -err->code;
	run->state = s;
	s->lines = (unsigned)lp_case_get(run->spec, "cs");
	s->think = (unsigned)lp_case_get(run->spec, "think");
	if (lp_lockstat_init(&s->stat, run->cpus, err))
		return -err->code;
	a->make(s);
	return 0;
}

int locks_check(struct lp_run *run, struct lp_error *err)
{
	const struct locks_algorithm *a = run->spec->variant->algorithm;
	struct locks *s = run->state;
	uint64_t ops = 0;

	for (int i = 0; i < run->cpus; i++)
		ops += run->worker[i].ops;
	for (unsigned i = 0; i < s->lines; i++)
		if (s->line[i].count != ops)
			return lp_fail(err, EUCLEAN,
				"%lu sections ran, counter %u says %lu: the lock does not exclude",
				(unsigned long)ops, i, (unsigned long)s->line[i].count);
	if (!a->is_free(s))
		return lp_fail(err, EUCLEAN, "the lock is still held after the run");
	return 0;
}

static void report_times(struct lp_metrics *m, const char *stem, const struct lp_histogram *ticks)
{
	double ns = lp_ticks_to_ns(1);
	char name[64];

	lp_metrics_histogram(m, stem, "ns", ticks, ns);
	snprintf(name, sizeof(name), "%s_min_ns", stem);
	lp_metrics_ratio(m, name, (double)ticks->min * ns, ticks->count > 0, "samples");
	snprintf(name, sizeof(name), "%s_avg_ns", stem);
	lp_metrics_ratio(m, name, ticks->sum * ns, (double)ticks->count, "samples");
	snprintf(name, sizeof(name), "%s_total_ms", stem);
	lp_metrics_set(m, name, ticks->sum * ns / 1e6);
}

void locks_report(struct lp_run *run, uint64_t ops, double seconds)
{
	struct lp_metrics *m = &run->metrics;
	struct locks *s = run->state;
	struct lp_lockstat_cpu sum;

	if (!run->observed)
		return;
	lp_lockstat_sum(&s->stat, &sum);
	lp_metrics_set(m, "lock_acquisitions", (double)sum.acquisitions);
	lp_metrics_ratio(m, "lock_contended_share", (double)sum.contentions,
		(double)sum.acquisitions, "acquisitions");
	lp_metrics_ratio(m, "lock_bounce_share", (double)sum.acquisition_bounces,
		(double)sum.acquisitions, "acquisitions");
	lp_metrics_ratio(m, "lock_contended_bounce_share", (double)sum.contention_bounces,
		(double)sum.contentions, "contended acquisitions");
	report_times(m, "lock_wait", &sum.wait_ticks);
	report_times(m, "lock_hold", &sum.hold_ticks);
}

void locks_teardown(struct lp_run *run)
{
	struct locks *s = run->state;

	if (s)
		lp_lockstat_destroy(&s->stat);
	run->state = NULL;
}
