// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Order statistics against values worked by hand, and the bootstrap against its exact distribution:
 * of an odd number of distinct values, the median of a resample is at most the k-th of n with the
 * probability that a binomial of n and k/n is at least (n + 1)/2.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <cmocka.h>

#include "reports/stats.h"

static void medians(void **state)
{
	double odd[] = {9, 1, 5}, even[] = {4, 1, 3, 2}, huge[] = {1.7e308, 1.7e308}, one[] = {7};

	lp_sort(odd, 3);
	lp_sort(even, 4);
	assert_true(lp_median(odd, 3) == 5);
	assert_true(lp_median(even, 4) == 2.5);
	assert_true(lp_median(one, 1) == 7);
	assert_true(isfinite(lp_median(huge, 2)));
}

/* R: quantile(c(1, 2, 4, 8), c(0, .25, .5, .9, 1), type = 7) */
static void quantiles(void **state)
{
	static const double v[] = {1, 2, 4, 8};
	static const double q[][2] = {{0, 1}, {0.25, 1.75}, {0.5, 3}, {0.9, 6.8}, {1, 8}};

	for (int i = 0; i < 5; i++)
		assert_true(fabs(lp_quantile(v, 4, q[i][0]) - q[i][1]) < 1e-12);
	assert_true(lp_quantile(v, 1, 0.3) == 1);
}

static double binomial_at_least(int n, double p, int least)
{
	double sum = 0;

	for (int k = least; k <= n; k++)
		sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
			   (n - k) * log1p(-p));
	return sum;
}

/* P(median of a resample ≤ k-th of n values) */
static double exact(int n, int k)
{
	return k >= n ? 1 : binomial_at_least(n, (double)k / n, (n + 1) / 2);
}

static void the_bootstrap_is_what_it_should_be(void **state)
{
	double v[101];

	for (int i = 0; i < 101; i++)
		v[i] = i + 1;
	for (int n = 3; n <= 101; n += 14) {
		struct lp_interval found = lp_bootstrap_median(v, (size_t)n, 0.95, 1);
		int low = 1, high = 1;

		/* The quantiles, each with the chance error of 999 resamples: ± 0.015. */
		while (exact(n, low) < 0.025 - 0.015)
			low++;
		assert_true(found.low >= low);
		while (exact(n, high) < 0.025 + 0.015)
			high++;
		assert_true(found.low <= high);
		for (low = 1; exact(n, low) < 0.975 - 0.015; low++)
			;
		assert_true(found.high >= low);
		for (high = 1; high < n && exact(n, high) < 0.975 + 0.015; high++)
			;
		assert_true(found.high <= high);
	}
}

/* Five values: the least is the median of one resample in 17, so the interval is all of them. */
static void five_values_give_their_range(void **state)
{
	static const double v[] = {10, 11, 12, 13, 40};
	struct lp_interval found = lp_bootstrap_median(v, 5, 0.95, 7);

	assert_true(fabs(exact(5, 1) - 0.05792) < 1e-5);
	assert_true(found.low == 10);
	assert_true(found.high == 40);
}

static void the_seed_decides(void **state)
{
	double v[40];
	struct lp_interval a, b, c;

	for (int i = 0; i < 40; i++)
		v[i] = i * i * 1.1;
	a = lp_bootstrap_median(v, 40, 0.9, 1);
	b = lp_bootstrap_median(v, 40, 0.9, 1);
	assert_true(a.low == b.low && a.high == b.high);
	for (uint64_t seed = 2; seed < 50; seed++) {
		c = lp_bootstrap_median(v, 40, 0.9, seed);
		if (c.low != a.low || c.high != a.high)
			return;
	}
	fail_msg("48 other seeds gave the same interval");
}

static void equal_values_and_large_samples(void **state)
{
	static const double same[] = {3, 3, 3};
	double *v = malloc(100000 * sizeof(*v));
	struct lp_interval found = lp_bootstrap_median(same, 3, 0.95, 1);

	assert_non_null(v);
	assert_true(found.low == 3 && found.high == 3);
	for (int i = 0; i < 100000; i++)
		v[i] = i;
	found = lp_bootstrap_median(v, 100000, 0.95, 1);
	assert_true(found.low > 44000 && found.low < 50000);
	assert_true(found.high > 49900 && found.high < 56000);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians),
		cmocka_unit_test(quantiles),
		cmocka_unit_test(the_bootstrap_is_what_it_should_be),
		cmocka_unit_test(five_values_give_their_range),
		cmocka_unit_test(the_seed_decides),
		cmocka_unit_test(equal_values_and_large_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
