// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Passing one cache line to and fro; round_trip.h says what for.
 *
 * Side 0 writes odd numbers and waits for even ones, side 1 the reverse. The clock is read once an
 * eighth, and while waiting only every few thousand looks, so that it does not slow the ball down.
 * What would invalidate it: both sides on one CPU, where each pass takes a time slice.
 */
#include "common/measure/round_trip.h"

#include <math.h>
#include <stdbool.h>

#include "common/kernel/relax.h"
#include "common/measure/clock.h"

enum {
	PARTS = 8,
	LOOKS_PER_CLOCK = 4096,
	GIVE_UP_NS = 200000000,
};

void lp_round_trip_init(struct lp_round_trip *r)
{
	atomic_init(&r->ball, 0);
	atomic_init(&r->ready, 0);
}

/* Acquire: pairs with the peer's release store of the same variable. */
static bool wait_for(_Atomic uint32_t *what, uint32_t value)
{
	uint64_t deadline_ns = 0;

	for (uint32_t looks = 1;; looks++) {
		if (atomic_load_explicit(what, memory_order_acquire) == value)
			return true;
		cpu_relax();
		if (looks % LOOKS_PER_CLOCK)
			continue;
		if (!deadline_ns)
			deadline_ns = lp_clock_ns() + GIVE_UP_NS;
		else if (lp_clock_ns() > deadline_ns)
			return false;
	}
}

/* Neither side begins before the other is there. Return: false when it never came. */
static bool meet(struct lp_round_trip *r)
{
	atomic_fetch_add_explicit(&r->ready, 1, memory_order_acq_rel);
	return wait_for(&r->ready, 2);
}

/* @rounds exchanges, from ball number @from. */
static bool exchange(struct lp_round_trip *r, int side, uint32_t from, uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t even = from + 2 * i;

		if (side == 0) {
			atomic_store_explicit(&r->ball, even + 1, memory_order_release);
			if (!wait_for(&r->ball, even + 2))
				return false;
		} else {
			if (!wait_for(&r->ball, even + 1))
				return false;
			atomic_store_explicit(&r->ball, even + 2, memory_order_release);
		}
	}
	return true;
}

double lp_round_trip_play(struct lp_round_trip *r, int side, uint32_t rounds)
{
	uint32_t part = rounds / PARTS;
	double best_ns = INFINITY;

	if (!meet(r))
		return NAN;
	for (uint32_t p = 0; p < PARTS; p++) {
		uint64_t from_ns = lp_clock_ns();
		double ns;

		if (!exchange(r, side, 2 * p * part, part))
			return NAN;
		ns = (double)(lp_clock_ns() - from_ns) / part;
		if (ns < best_ns)
			best_ns = ns;
	}
	return best_ns;
}
