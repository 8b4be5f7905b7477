// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: aligned_alloc
 *
 * The per-CPU counter: the exact sum is exact, the cheap read is wrong by less than CPUs × batch,
 * and neither loses anything when threads add and sum at once.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/kernel/cpu.h"
#include "common/kernel/percpu_counter.h"

enum { CPUS = 4, BATCH = 32, FLAVOUR = LP_LOCK_QUEUED };

static struct percpu_counter counter;
static bool memory_is_out;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return memory_is_out ? NULL : __real_aligned_alloc(alignment, size);
}

static void make(int32_t batch, int64_t value)
{
	assert_int_equal(lp_cpus_init(CPUS, NULL), 0);
	assert_int_equal(percpu_counter_init(&counter, CPUS, batch, value, NULL), 0);
}

static int destroy(void **state)
{
	percpu_counter_destroy(&counter);
	return 0;
}

static void test_bad_sizes_are_refused(void **state)
{
	struct lp_error err = {0};

	assert_int_equal(percpu_counter_init(&counter, 0, 1, 0, &err), -EINVAL);
	assert_int_equal(percpu_counter_init(&counter, 1, 0, 0, &err), -EINVAL);
	assert_non_null(strstr(err.message, "batch of 0"));
}

static void test_no_memory_is_an_error(void **state)
{
	struct lp_error err = {0};

	memory_is_out = true;
	assert_int_equal(percpu_counter_init(&counter, 7, 1, 0, &err), -ENOMEM);
	memory_is_out = false;
	assert_non_null(strstr(err.message, "7 CPUs"));
}

static void test_it_starts_at_its_value(void **state)
{
	make(BATCH, -5);
	assert_int_equal(percpu_counter_read(&counter), -5);
	assert_int_equal(percpu_counter_sum(&counter, FLAVOUR), -5);
}

static void test_a_part_is_folded_at_the_batch(void **state)
{
	make(BATCH, 0);
	percpu_counter_add(&counter, BATCH - 1, FLAVOUR);
	assert_int_equal(percpu_counter_read(&counter), 0);
	assert_int_equal(percpu_counter_sum(&counter, FLAVOUR), BATCH - 1);
	percpu_counter_add(&counter, 1, FLAVOUR);
	assert_int_equal(percpu_counter_read(&counter), BATCH);
	assert_int_equal(percpu_counter_sum(&counter, FLAVOUR), BATCH);
}

static void test_so_is_a_negative_one(void **state)
{
	make(BATCH, 0);
	percpu_counter_add(&counter, -(BATCH - 1), FLAVOUR);
	assert_int_equal(percpu_counter_read(&counter), 0);
	percpu_counter_add(&counter, -1, FLAVOUR);
	assert_int_equal(percpu_counter_read(&counter), -BATCH);
}

static void test_a_large_amount_is_folded_whole(void **state)
{
	int64_t large = INT64_C(5) << 40;

	make(BATCH, 0);
	percpu_counter_add(&counter, 3, FLAVOUR);
	percpu_counter_add(&counter, large, FLAVOUR);
	assert_int_equal(percpu_counter_read(&counter), large + 3);
	assert_int_equal(percpu_counter_sum(&counter, FLAVOUR), large + 3);
}

static void test_a_batch_of_one_is_always_exact(void **state)
{
	make(1, 0);
	for (int i = 1; i <= 100; i++) {
		lp_cpu_enter(i % CPUS);
		percpu_counter_add(&counter, 1, FLAVOUR);
		assert_int_equal(percpu_counter_read(&counter), i);
	}
}

/* The largest error there is: every part one short of its batch. */
static void test_the_worst_error_keeps_to_the_bound(void **state)
{
	make(BATCH, 0);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		lp_cpu_enter(cpu);
		percpu_counter_add(&counter, BATCH - 1, FLAVOUR);
	}
	assert_int_equal(percpu_counter_read(&counter), 0);
	assert_int_equal(percpu_counter_sum(&counter, FLAVOUR), CPUS * (BATCH - 1));
}

static void test_random_adds_stay_within_the_bound(void **state)
{
	uint32_t x = 12345;
	int64_t exact = 0;

	make(BATCH, 0);
	for (int i = 0; i < 20000; i++) {
		int amount;

		x = x * 1664525 + 1013904223;
		lp_cpu_enter((int)(x >> 8) % CPUS);
		amount = (int)(x >> 16) % 41 - 15;
		percpu_counter_add(&counter, amount, FLAVOUR);
		exact += amount;
		assert_true(llabs(percpu_counter_read(&counter) - exact) < CPUS * BATCH);
	}
	assert_int_equal(percpu_counter_sum(&counter, FLAVOUR), exact);
}

/* ---- under threads ---- */

enum { ADDS = 20000 };

static void *add(void *id)
{
	lp_cpu_enter((int)(intptr_t)id);
	for (int i = 0; i < ADDS; i++)
		percpu_counter_add(&counter, id ? 3 : -1, FLAVOUR);
	return NULL;
}

static void test_threads_lose_nothing(void **state)
{
	pthread_t thread[3];
	int64_t sum = 0;

	make(BATCH, 0);
	for (intptr_t i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, add, (void *)i), 0);
	/* This thread is on the last CPU; its sums take the lock that the adders fold under. */
	lp_cpu_enter(CPUS - 1);
	for (int i = 0; i < 50; i++) {
		sum = percpu_counter_sum(&counter, FLAVOUR);
		assert_true(sum >= -ADDS && sum <= 6 * ADDS);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(percpu_counter_sum(&counter, FLAVOUR), 5 * ADDS);
	assert_true(llabs(percpu_counter_read(&counter) - 5 * ADDS) < CPUS * BATCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_sizes_are_refused),
		cmocka_unit_test(test_no_memory_is_an_error),
		cmocka_unit_test_teardown(test_it_starts_at_its_value, destroy),
		cmocka_unit_test_teardown(test_a_part_is_folded_at_the_batch, destroy),
		cmocka_unit_test_teardown(test_so_is_a_negative_one, destroy),
		cmocka_unit_test_teardown(test_a_large_amount_is_folded_whole, destroy),
		cmocka_unit_test_teardown(test_a_batch_of_one_is_always_exact, destroy),
		cmocka_unit_test_teardown(test_the_worst_error_keeps_to_the_bound, destroy),
		cmocka_unit_test_teardown(test_random_adds_stay_within_the_bound, destroy),
		cmocka_unit_test_teardown(test_threads_lose_nothing, destroy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
