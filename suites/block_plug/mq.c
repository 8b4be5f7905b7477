// SPDX-License-Identifier: GPL-2.0-or-later
/* Software and hardware queues of the multi-queue layer (block/blk-mq.c, blk-mq-sched.c). */
#include "suites/block_plug/mq.h"

void mq_ctx_lock(struct block_plug *s, struct block_cpu *c)
{
	c->locks++;
	LP_FOR_FLAVOUR(s->flavour, spin_lock, &c->ctx.lock);
}

void mq_ctx_unlock(struct block_plug *s, struct block_cpu *c)
{
	LP_FOR_FLAVOUR(s->flavour, spin_unlock, &c->ctx.lock);
}

void mq_dispatch(struct block_queue *q, struct request *rq)
{
	list_add_tail(&rq->list, &q->dispatch);
	q->queued++;
}

/* All requests for @q from the software queue of @of to the dispatch list; @c pays for the lock. */
static void flush_ctx(
	struct block_plug *s, struct block_cpu *c, struct block_cpu *of, struct block_queue *q)
{
	struct request *rq, *next;

	c->locks++;
	LP_FOR_FLAVOUR(s->flavour, spin_lock, &of->ctx.lock);
	list_for_each_entry_safe (rq, next, &of->ctx.list, list) {
		if (rq->queue != q->id)
			continue;
		list_del(&rq->list);
		of->ctx.count--;
		mq_dispatch(q, rq);
	}
	mq_ctx_unlock(s, of);
}

void mq_run(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	device_run(s, c, q);
	for (int i = 0; i < s->cpus && q->busy_slots < DEVICE_SLOTS; i++) {
		if (!atomic_load_explicit(&s->cpu[i]->ctx.count, memory_order_relaxed))
			continue;
		flush_ctx(s, c, s->cpu[i], q);
		device_run(s, c, q);
	}
}

void mq_before_sleep(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	local_irq_disable();
	for (int i = 0; i < s->queues; i++) {
		queue_lock(s, c, s->queue[i]);
		flush_ctx(s, c, c, s->queue[i]);
		device_run(s, c, s->queue[i]);
		queue_unlock(s, s->queue[i]);
	}
	local_irq_enable();
}
