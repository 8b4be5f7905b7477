// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of several threads added up: a sum counts only if all of it was counted. */
#include "common/measure/pmu.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A set of two events that were counted: @value and ten times as many. */
static struct lp_pmu counted(uint64_t value)
{
	return (struct lp_pmu){
		.count = 2,
		.event =
			{
				{.name = "A",
					.metric = "a",
					.fd = 3,
					.counted = true,
					.value = value,
					.enabled_ns = 500,
					.running_ns = 500},
				{.name = "B",
					.metric = "b_per_op",
					.per_op = true,
					.fd = 4,
					.counted = true,
					.value = 10 * value,
					.enabled_ns = 500,
					.running_ns = 500},
			},
	};
}

static void test_the_first_is_taken_over(void **state)
{
	struct lp_pmu sum = {0}, one = counted(7);

	lp_pmu_add(&sum, &one);
	assert_int_equal(sum.count, 2);
	assert_string_equal(sum.event[1].name, "B");
	assert_string_equal(sum.event[1].metric, "b_per_op");
	assert_true(sum.event[1].per_op);
	assert_true(sum.event[1].counted);
	assert_int_equal(sum.event[1].value, 70);
	/* The counters stay with the thread that opened them. */
	assert_int_equal(sum.event[0].fd, -1);
	assert_int_equal(one.event[0].fd, 3);
}

static void test_values_and_times_add_up(void **state)
{
	struct lp_pmu sum = {0}, one = counted(7), two = counted(5), three = counted(1);

	lp_pmu_add(&sum, &one);
	lp_pmu_add(&sum, &two);
	lp_pmu_add(&sum, &three);
	assert_int_equal(sum.event[0].value, 13);
	assert_int_equal(sum.event[1].value, 130);
	assert_int_equal(sum.event[1].enabled_ns, 1500);
	assert_int_equal(sum.event[1].running_ns, 1500);
	assert_true(sum.event[0].counted && sum.event[1].counted);
	assert_false(sum.event[0].multiplexed || sum.event[0].user_only);
}

/* In either order the sum does not count, and says why; the other event is not touched by it. */
static void test_one_that_did_not_count(void **state)
{
	struct lp_pmu sum = {0}, good = counted(7), bad = counted(0);

	bad.event[1].counted = false;
	bad.event[1].error = EMFILE;
	lp_pmu_add(&sum, &good);
	lp_pmu_add(&sum, &bad);
	lp_pmu_add(&sum, &good);
	assert_false(sum.event[1].counted);
	assert_int_equal(sum.event[1].error, EMFILE);
	assert_true(sum.event[0].counted);
	assert_int_equal(sum.event[0].value, 14);
	sum = (struct lp_pmu){0};
	lp_pmu_add(&sum, &bad);
	lp_pmu_add(&sum, &good);
	assert_false(sum.event[1].counted);
	assert_int_equal(sum.event[1].error, EMFILE);
}

static void test_the_first_reason_is_kept(void **state)
{
	struct lp_pmu sum = {0}, one = counted(0), two = counted(0);

	one.event[0].counted = two.event[0].counted = false;
	one.event[0].error = ENODATA;
	two.event[0].error = EMFILE;
	lp_pmu_add(&sum, &one);
	lp_pmu_add(&sum, &two);
	assert_false(sum.event[0].counted);
	assert_int_equal(sum.event[0].error, ENODATA);
}

static void test_flags_of_any_are_flags_of_the_sum(void **state)
{
	struct lp_pmu sum = {0}, plain = counted(7), flagged = counted(5);

	flagged.event[0].multiplexed = true;
	flagged.event[1].user_only = true;
	lp_pmu_add(&sum, &plain);
	lp_pmu_add(&sum, &flagged);
	lp_pmu_add(&sum, &plain);
	assert_true(sum.event[0].multiplexed);
	assert_false(sum.event[0].user_only);
	assert_false(sum.event[1].multiplexed);
	assert_true(sum.event[1].user_only);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_first_is_taken_over),
		cmocka_unit_test(test_values_and_times_add_up),
		cmocka_unit_test(test_one_that_did_not_count),
		cmocka_unit_test(test_the_first_reason_is_kept),
		cmocka_unit_test(test_flags_of_any_are_flags_of_the_sum),
	};

	return cmocka_run_group_tests_name("pmu_sum", tests, NULL, NULL);
}
