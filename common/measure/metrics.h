/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of one repetition: named numbers, absences with their reason, and histograms.
 *
 * Names are part of the interface, units in the name; see suites/README.md for the list. A figure
 * that could not be had is absent, never 0.
 */
#ifndef LP_MEASURE_METRICS_H
#define LP_MEASURE_METRICS_H

#include <stddef.h>

#include "common/measure/histogram.h"

struct lp_metric {
	char name[64];
	double value; /* NaN when absent */
	char *absent; /* why there is no value; NULL when there is one */
};

struct lp_metric_histogram {
	char name[64]; /* unit included: holdoff_ns */
	double scale;  /* from a recorded value to the unit */
	struct lp_histogram histogram;
};

struct lp_metric_series {
	char name[64];
	char heads[512]; /* of the columns, with units: "t_s,dirty_pages,limit_pages" */
	size_t columns, rows, room;
	double *cell;
};

struct lp_metrics {
	size_t count, room;
	struct lp_metric *metric;
	size_t histograms;
	struct lp_metric_histogram *histogram;
	size_t series_count;
	struct lp_metric_series *series;
};

void lp_metrics_init(struct lp_metrics *m);
void lp_metrics_destroy(struct lp_metrics *m);

/** lp_metrics_set() - @name is @value; a value that is not finite becomes absent ("not a number").
 * Setting a name again replaces it. Aborts when out of memory, as all of these do: a few hundred
 * bytes that cannot be had leave nothing to report with. */
void lp_metrics_set(struct lp_metrics *m, const char *name, double value);

/** lp_metrics_absent() - @name has no value because of @reason (printf format). */
void lp_metrics_absent(struct lp_metrics *m, const char *name, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

/** lp_metrics_ratio() - @name is @numerator ÷ @denominator, absent (with the reason "no @of") when
 * the denominator is 0. */
void lp_metrics_ratio(struct lp_metrics *m, const char *name, double numerator, double denominator,
	const char *of);

/** lp_metrics_get() - the value of @name, NaN when absent or unknown. */
double lp_metrics_get(const struct lp_metrics *m, const char *name);

/**
 * lp_metrics_histogram() - keep @h under @stem and @unit, and its p50, p99 and max as figures.
 *
 * ("holdoff", "ns") makes holdoff_p50_ns, holdoff_p99_ns, holdoff_max_ns and a histogram
 * "holdoff_ns". An empty histogram makes them absent ("nothing was recorded"). The same stem and
 * unit again replace all of them.
 * @scale multiplies the figures, e.g. 1/ticks-per-ns for a histogram of ticks.
 */
void lp_metrics_histogram(struct lp_metrics *m, const char *stem, const char *unit,
	const struct lp_histogram *h, double scale);

/** lp_metrics_series() - start a time series @name; @columns are its heads with units, separated by
 * commas: "t_s,dirty_pages,limit_pages". Return: its index. */
size_t lp_metrics_series(struct lp_metrics *m, const char *name, const char *columns);
/** lp_metrics_series_row() - add a row; @cells has as many numbers as the series has columns. */
void lp_metrics_series_row(struct lp_metrics *m, size_t series, const double *cells);

#endif
