// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exact mode: submitters and device in virtual time, on one thread.
 *
 * Events happen in order of time, ties in a fixed order, so that all counts follow from the seed.
 * A submitter spends `think` of its own time on a page, blocks when it gets no request until the
 * queue wakes its waiters, and when its window is full until one of its pages has been written.
 */
#include "suites/block_plug/block_plug.h"

#include <errno.h>

enum {
	EXACT_BIOS = 60000, /* of each CPU; a multiple of a scan */
	RUNNING = -1,
	DONE = -2,
};

static_assert(EXACT_BIOS % SCAN_PAGES == 0, "the last scan is a whole one");

/* The slot whose request finishes first; NULL when the device is idle. */
static struct device_slot *next_completion(struct block_plug *s)
{
	struct device_slot *first = NULL;

	for (int i = 0; i < s->queues * DEVICE_SLOTS; i++) {
		struct device_slot *slot = s->queue[i / DEVICE_SLOTS]->slot[i % DEVICE_SLOTS];

		if (slot->rq && (!first || slot->rq->finish_ns < first->rq->finish_ns))
			first = slot;
	}
	return first;
}

static struct block_cpu *next_submitter(struct block_plug *s)
{
	struct block_cpu *first = NULL;

	for (int i = 0; i < s->cpus; i++) {
		struct block_cpu *c = s->cpu[i];

		if (c->waiting_for == RUNNING && (!first || c->ready_ns < first->ready_ns))
			first = c;
	}
	return first;
}

/* Who waits for a request goes on when the queue says so, who waits for its own pages to look. */
static void wake_waiters(struct block_plug *s, struct block_queue *q, bool queue_woke)
{
	for (int i = 0; i < s->cpus; i++) {
		struct block_cpu *c = s->cpu[i];

		if (c->waits_for_own ? c->waiting_for >= 0
				     : queue_woke && c->waiting_for == q->id) {
			c->waiting_for = RUNNING;
			c->ready_ns = s->now_ns;
		}
	}
}

static void complete_next(struct block_plug *s, struct device_slot *slot)
{
	struct block_queue *q = slot->queue;
	struct block_cpu *c = s->cpu[slot->rq->cpu];
	uint32_t seq = atomic_load_explicit(&q->wake_seq, memory_order_relaxed);

	if (slot->rq->finish_ns > s->now_ns)
		s->now_ns = slot->rq->finish_ns;
	lp_cpu_enter(c->id);
	c->interrupts++;
	device_complete(s, c, slot);
	wake_waiters(s, q, atomic_load_explicit(&q->wake_seq, memory_order_relaxed) != seq);
}

/* Flush what is held back, then wait unless that has helped already. */
static void block_submitter(struct block_plug *s, struct block_cpu *c, int queue, bool own)
{
	struct block_queue *q = s->queue[queue];

	if (s->algorithm->before_sleep)
		s->algorithm->before_sleep(s, c, q);
	c->waits++;
	c->waits_for_own = own;
	if (q->busy_slots) {
		q->waiters += !own;
		c->waiting_for = queue;
	}
	c->ready_ns = s->now_ns + s->think_ns;
}

static void step_submitter(struct block_plug *s, struct block_cpu *c)
{
	struct bio *bio;

	if (c->ready_ns > s->now_ns)
		s->now_ns = c->ready_ns;
	lp_cpu_enter(c->id);
	if (!c->left_in_scan) {
		if (!submitter_may_scan(s, c)) {
			block_submitter(s, c, c->run_queue, true);
			return;
		}
		c->left_in_scan = SCAN_PAGES;
		if (s->algorithm->start)
			s->algorithm->start(s, c);
	}
	bio = submitter_next(s, c);
	if (!bio || s->algorithm->submit(s, c, bio)) {
		if (bio)
			submitter_give_up(bio);
		block_submitter(s, c, c->run_queue, !bio);
		return;
	}
	submitter_advance(s, c);
	c->ready_ns = s->now_ns + s->think_ns;
	if (!--c->left_in_scan && s->algorithm->finish)
		s->algorithm->finish(s, c);
	if (c->bios == EXACT_BIOS)
		c->waiting_for = DONE;
}

uint64_t block_plug_play(struct lp_run *run)
{
	struct block_plug *s = run->state;

	for (int i = 0; i < s->cpus; i++)
		s->cpu[i]->waiting_for = RUNNING;
	for (;;) {
		struct device_slot *slot = next_completion(s);
		struct block_cpu *c = next_submitter(s);

		if (slot && (!c || slot->rq->finish_ns <= c->ready_ns))
			complete_next(s, slot);
		else if (c)
			step_submitter(s, c);
		else
			break;
	}
	return (uint64_t)s->cpus * EXACT_BIOS;
}
