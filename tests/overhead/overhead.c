// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the harness costs: one body in three loops.
 *
 *	handwritten	Google Benchmark's loop in C++
 *	shim		a C loop that takes the count once from lp_gb_iterations()
 *	team		a variant's hook on a team of one: the stop flag is looked at once a batch
 *
 *	overhead [--benchmark_…]	rows of all three, in nanoseconds
 *	overhead count LOOP N		run LOOP alone and print how many operations it did:
 *					N of them, or as many as a window of N ms takes for team
 *
 * A tool that counts instructions takes two counts of each and their difference, in which start
 * and end cancel (instructions.sh).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bench/cpus.h"
#include "drivers/bench/rows.h"
#include "drivers/gbench/lp_gbench.h"
#include "tests/overhead/body.h"

enum { BATCH = 64 }; /* the smallest of any suite */

static void shim(struct lp_gb_state *s, void *arg)
{
	uint64_t x = 1;

	for (int64_t n = lp_gb_iterations(s); n; n--)
		x = overhead_step(x);
}

/* ---- a suite of nothing but the body ---- */

static int setup(struct lp_run *run, struct lp_error *err)
{
	return 0;
}

static void run(struct lp_worker *w)
{
	uint64_t x = 1;

	while (!lp_worker_stopped(w)) {
		for (int n = BATCH; n; n--)
			x = overhead_step(x);
		lp_worker_batch_done(w, BATCH);
	}
}

static int check(struct lp_run *r, struct lp_error *err)
{
	return 0;
}

static void report(struct lp_run *r, uint64_t ops, double seconds)
{
}

static void teardown(struct lp_run *r)
{
}

static const struct lp_variant team = {.name = "team",
	.setup = setup,
	.run = run,
	.check = check,
	.report = report,
	.teardown = teardown};
static const struct lp_suite overhead = {.name = "overhead", .unit = "step"};

/* ---- counts ---- */

static int print_count(uint64_t ops)
{
	printf("%" PRIu64 "\n", ops);
	return 0;
}

static int count_loop(const char *loop, int64_t n)
{
	struct lp_gb_options o = {.iterations = n};
	char *json;

	if (!strcmp(loop, "handwritten"))
		overhead_register_handwritten(n);
	else if (lp_gb_register("overhead/shim", shim, NULL, &o))
		return 1;
	if (lp_gb_run_json(&json, NULL))
		return 1;
	free(json);
	lp_gb_shutdown();
	return print_count((uint64_t)n);
}

static int count_team(const struct lp_measure_options *o, const struct lp_case *c)
{
	struct lp_measurement m;
	struct lp_error err;
	uint64_t ops;
	int rc = lp_measure(c, o, &m, &err);

	ops = m.ops;
	lp_measurement_destroy(&m);
	if (!rc)
		return print_count(ops);
	fprintf(stderr, "overhead: %s\n", err.message);
	return 1;
}

static int count(const struct lp_measure_options *o, const struct lp_case *c, char **argv)
{
	struct lp_measure_options window = *o;
	long n = strtol(argv[3], NULL, 10);

	if (n <= 0)
		return 2;
	window.window_ns = (uint64_t)n * 1000000;
	return strcmp(argv[2], "team") ? count_loop(argv[2], n) : count_team(&window, c);
}

/* ---- rows ---- */

static int show_rows(const struct lp_measure_options *o, const struct lp_case *c)
{
	struct lp_rows rows = {.options = o};
	struct lp_error err;
	int rc;

	overhead_register_handwritten(0);
	lp_gb_register("overhead/shim", shim, NULL, NULL);
	rc = lp_rows_add(&rows, c, &err) || lp_gb_run(NULL);
	lp_gb_shutdown();
	lp_rows_free(&rows);
	return rc;
}

int main(int argc, char **argv)
{
	struct lp_topology topology;
	struct lp_error err;
	struct lp_case c;
	int *os_cpu, rc;

	if (lp_gb_initialize(&argc, argv) || lp_topology_load(&topology, NULL, &err))
		return 2;
	os_cpu = calloc((size_t)topology.ncpus, sizeof(*os_cpu));
	lp_case_init(&c, &overhead, &team);
	struct lp_measure_options o = {.topology = &topology,
		.os_cpu = os_cpu,
		.cpus = lp_cpus_choose(&topology, NULL, os_cpu, &err),
		.window_ns = 500000000};
	if (argc == 4 && !strcmp(argv[1], "count"))
		rc = count(&o, &c, argv);
	else
		rc = argc == 1 ? show_rows(&o, &c) : 2;
	free(os_cpu);
	lp_topology_free(&topology);
	return rc;
}
