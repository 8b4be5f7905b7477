// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Actors in order of time: a binary heap by due time, ties in the order in which they asked.
 *
 * Events are counters. Whoever raises one does not know who waits, nor on which CPU: a loop sees
 * that some event was raised anywhere and looks at what its own actors wait for. That costs a walk
 * over its actors per event, which is nothing beside a device's request, and needs no queue that
 * CPUs would share.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

static bool earlier(const struct dt_actor *a, const struct dt_actor *b)
{
	return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void put(struct dt_loop *l, struct dt_actor *a, size_t place)
{
	l->heap[place] = a;
	a->place = place;
}

static void sift_up(struct dt_loop *l, struct dt_actor *a)
{
	size_t place = a->place;

	while (place && earlier(a, l->heap[(place - 1) / 2])) {
		put(l, l->heap[(place - 1) / 2], place);
		place = (place - 1) / 2;
	}
	put(l, a, place);
}

static void sift_down(struct dt_loop *l, struct dt_actor *a)
{
	size_t place = a->place;

	for (;;) {
		size_t child = 2 * place + 1;

		if (child + 1 < l->actors && earlier(l->heap[child + 1], l->heap[child]))
			child++;
		if (child >= l->actors || earlier(a, l->heap[child]))
			break;
		put(l, l->heap[child], place);
		place = child;
	}
	put(l, a, place);
}

static void move_to(struct dt_actor *a, uint64_t due_ns)
{
	a->due_ns = due_ns;
	sift_up(a->loop, a);
	sift_down(a->loop, a);
}

static void set_due(struct dt_actor *a, uint64_t due_ns)
{
	a->order = a->loop->orders++;
	move_to(a, due_ns);
}

void dt_actor_add(struct dt_loop *l, struct dt_actor *a, uint64_t due_ns)
{
	a->loop = l;
	put(l, a, l->actors++);
	dt_at(a, due_ns);
}

void dt_at(struct dt_actor *a, uint64_t due_ns)
{
	a->event = NULL;
	set_due(a, due_ns);
}

void dt_wait(struct dt_actor *a, _Atomic uint32_t *event, uint32_t seen, uint64_t due_ns)
{
	/* It may have been raised since the caller looked, and the loop told of it already. */
	if (dt_event_look(event) != seen) {
		dt_at(a, a->loop->now_ns);
		return;
	}
	a->event = event;
	a->seen = seen;
	set_due(a, due_ns);
}

void dt_event_raise(struct dt *s, _Atomic uint32_t *event)
{
	/* Release: who sees the event sees why; pairs with dt_event_look(). */
	atomic_fetch_add_explicit(event, 1, memory_order_release);
	/* Release: who sees this sees the event; pairs with wake(). */
	atomic_fetch_add_explicit(&s->wakes, 1, memory_order_release);
}

/*
 * Waking moves an actor towards the root, to places that have yet to be looked at: hence from the
 * end. All that wait are woken, in the order in which they began to, so that the first comes first
 * and the rest, if there is nothing for them, line up again behind nobody.
 */
static void wake(struct dt_loop *l)
{
	/* Acquire: pairs with dt_event_raise(). */
	uint32_t wakes = atomic_load_explicit(&l->s->wakes, memory_order_acquire);

	if (wakes == l->wakes_seen)
		return;
	l->wakes_seen = wakes;
	for (size_t i = l->actors; i-- > 0;) {
		struct dt_actor *a = l->heap[i];

		while (a->event && dt_event_look(a->event) != a->seen) {
			a->event = NULL;
			move_to(a, l->now_ns);
			a = l->heap[i]; /* another one has come here from above */
		}
	}
}

struct dt_actor *dt_loop_next(struct dt_loop *l)
{
	wake(l);
	return l->heap[0];
}
