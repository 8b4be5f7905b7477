// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dropping clean pages of a range (mm/truncate.c, invalidate_mapping_pages(), 2.6.39): lookups of
 * 14; a page that is locked, dirty, under writeback, mapped or held by somebody else stays.
 */
#include "suites/lru_deactivate/lru_deactivate.h"

/* Return: whether the page has left the cache; the caller's reference is then the last one. */
static bool invalidate_page(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	bool gone = false;

	if (page_test_and_set(page, PG_locked))
		return false;
	if (!page_test(page, PG_dirty) && !page_test(page, PG_writeback) &&
		!page_test(page, PG_mapped))
		gone = ld_remove_mapping(s, c, page);
	if (gone) /* frozen at 0: hand the caller's reference back to be dropped as all others */
		atomic_store_explicit(&page->_refcount, 1, memory_order_release);
	/* Release: pairs with the acquire of the next who locks it. */
	page_test_and_clear(page, PG_locked);
	return gone;
}

static unsigned lookup(struct deactivate *s, struct ld_cpu *c, struct mapping *m, uint64_t start,
	unsigned n, struct page *pages[LOOKUP])
{
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++) {
		struct page *page = find_get_page(s, c, m, start + i);

		if (page)
			pages[found++] = page;
	}
	return found;
}

unsigned invalidate_mapping_pages(struct deactivate *s, struct ld_cpu *c, enum mapping_id id,
	uint64_t start, unsigned n, ld_failed failed)
{
	struct mapping *m = mapping_of(s, c, id);
	unsigned not_dropped = 0;

	for (unsigned done = 0; done < n; done += LOOKUP) {
		struct page *pages[LOOKUP];
		unsigned part = n - done < LOOKUP ? n - done : LOOKUP;
		unsigned found = lookup(s, c, m, start + done, part, pages);
		uint64_t locks;

		for (unsigned i = 0; i < found; i++) {
			if (invalidate_page(s, c, pages[i])) {
				c->invalidated++;
				continue;
			}
			not_dropped++;
			if (failed)
				failed(s, c, pages[i]);
		}
		locks = c->locks;
		ld_release_pages(s, c, pages, found);
		c->invalidate_locks += c->locks - locks;
		c->advised += found;
	}
	c->failed += not_dropped;
	return not_dropped;
}
