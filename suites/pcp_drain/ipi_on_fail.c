// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 2.6.37 (mm/page_alloc.c, __alloc_pages_direct_reclaim()): the free lists are tried first; if
 * that fails, whatever the order, all CPUs are drained by interrupt and the lists tried again.
 */
#include "suites/pcp_drain/pcp_drain.h"

static bool ipi_on_fail_drain(struct pcp_drain *s, struct pcp_cpu *c)
{
	pcp_ipi_drain(s, c, false);
	return true;
}

static const struct pcp_algorithm algorithm = {
	.lists = &pcp_plain,
	.retry = pcp_retry_then_drain,
	.drain_all = ipi_on_fail_drain,
};

const struct lp_variant pcp_drain_ipi_on_fail = {
	.name = "ipi_on_fail",
	.kernel = "2.6.37-3.3",
	.summary = "the free lists first; on failure all CPUs are drained by IPI, once",
	.params = PCP_PARAMS_IPI,
	PCP_DRAIN_HOOKS(algorithm),
};
