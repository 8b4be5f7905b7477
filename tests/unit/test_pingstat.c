// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Round-trip statistics against values worked by hand, and against ping's own integer arithmetic on
 * a longer stream.
 */
#include "common/measure/pingstat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STREAM = 1000 };

static void assert_near(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.9f, expected %.9f", got, expected);
}

static void add_all(struct lp_pingstat *p, const uint64_t *ns, size_t n)
{
	lp_pingstat_init(p);
	for (size_t i = 0; i < n; i++)
		lp_pingstat_add(p, ns[i]);
}

/*
 * 1000, 3000, 2000 ns:
 *   avg   6000 ÷ 3 = 2000
 *   mdev  sqrt((1 + 9 + 4) × 10^6 ÷ 3 − 2000²) = sqrt(2 ÷ 3) × 1000 = 816.4965809277
 *   ewma  1000; 1000 + 2000 ÷ 8 = 1250; 1250 + 750 ÷ 8 = 1343.75
 */
static void test_three_by_hand(void **state)
{
	struct lp_pingstat p;

	add_all(&p, (const uint64_t[]){1000, 3000, 2000}, 3);
	assert_int_equal(p.count, 3);
	assert_int_equal(p.min_ns, 1000);
	assert_int_equal(p.max_ns, 3000);
	assert_near(lp_pingstat_avg_ns(&p), 2000);
	assert_near(lp_pingstat_mdev_ns(&p), 816.4965809277);
	assert_near(p.ewma_ns, 1343.75);
}

static void test_one_has_no_spread(void **state)
{
	struct lp_pingstat p;

	add_all(&p, (const uint64_t[]){700}, 1);
	assert_int_equal(p.min_ns, 700);
	assert_int_equal(p.max_ns, 700);
	assert_near(lp_pingstat_avg_ns(&p), 700);
	assert_true(lp_pingstat_mdev_ns(&p) == 0);
	assert_near(p.ewma_ns, 700);
}

/* ewma starts at the first sample even if that is 0: 0; 0 + 800 ÷ 8 = 100. */
static void test_a_first_sample_of_zero_counts(void **state)
{
	struct lp_pingstat p;

	add_all(&p, (const uint64_t[]){0, 800}, 2);
	assert_int_equal(p.min_ns, 0);
	assert_near(p.ewma_ns, 100);
	assert_near(lp_pingstat_mdev_ns(&p), 400);
}

static void test_empty_has_no_figures(void **state)
{
	struct lp_pingstat p;

	lp_pingstat_init(&p);
	assert_true(isnan(lp_pingstat_avg_ns(&p)));
	assert_true(isnan(lp_pingstat_mdev_ns(&p)));
}

/* Seven equal samples of this size leave a mean of squares below the square of the mean. */
static void test_rounding_makes_no_negative_variance(void **state)
{
	struct lp_pingstat p;
	double mean;

	lp_pingstat_init(&p);
	for (int i = 0; i < 7; i++)
		lp_pingstat_add(&p, 1234567891);
	mean = lp_pingstat_avg_ns(&p);
	assert_true(p.sum_square_ns / (double)p.count - mean * mean < 0);
	assert_true(lp_pingstat_mdev_ns(&p) == 0);
}

/*
 * {1000, 3000} with ewma 1250, and {8000} with ewma 8000:
 *   avg   12000 ÷ 3 = 4000
 *   mdev  sqrt((1 + 9 + 64) × 10^6 ÷ 3 − 16 × 10^6) = sqrt(26 ÷ 3) × 1000 = 2943.9202887760
 *   ewma  (2 × 1250 + 1 × 8000) ÷ 3 = 3500
 */
static void test_merge_by_hand(void **state)
{
	struct lp_pingstat a, b;

	add_all(&a, (const uint64_t[]){1000, 3000}, 2);
	add_all(&b, (const uint64_t[]){8000}, 1);
	lp_pingstat_merge(&a, &b);
	assert_int_equal(a.count, 3);
	assert_int_equal(a.min_ns, 1000);
	assert_int_equal(a.max_ns, 8000);
	assert_near(lp_pingstat_avg_ns(&a), 4000);
	assert_near(lp_pingstat_mdev_ns(&a), 2943.9202887760);
	assert_near(a.ewma_ns, 3500);
}

static void test_merging_with_an_empty_one(void **state)
{
	struct lp_pingstat a, empty;

	add_all(&a, (const uint64_t[]){1000, 3000}, 2);
	lp_pingstat_init(&empty);
	lp_pingstat_merge(&a, &empty);
	assert_int_equal(a.count, 2);
	assert_near(a.ewma_ns, 1250);
	lp_pingstat_merge(&empty, &a);
	assert_int_equal(empty.count, 2);
	assert_int_equal(empty.min_ns, 1000);
	assert_int_equal(empty.max_ns, 3000);
	assert_near(empty.ewma_ns, 1250);
	lp_pingstat_init(&a);
	lp_pingstat_init(&empty);
	lp_pingstat_merge(&a, &empty);
	assert_true(isnan(lp_pingstat_avg_ns(&a)));
}

/* ping keeps eight times the ewma in an integer, and so drops up to a unit of it each time. */
static void test_agrees_with_integer_arithmetic(void **state)
{
	struct lp_pingstat p;
	int64_t eightfold = 0, sum = 0, square = 0;
	uint64_t random = 12345;

	lp_pingstat_init(&p);
	for (int i = 0; i < STREAM; i++) {
		int64_t ns;

		random = (random * 1103515245 + 12345) % 2147483648u;
		ns = 50000 + (int64_t)(random % 100000);
		lp_pingstat_add(&p, (uint64_t)ns);
		sum += ns;
		square += ns * ns;
		eightfold = i ? eightfold + ns - eightfold / 8 : 8 * ns;
	}
	assert_true(fabs(p.ewma_ns - (double)eightfold / 8) <= 1);
	assert_near(lp_pingstat_avg_ns(&p), (double)sum / STREAM);
	assert_near(lp_pingstat_mdev_ns(&p), sqrt((double)(square - sum * sum / STREAM) / STREAM));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_by_hand),
		cmocka_unit_test(test_one_has_no_spread),
		cmocka_unit_test(test_a_first_sample_of_zero_counts),
		cmocka_unit_test(test_empty_has_no_figures),
		cmocka_unit_test(test_rounding_makes_no_negative_variance),
		cmocka_unit_test(test_merge_by_hand),
		cmocka_unit_test(test_merging_with_an_empty_one),
		cmocka_unit_test(test_agrees_with_integer_arithmetic),
	};

	return cmocka_run_group_tests_name("pingstat", tests, NULL, NULL);
}
