/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Round-trip statistics exactly as iputils ping prints them (ping_common.c): min, avg, max, mdev
 * and ewma. mdev = sqrt(mean of squares − square of the mean); ewma starts at the first sample
 * and moves by 1/8 of the difference with each one.
 */
#ifndef LP_MEASURE_PINGSTAT_H
#define LP_MEASURE_PINGSTAT_H

#include <stdint.h>

struct lp_pingstat {
	uint64_t count;
	uint64_t min_ns, max_ns;
	double sum_ns, sum_square_ns;
	double ewma_ns; /* order of arrival matters: one record per stream */
};

void lp_pingstat_init(struct lp_pingstat *p);
void lp_pingstat_add(struct lp_pingstat *p, uint64_t round_trip_ns);
/** lp_pingstat_merge() - counts, sums and extremes add up; ewma becomes the mean of both, weighted
 * by count, because two streams have no common order. */
void lp_pingstat_merge(struct lp_pingstat *into, const struct lp_pingstat *from);
double lp_pingstat_avg_ns(const struct lp_pingstat *p);	 /* NaN while empty */
double lp_pingstat_mdev_ns(const struct lp_pingstat *p); /* NaN while empty */

#endif
