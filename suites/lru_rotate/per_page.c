// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 2.6.23: every page takes the zone's lru_lock (mm/filemap.c, end_page_writeback(); mm/swap.c,
 * rotate_reclaimable_page()).
 */
#include "suites/lru_rotate/lru_rotate.h"

static LP_ALWAYS_INLINE void per_page_end_writeback(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	if (page_test_and_clear(page, PG_reclaim)) {
		if (page_rotatable(page)) {
			rotate_page_at_once(s, c, page, f);
			return;
		}
		c->not_rotated++;
	}
	page_test_and_clear(page, PG_writeback);
}

/* There is no batch. */
static LP_ALWAYS_INLINE void per_page_flush(
	struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
}

LRU_ROTATE_ALGORITHM(per_page, per_page_end_writeback, per_page_flush);

const struct lp_variant lru_rotate_per_page = {
	.name = "per_page",
	.kernel = "2.6.23",
	.summary = "take lru_lock for every page that ends its writeback",
	.params = LRU_PARAMS_ALL,
	LRU_ROTATE_HOOKS(per_page),
};
