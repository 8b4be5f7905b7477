// SPDX-License-Identifier: GPL-2.0-or-later
/* 6.x: as deactivate; if a page failed, drain all CPUs and make a second pass (mm/fadvise.c,
 * mm/truncate.c, mm/swap.c). */
#include "suites/lru_deactivate/lru_deactivate.h"

void ld_advise_and_drain_all(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start, unsigned n)
{
	ld_flush_range(s, c, id, start, n);
	if (!invalidate_mapping_pages(s, c, id, start, n, deactivate_page))
		return;
	/* Batches hold references: pages in them could not be dropped. */
	ld_drain_all(s, c);
	invalidate_mapping_pages(s, c, id, start, n, deactivate_page);
}

static const struct deactivate_algorithm algorithm = {
	.advise = ld_advise_and_drain_all,
	.noreuse = false,
};

const struct lp_variant lru_deactivate_deactivate_drain_all = {
	.name = "deactivate_drain_all",
	.kernel = "6.x",
	.summary = "as deactivate; if a page failed, drain all CPUs and make a second pass",
	LRU_DEACTIVATE_HOOKS(algorithm),
};
