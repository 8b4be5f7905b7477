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

/* Looks at no further than the neighbours: a walk that checks as it goes never leaves the list. */
static bool links_agree(const struct list_head *entry)
{
	return entry->next && entry->prev && entry->next->prev == entry &&
	       entry->prev->next == entry;
}

static int check_page(struct lruvec *lruvec, struct page *page, int lru, struct lp_error *err)
{
	if (!links_agree(&page->lru))
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

static int check_list(struct lruvec *lruvec, int lru, struct lp_error *err)
{
	unsigned long counted = lruvec->nr_pages[lru], n = 0;
	struct page *page;

	if (!links_agree(&lruvec->lists[lru]))
		return lp_fail(err, EUCLEAN,
			"list %d of node %d: the links around its head disagree", lru,
			lruvec->node);
	list_for_each_entry (page, &lruvec->lists[lru], lru) {
		int rc = check_page(lruvec, page, lru, err);

		if (rc)
			return rc;
		if (++n > counted)
			break;
	}
	if (n != counted)
		return lp_fail(err, EUCLEAN,
			"list %d of node %d: %lu pages are counted, %lu%s are linked", lru,
			lruvec->node, counted, n, n > counted ? " or more" : "");
	return 0;
}

int lruvec_check(struct lruvec *lruvec, struct lp_error *err)
{
	int rc = 0;

	for (int lru = 0; !rc && lru < NR_LRU_LISTS; lru++)
		rc = check_list(lruvec, lru, err);
	return rc;
}
