// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first patch of 2007: batch 14 pages without holding a reference on them.
 *
 * Cheap, and unsafe by design: PG_writeback is cleared before the page is queued, so reclaim may
 * free it, and someone else may own it, while it still sits in the batch. Observed flavours count
 * such stale touches. Interrupts are off only around the lock: a completion that interrupts a
 * drain adds behind the drain's back, and that rotation is lost when the batch is emptied; one that
 * fills the batch flushes all of it, and pages the drain had moved already are moved twice.
 */
#include "suites/lru_rotate/lru_rotate.h"

static LP_ALWAYS_INLINE void noref_flush(struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	struct lruvec *lruvec = NULL;
	unsigned long flags = 0;

	/* The count is read anew each time: an interrupt may have added or flushed meanwhile. */
	for (unsigned i = 0; i < pagevec_count(&c->rotate); i++) {
		struct page *page = c->rotate.pages[i];

		if (page_lruvec(s, page) != lruvec) {
			if (lruvec)
				spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
			lruvec = page_lruvec(s, page);
			c->rotate_locks++;
			flags = spin_lock_irqsave(&lruvec->lru_lock, f);
		}
		observe_entry(c, &c->rotate, i, f);
		if (rotate_under_lock(lruvec, c, page))
			count_vm_event(PGROTATED);
	}
	if (lruvec)
		spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
	pagevec_reinit(&c->rotate);
}

static LP_ALWAYS_INLINE void noref_end_writeback(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	bool reclaim = page_test_and_clear(page, PG_reclaim);
	bool rotate = reclaim && page_rotatable(page);

	if (rotate && s->direct) {
		rotate_page_at_once(s, c, page, f);
		return;
	}
	page_test_and_clear(page, PG_writeback);
	if (!rotate) {
		c->not_rotated += reclaim;
		return;
	}
	preempt_disable();
	if (!pagevec_add(&c->rotate, s->batch, page, f))
		noref_flush(s, c, f);
	preempt_enable();
}

static LP_ALWAYS_INLINE void noref_drain(struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	preempt_disable();
	noref_flush(s, c, f);
	preempt_enable();
}

LRU_ROTATE_ALGORITHM(pagevec_noref, noref_end_writeback, noref_drain);

const struct lp_variant lru_rotate_pagevec_noref = {
	.name = "pagevec_noref",
	.kernel = "first patch, 2007",
	.summary = "batch pages per CPU without a reference; unsafe, counts stale touches",
	.params = LRU_PARAMS_BATCHED,
	LRU_ROTATE_HOOKS(pagevec_noref),
};
