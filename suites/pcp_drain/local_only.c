// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * As direct compaction did in the 3.0 era (mm/page_alloc.c, __alloc_pages_direct_compact(),
 * drain_pages(get_cpu())): only the own list is drained. Pages on other lists stay there.
 */
#include "suites/pcp_drain/pcp_drain.h"

static bool local_only_drain(struct pcp_drain *s, struct pcp_cpu *c)
{
	pcp_drain_local(s, c);
	return true;
}

static const struct pcp_algorithm algorithm = {
	.lists = &pcp_plain,
	.retry = pcp_retry_then_drain,
	.drain_all = local_only_drain,
};

const struct lp_variant pcp_drain_local_only = {
	.name = "local_only",
	.kernel = "3.0 era, direct compaction",
	.summary = "as ipi_on_fail, but only the own CPU is drained",
	.params = PCP_PARAMS_COMMON,
	PCP_DRAIN_HOOKS(algorithm),
};
