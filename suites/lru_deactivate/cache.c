// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Free pages and the page cache.
 *
 * A lookup takes its reference speculatively, as mm/filemap.c's find_get_page() does: the page may
 * be freed and become another one between reading the slot and getting the reference, so the slot
 * is read again. Taking a page out of the cache freezes its reference count at what cache and
 * caller hold (mm/vmscan.c, __remove_mapping()).
 */
#include "suites/lru_deactivate/lru_deactivate.h"

struct mapping *mapping_of(struct deactivate *s, struct ld_cpu *c, enum mapping_id id)
{
	int owner = id == MAP_WORKING_SET ? 0 : smp_processor_id();

	return &s->map[owner * MAPPINGS + id];
}

/* ---- free pages ---- */

/* To @keep pages on the CPU, from or to the zone, as far as it has any. */
static LP_ALWAYS_INLINE void move_free(
	struct deactivate *s, struct ld_cpu *c, unsigned keep, lp_lock_flavour f)
{
	unsigned long flags = spin_lock_irqsave(&s->free_lock, f);
	unsigned free = atomic_load_explicit(&s->nr_free, memory_order_relaxed);

	c->locks++;
	while (c->nr_free > keep)
		s->free[free++] = c->free[--c->nr_free];
	while (c->nr_free < keep && free)
		c->free[c->nr_free++] = s->free[--free];
	atomic_store_explicit(&s->nr_free, free, memory_order_relaxed);
	spin_unlock_irqrestore(&s->free_lock, flags, f);
}

void ld_return_free(struct deactivate *s, struct ld_cpu *c, unsigned keep)
{
	LP_FOR_FLAVOUR(s->flavour, move_free, s, c, keep);
}

/* Interrupts are off: a drain request frees pages too. */
static void push_free(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	c->free[c->nr_free++] = page;
	if (c->nr_free == 2 * FREE_BATCH)
		ld_return_free(s, c, FREE_BATCH);
}

void ld_free_page(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	unsigned long flags = local_irq_save();

	atomic_fetch_add_explicit(&page->identity, 1, memory_order_relaxed);
	atomic_store_explicit(&page->flags, 0, memory_order_relaxed);
	push_free(s, c, page);
	local_irq_restore(flags);
}

void ld_collect_free(struct deactivate *s, struct ld_cpu *c)
{
	unsigned long flags = local_irq_save();

	while (c->rotation->nr_free)
		push_free(s, c, c->rotation->free[--c->rotation->nr_free]);
	local_irq_restore(flags);
}

static struct page *pop_free(struct deactivate *s, struct ld_cpu *c)
{
	unsigned long flags = local_irq_save();
	struct page *page;

	if (!c->nr_free)
		ld_return_free(s, c, FREE_BATCH);
	page = c->nr_free ? c->free[--c->nr_free] : NULL;
	local_irq_restore(flags);
	return page;
}

struct page *ld_alloc_page(struct deactivate *s, struct ld_cpu *c)
{
	struct page *page;

	ld_balance(s, c);
	while (atomic_load_explicit(&s->nr_free, memory_order_relaxed) <= s->min ||
		!(page = pop_free(s, c)))
		if (!ld_direct_reclaim(s, c) && (page = pop_free(s, c)))
			break;
	count_vm_event(PGALLOC);
	return page;
}

/* ---- the cache ---- */

struct page *find_get_page(
	struct deactivate *s, struct ld_cpu *c, struct mapping *m, uint64_t index)
{
	struct page *page;

	/* Acquire: pairs with the release in add_to_page_cache(). */
	while ((page = atomic_load_explicit(&m->slot[index], memory_order_acquire))) {
		if (!get_page_unless_zero(page))
			continue; /* being freed: the slot is about to change */
		if (atomic_load_explicit(&m->slot[index], memory_order_acquire) == page)
			return page;
		/* It has become another page meanwhile; the reference may be its last. */
		ld_release_pages(s, c, &page, 1);
	}
	return NULL;
}

bool add_to_page_cache(struct deactivate *s, struct ld_cpu *c, struct page *page,
	enum mapping_id id, uint64_t index)
{
	struct mapping *m = mapping_of(s, c, id);
	struct page *empty = NULL;

	page->owner = (uint32_t)(m - s->map);
	page->index = index;
	/* One reference of the cache, one of the caller. */
	atomic_store_explicit(&page->_refcount, 2, memory_order_release);
	/* Release: pairs with the acquire in find_get_page(). */
	if (atomic_compare_exchange_strong_explicit(
		    &m->slot[index], &empty, page, memory_order_release, memory_order_relaxed))
		return true;
	/* A slow lookup of what the page was before may still hold it for a moment. */
	if (!put_page_testzero(page))
		ld_release_pages(s, c, &page, 1);
	return false;
}

bool ld_remove_mapping(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	_Atomic(struct page *) *slot = &s->map[page->owner].slot[page->index];
	int expected = 2;

	/* Out of the cache already, and about to be freed by whoever dropped it. PG_locked keeps
	 * this so until the caller unlocks. */
	if (atomic_load_explicit(slot, memory_order_relaxed) != page)
		return false;
	/* Acquire and release: whoever looked the page up before has seen it whole. */
	if (!atomic_compare_exchange_strong_explicit(
		    &page->_refcount, &expected, 0, memory_order_acq_rel, memory_order_relaxed))
		return false;
	/* Dirtied since the caller looked: it must not be lost. */
	if (page_test(page, PG_dirty) || page_test(page, PG_writeback)) {
		atomic_store_explicit(&page->_refcount, 2, memory_order_release);
		return false;
	}
	atomic_store_explicit(slot, NULL, memory_order_release);
	return true;
}

void ld_release_pages(struct deactivate *s, struct ld_cpu *c, struct page **pages, unsigned n)
{
	unsigned long flags = 0;
	bool locked = false;
	unsigned dead = 0;

	for (unsigned i = 0; i < n; i++) {
		struct page *page = pages[i];

		if (!put_page_testzero(page))
			continue;
		if (page_test_and_clear(page, PG_lru)) {
			if (!locked)
				flags = ld_lock(s, c);
			locked = true;
			lruvec_del_page(s->lruvec, page);
		}
		pages[dead++] = page;
	}
	if (locked)
		ld_unlock(s, flags);
	for (unsigned i = 0; i < dead; i++)
		ld_free_page(s, c, pages[i]);
}
