// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: lp_pin_attr sched_setscheduler
 *
 * The soaker: its arithmetic on worked figures, then its threads: what a CPU loses to a worker that
 * is busy half of the time, what is left behind, and what happens where SCHED_IDLE is refused.
 */
#include "tests/unit/team_bench.h"

#include <errno.h>
#include <math.h>

#include "common/machine/pin.h"
#include "drivers/soak/record.h"
#include "drivers/soak/soak.h"

/* ---- injected failures ---- */

static int pin_attr_fails_at = -1, pin_attr_calls;
static bool idle_class_refused;

int __real_lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err);
int __wrap_lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err);
int __real_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param);
int __wrap_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param);

int __wrap_lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err)
{
	if (pin_attr_calls++ == pin_attr_fails_at)
		return lp_fail(err, EPERM, "CPU %d refused by the test", os_cpu);
	return __real_lp_pin_attr(attr, os_cpu, err);
}

int __wrap_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	if (idle_class_refused) {
		errno = EPERM;
		return -1;
	}
	return __real_sched_setscheduler(pid, policy, param);
}

/* ---- the arithmetic ---- */

static struct lp_metrics metrics;
static struct lp_soak_record record;
static uint64_t loops[LP_SOAK_INTERVALS][2];

/* Two CPUs, CPU 1 twice as fast, 1000 ns of each interval. */
static int fresh(void **state)
{
	static const uint64_t worked[LP_SOAK_INTERVALS][2] = {
		[LP_SOAK_BEFORE] = {1000, 2000},
		[LP_SOAK_DURING] = {400, 1600},
		[LP_SOAK_AFTER] = {1000, 2000},
	};

	memcpy(loops, worked, sizeof(loops));
	record = (struct lp_soak_record){.cpus = 2};
	for (int i = 0; i < LP_SOAK_INTERVALS; i++)
		record.interval[i] = (struct lp_soak_interval){.wall_ns = 1000, .loops = loops[i]};
	lp_metrics_init(&metrics);
	return 0;
}

static int destroy(void **state)
{
	lp_metrics_destroy(&metrics);
	return 0;
}

static const char *absent_reason(const char *name)
{
	for (size_t i = 0; i < metrics.count; i++)
		if (strcmp(metrics.metric[i].name, name) == 0)
			return metrics.metric[i].absent;
	return NULL;
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-9))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void assert_absent(const char *name, const char *reason)
{
	assert_non_null(absent_reason(name));
	assert_non_null(strstr(absent_reason(name), reason));
}

static void test_share_is_the_mean_of_the_cpus(void **state)
{
	lp_soak_evaluate(&record, 10, &metrics);
	/* CPU 0 lost 0.6, CPU 1 lost 0.2. */
	assert_near(lp_metrics_get(&metrics, "soak_cpu_share"), 0.4);
	/* 0.4 of two CPUs for 1000 ns, over 10 operations. */
	assert_near(lp_metrics_get(&metrics, "soak_cpu_ns_per_op"), 80);
	assert_near(lp_metrics_get(&metrics, "soak_calibration_drift"), 0);
	assert_null(absent_reason("soak_idle_class"));
}

static void test_intervals_may_differ_in_length(void **state)
{
	record.interval[LP_SOAK_BEFORE].wall_ns = 500;
	record.interval[LP_SOAK_AFTER].wall_ns = 500;
	lp_soak_evaluate(&record, 10, &metrics);
	/* 2000 and 4000 loops in the same time alone: lost 0.8 and 0.6. */
	assert_near(lp_metrics_get(&metrics, "soak_cpu_share"), 0.7);
}

static void test_small_drift_is_averaged(void **state)
{
	loops[LP_SOAK_AFTER][0] = 1040;
	loops[LP_SOAK_AFTER][1] = 2080;
	lp_soak_evaluate(&record, 10, &metrics);
	assert_near(lp_metrics_get(&metrics, "soak_calibration_drift"), 0.04);
	assert_near(
		lp_metrics_get(&metrics, "soak_cpu_share"), 1 - (400 / 1020.0 + 1600 / 2040.0) / 2);
}

static void test_large_drift_makes_the_share_absent(void **state)
{
	loops[LP_SOAK_AFTER][1] = 1800;
	lp_soak_evaluate(&record, 10, &metrics);
	assert_near(lp_metrics_get(&metrics, "soak_calibration_drift"), -200 / 3000.0);
	assert_absent("soak_cpu_share", "calibrations");
	assert_absent("soak_cpu_ns_per_op", "calibrations");
}

static void test_nothing_soaked_is_absent(void **state)
{
	loops[LP_SOAK_DURING][0] = loops[LP_SOAK_DURING][1] = 0;
	lp_soak_evaluate(&record, 10, &metrics);
	assert_absent("soak_cpu_share", "got nothing");
}

static void test_missing_intervals_are_absent(void **state)
{
	record.interval[LP_SOAK_DURING].wall_ns = 0;
	lp_soak_evaluate(&record, 10, &metrics);
	assert_absent("soak_cpu_share", "no window");
	record.interval[LP_SOAK_AFTER].wall_ns = 0;
	lp_soak_evaluate(&record, 10, &metrics);
	assert_absent("soak_cpu_share", "not calibrated");
	assert_absent("soak_calibration_drift", "not calibrated");
}

static void test_no_operations_have_no_cost_each(void **state)
{
	lp_soak_evaluate(&record, 0, &metrics);
	assert_absent("soak_cpu_ns_per_op", "operations");
	assert_near(lp_metrics_get(&metrics, "soak_cpu_share"), 0.4);
}

/* ---- the threads ---- */

/* Half of each two milliseconds busy, by the thread's own CPU clock: what others took is made up.
 */
static void work_half_of_the_time(struct lp_worker *w)
{
	uint64_t slot_ns = lp_clock_ns();

	while (!lp_worker_stopped(w)) {
		uint64_t until_ns = lp_thread_cpu_ns() + 1000000;

		while (lp_thread_cpu_ns() < until_ns)
			;
		slot_ns += 2000000;
		lp_sleep_until_ns(slot_ns);
		w->ops++;
	}
}

static void soak_beside_half_busy_worker(void)
{
	static struct bench b;
	struct lp_soak *s = lp_soak_start(usable, 1, NULL);

	assert_non_null(s);
	bench_init(&b, 1, work_half_of_the_time);
	b.options.window_ns = 200000000;
	b.options.worker_begin = lp_soak_worker_begin;
	b.options.worker_end = lp_soak_worker_end;
	b.options.context = s;
	lp_soak_calibrate(s, 60000000);
	bench_run_ok(&b);
	lp_soak_calibrate(s, 60000000);
	lp_soak_report(s, b.result.ops, &metrics);
	lp_soak_stop(s);
	free(b.result.rate);
}

/* Work of others in the window looks like the worker's, so one good try of five is enough; a
 * wrong sum would never give one. */
static void test_half_busy_cpu_costs_about_half(void **state)
{
	double share, last = NAN;

	for (int i = 0; i < 5; i++) {
		soak_beside_half_busy_worker();
		share = lp_metrics_get(&metrics, "soak_cpu_share");
		if (share > 0.2 && share < 0.8)
			return;
		last = isnan(share) ? last : share;
	}
	if (!isnan(last))
		fail_msg("a CPU busy half of the time came out as %.2f", last);
	print_message("too noisy here: %s\n", absent_reason("soak_cpu_share"));
	skip();
}

static void soak_briefly(void)
{
	struct lp_soak *s = lp_soak_start(usable, usable_count, NULL);

	assert_non_null(s);
	lp_soak_calibrate(s, 5000000);
	lp_soak_report(s, 0, &metrics);
	lp_soak_stop(s);
}

static void test_refused_idle_class_is_told(void **state)
{
	idle_class_refused = true;
	soak_briefly();
	idle_class_refused = false;
	assert_absent("soak_idle_class", strerror(EPERM));
}

static void test_no_thread_is_left_behind(void **state)
{
	struct lp_error err = {.code = 0};
	int threads;

	soak_briefly();
	threads = count_threads();
	pin_attr_calls = 0;
	pin_attr_fails_at = 1;
	assert_null(lp_soak_start(usable, 2, &err));
	pin_attr_fails_at = -1;
	assert_int_equal(err.code, EPERM);
	assert_threads(threads);
	lp_soak_stop(NULL);
}

#define SOAK_TEST(f) cmocka_unit_test_setup_teardown(f, fresh, destroy)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SOAK_TEST(test_share_is_the_mean_of_the_cpus),
		SOAK_TEST(test_intervals_may_differ_in_length),
		SOAK_TEST(test_small_drift_is_averaged),
		SOAK_TEST(test_large_drift_makes_the_share_absent),
		SOAK_TEST(test_nothing_soaked_is_absent),
		SOAK_TEST(test_missing_intervals_are_absent),
		SOAK_TEST(test_no_operations_have_no_cost_each),
		SOAK_TEST(test_half_busy_cpu_costs_about_half),
		SOAK_TEST(test_refused_idle_class_is_told),
		SOAK_TEST(test_no_thread_is_left_behind),
	};

	return cmocka_run_group_tests(tests, find_cpus, NULL);
}
