// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The per-CPU lists: the fast path of allocating and freeing, and emptying them.
 *
 * Written once and compiled for each lock flavour, in two forms, `locked` or not. Plain: the owner
 * alone touches its lists, with interrupts off (to 5.18). Locked: whoever holds pcp->lock does; the
 * owner only tries it, because an interrupt or a remote drain may hold it, and goes to the zone
 * when it is taken (mm/page_alloc.c, rmqueue_pcplist(), free_unref_page(), 6.1).
 *
 * The loops of the actors are here, too, so that the lock inlines into them.
 */
#include "suites/pcp_drain/pcp_drain.h"

/* Both sides of the mask: in between no interrupt may run here, which its handler verifies. */
static LP_ALWAYS_INLINE unsigned long plain_enter(struct pcp_cpu *c)
{
	unsigned long flags = local_irq_save();

	c->pcp.busy = true;
	return flags;
}

static LP_ALWAYS_INLINE void plain_leave(struct pcp_cpu *c, unsigned long flags)
{
	c->pcp.busy = false;
	local_irq_restore(flags);
}

static LP_ALWAYS_INLINE void set_count(struct per_cpu_pages *pcp, unsigned n)
{
	atomic_store_explicit(&pcp->count, n, memory_order_relaxed);
}

static LP_ALWAYS_INLINE unsigned get_count(struct per_cpu_pages *pcp)
{
	return atomic_load_explicit(&pcp->count, memory_order_relaxed);
}

static LP_ALWAYS_INLINE unsigned long zone_lock(
	struct pcp_drain *s, struct pcp_cpu *c, lp_lock_flavour f)
{
	unsigned long flags = spin_lock_irqsave(&s->zone->lock, f);

	c->n.zone_locks++;
	return flags;
}

static LP_ALWAYS_INLINE void zone_unlock(
	struct pcp_drain *s, unsigned long flags, lp_lock_flavour f)
{
	spin_unlock_irqrestore(&s->zone->lock, flags, f);
}

/* Observed flavours: how long the zone was held in order to free @pages. */
static LP_ALWAYS_INLINE void note_hold(
	struct pcp_cpu *c, unsigned pages, uint64_t from, lp_lock_flavour f)
{
	unsigned class = pages < 2 ? 0 : pages < 32 ? 1 : pages < 64 ? 2 : pages < 128 ? 3 : 4;

	if (!(f & LP_LOCK_OBSERVED))
		return;
	c->n.hold_count[class]++;
	c->n.hold_ticks[class] += lp_ticks() - from;
}

/* Frees the @count oldest pages, the lists served in turn (free_pcppages_bulk(), 2.6.31 on). */
static LP_ALWAYS_INLINE void free_bulk(struct pcp_drain *s, struct pcp_cpu *c,
	struct per_cpu_pages *pcp, unsigned count, lp_lock_flavour f)
{
	unsigned long flags = zone_lock(s, c, f);
	uint64_t from = f & LP_LOCK_OBSERVED ? lp_ticks() : 0;
	unsigned left = count;

	for (int type = 0; left; type = (type + 1) % MIGRATE_PCPTYPES) {
		struct page *page;

		if (list_empty(&pcp->lists[type]))
			continue;
		page = list_last_entry(&pcp->lists[type], struct page, lru);
		list_del(&page->lru);
		free_one_page(s->zone, page, 0);
		left--;
	}
	set_count(pcp, get_count(pcp) - count);
	note_hold(c, count, from, f);
	zone_unlock(s, flags, f);
}

static LP_ALWAYS_INLINE struct page *take_from_list(struct pcp_drain *s, struct pcp_cpu *c,
	struct per_cpu_pages *pcp, int type, lp_lock_flavour f)
{
	struct list_head *list = &pcp->lists[type];
	struct page *page;

	if (unlikely(list_empty(list))) {
		unsigned long flags = zone_lock(s, c, f);
		unsigned taken = rmqueue_bulk(s->zone, s->batch, list, type);

		zone_unlock(s, flags, f);
		set_count(pcp, get_count(pcp) + taken);
		if (!taken)
			return NULL;
	}
	page = list_first_entry(list, struct page, lru);
	list_del(&page->lru);
	set_count(pcp, get_count(pcp) - 1);
	return page;
}

static LP_ALWAYS_INLINE void put_on_list(struct pcp_drain *s, struct pcp_cpu *c,
	struct per_cpu_pages *pcp, struct page *page, lp_lock_flavour f)
{
	unsigned count = get_count(pcp) + 1;

	list_add(&page->lru, &pcp->lists[pageblock_type(page)]);
	set_count(pcp, count);
	if (unlikely(count >= s->high))
		free_bulk(s, c, pcp, s->batch, f);
}

static LP_ALWAYS_INLINE struct page *alloc_from_zone(
	struct pcp_drain *s, struct pcp_cpu *c, unsigned order, int type, lp_lock_flavour f)
{
	unsigned long flags = zone_lock(s, c, f);
	struct page *page = rmqueue(s->zone, order, type);

	zone_unlock(s, flags, f);
	return page;
}

static LP_ALWAYS_INLINE void free_to_zone(struct pcp_drain *s, struct pcp_cpu *c, struct page *page,
	unsigned order, lp_lock_flavour f)
{
	unsigned long flags = zone_lock(s, c, f);
	uint64_t from = f & LP_LOCK_OBSERVED ? lp_ticks() : 0;

	free_one_page(s->zone, page, order);
	note_hold(c, 1u << order, from, f);
	zone_unlock(s, flags, f);
}

/* ---- one page, in both forms ---- */

static LP_ALWAYS_INLINE struct page *plain_alloc_one(
	struct pcp_drain *s, struct pcp_cpu *c, int type, lp_lock_flavour f)
{
	unsigned long flags = plain_enter(c);
	struct page *page = take_from_list(s, c, &c->pcp, type, f);

	plain_leave(c, flags);
	return page;
}

static LP_ALWAYS_INLINE void plain_free_one(
	struct pcp_drain *s, struct pcp_cpu *c, struct page *page, lp_lock_flavour f)
{
	unsigned long flags = plain_enter(c);

	put_on_list(s, c, &c->pcp, page, f);
	plain_leave(c, flags);
}

static LP_ALWAYS_INLINE struct page *locked_alloc_one(
	struct pcp_drain *s, struct pcp_cpu *c, int type, lp_lock_flavour f)
{
	struct page *page;

	preempt_disable();
	if (likely(spin_trylock(&c->pcp.lock, f))) {
		page = take_from_list(s, c, &c->pcp, type, f);
		spin_unlock(&c->pcp.lock, f);
	} else {
		c->n.trylock_failures++;
		page = alloc_from_zone(s, c, 0, type, f);
	}
	preempt_enable();
	return page;
}

static LP_ALWAYS_INLINE void locked_free_one(
	struct pcp_drain *s, struct pcp_cpu *c, struct page *page, lp_lock_flavour f)
{
	preempt_disable();
	if (likely(spin_trylock(&c->pcp.lock, f))) {
		put_on_list(s, c, &c->pcp, page, f);
		spin_unlock(&c->pcp.lock, f);
	} else {
		c->n.trylock_failures++;
		free_to_zone(s, c, page, 0, f);
	}
	preempt_enable();
}

static LP_ALWAYS_INLINE struct page *alloc_pages(struct pcp_drain *s, struct pcp_cpu *c,
	unsigned order, int type, bool locked, lp_lock_flavour f)
{
	if (unlikely(!zone_watermark_ok(s->zone, order)))
		return NULL;
	if (unlikely(order))
		return alloc_from_zone(s, c, order, type, f);
	return locked ? locked_alloc_one(s, c, type, f) : plain_alloc_one(s, c, type, f);
}

static LP_ALWAYS_INLINE void free_pages(struct pcp_drain *s, struct pcp_cpu *c, struct page *page,
	unsigned order, bool locked, lp_lock_flavour f)
{
	if (unlikely(order))
		free_to_zone(s, c, page, order, f);
	else if (locked)
		locked_free_one(s, c, page, f);
	else
		plain_free_one(s, c, page, f);
}

/* ---- emptying ---- */

static LP_ALWAYS_INLINE unsigned plain_empty(
	struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of, lp_lock_flavour f)
{
	unsigned long flags = plain_enter(of);
	unsigned count = get_count(&of->pcp);

	if (count)
		free_bulk(s, c, &of->pcp, count, f);
	plain_leave(of, flags);
	return count;
}

/* Neither the zone nor the list is held for more than batch << PCP_BATCH_SCALE pages. */
static LP_ALWAYS_INLINE unsigned locked_empty(
	struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of, lp_lock_flavour f)
{
	unsigned chunk = s->batch << PCP_BATCH_SCALE, freed = 0, now;

	do {
		preempt_disable();
		spin_lock(&of->pcp.lock, f);
		now = get_count(&of->pcp);
		now = now < chunk ? now : chunk;
		if (now)
			free_bulk(s, c, &of->pcp, now, f);
		spin_unlock(&of->pcp.lock, f);
		preempt_enable();
		freed += now;
	} while (now == chunk);
	return freed;
}

/* ---- the loops of the actors ---- */

/* Of those above order 0: half order 1, three tenths order 2, two tenths order 3. */
static LP_ALWAYS_INLINE unsigned draw_order(struct pcp_drain *s, struct pcp_cpu *c)
{
	unsigned lot = lp_random_below(&c->random, 10000);

	if (lot >= s->high_orders * 10)
		return 0;
	return lot < s->high_orders * 5 ? 1 : lot < s->high_orders * 8 ? 2 : 3;
}

static LP_ALWAYS_INLINE int next_type(struct pcp_cpu *c)
{
	return c->type = c->type == MIGRATE_PCPTYPES - 1 ? 0 : c->type + 1;
}

/* What is kept beyond the caps has served its time: files removed, buffers sent. */
static LP_ALWAYS_INLINE void trim(
	struct pcp_drain *s, struct pcp_cpu *c, bool locked, lp_lock_flavour f)
{
	if (s->lru_cap && c->lru.pages > s->lru_cap)
		free_pages(s, c, pcp_oldest(&c->lru, 0), 0, locked, f);
	if (c->blocks.pages > s->block_cap) {
		unsigned order = c->blocks.page[c->blocks.tail & c->blocks.mask]->order;

		free_pages(s, c, pcp_oldest(&c->blocks, order), order, locked, f);
	}
}

static LP_ALWAYS_INLINE void allocate_one(
	struct pcp_drain *s, struct pcp_cpu *c, bool locked, lp_lock_flavour f)
{
	struct page *page;

	trim(s, c, locked, f);
	c->order = draw_order(s, c);
	if (f & LP_LOCK_OBSERVED)
		c->from_ticks = lp_ticks();
	page = alloc_pages(s, c, c->order, next_type(c), locked, f);
	c->n.asked[c->order]++;
	if (likely(page)) {
		pcp_alloc_done(s, c, page);
		return;
	}
	c->n.fast_failures++;
	c->rounds = 0;
	c->stage = PCP_STAGE_RECLAIM;
}

static LP_ALWAYS_INLINE void allocate(
	struct pcp_drain *s, struct pcp_cpu *c, unsigned n, bool locked, lp_lock_flavour f)
{
	for (unsigned i = 0; i < n && c->stage == PCP_STAGE_TRY; i++)
		allocate_one(s, c, locked, f);
}

static LP_ALWAYS_INLINE void take(struct pcp_drain *s, struct pcp_cpu *c, unsigned n,
	unsigned *taken, bool locked, lp_lock_flavour f)
{
	for (*taken = 0; *taken < n; (*taken)++) {
		struct page *page = alloc_pages(s, c, 0, next_type(c), locked, f);

		if (unlikely(!page))
			break;
		pcp_hold(&c->lru, page, 0);
	}
	c->n.allocs += *taken;
	c->n.fast_failures += *taken < n;
}

static LP_ALWAYS_INLINE void give(
	struct pcp_drain *s, struct pcp_cpu *c, unsigned n, bool locked, lp_lock_flavour f)
{
	while (n-- && pcp_held_count(&c->lru))
		free_pages(s, c, pcp_oldest(&c->lru, 0), 0, locked, f);
}

/* ---- the tables ---- */

static LP_ALWAYS_INLINE void alloc_into(struct page **page, struct pcp_drain *s, struct pcp_cpu *c,
	unsigned order, int type, bool locked, lp_lock_flavour f)
{
	*page = alloc_pages(s, c, order, type, locked, f);
}

static LP_ALWAYS_INLINE void empty_into(unsigned *pages, struct pcp_drain *s, struct pcp_cpu *c,
	struct pcp_cpu *of, bool locked, lp_lock_flavour f)
{
	*pages = locked ? locked_empty(s, c, of, f) : plain_empty(s, c, of, f);
}

/* Each function of struct pcp_lists in the form @form, once per lock flavour. */
#define PCP_LISTS(form, locked)                                                                    \
	static struct page *form##_alloc(                                                          \
		struct pcp_drain *s, struct pcp_cpu *c, unsigned order, int type)                  \
	{                                                                                          \
		struct page *page;                                                                 \
                                                                                                   \
		LP_FOR_FLAVOUR(s->flavour, alloc_into, &page, s, c, order, type, locked);          \
		return page;                                                                       \
	}                                                                                          \
	static void form##_free(                                                                   \
		struct pcp_drain *s, struct pcp_cpu *c, struct page *page, unsigned order)         \
	{                                                                                          \
		LP_FOR_FLAVOUR(s->flavour, free_pages, s, c, page, order, locked);                 \
	}                                                                                          \
	static unsigned form##_drain(struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of)   \
	{                                                                                          \
		unsigned pages;                                                                    \
                                                                                                   \
		LP_FOR_FLAVOUR(s->flavour, empty_into, &pages, s, c, of, locked);                  \
		return pages;                                                                      \
	}                                                                                          \
	static void form##_allocate(struct pcp_drain *s, struct pcp_cpu *c, unsigned n)            \
	{                                                                                          \
		LP_FOR_FLAVOUR(s->flavour, allocate, s, c, n, locked);                             \
	}                                                                                          \
	static unsigned form##_take(struct pcp_drain *s, struct pcp_cpu *c, unsigned n)            \
	{                                                                                          \
		unsigned taken;                                                                    \
                                                                                                   \
		LP_FOR_FLAVOUR(s->flavour, take, s, c, n, &taken, locked);                         \
		return taken;                                                                      \
	}                                                                                          \
	static void form##_give(struct pcp_drain *s, struct pcp_cpu *c, unsigned n)                \
	{                                                                                          \
		LP_FOR_FLAVOUR(s->flavour, give, s, c, n, locked);                                 \
	}                                                                                          \
	const struct pcp_lists pcp_##form = {                                                      \
		.alloc = form##_alloc,                                                             \
		.free = form##_free,                                                               \
		.drain = form##_drain,                                                             \
		.allocate = form##_allocate,                                                       \
		.take = form##_take,                                                               \
		.give = form##_give,                                                               \
	}

PCP_LISTS(plain, false);
PCP_LISTS(locked, true);
