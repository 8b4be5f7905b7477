// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The running figures of iputils ping; pingstat.h gives the definitions.
 *
 * Sums of squares are doubles where ping has integers: they lose the last digits instead of
 * overflowing. What would invalidate mdev: a spread below a hundred-millionth of the mean, which
 * is beneath what a double's sum of squares can still tell apart.
 */
#include "common/measure/pingstat.h"

#include <math.h>
#include <string.h>

void lp_pingstat_init(struct lp_pingstat *p)
{
	memset(p, 0, sizeof(*p));
	p->min_ns = UINT64_MAX;
}

void lp_pingstat_add(struct lp_pingstat *p, uint64_t round_trip_ns)
{
	double t = (double)round_trip_ns;

	p->ewma_ns = p->count ? p->ewma_ns + (t - p->ewma_ns) / 8 : t;
	p->count++;
	p->sum_ns += t;
	p->sum_square_ns += t * t;
	if (round_trip_ns < p->min_ns)
		p->min_ns = round_trip_ns;
	if (round_trip_ns > p->max_ns)
		p->max_ns = round_trip_ns;
}

void lp_pingstat_merge(struct lp_pingstat *into, const struct lp_pingstat *from)
{
	uint64_t count = into->count + from->count;

	if (!from->count)
		return;
	into->ewma_ns =
		(into->ewma_ns * (double)into->count + from->ewma_ns * (double)from->count) /
		(double)count;
	into->count = count;
	into->sum_ns += from->sum_ns;
	into->sum_square_ns += from->sum_square_ns;
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

double lp_pingstat_avg_ns(const struct lp_pingstat *p)
{
	return p->count ? p->sum_ns / (double)p->count : NAN;
}

double lp_pingstat_mdev_ns(const struct lp_pingstat *p)
{
	double mean = lp_pingstat_avg_ns(p), variance;

	if (!p->count)
		return NAN;
	variance = p->sum_square_ns / (double)p->count - mean * mean;
	/* Equal samples leave a rounding error that may be below zero. */
	return variance > 0 ? sqrt(variance) : 0;
}
