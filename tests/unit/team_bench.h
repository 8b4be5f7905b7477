/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run made for a test: one variant with the test's own hook, on the CPUs this process may use,
 * without a suite behind it.
 */
#ifndef LP_TESTS_TEAM_BENCH_H
#define LP_TESTS_TEAM_BENCH_H

#include <dirent.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/kernel/cpu.h"
#include "common/measure/clock.h"
#include "drivers/team/team.h"

enum { WORKERS_MAX = 4, WINDOW_NS = 20000000 };

static int usable[WORKERS_MAX]; /* the last one again where there are no more */
static int usable_count;

struct bench {
	struct lp_variant variant;
	struct lp_case spec;
	struct lp_run run;
	struct lp_worker worker[WORKERS_MAX];
	int os_cpu[WORKERS_MAX];
	struct lp_team_options options;
	struct lp_team_result result;
	struct lp_error err;
};

static inline void bench_init(struct bench *b, int cpus, void (*hook)(struct lp_worker *w))
{
	memset(b, 0, sizeof(*b));
	b->variant.run = hook;
	b->spec.variant = &b->variant;
	b->run.spec = &b->spec;
	b->run.cpus = cpus;
	b->run.os_cpu = b->os_cpu;
	b->run.seed = 42;
	b->run.worker = b->worker;
	for (int i = 0; i < cpus; i++)
		b->os_cpu[i] = usable[i];
	b->options.window_ns = WINDOW_NS;
	assert_int_equal(lp_cpus_init(cpus, NULL), 0);
}

static inline int bench_run(struct bench *b)
{
	return lp_team_run(&b->run, &b->options, &b->result, &b->err);
}

static inline void bench_run_ok(struct bench *b)
{
	if (bench_run(b))
		fail_msg("%s", b->err.message);
}

static inline int count_entries(const char *folder)
{
	DIR *d = opendir(folder);
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* A joined thread may stand in /proc for an instant longer, hence the waits of both. */
static inline int count_threads(void)
{
	usleep(20000);
	return count_entries("/proc/self/task");
}

static inline void assert_threads(int expected)
{
	for (int i = 0; i < 1000 && count_entries("/proc/self/task") > expected; i++)
		usleep(1000);
	assert_int_equal(count_entries("/proc/self/task"), expected);
}

static inline void need_cpus(int n)
{
	if (usable_count >= n)
		return;
	print_message("needs %d CPUs, %d may be used here\n", n, usable_count);
	skip();
}

static inline void wait_for_stop(struct lp_worker *w)
{
	while (!lp_worker_stopped(w))
		usleep(200);
}

/* Group set-up. alarm(): a team that hangs fails here, not at the limit of the whole test run. */
static inline int find_cpus(void **state)
{
	cpu_set_t set;

	(void)state;
	alarm(100);
	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE && usable_count < WORKERS_MAX; cpu++)
		if (CPU_ISSET(cpu, &set))
			usable[usable_count++] = cpu;
	if (!usable_count)
		return -1;
	for (int i = usable_count; i < WORKERS_MAX; i++)
		usable[i] = usable[usable_count - 1];
	return 0;
}

#endif
