// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 3.4 (mm/page_alloc.c, drain_all_pages(), on_each_cpu_mask()): a look at every list, without any
 * lock, finds the CPUs that hold pages; only those are interrupted.
 */
#include "suites/pcp_drain/pcp_drain.h"

static bool ipi_masked_drain(struct pcp_drain *s, struct pcp_cpu *c)
{
	pcp_ipi_drain(s, c, true);
	return true;
}

static const struct pcp_algorithm algorithm = {
	.lists = &pcp_plain,
	.retry = pcp_retry_then_drain,
	.drain_all = ipi_masked_drain,
};

const struct lp_variant pcp_drain_ipi_masked = {
	.name = "ipi_masked",
	.kernel = "3.4-4.10",
	.summary = "as ipi_on_fail, but only CPUs that hold pages are interrupted",
	.params = PCP_PARAMS_IPI,
	PCP_DRAIN_HOOKS(algorithm),
};
