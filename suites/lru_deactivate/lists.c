// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lists and the per-CPU batches in front of them (mm/swap.c of 2.6.39).
 *
 * Every batch holds a reference on its pages and takes the lock once for all of them. Batches are
 * touched with interrupts off because another CPU's request to drain arrives as one.
 */
#include "suites/lru_deactivate/lru_deactivate.h"

#include "common/kernel/irq_poll.h"

unsigned long ld_lock(struct deactivate *s, struct ld_cpu *c)
{
	unsigned long flags = local_irq_save();

	c->locks++;
	LP_FOR_FLAVOUR(s->flavour, spin_lock, &s->lruvec->lru_lock);
	return flags;
}

void ld_unlock(struct deactivate *s, unsigned long flags)
{
	for (int lru = 0; lru < NR_LRU_LISTS; lru++)
		atomic_store_explicit(
			&s->nr_listed[lru], s->lruvec->nr_pages[lru], memory_order_relaxed);
	LP_FOR_FLAVOUR(s->flavour, spin_unlock, &s->lruvec->lru_lock);
	local_irq_restore(flags);
}

typedef void (*move_fn)(struct deactivate *s, struct ld_cpu *c, struct page *page);

static void add_fn(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	lruvec_add_page(s->lruvec, page);
	page_set(page, PG_lru);
}

/* mm/swap.c, __activate_page(). */
static void activate_fn(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	if (!page_test(page, PG_lru) || page_test(page, PG_active))
		return;
	lruvec_del_page(s->lruvec, page);
	page_set(page, PG_active);
	lruvec_add_page(s->lruvec, page);
	count_vm_event(PGACTIVATE);
}

void lru_deactivate_fn(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	bool active = page_test(page, PG_active);

	if (!page_test(page, PG_lru) || page_test(page, PG_unevictable) ||
		page_test(page, PG_mapped))
		return;
	lruvec_del_page(s->lruvec, page);
	page_clear(page, PG_active);
	page_clear(page, PG_referenced);
	if (page_test(page, PG_dirty) || page_test(page, PG_writeback)) {
		/* Head, not tail: it is not clean yet. The end of its writeback rotates it. */
		lruvec_add_page(s->lruvec, page);
		page_set(page, PG_reclaim);
		count_vm_event(PGRECLAIM);
	} else {
		lruvec_add_page_tail(s->lruvec, page);
		count_vm_event(PGROTATED);
		c->rotation->moved++;
		c->rotation->completed++;
	}
	if (active)
		count_vm_event(PGDEACTIVATE);
	count_vm_event(PGINVALIDATE);
	c->wrong_deactivations += page->owner == MAP_WORKING_SET;
}

/* Empties a batch under one hold of the lock; interrupts are off. */
static void flush(struct deactivate *s, struct ld_cpu *c, struct pagevec *pv, move_fn move)
{
	unsigned n = pagevec_count(pv);
	unsigned long flags;

	if (!n)
		return;
	flags = ld_lock(s, c);
	for (unsigned i = 0; i < n; i++)
		move(s, c, pv->pages[i]);
	ld_unlock(s, flags);
	c->advice_locks += move == lru_deactivate_fn;
	ld_release_pages(s, c, pv->pages, n);
	pagevec_reinit(pv);
}

static void batch(
	struct deactivate *s, struct ld_cpu *c, struct pagevec *pv, struct page *page, move_fn move)
{
	unsigned long flags = local_irq_save();

	get_page(page);
	if (!pagevec_add(pv, PAGEVEC_SIZE, page, LP_LOCK_UNFAIR))
		flush(s, c, pv, move);
	local_irq_restore(flags);
}

void ld_add_to_lru(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	batch(s, c, &c->add, page, add_fn);
}

void deactivate_page(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	batch(s, c, &c->deactivate, page, lru_deactivate_fn);
}

void mark_page_accessed(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	if (!page_test(page, PG_active) && page_test(page, PG_referenced) &&
		page_test(page, PG_lru)) {
		batch(s, c, &c->activate, page, activate_fn);
		page_clear(page, PG_referenced);
	} else if (!page_test(page, PG_referenced)) {
		page_set(page, PG_referenced);
	}
}

unsigned ld_batched(struct ld_cpu *c)
{
	return pagevec_count(&c->add) + pagevec_count(&c->activate) + pagevec_count(&c->deactivate);
}

void ld_drain(struct deactivate *s, struct ld_cpu *c)
{
	unsigned long flags = local_irq_save();

	flush(s, c, &c->add, add_fn);
	flush(s, c, &c->activate, activate_fn);
	flush(s, c, &c->deactivate, lru_deactivate_fn);
	local_irq_restore(flags);
	if (pagevec_count(&c->rotation->rotate))
		s->rotation.algorithm->drain(&s->rotation, c->rotation);
}

/* ---- all CPUs ---- */

static void on_drain(const struct lp_irq_event *event, void *context)
{
	struct deactivate *s = context;
	struct ld_cpu *initiator = event->arg;

	ld_drain(s, s->cpu[smp_processor_id()]);
	/* Release: pairs with the initiator's acquire. */
	atomic_fetch_add_explicit(&initiator->drain_acks, 1, memory_order_release);
}

int ld_register_interrupts(struct deactivate *s, struct lp_error *err)
{
	return lp_irq_register(LD_DRAIN_VECTOR, on_drain, s, err);
}

static void drain_all_played(struct deactivate *s)
{
	int self = smp_processor_id();

	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		ld_drain(s, s->cpu[i]);
	}
	lp_cpu_enter(self);
}

/* One CPU at a time, so that merged signals cannot leave an acknowledgement out. */
static void drain_other(struct deactivate *s, struct ld_cpu *c, int cpu)
{
	atomic_store_explicit(&c->drain_acks, 0, memory_order_relaxed);
	if (lp_irq_send(s->run->worker[cpu].thread, LD_DRAIN_VECTOR, c))
		return; /* the signal queue is full: a drain is only a help */
	while (!atomic_load_explicit(&c->drain_acks, memory_order_acquire)) {
		cpu_relax();
		lp_irq_poll();
	}
}

void ld_drain_all(struct deactivate *s, struct ld_cpu *c)
{
	int self = smp_processor_id();

	c->drains++;
	if (s->exact) {
		drain_all_played(s);
		return;
	}
	ld_drain(s, c);
	for (int i = 0; i < s->cpus; i++)
		if (i != self && ld_batched(s->cpu[i])) {
			c->drain_steps++;
			drain_other(s, c, i);
		}
}
