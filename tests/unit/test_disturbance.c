// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: fopen
 *
 * The evidence of a thread with a made-up /proc/stat and cpufreq under it, and each threshold of
 * the verdict from both sides, written relative to the one table of thresholds.
 */
#include "common/measure/disturbance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/measure/clock.h"

/* ---- the kernel's files, made up ---- */

enum { OS_CPU = 1, MS = 1000000 };

static const char *stat_text, *khz_text; /* NULL: there is no such file */

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

FILE *__wrap_fopen(const char *path, const char *mode)
{
	const char *text = NULL;

	if (!strcmp(path, "/proc/stat"))
		text = stat_text;
	else if (!strcmp(path, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"))
		text = khz_text;
	return text ? fmemopen((void *)text, strlen(text), "r") : NULL;
}

/* CPU 1 with @ticks stolen, between CPUs whose numbers begin alike. */
static const char *stat_with(char *text, const char *ticks)
{
	sprintf(text,
		"cpu  9 9 9 9 9 9 9 9 0 0\n"
		"cpu0 9 9 9 9 9 9 9 9000 0 0\n"
		"cpu1 1 2 3 4 5 6 7 %s 0 0\n"
		"cpu10 9 9 9 9 9 9 9 8000 0 0\n"
		"intr 12345 0 0 cpu1 0\n",
		ticks);
	return text;
}

/* What a thread sees whose CPU has @before and then @after ticks of steal. */
static struct lp_disturbance between(const char *before, const char *after)
{
	struct lp_disturbance d;
	char text[2][256];

	stat_text = stat_with(text[0], before);
	lp_disturbance_begin(&d, OS_CPU);
	stat_text = after ? stat_with(text[1], after) : NULL;
	lp_disturbance_end(&d);
	stat_text = NULL;
	return d;
}

/* ---- evidence ---- */

static void test_steal_in_milliseconds(void **state)
{
	struct lp_disturbance d = between("100", "107");

	assert_true(d.steal_known);
	assert_int_equal(d.steal_ms, 7 * 1000 / sysconf(_SC_CLK_TCK));
	assert_int_equal(d.os_cpu, OS_CPU);
	d = between("100", "100");
	assert_true(d.steal_known);
	assert_int_equal(d.steal_ms, 0);
}

static void assert_steal_unknown(struct lp_disturbance d)
{
	assert_false(d.steal_known);
	assert_int_equal(d.steal_ms, 0);
}

static void test_steal_that_cannot_be_known(void **state)
{
	struct lp_disturbance d;

	assert_steal_unknown(between("100", NULL));
	assert_steal_unknown(between("107", "100"));
	assert_steal_unknown(between("none", "100"));
	assert_steal_unknown(between("100", "none"));
	/* A CPU that /proc/stat does not list; "cpu1" begins like "cpu10" and is not it. */
	stat_text = "cpu10 1 2 3 4 5 6 7 8 0 0\n";
	lp_disturbance_begin(&d, OS_CPU);
	lp_disturbance_end(&d);
	assert_steal_unknown(d);
	stat_text = NULL;
}

static long khz_when(const char *text)
{
	khz_text = text;
	return between("0", "0").khz;
}

static void test_frequency(void **state)
{
	assert_int_equal(khz_when("2400000\n"), 2400000);
	assert_int_equal(khz_when("<unknown>\n"), -1);
	assert_int_equal(khz_when(NULL), -1);
}

static void test_sleeping_is_voluntary_and_costs_no_cpu(void **state)
{
	struct lp_disturbance d;

	lp_disturbance_begin(&d, OS_CPU);
	for (int i = 0; i < 5; i++)
		lp_sleep_until_ns(lp_clock_ns() + 10 * MS);
	lp_disturbance_end(&d);
	assert_true(d.voluntary_switches >= 5);
	assert_true(d.wall_ns >= 50 * MS);
	assert_true(d.cpu_ns < d.wall_ns / 2);
}

static void test_working_costs_cpu(void **state)
{
	struct lp_disturbance d;
	uint64_t start_ns;

	lp_disturbance_begin(&d, OS_CPU);
	start_ns = lp_thread_cpu_ns();
	while (lp_thread_cpu_ns() - start_ns < 20 * MS)
		;
	lp_disturbance_end(&d);
	assert_true(d.cpu_ns >= 20 * MS);
	assert_true(d.wall_ns >= 19 * MS);
	/* Differences, not what has added up since the thread began. */
	assert_true(d.cpu_ns <= lp_thread_cpu_ns() - start_ns + 10 * MS);
}

/* ---- the verdict ---- */

static const struct lp_verdict_limits *const limits = &lp_verdict_limits;

static struct lp_evidence sound(void)
{
	return (struct lp_evidence){
		.threads = 2,
		.pins_hold = true,
		.memory_holds = true,
		.overlap = 1,
		.jain = 1,
		.rtt_before_ns = 80,
		.rtt_after_ns = 80,
		.window_s = 0.5,
	};
}

static void assert_verdict(const struct lp_evidence *e, enum lp_verdict verdict, const char *says)
{
	char why[256];

	memset(why, 'x', sizeof(why));
	if (lp_verdict(e, why, sizeof(why)) != verdict)
		fail_msg("not %d: \"%s\"", verdict, why);
	assert_string_equal(why, says);
}

static void test_sound_evidence_is_valid(void **state)
{
	struct lp_evidence e = sound();

	assert_verdict(&e, LP_VALID, "");
}

static void test_pins_and_memory(void **state)
{
	struct lp_evidence e = sound();

	e.pins_hold = false;
	assert_verdict(&e, LP_INVALID, "a thread did not stay on its CPU");
	e = sound();
	e.memory_holds = false;
	assert_verdict(&e, LP_INVALID, "memory: not on its node");
	strcpy(e.memory_why, "3 pages on node 1");
	assert_verdict(&e, LP_INVALID, "memory: 3 pages on node 1");
}

static void test_overlap(void **state)
{
	struct lp_evidence e = sound();

	e.overlap = limits->min_overlap;
	assert_verdict(&e, LP_VALID, "");
	e.overlap = 0.75;
	assert_true(e.overlap < limits->min_overlap);
	assert_verdict(&e, LP_INVALID, "all threads ran together for only 75 % of the window");
	e.overlap = nextafter(limits->min_overlap, 0);
	assert_verdict(&e, LP_INVALID, "all threads ran together for only 90 % of the window");
	e.overlap = NAN;
	assert_verdict(&e, LP_INVALID, "all threads ran together for only nan % of the window");
	e.threads = 1;
	assert_verdict(&e, LP_VALID, "");
}

static void test_lost_time(void **state)
{
	struct lp_evidence e = sound();

	e.lost_share = limits->max_lost_share;
	assert_verdict(&e, LP_VALID, "");
	e.lost_share = nextafter(limits->max_lost_share, 1);
	assert_verdict(&e, LP_DISTURBED, "a thread lost 5.0 % of its time");
	e.lost_share = NAN;
	assert_verdict(&e, LP_VALID, "");
}

/* 2 threads in 0.5 s have a second between them. */
static void test_steal(void **state)
{
	struct lp_evidence e = sound();
	uint64_t allowed_ms = (uint64_t)(1000 * limits->max_steal_share);

	e.steal_ms = allowed_ms;
	assert_verdict(&e, LP_VALID, "");
	e.steal_ms = allowed_ms + 1;
	assert_verdict(&e, LP_DISTURBED, "the hypervisor stole 21 ms");
	e.threads = 4;
	assert_verdict(&e, LP_VALID, "");
}

/* However short the window, each thread is allowed a few; beyond those it is a rate. */
static void test_involuntary_switches(void **state)
{
	struct lp_evidence e = sound();

	e.window_s = 0;
	e.involuntary_switches = (uint64_t)(2 * limits->allowed_switches);
	assert_verdict(&e, LP_VALID, "");
	e.involuntary_switches++;
	assert_verdict(&e, LP_DISTURBED, "9 involuntary context switches");
	e.window_s = 0.5;
	e.involuntary_switches =
		(uint64_t)(2 * (limits->allowed_switches + 0.5 * limits->max_switches_per_s));
	assert_verdict(&e, LP_VALID, "");
	e.involuntary_switches++;
	assert_verdict(&e, LP_DISTURBED, "49 involuntary context switches");
}

static void test_round_trip_moved(void **state)
{
	struct lp_evidence e = sound();

	e.rtt_after_ns = 80 * limits->max_rtt_ratio;
	assert_verdict(&e, LP_VALID, "");
	e.rtt_after_ns++;
	assert_verdict(&e, LP_DISTURBED, "the cache-line round trip went from 80 to 161 ns");
	e.rtt_before_ns = e.rtt_after_ns;
	e.rtt_after_ns = 80;
	assert_verdict(&e, LP_DISTURBED, "the cache-line round trip went from 161 to 80 ns");
	e.rtt_before_ns--;
	assert_verdict(&e, LP_VALID, "");
}

static void test_round_trip_missing(void **state)
{
	struct lp_evidence e = sound();

	e.rtt_after_ns = NAN;
	assert_verdict(&e, LP_DISTURBED, "no cache-line round trip after the window");
	e.rtt_before_ns = NAN;
	assert_verdict(&e, LP_DISTURBED, "no cache-line round trip before the window");
	e.threads = 1;
	assert_verdict(&e, LP_VALID, "");
}

static void test_every_reason_is_told_and_the_worst_counts(void **state)
{
	struct lp_evidence e = sound();

	e.lost_share = 0.5;
	e.rtt_after_ns = 400;
	assert_verdict(&e, LP_DISTURBED,
		"a thread lost 50.0 % of its time; "
		"the cache-line round trip went from 80 to 400 ns");
	e.pins_hold = false;
	assert_verdict(&e, LP_INVALID,
		"a thread did not stay on its CPU; a thread lost 50.0 % of its time; "
		"the cache-line round trip went from 80 to 400 ns");
}

static void test_reasons_are_cut_at_the_end_of_the_buffer(void **state)
{
	struct lp_evidence e = sound();
	char why[24];

	e.lost_share = 0.5;
	e.steal_ms = 400;
	for (size_t size = 1; size < sizeof(why); size++) {
		memset(why, 'x', sizeof(why));
		assert_int_equal(lp_verdict(&e, why, size), LP_DISTURBED);
		assert_int_equal(strlen(why), size - 1);
		assert_int_equal(why[size], 'x');
	}
}

/* Jain's index is (Σ rate)² ÷ (n × Σ rate²): {1, 3} gives 16 ÷ (2 × 10) = 0.8. */
static void test_jain_by_hand(void **state)
{
	assert_true(lp_jain((double[]){5, 5, 5, 5}, 4) == 1);
	assert_true(lp_jain((double[]){0, 7, 0, 0}, 4) == 0.25);
	assert_true(lp_jain((double[]){1, 3}, 2) == 0.8);
	assert_true(lp_jain((double[]){42}, 1) == 1);
	assert_true(isnan(lp_jain(NULL, 0)));
	assert_true(isnan(lp_jain((double[]){0, 0}, 2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steal_in_milliseconds),
		cmocka_unit_test(test_steal_that_cannot_be_known),
		cmocka_unit_test(test_frequency),
		cmocka_unit_test(test_sleeping_is_voluntary_and_costs_no_cpu),
		cmocka_unit_test(test_working_costs_cpu),
		cmocka_unit_test(test_sound_evidence_is_valid),
		cmocka_unit_test(test_pins_and_memory),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_lost_time),
		cmocka_unit_test(test_steal),
		cmocka_unit_test(test_involuntary_switches),
		cmocka_unit_test(test_round_trip_moved),
		cmocka_unit_test(test_round_trip_missing),
		cmocka_unit_test(test_every_reason_is_told_and_the_worst_counts),
		cmocka_unit_test(test_reasons_are_cut_at_the_end_of_the_buffer),
		cmocka_unit_test(test_jain_by_hand),
	};

	return cmocka_run_group_tests_name("disturbance", tests, NULL, NULL);
}
