/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log-linear histogram of 64-bit values: 64 buckets to each power of two.
 *
 * The middle of a bucket differs from any value in it by less than 1/128 (0.8 %); values below
 * 128 are exact. Recording is two shifts and an increment. One histogram has one writer; threads
 * record into their own and are merged afterwards, which loses nothing.
 */
#ifndef LP_MEASURE_HISTOGRAM_H
#define LP_MEASURE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
	LP_HISTOGRAM_SUB_BITS = 6,
	LP_HISTOGRAM_BUCKETS = (64 - LP_HISTOGRAM_SUB_BITS + 1) << LP_HISTOGRAM_SUB_BITS,
};

struct lp_histogram {
	uint64_t count;
	uint64_t min; /* exact; UINT64_MAX while empty */
	uint64_t max; /* exact; 0 while empty */
	double sum;   /* exact up to 2^53 */
	double sum_square;
	uint64_t bucket[LP_HISTOGRAM_BUCKETS];
};

/** lp_histogram_init() - make it empty. */
void lp_histogram_init(struct lp_histogram *h);

/** lp_histogram_bucket() - the index of the bucket which holds @value. */
static inline unsigned lp_histogram_bucket(uint64_t value)
{
	unsigned shift;

	if (value < (1u << LP_HISTOGRAM_SUB_BITS))
		return (unsigned)value;
	shift = 63u - LP_HISTOGRAM_SUB_BITS - (unsigned)__builtin_clzll(value);
	return ((shift + 1) << LP_HISTOGRAM_SUB_BITS) +
	       (unsigned)((value >> shift) - (1u << LP_HISTOGRAM_SUB_BITS));
}

/** lp_histogram_record() - add one @value. Async-signal-safe for the one writer. */
static inline void lp_histogram_record(struct lp_histogram *h, uint64_t value)
{
	h->count++;
	h->sum += (double)value;
	h->sum_square += (double)value * (double)value;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
	h->bucket[lp_histogram_bucket(value)]++;
}

/** lp_histogram_merge() - add all of @from to @into. */
void lp_histogram_merge(struct lp_histogram *into, const struct lp_histogram *from);

/** lp_histogram_low() - the smallest value that falls into bucket @index. */
uint64_t lp_histogram_low(unsigned index);

/**
 * lp_histogram_quantile() - the value below or at which a share @q (0..1) of all values lies.
 *
 * The nearest-rank definition: the smallest recorded value whose rank is at least q × count,
 * given as the middle of its bucket, within [min, max]. Return: NaN while empty.
 */
double lp_histogram_quantile(const struct lp_histogram *h, double q);

/** lp_histogram_mean() - Return: the mean, NaN while empty. */
double lp_histogram_mean(const struct lp_histogram *h);

#endif
