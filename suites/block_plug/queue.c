// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The queue's lock, its 128 requests, and waiting for one (block/blk-core.c, get_request_wait()).
 *
 * The lock's flavour is looked up per acquisition, not compiled into every caller: the branch is
 * predicted and a bio costs a hundred times as much.
 */
#include "suites/block_plug/block_plug.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/measure/clock.h"

uint64_t block_now_ns(const struct block_plug *s)
{
	return s->virtual_time ? s->now_ns : lp_clock_ns();
}

void queue_lock(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	c->locks++;
	LP_FOR_FLAVOUR(s->flavour, spin_lock, &q->lock);
}

void queue_unlock(struct block_plug *s, struct block_queue *q)
{
	LP_FOR_FLAVOUR(s->flavour, spin_unlock, &q->lock);
}

struct request *request_alloc(struct block_queue *q)
{
	struct request *rq;

	if (list_empty(&q->free))
		return NULL;
	rq = list_first_entry(&q->free, struct request, list);
	list_del(&rq->list);
	q->allocated++;
	return rq;
}

void request_set_bio(struct request *rq, struct block_cpu *c, struct bio *bio)
{
	bio->next = NULL;
	rq->head = bio;
	rq->tail = bio;
	rq->sector = bio->sector;
	rq->sectors = bio->sectors;
	rq->segments = 1;
	rq->cpu = c->id;
	rq->queue = bio->queue;
}

static void wake(struct block_plug *s, struct block_queue *q)
{
	q->freed_since_wake = 0;
	q->waiters = 0;
	/* Release: pairs with the acquire in queue_wait(). */
	atomic_fetch_add_explicit(&q->wake_seq, 1, memory_order_release);
	if (!s->virtual_time)
		syscall(SYS_futex, &q->wake_seq, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Waiters are woken once a batch is free, so that each of them gets some work done. */
void request_free(struct block_plug *s, struct block_queue *q, struct request *rq)
{
	list_add(&rq->list, &q->free);
	q->allocated--;
	q->freed_since_wake++;
	if (q->waiters && (q->freed_since_wake >= WAKE_BATCH || !q->allocated))
		wake(s, q);
}

/* Sleep until requests have come back. An interrupt ends the sleep early: the caller looks again.
 */
void queue_wait(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	uint32_t seq;
	bool sleep;

	local_irq_disable();
	queue_lock(s, c, q);
	sleep = q->allocated > 0;
	if (sleep)
		q->waiters++;
	seq = atomic_load_explicit(&q->wake_seq, memory_order_acquire);
	queue_unlock(s, q);
	local_irq_enable();
	c->waits++;
	/* A time-out, because a waiter for its own ring is not counted by the queue. */
	if (sleep)
		syscall(SYS_futex, &q->wake_seq, FUTEX_WAIT_PRIVATE, seq,
			&(struct timespec){.tv_nsec = 2000000}, NULL, 0);
}
