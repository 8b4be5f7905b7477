/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A zone: its pages and the buddy lists of orders 0 to 10 that hold the free ones.
 *
 * A block of 2^n pages starts at a multiple of 2^n; freeing one looks at the neighbour it was
 * split from (its index with bit n flipped), and joins it as long as that is free and whole. Each
 * page block of the highest order has a migrate type, and its pages are listed by it; an
 * allocation that finds none of its type takes the largest block of another one
 * (mm/page_alloc.c, __free_one_page(), __rmqueue_smallest(), __rmqueue_fallback(), 2.6.36).
 */
#ifndef LP_SUITES_PCP_DRAIN_ZONE_H
#define LP_SUITES_PCP_DRAIN_ZONE_H

#include "common/kernel/page.h"
#include "common/kernel/spinlock.h"

enum {
	MAX_ORDER = 11, /* orders 0..10; include/linux/mmzone.h to 6.3 */
	PAGEBLOCK_ORDER = MAX_ORDER - 1,
	PAGEBLOCK_PAGES = 1 << PAGEBLOCK_ORDER,
	MIGRATE_PCPTYPES = 3, /* unmovable, reclaimable, movable */
};

struct free_area {
	struct list_head free_list[MIGRATE_PCPTYPES];
	_Atomic long nr_free; /* blocks; relaxed: written under the lock, watermarks look at it */
};

struct zone {
	struct lp_spinlock lock LP_ALIGNED(LP_CACHE_PAIR); /* guards all lists and PG_buddy */
	/* Relaxed: written under the lock once a bulk, read by every allocation. */
	_Atomic long free_pages LP_ALIGNED(LP_CACHE_PAIR);
	long watermark; /* an allocation must leave more than that */
	struct page *pages;
	unsigned long nr_pages;
	struct free_area free_area[MAX_ORDER] LP_ALIGNED(LP_CACHE_PAIR);
};

/** zone_init() - @blocks page blocks of memory at @pages, all free. */
void zone_init(struct zone *zone, struct page *pages, unsigned long blocks, lp_lock_flavour flavour,
	struct lp_lockstat *stat);

/** page_to_pfn() - the index of @page in its zone. */
static LP_ALWAYS_INLINE unsigned long page_to_pfn(const struct page *page)
{
	return page->index;
}

/** pageblock_type() - the migrate type of the page block that @page belongs to. */
static LP_ALWAYS_INLINE int pageblock_type(const struct page *page)
{
	return (int)((page_to_pfn(page) >> PAGEBLOCK_ORDER) % MIGRATE_PCPTYPES);
}

/* All of these want zone->lock held. */

/** rmqueue() - a block of @order, of @type if there is one. Return: NULL if there is none. */
struct page *rmqueue(struct zone *zone, unsigned order, int type);

/** rmqueue_bulk() - up to @count single pages onto the end of @list. Return: how many. */
unsigned rmqueue_bulk(struct zone *zone, unsigned count, struct list_head *list, int type);

/** free_one_page() - @page and the 2^@order − 1 behind it are free; joins what can be joined. */
void free_one_page(struct zone *zone, struct page *page, unsigned order);

/** zone_watermark_ok() - whether a block of @order may be taken: what is free in orders below does
 * not count, and half as much has to stay with each order (zone_watermark_ok(), 2.6.36). Racy. */
static LP_ALWAYS_INLINE bool zone_watermark_ok(const struct zone *zone, unsigned order)
{
	long free =
		atomic_load_explicit(&zone->free_pages, memory_order_relaxed) - (1l << order) + 1;
	long min = zone->watermark;

	if (free <= min)
		return false;
	for (unsigned o = 0; o < order; o++) {
		free -= atomic_load_explicit(&zone->free_area[o].nr_free, memory_order_relaxed)
			<< o;
		min >>= 1;
		if (free <= min)
			return false;
	}
	return true;
}

#endif
