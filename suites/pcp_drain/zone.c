// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The buddy allocator; zone.h tells how it works.
 *
 * Flags are stored, not set atomically: under zone->lock a page that is free has no other user.
 * What would invalidate it: a flag of a free page that is changed without the lock.
 */
#include "suites/pcp_drain/zone.h"

/* The counters have one writer, the holder of the lock: a plain addition, readable by others. */
static LP_ALWAYS_INLINE void add_relaxed(_Atomic long *counter, long n)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
		memory_order_relaxed);
}

static LP_ALWAYS_INLINE void mark_buddy(struct page *page, bool buddy)
{
	atomic_store_explicit(&page->flags, buddy ? 1ul << PG_buddy : 0, memory_order_relaxed);
}

static void enlist(struct zone *zone, struct page *page, unsigned order)
{
	struct free_area *area = &zone->free_area[order];

	page->order = order;
	mark_buddy(page, true);
	list_add(&page->lru, &area->free_list[pageblock_type(page)]);
	add_relaxed(&area->nr_free, 1);
}

static void delist(struct zone *zone, struct page *page)
{
	list_del(&page->lru);
	mark_buddy(page, false);
	add_relaxed(&zone->free_area[page->order].nr_free, -1);
}

/* Gives back the upper halves of a block of order @high until @order is left. */
static void expand(struct zone *zone, struct page *page, unsigned order, unsigned high)
{
	while (high > order) {
		high--;
		enlist(zone, page + (1ul << high), high);
	}
	page->order = order;
}

static struct page *take_block(struct zone *zone, unsigned order, unsigned from, int type)
{
	struct page *page =
		list_first_entry(&zone->free_area[from].free_list[type], struct page, lru);

	delist(zone, page);
	expand(zone, page, order, from);
	return page;
}

static struct page *rmqueue_smallest(struct zone *zone, unsigned order, int type)
{
	for (unsigned from = order; from < MAX_ORDER; from++)
		if (!list_empty(&zone->free_area[from].free_list[type]))
			return take_block(zone, order, from, type);
	return NULL;
}

/* Largest first, so that the types mix as little as possible. */
static struct page *rmqueue_fallback(struct zone *zone, unsigned order, int type)
{
	for (unsigned from = MAX_ORDER; from-- > order;)
		for (int i = 1; i < MIGRATE_PCPTYPES; i++) {
			int other = (type + i) % MIGRATE_PCPTYPES;

			if (!list_empty(&zone->free_area[from].free_list[other]))
				return take_block(zone, order, from, other);
		}
	return NULL;
}

static struct page *take(struct zone *zone, unsigned order, int type)
{
	struct page *page = rmqueue_smallest(zone, order, type);

	return page ? page : rmqueue_fallback(zone, order, type);
}

struct page *rmqueue(struct zone *zone, unsigned order, int type)
{
	struct page *page = take(zone, order, type);

	if (page)
		add_relaxed(&zone->free_pages, -(1l << order));
	return page;
}

unsigned rmqueue_bulk(struct zone *zone, unsigned count, struct list_head *list, int type)
{
	unsigned taken = 0;
	struct page *page;

	while (taken < count && (page = take(zone, 0, type))) {
		list_add_tail(&page->lru, list);
		taken++;
	}
	add_relaxed(&zone->free_pages, -(long)taken);
	return taken;
}

static struct page *free_buddy_of(struct zone *zone, unsigned long pfn, unsigned order)
{
	struct page *buddy = &zone->pages[pfn ^ 1ul << order];

	return page_test(buddy, PG_buddy) && buddy->order == order ? buddy : NULL;
}

void free_one_page(struct zone *zone, struct page *page, unsigned order)
{
	unsigned long pfn = page_to_pfn(page);
	struct page *buddy;

	add_relaxed(&zone->free_pages, 1l << order);
	while (order < PAGEBLOCK_ORDER && (buddy = free_buddy_of(zone, pfn, order))) {
		delist(zone, buddy);
		pfn &= ~(1ul << order);
		order++;
	}
	enlist(zone, &zone->pages[pfn], order);
}

void zone_init(struct zone *zone, struct page *pages, unsigned long blocks, lp_lock_flavour flavour,
	struct lp_lockstat *stat)
{
	spin_lock_init(&zone->lock, flavour, stat);
	zone->pages = pages;
	zone->nr_pages = blocks << PAGEBLOCK_ORDER;
	for (unsigned order = 0; order < MAX_ORDER; order++)
		for (int type = 0; type < MIGRATE_PCPTYPES; type++)
			INIT_LIST_HEAD(&zone->free_area[order].free_list[type]);
	for (unsigned long pfn = 0; pfn < zone->nr_pages; pfn++) {
		pages[pfn].index = pfn;
		atomic_init(&pages[pfn].flags, 0);
	}
	for (unsigned long block = 0; block < blocks; block++)
		free_one_page(zone, &pages[block << PAGEBLOCK_ORDER], PAGEBLOCK_ORDER);
}
