/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gaps: the share of a thread's window in which it wanted to run and did not.
 *
 * The kernel keeps that time (/proc/thread-self/schedstat, second figure: nanoseconds spent
 * runnable but not running; Documentation/scheduler/sched-stats.rst). It is right also for threads
 * that sleep by design: a paced worker, a throttled writer, a waiter for a mutex. Where the kernel
 * does not keep it, wall time without CPU time stands for it, but only if the thread never slept.
 */
#ifndef LP_DRIVERS_GAPS_H
#define LP_DRIVERS_GAPS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_gaps {
	int fd;		  /* schedstat of the thread, −1: the kernel has none */
	bool delay_known; /* after lp_gaps_end(): delay_ns is the kernel's */
	uint64_t delay_ns, wall_ns, cpu_ns;
	long sleeps; /* voluntary context switches */
};

/** lp_gaps_open() - on the thread itself, ahead of the window: opening a file takes time. */
void lp_gaps_open(struct lp_gaps *g);

/** lp_gaps_begin() / lp_gaps_end() - around the window, on the thread; end closes and turns the
 * fields into differences. */
void lp_gaps_begin(struct lp_gaps *g);
void lp_gaps_end(struct lp_gaps *g);

/** lp_gaps_share() - 0..1, after lp_gaps_end(); NaN when it cannot be known. */
double lp_gaps_share(const struct lp_gaps *g);

#endif
