// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Up to 2.6.36 (mm/page_alloc.c, __alloc_pages_direct_reclaim()): after direct reclaim for an
 * order above 0, all CPUs are drained by interrupt, before anyone looks whether the free lists
 * have what is needed; order 0 never drains.
 */
#include "suites/pcp_drain/pcp_drain.h"

static bool ipi_always_drain(struct pcp_drain *s, struct pcp_cpu *c)
{
	pcp_ipi_drain(s, c, false);
	return true;
}

static struct page *ipi_always_retry(
	struct pcp_drain *s, struct pcp_cpu *c, unsigned order, int type)
{
	if (order)
		pcp_drain_pages(s, c);
	return s->algorithm->lists->alloc(s, c, order, type);
}

static const struct pcp_algorithm algorithm = {
	.lists = &pcp_plain,
	.retry = ipi_always_retry,
	.drain_all = ipi_always_drain,
};

const struct lp_variant pcp_drain_ipi_always = {
	.name = "ipi_always",
	.kernel = "<= 2.6.36",
	.summary =
		"after direct reclaim for order > 0, all CPUs are drained by IPI before any retry",
	.params = PCP_PARAMS_IPI,
	PCP_DRAIN_HOOKS(algorithm),
};
