// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Multi-queue with a plug, 6.x (block/blk-mq.c, blk-merge.c): requests are allocated ahead, up to
 * 32 at a time under one hold of the lock, and kept in the plug; a bio is tried against the first
 * request found for its queue only; a flush groups requests by hardware queue and hands each group
 * to the driver as one batch.
 */
#include "suites/block_plug/mq.h"

#include <errno.h>

enum {
	CACHED_REQUESTS = 32, /* BLK_MAX_REQUEST_COUNT */
	PLUG_FLUSH_KIB = 128, /* BLK_PLUG_FLUSH_SIZE */
};

static void mq_plug_start(struct block_plug *s, struct block_cpu *c)
{
	plug_start(s, c);
	INIT_LIST_HEAD(&c->plug.cached);
	c->plug.cached_count = 0;
}

/* Up to 32 requests of @q in one go. Return: one of them, NULL if there is none. */
static struct request *refill_cache(
	struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	struct request *rq, *first;

	local_irq_disable();
	queue_lock(s, c, q);
	first = request_alloc(q);
	while (first && c->plug.cached_count < CACHED_REQUESTS - 1 && (rq = request_alloc(q))) {
		rq->queue = q->id;
		list_add_tail(&rq->list, &c->plug.cached);
		c->plug.cached_count++;
	}
	queue_unlock(s, q);
	local_irq_enable();
	return first;
}

/* The first request found for the queue, last one first, and no other. */
static bool merge_with_first(struct block_plug *s, struct block_cpu *c, struct bio *bio)
{
	struct request *rq;

	list_for_each_entry_reverse (rq, &c->plug.list, list) {
		c->plug_scanned++;
		if (rq->queue == bio->queue)
			return bio_merge_into(s, rq, bio);
	}
	return false;
}

/* All of the plug's requests for one queue, as a batch. */
static void issue_batch(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	struct request *rq, *next;

	queue_lock(s, c, q);
	list_for_each_entry_safe (rq, next, &c->plug.list, list) {
		if (rq->queue != q->id)
			continue;
		list_del(&rq->list);
		mq_dispatch(q, rq);
	}
	device_run(s, c, q);
	queue_unlock(s, q);
}

static void mq_plug_flush(struct block_plug *s, struct block_cpu *c, enum flush_reason reason)
{
	unsigned long flags;
	uint64_t from_ns = 0;

	if (list_empty(&c->plug.list))
		return;
	c->flushes[reason]++;
	flags = local_irq_save();
	if (s->measure_latency)
		from_ns = lp_clock_ns();
	while (!list_empty(&c->plug.list)) {
		struct request *first = list_first_entry(&c->plug.list, struct request, list);

		issue_batch(s, c, s->queue[first->queue]);
	}
	c->plug.count = 0;
	if (s->measure_latency)
		lp_histogram_record(&c->flush_off_ns, lp_clock_ns() - from_ns);
	local_irq_restore(flags);
}

/* Requests allocated ahead and not used go back; they all belong to one queue. */
static void free_cache(struct block_plug *s, struct block_cpu *c)
{
	struct request *rq, *next;
	struct block_queue *q;

	if (list_empty(&c->plug.cached))
		return;
	q = s->queue[list_first_entry(&c->plug.cached, struct request, list)->queue];
	local_irq_disable();
	queue_lock(s, c, q);
	list_for_each_entry_safe (rq, next, &c->plug.cached, list) {
		list_del(&rq->list);
		request_free(s, q, rq);
	}
	c->plug.cached_count = 0;
	queue_unlock(s, q);
	local_irq_enable();
}

static struct request *cached_request(
	struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	struct request *rq;

	if (list_empty(&c->plug.cached))
		return refill_cache(s, c, q);
	rq = list_first_entry(&c->plug.cached, struct request, list);
	if (rq->queue != q->id) {
		free_cache(s, c);
		return refill_cache(s, c, q);
	}
	list_del(&rq->list);
	c->plug.cached_count--;
	return rq;
}

static int mq_plug_submit(struct block_plug *s, struct block_cpu *c, struct bio *bio)
{
	struct request *rq, *last;

	if (merge_with_first(s, c, bio)) {
		c->merges[MERGE_PLUG]++;
		return 0;
	}
	rq = cached_request(s, c, s->queue[bio->queue]);
	if (!rq)
		return -EAGAIN;
	request_set_bio(rq, c, bio);
	c->merges[MERGE_NONE]++;
	if (!list_empty(&c->plug.list)) {
		last = list_last_entry(&c->plug.list, struct request, list);
		if (c->plug.count >= s->plug_requests)
			mq_plug_flush(s, c, FLUSH_COUNT);
		else if (last->sectors / 2 >= PLUG_FLUSH_KIB)
			mq_plug_flush(s, c, FLUSH_SIZE);
	}
	list_add_tail(&rq->list, &c->plug.list);
	c->plug.count++;
	return 0;
}

static void mq_plug_finish(struct block_plug *s, struct block_cpu *c)
{
	mq_plug_flush(s, c, FLUSH_FINISH);
	free_cache(s, c);
}

static void mq_plug_before_sleep(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	mq_plug_flush(s, c, FLUSH_SLEEP);
	free_cache(s, c);
}

static const struct block_algorithm algorithm = {
	.submit = mq_plug_submit,
	.start = mq_plug_start,
	.finish = mq_plug_finish,
	.before_sleep = mq_plug_before_sleep,
	.run_queue = mq_run,
	.max_kib = 1280, /* BLK_DEF_MAX_SECTORS from 3.13 on; include/linux/blkdev.h */
	.max_plugged = CACHED_REQUESTS,
	.multi_queue = true,
};

const struct lp_variant block_plug_mq_plug = {
	.name = "mq_plug",
	.kernel = "6.x",
	.summary = "plug with requests allocated ahead, one merge try, batches per hardware queue",
	.params = BP_PARAMS_COMMON | 1u << BP_PLUG_REQUESTS,
	BLOCK_PLUG_HOOKS(algorithm),
};
