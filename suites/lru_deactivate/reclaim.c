// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reclaim between watermarks (mm/vmscan.c of 2.6.38): kswapd below the low one until the high one,
 * whoever allocates below the minimum. Active pages that are not referenced move to the inactive
 * list while that is the shorter one; inactive ones are freed, written, or promoted if a mapping
 * has referenced them.
 */
#include "suites/lru_deactivate/lru_deactivate.h"

enum {
	SCAN_NS = 150,	    /* virtual time to look at a page */
	GIVE_UP_AFTER = 64, /* clusters scanned in one go without success */
};

enum reclaimer { KSWAPD, DIRECT };

static unsigned isolate(struct deactivate *s, struct ld_cpu *c, enum lru_list lru,
	struct page *pages[SWAP_CLUSTER_MAX])
{
	struct list_head *list = &s->lruvec->lists[lru];
	struct page *dropped[SWAP_CLUSTER_MAX];
	unsigned long flags = ld_lock(s, c);
	unsigned n = 0, nr_dropped = 0;

	for (int i = 0; i < SWAP_CLUSTER_MAX && !list_empty(list); i++) {
		struct page *page = list_last_entry(list, struct page, lru);

		/* Somebody is dropping the last reference and will want the lock. */
		if (!get_page_unless_zero(page)) {
			list_move(&page->lru, list);
			continue;
		}
		if (!page_test_and_clear(page, PG_lru)) {
			/* Claimed by whoever frees or moves it; it will want the lock too. */
			list_move(&page->lru, list);
			dropped[nr_dropped++] = page;
			continue;
		}
		lruvec_del_page(s->lruvec, page);
		pages[n++] = page;
	}
	ld_unlock(s, flags);
	ld_release_pages(s, c, dropped, nr_dropped);
	return n;
}

static void putback(struct deactivate *s, struct ld_cpu *c, struct page **pages, unsigned n)
{
	unsigned long flags;

	if (!n)
		return;
	flags = ld_lock(s, c);
	for (unsigned i = 0; i < n; i++) {
		lruvec_add_page(s->lruvec, pages[i]);
		page_set(pages[i], PG_lru);
	}
	ld_unlock(s, flags);
	ld_release_pages(s, c, pages, n);
}

static void shrink_active(struct deactivate *s, struct ld_cpu *c)
{
	struct page *pages[SWAP_CLUSTER_MAX];
	unsigned n = isolate(s, c, LRU_ACTIVE, pages);

	for (unsigned i = 0; i < n; i++) {
		/* A mapped page that was used stays; file pages get another round as inactive. */
		if (page_test(pages[i], PG_mapped) && page_test_and_clear(pages[i], PG_referenced))
			continue;
		page_clear(pages[i], PG_active);
		count_vm_event(PGDEACTIVATE);
	}
	putback(s, c, pages, n);
}

enum fate { KEEP, ACTIVATE, FREED };

static enum fate page_out(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	page_set(page, PG_reclaim);
	if (ld_start_writeback(s, c, page)) {
		count_vm_event(NR_VMSCAN_WRITE);
		c->single_writeouts++;
	}
	return KEEP;
}

static enum fate shrink_page(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	if (page_test(page, PG_writeback))
		return KEEP;
	if (page_test(page, PG_referenced)) {
		page_clear(page, PG_referenced);
		if (page_test(page, PG_mapped))
			return ACTIVATE;
	}
	if (page_test(page, PG_dirty))
		return page_out(s, c, page);
	if (page_test_and_set(page, PG_locked))
		return KEEP;
	page_clear(page, PG_mapped);
	if (ld_remove_mapping(s, c, page))
		return FREED;
	/* Release: pairs with the acquire of the next who locks it. */
	page_test_and_clear(page, PG_locked);
	return KEEP;
}

static void count_scan(struct ld_cpu *c, enum reclaimer who, unsigned scanned, unsigned freed)
{
	count_vm_events(who == KSWAPD ? PGSCAN_KSWAPD : PGSCAN_DIRECT, scanned);
	count_vm_events(PGSTEAL, freed);
	if (who == KSWAPD)
		count_vm_events(KSWAPD_STEAL, freed);
	c->elapsed_ns += (uint64_t)scanned * SCAN_NS;
}

static unsigned shrink_inactive(struct deactivate *s, struct ld_cpu *c, enum reclaimer who)
{
	struct page *pages[SWAP_CLUSTER_MAX];
	unsigned n, kept = 0, freed = 0;

	ld_drain(s, c);
	n = isolate(s, c, LRU_INACTIVE, pages);
	for (unsigned i = 0; i < n; i++) {
		switch (shrink_page(s, c, pages[i])) {
		case FREED:
			ld_free_page(s, c, pages[i]);
			freed++;
			break;
		case ACTIVATE:
			page_set(pages[i], PG_active);
			count_vm_event(PGACTIVATE);
			pages[kept++] = pages[i];
			break;
		case KEEP:
			pages[kept++] = pages[i];
			break;
		}
	}
	putback(s, c, pages, kept);
	count_scan(c, who, n, freed);
	ld_collect_free(s, c);
	return freed;
}

static bool inactive_is_low(struct deactivate *s)
{
	return atomic_load_explicit(&s->nr_listed[LRU_INACTIVE], memory_order_relaxed) <
	       atomic_load_explicit(&s->nr_listed[LRU_ACTIVE], memory_order_relaxed);
}

static unsigned shrink(struct deactivate *s, struct ld_cpu *c, enum reclaimer who)
{
	if (inactive_is_low(s))
		shrink_active(s, c);
	return shrink_inactive(s, c, who);
}

static unsigned nr_free(struct deactivate *s)
{
	return atomic_load_explicit(&s->nr_free, memory_order_relaxed);
}

/* What reclaim freed counts for the watermarks once it is the zone's. */
static void give_back(struct deactivate *s, struct ld_cpu *c)
{
	unsigned long flags = local_irq_save();

	ld_return_free(s, c, 0);
	local_irq_restore(flags);
}

void ld_balance(struct deactivate *s, struct ld_cpu *c)
{
	bool idle = false;
	unsigned without = 0;

	if (nr_free(s) >= s->low)
		return;
	/* Acquire: pairs with the release below; one kswapd a node. */
	if (!atomic_compare_exchange_strong_explicit(
		    &s->kswapd_runs, &idle, true, memory_order_acquire, memory_order_relaxed))
		return;
	count_vm_event(PAGEOUTRUN);
	while (nr_free(s) < s->high && without < GIVE_UP_AFTER) {
		without = shrink(s, c, KSWAPD) ? 0 : without + 1;
		give_back(s, c);
		if (without)
			ld_device_run(s, c, SWAP_CLUSTER_MAX);
	}
	atomic_store_explicit(&s->kswapd_runs, false, memory_order_release);
}

unsigned ld_direct_reclaim(struct deactivate *s, struct ld_cpu *c)
{
	unsigned freed = 0;

	count_vm_event(ALLOCSTALL);
	for (int i = 0; i < GIVE_UP_AFTER && freed < SWAP_CLUSTER_MAX; i++) {
		unsigned now = shrink(s, c, DIRECT);

		freed += now;
		if (!now) /* congestion_wait(): the device gets on meanwhile */
			ld_device_run(s, c, SWAP_CLUSTER_MAX);
	}
	give_back(s, c);
	return freed;
}
