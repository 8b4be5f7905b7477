// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The task side of swap-out: adders, reclaim and drains, the same for all generations.
 *
 * A page goes round: it is added dirty at the inactive head, ages to the tail, is isolated by
 * reclaim, put under writeback with PG_reclaim and put back at the head; when its writeback ends
 * the generation under test rotates it to the tail, where reclaim finds it clean, frees it, and an
 * adder uses it again. Reclaim takes the lock once for SWAP_CLUSTER_MAX pages (mm/vmscan.c of
 * 2.6.23, isolate_lru_pages()).
 */
#include "suites/lru_rotate/lru_rotate.h"

#include "common/kernel/irq_poll.h"

enum {
	REFERENCED_ONE_IN = 16, /* isolated pages that turn out to be in use and are put back */
};

static void free_page(struct lru_cpu *c, struct page *page)
{
	unsigned long flags = local_irq_save();

	atomic_fetch_add_explicit(&page->identity, 1, memory_order_relaxed);
	atomic_store_explicit(&page->flags, 0, memory_order_relaxed);
	c->free[c->nr_free++] = page;
	c->freed++;
	local_irq_restore(flags);
}

/* Takes a page off its list whose PG_lru the caller has cleared, and with it claimed the page. */
static LP_ALWAYS_INLINE void unlink_claimed(
	struct lruvec *lruvec, struct page *page, lp_lock_flavour f)
{
	unsigned long flags = spin_lock_irqsave(&lruvec->lru_lock, f);

	lruvec_del_page(lruvec, page);
	spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
}

LP_NOINLINE void __put_page(struct lru_rotate *s, struct lru_cpu *c, struct page *page)
{
	if (page_test_and_clear(page, PG_lru)) {
		c->other_locks++;
		LP_FOR_FLAVOUR(s->flavour, unlink_claimed, page_lruvec(s, page), page);
	}
	free_page(c, page);
}

/* ---- adders ---- */

static LP_ALWAYS_INLINE void add_flush(struct lru_rotate *s, struct lru_cpu *c, lp_lock_flavour f)
{
	struct lruvec *lruvec = NULL;
	unsigned long flags = 0;
	unsigned nr = pagevec_count(&c->add);

	for (unsigned i = 0; i < nr; i++) {
		struct page *page = c->add.pages[i];

		if (page_lruvec(s, page) != lruvec) {
			if (lruvec)
				spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
			lruvec = page_lruvec(s, page);
			c->other_locks++;
			flags = spin_lock_irqsave(&lruvec->lru_lock, f);
		}
		lruvec_add_page(lruvec, page);
		page_set(page, PG_lru);
	}
	if (lruvec)
		spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
	release_pages(s, c, c->add.pages, nr);
	pagevec_reinit(&c->add);
}

static void add_drain(struct lru_rotate *s, struct lru_cpu *c)
{
	LP_FOR_FLAVOUR(s->flavour, add_flush, s, c);
}

static struct page *alloc_page(struct lru_cpu *c)
{
	unsigned long flags = local_irq_save();
	struct page *page = c->nr_free ? c->free[--c->nr_free] : NULL;

	local_irq_restore(flags);
	return page;
}

/* Interrupts are off because another CPU's drain request arrives as one. */
static void lru_cache_add(struct lru_rotate *s, struct lru_cpu *c, struct page *page)
{
	unsigned long flags = local_irq_save();

	if (!pagevec_add(&c->add, s->add_batch, page, LP_LOCK_UNFAIR))
		add_drain(s, c);
	local_irq_restore(flags);
}

static void add_new_pages(struct lru_rotate *s, struct lru_cpu *c)
{
	struct page *page;

	for (int i = 0; i < SWAP_CLUSTER_MAX && (page = alloc_page(c)); i++) {
		/* One reference of the owner, one of the batch. */
		atomic_store_explicit(&page->_refcount, 2, memory_order_relaxed);
		atomic_store_explicit(&page->flags, 1ul << PG_dirty, memory_order_relaxed);
		page->owner = (uint32_t)smp_processor_id() + 1;
		page->index = c->next_index++;
		c->added++;
		lru_cache_add(s, c, page);
	}
}

/* ---- reclaim ---- */

static LP_ALWAYS_INLINE void isolate_pages(struct lru_rotate *s, struct lru_cpu *c,
	struct lruvec *lruvec, struct page **out, int *isolated, lp_lock_flavour f)
{
	struct list_head *inactive = &lruvec->lists[LRU_INACTIVE];
	int n = 0;

	c->other_locks++;
	spin_lock_irq(&lruvec->lru_lock, f);
	for (int scanned = 0; scanned < SWAP_CLUSTER_MAX && !list_empty(inactive); scanned++) {
		struct page *page = list_last_entry(inactive, struct page, lru);

		if (!page_test_and_clear(page, PG_lru)) {
			/* A flush on another CPU has claimed it. */
			list_move(&page->lru, inactive);
			continue;
		}
		get_page(page);
		lruvec_del_page(lruvec, page);
		out[n++] = page;
	}
	spin_unlock_irq(&lruvec->lru_lock, f);
	*isolated = n;
}

static LP_ALWAYS_INLINE void putback_pages(struct lru_rotate *s, struct lru_cpu *c,
	struct lruvec *lruvec, struct page **pages, int n, lp_lock_flavour f)
{
	c->other_locks++;
	spin_lock_irq(&lruvec->lru_lock, f);
	for (int i = 0; i < n; i++) {
		lruvec_add_page(lruvec, pages[i]);
		page_set(pages[i], PG_lru);
	}
	spin_unlock_irq(&lruvec->lru_lock, f);
	release_pages(s, c, pages, (unsigned)n);
}

/* How contiguous the pages are that reclaim hands to the device: a review worry about batching. */
static void note_run(struct lru_cpu *c, const struct page *page)
{
	if (page->owner == c->last_owner && page->index == c->last_index + 1) {
		c->run_length++;
	} else {
		c->runs++;
		c->singletons += c->run_length == 1;
		c->run_length = 1;
	}
	c->last_owner = page->owner;
	c->last_index = page->index;
}

static void start_writeback(struct lru_cpu *c, struct page *page, struct lru_bio *bio)
{
	page_clear(page, PG_dirty);
	page_set(page, PG_writeback);
	page_set(page, PG_reclaim);
	bio->pages[bio->n++] = page;
	c->written++;
	note_run(c, page);
}

/* Frees a clean page that only its owner and the isolation hold. Return: whether it did. */
static bool remove_mapping(struct lru_cpu *c, struct page *page)
{
	int expected = 2;

	if (!atomic_compare_exchange_strong_explicit(
		    &page->_refcount, &expected, 0, memory_order_acq_rel, memory_order_relaxed))
		return false;
	free_page(c, page);
	return true;
}

/* What becomes of one isolated page. Return: whether it goes back to the list. */
static bool shrink_page(struct lru_cpu *c, struct page *page, struct lru_bio *bio)
{
	if (page_test(page, PG_writeback) || !lp_random_below(&c->random, REFERENCED_ONE_IN))
		return true;
	if (page_test(page, PG_dirty)) {
		if (bio)
			start_writeback(c, page, bio);
		else
			c->congested++;
		return true;
	}
	return !remove_mapping(c, page);
}

/* The next free bio of this CPU, NULL when the device has not given one back yet. */
static struct lru_bio *open_bio(struct lru_cpu *c)
{
	struct lru_bio *bio = &c->bio[c->bio_head % BIO_RING];

	/* Acquire: pairs with the release in complete_here(). */
	if (c->bio_head - c->bio_tail == BIO_RING ||
		atomic_load_explicit(&bio->in_flight, memory_order_acquire))
		return NULL;
	bio->n = 0;
	return bio;
}

static void shrink_list(struct lru_rotate *s, struct lru_cpu *c, struct lruvec *lruvec)
{
	struct page *pages[SWAP_CLUSTER_MAX];
	struct lru_bio *bio = open_bio(c);
	int n = 0, kept = 0;

	lru_add_drain(s, c);
	LP_FOR_FLAVOUR(s->flavour, isolate_pages, s, c, lruvec, pages, &n);
	for (int i = 0; i < n; i++)
		if (shrink_page(c, pages[i], bio))
			pages[kept++] = pages[i];
	if (kept)
		LP_FOR_FLAVOUR(s->flavour, putback_pages, s, c, lruvec, pages, kept);
	if (bio && bio->n) {
		atomic_store_explicit(&bio->in_flight, true, memory_order_relaxed);
		c->bio_head++;
	}
}

/* ---- drains ---- */

static void on_drain(const struct lp_irq_event *event, void *context)
{
	struct lru_rotate *s = context;
	struct lru_cpu *initiator = event->arg;

	lru_add_drain(s, s->cpu[smp_processor_id()]);
	/* Release: the initiator sees what was drained; pairs with its acquire. */
	atomic_fetch_add_explicit(&initiator->drain_acks, 1, memory_order_release);
}

int lru_rotate_interrupts(struct lru_rotate *s, struct lp_error *err)
{
	int rc = lru_device_register(s, err);

	return rc ? rc : lp_irq_register(LRU_DRAIN_VECTOR, on_drain, s, err);
}

void lru_add_drain(struct lru_rotate *s, struct lru_cpu *c)
{
	unsigned long flags;

	if (pagevec_count(&c->add)) {
		flags = local_irq_save();
		add_drain(s, c);
		local_irq_restore(flags);
	}
	if (pagevec_count(&c->rotate))
		s->algorithm->drain(s, c);
}

static bool holds_pages(struct lru_cpu *c)
{
	return pagevec_count(&c->add) || pagevec_count(&c->rotate);
}

static void drain_all_played(struct lru_rotate *s)
{
	int self = smp_processor_id();

	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		lru_add_drain(s, s->cpu[i]);
	}
	lp_cpu_enter(self);
}

void lru_add_drain_all(struct lru_rotate *s, struct lru_cpu *c)
{
	int sent = 0, self = smp_processor_id();

	if (s->run->spec->mode == LP_MODE_EXACT) {
		drain_all_played(s);
		return;
	}
	atomic_store_explicit(&c->drain_acks, 0, memory_order_relaxed);
	for (int i = 0; i < s->cpus; i++)
		if (i != self && holds_pages(s->cpu[i]))
			sent += !lp_irq_send(s->run->worker[i].thread, LRU_DRAIN_VECTOR, c);
	lru_add_drain(s, c);
	/* Acquire: pairs with on_drain(). Interrupts are on: two initiators serve each other. */
	while (atomic_load_explicit(&c->drain_acks, memory_order_acquire) < sent) {
		cpu_relax();
		lp_irq_poll();
	}
}

/*
 * Its owner drops a page wherever it is on the list, as an exiting process does: one drawn at
 * random, left alone unless clean, on the LRU and not claimed. Its last reference may be that of a
 * batch, or a batch may hold the page without any.
 */
static void drop_some_page(struct lru_rotate *s, struct lru_cpu *c)
{
	unsigned node = lp_random_below(&c->random, (uint32_t)s->nodes);
	struct page *page = &s->pages[node][lp_random_below(&c->random, s->pages_on_node[node])];

	if (!get_page_unless_zero(page))
		return;
	if (!page_test(page, PG_dirty) && !page_test(page, PG_writeback) &&
		page_test_and_clear(page, PG_lru)) {
		c->other_locks++;
		LP_FOR_FLAVOUR(s->flavour, unlink_claimed, page_lruvec(s, page), page);
		put_page(s, c, page); /* the owner's */
	}
	put_page(s, c, page);
}

void lru_swapout_step(struct lru_rotate *s, struct lru_cpu *c)
{
	unsigned lists = (unsigned)(s->nodes * s->memcgs);

	add_new_pages(s, c);
	shrink_list(s, c, &s->lruvec[c->next_lruvec++ % lists]);
	lru_device_step(s, c);
	drop_some_page(s, c);
	c->steps++;
	if (s->drain_all_every && c->steps % s->drain_all_every == 0)
		lru_add_drain_all(s, c);
}
