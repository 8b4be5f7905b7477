// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Up to 2.6.38: every bio takes the queue's lock, looks for a merge, else allocates a request and
 * puts it into the elevator (block/blk-core.c, __make_request()). The queue as a whole is plugged
 * when it was empty, and unplugged at 4 requests, after 3 ms, by a submitter that must wait, or by
 * a completion, which runs the queue anyhow.
 */
#include "suites/block_plug/block_plug.h"

#include <errno.h>

static void unplug_if_due(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	if (q->plugged && q->queued < UNPLUG_REQUESTS &&
		block_now_ns(s) - q->plugged_ns < UNPLUG_DELAY_NS)
		return;
	q->plugged = false;
	device_run(s, c, q);
}

static int no_plug_submit(struct block_plug *s, struct block_cpu *c, struct bio *bio)
{
	struct block_queue *q = s->queue[bio->queue];
	enum merge_place place;
	int rc = 0;

	local_irq_disable();
	queue_lock(s, c, q);
	place = elevator_merge(s, q, bio);
	if (place == MERGE_NONE) {
		struct request *rq = request_alloc(q);

		if (rq) {
			request_set_bio(rq, c, bio);
			if (!q->queued) {
				q->plugged = true;
				q->plugged_ns = block_now_ns(s);
			}
			elevator_insert(q, rq);
		} else {
			rc = -EAGAIN;
		}
	}
	if (!rc) {
		c->merges[place]++;
		unplug_if_due(s, c, q);
	}
	queue_unlock(s, q);
	local_irq_enable();
	return rc;
}

static void no_plug_before_sleep(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	local_irq_disable();
	queue_lock(s, c, q);
	q->plugged = false;
	device_run(s, c, q);
	queue_unlock(s, q);
	local_irq_enable();
}

static const struct block_algorithm algorithm = {
	.submit = no_plug_submit,
	.before_sleep = no_plug_before_sleep,
	.run_queue = device_run,
	.max_kib = 512, /* BLK_DEF_MAX_SECTORS to 3.13; include/linux/blkdev.h */
};

const struct lp_variant block_plug_no_plug = {
	.name = "no_plug",
	.kernel = "<= 2.6.38",
	.summary = "each bio takes queue_lock; the queue is unplugged at 4 requests or 3 ms",
	.params = BP_PARAMS_COMMON,
	BLOCK_PLUG_HOOKS(algorithm),
};
