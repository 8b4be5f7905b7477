/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct page: what the LRU code touches, in 64 bytes as in the kernel, one page a cache line.
 *
 * Flags and reference count are atomic because completion, reclaim and the owner touch them
 * without a common lock; the links are guarded by the lru_lock of the page's lruvec.
 */
#ifndef LP_KERNEL_PAGE_H
#define LP_KERNEL_PAGE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/kernel/list.h"

/* Bit numbers in page->flags; names from include/linux/page-flags.h. */
enum pageflags {
	PG_locked,
	PG_referenced,
	PG_dirty,
	PG_lru,
	PG_active,
	PG_writeback,
	PG_reclaim,
	PG_unevictable,
	PG_workingset,
	PG_mapped,
	PG_buddy, /* free, and the first page of its block */
};

struct page {
	_Atomic unsigned long flags;
	_Atomic int _refcount;
	_Atomic int _mapcount; /* mappings − 1, as in the kernel: −1 when none */
	struct list_head lru;
	uint64_t index;		   /* page offset in its file */
	uint64_t stamp;		   /* private to the suite; a time or a block number */
	uint32_t owner;		   /* the mapping (file) the page belongs to, 0: none */
	_Atomic uint32_t identity; /* relaxed; rises when the page is freed: a stale use shows */
	uint16_t node;		   /* zone (node) of the page, an index of the run */
	uint16_t memcg;		   /* memory control group of the page, an index of the run */
	uint32_t order;		   /* buddy order, where a suite splits and coalesces */
} LP_ALIGNED(64);

static_assert(sizeof(struct page) == 64, "a page is one cache line");

/** page_test() - whether @flag is set. Relaxed: flags order nothing, locks and references do. */
static LP_ALWAYS_INLINE bool page_test(struct page *page, enum pageflags flag)
{
	return atomic_load_explicit(&page->flags, memory_order_relaxed) & (1ul << flag);
}

/** page_set() - set @flag atomically (a locked operation, as set_bit()). */
static LP_ALWAYS_INLINE void page_set(struct page *page, enum pageflags flag)
{
	atomic_fetch_or_explicit(&page->flags, 1ul << flag, memory_order_relaxed);
}

/** page_clear() - clear @flag atomically (as clear_bit()). */
static LP_ALWAYS_INLINE void page_clear(struct page *page, enum pageflags flag)
{
	atomic_fetch_and_explicit(&page->flags, ~(1ul << flag), memory_order_relaxed);
}

/** page_test_and_set() - set @flag. Return: whether it was set before. Acquires and releases: pairs
 * with page_test_and_clear() of the same flag. */
static LP_ALWAYS_INLINE bool page_test_and_set(struct page *page, enum pageflags flag)
{
	return atomic_fetch_or_explicit(&page->flags, 1ul << flag, memory_order_acq_rel) &
	       (1ul << flag);
}

/** page_test_and_clear() - clear @flag. Return: whether it was set before. Acquires and releases:
 * pairs with page_test_and_set() of the same flag. */
static LP_ALWAYS_INLINE bool page_test_and_clear(struct page *page, enum pageflags flag)
{
	return atomic_fetch_and_explicit(&page->flags, ~(1ul << flag), memory_order_acq_rel) &
	       (1ul << flag);
}

/** page_count() - the references. Relaxed: a hint, unless the caller knows of all of them. */
static LP_ALWAYS_INLINE int page_count(struct page *page)
{
	return atomic_load_explicit(&page->_refcount, memory_order_relaxed);
}

/** get_page() - take a reference on a page that already has one, which orders: hence relaxed. */
static LP_ALWAYS_INLINE void get_page(struct page *page)
{
	atomic_fetch_add_explicit(&page->_refcount, 1, memory_order_relaxed);
}

/** get_page_unless_zero() - take a reference unless the page is being freed. Acquire: pairs with
 * the release of whoever gave the page its first reference. */
static LP_ALWAYS_INLINE bool get_page_unless_zero(struct page *page)
{
	int count = atomic_load_explicit(&page->_refcount, memory_order_relaxed);

	while (count)
		if (atomic_compare_exchange_weak_explicit(&page->_refcount, &count, count + 1,
			    memory_order_acquire, memory_order_relaxed))
			return true;
	return false;
}

/** put_page_testzero() - drop a reference. Return: true if it was the last; the caller frees.
 * Release for the uses before it, acquire for the freeing after it. */
static LP_ALWAYS_INLINE bool put_page_testzero(struct page *page)
{
	return atomic_fetch_sub_explicit(&page->_refcount, 1, memory_order_acq_rel) == 1;
}

#endif
