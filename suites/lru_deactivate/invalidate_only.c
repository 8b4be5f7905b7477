// SPDX-License-Identifier: GPL-2.0-or-later
/* <= 2.6.38: drop clean pages in lookups of 14, leave the others where they are (mm/fadvise.c,
 * mm/truncate.c, mm/swap.c). */
#include "suites/lru_deactivate/lru_deactivate.h"

static void advise(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start, unsigned n)
{
	ld_flush_range(s, c, id, start, n);
	invalidate_mapping_pages(s, c, id, start, n, NULL);
}

static const struct deactivate_algorithm algorithm = {
	.advise = advise,
	.noreuse = false,
};

const struct lp_variant lru_deactivate_invalidate_only = {
	.name = "invalidate_only",
	.kernel = "<= 2.6.38",
	.summary = "drop clean pages in lookups of 14, leave the others where they are",
	LRU_DEACTIVATE_HOOKS(algorithm),
};
