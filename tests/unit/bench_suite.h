/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A suite made for testing lp_measure(): its hooks note that they ran and what they saw, and fail
 * or idle when told to. Read-back of memory and /proc/interrupts are replaced, so that their
 * failures can be had: who includes this wraps lp_memory_verify and lp_interrupts_read.
 */
#ifndef LP_TEST_BENCH_SUITE_H
#define LP_TEST_BENCH_SUITE_H

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/kernel/cpu.h"
#include "drivers/bench/measure.h"

/* ---- the suite ---- */

static struct {
	char order[128];  /* the hooks that ran */
	const char *fail; /* the hook that is to fail, "" */
	size_t elsewhere; /* pages that memory read-back finds on another node */
	bool memory_unreadable, interrupts_unreadable;
	bool idle; /* workers do nothing */
	/* as the hooks saw them */
	int cpus, os_cpu, nnodes;
	bool exact_has_no_cpus;
	lp_lock_flavour flavour;
	uint64_t seed, pace, reported_ops;
	double reported_seconds;
} t;

static void note(const char *hook)
{
	size_t used = strlen(t.order);

	snprintf(t.order + used, sizeof(t.order) - used, "%s%s", used ? " " : "", hook);
}

static int outcome(const char *hook, struct lp_error *err)
{
	note(hook);
	return t.fail && !strcmp(t.fail, hook) ? lp_fail(err, EUCLEAN, "made to fail") : 0;
}

static int setup(struct lp_run *run, struct lp_error *err)
{
	t.cpus = run->cpus;
	t.os_cpu = run->os_cpu ? run->os_cpu[0] : -1;
	t.nnodes = run->nnodes;
	t.exact_has_no_cpus = !run->os_cpu && !run->node && !run->nodes;
	t.flavour = run->flavour;
	t.seed = run->seed;
	assert_non_null(lp_run_alloc(run, 8192, -1, err));
	return outcome("setup", err);
}

static void work(struct lp_worker *w)
{
	if (w->cpu == 0)
		t.pace = w->pace_ops_per_s;
	while (!lp_worker_stopped(w))
		if (!t.idle)
			lp_worker_batch_done(w, 10);
}

static uint64_t play(struct lp_run *run)
{
	note("play");
	assert_int_equal(lp_cpu_count, run->cpus);
	return 17;
}

static void drain(struct lp_run *run)
{
	note("drain");
}

static int check(struct lp_run *run, struct lp_error *err)
{
	return outcome("check", err);
}

static void report(struct lp_run *run, uint64_t ops, double seconds)
{
	note("report");
	t.reported_ops = ops;
	t.reported_seconds = seconds;
	lp_metrics_set(&run->metrics, "own_figure", 42);
	lp_metrics_absent(&run->metrics, "own_absent", "because");
}

static void teardown(struct lp_run *run)
{
	note("teardown");
}

static const char *refuse(const struct lp_case *c, const struct lp_topology *topology)
{
	return "not on a Tuesday";
}

static void on_the_last_cpu(const struct lp_case *c, int *os_cpu)
{
	for (int i = 0; i < c->threads; i++)
		os_cpu[i] = t.os_cpu;
}

static const char *const lock_words[] = {"unfair", "ticket", "queued", NULL};
static const struct lp_param params[] = {
	{.name = "lock", .words = lock_words, .default_value = 1},
	{.name = "cpus", .min = 1, .max = 64, .default_value = 6},
	{.name = "pace", .min = 0, .max = 1000000, .default_value = 0},
};

#define HOOKS                                                                                      \
	.setup = setup, .run = work, .play = play, .drain = drain, .check = check,                 \
	.report = report, .teardown = teardown

static const struct lp_variant plain = {.name = "plain", .params = 7, HOOKS};
__attribute__((unused)) static const struct lp_variant refusing = {
	.name = "refusing", HOOKS, .unavailable = refuse};
static const struct lp_variant placed = {.name = "placed", HOOKS, .placement = on_the_last_cpu};
static const struct lp_variant exact_only = {.name = "exact_only",
	.setup = setup,
	.play = play,
	.check = check,
	.report = report,
	.teardown = teardown};
static const struct lp_suite suite = {.name = "made_up", .params = params, .nparams = 3};
static const struct lp_suite bare = {.name = "bare"};

/* ---- replaced functions ---- */

bool __wrap_lp_memory_verify(struct lp_memory *m);
bool __wrap_lp_memory_verify(struct lp_memory *m)
{
	m->elsewhere = t.elsewhere;
	if (t.memory_unreadable)
		snprintf(m->why, sizeof(m->why), "no move_pages here");
	return !t.elsewhere && !t.memory_unreadable;
}

int __real_lp_interrupts_read(struct lp_interrupts *i, const char *path, struct lp_error *err);
int __wrap_lp_interrupts_read(struct lp_interrupts *i, const char *path, struct lp_error *err);
int __wrap_lp_interrupts_read(struct lp_interrupts *i, const char *path, struct lp_error *err)
{
	if (t.interrupts_unreadable)
		return lp_fail(err, EACCES, "the file is hidden");
	return __real_lp_interrupts_read(i, path, err);
}

/* ---- the frame ---- */

static struct lp_topology topology;
static int *usable, nusable;
static struct lp_measurement m;
static struct lp_error err;

static int begin(void **state)
{
	memset(&t, 0, sizeof(t));
	memset(&err, 0, sizeof(err));
	return 0;
}

static int end(void **state)
{
	lp_measurement_destroy(&m);
	return 0;
}

static inline struct lp_case a_case(const struct lp_variant *v, enum lp_mode mode)
{
	struct lp_case c;

	lp_case_init(&c, &suite, v);
	c.mode = mode;
	return c;
}

static struct lp_measure_options options(void)
{
	return (struct lp_measure_options){.topology = &topology,
		.os_cpu = usable,
		.cpus = nusable,
		.window_ns = 5000000,
		.seed = 99};
}

static int measure(const struct lp_case *c)
{
	struct lp_measure_options o = options();

	return lp_measure(c, &o, &m, &err);
}

static inline void measure_ok(const struct lp_case *c)
{
	if (measure(c))
		fail_msg("%s", err.message);
}

static inline bool has(const char *name)
{
	for (size_t i = 0; i < m.metrics.count; i++)
		if (!strcmp(m.metrics.metric[i].name, name))
			return true;
	return false;
}

static inline const char *why_absent(const char *name)
{
	for (size_t i = 0; i < m.metrics.count; i++)
		if (!strcmp(m.metrics.metric[i].name, name))
			return m.metrics.metric[i].absent;
	return NULL;
}

static inline int run_bench_tests(const struct CMUnitTest *tests, size_t n)
{
	int rc;

	if (lp_topology_load(&topology, NULL, &err)) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	usable = calloc((size_t)topology.ncpus, sizeof(*usable));
	nusable = lp_topology_usable(&topology, usable);
	rc = _cmocka_run_group_tests("bench", tests, n, NULL, NULL);
	free(usable);
	lp_topology_free(&topology);
	return rc;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
