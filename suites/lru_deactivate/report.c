// SPDX-License-Identifier: GPL-2.0-or-later
/* The source's own table, with the kernel's names, and what explains it. */
#include "suites/lru_deactivate/lru_deactivate.h"
#include "common/measure/lockstat_figures.h"

static const enum lp_vm_event events[] = {NR_VMSCAN_WRITE, PGACTIVATE, PGDEACTIVATE, PGINVALIDATE,
	PGRECLAIM, PGFAULT, PGMAJFAULT, PGSTEAL, PGSCAN_KSWAPD, PGSCAN_DIRECT, KSWAPD_STEAL,
	PAGEOUTRUN, ALLOCSTALL, PGROTATED};

struct totals {
	uint64_t locks, advice_locks, invalidate_locks, advised, invalidated, failed, single,
		drains, drain_steps;
	uint64_t set_faults, accesses, wrong;
	unsigned stranded;
};

static void sum_cpus(struct totals *t, const struct deactivate *s)
{
	for (int i = 0; i < s->cpus; i++) {
		const struct ld_cpu *c = s->cpu[i];

		t->locks += c->locks;
		t->advice_locks += c->advice_locks;
		t->invalidate_locks += c->invalidate_locks;
		t->advised += c->advised;
		t->invalidated += c->invalidated;
		t->failed += c->failed;
		t->single += c->single_writeouts;
		t->drains += c->drains;
		t->drain_steps += c->drain_steps;
		t->set_faults += c->set_faults;
		t->accesses += c->accesses;
		t->wrong += c->wrong_deactivations;
		if (c->stranded_max > t->stranded)
			t->stranded = c->stranded_max;
	}
}

static void report_events(struct lp_metrics *m)
{
	double steal = (double)lp_vm_events_sum(PGSTEAL);
	double scan = (double)(lp_vm_events_sum(PGSCAN_KSWAPD) + lp_vm_events_sum(PGSCAN_DIRECT));

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		lp_metrics_set(m, lp_vm_event_name(events[i]), (double)lp_vm_events_sum(events[i]));
	lp_metrics_set(m, "pgscan", scan);
	lp_metrics_ratio(m, "steal_per_scan", steal, scan, "pages scanned");
	lp_metrics_ratio(m, "reclaim_flag_share", (double)lp_vm_events_sum(PGRECLAIM),
		(double)lp_vm_events_sum(PGINVALIDATE), "pages deactivated");
}

static void report_advice(struct lp_metrics *m, const struct totals *t)
{
	double handled = (double)lp_vm_events_sum(PGINVALIDATE);

	/* Of the deactivations alone: what batching is about. */
	lp_metrics_ratio(
		m, "locks_per_1000", 1000.0 * (double)t->advice_locks, handled, "deactivations");
	lp_metrics_ratio(m, "drop_locks_per_1000", 1000.0 * (double)t->invalidate_locks,
		(double)t->invalidated, "pages dropped");
	lp_metrics_set(m, "pages_advised", (double)t->advised);
	lp_metrics_set(m, "pages_invalidated", (double)t->invalidated);
	lp_metrics_set(m, "pages_not_invalidated", (double)t->failed);
	lp_metrics_set(m, "single_page_writeouts", (double)t->single);
	lp_metrics_set(m, "wrong_deactivations", (double)t->wrong);
	lp_metrics_set(m, "drains_of_all_cpus", (double)t->drains);
	lp_metrics_set(m, "remote_drains", (double)t->drain_steps);
	lp_metrics_set(m, "stranded_pages_max", t->stranded);
}

void lru_deactivate_report(struct lp_run *run, uint64_t ops, double seconds)
{
	struct deactivate *s = run->state;
	struct lp_metrics *m = &run->metrics;
	struct totals t = {0};

	sum_cpus(&t, s);
	report_events(m);
	report_advice(m, &t);
	lp_metrics_ratio(m, "locks_per_page", (double)t.locks, (double)ops, "pages");
	lp_metrics_ratio(
		m, "set_fault_share", (double)t.set_faults, (double)t.accesses, "accesses");
	if (s->exact) /* virtual: what the backup took */
		lp_metrics_set(m, "elapsed_s", (double)s->cpu[0]->elapsed_ns / 1e9);
	if (run->observed)
		lp_lockstat_figures(m, &s->stat, NULL);
}
