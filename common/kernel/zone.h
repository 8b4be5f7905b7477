/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The LRU lists of a node and of a memory control group on it, and the lock that guards them.
 *
 * Up to 5.10 the lists and their lru_lock belonged to the zone (later the node): a run of those
 * generations has one lruvec a node. From 5.11 on each memory control group has its own lruvec,
 * and its own lock, on each node.
 */
#ifndef LP_KERNEL_ZONE_H
#define LP_KERNEL_ZONE_H

#include "common/kernel/list.h"
#include "common/kernel/page.h"
#include "common/kernel/spinlock.h"

enum lru_list { LRU_INACTIVE, LRU_ACTIVE, NR_LRU_LISTS };

struct lruvec {
	struct lp_spinlock lru_lock LP_ALIGNED(LP_CACHE_PAIR);
	struct list_head lists[NR_LRU_LISTS] LP_ALIGNED(LP_CACHE_PAIR);
	unsigned long nr_pages[NR_LRU_LISTS]; /* pages on each list; guarded by lru_lock */
	int node;
	int memcg;
};

/** lruvec_init() - empty lists and a free lock. */
void lruvec_init(struct lruvec *lruvec, int node, int memcg, lp_lock_flavour flavour,
	struct lp_lockstat *stat);

static LP_ALWAYS_INLINE enum lru_list page_lru(struct page *page)
{
	return page_test(page, PG_active) ? LRU_ACTIVE : LRU_INACTIVE;
}

/* All of these want lruvec->lru_lock held; none of them touches PG_lru. */

/** lruvec_add_page() - put @page at the head (youngest end) of its list. */
static LP_ALWAYS_INLINE void lruvec_add_page(struct lruvec *lruvec, struct page *page)
{
	enum lru_list lru = page_lru(page);

	list_add(&page->lru, &lruvec->lists[lru]);
	lruvec->nr_pages[lru]++;
}

/** lruvec_add_page_tail() - put @page at the tail (oldest end) of its list. */
static LP_ALWAYS_INLINE void lruvec_add_page_tail(struct lruvec *lruvec, struct page *page)
{
	enum lru_list lru = page_lru(page);

	list_add_tail(&page->lru, &lruvec->lists[lru]);
	lruvec->nr_pages[lru]++;
}

/** lruvec_del_page() - take @page off its list. */
static LP_ALWAYS_INLINE void lruvec_del_page(struct lruvec *lruvec, struct page *page)
{
	lruvec->nr_pages[page_lru(page)]--;
	list_del(&page->lru);
}

/** lruvec_check() - every list is linked both ways, has as many pages as are counted, and only
 * pages with PG_lru and of this lruvec. Return: 0, or -EUCLEAN with @err saying what is wrong. */
int lruvec_check(struct lruvec *lruvec, struct lp_error *err);

#endif
