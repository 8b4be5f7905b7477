// SPDX-License-Identifier: GPL-2.0-or-later
/* counter-example: as deactivate, a lock for every page (mm/fadvise.c, mm/truncate.c, mm/swap.c).
 */
#include "suites/lru_deactivate/lru_deactivate.h"

static void deactivate_at_once(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	unsigned long flags = ld_lock(s, c);

	lru_deactivate_fn(s, c, page);
	ld_unlock(s, flags);
	c->advice_locks++;
}

static void advise(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start, unsigned n)
{
	ld_flush_range(s, c, id, start, n);
	invalidate_mapping_pages(s, c, id, start, n, deactivate_at_once);
}

static const struct deactivate_algorithm algorithm = {
	.advise = advise,
	.noreuse = false,
};

const struct lp_variant lru_deactivate_deactivate_per_page = {
	.name = "deactivate_per_page",
	.kernel = "counter-example",
	.summary = "as deactivate, a lock for every page",
	LRU_DEACTIVATE_HOOKS(algorithm),
};
