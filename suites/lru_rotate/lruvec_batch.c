// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 5.15 to 6.12: a lock per lruvec (memory control group and node); the per-CPU batch is under a
 * local lock with interrupts off; the flush claims each page by clearing PG_lru and skips those
 * that somebody else has claimed, re-locking only when the lruvec changes (mm/swap.c,
 * pagevec_lru_move_fn(), folio_batch_move_lru()). The batch was 15, and is 31 since 6.9.
 */
#include "suites/lru_rotate/lru_rotate.h"

/* Active pages are taken too: the move deactivates them (5.15, mm/swap.c). */
static LP_ALWAYS_INLINE bool lruvec_rotatable(struct page *page)
{
	unsigned long flags = atomic_load_explicit(&page->flags, memory_order_relaxed);
	unsigned long unfit = 1ul << PG_locked | 1ul << PG_dirty | 1ul << PG_unevictable;

	return !(flags & unfit) && (flags & 1ul << PG_lru);
}

/* Under the lruvec's lock, PG_lru claimed: off its list, inactive, to the tail. */
static LP_ALWAYS_INLINE void move_tail(struct lruvec *lruvec, struct lru_cpu *c, struct page *page)
{
	if (page_test(page, PG_unevictable)) {
		c->not_rotated++;
		return;
	}
	lruvec_del_page(lruvec, page);
	page_clear(page, PG_active);
	lruvec_add_page_tail(lruvec, page);
	count_vm_event(PGROTATED);
	c->moved++;
}

static LP_ALWAYS_INLINE void lruvec_flush(
	struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	struct lruvec *lruvec = NULL;
	unsigned long flags = 0;
	unsigned nr = pagevec_count(&c->rotate);

	for (unsigned i = 0; i < nr; i++) {
		struct page *page = c->rotate.pages[i];

		observe_entry(c, &c->rotate, i, f);
		if (!page_test_and_clear(page, PG_lru)) {
			c->not_rotated++;
			continue;
		}
		if (page_lruvec(s, page) != lruvec) {
			if (lruvec)
				spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
			lruvec = page_lruvec(s, page);
			c->rotate_locks++;
			flags = spin_lock_irqsave(&lruvec->lru_lock, f);
		}
		move_tail(lruvec, c, page);
		page_set(page, PG_lru);
	}
	if (lruvec)
		spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
	release_pages(s, c, c->rotate.pages, nr);
	pagevec_reinit(&c->rotate);
}

static LP_ALWAYS_INLINE void lruvec_rotate(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	unsigned long flags;

	get_page(page);
	flags = local_irq_save();
	preempt_disable();
	if (!pagevec_add(&c->rotate, s->batch, page, f))
		lruvec_flush(s, c, f);
	preempt_enable();
	local_irq_restore(flags);
}

static LP_ALWAYS_INLINE void lruvec_end_writeback(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	if (page_test(page, PG_reclaim)) {
		page_clear(page, PG_reclaim);
		if (!lruvec_rotatable(page)) {
			c->not_rotated++;
		} else if (s->direct) {
			rotate_page_at_once(s, c, page, f);
			return;
		} else {
			lruvec_rotate(s, c, page, f);
		}
	}
	/* The reference keeps the page over its wake-up: it may be freed once writeback ends. */
	get_page(page);
	page_test_and_clear(page, PG_writeback);
	put_page(s, c, page);
}

static LP_ALWAYS_INLINE void lruvec_drain(
	struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	unsigned long flags = local_irq_save();

	lruvec_flush(s, c, f);
	local_irq_restore(flags);
}

LRU_ROTATE_ALGORITHM(lruvec_batch, lruvec_end_writeback, lruvec_drain);

const struct lp_variant lru_rotate_lruvec_batch = {
	.name = "lruvec_batch",
	.kernel = "5.15-6.12",
	.summary = "a lock per memory control group and node; the flush claims pages by PG_lru",
	.params = LRU_PARAMS_BATCHED | 1u << LRU_MEMCGS,
	LRU_ROTATE_HOOKS(lruvec_batch),
};
