/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two clocks: nanoseconds for windows and events, raw ticks for the insides of a lock.
 *
 * lp_clock_ns() costs about 20 ns; never call it once per operation. lp_ticks() is the CPU's own
 * constant-rate counter (TSC, CNTVCT), cheap enough for an observed lock, unfit across CPUs whose
 * counters are not synchronised.
 */
#ifndef LP_MEASURE_CLOCK_H
#define LP_MEASURE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define LP_NS_PER_S 1000000000ull

/** lp_clock_ns() - CLOCK_MONOTONIC in nanoseconds. Async-signal-safe, thread-safe. */
static inline uint64_t lp_clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * LP_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/** lp_thread_cpu_ns() - CPU time of the calling thread, nanoseconds. */
uint64_t lp_thread_cpu_ns(void);

/** lp_sleep_until_ns() - sleep until lp_clock_ns() reaches @deadline_ns; restarts on EINTR. */
void lp_sleep_until_ns(uint64_t deadline_ns);

/** lp_ticks() - the constant-rate counter of this CPU, in ticks of lp_ticks_per_s(). */
static inline uint64_t lp_ticks(void)
{
#if defined(__x86_64__)
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return ((uint64_t)hi << 32) | lo;
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#else
	return lp_clock_ns();
#endif
}

/** lp_ticks_per_s() - ticks a second, measured once against CLOCK_MONOTONIC (takes 5 ms). */
double lp_ticks_per_s(void);

/** lp_ticks_to_ns() - a difference of ticks in nanoseconds. */
double lp_ticks_to_ns(uint64_t ticks);

#endif
