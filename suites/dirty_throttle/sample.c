// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looking on, in virtual time: dirty pages, thresholds and shares as a time series, and by how
 * much the counters are off. Every 10 ms at first; when the series is full every other sample
 * goes and the rest is taken half as often, so that its length does not depend on the run's.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(int64_t *most, int64_t error)
{
	if (llabs(error) > *most)
		*most = llabs(error);
}

static int64_t counter_error(struct dt *s, struct percpu_counter *c)
{
	return percpu_counter_read(c) - percpu_counter_sum(c, s->flavour & 3);
}

static int64_t stat_error(const struct dt_stat *c)
{
	return atomic_load_explicit(&c->count, memory_order_relaxed) - dt_stat_sum(c);
}

void dt_note_errors(struct dt *s)
{
	note(&s->stat_error, stat_error(&s->nr_dirty));
	note(&s->stat_error, stat_error(&s->nr_writeback));
	for (int i = 0; s->algorithm->bdi_counters && i < s->devices; i++) {
		note(&s->bdi_error, counter_error(s, &s->bdi[i].reclaimable));
		note(&s->bdi_error, counter_error(s, &s->bdi[i].writeback));
	}
}

static void thin_out(struct dt *s)
{
	s->samples /= 2;
	for (int i = 0; i < s->samples; i++)
		s->sample[i] = s->sample[2 * i];
	s->sample_every_ns *= 2;
}

void dt_sampler_step(struct dt *s, struct dt_actor *a)
{
	struct dt_sample *x;

	if (s->samples == DT_SAMPLES)
		thin_out(s);
	x = &s->sample[s->samples++];
	*x = (struct dt_sample){.t_s = (double)dt_now(a) / 1e9};
	for (int i = 0; i < s->devices; i++) {
		struct dt_bdi *b = &s->bdi[i];

		x->dirty += (double)b->exact_dirty;
		x->writeback += (double)b->exact_writeback;
		x->bdi_dirty[i] = (double)(b->exact_dirty + b->exact_writeback);
		if (!s->algorithm->bdi_counters)
			continue;
		x->share[i] = dt_bdi_share(s, b);
		x->limit[i] = x->share[i] * (double)s->limits.dirty;
	}
	dt_note_errors(s);
	dt_at(a, dt_now(a) + s->sample_every_ns);
}

double dt_ramp_s(const struct dt *s)
{
	double last = s->samples ? s->sample[s->samples - 1].share[0] : 0;
	double ramp_s = 0;

	for (int i = 0; i < s->samples; i++)
		if (fabs(s->sample[i].share[0] - last) > last / 10)
			ramp_s = s->sample[i].t_s;
	return ramp_s;
}

static void add_device_series(const struct dt *s, struct lp_metrics *m, int device)
{
	char name[32];
	size_t series;

	snprintf(name, sizeof(name), "device%d", device);
	series = lp_metrics_series(m, name, "t_s,share,limit_pages,dirty_pages");
	for (int i = 0; i < s->samples; i++) {
		const struct dt_sample *x = &s->sample[i];

		lp_metrics_series_row(m, series,
			(double[]){
				x->t_s, x->share[device], x->limit[device], x->bdi_dirty[device]});
	}
}

void dt_sample_series(const struct dt *s, struct lp_metrics *m)
{
	size_t series = lp_metrics_series(
		m, "dirty", "t_s,dirty_pages,writeback_pages,background_pages,limit_pages");

	for (int i = 0; i < s->samples; i++) {
		const struct dt_sample *x = &s->sample[i];

		lp_metrics_series_row(m, series,
			(double[]){x->t_s, x->dirty, x->writeback, (double)s->limits.background,
				(double)s->limits.dirty});
	}
	for (int i = 0; s->algorithm->bdi_counters && i < s->devices; i++)
		add_device_series(s, m, i);
}
