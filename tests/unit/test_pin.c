// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: pthread_attr_setaffinity_np __sched_cpualloc sched_getaffinity sched_getcpu
 *
 * Real threads on real CPUs, and kernels that are not here: of thousands of CPUs, that refuse, that
 * ran the thread elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine/pin.h"

/* ---- a kernel, replaced ---- */

static int setaffinity_error; /* what pinning answers, 0: the real call */
static bool alloc_fails;
static size_t kernel_set_bytes; /* 0: the real kernel; smaller sets are refused */
static int getaffinity_error;
static int mask_cpu[2], running_on; /* of that kernel */
static int getaffinity_calls;

int __real_pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set);
int __wrap_pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set);
cpu_set_t *__real___sched_cpualloc(size_t count);
cpu_set_t *__wrap___sched_cpualloc(size_t count);
int __real_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __real_sched_getcpu(void);
int __wrap_sched_getcpu(void);

int __wrap_pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set)
{
	if (setaffinity_error)
		return setaffinity_error;
	return __real_pthread_attr_setaffinity_np(attr, size, set);
}

cpu_set_t *__wrap___sched_cpualloc(size_t count)
{
	return alloc_fails ? NULL : __real___sched_cpualloc(count);
}

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	if (!kernel_set_bytes && !getaffinity_error)
		return __real_sched_getaffinity(pid, size, set);
	getaffinity_calls++;
	if (getaffinity_error || size < kernel_set_bytes) {
		errno = getaffinity_error ? getaffinity_error : EINVAL;
		return -1;
	}
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)mask_cpu[0], size, set);
	CPU_SET_S((size_t)mask_cpu[1], size, set);
	return 0;
}

int __wrap_sched_getcpu(void)
{
	return kernel_set_bytes ? running_on : __real_sched_getcpu();
}

/* A kernel of @bytes × 8 CPUs on which this thread may run on @first and @second. */
static void pretend(size_t bytes, int first, int second, int on)
{
	kernel_set_bytes = bytes;
	mask_cpu[0] = first;
	mask_cpu[1] = second;
	running_on = on;
}

static int real_kernel(void **state)
{
	setaffinity_error = getaffinity_error = getaffinity_calls = 0;
	kernel_set_bytes = 0;
	alloc_fails = false;
	return 0;
}

/* ---- threads ---- */

/* The last CPU that this process may use; the first is where everything else runs. */
static int last_allowed_cpu(void)
{
	size_t cpus = 1 << 16, size = CPU_ALLOC_SIZE(cpus);
	cpu_set_t *set = CPU_ALLOC(cpus);

	assert_int_equal(sched_getaffinity(0, size, set), 0);
	while (cpus && !CPU_ISSET_S(cpus - 1, size, set))
		cpus--;
	CPU_FREE(set);
	assert_true(cpus > 0);
	return (int)cpus - 1;
}

struct seen {
	int cpu;
	bool holds, holds_next, holds_negative;
};

static void *look(void *arg)
{
	struct seen *seen = arg;

	seen->holds = lp_pin_holds(seen->cpu);
	seen->holds_next = lp_pin_holds(seen->cpu + 1);
	seen->holds_negative = lp_pin_holds(-1);
	return NULL;
}

static void test_thread_is_where_it_was_pinned(void **state)
{
	struct seen seen = {.cpu = last_allowed_cpu()};
	struct lp_error err = {0};
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	assert_int_equal(lp_pin_attr(&attr, seen.cpu, &err), 0);
	assert_int_equal(pthread_create(&thread, &attr, look, &seen), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	assert_true(seen.holds);
	assert_false(seen.holds_next);
	assert_false(seen.holds_negative);
}

/* The attribute holds that CPU alone. */
static void assert_pins_to(int os_cpu)
{
	size_t size = CPU_ALLOC_SIZE(1 << 20);
	cpu_set_t *set = CPU_ALLOC(1 << 20);
	struct lp_error err = {0};
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	if (lp_pin_attr(&attr, os_cpu, &err))
		fail_msg("CPU %d: %s", os_cpu, err.message);
	assert_int_equal(pthread_attr_getaffinity_np(&attr, size, set), 0);
	assert_int_equal(CPU_COUNT_S(size, set), 1);
	assert_true(CPU_ISSET_S((size_t)os_cpu, size, set));
	pthread_attr_destroy(&attr);
	CPU_FREE(set);
}

static void test_cpus_beyond_a_fixed_set(void **state)
{
	static const int os_cpu[] = {0, 63, 64, 1023, 1024, 5000, (1 << 20) - 1};

	for (size_t i = 0; i < sizeof(os_cpu) / sizeof(*os_cpu); i++)
		assert_pins_to(os_cpu[i]);
}

static void assert_refused(int os_cpu, int code, const char *message)
{
	struct lp_error err = {0};
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	assert_int_equal(lp_pin_attr(&attr, os_cpu, &err), -code);
	assert_int_equal(err.code, code);
	assert_string_equal(err.message, message);
	pthread_attr_destroy(&attr);
}

static void test_refusals_name_the_cpu(void **state)
{
	assert_refused(-1, EINVAL, "CPU -1 does not exist");
	assert_refused(1 << 20, EINVAL, "CPU 1048576 does not exist");
	assert_refused(INT32_MAX, EINVAL, "CPU 2147483647 does not exist");
	setaffinity_error = EPERM;
	assert_refused(3, EPERM, "cannot pin a thread to CPU 3: Operation not permitted");
	alloc_fails = true;
	assert_refused(3, ENOMEM, "no memory for a set of 4 CPUs");
}

/* ---- reading back ---- */

static void test_read_back_grows_to_the_kernels_size(void **state)
{
	pretend(8192 / 8, 5000, 5000, 5000);
	assert_true(lp_pin_holds(5000));
	assert_int_equal(getaffinity_calls, 4); /* 1024, 2048, 4096, 8192 */
	assert_false(lp_pin_holds(5001));
}

static void test_read_back_needs_mask_and_place(void **state)
{
	pretend(128, 3, 3, 3);
	assert_true(lp_pin_holds(3));
	pretend(128, 3, 3, 2); /* runs elsewhere */
	assert_false(lp_pin_holds(3));
	pretend(128, 3, 4, 3); /* may run elsewhere */
	assert_false(lp_pin_holds(3));
	pretend(128, 4, 4, 3); /* on its way to where it may run */
	assert_false(lp_pin_holds(3));
}

static void test_read_back_that_fails_is_no_pin(void **state)
{
	pretend(128, 3, 3, 3);
	alloc_fails = true;
	assert_false(lp_pin_holds(3));
	alloc_fails = false;
	getaffinity_error = EPERM;
	getaffinity_calls = 0;
	assert_false(lp_pin_holds(3));
	assert_int_equal(getaffinity_calls, 1);
	/* Refused at every size: it gives up. */
	getaffinity_error = EINVAL;
	assert_false(lp_pin_holds(3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_thread_is_where_it_was_pinned, real_kernel),
		cmocka_unit_test_setup(test_cpus_beyond_a_fixed_set, real_kernel),
		cmocka_unit_test_setup(test_refusals_name_the_cpu, real_kernel),
		cmocka_unit_test_setup(test_read_back_grows_to_the_kernels_size, real_kernel),
		cmocka_unit_test_setup(test_read_back_needs_mask_and_place, real_kernel),
		cmocka_unit_test_setup(test_read_back_that_fails_is_no_pin, real_kernel),
	};

	return cmocka_run_group_tests_name("pin", tests, NULL, NULL);
}
