// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The invariants of the path, after every repetition: each page is in exactly one place, on the
 * list of its own lruvec or on one CPU's free stack; references balance; nothing is batched, under
 * writeback or in the device any more; every rotation is accounted for.
 */
#include "suites/lru_rotate/lru_rotate.h"

#include <errno.h>

/* While checking, page->stamp counts the places in which a page was found. */
static int check_free(struct lru_rotate *s, int i, struct lp_error *err)
{
	struct lru_cpu *c = s->cpu[i];

	for (unsigned k = 0; k < c->nr_free; k++) {
		c->free[k]->stamp++;
		if (page_count(c->free[k]))
			return lp_fail(err, EUCLEAN, "CPU %d: a free page has %d references", i,
				page_count(c->free[k]));
	}
	return 0;
}

static int check_batches(struct lru_rotate *s, int i, struct lp_error *err)
{
	struct lru_cpu *c = s->cpu[i];

	if (pagevec_count(&c->rotate) || pagevec_count(&c->add))
		return lp_fail(err, EUCLEAN, "CPU %d: %u pages are left in its batches", i,
			pagevec_count(&c->rotate) + pagevec_count(&c->add));
	for (int b = 0; b < BIO_RING; b++)
		if (atomic_load_explicit(&c->bio[b].in_flight, memory_order_relaxed))
			return lp_fail(err, EUCLEAN, "CPU %d: a bio never completed", i);
	return 0;
}

static int check_listed(struct lruvec *lruvec, struct lp_error *err)
{
	struct page *page;
	int rc = lruvec_check(lruvec, err);

	if (rc)
		return rc;
	list_for_each_entry (page, &lruvec->lists[LRU_INACTIVE], lru) {
		page->stamp++;
		if (page_count(page) != 1)
			return lp_fail(err, EUCLEAN, "a page on the LRU has %d references, not 1",
				page_count(page));
		if (page_test(page, PG_writeback))
			return lp_fail(err, EUCLEAN, "a page is still under writeback");
	}
	return 0;
}

static int check_places(struct lru_rotate *s, struct lp_error *err)
{
	for (int n = 0; n < s->nodes; n++)
		for (unsigned k = 0; k < s->pages_on_node[n]; k++) {
			if (s->pages[n][k].stamp != 1)
				return lp_fail(err, EUCLEAN,
					"page %u of node %d is in %lu places, not in one", k, n,
					(unsigned long)s->pages[n][k].stamp);
			s->pages[n][k].stamp = 0;
		}
	return 0;
}

/* Rotations asked for and neither done nor refused, less those done twice: only pagevec_noref has
 * any (its header tells how), and only where interrupts come in the middle of a drain. */
int64_t lru_rotate_lost(const struct lru_rotate *s)
{
	int64_t lost = 0;

	for (int i = 0; i < s->cpus; i++)
		lost += (int64_t)(s->cpu[i]->completed - s->cpu[i]->moved - s->cpu[i]->not_rotated);
	return lost;
}

static int check_counts(struct lru_rotate *s, struct lp_error *err)
{
	bool may_lose = s->run->spec->variant == &lru_rotate_pagevec_noref;
	uint64_t moved = 0, written = 0, completed = 0, touches = 0;

	for (int i = 0; i < s->cpus; i++) {
		moved += s->cpu[i]->moved;
		written += s->cpu[i]->written;
		completed += s->cpu[i]->completed;
		touches += s->cpu[i]->stale_touches;
	}
	if (moved != lp_vm_events_sum(PGROTATED))
		return lp_fail(err, EUCLEAN, "%lu pages were moved, pgrotated says %lu",
			(unsigned long)moved, lp_vm_events_sum(PGROTATED));
	if (written && written != completed)
		return lp_fail(err, EUCLEAN, "%lu pages were written, %lu completed",
			(unsigned long)written, (unsigned long)completed);
	if (!may_lose && (lru_rotate_lost(s) || touches))
		return lp_fail(err, EUCLEAN, "%ld rotations lost, %lu stale touches",
			(long)lru_rotate_lost(s), (unsigned long)touches);
	if (s->offline_left)
		return lp_fail(err, EUCLEAN, "%lu pages stayed on a CPU that went offline",
			(unsigned long)s->offline_left);
	return 0;
}

int lru_rotate_check(struct lp_run *run, struct lp_error *err)
{
	struct lru_rotate *s = run->state;
	int rc = 0;

	for (int i = 0; !rc && i < s->cpus; i++)
		rc = check_batches(s, i, err);
	for (int i = 0; !rc && i < s->cpus; i++)
		rc = check_free(s, i, err);
	for (int i = 0; !rc && i < s->nodes * s->memcgs; i++)
		rc = check_listed(&s->lruvec[i], err);
	if (!rc)
		rc = check_places(s, err);
	return rc ? rc : check_counts(s, err);
}
