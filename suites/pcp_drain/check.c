// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The invariants of the path, after every repetition: each page is in exactly one place (held by
 * an actor, on one CPU's list, or in one buddy block), first as the actors left them, then with
 * all freed, when every block must have become whole again; every request to drain was answered;
 * no interrupt ran in a masked section.
 */
#include "suites/pcp_drain/pcp_drain.h"

#include <errno.h>

/* While auditing, page->stamp counts the places in which a page was found. */
static void stamp(struct page *page, unsigned order)
{
	for (unsigned long i = 0; i < 1ul << order; i++)
		page[i].stamp++;
}

static void stamp_held(struct pcp_held *h, bool blocks)
{
	for (unsigned i = h->tail; i != h->head; i++) {
		struct page *page = h->page[i & h->mask];

		stamp(page, blocks ? page->order : 0);
	}
}

static int stamp_lists(struct pcp_cpu *c, struct lp_error *err)
{
	unsigned listed = 0, counted = atomic_load_explicit(&c->pcp.count, memory_order_relaxed);

	for (int type = 0; type < MIGRATE_PCPTYPES; type++) {
		struct page *page;

		list_for_each_entry (page, &c->pcp.lists[type], lru) {
			stamp(page, 0);
			listed++;
		}
	}
	if (listed != counted)
		return lp_fail(err, EUCLEAN, "CPU %d: %u pages on its lists, %u counted", c->id,
			listed, counted);
	return 0;
}

static int stamp_block(struct page *page, unsigned order, int type, struct lp_error *err)
{
	if (!page_test(page, PG_buddy) || page->order != order || pageblock_type(page) != type ||
		page_to_pfn(page) & ((1ul << order) - 1))
		return lp_fail(err, EUCLEAN, "page %lu is misplaced on the free list of order %u",
			page_to_pfn(page), order);
	stamp(page, order);
	return 0;
}

static int stamp_area(struct zone *zone, unsigned order, long *free, struct lp_error *err)
{
	long blocks = 0;

	for (int type = 0; type < MIGRATE_PCPTYPES; type++) {
		struct page *page;

		list_for_each_entry (page, &zone->free_area[order].free_list[type], lru) {
			int rc = stamp_block(page, order, type, err);

			if (rc)
				return rc;
			blocks++;
		}
	}
	*free += blocks << order;
	if (blocks != atomic_load_explicit(&zone->free_area[order].nr_free, memory_order_relaxed))
		return lp_fail(err, EUCLEAN, "order %u: %ld free blocks, not as many as counted",
			order, blocks);
	return 0;
}

static int stamp_zone(struct zone *zone, struct lp_error *err)
{
	long free = 0, counted = atomic_load_explicit(&zone->free_pages, memory_order_relaxed);
	int rc = 0;

	for (unsigned order = 0; !rc && order < MAX_ORDER; order++)
		rc = stamp_area(zone, order, &free, err);
	if (!rc && free != counted)
		rc = lp_fail(err, EUCLEAN, "%ld pages are free, %ld are counted", free, counted);
	return rc;
}

static int expect_one_place(struct zone *zone, struct lp_error *err)
{
	for (unsigned long pfn = 0; pfn < zone->nr_pages; pfn++)
		if (zone->pages[pfn].stamp != 1)
			return lp_fail(err, EUCLEAN, "page %lu is in %lu places, not in one", pfn,
				(unsigned long)zone->pages[pfn].stamp);
	return 0;
}

int pcp_audit(struct pcp_drain *s, struct lp_error *err)
{
	int rc = 0;

	for (unsigned long pfn = 0; pfn < s->zone->nr_pages; pfn++)
		s->zone->pages[pfn].stamp = 0;
	for (int i = 0; !rc && i < s->cpus; i++) {
		stamp_held(&s->cpu[i]->lru, false);
		stamp_held(&s->cpu[i]->blocks, true);
		rc = stamp_lists(s->cpu[i], err);
	}
	if (!rc)
		rc = stamp_zone(s->zone, err);
	return rc ? rc : expect_one_place(s->zone, err);
}

static int check_whole(struct zone *zone, struct lp_error *err)
{
	unsigned long whole = (unsigned long)atomic_load_explicit(
		&zone->free_area[PAGEBLOCK_ORDER].nr_free, memory_order_relaxed);

	if (whole != zone->nr_pages >> PAGEBLOCK_ORDER)
		return lp_fail(err, EUCLEAN,
			"all is freed, but only %lu of %lu page blocks are whole again", whole,
			zone->nr_pages >> PAGEBLOCK_ORDER);
	return 0;
}

/* A request to a CPU that left may have been answered or not; all others must have been. */
static int check_requests(const struct pcp_drain *s, struct lp_error *err)
{
	uint64_t requests = 0, answers = 0, offline = 0, handled = 0, masked = 0;

	for (int i = 0; i < s->cpus; i++) {
		const struct pcp_counts *n = &s->cpu[i]->n;

		requests += n->requests;
		answers += n->answers;
		offline += n->offline_answers;
		handled += n->handled;
		masked += n->ran_masked;
	}
	if (requests != answers + offline || handled < answers || handled > requests)
		return lp_fail(err, EUCLEAN,
			"%lu drains were requested, %lu acknowledged, %lu of CPUs that left, %lu "
			"done",
			(unsigned long)requests, (unsigned long)answers, (unsigned long)offline,
			(unsigned long)handled);
	if (masked)
		return lp_fail(err, EUCLEAN, "%lu interrupts ran while they were masked",
			(unsigned long)masked);
	return 0;
}

int pcp_drain_check(struct lp_run *run, struct lp_error *err)
{
	struct pcp_drain *s = run->state;
	int rc;

	if (s->audit.code)
		return lp_fail(err, s->audit.code, "before all was freed: %s", s->audit.message);
	rc = pcp_audit(s, err);
	if (!rc)
		rc = check_whole(s->zone, err);
	return rc ? rc : check_requests(s, err);
}
