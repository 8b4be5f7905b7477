// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The probe's arithmetic on invented times, against figures worked by hand: which interrupt answers
 * which due times, and how many stalls a sequence of late probes makes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "drivers/probe/stream.h"

enum { MS = 1000000, FIRST = 100 * MS };

static struct lp_probe_stream s;

static int fresh(void **state)
{
	lp_probe_stream_init(&s, FIRST, MS);
	return 0;
}

static void test_each_interrupt_answers_its_probe(void **state)
{
	for (uint64_t k = 0; k < 4; k++)
		lp_probe_stream_interrupt(&s, FIRST + k * MS + 50, FIRST + k * MS + 80 + k);
	assert_int_equal(s.answered, 4);
	assert_int_equal(s.ping.min_ns, 80);
	assert_int_equal(s.ping.max_ns, 83);
	assert_int_equal(s.holdoff_ns.min, 30);
	assert_int_equal(s.holdoff_ns.max, 33);
	assert_int_equal(s.stalls, 0);
}

static void test_merged_expirations_count_each(void **state)
{
	/* Due at 0, 1, 2, 3, 4 ms; the one interrupt arrives at 4.5 and runs at 4.6. */
	lp_probe_stream_interrupt(&s, FIRST + 4 * MS + MS / 2, FIRST + 4600000);
	assert_int_equal(s.answered, 5);
	assert_int_equal(s.interrupts, 1);
	assert_int_equal(s.ping.max_ns, 4600000);
	assert_int_equal(s.ping.min_ns, 600000);
	assert_true(s.ping.sum_ns == 4600000.0 + 3600000 + 2600000 + 1600000 + 600000);
	assert_int_equal(s.holdoff_ns.count, 1);
	assert_int_equal(s.late, 4);
	assert_int_equal(s.stalls, 1);
}

static void test_recorded_interrupts_answer_their_own(void **state)
{
	/* Arrived one by one behind the mask, run together at 3.2 ms. */
	for (uint64_t k = 0; k < 4; k++)
		lp_probe_stream_interrupt(&s, FIRST + k * MS + 100, FIRST + 3200000 + k);
	assert_int_equal(s.answered, 4);
	assert_int_equal(s.holdoff_ns.count, 4);
	assert_int_equal(s.ping.max_ns, 3200000);
	assert_int_equal(s.ping.min_ns, 200003);
	assert_int_equal(s.late, 3);
	assert_int_equal(s.stalls, 1);
}

static void test_no_probe_is_answered_twice(void **state)
{
	/* The second probe came due between the delivery of the first signal and its stamp. */
	lp_probe_stream_interrupt(&s, FIRST + MS, FIRST + MS + 10);
	assert_int_equal(s.answered, 2);
	lp_probe_stream_interrupt(&s, FIRST + MS + 20, FIRST + MS + 30);
	assert_int_equal(s.answered, 2);
	lp_probe_stream_interrupt(&s, FIRST + 2 * MS + 20, FIRST + 2 * MS + 30);
	assert_int_equal(s.answered, 3);
	assert_int_equal(s.ping.count, 3);
}

static void test_an_interrupt_before_the_first_answers_none(void **state)
{
	lp_probe_stream_interrupt(&s, FIRST - 1, FIRST + 5);
	assert_int_equal(s.answered, 0);
}

static void test_separate_stalls_are_counted_apart(void **state)
{
	/* One stall over the probes due at 0, 1, 2; none at 3; another over those due at 4 and 5.
	 */
	lp_probe_stream_interrupt(&s, FIRST + 2500000, FIRST + 2500000);
	lp_probe_stream_interrupt(&s, FIRST + 3 * MS, FIRST + 3 * MS + 100);
	lp_probe_stream_interrupt(&s, FIRST + 5 * MS + 900000, FIRST + 5 * MS + 900000);
	assert_int_equal(s.answered, 6);
	assert_int_equal(s.late, 2 + 1);
	assert_int_equal(s.stalls, 2);
}

static void test_stalls_without_a_good_probe_between(void **state)
{
	/* The stall ends at 1.5 ms, and the very next probe, due at 2, is late again. */
	lp_probe_stream_interrupt(&s, FIRST + 1500000, FIRST + 1500000);
	lp_probe_stream_interrupt(&s, FIRST + 2 * MS + 1, FIRST + 3500000);
	assert_int_equal(s.late, 2);
	assert_int_equal(s.stalls, 2);
}

static void test_exactly_one_millisecond_is_not_late(void **state)
{
	lp_probe_stream_interrupt(&s, FIRST + 10, FIRST + MS);
	assert_int_equal(s.late, 0);
	lp_probe_stream_interrupt(&s, FIRST + MS + 10, FIRST + 2 * MS + 1);
	assert_int_equal(s.late, 1);
	assert_int_equal(s.stalls, 1);
}

static void test_close_counts_what_is_under_way(void **state)
{
	lp_probe_stream_interrupt(&s, FIRST, FIRST + 10);
	lp_probe_stream_close(&s, FIRST + 2 * MS, FIRST + 2 * MS + 500);
	assert_int_equal(s.answered, 3);
	assert_int_equal(s.interrupts, 1);
	assert_int_equal(s.ping.max_ns, MS + 500);
	assert_int_equal(s.holdoff_ns.count, 1);
	lp_probe_stream_close(&s, FIRST + 2 * MS, FIRST + 9 * MS);
	assert_int_equal(s.answered, 3);
}

static void test_first_due_is_on_the_grid_and_ahead(void **state)
{
	assert_int_equal(lp_probe_stream_first_due(1000, 100, 500), 1000);
	assert_int_equal(lp_probe_stream_first_due(1000, 100, 1000), 1100);
	assert_int_equal(lp_probe_stream_first_due(1000, 100, 1001), 1100);
	assert_int_equal(lp_probe_stream_first_due(1000, 100, 1099), 1100);
	assert_int_equal(lp_probe_stream_first_due(1000, 100, 1100), 1200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_each_interrupt_answers_its_probe, fresh),
		cmocka_unit_test_setup(test_merged_expirations_count_each, fresh),
		cmocka_unit_test_setup(test_recorded_interrupts_answer_their_own, fresh),
		cmocka_unit_test_setup(test_no_probe_is_answered_twice, fresh),
		cmocka_unit_test_setup(test_an_interrupt_before_the_first_answers_none, fresh),
		cmocka_unit_test_setup(test_separate_stalls_are_counted_apart, fresh),
		cmocka_unit_test_setup(test_stalls_without_a_good_probe_between, fresh),
		cmocka_unit_test_setup(test_exactly_one_millisecond_is_not_late, fresh),
		cmocka_unit_test_setup(test_close_counts_what_is_under_way, fresh),
		cmocka_unit_test(test_first_due_is_on_the_grid_and_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
