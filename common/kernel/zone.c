// SPDX-License-Identifier: GPL-2.0-or-later
/* Making and checking LRU lists: the cold side of zone.h. */
#include "common/kernel/zone.h"

#include <errno.h>

void lruvec_init(struct lruvec *lruvec, int node, int memcg, lp_lock_flavour flavour,
	struct lp_lockstat *stat)
{
	spin_lock_init(&lruvec->lru_lock, flavour, stat);
	for (int lru = 0; lru < NR_LRU_LISTS; lru++) {
		INIT_LIST_HEAD(&lruvec->lists[lru]);
		lruvec->nr_pages[lru] = 0;
	}
	lruvec->node = node;
	lruvec->memcg = memcg;
}

static int check_page(struct lruvec *lruvec, struct page *page, int lru, struct lp_error *err)
{
	if (page->lru.next->prev != &page->lru || page->lru.prev->next != &page->lru)
		return lp_fail(err, EUCLEAN, "list %d of node %d: the links around a page disagree",
			lru, lruvec->node);
	if (!page_test(page, PG_lru))
		return lp_fail(err, EUCLEAN, "list %d of node %d: a page without PG_lru", lru,
			lruvec->node);
	if ((int)page_lru(page) != lru)
		return lp_fail(err, EUCLEAN, "list %d of node %d: a page of the other list", lru,
			lruvec->node);
	if (page->node != lruvec->node || page->memcg != lruvec->memcg)
		return lp_fail(err, EUCLEAN, "list %d of node %d: a page of node %d, group %d", lru,
			lruvec->node, page->node, page->memcg);
	return 0;
}

int lruvec_check(struct lruvec *lruvec, struct lp_error *err)
{
	for (int lru = 0; lru < NR_LRU_LISTS; lru++) {
		unsigned long n = 0;
		struct page *page;

		list_for_each_entry(page, &lruvec->lists[lru], lru) {
			int rc = check_page(lruvec, page, lru, err);

			if (rc)
				return rc;
			if (++n > lruvec->nr_pages[lru])
				break;
		}
		if (n != lruvec->nr_pages[lru])
			return lp_fail(err, EUCLEAN,
				"list %d of node %d: %lu pages or more are linked, %lu are counted",
				lru, lruvec->node, n, lruvec->nr_pages[lru]);
	}
	return 0;
}
