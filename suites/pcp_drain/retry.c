// SPDX-License-Identifier: GPL-2.0-or-later
/* What several generations do alike after direct reclaim, and the counts around every drain. */
#include "suites/pcp_drain/pcp_drain.h"

void pcp_drain_pages(struct pcp_drain *s, struct pcp_cpu *c)
{
	uint64_t from = s->exact ? 0 : lp_ticks();

	if (!s->algorithm->drain_all(s, c)) {
		c->n.drains_skipped++;
		return;
	}
	c->n.drains++;
	if (!s->exact)
		lp_histogram_record(&c->wait_ticks, lp_ticks() - from);
	pcp_note_window(s, c, 1, 0);
}

struct page *pcp_retry_then_drain(struct pcp_drain *s, struct pcp_cpu *c, unsigned order, int type)
{
	struct page *page = s->algorithm->lists->alloc(s, c, order, type);

	if (page)
		return page;
	pcp_drain_pages(s, c);
	return s->algorithm->lists->alloc(s, c, order, type);
}
