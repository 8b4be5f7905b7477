/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache-line round trip between two threads: one line passed to and fro with a store and a
 * spinning load on each side. It says how far apart two CPUs are, which on a virtual machine
 * changes from minute to minute.
 */
#ifndef LP_MEASURE_ROUND_TRIP_H
#define LP_MEASURE_ROUND_TRIP_H

#include <stdatomic.h>
#include <stdint.h>

#include "common/compiler.h"

struct lp_round_trip {
	_Atomic uint32_t ball LP_ALIGNED(LP_CACHE_PAIR);
	_Atomic uint32_t ready LP_ALIGNED(LP_CACHE_PAIR);
};

/** lp_round_trip_init() - make it ready for one lp_round_trip_play(). */
void lp_round_trip_init(struct lp_round_trip *r);

/**
 * lp_round_trip_play() - both threads call it, one with @side 0 and one with 1.
 * @rounds: at least 100; both sides give the same.
 *
 * The time is the least of eight equal parts, so that a preemption does not spoil it. Gives up
 * after 200 ms without progress (the peer never came).
 * Return: nanoseconds a round trip, NaN when given up.
 */
double lp_round_trip_play(struct lp_round_trip *r, int side, uint32_t rounds);

#endif
