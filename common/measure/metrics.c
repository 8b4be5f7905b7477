// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The growing list of a repetition's figures.
 *
 * Linear search is fine: a repetition has a few dozen figures and sets each about once. What would
 * invalidate that: figures by the thousand, which belong into a series or a histogram.
 */
#include "common/measure/metrics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *array, size_t count, size_t size)
{
	void *grown = realloc(array, count * size);

	if (!grown) {
		fputs("lockpath: out of memory for the figures of a repetition\n", stderr);
		abort();
	}
	return grown;
}

/* Names are written by programmers: one that does not fit is a mistake, not a condition. */
static void copy_name(char *to, size_t size, const char *name)
{
	if ((size_t)snprintf(to, size, "%s", name) >= size) {
		fprintf(stderr, "lockpath: the figure's name '%s' is too long\n", name);
		abort();
	}
}

void lp_metrics_init(struct lp_metrics *m)
{
	memset(m, 0, sizeof(*m));
}

void lp_metrics_destroy(struct lp_metrics *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->metric[i].absent);
	for (size_t i = 0; i < m->series_count; i++)
		free(m->series[i].cell);
	free(m->metric);
	free(m->histogram);
	free(m->series);
	lp_metrics_init(m);
}

static struct lp_metric *find(const struct lp_metrics *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->metric[i].name, name))
			return &m->metric[i];
	return NULL;
}

/* The entry called @name, new or emptied. */
static struct lp_metric *entry(struct lp_metrics *m, const char *name)
{
	struct lp_metric *metric = find(m, name);

	if (metric) {
		free(metric->absent);
		metric->absent = NULL;
		return metric;
	}
	if (m->count == m->room) {
		m->room = m->room ? 2 * m->room : 32;
		m->metric = grow(m->metric, m->room, sizeof(*m->metric));
	}
	metric = &m->metric[m->count++];
	memset(metric, 0, sizeof(*metric));
	copy_name(metric->name, sizeof(metric->name), name);
	return metric;
}

void lp_metrics_set(struct lp_metrics *m, const char *name, double value)
{
	if (!isfinite(value)) {
		lp_metrics_absent(m, name, "not a number");
		return;
	}
	entry(m, name)->value = value;
}

void lp_metrics_absent(struct lp_metrics *m, const char *name, const char *reason, ...)
{
	struct lp_metric *metric;
	va_list args;
	char *text;
	int n;

	/* Before entry() frees the old reason, which may be part of the new one. */
	va_start(args, reason);
	n = vasprintf(&text, reason, args);
	va_end(args);
	if (n < 0)
		abort();
	metric = entry(m, name);
	metric->value = NAN;
	metric->absent = text;
}

void lp_metrics_ratio(struct lp_metrics *m, const char *name, double numerator, double denominator,
	const char *of)
{
	if (denominator == 0)
		lp_metrics_absent(m, name, "no %s", of);
	else
		lp_metrics_set(m, name, numerator / denominator);
}

double lp_metrics_get(const struct lp_metrics *m, const char *name)
{
	const struct lp_metric *metric = find(m, name);

	return metric ? metric->value : NAN;
}

/* ---- histograms ---- */

static void set_stem(struct lp_metrics *m, const char *stem, const char *what, const char *unit,
	const struct lp_histogram *h, double value)
{
	char name[128];

	snprintf(name, sizeof(name), "%s_%s_%s", stem, what, unit);
	if (h->count)
		lp_metrics_set(m, name, value);
	else
		lp_metrics_absent(m, name, "nothing was recorded");
}

/* The histogram called @name; a new one has no more than its name yet. */
static struct lp_metric_histogram *histogram_entry(struct lp_metrics *m, const char *name)
{
	struct lp_metric_histogram *kept;

	for (size_t i = 0; i < m->histograms; i++)
		if (!strcmp(m->histogram[i].name, name))
			return &m->histogram[i];
	m->histogram = grow(m->histogram, m->histograms + 1, sizeof(*m->histogram));
	kept = &m->histogram[m->histograms++];
	copy_name(kept->name, sizeof(kept->name), name);
	return kept;
}

static void keep_histogram(struct lp_metrics *m, const char *stem, const char *unit,
	const struct lp_histogram *h, double scale)
{
	struct lp_metric_histogram *kept;
	char name[128];

	snprintf(name, sizeof(name), "%s_%s", stem, unit);
	kept = histogram_entry(m, name);
	kept->histogram = *h;
	kept->scale = scale;
}

void lp_metrics_histogram(struct lp_metrics *m, const char *stem, const char *unit,
	const struct lp_histogram *h, double scale)
{
	set_stem(m, stem, "p50", unit, h, lp_histogram_quantile(h, 0.50) * scale);
	set_stem(m, stem, "p99", unit, h, lp_histogram_quantile(h, 0.99) * scale);
	set_stem(m, stem, "max", unit, h, (double)h->max * scale);
	keep_histogram(m, stem, unit, h, scale);
}

/* ---- time series ---- */

size_t lp_metrics_series(struct lp_metrics *m, const char *name, const char *columns)
{
	struct lp_metric_series *series;

	m->series = grow(m->series, m->series_count + 1, sizeof(*m->series));
	series = &m->series[m->series_count];
	memset(series, 0, sizeof(*series));
	copy_name(series->name, sizeof(series->name), name);
	copy_name(series->heads, sizeof(series->heads), columns);
	series->columns = 1;
	for (const char *c = columns; *c; c++)
		series->columns += *c == ',';
	return m->series_count++;
}

void lp_metrics_series_row(struct lp_metrics *m, size_t index, const double *cells)
{
	struct lp_metric_series *series = &m->series[index];

	if (series->rows == series->room) {
		series->room = series->room ? 2 * series->room : 64;
		series->cell =
			grow(series->cell, series->room * series->columns, sizeof(*series->cell));
	}
	memcpy(&series->cell[series->rows * series->columns], cells,
		series->columns * sizeof(*cells));
	series->rows++;
}
