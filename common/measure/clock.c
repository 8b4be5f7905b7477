// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cold side of the clocks: CPU time, sleeping, and the rate of the tick counter.
 *
 * The rate is measured and not read, because no interface gives it to user space on every machine
 * (a hypervisor may scale it, and a CPU's name says the nominal frequency). What would invalidate
 * it: a counter whose rate changes with the CPU's frequency (x86 before constant_tsc), or a
 * virtual machine that is moved to another host after the measurement.
 */
#include "common/measure/clock.h"

#include <errno.h>
#include <pthread.h>

enum { CALIBRATION_NS = 5000000 };

uint64_t lp_thread_cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * LP_NS_PER_S + (uint64_t)ts.tv_nsec;
}

void lp_sleep_until_ns(uint64_t deadline_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(deadline_ns / LP_NS_PER_S),
		.tv_nsec = (long)(deadline_ns % LP_NS_PER_S),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

/* Ticks and nanoseconds read as close together as a preemption between them allows: the pair with
 * the shortest gap of several tries. */
static void read_both(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 16; i++) {
		uint64_t before = lp_ticks(), now_ns = lp_clock_ns(), after = lp_ticks();

		if (after - before >= best)
			continue;
		best = after - before;
		*ticks = before + (after - before) / 2;
		*ns = now_ns;
	}
}

static double rate;
static pthread_once_t rate_once = PTHREAD_ONCE_INIT;

static void measure_rate(void)
{
	uint64_t ticks[2], ns[2];

	read_both(&ticks[0], &ns[0]);
	lp_sleep_until_ns(ns[0] + CALIBRATION_NS);
	read_both(&ticks[1], &ns[1]);
	rate = (double)(ticks[1] - ticks[0]) * 1e9 / (double)(ns[1] - ns[0]);
}

double lp_ticks_per_s(void)
{
	pthread_once(&rate_once, measure_rate);
	return rate;
}

double lp_ticks_to_ns(uint64_t ticks)
{
	return (double)ticks * 1e9 / lp_ticks_per_s();
}
