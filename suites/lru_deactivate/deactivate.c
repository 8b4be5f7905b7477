// SPDX-License-Identifier: GPL-2.0-or-later
/* 2.6.39: what cannot be dropped goes to the inactive list in batches, dirty pages with PG_reclaim
 * (mm/fadvise.c, mm/truncate.c, mm/swap.c). */
#include "suites/lru_deactivate/lru_deactivate.h"

static void advise(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start, unsigned n)
{
	ld_flush_range(s, c, id, start, n);
	invalidate_mapping_pages(s, c, id, start, n, deactivate_page);
}

static const struct deactivate_algorithm algorithm = {
	.advise = advise,
	.noreuse = false,
};

const struct lp_variant lru_deactivate_deactivate = {
	.name = "deactivate",
	.kernel = "2.6.39",
	.summary = "what cannot be dropped goes to the inactive list in batches, dirty pages with "
		   "PG_reclaim",
	LRU_DEACTIVATE_HOOKS(algorithm),
};
