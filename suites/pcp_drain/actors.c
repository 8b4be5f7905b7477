// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the pinned threads do, in turns; between two turns a CPU answers what others ask of it.
 *
 * allocator: allocates orders 0 to 3. What fails goes through direct reclaim in stages, so that
 * other CPUs run (or, in exact mode, are played) between the failure, the reclaim and the retry,
 * as they do in the many microseconds that reclaim takes. Reclaim frees a cluster of single pages
 * of its own, which land on the reclaimer's own list.
 *
 * freer: takes and gives bursts of single pages at random, so that its list holds stranded pages.
 *
 * victim: the fast path alone; what drains cost it is what it feels of the others.
 */
#include "suites/pcp_drain/pcp_drain.h"

#include <math.h>

#include "common/kernel/irq_poll.h"
#include "common/kernel/relax.h"

enum {
	ALLOCATOR_STEPS = 16,
	VICTIM_PAGES = 16,
	FREER_BURST = 64,
};

/* Pages that others hold back, as a CPU in need sees them. */
static void sample_stranded(struct pcp_drain *s, struct pcp_cpu *c)
{
	unsigned stranded = 0;

	for (int i = 0; i < s->cpus; i++)
		if (i != c->id)
			stranded +=
				atomic_load_explicit(&s->cpu[i]->pcp.count, memory_order_relaxed);
	c->n.stranded_samples++;
	c->n.stranded_sum += stranded;
	if (stranded > c->n.stranded_max)
		c->n.stranded_max = stranded;
}

/* The oldest pages of the cache; blocks of higher orders only when there are no pages. */
static void reclaim_cluster(struct pcp_drain *s, struct pcp_cpu *c)
{
	const struct pcp_lists *lists = s->algorithm->lists;
	unsigned had = pcp_held_count(&c->lru),
		 freed = had < SWAP_CLUSTER_MAX ? had : SWAP_CLUSTER_MAX;

	lists->give(s, c, SWAP_CLUSTER_MAX);
	while (freed < SWAP_CLUSTER_MAX && pcp_held_count(&c->blocks)) {
		unsigned order = c->blocks.page[c->blocks.tail & c->blocks.mask]->order;

		lists->free(s, c, pcp_oldest(&c->blocks, order), order);
		freed += 1u << order;
	}
	c->n.reclaims++;
}

/* Scanning, unmapping, writing: time in which others go on, and in which interrupts are on. */
static void spend_reclaim_time(struct pcp_drain *s, struct pcp_cpu *c)
{
	uint64_t until_ns = lp_clock_ns() + s->reclaim_ns;

	while (lp_clock_ns() < until_ns) {
		pcp_poll(s, c);
		cpu_relax();
		lp_irq_poll();
	}
}

void pcp_alloc_done(struct pcp_drain *s, struct pcp_cpu *c, struct page *page)
{
	c->stage = PCP_STAGE_TRY;
	if (s->observed)
		lp_histogram_record(&c->latency_ticks, lp_ticks() - c->from_ticks);
	if (!page) {
		c->n.gave_up_allocs++;
		return;
	}
	c->n.allocs++;
	c->n.got[c->order]++;
	page->order = c->order;
	pcp_hold(c->order ? &c->blocks : &c->lru, page, c->order);
}

static void retry(struct pcp_drain *s, struct pcp_cpu *c)
{
	struct page *page = s->algorithm->retry(s, c, c->order, c->type);

	c->n.retries++;
	c->n.retry_successes += page != NULL;
	if (page || ++c->rounds == PCP_RECLAIM_ROUNDS)
		pcp_alloc_done(s, c, page);
	else
		c->stage = PCP_STAGE_RECLAIM;
}

void pcp_slow_stage(struct pcp_drain *s, struct pcp_cpu *c)
{
	if (c->stage == PCP_STAGE_RETRY) {
		retry(s, c);
		return;
	}
	if (s->exact && c->reclaim_turns++ < s->reclaim_turns)
		return;
	c->reclaim_turns = 0;
	if (s->exact || s->observed)
		sample_stranded(s, c);
	if (!s->exact)
		spend_reclaim_time(s, c);
	reclaim_cluster(s, c);
	c->stage = PCP_STAGE_RETRY;
}

static void allocator_turn(struct pcp_drain *s, struct pcp_cpu *c)
{
	uint64_t before = c->n.allocs;

	if (c->stage == PCP_STAGE_TRY)
		s->algorithm->lists->allocate(s, c, s->exact ? 1 : ALLOCATOR_STEPS);
	else
		pcp_slow_stage(s, c);
	pcp_note_window(s, c, 0, (unsigned)(c->n.allocs - before));
}

static void freer_turn(struct pcp_drain *s, struct pcp_cpu *c)
{
	const struct pcp_lists *lists = s->algorithm->lists;
	unsigned burst = 1 + lp_random_below(&c->random, FREER_BURST);

	if (c->lru.pages + burst > s->freer_cap || lp_random(&c->random) & 1)
		lists->give(s, c, burst);
	else
		lists->take(s, c, burst);
}

static void victim_turn(struct pcp_drain *s, struct pcp_cpu *c)
{
	s->algorithm->lists->take(s, c, VICTIM_PAGES);
	s->algorithm->lists->give(s, c, VICTIM_PAGES);
}

void pcp_turn(struct pcp_drain *s, struct pcp_cpu *c)
{
	switch (c->role) {
	case PCP_ALLOCATOR:
		allocator_turn(s, c);
		break;
	case PCP_FREER:
		freer_turn(s, c);
		break;
	case PCP_VICTIM:
		victim_turn(s, c);
	}
}

void pcp_drain_run(struct lp_worker *w)
{
	struct pcp_drain *s = w->run->state;
	struct pcp_cpu *c = s->cpu[w->cpu];

	pcp_calls_begin(s, c);
	while (!lp_worker_stopped(w)) {
		uint64_t before = c->n.allocs;

		pcp_turn(s, c);
		pcp_poll(s, c);
		lp_irq_poll();
		lp_worker_batch_done(w, c->n.allocs - before);
	}
	pcp_leave(s, c);
	pcp_calls_end(s, c);
}
