// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of a repetition; README.md of this folder says what each one means. */
#include "suites/dirty_throttle/dirty_throttle.h"

struct totals {
	uint64_t pages, throttled_ns, checks, stat_folds;
	uint64_t long_pauses, long_stalls;
	uint64_t writeouts, writeout_pages, small, idle_dirty_ns, dirty_ns;
	struct lp_histogram pause, stall;
};

static void sum_cpus(struct totals *t, const struct dt *s)
{
	lp_histogram_init(&t->pause);
	lp_histogram_init(&t->stall);
	for (int i = 0; i < s->cpus; i++) {
		const struct dt_cpu *c = s->cpu[i];

		t->long_pauses += c->pauses_over_200ms;
		t->long_stalls += c->stalls_over_200ms;
		t->stat_folds += s->nr_dirty.part[i].folds + s->nr_writeback.part[i].folds;
		lp_histogram_merge(&t->pause, &c->pause_ns);
		lp_histogram_merge(&t->stall, &c->stall_ns);
	}
}

static void sum_others(struct totals *t, const struct dt *s)
{
	for (int i = 0; i < s->writers; i++) {
		t->pages += s->writer[i].pages;
		t->throttled_ns += s->writer[i].throttled_ns;
		t->checks += s->writer[i].checks;
	}
	for (int i = 0; i < s->devices; i++) {
		t->writeouts += s->bdi[i].writeouts;
		t->writeout_pages += s->bdi[i].writeout_pages;
		t->small += s->bdi[i].writeouts_small;
		t->idle_dirty_ns += s->bdi[i].idle_dirty_ns;
		t->dirty_ns += s->bdi[i].dirty_ns;
	}
}

/* ---- locks and counters: any clock ---- */

static void report_lock(struct lp_metrics *m, const struct lp_lockstat *stat, const char *wait,
	const char *per_1000, uint64_t ops, bool timed)
{
	struct lp_lockstat_cpu sum;

	lp_lockstat_sum(stat, &sum);
	lp_metrics_ratio(
		m, per_1000, (double)sum.acquisitions * 1000, (double)ops, "dirtied pages");
	if (timed)
		lp_metrics_histogram(m, wait, "ns", &sum.wait_ticks, lp_ticks_to_ns(1));
}

static void report_locks(struct lp_metrics *m, const struct dt *s, uint64_t ops)
{
	struct lp_lockstat_cpu counters, props;
	bool timed = !s->virtual_time;

	report_lock(m, &s->counter_stat, "counter_lock_wait", "counter_locks_per_1000", ops, timed);
	report_lock(m, &s->prop_stat, "prop_lock_wait", "prop_locks_per_1000", ops, timed);
	lp_lockstat_sum(&s->counter_stat, &counters);
	lp_lockstat_sum(&s->prop_stat, &props);
	lp_metrics_ratio(m, "locks_per_1000",
		(double)(counters.acquisitions + props.acquisitions) * 1000, (double)ops,
		"dirtied pages");
	if (timed)
		lp_metrics_ratio(m, "lock_contended_share",
			(double)(counters.contentions + props.contentions),
			(double)(counters.acquisitions + props.acquisitions), "locks");
}

static void report_counters(
	struct lp_metrics *m, const struct dt *s, const struct totals *t, uint64_t ops)
{
	lp_metrics_ratio(
		m, "checks_per_1000", (double)t->checks * 1000, (double)ops, "dirtied pages");
	lp_metrics_ratio(m, "stat_folds_per_1000", (double)t->stat_folds * 1000, (double)ops,
		"dirtied pages");
	lp_metrics_set(m, "counter_error_pages", (double)s->stat_error);
	lp_metrics_set(m, "counter_error_bound_pages", (double)s->cpus * s->nr_dirty.threshold);
	if (!s->algorithm->bdi_counters) {
		lp_metrics_absent(m, "bdi_error_pages", "this generation counts per machine only");
		return;
	}
	lp_metrics_set(m, "bdi_error_pages", (double)s->bdi_error);
	lp_metrics_set(m, "bdi_error_bound_pages", (double)dt_bdi_error(s));
}

static void report_writeouts(struct lp_metrics *m, const struct totals *t)
{
	lp_metrics_set(m, "writeouts", (double)t->writeouts);
	lp_metrics_ratio(m, "writeout_pages_mean", (double)t->writeout_pages, (double)t->writeouts,
		"writeouts");
	lp_metrics_ratio(
		m, "writeout_small_share", (double)t->small, (double)t->writeouts, "writeouts");
}

/* ---- the virtual clock's ---- */

static double jain(const struct dt *s)
{
	double sum = 0, square = 0;

	for (int i = 0; i < s->writers; i++) {
		double x = (double)(s->writer[i].pages - s->writer[i].marked_pages);

		sum += x;
		square += x * x;
	}
	return square > 0 ? sum * sum / (square * s->writers) : 0;
}

static double slowest_kib_per_s(const struct dt *s)
{
	double least = -1;

	for (int i = 0; i < s->writers; i++) {
		double x = (double)(s->writer[i].pages - s->writer[i].marked_pages);

		least = least < 0 || x < least ? x : least;
	}
	return least * 4 / ((double)s->seconds - dt_marked_s(s));
}

/* To how much a pause held the writer it held most: what it had dirtied ÷ the pause. */
static void report_floor(struct lp_metrics *m, const struct dt *s)
{
	double least = 0;

	for (int i = 0; i < s->writers; i++) {
		double x = s->writer[i].slowest_kib_per_s;

		if (x > 0 && (least == 0 || x < least))
			least = x;
	}
	if (least > 0)
		lp_metrics_set(m, "pause_floor_kib_per_s", least);
	else
		lp_metrics_absent(
			m, "pause_floor_kib_per_s", "no writer paused for a computed time");
}

static void report_stream(struct lp_metrics *m, const struct dt *s)
{
	double total = 0;

	for (int i = 0; i < s->devices; i++)
		total += dt_mib_per_s(s, i);
	lp_metrics_set(m, "write_mib_per_s", total);
	lp_metrics_set(m, "writer_kib_per_s", total * 1024 / s->writers);
	lp_metrics_set(m, "writer_kib_per_s_min", slowest_kib_per_s(s));
	lp_metrics_set(m, "writer_jain", jain(s));
	report_floor(m, s);
	if (s->devices < 2)
		return;
	lp_metrics_set(m, "fast_mib_per_s", dt_mib_per_s(s, 0));
	lp_metrics_set(m, "slow_mib_per_s", dt_mib_per_s(s, 1));
	lp_metrics_ratio(
		m, "fast_to_alone", dt_mib_per_s(s, 0), s->alone_mib_per_s, "speed of it alone");
}

static void report_runs(struct lp_metrics *m, const struct dt *s)
{
	double first = dt_run_mib_per_s(s, 0, 0, DT_PHASES - 1), later = dt_mib_per_s(s, 0);
	double write = 0, rewrite = 0;

	for (int run = 1; run < DT_RUNS; run++) {
		write += dt_run_mib_per_s(s, run, 0, 0) / (DT_RUNS - 1);
		rewrite += dt_run_mib_per_s(s, run, 1, 1) / (DT_RUNS - 1);
	}
	lp_metrics_set(m, "write_mib_per_s", later);
	lp_metrics_set(m, "writer_kib_per_s", later * 1024 / s->writers);
	lp_metrics_set(m, "first_mib_per_s", first);
	lp_metrics_ratio(m, "first_to_later", first, later, "later runs");
	lp_metrics_set(m, "later_write_mib_per_s", write);
	lp_metrics_set(m, "later_rewrite_mib_per_s", rewrite);
}

static void report_throttling(struct lp_metrics *m, const struct dt *s, const struct totals *t)
{
	double seconds = (double)s->loop[0].now_ns / 1e9;

	lp_metrics_set(m, "device_s", seconds);
	lp_metrics_ratio(
		m, "throttled_share", (double)t->throttled_ns / 1e9, seconds * s->writers, "time");
	lp_metrics_histogram(m, "pause", "ms", &t->pause, 1e-6);
	lp_metrics_histogram(m, "stall", "ms", &t->stall, 1e-6);
	lp_metrics_set(m, "pauses", (double)t->pause.count);
	lp_metrics_set(m, "pauses_over_200ms", (double)t->long_pauses);
	lp_metrics_set(m, "stalls_over_200ms", (double)t->long_stalls);
	lp_metrics_set(m, "overshoot_pages", (double)s->overshoot_pages);
	lp_metrics_ratio(m, "idle_dirty_share", (double)t->idle_dirty_ns, (double)t->dirty_ns,
		"dirty pages");
}

static void report_virtual(struct lp_metrics *m, const struct dt *s, const struct totals *t)
{
	if (s->stream)
		report_stream(m, s);
	else
		report_runs(m, s);
	if (s->algorithm == &dt_global_algorithm)
		lp_metrics_set(m, "write_to_global", 1);
	else
		lp_metrics_ratio(m, "write_to_global", lp_metrics_get(m, "write_mib_per_s"),
			s->global_mib_per_s, "throughput of global");
	if (s->algorithm->bdi_counters)
		lp_metrics_set(m, "ramp_s", dt_ramp_s(s));
	else
		lp_metrics_absent(m, "ramp_s", "this generation has no shares");
	report_throttling(m, s, t);
	dt_sample_series(s, m);
}

void dirty_throttle_report(struct lp_run *run, uint64_t ops, double seconds)
{
	struct dt *s = run->state;
	struct lp_metrics *m = &run->metrics;
	struct totals t = {0};

	sum_cpus(&t, s);
	sum_others(&t, s);
	report_counters(m, s, &t, ops);
	report_writeouts(m, &t);
	if (s->virtual_time)
		report_virtual(m, s, &t);
	if (s->flavour & LP_LOCK_OBSERVED)
		report_locks(m, s, ops);
}
