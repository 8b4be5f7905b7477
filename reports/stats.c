// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Order statistics and the bootstrap. Medians, because one disturbed repetition must not move the
 * figure; the bootstrap, because nothing is known about how repetitions are distributed. It assumes
 * that repetitions are independent, which a process each and a random order are there for; a
 * machine that drifts during the run makes the intervals too narrow.
 */
#include "reports/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLE_MAX = 1000 };

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void lp_sort(double *value, size_t n)
{
	if (n > 1)
		qsort(value, n, sizeof(*value), by_value);
}

double lp_quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t low = (size_t)floor(at);

	if (low + 1 >= n)
		return sorted[n - 1];
	return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}

double lp_median(const double *sorted, size_t n)
{
	size_t half = n / 2;

	return n % 2 ? sorted[half] : sorted[half - 1] / 2 + sorted[half] / 2;
}

/* SplitMix64 (Steele, Lea, Flood 2014): a stream of evenly spread 64-bit numbers. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* The median of one resample. Which values were drawn is counted by rank: as the sample is sorted,
 * walking the counts finds the middle without sorting again. */
static double resample_median(const double *sorted, size_t n, size_t draws, uint64_t *random)
{
	unsigned short drawn[RESAMPLE_MAX];
	double middle[2];
	size_t seen = 0, rank = 0;

	memset(drawn, 0, draws * sizeof(*drawn));
	for (size_t i = 0; i < draws; i++)
		drawn[((random_next(random) >> 32) * draws) >> 32]++;
	for (int side = 0; side < 2; side++) {
		size_t wanted = side ? draws / 2 : (draws - 1) / 2;

		while (seen + drawn[rank] <= wanted)
			seen += drawn[rank++];
		middle[side] = sorted[rank * n / draws];
	}
	return middle[0] / 2 + middle[1] / 2;
}

struct lp_interval lp_bootstrap_median(
	const double *sorted, size_t n, double confidence, uint64_t seed)
{
	double median[LP_BOOTSTRAP_RESAMPLES];
	size_t draws = n < RESAMPLE_MAX ? n : RESAMPLE_MAX;

	if (sorted[0] == sorted[n - 1])
		return (struct lp_interval){sorted[0], sorted[0]};
	for (int i = 0; i < LP_BOOTSTRAP_RESAMPLES; i++)
		median[i] = resample_median(sorted, n, draws, &seed);
	lp_sort(median, LP_BOOTSTRAP_RESAMPLES);
	return (struct lp_interval){
		lp_quantile(median, LP_BOOTSTRAP_RESAMPLES, (1 - confidence) / 2),
		lp_quantile(median, LP_BOOTSTRAP_RESAMPLES, (1 + confidence) / 2),
	};
}
