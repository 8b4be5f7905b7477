// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clocks against each other: no time is asserted but an order, a lower bound that sleeping
 * guarantees, and ratios with wide margins.
 */
#include "common/measure/clock.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/time.h>

#include <cmocka.h>

enum { MS = 1000000 };

static void spin_ns(uint64_t ns)
{
	uint64_t until_ns = lp_clock_ns() + ns;

	while (lp_clock_ns() < until_ns)
		;
}

static void test_sleeps_to_the_deadline(void **state)
{
	uint64_t deadline_ns = lp_clock_ns() + 20 * MS;

	lp_sleep_until_ns(deadline_ns);
	assert_true(lp_clock_ns() >= deadline_ns);
}

static volatile sig_atomic_t alarms;

static void count_alarm(int signal)
{
	alarms++;
}

static void test_signals_do_not_shorten_a_sleep(void **state)
{
	const struct itimerval every_ms = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	struct sigaction count = {.sa_handler = count_alarm}, old;
	uint64_t deadline_ns = lp_clock_ns() + 50 * MS;

	sigaction(SIGALRM, &count, &old);
	setitimer(ITIMER_REAL, &every_ms, NULL);
	lp_sleep_until_ns(deadline_ns);
	setitimer(ITIMER_REAL, &never, NULL);
	assert_true(lp_clock_ns() >= deadline_ns);
	sigaction(SIGALRM, &old, NULL);
	assert_true(alarms > 0);
}

static void test_cpu_time_passes_awake_only(void **state)
{
	uint64_t start, asleep, awake;

	start = lp_thread_cpu_ns();
	lp_sleep_until_ns(lp_clock_ns() + 50 * MS);
	asleep = lp_thread_cpu_ns() - start;
	start = lp_thread_cpu_ns();
	while (lp_thread_cpu_ns() - start < 20 * MS)
		spin_ns(MS);
	awake = lp_thread_cpu_ns() - start;
	assert_true(asleep < 25 * MS);
	assert_true(awake >= 20 * MS);
}

static void *report_cpu_ns(void *ns)
{
	*(uint64_t *)ns = lp_thread_cpu_ns();
	return NULL;
}

static void test_cpu_time_is_the_threads_own(void **state)
{
	uint64_t other_ns = 0;
	pthread_t thread;

	while (lp_thread_cpu_ns() < 20 * MS)
		spin_ns(MS);
	assert_int_equal(pthread_create(&thread, NULL, report_cpu_ns, &other_ns), 0);
	pthread_join(thread, NULL);
	assert_true(other_ns < 20 * MS);
}

/* One interval by both clocks; its ends lie apart by at most a preemption. */
static void test_ticks_are_nanoseconds(void **state)
{
	double best = INFINITY;

	for (int i = 0; i < 5; i++) {
		uint64_t ns = lp_clock_ns(), ticks = lp_ticks();
		double ratio;

		lp_sleep_until_ns(ns + 10 * MS);
		ticks = lp_ticks() - ticks;
		ns = lp_clock_ns() - ns;
		ratio = lp_ticks_to_ns(ticks) / (double)ns;
		best = fabs(ratio - 1) < fabs(best - 1) ? ratio : best;
	}
	assert_true(best > 0.9 && best < 1.1);
}

static void test_the_rate_is_measured_once(void **state)
{
	double rate = lp_ticks_per_s();

	assert_true(rate > 0 && isfinite(rate));
	lp_sleep_until_ns(lp_clock_ns() + MS);
	assert_true(lp_ticks_per_s() == rate);
	assert_true(lp_ticks_to_ns(0) == 0);
	assert_true(fabs(lp_ticks_to_ns((uint64_t)rate) / 1e9 - 1) < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sleeps_to_the_deadline),
		cmocka_unit_test(test_signals_do_not_shorten_a_sleep),
		cmocka_unit_test(test_cpu_time_passes_awake_only),
		cmocka_unit_test(test_cpu_time_is_the_threads_own),
		cmocka_unit_test(test_ticks_are_nanoseconds),
		cmocka_unit_test(test_the_rate_is_measured_once),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
