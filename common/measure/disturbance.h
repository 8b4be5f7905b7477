/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence that somebody else had the CPUs during a window, and the verdict that follows.
 *
 * Every repetition carries this evidence; lp_verdict() turns it into valid, disturbed (run it
 * again) or invalid (it measured something else than it says). All thresholds stand in one table.
 */
#ifndef LP_MEASURE_DISTURBANCE_H
#define LP_MEASURE_DISTURBANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one thread saw between lp_disturbance_begin() and _end(); all differences. */
struct lp_disturbance {
	uint64_t involuntary_switches; /* getrusage(RUSAGE_THREAD) ru_nivcsw */
	uint64_t voluntary_switches;
	uint64_t cpu_ns; /* CPU time the thread got */
	uint64_t wall_ns;
	uint64_t steal_ms; /* of its CPU, /proc/stat; 0 when `steal_known` is false */
	bool steal_known;
	long khz; /* scaling_cur_freq of its CPU at the end, −1: not known */
	int os_cpu;
};

void lp_disturbance_begin(struct lp_disturbance *d, int os_cpu);
void lp_disturbance_end(struct lp_disturbance *d);

struct lp_evidence {
	int threads;
	bool pins_hold;
	bool memory_holds;    /* every read-back page was on its node */
	char memory_why[160]; /* why it does not, or could not be known; "" */
	double overlap;	      /* share of the longest thread's window in which all of them ran */
	double jain;	      /* Jain's index of the per-thread rates */
	double lost_share;    /* 1 − CPU time ÷ wall time of the worst thread: gaps */
	uint64_t involuntary_switches;
	uint64_t steal_ms;
	double rtt_before_ns, rtt_after_ns; /* cache-line round trip, NaN with one CPU */
	double window_s;
};

enum lp_verdict { LP_VALID = 0, LP_DISTURBED = 1, LP_INVALID = 2 };

/* The thresholds of lp_verdict(); documented where they are defined. */
struct lp_verdict_limits {
	double min_overlap;	   /* below: invalid */
	double max_lost_share;	   /* above: disturbed */
	double max_steal_share;	   /* above: disturbed */
	double allowed_switches;   /* per thread and window, whatever its length */
	double max_switches_per_s; /* per thread, beyond those; above: disturbed */
	double max_rtt_ratio;	   /* after ÷ before or its inverse; above: disturbed */
};
extern const struct lp_verdict_limits lp_verdict_limits;

/** lp_verdict() - judge @e. @why receives "" or the reasons, separated by "; ". */
enum lp_verdict lp_verdict(const struct lp_evidence *e, char *why, size_t size);

/** lp_jain() - Jain's fairness index of @n rates: 1 all equal, 1/n one has all. NaN for n = 0. */
double lp_jain(const double *rate, size_t n);

#endif
