// SPDX-License-Identifier: GPL-2.0-or-later
/* 6.3 on: as deactivate_drain_all, and the stream's accesses carry no recency (mm/fadvise.c,
 * mm/truncate.c, mm/swap.c). */
#include "suites/lru_deactivate/lru_deactivate.h"

static void advise(
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
	.advise = advise,
	.noreuse = true,
};

const struct lp_variant lru_deactivate_noreuse = {
	.name = "noreuse",
	.kernel = "6.3 on",
	.summary = "as deactivate_drain_all, and the stream's accesses carry no recency",
	LRU_DEACTIVATE_HOOKS(algorithm),
};
