// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 4.11 (mm/page_alloc.c, drain_all_pages(), pcpu_drain_mutex): work is queued to each CPU that
 * holds pages, whose worker drains in task context, and the initiator flushes all of it. One drain
 * at a time: a caller that finds one under way returns without.
 *
 * The worker of a CPU is played by its thread, at its next scheduling point: the end of a batch.
 */
#include "suites/pcp_drain/pcp_drain.h"

/* One CPU after the other, as the player of all of them. */
static void play_work(struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of)
{
	unsigned pages;

	c->n.requests++;
	lp_cpu_enter(of->id);
	pages = pcp_answer_one(s, of);
	lp_cpu_enter(c->id);
	c->n.answers++;
	c->n.drain_pages += pages;
	c->n.drain_remote_pages += pages;
}

static void queue_work(struct pcp_drain *s, struct pcp_cpu *c)
{
	for (int i = 0; i < s->cpus; i++) {
		struct pcp_cpu *of = s->cpu[i];

		if (of == c)
			continue;
		if (!pcp_holds(of)) {
			c->n.masked_off++;
			continue;
		}
		if (s->exact)
			play_work(s, c, of);
		else if (!pcp_request(s, c, of))
			continue;
		c->n.works++;
	}
}

static bool workqueue_drain(struct pcp_drain *s, struct pcp_cpu *c)
{
	/* Acquire: pairs with the release below, by the drain before. */
	if (atomic_exchange_explicit(&s->draining, true, memory_order_acquire))
		return false;
	queue_work(s, c);
	pcp_drain_local(s, c);
	pcp_request_wait(s, c);
	atomic_store_explicit(&s->draining, false, memory_order_release);
	return true;
}

static const struct pcp_algorithm algorithm = {
	.lists = &pcp_plain,
	.retry = pcp_retry_then_drain,
	.drain_all = workqueue_drain,
};

const struct lp_variant pcp_drain_workqueue = {
	.name = "workqueue",
	.kernel = "4.11-5.18",
	.summary = "the same mask, work queued to each CPU and flushed; one drain at a time",
	.params = PCP_PARAMS_COMMON,
	PCP_DRAIN_HOOKS(algorithm),
};
