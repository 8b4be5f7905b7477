// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: lp_pin_attr lp_pin_holds
 *
 * What a team does when a thread cannot be pinned, created or kept on its CPU: no hook runs, no
 * thread is left behind, the message names the CPU; a pin that does not hold is evidence instead.
 */
#include "tests/unit/team_bench.h"

#include <errno.h>

#include "common/machine/pin.h"

enum { NO_SUCH_CPU = 8000 };

/* ---- injected failures ---- */

static int pin_attr_fails_at = -1; /* the call, from 0, that fails */
static int pin_attr_calls;
static bool pin_holds_lies;

int __real_lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err);
bool __real_lp_pin_holds(int os_cpu);
int __wrap_lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err);
bool __wrap_lp_pin_holds(int os_cpu);

int __wrap_lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err)
{
	if (pin_attr_calls++ == pin_attr_fails_at)
		return lp_fail(err, EPERM, "CPU %d refused by the test", os_cpu);
	return __real_lp_pin_attr(attr, os_cpu, err);
}

bool __wrap_lp_pin_holds(int os_cpu)
{
	return !pin_holds_lies && __real_lp_pin_holds(os_cpu);
}

static _Atomic int entries;

static void count_entry(struct lp_worker *w)
{
	atomic_fetch_add(&entries, 1);
	wait_for_stop(w);
}

/* Run a team that works first: a sanitizer starts a thread of its own with the first one made. */
static int threads_of_idle_process(void)
{
	static struct bench b;

	bench_init(&b, 1, wait_for_stop);
	bench_run_ok(&b);
	free(b.result.rate);
	return count_threads();
}

static void test_failing_pin_leaves_no_thread(void **state)
{
	static struct bench b;
	int threads = threads_of_idle_process();
	char cpu[32];

	for (int failing = 0; failing < 3; failing++) {
		bench_init(&b, 3, count_entry);
		pin_attr_calls = 0;
		pin_attr_fails_at = failing;
		assert_int_equal(bench_run(&b), -EPERM);
		snprintf(cpu, sizeof(cpu), "CPU %d", b.os_cpu[failing]);
		assert_non_null(strstr(b.err.message, cpu));
		assert_null(b.result.rate);
		assert_threads(threads);
		assert_int_equal(atomic_load(&entries), 0);
	}
	pin_attr_fails_at = -1;
}

static void test_cpu_that_does_not_exist(void **state)
{
	static struct bench b;
	int threads = threads_of_idle_process();

	bench_init(&b, 2, count_entry);
	b.os_cpu[1] = NO_SUCH_CPU;
	assert_int_equal(bench_run(&b), -EINVAL);
	assert_non_null(strstr(b.err.message, "CPU 8000"));
	assert_threads(threads);
	assert_int_equal(atomic_load(&entries), 0);
}

static void test_pin_that_does_not_hold_is_evidence(void **state)
{
	static struct bench b;

	bench_init(&b, 1, wait_for_stop);
	pin_holds_lies = true;
	bench_run_ok(&b);
	pin_holds_lies = false;
	assert_false(b.result.evidence.pins_hold);
	free(b.result.rate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failing_pin_leaves_no_thread),
		cmocka_unit_test(test_cpu_that_does_not_exist),
		cmocka_unit_test(test_pin_that_does_not_hold_is_evidence),
	};

	return cmocka_run_group_tests(tests, find_cpus, NULL);
}
