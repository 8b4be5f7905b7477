// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of a repetition; README.md of this folder says what each one means. */
#include "suites/block_plug/block_plug.h"
#include "common/measure/lockstat_figures.h"

#include <math.h>
#include <stdio.h>

struct totals {
	uint64_t bios, locks, waits, handovers, scanned;
	uint64_t merges[MERGE_PLACES], flushes[FLUSH_REASONS];
	uint64_t requests, pages, insert_merges, busy_ns;
	double square, cpu_share;
	struct lp_histogram latency, flush_off;
};

static void sum_cpus(struct totals *t, const struct block_plug *s)
{
	lp_histogram_init(&t->latency);
	lp_histogram_init(&t->flush_off);
	for (int i = 0; i < s->cpus; i++) {
		const struct block_cpu *c = s->cpu[i];

		t->bios += c->bios;
		t->locks += c->locks;
		t->waits += c->waits;
		t->handovers += c->handovers;
		t->scanned += c->plug_scanned;
		for (int p = 0; p < MERGE_PLACES; p++)
			t->merges[p] += c->merges[p];
		for (int r = 0; r < FLUSH_REASONS; r++)
			t->flushes[r] += c->flushes[r];
		if (c->wall_ns)
			t->cpu_share += (double)c->cpu_ns / (double)c->wall_ns / s->cpus;
		lp_histogram_merge(&t->latency, &c->added_latency_ns);
		lp_histogram_merge(&t->flush_off, &c->flush_off_ns);
	}
}

static void sum_queues(struct totals *t, const struct block_plug *s)
{
	for (int i = 0; i < s->queues; i++) {
		const struct block_queue *q = s->queue[i];
		uint64_t ns = q->last_finish_ns - q->first_start_ns;

		t->requests += q->requests;
		t->pages += q->request_pages;
		t->square += q->request_pages_square;
		t->insert_merges += q->insert_merges;
		if (ns > t->busy_ns)
			t->busy_ns = ns;
	}
}

static void report_sizes(struct lp_metrics *m, const struct totals *t)
{
	double n = (double)t->requests, mean = (double)t->pages / n;
	double variance = t->square / n - mean * mean;
	double sd = sqrt(variance > 0 ? variance : 0);

	lp_metrics_ratio(m, "request_kib_mean", 4.0 * (double)t->pages, n, "requests");
	lp_metrics_set(m, "request_kib_sd", 4.0 * sd);
	lp_metrics_set(m, "request_kib_cv", sd / mean);
}

static void report_merges(struct lp_metrics *m, const struct totals *t)
{
	static const char *const places[MERGE_PLACES] = {
		"merges_plug", "merges_last", "merges_hash", "merges_tree", "new_requests"};
	static const char *const reasons[FLUSH_REASONS] = {
		"flushes_finish", "flushes_count", "flushes_size", "flushes_sleep"};
	double bios = (double)t->bios;

	for (int p = 0; p < MERGE_PLACES; p++)
		lp_metrics_set(m, places[p], (double)t->merges[p]);
	lp_metrics_set(m, "merges_insert", (double)t->insert_merges);
	lp_metrics_ratio(m, "merge_share", bios - (double)t->requests, bios, "bios");
	for (int r = 0; r < FLUSH_REASONS; r++)
		lp_metrics_set(m, reasons[r], (double)t->flushes[r]);
	lp_metrics_ratio(m, "plug_scanned_per_bio", (double)t->scanned, bios, "bios");
	lp_metrics_set(m, "handovers", (double)t->handovers);
	lp_metrics_set(m, "request_waits", (double)t->waits);
}

static void report_device(struct lp_metrics *m, const struct totals *t, bool zero_cost)
{
	if (zero_cost)
		lp_metrics_absent(m, "device_mib_per_s", "the device costs nothing");
	else
		lp_metrics_ratio(m, "device_mib_per_s", (double)t->pages / 256.0,
			(double)t->busy_ns / 1e9, "device time");
}

void block_plug_report(struct lp_run *run, uint64_t ops, double seconds)
{
	struct block_plug *s = run->state;
	struct lp_metrics *m = &run->metrics;
	struct totals t = {0};

	sum_cpus(&t, s);
	sum_queues(&t, s);
	lp_metrics_ratio(m, "locks_per_mib", (double)t.locks * 256.0, (double)t.bios, "bios");
	lp_metrics_set(m, "requests", (double)t.requests);
	report_sizes(m, &t);
	report_merges(m, &t);
	report_device(m, &t, s->zero_cost);
	if (!s->virtual_time)
		lp_metrics_set(m, "submitter_cpu_share", t.cpu_share);
	if (s->measure_latency)
		lp_metrics_histogram(m, "added_latency", "ns", &t.latency, 1);
	if (!run->observed)
		return;
	lp_metrics_histogram(m, "flush_irqs_off", "ns", &t.flush_off, 1);
	lp_lockstat_figures(m, &s->stat, NULL);
}
