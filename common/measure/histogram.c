// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading and merging log-linear histograms; recording is inline in the header.
 *
 * Bucket i below 64 holds the value i. Above, the bits of i beyond the lowest six are a shift, and
 * the lowest six are the value's next bits after its leading one. Counts and extremes are
 * integers, so that merging in any order gives the same quantiles.
 *
 * What would invalidate it: reading while its one writer still records.
 */
#include "common/measure/histogram.h"

#include <float.h>
#include <math.h>
#include <string.h>

void lp_histogram_init(struct lp_histogram *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void lp_histogram_merge(struct lp_histogram *into, const struct lp_histogram *from)
{
	into->count += from->count;
	into->sum += from->sum;
	into->sum_square += from->sum_square;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	for (unsigned i = 0; i < LP_HISTOGRAM_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

uint64_t lp_histogram_low(unsigned index)
{
	unsigned group = index >> LP_HISTOGRAM_SUB_BITS;
	uint64_t sub = index & ((1u << LP_HISTOGRAM_SUB_BITS) - 1);

	if (!group)
		return sub;
	return ((1ull << LP_HISTOGRAM_SUB_BITS) + sub) << (group - 1);
}

/* The middle of a bucket, kept within what was really recorded. */
static double middle(const struct lp_histogram *h, unsigned index)
{
	unsigned group = index >> LP_HISTOGRAM_SUB_BITS;
	double width = group ? ldexp(1.0, (int)group - 1) : 1.0;
	double value = (double)lp_histogram_low(index) + (width - 1.0) / 2.0;

	return fmin(fmax(value, (double)h->min), (double)h->max);
}

/* The least whole number of at least q × count. A product that is whole on paper may come out a
 * rounding error too large (0.07 × 100 = 7.000000000000001) and must not reach the next rank. */
static double rank_of(double q, uint64_t count)
{
	double rank = q * (double)count;

	return ceil(rank - rank * 4 * DBL_EPSILON);
}

double lp_histogram_quantile(const struct lp_histogram *h, double q)
{
	uint64_t seen = 0;
	double rank = rank_of(q, h->count);

	if (!h->count)
		return NAN;
	if (rank <= 1)
		return (double)h->min;
	if (rank >= (double)h->count)
		return (double)h->max;
	for (unsigned i = 0; i < LP_HISTOGRAM_BUCKETS; i++) {
		seen += h->bucket[i];
		if ((double)seen >= rank)
			return middle(h, i);
	}
	return (double)h->max;
}

double lp_histogram_mean(const struct lp_histogram *h)
{
	return h->count ? h->sum / (double)h->count : NAN;
}
