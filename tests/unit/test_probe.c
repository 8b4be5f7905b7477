// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: timer_create timer_settime
 *
 * The probe on a real worker: every due time between the first and the end of the window counts
 * once, however the interrupts were held up: not at all, by the software mask, by a mask that
 * lasts until the record is full, by the kernel. The expected number comes from the timer as it
 * was armed and from clock readings around the end, not from the probe.
 */
#include "tests/unit/team_bench.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <time.h>

#include "common/kernel/irq.h"
#include "drivers/probe/probe.h"

enum { RATE_PER_S = 2000, PERIOD_NS = 500000 };

/* ---- what the probe asks the kernel for ---- */

static struct {
	uint64_t first_due_ns, period_ns;
	uint64_t end_from_ns, end_to_ns;
	uint64_t interrupts;
} seen[WORKERS_MAX];
static bool timer_create_fails;

int __real_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer);
int __wrap_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer);
int __real_timer_settime(
	timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old);
int __wrap_timer_settime(
	timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old);

int __wrap_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
	if (timer_create_fails) {
		errno = EAGAIN;
		return -1;
	}
	return __real_timer_create(clock, event, timer);
}

static uint64_t ns_of(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * LP_NS_PER_S + (uint64_t)t->tv_nsec;
}

int __wrap_timer_settime(
	timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old)
{
	if (flags & TIMER_ABSTIME) {
		seen[smp_processor_id()].first_due_ns = ns_of(&value->it_value);
		seen[smp_processor_id()].period_ns = ns_of(&value->it_interval);
	}
	return __real_timer_settime(timer, flags, value, old);
}

static void timed_end(struct lp_worker *w, void *probe)
{
	seen[w->cpu].interrupts = lp_irq.run;
	seen[w->cpu].end_from_ns = lp_clock_ns();
	lp_probe_end(w, probe);
	seen[w->cpu].end_to_ns = lp_clock_ns();
}

/* ---- a probed run ---- */

static struct lp_metrics metrics;

static void run_probed(int cpus, unsigned rate_per_s, void (*hook)(struct lp_worker *w))
{
	static struct bench b;
	struct lp_probe *p = lp_probe_new(cpus, rate_per_s, NULL);

	assert_non_null(p);
	bench_init(&b, cpus, hook);
	b.options.worker_begin = lp_probe_begin;
	b.options.worker_end = timed_end;
	b.options.context = p;
	bench_run_ok(&b);
	free(b.result.rate);
	lp_probe_report(p, &metrics);
	lp_probe_free(p);
}

static uint64_t due_by(int cpu, uint64_t ns)
{
	if (ns < seen[cpu].first_due_ns)
		return 0;
	return (ns - seen[cpu].first_due_ns) / seen[cpu].period_ns + 1;
}

/* An interrupt may answer a probe that comes due while the probe is being ended, never more. */
static void check_every_due_time_counted(int cpus)
{
	double probes = lp_metrics_get(&metrics, "probes");
	uint64_t least = 0, most = 0;

	for (int i = 0; i < cpus; i++) {
		least += due_by(i, seen[i].end_from_ns);
		most += due_by(i, seen[i].end_to_ns);
	}
	assert_true(least > 0);
	assert_true(probes >= (double)least);
	assert_true(probes <= (double)most);
}

static int fresh(void **state)
{
	lp_metrics_init(&metrics);
	memset(seen, 0, sizeof(seen));
	return 0;
}

static int destroy(void **state)
{
	lp_metrics_destroy(&metrics);
	return 0;
}

/* ---- hooks ---- */

static void stay_awake(struct lp_worker *w)
{
	while (!lp_worker_stopped(w))
		usleep(50);
}

static uint64_t first_arrival_ns, unmasked_ns;

static unsigned recorded(void)
{
	return lp_irq.head - lp_irq.tail;
}

/* Interrupts off until @count of them are on record, and for @periods more. */
static void mask_until(unsigned count, int periods)
{
	uint64_t until_ns;
	unsigned long flags = local_irq_save();

	while (recorded() < count)
		usleep(50);
	until_ns = lp_clock_ns() + (uint64_t)periods * seen[0].period_ns;
	while (lp_clock_ns() < until_ns)
		usleep(50);
	first_arrival_ns = lp_irq.record[lp_irq.tail % LP_IRQ_RECORDS].arrival_ns;
	unmasked_ns = lp_clock_ns();
	local_irq_restore(flags);
}

static void mask_some(struct lp_worker *w)
{
	mask_until(5, 0);
	stay_awake(w);
}

static void mask_until_record_is_full(struct lp_worker *w)
{
	mask_until(LP_IRQ_RECORDS, 5);
	stay_awake(w);
}

static void block_in_kernel(struct lp_worker *w)
{
	uint64_t until_ns = lp_clock_ns() + 8ull * PERIOD_NS;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, lp_irq_signal(LP_PROBE_VECTOR));
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	while (lp_clock_ns() < until_ns)
		usleep(50);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	stay_awake(w);
}

/* ---- tests ---- */

static void test_every_due_time_counts_once(void **state)
{
	run_probed(1, RATE_PER_S, stay_awake);
	assert_int_equal(seen[0].period_ns, PERIOD_NS);
	check_every_due_time_counted(1);
	assert_true(lp_metrics_get(&metrics, "probe_min_ms") > 0);
	assert_true(lp_metrics_get(&metrics, "probe_min_ms") <=
		    lp_metrics_get(&metrics, "probe_avg_ms"));
	assert_true(lp_metrics_get(&metrics, "probe_avg_ms") <=
		    lp_metrics_get(&metrics, "probe_max_ms"));
}

static void test_cpus_are_staggered_and_merged(void **state)
{
	need_cpus(2);
	run_probed(2, RATE_PER_S, stay_awake);
	check_every_due_time_counted(2);
	/* Modulo the period, CPU 1 is due half a period after CPU 0. */
	assert_int_equal(
		(seen[1].first_due_ns + 100ull * PERIOD_NS - seen[0].first_due_ns) % PERIOD_NS,
		PERIOD_NS / 2);
}

static void test_masked_probes_are_held_off(void **state)
{
	run_probed(1, RATE_PER_S, mask_some);
	check_every_due_time_counted(1);
	assert_true(lp_metrics_get(&metrics, "holdoff_max_ns") >=
		    (double)(unmasked_ns - first_arrival_ns));
}

static void test_full_record_loses_no_probe(void **state)
{
	run_probed(1, 10000, mask_until_record_is_full);
	check_every_due_time_counted(1);
	/* While the record was full, several came due and were merged. */
	assert_true((double)seen[0].interrupts < lp_metrics_get(&metrics, "probes"));
	assert_true(lp_metrics_get(&metrics, "holdoff_max_ns") >=
		    (double)(unmasked_ns - first_arrival_ns));
}

static void test_probes_merged_by_the_kernel_count_each(void **state)
{
	run_probed(1, RATE_PER_S, block_in_kernel);
	check_every_due_time_counted(1);
	assert_true((double)seen[0].interrupts < lp_metrics_get(&metrics, "probes"));
	/* Due in the first of eight blocked periods, answered after the last: a stall was seen. */
	assert_true(lp_metrics_get(&metrics, "probe_max_ms") >= 7 * PERIOD_NS / 1e6);
	assert_true(lp_metrics_get(&metrics, "stalls_over_1ms") >= 1);
	assert_true(lp_metrics_get(&metrics, "probes_over_1ms") >= 5);
}

static const char *absent_reason(const char *name)
{
	for (size_t i = 0; i < metrics.count; i++)
		if (strcmp(metrics.metric[i].name, name) == 0)
			return metrics.metric[i].absent;
	return NULL;
}

static void test_timer_that_cannot_be_had_is_absent(void **state)
{
	timer_create_fails = true;
	run_probed(1, RATE_PER_S, stay_awake);
	timer_create_fails = false;
	assert_non_null(absent_reason("probes"));
	assert_non_null(strstr(absent_reason("holdoff_max_ns"), strerror(EAGAIN)));
	assert_true(isnan(lp_metrics_get(&metrics, "probe_max_ms")));
}

static void test_window_without_a_probe_is_absent(void **state)
{
	run_probed(1, 1, stay_awake);
	if (due_by(0, seen[0].end_to_ns)) {
		print_message("the machine stalled for a second\n");
		skip();
	}
	assert_true(lp_metrics_get(&metrics, "probes") == 0);
	assert_non_null(absent_reason("probe_max_ms"));
}

static void test_rate_out_of_range(void **state)
{
	struct lp_error err = {.code = 0};

	assert_null(lp_probe_new(1, 0, &err));
	assert_int_equal(err.code, EINVAL);
	assert_null(lp_probe_new(1, 100001, &err));
	assert_non_null(strstr(err.message, "100001"));
}

#define PROBE_TEST(f) cmocka_unit_test_setup_teardown(f, fresh, destroy)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROBE_TEST(test_every_due_time_counts_once),
		PROBE_TEST(test_cpus_are_staggered_and_merged),
		PROBE_TEST(test_masked_probes_are_held_off),
		PROBE_TEST(test_full_record_loses_no_probe),
		PROBE_TEST(test_probes_merged_by_the_kernel_count_each),
		PROBE_TEST(test_timer_that_cannot_be_had_is_absent),
		PROBE_TEST(test_window_without_a_probe_is_absent),
		PROBE_TEST(test_rate_out_of_range),
	};

	return cmocka_run_group_tests(tests, find_cpus, NULL);
}
