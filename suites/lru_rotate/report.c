// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of a repetition; README.md of this folder says what each one means. */
#include "suites/lru_rotate/lru_rotate.h"
#include "common/measure/lockstat_figures.h"

#include <math.h>

/* Sums over the CPUs. */
struct totals {
	uint64_t locks, other_locks, completed, moved, not_rotated, stale, congested, freed;
	uint64_t runs, singletons, written, stranded_max, samples, samplers;
	double stranded_sum, stranded_pages_s;
	struct lp_histogram delay;
};

static void sum_cpu(struct totals *t, const struct lru_cpu *c)
{
	t->locks += c->rotate_locks;
	t->other_locks += c->other_locks;
	t->completed += c->completed;
	t->moved += c->moved;
	t->not_rotated += c->not_rotated;
	t->stale += c->stale_touches;
	t->congested += c->congested;
	t->freed += c->freed;
	t->written += c->written;
	t->runs += c->runs;
	t->singletons += c->singletons;
	t->samples += c->stranded_samples;
	t->samplers += c->stranded_samples > 0;
	t->stranded_sum += c->stranded_sum;
	t->stranded_pages_s += (double)c->stranded_pages_ns / 1e9;
	if (c->stranded_max > t->stranded_max)
		t->stranded_max = c->stranded_max;
	lp_histogram_merge(&t->delay, &c->rotation_delay_ticks);
}

static void report_rotation(
	struct lp_metrics *m, const struct totals *t, const struct lru_rotate *s)
{
	lp_metrics_ratio(m, "locks_per_page", (double)t->locks, (double)t->completed, "pages");
	lp_metrics_ratio(m, "pages_per_lock", (double)t->completed, (double)t->locks, "locks");
	lp_metrics_set(m, "pgrotated", (double)t->moved);
	lp_metrics_set(m, "not_rotated", (double)t->not_rotated);
	lp_metrics_set(m, "lost_rotations", (double)lru_rotate_lost(s));
}

static void report_lock(struct lp_metrics *m, const struct lru_rotate *s)
{
	struct lp_lockstat_cpu sum;
	double ns = lp_ticks_to_ns(1);
	double acquisitions;

	lp_lockstat_figures(m, &s->stat, &sum);
	acquisitions = (double)sum.acquisitions;
	lp_metrics_set(m, "lock_acquisitions", acquisitions);
	lp_metrics_ratio(
		m, "lock_bounce_share", (double)sum.acquisition_bounces, acquisitions, "locks");
	lp_metrics_ratio(m, "lock_contended_bounce_share", (double)sum.contention_bounces,
		(double)sum.contentions, "contended locks");
	lp_metrics_ratio(m, "lock_wait_avg_ns", sum.wait_ticks.sum * ns,
		(double)sum.wait_ticks.count, "contended locks");
	lp_metrics_ratio(m, "lock_hold_avg_ns", sum.hold_ticks.sum * ns,
		(double)sum.hold_ticks.count, "locks");
	lp_metrics_ratio(m, "lock_wait_min_ns", (double)sum.wait_ticks.min * ns,
		sum.wait_ticks.count > 0, "contended locks");
	lp_metrics_ratio(m, "lock_hold_min_ns", (double)sum.hold_ticks.min * ns,
		sum.hold_ticks.count > 0, "locks");
}

static void report_stranded(
	struct lp_metrics *m, const struct totals *t, const struct lru_rotate *s, bool timed)
{
	lp_metrics_set(m, "stranded_bound", (double)(s->cpus - 1) * s->batch);
	lp_metrics_set(m, "stranded_pages_max", (double)t->stranded_max);
	lp_metrics_ratio(m, "stranded_pages_mean", t->stranded_sum, (double)t->samples, "samples");
	/* Each CPU sees the others' pages: the mean of their integrals. */
	if (timed)
		lp_metrics_ratio(m, "stranded_page_seconds", t->stranded_pages_s,
			(double)t->samplers, "samples");
	lp_metrics_set(m, "stale_touches", (double)t->stale);
}

static void report_swapout(struct lp_metrics *m, const struct totals *t)
{
	lp_metrics_set(m, "pages_freed", (double)t->freed);
	lp_metrics_set(m, "device_busy_pages", (double)t->congested);
	lp_metrics_ratio(
		m, "other_locks_per_page", (double)t->other_locks, (double)t->completed, "pages");
	lp_metrics_ratio(
		m, "writeback_run_pages_mean", (double)t->written, (double)t->runs, "runs");
	lp_metrics_ratio(
		m, "writeback_singleton_share", (double)t->singletons, (double)t->runs, "runs");
}

void lru_rotate_report(struct lp_run *run, uint64_t ops, double seconds)
{
	struct lru_rotate *s = run->state;
	bool exact = run->spec->mode == LP_MODE_EXACT;
	struct totals t = {0};

	lp_histogram_init(&t.delay);
	for (int i = 0; i < s->cpus; i++)
		sum_cpu(&t, s->cpu[i]);
	report_rotation(&run->metrics, &t, s);
	if (lp_case_get(run->spec, "actors") == LRU_ACTORS_SWAPOUT)
		report_swapout(&run->metrics, &t);
	if (run->observed || exact)
		report_stranded(&run->metrics, &t, s, !exact);
	if (!run->observed)
		return;
	report_lock(&run->metrics, s);
	lp_metrics_histogram(&run->metrics, "rotation_delay", "ns", &t.delay, lp_ticks_to_ns(1));
}
