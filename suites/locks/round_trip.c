// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cache-line round trip of one pair of CPUs, as often as the window allows. One operation is
 * one round trip, so the row's time per operation is the figure.
 *
 * Both sides end together: side 0 sends the ball with its top bit set once it has seen the stop,
 * and does not wait for an answer to that.
 */
#include <errno.h>
#include <stdlib.h>

#include "suites/locks/locks.h"

#include "common/kernel/irq_poll.h"
#include "common/kernel/relax.h"

enum { ROUND_TRIP_BATCH = 64 };
#define LAST_BALL (1u << 31)

struct pair {
	_Atomic uint32_t ball LP_ALIGNED(LP_CACHE_PAIR);
};

static int round_trip_setup(struct lp_run *run, struct lp_error *err)
{
	run->state = lp_run_alloc(run, sizeof(struct pair), lp_run_cpu_node(run, 0), err);
	return run->state ? 0 : -err->code;
}

/* Acquire: pairs with the peer's release. */
static LP_ALWAYS_INLINE uint32_t wait_for_other(struct pair *p, uint32_t mine)
{
	uint32_t ball;

	while ((ball = atomic_load_explicit(&p->ball, memory_order_acquire)) == mine)
		cpu_relax();
	return ball;
}

static void serve(struct lp_worker *w, struct pair *p)
{
	uint32_t ball = 0;

	while (!lp_worker_stopped(w)) {
		for (int i = 0; i < ROUND_TRIP_BATCH; i++) {
			ball = (ball + 1) & ~LAST_BALL;
			atomic_store_explicit(&p->ball, ball, memory_order_release);
			ball = wait_for_other(p, ball);
		}
		lp_worker_batch_done(w, ROUND_TRIP_BATCH);
		lp_irq_poll();
	}
	atomic_store_explicit(&p->ball, ball | LAST_BALL, memory_order_release);
}

static void answer(struct pair *p)
{
	uint32_t ball = 0;

	while (!((ball = wait_for_other(p, ball)) & LAST_BALL)) {
		ball = (ball + 1) & ~LAST_BALL;
		atomic_store_explicit(&p->ball, ball, memory_order_release);
	}
}

static void round_trip_run(struct lp_worker *w)
{
	if (w->cpu == 0)
		serve(w, w->run->state);
	else
		answer(w->run->state);
}

static int round_trip_check(struct lp_run *run, struct lp_error *err)
{
	struct pair *p = run->state;

	if (!(atomic_load_explicit(&p->ball, memory_order_relaxed) & LAST_BALL))
		return lp_fail(err, EUCLEAN, "the round trip did not end with its last ball");
	return 0;
}

static void round_trip_report(struct lp_run *run, uint64_t ops, double seconds)
{
	lp_metrics_ratio(&run->metrics, "pair_rtt_ns", seconds * 1e9, (double)ops, "round trips");
	lp_metrics_absent(&run->metrics, "jain", "only one side counts");
}

static void round_trip_teardown(struct lp_run *run)
{
	run->state = NULL;
}

static void round_trip_placement(const struct lp_case *c, int *os_cpu)
{
	os_cpu[0] = (int)lp_case_get(c, "cpu");
	os_cpu[1] = (int)lp_case_get(c, "peer");
}

static const char *round_trip_unavailable(const struct lp_case *c, const struct lp_topology *t)
{
	const struct lp_topology_cpu *cpu = lp_topology_find(t, (int)lp_case_get(c, "cpu"));
	const struct lp_topology_cpu *peer = lp_topology_find(t, (int)lp_case_get(c, "peer"));

	if (c->threads != 2)
		return "a round trip takes two threads";
	if (!cpu || !peer || cpu == peer)
		return "there is no such pair of CPUs here";
	return cpu->allowed && peer->allowed ? NULL : "one of the CPUs may not be used here";
}

const struct lp_variant locks_round_trip = {
	.name = "round_trip",
	.kernel = "hardware",
	.summary = "a cache line passed to and fro between two CPUs",
	.params = 1u << LOCKS_CPU | 1u << LOCKS_PEER,
	.unavailable = round_trip_unavailable,
	.placement = round_trip_placement,
	.setup = round_trip_setup,
	.run = round_trip_run,
	.check = round_trip_check,
	.report = round_trip_report,
	.teardown = round_trip_teardown,
};
