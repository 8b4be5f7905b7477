// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Floating proportions: whose events were the recent ones. Following lib/proportions.c, 2.6.24.
 *
 * Time is counted in events, in periods of 2^shift of them. Each half period halves everybody's
 * count, but only when that one is next looked at: it then halves once for each half period it
 * has missed. A share is count ÷ (half a period + events of the half period going on), so one that
 * has never had an event has a share of 0, and earns it over whole periods of *everybody's* events.
 *
 * When the limit changes, so does the period: everybody's events are scaled with it, but the
 * counts of each are not. So a share becomes smaller as the limit becomes larger, and limit × share
 * stays where it was.
 *
 * The halving of per-CPU counts is the one with which 2.6.24 was released: one subtraction, from
 * the exact sum where the cheap one could be wrong altogether.
 */
#include "suites/dirty_throttle/counters.h"

static uint64_t half_period(const struct dt_prop *p)
{
	return 1ull << (p->shift - 1);
}

static uint64_t period_now(struct dt_prop *p)
{
	return (uint64_t)percpu_counter_read(&p->events) & ~(half_period(p) - 1);
}

static uint64_t rescale(uint64_t x, unsigned from, unsigned to)
{
	return to > from ? x << (to - from) : x >> (from - to);
}

void dt_prop_change_shift(struct dt_prop *p, unsigned shift)
{
	int64_t sum = percpu_counter_sum(&p->events, p->flavour);
	int64_t scaled = (int64_t)rescale((uint64_t)sum, p->shift, shift);

	percpu_counter_add(&p->events, scaled - sum, p->flavour);
	p->shift = shift;
}

static void decay(struct dt_prop *p, struct dt_prop_percpu *local, uint64_t missed)
{
	struct percpu_counter *c = &local->events;
	int64_t value = percpu_counter_read(c);

	if (missed > 62 || value < (int64_t)c->cpus * c->batch)
		value = percpu_counter_sum(c, p->flavour);
	percpu_counter_add(c, (missed > 62 ? 0 : value >> missed) - value, p->flavour);
}

static void catch_up_percpu(struct dt_prop *p, struct dt_prop_percpu *local)
{
	uint64_t now = period_now(p);
	uint64_t then;

	if (likely(atomic_load_explicit(&local->period, memory_order_relaxed) == now))
		return;
	spin_lock(&local->lock, p->flavour);
	then = atomic_load_explicit(&local->period, memory_order_relaxed);
	then = rescale(then, local->shift, p->shift);
	local->shift = p->shift;
	/* Another CPU may have caught up meanwhile, with a later count than ours. */
	if (now > then) {
		decay(p, local, (now - then) >> (p->shift - 1));
		then = now;
	}
	atomic_store_explicit(&local->period, then, memory_order_relaxed);
	spin_unlock(&local->lock, p->flavour);
}

static void catch_up_single(struct dt_prop *p, struct dt_prop_single *local)
{
	uint64_t now = period_now(p);
	uint64_t then = rescale(local->period, local->shift, p->shift);
	uint64_t missed = now > then ? (now - then) >> (p->shift - 1) : 0;

	local->events = missed > 62 ? 0 : local->events >> missed;
	local->period = now;
	local->shift = p->shift;
}

void dt_prop_inc_percpu(struct dt_prop *p, struct dt_prop_percpu *local)
{
	catch_up_percpu(p, local);
	percpu_counter_add(&local->events, 1, p->flavour);
	percpu_counter_add(&p->events, 1, p->flavour);
}

void dt_prop_inc_single(struct dt_prop *p, struct dt_prop_single *local)
{
	catch_up_single(p, local);
	local->events++;
	percpu_counter_add(&p->events, 1, p->flavour);
}

static uint64_t denominator(struct dt_prop *p)
{
	uint64_t half = half_period(p);

	return half + ((uint64_t)percpu_counter_read(&p->events) & (half - 1));
}

struct dt_fraction dt_prop_fraction_percpu(struct dt_prop *p, struct dt_prop_percpu *local)
{
	catch_up_percpu(p, local);
	return (struct dt_fraction){dt_counter_read(&local->events), denominator(p)};
}

struct dt_fraction dt_prop_fraction_single(struct dt_prop *p, struct dt_prop_single *local)
{
	catch_up_single(p, local);
	return (struct dt_fraction){local->events, denominator(p)};
}
