/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Actors and their loops: state machines that do a little in a step and then name the time, or
 * the event, they go on at. An actor belongs to one loop and is only touched by whoever plays it.
 */
#ifndef LP_SUITES_DIRTY_THROTTLE_EVENTS_H
#define LP_SUITES_DIRTY_THROTTLE_EVENTS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

#define DT_NEVER UINT64_MAX
#define DT_MS 1000000ull

struct dt;
struct dt_loop;

struct dt_actor {
	void (*step)(struct dt *s, struct dt_actor *a);
	struct dt_loop *loop;
	uint64_t due_ns, order;	 /* of equal times, who has waited longest */
	size_t place;		 /* in the loop's heap */
	_Atomic uint32_t *event; /* goes on as soon as it is not @seen; NULL: at due_ns only */
	uint32_t seen;
	int cpu;
};

struct dt_loop {
	struct dt *s;
	struct dt_actor **heap;
	size_t actors;
	uint64_t now_ns, orders;
	uint32_t wakes_seen;
} LP_ALIGNED(LP_CACHE_PAIR);

/** dt_actor_add() - let @a take part from @due_ns on. The heap has room for all actors. */
void dt_actor_add(struct dt_loop *l, struct dt_actor *a, uint64_t due_ns);
/** dt_at() - @a goes on at @due_ns. Every step ends with this or dt_wait(). */
void dt_at(struct dt_actor *a, uint64_t due_ns);
/** dt_wait() - @a goes on when @event is no longer @seen, at @due_ns at the latest. */
void dt_wait(struct dt_actor *a, _Atomic uint32_t *event, uint32_t seen, uint64_t due_ns);
/** dt_event_look() - what to give to dt_wait(); look before checking what one waits for. */
static inline uint32_t dt_event_look(_Atomic uint32_t *event)
{
	/* Acquire: pairs with dt_event_raise(). */
	return atomic_load_explicit(event, memory_order_acquire);
}
/** dt_event_raise() - all that wait for @event go on, on whatever loop. */
void dt_event_raise(struct dt *s, _Atomic uint32_t *event);
/** dt_loop_next() - the actor that is due first, after waking those whose events have come. */
struct dt_actor *dt_loop_next(struct dt_loop *l);

static inline uint64_t dt_now(const struct dt_actor *a)
{
	return a->loop->now_ns;
}

#endif
