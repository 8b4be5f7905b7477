// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 6.x (mm/page_alloc.c, drain_pages_zone(), struct per_cpu_pages.lock): each list has a spinlock
 * of its own, which the fast path tries, and the initiator empties every list that holds pages by
 * itself, in chunks. Nobody is interrupted.
 */
#include "suites/pcp_drain/pcp_drain.h"

static bool remote_lock_drain(struct pcp_drain *s, struct pcp_cpu *c)
{
	for (int i = 0; i < s->cpus; i++) {
		unsigned pages;

		if (s->cpu[i] == c)
			continue;
		if (!pcp_holds(s->cpu[i])) {
			c->n.masked_off++;
			continue;
		}
		pages = s->algorithm->lists->drain(s, c, s->cpu[i]);
		c->n.drain_pages += pages;
		c->n.drain_remote_pages += pages;
	}
	pcp_drain_local(s, c);
	return true;
}

static const struct pcp_algorithm algorithm = {
	.lists = &pcp_locked,
	.retry = pcp_retry_then_drain,
	.drain_all = remote_lock_drain,
};

const struct lp_variant pcp_drain_remote_lock = {
	.name = "remote_lock",
	.kernel = "6.x",
	.summary = "each list has a lock: the initiator empties it itself, nobody is interrupted",
	.params = PCP_PARAMS_COMMON,
	PCP_DRAIN_HOOKS(algorithm),
};
