// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 2.6.24 as merged: interrupts are off around add and flush as one section, so the lock inside is
 * a plain one, re-taken only when the next page belongs to another zone (mm/swap.c,
 * rotate_reclaimable_page() and pagevec_move_tail()).
 */
#include "suites/lru_rotate/lru_rotate.h"

static LP_ALWAYS_INLINE void irq_flush(struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	struct lruvec *lruvec = NULL;
	unsigned nr = pagevec_count(&c->rotate), moved = 0;

	for (unsigned i = 0; i < nr; i++) {
		struct page *page = c->rotate.pages[i];

		if (page_lruvec(s, page) != lruvec) {
			if (lruvec)
				spin_unlock(&lruvec->lru_lock, f);
			lruvec = page_lruvec(s, page);
			c->rotate_locks++;
			spin_lock(&lruvec->lru_lock, f);
		}
		observe_entry(c, &c->rotate, i, f);
		moved += rotate_under_lock(lruvec, c, page);
	}
	if (lruvec)
		spin_unlock(&lruvec->lru_lock, f);
	count_vm_events(PGROTATED, moved);
	release_pages(s, c, c->rotate.pages, nr);
	pagevec_reinit(&c->rotate);
}

static LP_ALWAYS_INLINE void irq_rotate(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	unsigned long flags;

	get_page(page);
	flags = local_irq_save();
	if (!pagevec_add(&c->rotate, s->batch, page, f))
		irq_flush(s, c, f);
	local_irq_restore(flags);
}

static LP_ALWAYS_INLINE void irq_end_writeback(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	if (page_test_and_clear(page, PG_reclaim)) {
		if (!page_rotatable(page)) {
			c->not_rotated++;
		} else if (s->direct) {
			rotate_page_at_once(s, c, page, f);
			return;
		} else {
			irq_rotate(s, c, page, f);
		}
	}
	page_test_and_clear(page, PG_writeback);
}

static LP_ALWAYS_INLINE void irq_drain(struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	unsigned long flags = local_irq_save();

	irq_flush(s, c, f);
	local_irq_restore(flags);
}

LRU_ROTATE_ALGORITHM(pagevec_irq, irq_end_writeback, irq_drain);

const struct lp_variant lru_rotate_pagevec_irq = {
	.name = "pagevec_irq",
	.kernel = "2.6.24",
	.summary = "as pagevec_ref, interrupts off around add and flush, plain lock inside",
	.params = LRU_PARAMS_BATCHED,
	LRU_ROTATE_HOOKS(pagevec_irq),
};
