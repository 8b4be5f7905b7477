// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The invariants: each page is in exactly one place (active, inactive or free) and, unless free, in
 * exactly the slot of the cache that it says; active + inactive + free = all; references balance;
 * nothing is batched, under writeback or counted dirty without being so; no page of the working set
 * was invalidated or deactivated by the stream's advice.
 */
#include "suites/lru_deactivate/lru_deactivate.h"

#include <errno.h>

static int check_list(struct deactivate *s, enum lru_list lru, struct lp_error *err)
{
	struct page *page;

	list_for_each_entry (page, &s->lruvec->lists[lru], lru) {
		page->stamp++;
		if (page_count(page) != 1)
			return lp_fail(err, EUCLEAN, "a page on list %d has %d references, not 1",
				lru, page_count(page));
		if (page_test(page, PG_writeback) || page_test(page, PG_locked))
			return lp_fail(err, EUCLEAN, "a page is still under writeback or locked");
		if (atomic_load_explicit(
			    &s->map[page->owner].slot[page->index], memory_order_relaxed) != page)
			return lp_fail(
				err, EUCLEAN, "a page on list %d is not in its cache slot", lru);
	}
	return 0;
}

static int check_pages(struct deactivate *s, struct lp_error *err)
{
	int dirty = 0;

	for (unsigned i = 0; i < s->memory; i++) {
		if (s->pages[i].stamp != 1)
			return lp_fail(err, EUCLEAN, "page %u is in %lu places, not in one", i,
				(unsigned long)s->pages[i].stamp);
		s->pages[i].stamp = 0;
		dirty += page_test(&s->pages[i], PG_dirty);
	}
	if (dirty != s->nr_dirty)
		return lp_fail(err, EUCLEAN,
			"%d pages are dirty, %d are counted: one was dropped "
			"unwritten or written unseen",
			dirty, s->nr_dirty);
	return 0;
}

static int check_free(struct deactivate *s, struct lp_error *err)
{
	for (unsigned i = 0; i < s->nr_free; i++) {
		s->free[i]->stamp++;
		if (page_count(s->free[i]))
			return lp_fail(err, EUCLEAN, "a free page has %d references",
				page_count(s->free[i]));
	}
	return 0;
}

static int check_cpu(struct deactivate *s, int i, struct lp_error *err)
{
	struct ld_cpu *c = s->cpu[i];

	if (ld_batched(c) || pagevec_count(&c->rotation->rotate) || c->nr_free ||
		c->rotation->nr_free || c->writing_head != c->writing_tail)
		return lp_fail(err, EUCLEAN, "CPU %d: pages are left in its batches", i);
	if (c->wrong_deactivations)
		return lp_fail(err, EUCLEAN, "CPU %d: %lu pages of the working set deactivated", i,
			(unsigned long)c->wrong_deactivations);
	return 0;
}

/* Every cached slot holds a page that is on a list, which check_list() has seen from its side. */
static int check_cache(struct deactivate *s, struct lp_error *err)
{
	uint64_t cached = 0,
		 listed = s->lruvec->nr_pages[LRU_ACTIVE] + s->lruvec->nr_pages[LRU_INACTIVE];

	for (int i = 0; i < s->cpus * MAPPINGS; i++)
		for (uint64_t k = 0; k < s->map[i].pages; k++)
			cached += atomic_load_explicit(&s->map[i].slot[k], memory_order_relaxed) !=
				  NULL;
	if (cached != listed || listed + s->nr_free != s->memory)
		return lp_fail(err, EUCLEAN, "%lu pages cached, %lu listed, %u free, of %u",
			(unsigned long)cached, (unsigned long)listed, s->nr_free, s->memory);
	return 0;
}

int lru_deactivate_check(struct lp_run *run, struct lp_error *err)
{
	struct deactivate *s = run->state;
	int rc = lruvec_check(s->lruvec, err);

	for (int i = 0; !rc && i < s->cpus; i++)
		rc = check_cpu(s, i, err);
	for (int lru = 0; !rc && lru < NR_LRU_LISTS; lru++)
		rc = check_list(s, (enum lru_list)lru, err);
	if (!rc)
		rc = check_free(s, err);
	if (!rc)
		rc = check_cache(s, err);
	return rc ? rc : check_pages(s, err);
}
