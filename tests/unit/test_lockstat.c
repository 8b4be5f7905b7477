// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: aligned_alloc
 *
 * Lock statistics: what a sum over CPUs is, and what happens without memory for them.
 */
#include "common/measure/lockstat.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool no_memory;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return no_memory ? NULL : __real_aligned_alloc(alignment, size);
}

static struct lp_lockstat stat;
static struct lp_lockstat_cpu sum;

static void make(int cpus)
{
	struct lp_error err = {0};

	assert_int_equal(lp_lockstat_init(&stat, cpus, &err), 0);
	assert_int_equal(stat.cpus, cpus);
}

static void test_starts_empty(void **state)
{
	make(3);
	memset(&sum, 0xa5, sizeof(sum));
	lp_lockstat_sum(&stat, &sum);
	assert_int_equal(sum.acquisitions, 0);
	assert_int_equal(sum.contentions, 0);
	assert_int_equal(sum.acquisition_bounces, 0);
	assert_int_equal(sum.contention_bounces, 0);
	assert_true(isnan(lp_histogram_mean(&sum.wait_ticks)));
	assert_true(isnan(lp_histogram_mean(&sum.hold_ticks)));
	assert_true(sum.hold_ticks.min == UINT64_MAX);
	lp_lockstat_destroy(&stat);
}

/* CPU c: 10^c acquisitions, two, three and four times as many of the rest, so that each digit of
 * a sum shows that its CPU came in exactly once; waits 100(c+1), holds 7(c+1). */
static void count_by_digits(void)
{
	uint64_t n = 1;

	for (int c = 0; c < stat.cpus; c++, n *= 10) {
		struct lp_lockstat_cpu *cpu = &stat.cpu[c];

		cpu->acquisitions = n;
		cpu->contentions = 2 * n;
		cpu->acquisition_bounces = 3 * n;
		cpu->contention_bounces = 4 * n;
		lp_histogram_record(&cpu->wait_ticks, 100 * (uint64_t)(c + 1));
		lp_histogram_record(&cpu->hold_ticks, 7 * (uint64_t)(c + 1));
	}
}

static void test_sums_every_cpu_once(void **state)
{
	make(4);
	count_by_digits();
	lp_lockstat_sum(&stat, &sum);
	assert_int_equal(sum.acquisitions, 1111);
	assert_int_equal(sum.contentions, 2222);
	assert_int_equal(sum.acquisition_bounces, 3333);
	assert_int_equal(sum.contention_bounces, 4444);
	assert_int_equal(sum.wait_ticks.count, 4);
	assert_true(sum.wait_ticks.sum == 100 + 200 + 300 + 400);
	assert_int_equal(sum.wait_ticks.min, 100);
	assert_int_equal(sum.wait_ticks.max, 400);
	assert_true(lp_histogram_mean(&sum.hold_ticks) == 7 * 2.5);
	assert_true(lp_histogram_quantile(&sum.hold_ticks, 0.5) == 14);
	lp_lockstat_destroy(&stat);
}

static void test_summing_leaves_the_cpus_alone(void **state)
{
	make(2);
	count_by_digits();
	lp_lockstat_sum(&stat, &sum);
	lp_lockstat_sum(&stat, &sum);
	assert_int_equal(sum.acquisitions, 11);
	assert_int_equal(stat.cpu[1].acquisitions, 10);
	lp_lockstat_destroy(&stat);
}

static void test_cpus_share_no_cache_line(void **state)
{
	make(2);
	assert_int_equal((uintptr_t)&stat.cpu[0] % LP_CACHE_PAIR, 0);
	assert_int_equal((uintptr_t)&stat.cpu[1] % LP_CACHE_PAIR, 0);
	lp_lockstat_destroy(&stat);
}

static void test_without_memory(void **state)
{
	struct lp_error err = {0};

	no_memory = true;
	assert_int_equal(lp_lockstat_init(&stat, 12, &err), -ENOMEM);
	no_memory = false;
	assert_int_equal(err.code, ENOMEM);
	assert_non_null(strstr(err.message, "12 CPUs"));
	assert_int_equal(stat.cpus, 0);
	lp_lockstat_destroy(&stat);
}

static void test_destroying_twice_is_harmless(void **state)
{
	make(1);
	lp_lockstat_destroy(&stat);
	lp_lockstat_destroy(&stat);
	assert_null(stat.cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starts_empty),
		cmocka_unit_test(test_sums_every_cpu_once),
		cmocka_unit_test(test_summing_leaves_the_cpus_alone),
		cmocka_unit_test(test_cpus_share_no_cache_line),
		cmocka_unit_test(test_without_memory),
		cmocka_unit_test(test_destroying_twice_is_harmless),
	};

	return cmocka_run_group_tests_name("lockstat", tests, NULL, NULL);
}
