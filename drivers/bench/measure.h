/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One repetition of one case, from setup to teardown, with all of its evidence.
 */
#ifndef LP_BENCH_MEASURE_H
#define LP_BENCH_MEASURE_H

#include <stdint.h>

#include "common/error.h"
#include "common/machine/topology.h"
#include "common/measure/disturbance.h"
#include "common/measure/interrupts.h"
#include "common/measure/metrics.h"
#include "suites/suite.h"

struct lp_measure_options {
	const struct lp_topology *topology;
	const int *os_cpu; /* [cpus], the order in which workers take them */
	int cpus;
	uint64_t window_ns; /* > 0; exact cases take what they take */
	uint64_t seed;
};

struct lp_measurement {
	uint64_t ops;
	double wall_seconds, cpu_seconds;
	enum lp_verdict verdict;
	char label[512]; /* "valid", "disturbed: why", "invalid: why" */
	struct lp_metrics metrics;
	int cpus;			 /* workers; 0 in exact mode */
	int *os_cpu;			 /* [cpus] */
	double *rate;			 /* [cpus] operations a second of each worker */
	struct lp_interrupts interrupts; /* in the window; no lines unless observed */
};

/**
 * lp_measure() - measure @c once.
 *
 * Runs the hooks in order: setup, run on a team (or play, in exact mode), drain, check, report,
 * teardown. What the mode adds: timing counts hardware events; observed has the latency probe and
 * the kernel's interrupt counters; soak paces the workers and lets the soaker take the rest; exact
 * has no timing figures at all, so that its row is the same on every machine.
 *
 * @err: required.
 *
 * Blocks interrupts (common/kernel/irq.h) on the calling thread; one call at a time in a process.
 * Return: 0; -errno with @err set when the case cannot run here or failed, its own check included.
 * Either way *@m is to be given to lp_measurement_destroy().
 */
int lp_measure(const struct lp_case *c, const struct lp_measure_options *options,
	struct lp_measurement *m, struct lp_error *err);

void lp_measurement_destroy(struct lp_measurement *m);

#endif
