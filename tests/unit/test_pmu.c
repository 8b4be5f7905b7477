// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: syscall fopen
 *
 * Counters of a made-up kernel that refuses, shares or never schedules them. A counter is a pipe
 * with the three words that reading it gives; it takes no ioctl, as a counter that could not be
 * enabled would not.
 */
#include "common/measure/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a made-up kernel ---- */

static int refuse_hardware, refuse_software; /* errno values */
static int refuse_kernel;		     /* unless exclude_kernel is set */
static uint64_t words[3];		     /* value, enabled, running */
static size_t words_given = sizeof(words);
static const char *paranoid_text; /* NULL: there is no such file */

/* Of one window: each event at most twice, the second time for user space alone. */
static struct perf_event_attr seen[2 * LP_PMU_EVENTS_MAX];
static int seen_count;

long __wrap_syscall(long number, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

static int refusal(const struct perf_event_attr *attr)
{
	if (refuse_kernel && !attr->exclude_kernel)
		return refuse_kernel;
	return attr->type == PERF_TYPE_SOFTWARE ? refuse_software : refuse_hardware;
}

static int made_up_counter(const struct perf_event_attr *attr)
{
	int end[2];

	seen[seen_count++] = *attr;
	errno = refusal(attr);
	if (errno)
		return -1;
	if (pipe(end))
		abort();
	if (write(end[1], words, words_given) != (ssize_t)words_given)
		abort();
	close(end[1]);
	return end[0];
}

long __wrap_syscall(long number, ...)
{
	struct perf_event_attr *attr;
	va_list args;
	int pid, cpu;
	unsigned long flags;

	va_start(args, number);
	attr = va_arg(args, struct perf_event_attr *);
	pid = va_arg(args, int);
	cpu = va_arg(args, int);
	(void)va_arg(args, int);
	flags = va_arg(args, unsigned int);
	va_end(args);
	assert_int_equal(number, SYS_perf_event_open);
	/* The calling thread on any CPU, and a descriptor that no child inherits. */
	assert_int_equal(pid, 0);
	assert_int_equal(cpu, -1);
	assert_int_equal(flags, PERF_FLAG_FD_CLOEXEC);
	return made_up_counter(attr);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	if (strcmp(path, "/proc/sys/kernel/perf_event_paranoid"))
		return __real_fopen(path, mode);
	return paranoid_text ? fmemopen((void *)paranoid_text, strlen(paranoid_text), "r") : NULL;
}

static int make_up(void **state)
{
	refuse_hardware = refuse_software = refuse_kernel = 0;
	words[0] = 1000;
	words[1] = words[2] = 500;
	words_given = sizeof(words);
	paranoid_text = "2\n";
	return 0;
}

/* One window of a set on the made-up kernel. */
static struct lp_pmu window(void)
{
	struct lp_pmu pmu;

	seen_count = 0;
	lp_pmu_open(&pmu);
	lp_pmu_start(&pmu);
	lp_pmu_stop(&pmu);
	lp_pmu_close(&pmu);
	return pmu;
}

static struct lp_pmu_event *event_of(struct lp_pmu *pmu, const char *metric)
{
	for (int i = 0; i < pmu->count; i++)
		if (!strcmp(pmu->event[i].metric, metric))
			return &pmu->event[i];
	fail_msg("no event makes %s", metric);
	return NULL;
}

static bool is_hardware(const struct lp_pmu_event *e)
{
	return strstr(e->name, "_HW_");
}

static void assert_why(const struct lp_pmu_event *e, const char *expected)
{
	char why[256];

	lp_pmu_why(e, why, sizeof(why));
	assert_string_equal(why, expected);
}

/* ---- what is opened ---- */

static void test_default_events(void **state)
{
	struct lp_pmu pmu = window();

	assert_int_equal(pmu.count, 7);
	assert_int_equal(seen_count, 7);
	assert_string_equal(
		event_of(&pmu, "context_switches")->name, "PERF_COUNT_SW_CONTEXT_SWITCHES");
	assert_string_equal(event_of(&pmu, "cycles_per_op")->name, "PERF_COUNT_HW_CPU_CYCLES");
	assert_true(event_of(&pmu, "instructions_per_op")->per_op);
	assert_true(event_of(&pmu, "llc_misses_per_op")->per_op);
	assert_false(event_of(&pmu, "cpu_migrations")->per_op);
	assert_false(event_of(&pmu, "page_faults")->per_op);
	assert_false(event_of(&pmu, "task_clock_ns")->per_op);
}

static void test_events_are_asked_for_stopped_and_timed(void **state)
{
	window();
	for (int i = 0; i < seen_count; i++) {
		assert_int_equal(seen[i].disabled, 1);
		assert_int_equal(seen[i].inherit, 0);
		assert_int_equal(seen[i].exclude_user, 0);
		assert_int_equal(seen[i].exclude_kernel, 0);
		assert_int_equal(seen[i].read_format,
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	}
}

static int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void test_closing_leaves_nothing_open(void **state)
{
	int before = open_files();
	struct lp_pmu pmu;

	seen_count = 0;
	lp_pmu_open(&pmu);
	assert_int_equal(open_files(), before + 7);
	lp_pmu_close(&pmu);
	lp_pmu_close(&pmu);
	assert_int_equal(open_files(), before);
}

/* ---- what is counted ---- */

static void test_a_counter_of_its_own(void **state)
{
	struct lp_pmu pmu = window();

	for (int i = 0; i < pmu.count; i++) {
		assert_true(pmu.event[i].counted);
		assert_int_equal(pmu.event[i].value, 1000);
		assert_int_equal(pmu.event[i].error, 0);
		assert_false(pmu.event[i].multiplexed);
		assert_false(pmu.event[i].user_only);
	}
}

/* 1000 in 100 of 300 ns are 3000 in all of them. */
static void test_a_shared_counter_is_scaled_and_flagged(void **state)
{
	struct lp_pmu pmu;

	words[1] = 300;
	words[2] = 100;
	pmu = window();
	for (int i = 0; i < pmu.count; i++) {
		assert_true(pmu.event[i].counted);
		assert_true(pmu.event[i].multiplexed);
		assert_int_equal(pmu.event[i].value, 3000);
		assert_int_equal(pmu.event[i].enabled_ns, 300);
		assert_int_equal(pmu.event[i].running_ns, 100);
	}
}

static void test_a_counter_that_never_ran_is_no_zero(void **state)
{
	struct lp_pmu pmu;

	words[0] = words[2] = 0;
	pmu = window();
	for (int i = 0; i < pmu.count; i++) {
		assert_false(pmu.event[i].counted);
		assert_false(pmu.event[i].multiplexed);
		assert_int_equal(pmu.event[i].error, ENODATA);
	}
	assert_why(&pmu.event[4],
		"PERF_COUNT_HW_CPU_CYCLES (PMU perf): ENODATA, perf_event_paranoid 2: "
		"it opened but never counted; end what else uses the PMU, or leave the emulator");
}

static void test_a_zero_that_was_counted_is_one(void **state)
{
	struct lp_pmu pmu;

	words[0] = 0;
	pmu = window();
	assert_true(event_of(&pmu, "context_switches")->counted);
	assert_int_equal(event_of(&pmu, "context_switches")->value, 0);
	assert_true(event_of(&pmu, "llc_misses_per_op")->counted);
	assert_int_equal(event_of(&pmu, "llc_misses_per_op")->value, 0);
}

/* A thread that ran has had cycles and instructions. */
static void test_a_zero_that_cannot_be_is_none(void **state)
{
	struct lp_pmu pmu;

	words[0] = 0;
	pmu = window();
	assert_false(event_of(&pmu, "cycles_per_op")->counted);
	assert_int_equal(event_of(&pmu, "cycles_per_op")->error, ENODATA);
	assert_false(event_of(&pmu, "instructions_per_op")->counted);
}

static void test_a_short_read_is_no_value(void **state)
{
	struct lp_pmu pmu;

	words_given = sizeof(words[0]);
	pmu = window();
	for (int i = 0; i < pmu.count; i++) {
		assert_false(pmu.event[i].counted);
		assert_int_equal(pmu.event[i].error, EIO);
	}
}

/* ---- what is refused ---- */

static void test_no_hardware_counters(void **state)
{
	struct lp_pmu pmu;

	refuse_hardware = ENOENT;
	pmu = window();
	for (int i = 0; i < pmu.count; i++) {
		assert_int_equal(pmu.event[i].counted, !is_hardware(&pmu.event[i]));
		assert_int_equal(pmu.event[i].error, is_hardware(&pmu.event[i]) ? ENOENT : 0);
	}
	assert_why(event_of(&pmu, "cycles_per_op"),
		"PERF_COUNT_HW_CPU_CYCLES (PMU perf): ENOENT, perf_event_paranoid 2: "
		"this CPU or its hypervisor offers no such counter");
}

/* User space alone is counted where that is all there may be; but what only the kernel does would
 * then read 0 without being 0. */
static void test_user_space_alone(void **state)
{
	struct lp_pmu pmu;

	refuse_kernel = EACCES;
	pmu = window();
	for (int i = 0; i < pmu.count; i++) {
		struct lp_pmu_event *e = &pmu.event[i];
		bool kernel = e == event_of(&pmu, "context_switches") ||
			      e == event_of(&pmu, "cpu_migrations");

		assert_int_equal(e->counted, !kernel);
		assert_int_equal(e->user_only, !kernel);
		assert_int_equal(e->error, kernel ? EACCES : 0);
	}
	assert_int_equal(seen[seen_count - 1].exclude_kernel, 1);
	assert_int_equal(seen[seen_count - 1].exclude_user, 0);
	assert_why(event_of(&pmu, "context_switches"),
		"PERF_COUNT_SW_CONTEXT_SWITCHES (PMU perf): EACCES, perf_event_paranoid 2: "
		"run `sysctl kernel.perf_event_paranoid=1`, or grant CAP_PERFMON");
}

static void assert_all_refused(int error, const char *remedy)
{
	struct lp_pmu pmu;
	char why[256];

	refuse_hardware = refuse_software = error;
	pmu = window();
	for (int i = 0; i < pmu.count; i++) {
		assert_false(pmu.event[i].counted);
		assert_int_equal(pmu.event[i].error, error);
		assert_int_equal(pmu.event[i].fd, -1);
		lp_pmu_why(&pmu.event[i], why, sizeof(why));
		assert_non_null(strstr(why, pmu.event[i].name));
		assert_non_null(strstr(why, strerrorname_np(error)));
		assert_non_null(strstr(why, remedy));
	}
}

static void test_every_refusal_names_its_remedy(void **state)
{
	assert_all_refused(EACCES, "kernel.perf_event_paranoid=1");
	assert_all_refused(EPERM, "CAP_PERFMON");
	assert_all_refused(EMFILE, "ulimit -n");
	assert_all_refused(ENOSYS, "no perf events");
	assert_all_refused(ENODEV, "no such counter");
	assert_all_refused(EOPNOTSUPP, "no such counter");
	assert_all_refused(EBUSY, "perf_event_open(2)");
}

static void test_why_without_a_paranoid_level(void **state)
{
	struct lp_pmu_event e = {.name = "skl::UOPS_ISSUED", .error = ENOENT};

	paranoid_text = NULL;
	assert_why(&e, "skl::UOPS_ISSUED (PMU skl): ENOENT, perf_event_paranoid unknown: "
		       "this CPU or its hypervisor offers no such counter");
	paranoid_text = "-1\n";
	e.error = 99999;
	assert_why(&e, "skl::UOPS_ISSUED (PMU skl): unknown error, perf_event_paranoid -1: "
		       "see perf_event_open(2)");
}

static void test_why_fits_its_buffer(void **state)
{
	struct lp_pmu_event e = {.name = "PERF_COUNT_HW_CPU_CYCLES", .error = ENOENT};
	char why[16];

	memset(why, 'x', sizeof(why));
	lp_pmu_why(&e, why, 11);
	assert_string_equal(why, "PERF_COUNT");
	assert_int_equal(why[11], 'x');
}

#define MADE_UP(name) cmocka_unit_test_setup(name, make_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MADE_UP(test_default_events),
		MADE_UP(test_events_are_asked_for_stopped_and_timed),
		MADE_UP(test_closing_leaves_nothing_open),
		MADE_UP(test_a_counter_of_its_own),
		MADE_UP(test_a_shared_counter_is_scaled_and_flagged),
		MADE_UP(test_a_counter_that_never_ran_is_no_zero),
		MADE_UP(test_a_zero_that_was_counted_is_one),
		MADE_UP(test_a_zero_that_cannot_be_is_none),
		MADE_UP(test_a_short_read_is_no_value),
		MADE_UP(test_no_hardware_counters),
		MADE_UP(test_user_space_alone),
		MADE_UP(test_every_refusal_names_its_remedy),
		MADE_UP(test_why_without_a_paranoid_level),
		MADE_UP(test_why_fits_its_buffer),
	};

	return cmocka_run_group_tests_name("pmu", tests, NULL, NULL);
}
