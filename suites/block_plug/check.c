// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The invariants: every bio submitted was completed exactly once, every page reached the device
 * once, nothing is left in a plug or a queue, every request is free again.
 *
 * That no byte range was written twice follows from two counts: each bio completes once, and no
 * two bios of a run share a sector (submitter.c gives every run its own extent); that no request
 * broke its limits is checked when its size is recorded.
 */
#include "suites/block_plug/block_plug.h"

#include <errno.h>

static int check_queue(struct block_queue *q, struct lp_error *err)
{
	unsigned free = 0;
	struct request *rq;

	list_for_each_entry (rq, &q->free, list)
		free++;
	if (q->queued || !RB_EMPTY(&q->tree) || !list_empty(&q->dispatch) || q->busy_slots)
		return lp_fail(err, EUCLEAN, "queue %d: %u requests queued and %u in the device",
			q->id, q->queued, q->busy_slots);
	if (q->allocated || free != QUEUE_REQUESTS)
		return lp_fail(err, EUCLEAN, "queue %d: %u requests are free and %u in use, of %d",
			q->id, free, q->allocated, QUEUE_REQUESTS);
	if (q->over_limit)
		return lp_fail(err, EUCLEAN, "queue %d: %lu requests were over their limits", q->id,
			(unsigned long)q->over_limit);
	return 0;
}

static int check_cpu(struct block_cpu *c, struct lp_error *err)
{
	uint64_t look = c->bios < BIO_RING ? c->bios : BIO_RING;
	uint64_t placed = 0;

	if (!list_empty(&c->plug.list) || !list_empty(&c->plug.cached) || !list_empty(&c->ctx.list))
		return lp_fail(err, EUCLEAN, "CPU %d: requests are left in its plug", c->id);
	for (uint64_t i = 0; i < look; i++)
		if (c->ring[i].completions != 1 || c->ring[i].in_flight)
			return lp_fail(err, EUCLEAN, "CPU %d: a bio completed %u times, not once",
				c->id, c->ring[i].completions);
	for (int p = 0; p < MERGE_PLACES; p++)
		placed += c->merges[p];
	if (placed != c->bios)
		return lp_fail(err, EUCLEAN, "CPU %d: %lu bios submitted, %lu placed", c->id,
			(unsigned long)c->bios, (unsigned long)placed);
	return 0;
}

int block_plug_check(struct lp_run *run, struct lp_error *err)
{
	struct block_plug *s = run->state;
	uint64_t bios = 0, dispatched = 0, completed = 0;
	int rc = 0;

	for (int i = 0; !rc && i < s->queues; i++) {
		rc = check_queue(s->queue[i], err);
		dispatched += s->queue[i]->request_pages;
		completed += s->queue[i]->completed_pages;
	}
	for (int i = 0; !rc && i < s->cpus; i++) {
		rc = check_cpu(s->cpu[i], err);
		bios += s->cpu[i]->bios;
	}
	if (!rc && (bios != dispatched || bios != completed))
		rc = lp_fail(err, EUCLEAN, "%lu pages submitted, %lu dispatched, %lu completed",
			(unsigned long)bios, (unsigned long)dispatched, (unsigned long)completed);
	return rc;
}
