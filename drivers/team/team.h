/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A team: one pinned thread per CPU of a run, all of which work for the whole window.
 *
 * Threads of a fixed number of iterations each would let the slow ones finish uncontended; here
 * everyone runs until the leader (the calling thread, which sleeps meanwhile) raises the stop
 * flag. Threads wait for the start asleep, never spinning; before the window and after it they
 * play the cache-line round trip with their neighbour.
 */
#ifndef LP_DRIVERS_TEAM_H
#define LP_DRIVERS_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/measure/disturbance.h"
#include "common/measure/pmu.h"
#include "suites/suite.h"

struct lp_team_options {
	uint64_t window_ns;	 /* how long the team works; > 0 */
	uint64_t pace_ops_per_s; /* per worker; 0: flat out */
	bool count_events;	 /* open the PMU on every thread */
	/* Called on each worker right before and right after its window, e.g. to arm the probe;
	 * NULL: not called. */
	void (*worker_begin)(struct lp_worker *w, void *context);
	void (*worker_end)(struct lp_worker *w, void *context);
	void *context;
};

struct lp_team_result {
	uint64_t ops;	    /* of all workers */
	double seconds;	    /* first worker's start to last worker's end */
	double cpu_seconds; /* CPU time of all workers in the window */
	uint64_t deferred_interrupts;
	struct lp_evidence evidence; /* all but the memory, which the caller reads back */
	struct lp_pmu pmu;	     /* sums over the workers; count = 0 if not asked for */
	double *rate;		     /* [run->cpus] operations a second of each; caller frees */
};

/**
 * lp_team_run() - run variant->run() of @run on one thread per CPU of the run.
 *
 * run->worker must be allocated and zeroed ([run->cpus]); os_cpu, node, seed set; setup done;
 * lp_cpus_init(run->cpus) done. The calling thread blocks interrupts and sleeps during the window.
 * Return: 0, or -errno with @err set (a thread that cannot be created or pinned); no thread is
 * left behind either way.
 */
int lp_team_run(struct lp_run *run, const struct lp_team_options *options,
	struct lp_team_result *result, struct lp_error *err);

#endif
