// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The histogram against exact quantiles of sorted data of several shapes, against nearest ranks
 * worked by hand, at both ends of its range, and merged from parts.
 */
#include "common/measure/histogram.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/compiler.h"

enum { VALUES = 20000 };

static struct lp_histogram histogram, part, merged;
static uint64_t value[VALUES];

/* ---- shapes of data ---- */

static uint64_t random_state;

static uint64_t random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static double random_share(void)
{
	return (double)(random_bits() >> 11) / 9007199254740992.0; /* 2^53 */
}

static uint64_t uniform(void)
{
	return random_bits() % 1000000;
}

static uint64_t log_uniform(void)
{
	return random_bits() >> (random_bits() % 64);
}

static uint64_t long_tail(void)
{
	return (uint64_t)(100 / pow(1 - random_share(), 2));
}

/* A lock: mostly 20 ns, now and then a preemption of milliseconds. */
static uint64_t two_peaks(void)
{
	return random_bits() % 100 < 95 ? 15 + random_bits() % 10
					: 3000000 + random_bits() % 500000;
}

static uint64_t always_the_same(void)
{
	return 123457;
}

static uint64_t near_powers_of_two(void)
{
	return (1ull << (random_bits() % 63)) + random_bits() % 3 - 1;
}

static uint64_t (*const shapes[])(void) = {
	uniform, log_uniform, long_tail, two_peaks, always_the_same, near_powers_of_two};

static void record_shape(uint64_t (*shape)(void))
{
	random_state = 88172645463325252ull;
	lp_histogram_init(&histogram);
	for (int i = 0; i < VALUES; i++) {
		value[i] = shape();
		lp_histogram_record(&histogram, value[i]);
	}
}

static int compare_values(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* ---- tests ---- */

/* q = k ÷ VALUES makes k the exact nearest rank, without any rounding of ours. */
static void assert_quantile_near(uint64_t k)
{
	double exact = (double)value[k - 1];
	double got = lp_histogram_quantile(&histogram, (double)k / VALUES);

	if (exact < 128 ? got != exact : fabs(got - exact) > 0.01 * exact)
		fail_msg("rank %lu: exact %.0f, histogram %.1f", (unsigned long)k, exact, got);
}

static void test_quantiles_of_every_shape(void **state)
{
	for (size_t s = 0; s < ARRAY_SIZE(shapes); s++) {
		record_shape(shapes[s]);
		qsort(value, VALUES, sizeof(*value), compare_values);
		for (uint64_t k = 1; k <= VALUES; k += 97)
			assert_quantile_near(k);
		assert_quantile_near(VALUES * 999 / 1000);
		assert_quantile_near(VALUES);
	}
}

static void test_every_value_lies_in_its_bucket(void **state)
{
	for (size_t s = 0; s < ARRAY_SIZE(shapes); s++) {
		record_shape(shapes[s]);
		for (int i = 0; i < VALUES; i++) {
			unsigned b = lp_histogram_bucket(value[i]);

			assert_true(b < LP_HISTOGRAM_BUCKETS);
			assert_true(lp_histogram_low(b) <= value[i]);
			if (b + 1 < LP_HISTOGRAM_BUCKETS)
				assert_true(lp_histogram_low(b + 1) > value[i]);
		}
	}
}

static void test_buckets_are_contiguous(void **state)
{
	for (unsigned b = 0; b < LP_HISTOGRAM_BUCKETS; b++) {
		uint64_t low = lp_histogram_low(b);

		assert_int_equal(lp_histogram_bucket(low), b);
		if (b)
			assert_int_equal(lp_histogram_bucket(low - 1), b - 1);
	}
	assert_int_equal(lp_histogram_bucket(UINT64_MAX), LP_HISTOGRAM_BUCKETS - 1);
}

static void test_small_values_are_exact(void **state)
{
	lp_histogram_init(&histogram);
	for (uint64_t v = 0; v < 128; v++)
		lp_histogram_record(&histogram, v);
	for (uint64_t v = 0; v < 128; v++)
		assert_true(lp_histogram_quantile(&histogram, (double)(v + 1) / 128) == (double)v);
}

/* Ranks of {15, 20, 35, 40, 50}: 5 % of 5 is 0.25, so rank 1; 30 % is 1.5, rank 2; 40 % is 2
 * exactly; 50 % is 2.5, rank 3; 100 % is rank 5. */
static void test_nearest_rank_by_hand(void **state)
{
	static const uint64_t five[] = {35, 20, 50, 15, 40};

	lp_histogram_init(&histogram);
	for (size_t i = 0; i < ARRAY_SIZE(five); i++)
		lp_histogram_record(&histogram, five[i]);
	assert_true(lp_histogram_quantile(&histogram, 0) == 15);
	assert_true(lp_histogram_quantile(&histogram, 0.05) == 15);
	assert_true(lp_histogram_quantile(&histogram, 0.30) == 20);
	assert_true(lp_histogram_quantile(&histogram, 0.40) == 20);
	assert_true(lp_histogram_quantile(&histogram, 0.50) == 35);
	assert_true(lp_histogram_quantile(&histogram, 1) == 50);
	assert_true(lp_histogram_mean(&histogram) == 32);
	assert_true(histogram.sum == 160);
	assert_true(histogram.sum_square == 225 + 400 + 1225 + 1600 + 2500);
}

/* Of 1 to 100 the k-th percentile is k, also where k ÷ 100 × 100 exceeds k by a rounding error. */
static void test_rounding_moves_no_rank(void **state)
{
	lp_histogram_init(&histogram);
	for (uint64_t v = 1; v <= 100; v++)
		lp_histogram_record(&histogram, v);
	assert_true(0.07 * 100 > 7);
	for (int k = 1; k <= 100; k++)
		assert_true(lp_histogram_quantile(&histogram, k / 100.0) == k);
}

static void test_empty_has_no_figures(void **state)
{
	lp_histogram_init(&histogram);
	assert_true(isnan(lp_histogram_quantile(&histogram, 0)));
	assert_true(isnan(lp_histogram_quantile(&histogram, 0.99)));
	assert_true(isnan(lp_histogram_quantile(&histogram, 1)));
	assert_true(isnan(lp_histogram_mean(&histogram)));
	assert_true(histogram.min == UINT64_MAX);
	assert_true(histogram.max == 0);
}

static void test_both_ends_of_the_range(void **state)
{
	lp_histogram_init(&histogram);
	lp_histogram_record(&histogram, 0);
	lp_histogram_record(&histogram, UINT64_MAX);
	assert_true(histogram.min == 0);
	assert_true(histogram.max == UINT64_MAX);
	assert_int_equal(histogram.bucket[0], 1);
	assert_int_equal(histogram.bucket[LP_HISTOGRAM_BUCKETS - 1], 1);
	assert_true(lp_histogram_quantile(&histogram, 0.5) == 0);
	assert_true(lp_histogram_quantile(&histogram, 0.51) == (double)UINT64_MAX);
}

/* A value in the middle of a wide bucket is not reported beyond what was really recorded. */
static void test_quantiles_stay_between_extremes(void **state)
{
	lp_histogram_init(&histogram);
	for (int i = 0; i < 5; i++)
		lp_histogram_record(&histogram, (1ull << 40) + 1);
	for (int k = 0; k <= 10; k++)
		assert_true(lp_histogram_quantile(&histogram, k / 10.0) == 0x1p40 + 1);
}

static void test_merged_parts_are_the_whole(void **state)
{
	for (size_t s = 0; s < ARRAY_SIZE(shapes); s++) {
		record_shape(shapes[s]);
		lp_histogram_init(&merged);
		for (int p = 0; p < 4; p++) {
			lp_histogram_init(&part);
			for (int i = p; i < VALUES; i += 4)
				lp_histogram_record(&part, value[i]);
			lp_histogram_merge(&merged, &part);
		}
		assert_int_equal(merged.count, VALUES);
		assert_true(merged.min == histogram.min && merged.max == histogram.max);
		assert_memory_equal(merged.bucket, histogram.bucket, sizeof(merged.bucket));
		assert_true(fabs(merged.sum - histogram.sum) <= 1e-9 * histogram.sum);
		assert_true(fabs(merged.sum_square - histogram.sum_square) <=
			    1e-9 * histogram.sum_square);
	}
}

static void test_merging_an_empty_one_changes_nothing(void **state)
{
	record_shape(uniform);
	merged = histogram;
	lp_histogram_init(&part);
	lp_histogram_merge(&merged, &part);
	assert_memory_equal(&merged, &histogram, sizeof(merged));
	lp_histogram_merge(&part, &histogram);
	assert_memory_equal(&part, &histogram, sizeof(part));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles_of_every_shape),
		cmocka_unit_test(test_every_value_lies_in_its_bucket),
		cmocka_unit_test(test_buckets_are_contiguous),
		cmocka_unit_test(test_small_values_are_exact),
		cmocka_unit_test(test_nearest_rank_by_hand),
		cmocka_unit_test(test_rounding_moves_no_rank),
		cmocka_unit_test(test_empty_has_no_figures),
		cmocka_unit_test(test_both_ends_of_the_range),
		cmocka_unit_test(test_quantiles_stay_between_extremes),
		cmocka_unit_test(test_merged_parts_are_the_whole),
		cmocka_unit_test(test_merging_an_empty_one_changes_nothing),
	};

	return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
