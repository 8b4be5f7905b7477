// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plug of a task: what 2.6.39 to 5.15 share (block/blk-core.c, blk_queue_bio(),
 * blk_flush_plug_list()). A bio is merged into the plug's own requests without any lock, last one
 * first; only when that fails is the queue's lock taken, for a merge in its elevator or for a
 * request, which then joins the plug. A flush is one section with interrupts off, in which each
 * queue is locked once.
 */
#include "suites/block_plug/block_plug.h"

#include <errno.h>
#include <stdlib.h>

#include "common/measure/clock.h"

void plug_start(struct block_plug *s, struct block_cpu *c)
{
	INIT_LIST_HEAD(&c->plug.list);
	c->plug.count = 0;
	c->plug.several_queues = false;
}

/* Own list from its end, same queue only. Return: whether @bio was merged. */
static bool merge_in_plug(struct block_plug *s, struct block_cpu *c, struct bio *bio)
{
	struct request *rq;

	list_for_each_entry_reverse (rq, &c->plug.list, list) {
		c->plug_scanned++;
		if (rq->queue == bio->queue && bio_merge_into(s, rq, bio))
			return true;
	}
	return false;
}

static void add_to_plug(struct block_plug *s, struct block_cpu *c, struct request *rq)
{
	struct blk_plug *plug = &c->plug;
	const struct block_algorithm *a = s->algorithm;

	if (!list_empty(&plug->list)) {
		struct request *last = list_last_entry(&plug->list, struct request, list);

		if (s->plug_requests && plug->count >= s->plug_requests)
			plug_flush(s, c, FLUSH_COUNT);
		else if (a->max_last_kib && last->sectors / 2 >= a->max_last_kib)
			plug_flush(s, c, FLUSH_SIZE);
	}
	if (!list_empty(&plug->list) &&
		list_last_entry(&plug->list, struct request, list)->queue != rq->queue)
		plug->several_queues = true;
	list_add_tail(&rq->list, &plug->list);
	plug->count++;
}

int plug_submit(struct block_plug *s, struct block_cpu *c, struct bio *bio)
{
	struct block_queue *q = s->queue[bio->queue];
	struct request *rq = NULL;
	enum merge_place place;

	if (merge_in_plug(s, c, bio)) {
		c->merges[MERGE_PLUG]++;
		return 0;
	}
	local_irq_disable();
	queue_lock(s, c, q);
	place = elevator_merge(s, q, bio);
	if (place == MERGE_NONE)
		rq = request_alloc(q);
	queue_unlock(s, q);
	local_irq_enable();
	if (place == MERGE_NONE && !rq)
		return -EAGAIN;
	c->merges[place]++;
	if (rq) {
		request_set_bio(rq, c, bio);
		add_to_plug(s, c, rq);
	}
	return 0;
}

static int by_queue(const void *a, const void *b)
{
	const struct request *x = *(struct request *const *)a, *y = *(struct request *const *)b;

	return x->queue - y->queue;
}

static int by_queue_and_sector(const void *a, const void *b)
{
	const struct request *x = *(struct request *const *)a, *y = *(struct request *const *)b;

	if (x->queue != y->queue)
		return x->queue - y->queue;
	return x->sector < y->sector ? -1 : x->sector > y->sector;
}

/* At most all requests of all queues can be in one plug. */
enum { PLUG_MAX = QUEUE_REQUESTS * MAX_QUEUES };

/* Empties @list into @out, sorted as the generation sorts. Return: how many. */
static size_t take_sorted(
	struct block_plug *s, bool several, struct list_head *list, struct request *out[PLUG_MAX])
{
	size_t n = 0;

	while (!list_empty(list)) {
		out[n++] = list_first_entry(list, struct request, list);
		list_del(&out[n - 1]->list);
	}
	/* glibc's qsort() is a stable merge sort at this size, as the kernel's list_sort(). */
	if (s->algorithm->sort_by_sector)
		qsort(out, n, sizeof(*out), by_queue_and_sector);
	else if (several)
		qsort(out, n, sizeof(*out), by_queue);
	return n;
}

/* Inserts requests [from, n) of one queue under one hold of its lock. Return: the next queue's. */
static size_t flush_queue(struct block_plug *s, struct block_cpu *c, struct request **rq,
	size_t from, size_t n, bool hand_over)
{
	struct block_queue *q = s->queue[rq[from]->queue];

	queue_lock(s, c, q);
	for (; from < n && rq[from]->queue == q->id; from++)
		elevator_insert_merge(s, q, rq[from]);
	/* About to sleep: a worker (kblockd) runs the queue, to spare this task's stack. */
	if (hand_over) {
		c->handovers++;
		atomic_store_explicit(&q->run_wanted, true, memory_order_relaxed);
	} else {
		device_run(s, c, q);
	}
	queue_unlock(s, q);
	return from;
}

void plug_flush(struct block_plug *s, struct block_cpu *c, enum flush_reason reason)
{
	struct request *rq[PLUG_MAX];
	struct list_head list;
	unsigned long flags;
	uint64_t from_ns = 0;
	bool several = c->plug.several_queues;
	size_t n;

	if (list_empty(&c->plug.list))
		return;
	/* Splice first: a flush may recurse into submission. */
	INIT_LIST_HEAD(&list);
	list_splice_init(&c->plug.list, &list);
	plug_start(s, c);
	c->flushes[reason]++;
	n = take_sorted(s, several, &list, rq);
	flags = local_irq_save();
	if (s->measure_latency)
		from_ns = lp_clock_ns();
	for (size_t i = 0; i < n;)
		i = flush_queue(s, c, rq, i, n, reason == FLUSH_SLEEP);
	if (s->measure_latency)
		lp_histogram_record(&c->flush_off_ns, lp_clock_ns() - from_ns);
	local_irq_restore(flags);
}

void plug_finish(struct block_plug *s, struct block_cpu *c)
{
	plug_flush(s, c, FLUSH_FINISH);
}

/* The worker's part of a hand-over; the task that handed over does not do it itself. */
static void run_handed_over(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	if (!atomic_exchange_explicit(&q->run_wanted, false, memory_order_relaxed))
		return;
	queue_lock(s, c, q);
	device_run(s, c, q);
	queue_unlock(s, q);
}

void plug_before_sleep(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	plug_flush(s, c, FLUSH_SLEEP);
	local_irq_disable();
	for (int i = 0; i < s->queues; i++)
		run_handed_over(s, c, s->queue[i]);
	local_irq_enable();
}
