// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of a repetition; README.md of this folder says what each one means. */
#include "suites/pcp_drain/pcp_drain.h"

#include <math.h>
#include <stdio.h>

struct totals {
	struct pcp_counts n;
	uint64_t got; /* by allocators */
	uint64_t victim_interruptions, victim_ticks, victims;
	struct lp_histogram latency, wait;
};

/* Every count but the maximum is summed; the structure has nothing else in it. */
static void add_counts(struct pcp_counts *into, const struct pcp_counts *n)
{
	uint64_t *a = (uint64_t *)into, max = into->stranded_max;
	const uint64_t *b = (const uint64_t *)n;

	static_assert(sizeof(*n) % sizeof(uint64_t) == 0, "counts are 64 bits each");
	for (size_t i = 0; i < sizeof(*n) / sizeof(*a); i++)
		a[i] += b[i];
	into->stranded_max = max > n->stranded_max ? max : n->stranded_max;
}

/* Where no CPU is a victim by role, all that are not allocators stand for one. */
static void sum_cpus(struct totals *t, const struct pcp_drain *s)
{
	lp_histogram_init(&t->latency);
	lp_histogram_init(&t->wait);
	for (int i = 0; i < s->cpus; i++) {
		const struct pcp_cpu *c = s->cpu[i];

		add_counts(&t->n, &c->n);
		lp_histogram_merge(&t->latency, &c->latency_ticks);
		lp_histogram_merge(&t->wait, &c->wait_ticks);
		for (int order = 0; order < PCP_ORDERS; order++)
			t->got += c->n.got[order];
		if (c->role == PCP_ALLOCATOR)
			continue;
		t->victims++;
		t->victim_interruptions += c->n.interruptions;
		t->victim_ticks += c->n.interrupted_ticks;
	}
}

static double drained_pages(const struct totals *t)
{
	return (double)(t->n.drain_pages + t->n.given_pages);
}

static void report_allocations(struct lp_metrics *m, const struct pcp_counts *n)
{
	uint64_t asked = 0, got = 0;
	char name[64];

	for (int order = 0; order < PCP_ORDERS; order++) {
		asked += n->asked[order];
		got += n->got[order];
		snprintf(name, sizeof(name), "order%d_success_share", order);
		lp_metrics_ratio(m, name, (double)n->got[order], (double)n->asked[order],
			"allocations of that order");
	}
	lp_metrics_ratio(m, "alloc_success_share", (double)got, (double)asked, "allocations");
	lp_metrics_set(m, "alloc_failures", (double)n->gave_up_allocs);
	lp_metrics_set(m, "fast_path_failures", (double)n->fast_failures);
	lp_metrics_set(m, "direct_reclaims", (double)n->reclaims);
	lp_metrics_ratio(m, "retry_success_share", (double)n->retry_successes, (double)n->retries,
		"retries");
}

static void report_drains(struct lp_metrics *m, const struct totals *t)
{
	const struct pcp_counts *n = &t->n;
	double drains = (double)n->drains,
	       remote = (double)(n->drain_remote_pages + n->given_pages);

	lp_metrics_set(m, "drains", drains);
	lp_metrics_set(m, "drains_skipped", (double)n->drains_skipped);
	lp_metrics_ratio(m, "drains_per_reclaim", drains, (double)n->reclaims, "direct reclaims");
	lp_metrics_ratio(m, "drained_pages_per_drain", drained_pages(t), drains, "drains");
	lp_metrics_ratio(m, "remote_pages_per_drain", remote, drains, "drains");
	lp_metrics_set(m, "ipis", (double)n->ipis);
	lp_metrics_ratio(m, "ipis_per_drain", (double)n->ipis, drains, "drains");
	lp_metrics_ratio(m, "works_per_drain", (double)n->works, drains, "drains");
	lp_metrics_ratio(m, "ipis_per_alloc", (double)n->ipis, (double)t->got, "allocations");
	lp_metrics_set(m, "ipis_not_sent", (double)n->ipis_failed);
	lp_metrics_ratio(m, "useful_ipi_share", (double)n->useful, (double)n->handled, "requests");
	lp_metrics_ratio(m, "masked_ipi_share", (double)n->masked_off,
		(double)(n->masked_off + n->ipis + n->works), "CPUs looked at for a mask");
}

static void report_zone(struct lp_metrics *m, const struct pcp_drain *s, const struct totals *t)
{
	static const char *const classes[PCP_HOLD_CLASSES] = {
		"1", "2_31", "32_63", "64_127", "128_up"};
	const struct pcp_counts *n = &t->n;
	char name[64];

	lp_metrics_ratio(
		m, "zone_locks_per_alloc", (double)n->zone_locks, (double)n->allocs, "allocations");
	lp_metrics_ratio(m, "pcp_trylock_failure_share", (double)n->trylock_failures,
		(double)n->allocs, "allocations");
	if (!s->observed)
		return;
	for (int i = 0; i < PCP_HOLD_CLASSES; i++) {
		snprintf(name, sizeof(name), "zone_hold_avg_ns_freed_%s", classes[i]);
		lp_metrics_ratio(m, name, lp_ticks_to_ns(n->hold_ticks[i]),
			(double)n->hold_count[i], "such holds");
	}
}

static void report_lock(struct lp_metrics *m, const char *lock, const struct lp_lockstat *stat)
{
	struct lp_lockstat_cpu sum;
	double ns = lp_ticks_to_ns(1);
	char name[64];

	lp_lockstat_sum(stat, &sum);
	snprintf(name, sizeof(name), "%s_acquisitions", lock);
	lp_metrics_set(m, name, (double)sum.acquisitions);
	snprintf(name, sizeof(name), "%s_contended_share", lock);
	lp_metrics_ratio(m, name, (double)sum.contentions, (double)sum.acquisitions, "locks");
	snprintf(name, sizeof(name), "%s_wait", lock);
	lp_metrics_histogram(m, name, "ns", &sum.wait_ticks, ns);
	snprintf(name, sizeof(name), "%s_hold", lock);
	lp_metrics_histogram(m, name, "ns", &sum.hold_ticks, ns);
}

static void report_livelock(struct lp_metrics *m, const struct pcp_drain *s)
{
	uint64_t livelocked, drained;

	pcp_livelocks(s, &livelocked, &drained);
	lp_metrics_set(m, "livelock_windows", (double)livelocked);
	lp_metrics_set(m, "drain_windows", (double)drained);
}

static void report_stranded(struct lp_metrics *m, const struct pcp_counts *n)
{
	lp_metrics_ratio(m, "stranded_pages_mean", (double)n->stranded_sum,
		(double)n->stranded_samples, "failed allocations");
	lp_metrics_ratio(m, "stranded_pages_max", (double)n->stranded_max, n->stranded_samples > 0,
		"failed allocations");
}

/* Ours beside the kernel's: what is above the others' rate should be what membarrier sent. */
static void report_calls(struct lp_metrics *m, const struct pcp_drain *s, const struct totals *t)
{
	double own = s->calls - s->idle_calls_per_s * s->calls_seconds;

	if (isnan(own)) {
		lp_metrics_absent(m, "kernel_cal_others_per_s",
			"/proc/interrupts cannot be read or has no such line");
		return;
	}
	lp_metrics_set(m, "kernel_cal_others_per_s", s->idle_calls_per_s);
	lp_metrics_set(m, "kernel_cal_in_window", s->calls);
	if (s->membarrier)
		lp_metrics_ratio(m, "kernel_cal_per_ipi", own, (double)t->n.ipis, "IPIs");
}

static void report_times(
	struct lp_metrics *m, const struct pcp_drain *s, const struct totals *t, double seconds)
{
	double ns = lp_ticks_to_ns(1), cpu_seconds = seconds * s->cpus;

	lp_metrics_ratio(m, "ipis_per_cpu_per_s", (double)t->n.ipis, cpu_seconds, "time");
	lp_metrics_ratio(m, "drains_per_s", (double)t->n.drains, seconds, "time");
	lp_metrics_histogram(m, "drain_wait", "ns", &t->wait, ns);
	lp_metrics_ratio(m, "interrupted_ns_avg", (double)t->n.interrupted_ticks * ns,
		(double)t->n.interruptions, "interruptions");
	lp_metrics_ratio(m, "victim_interruptions_per_s", (double)t->victim_interruptions,
		seconds * (double)t->victims, "victims");
	lp_metrics_ratio(m, "victim_lost_ns_per_s", (double)t->victim_ticks * ns,
		seconds * (double)t->victims, "victims");
}

void pcp_drain_report(struct lp_run *run, uint64_t ops, double seconds)
{
	struct pcp_drain *s = run->state;
	struct lp_metrics *m = &run->metrics;
	struct totals t = {0};

	sum_cpus(&t, s);
	report_allocations(m, &t.n);
	report_drains(m, &t);
	report_zone(m, s, &t);
	if (!s->exact)
		report_times(m, s, &t, seconds);
	if (!s->exact && !s->observed)
		return;
	report_livelock(m, s);
	report_stranded(m, &t.n);
	if (!s->observed)
		return;
	lp_metrics_histogram(m, "alloc_latency", "ns", &t.latency, lp_ticks_to_ns(1));
	report_lock(m, "zone_lock", &s->stat);
	if (s->algorithm->lists == &pcp_locked)
		report_lock(m, "pcp_lock", &s->pcp_stat);
	report_calls(m, s, &t);
}
