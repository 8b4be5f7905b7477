// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: aligned_alloc
 *
 * The CPUs of a run: their state starts at zero, each counts on its own, the sum sees all of them.
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

static bool memory_is_out;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return memory_is_out ? NULL : __real_aligned_alloc(alignment, size);
}

static void expect_refused(int count)
{
	struct lp_error err = {0};

	assert_int_equal(lp_cpus_init(count, &err), -EINVAL);
	assert_non_null(strstr(err.message, "1 to 16383 CPUs"));
}

static void test_a_count_out_of_range_is_refused(void **state)
{
	expect_refused(0);
	expect_refused(-1);
	expect_refused(LP_CPUS_MAX + 1);
}

static void test_no_memory_is_an_error_and_keeps_the_old_cpus(void **state)
{
	struct lp_error err = {0};

	assert_int_equal(lp_cpus_init(3, NULL), 0);
	memory_is_out = true;
	assert_int_equal(lp_cpus_init(5, &err), -ENOMEM);
	memory_is_out = false;
	assert_non_null(strstr(err.message, "5 CPUs"));
	assert_int_equal(lp_cpu_count, 3);
	assert_int_equal(smp_processor_id(), 0);
}

static void test_every_cpu_knows_its_number(void **state)
{
	assert_int_equal(lp_cpus_init(5, NULL), 0);
	assert_int_equal(lp_cpu_count, 5);
	assert_int_equal(smp_processor_id(), 0);
	for (int i = 4; i >= 0; i--) {
		lp_cpu_enter(i);
		assert_int_equal(smp_processor_id(), i);
		assert_ptr_equal(lp_this_cpu, &lp_cpu_table[i]);
	}
}

static void test_no_two_cpus_share_a_pair_of_lines(void **state)
{
	assert_int_equal(lp_cpus_init(2, NULL), 0);
	assert_int_equal((uintptr_t)&lp_cpu_table[0] % LP_CACHE_PAIR, 0);
	assert_int_equal((uintptr_t)&lp_cpu_table[1] % LP_CACHE_PAIR, 0);
	for (int i = 0; i < LP_MCS_NODES; i++)
		assert_int_equal((uintptr_t)&lp_cpu_table[1].mcs[i] % LP_CACHE_LINE, 0);
}

static void test_the_sum_of_an_event_sees_every_cpu(void **state)
{
	assert_int_equal(lp_cpus_init(3, NULL), 0);
	count_vm_event(PGROTATED);
	lp_cpu_enter(1);
	count_vm_events(PGROTATED, 10);
	count_vm_events(PGSTEAL, 7);
	lp_cpu_enter(2);
	count_vm_events(PGROTATED, 100);
	assert_int_equal(lp_vm_events_sum(PGROTATED), 111);
	assert_int_equal(lp_vm_events_sum(PGSTEAL), 7);
	assert_int_equal(lp_vm_events_sum(PGFREE), 0);
}

enum { COUNTS = 20000 };

static void *count_on(void *id)
{
	lp_cpu_enter((int)(intptr_t)id);
	for (int i = 0; i < COUNTS; i++)
		count_vm_event(PGFREE);
	return NULL;
}

static void test_threads_on_cpus_of_their_own_lose_no_event(void **state)
{
	pthread_t thread[3];

	assert_int_equal(lp_cpus_init(3, NULL), 0);
	for (intptr_t i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, count_on, (void *)i), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(lp_vm_events_sum(PGFREE), 3 * COUNTS);
}

static void test_making_them_again_starts_afresh(void **state)
{
	assert_int_equal(lp_cpus_init(2, NULL), 0);
	count_vm_event(PGALLOC);
	preempt_disable();
	lp_cpu_enter(1);
	assert_int_equal(lp_cpus_init(2, NULL), 0);
	assert_int_equal(smp_processor_id(), 0);
	assert_int_equal(lp_vm_events_sum(PGALLOC), 0);
	assert_int_equal(lp_this_cpu->preempt_count, 0);
}

static void test_preemption_counts_its_nesting(void **state)
{
	assert_int_equal(lp_cpus_init(1, NULL), 0);
	preempt_disable();
	preempt_disable();
	assert_int_equal(lp_this_cpu->preempt_count, 2);
	preempt_enable();
	assert_int_equal(lp_this_cpu->preempt_count, 1);
	preempt_enable();
	assert_int_equal(lp_this_cpu->preempt_count, 0);
}

static void test_every_event_has_a_name_of_its_own(void **state)
{
	assert_string_equal(lp_vm_event_name(PGROTATED), "pgrotated");
	assert_string_equal(lp_vm_event_name(NR_VMSCAN_WRITE), "nr_vmscan_write");
	for (int i = 0; i < LP_VM_EVENTS; i++)
		for (int j = 0; j < i; j++)
			assert_string_not_equal(lp_vm_event_name((enum lp_vm_event)i),
				lp_vm_event_name((enum lp_vm_event)j));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_count_out_of_range_is_refused),
		cmocka_unit_test(test_no_memory_is_an_error_and_keeps_the_old_cpus),
		cmocka_unit_test(test_every_cpu_knows_its_number),
		cmocka_unit_test(test_no_two_cpus_share_a_pair_of_lines),
		cmocka_unit_test(test_the_sum_of_an_event_sees_every_cpu),
		cmocka_unit_test(test_threads_on_cpus_of_their_own_lose_no_event),
		cmocka_unit_test(test_making_them_again_starts_afresh),
		cmocka_unit_test(test_preemption_counts_its_nesting),
		cmocka_unit_test(test_every_event_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
