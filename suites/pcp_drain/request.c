// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asking a CPU to drain when it next looks, in task context: work queued to its worker, or what
 * the membarrier interrupt announces.
 *
 * A request is a ticket: `requested` counts up, the target answers all tickets up to the number
 * it saw by storing that number. Several that meet are answered by one drain; only the first of
 * them can find pages.
 *
 * A CPU that leaves at the end of a run drains itself and takes no further requests, as one that
 * goes offline. `online` and `requested` are both sequentially consistent: either the initiator
 * sees that the CPU has left, or the CPU's last look sees the request.
 */
#include "suites/pcp_drain/pcp_drain.h"

#include "common/kernel/irq_poll.h"
#include "common/kernel/relax.h"

bool pcp_request(struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of)
{
	(void)s;
	if (!atomic_load_explicit(&of->online, memory_order_seq_cst))
		return false;
	c->ticket[of->id] = atomic_fetch_add_explicit(&of->requested, 1, memory_order_seq_cst) + 1;
	c->n.requests++;
	return true;
}

/* Kept out of pcp_poll(), which every batch crosses. */
LP_NOINLINE void pcp_answer(struct pcp_drain *s, struct pcp_cpu *c)
{
	unsigned long answered = atomic_load_explicit(&c->answered, memory_order_relaxed);
	unsigned long requested = atomic_load_explicit(&c->requested, memory_order_seq_cst);
	unsigned pages;

	if (requested == answered)
		return;
	pages = pcp_answer_one(s, c);
	c->n.handled += requested - answered - 1;
	c->n.given_pages += pages;
	/* Release: the pages are in the zone; pairs with has_answered(). */
	atomic_store_explicit(&c->answered, requested, memory_order_release);
}

static bool has_answered(const struct pcp_cpu *of, unsigned long ticket)
{
	return (long)(atomic_load_explicit(&of->answered, memory_order_acquire) - ticket) >= 0;
}

static void await(struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of)
{
	while (!has_answered(of, c->ticket[of->id])) {
		if (!atomic_load_explicit(&of->online, memory_order_seq_cst)) {
			c->n.offline_answers++;
			return;
		}
		pcp_poll(s, c);
		cpu_relax();
		lp_irq_poll();
	}
	c->n.answers++;
}

void pcp_request_wait(struct pcp_drain *s, struct pcp_cpu *c)
{
	for (int i = 0; i < s->cpus; i++) {
		if (!c->ticket[i])
			continue;
		await(s, c, s->cpu[i]);
		c->ticket[i] = 0;
	}
}

void pcp_leave(struct pcp_drain *s, struct pcp_cpu *c)
{
	atomic_store_explicit(&c->online, false, memory_order_seq_cst);
	pcp_answer(s, c);
}
