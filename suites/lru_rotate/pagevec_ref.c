// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second patch of 2007: a reference keeps each batched page alive, PG_writeback is cleared
 * after queueing, PGROTATED is added once per batch, and the references are dropped together.
 * Interrupts are off around a drain from task context, so that a completion cannot come between.
 */
#include "suites/lru_rotate/lru_rotate.h"

static LP_ALWAYS_INLINE void ref_flush(struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	struct lruvec *lruvec = NULL;
	unsigned long flags = 0;
	unsigned nr = pagevec_count(&c->rotate), moved = 0;

	for (unsigned i = 0; i < nr; i++) {
		struct page *page = c->rotate.pages[i];

		if (page_lruvec(s, page) != lruvec) {
			if (lruvec)
				spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
			lruvec = page_lruvec(s, page);
			c->rotate_locks++;
			flags = spin_lock_irqsave(&lruvec->lru_lock, f);
		}
		observe_entry(c, &c->rotate, i, f);
		moved += rotate_under_lock(lruvec, c, page);
	}
	if (lruvec)
		spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
	count_vm_events(PGROTATED, moved);
	release_pages(s, c, c->rotate.pages, nr);
	pagevec_reinit(&c->rotate);
}

static LP_ALWAYS_INLINE void ref_end_writeback(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	if (page_test_and_clear(page, PG_reclaim)) {
		if (!page_rotatable(page)) {
			c->not_rotated++;
		} else if (s->direct) {
			rotate_page_at_once(s, c, page, f);
			return;
		} else {
			get_page(page);
			preempt_disable();
			if (!pagevec_add(&c->rotate, s->batch, page, f))
				ref_flush(s, c, f);
			preempt_enable();
		}
	}
	page_test_and_clear(page, PG_writeback);
}

static LP_ALWAYS_INLINE void ref_drain(struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	unsigned long flags = local_irq_save();

	ref_flush(s, c, f);
	local_irq_restore(flags);
}

LRU_ROTATE_ALGORITHM(pagevec_ref, ref_end_writeback, ref_drain);

const struct lp_variant lru_rotate_pagevec_ref = {
	.name = "pagevec_ref",
	.kernel = "second patch, 2007",
	.summary = "batch pages per CPU, a reference on each, dropped together",
	.params = LRU_PARAMS_BATCHED,
	LRU_ROTATE_HOOKS(pagevec_ref),
};
