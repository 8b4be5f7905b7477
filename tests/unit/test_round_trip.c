// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two real threads passing a line, and a player whose peer never comes or leaves in the middle.
 *
 * Where the machine's only CPU is shared a pass takes a time slice, so the players then do what
 * they can and only giving up is tested.
 */
#include "common/measure/round_trip.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/measure/clock.h"

enum {
	ROUNDS = 800,
	/* A loaded machine may keep a thread off its CPU for 200 ms, but not every time. */
	TRIES = 20,
	GIVE_UP_NS = 200000000,
};

struct player {
	struct lp_round_trip *trip;
	int side;
	uint64_t late_ns;
	double ns;
};

static void *play(void *argument)
{
	struct player *p = argument;

	if (p->late_ns)
		lp_sleep_until_ns(lp_clock_ns() + p->late_ns);
	p->ns = lp_round_trip_play(p->trip, p->side, ROUNDS);
	return NULL;
}

/* Side 1 begins @late_ns after side 0. Return: whether both came to an end. */
static bool play_both(double ns[2], uint64_t late_ns)
{
	static struct lp_round_trip trip;
	struct player player[2] = {{&trip, 0, 0, 0}, {&trip, 1, late_ns, 0}};
	pthread_t thread;

	lp_round_trip_init(&trip);
	assert_int_equal(pthread_create(&thread, NULL, play, &player[1]), 0);
	play(&player[0]);
	pthread_join(thread, NULL);
	ns[0] = player[0].ns;
	ns[1] = player[1].ns;
	return !isnan(ns[0]) && !isnan(ns[1]);
}

static bool one_cpu(void)
{
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	return CPU_COUNT(&allowed) < 2;
}

static void play_until_ended(double ns[2], uint64_t late_ns)
{
	for (int i = 0; i < TRIES; i++)
		if (play_both(ns, late_ns))
			return;
	fail_msg("no end in %d tries", TRIES);
}

static void test_both_sides_measure(void **state)
{
	double ns[2];

	if (one_cpu())
		skip();
	play_until_ended(ns, 0);
	assert_true(isfinite(ns[0]) && ns[0] > 0);
	assert_true(isfinite(ns[1]) && ns[1] > 0);
}

/* Waiting for a late peer is no part of the time: it would be a thousand times what both see. */
static void test_a_late_peer_is_waited_for(void **state)
{
	const uint64_t late_ns = 100000000;
	double ns[2];

	if (one_cpu())
		skip();
	play_until_ended(ns, late_ns);
	assert_true(ns[0] < (double)late_ns * 8 / ROUNDS);
}

static void assert_gives_up(struct lp_round_trip *trip, int side)
{
	uint64_t start_ns = lp_clock_ns(), took_ns;

	assert_true(isnan(lp_round_trip_play(trip, side, ROUNDS)));
	took_ns = lp_clock_ns() - start_ns;
	assert_true(took_ns >= GIVE_UP_NS);
	assert_true(took_ns < 100ull * GIVE_UP_NS);
}

static void test_gives_up_when_nobody_comes(void **state)
{
	static struct lp_round_trip trip;

	for (int side = 0; side < 2; side++) {
		lp_round_trip_init(&trip);
		assert_gives_up(&trip, side);
	}
}

/* A peer that said it was there, and was never seen again. */
static void test_gives_up_when_the_peer_leaves(void **state)
{
	static struct lp_round_trip trip;

	for (int side = 0; side < 2; side++) {
		lp_round_trip_init(&trip);
		atomic_store_explicit(&trip.ready, 1, memory_order_relaxed);
		assert_gives_up(&trip, side);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_sides_measure),
		cmocka_unit_test(test_a_late_peer_is_waited_for),
		cmocka_unit_test(test_gives_up_when_nobody_comes),
		cmocka_unit_test(test_gives_up_when_the_peer_leaves),
	};

	return cmocka_run_group_tests_name("round_trip", tests, NULL, NULL);
}
