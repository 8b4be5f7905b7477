// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Multi-queue without a plug (block/blk-mq.c): a per-CPU software queue under its own lock, a
 * hardware queue per group of CPUs. A bio is merged into one of the last eight requests of its
 * CPU's software queue; else it gets a request, which is issued directly if the hardware queue is
 * free, or waits in the software queue for the next run.
 */
#include "suites/block_plug/mq.h"

#include <errno.h>

enum { MERGE_DEPTH = 8 }; /* blk_mq_attempt_merge() looks at eight requests */

static bool merge_in_ctx(struct block_plug *s, struct block_cpu *c, struct bio *bio)
{
	struct request *rq;
	int looked_at = 0;
	bool merged = false;

	mq_ctx_lock(s, c);
	list_for_each_entry_reverse (rq, &c->ctx.list, list) {
		if (looked_at++ == MERGE_DEPTH)
			break;
		merged = rq->queue == bio->queue && bio_merge_into(s, rq, bio);
		if (merged)
			break;
	}
	mq_ctx_unlock(s, c);
	return merged;
}

static int mq_direct_submit(struct block_plug *s, struct block_cpu *c, struct bio *bio)
{
	struct block_queue *q = s->queue[bio->queue];
	struct request *rq;

	local_irq_disable();
	if (merge_in_ctx(s, c, bio)) {
		c->merges[MERGE_LAST]++;
		local_irq_enable();
		return 0;
	}
	queue_lock(s, c, q);
	rq = request_alloc(q);
	if (rq) {
		request_set_bio(rq, c, bio);
		c->merges[MERGE_NONE]++;
		if (q->busy_slots < DEVICE_SLOTS && !q->queued) {
			mq_dispatch(q, rq);
		} else {
			mq_ctx_lock(s, c);
			list_add_tail(&rq->list, &c->ctx.list);
			c->ctx.count++;
			mq_ctx_unlock(s, c);
		}
		mq_run(s, c, q);
	}
	queue_unlock(s, q);
	local_irq_enable();
	return rq ? 0 : -EAGAIN;
}

static const struct block_algorithm algorithm = {
	.submit = mq_direct_submit,
	.before_sleep = mq_before_sleep,
	.run_queue = mq_run,
	.max_kib = 1280, /* BLK_DEF_MAX_SECTORS from 3.13 on; include/linux/blkdev.h */
	.multi_queue = true,
};

const struct lp_variant block_plug_mq_direct = {
	.name = "mq_direct",
	.kernel = "multi-queue, no plug",
	.summary = "per-CPU software queue, direct issue when the hardware queue is free",
	.params = BP_PARAMS_COMMON,
	BLOCK_PLUG_HOOKS(algorithm),
};
