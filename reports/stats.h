/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics of a few repetitions. Values are finite; how to leave out absent ones is the caller's
 * business.
 */
#ifndef LP_REPORTS_STATS_H
#define LP_REPORTS_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Resamples of a bootstrap; odd, so that the quantiles of an interval fall on one of them. */
enum { LP_BOOTSTRAP_RESAMPLES = 999 };

/** lp_sort() - @n values in rising order. */
void lp_sort(double *value, size_t n);

/** lp_quantile() - of @n > 0 sorted values, @q in 0..1: linear between order statistics (type 7 of
 * Hyndman and Fan 1996). */
double lp_quantile(const double *sorted, size_t n, double q);

/** lp_median() - the middle of @n > 0 sorted values, or the mean of the middle two. */
double lp_median(const double *sorted, size_t n);

struct lp_interval {
	double low, high;
};

/**
 * lp_bootstrap_median() - percentile bootstrap interval of the median (Efron 1979).
 * @sorted: @n > 0 values in rising order.
 * @confidence: e.g. 0.95; 0 < it < 1.
 * @seed: the same seed gives the same interval.
 *
 * With one value the interval is that value: it says nothing, and the caller should not show it.
 * With five, the interval is from the least to the greatest: one resample in 17 has the least as
 * its median. A sample above 1000 values is resampled as if it had 1000, which widens the interval.
 */
struct lp_interval lp_bootstrap_median(
	const double *sorted, size_t n, double confidence, uint64_t seed);

#endif
