// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From members' figures to the team's, with invented members and figures worked by hand; and the
 * share of gaps with and without the kernel's own record of them.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drivers/team/member.h"

enum { CPUS = 3 };

static struct lp_run run;
static struct lp_worker worker[CPUS];
static struct lp_member member[CPUS];
static struct lp_team team;
static struct lp_team_options options;
static struct lp_team_result result;

/* Three members at work from 0, 100 and 200 to 1000, 1100 and 1200 ns, one operation a ns. */
static int fresh(void **state)
{
	memset(member, 0, sizeof(member));
	memset(&result, 0, sizeof(result));
	run = (struct lp_run){.cpus = CPUS, .worker = worker};
	options = (struct lp_team_options){.window_ns = 1};
	team.run = &run;
	team.options = &options;
	team.member = member;
	for (int i = 0; i < CPUS; i++) {
		worker[i].ops = 1000;
		member[i].worker = &worker[i];
		member[i].start_ns = 5000 + 100 * (uint64_t)i;
		member[i].end_ns = member[i].start_ns + 1000;
		member[i].cpu_ns = 900;
		member[i].pin_holds = true;
		member[i].rtt_before_ns = NAN;
		member[i].rtt_after_ns = NAN;
		member[i].gaps = (struct lp_gaps){
			.delay_known = true, .wall_ns = 1000, .delay_ns = 10 * (uint64_t)i};
	}
	return 0;
}

static int release(void **state)
{
	free(result.rate);
	return 0;
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-9 * fmax(1, fabs(expected))))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void sum(void)
{
	assert_int_equal(lp_team_sum(&team, &result, NULL), 0);
}

static void test_window_and_overlap(void **state)
{
	sum();
	assert_near(result.seconds, 1200e-9);
	assert_near(result.evidence.window_s, 1200e-9);
	/* All three ran from 200 to 1000. */
	assert_near(result.evidence.overlap, 800 / 1200.0);
	assert_near(result.cpu_seconds, 2700e-9);
	assert_int_equal(result.evidence.threads, CPUS);
}

static void test_windows_apart_do_not_overlap(void **state)
{
	member[2].start_ns = 6050;
	member[2].end_ns = 6100;
	sum();
	assert_near(result.evidence.overlap, 0);
}

static void test_rates_and_fairness(void **state)
{
	worker[2].ops = 0;
	sum();
	assert_int_equal(result.ops, 2000);
	assert_near(result.rate[0], 1e9);
	assert_near(result.rate[2], 0);
	assert_near(result.evidence.jain, 2 / 3.0);
}

static void test_worst_round_trip_and_gap_count(void **state)
{
	member[0].rtt_before_ns = 70;
	member[2].rtt_before_ns = 390;
	sum();
	assert_near(result.evidence.rtt_before_ns, 390);
	assert_true(isnan(result.evidence.rtt_after_ns));
	assert_near(result.evidence.lost_share, 0.02);
}

static void test_switches_and_steal_add_up(void **state)
{
	for (int i = 0; i < CPUS; i++) {
		member[i].disturbance.involuntary_switches = 5;
		member[i].disturbance.steal_ms = 7;
		member[i].disturbance.steal_known = i > 0;
		member[i].deferred_interrupts = 3;
	}
	sum();
	assert_int_equal(result.evidence.involuntary_switches, 15);
	assert_int_equal(result.evidence.steal_ms, 14);
	assert_int_equal(result.deferred_interrupts, 9);
}

static void test_one_lost_pin_is_told(void **state)
{
	sum();
	assert_true(result.evidence.pins_hold);
	free(result.rate);
	member[1].pin_holds = false;
	sum();
	assert_false(result.evidence.pins_hold);
}

static void test_gaps_with_the_kernels_record(void **state)
{
	struct lp_gaps g = {.delay_known = true, .wall_ns = 1000, .delay_ns = 250, .sleeps = 9};

	assert_near(lp_gaps_share(&g), 0.25);
	g.wall_ns = 0;
	assert_true(isnan(lp_gaps_share(&g)));
}

static void test_gaps_without_the_kernels_record(void **state)
{
	struct lp_gaps g = {.wall_ns = 1000, .cpu_ns = 600};

	assert_near(lp_gaps_share(&g), 0.4);
	/* The CPU clock is read outside the wall clock, so it may be a little ahead. */
	g.cpu_ns = 1001;
	assert_near(lp_gaps_share(&g), 0);
	g.sleeps = 1;
	assert_true(isnan(lp_gaps_share(&g)));
}

#define SUM_TEST(f) cmocka_unit_test_setup_teardown(f, fresh, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SUM_TEST(test_window_and_overlap),
		SUM_TEST(test_windows_apart_do_not_overlap),
		SUM_TEST(test_rates_and_fairness),
		SUM_TEST(test_worst_round_trip_and_gap_count),
		SUM_TEST(test_switches_and_steal_add_up),
		SUM_TEST(test_one_lost_pin_is_told),
		cmocka_unit_test(test_gaps_with_the_kernels_record),
		cmocka_unit_test(test_gaps_without_the_kernels_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
