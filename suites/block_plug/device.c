// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The device: a bandwidth, a cost per request, and room for DEVICE_SLOTS requests at a time, so
 * that it is never idle while there is work. It serves them one after the other.
 *
 * In real time each slot has a timer per CPU which interrupts the thread of the submitting CPU
 * when the request is done: arming it is the doorbell, the signal is the completion interrupt, and
 * no thread of the device's own disturbs the CPUs. In virtual time the player asks for the
 * earliest finish. A zero-cost device completes a request as soon as it is given.
 */
#include "suites/block_plug/block_plug.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/measure/clock.h"

static void on_device_interrupt(const struct lp_irq_event *event, void *context)
{
	struct block_plug *s = context;
	struct block_cpu *c = s->cpu[smp_processor_id()];

	c->interrupts++;
	device_complete(s, c, event->arg);
}

int device_register(struct block_plug *s, struct lp_error *err)
{
	return lp_irq_register(BLOCK_VECTOR, on_device_interrupt, s, err);
}

int device_init(struct block_plug *s, struct block_queue *q, int node, struct lp_error *err)
{
	size_t bytes = sizeof(struct device_slot) + (size_t)s->cpus * sizeof(timer_t);

	bytes = (bytes + LP_CACHE_LINE - 1) / LP_CACHE_LINE * LP_CACHE_LINE;
	for (int i = 0; i < DEVICE_SLOTS; i++) {
		q->slot[i] = lp_run_alloc(s->run, bytes, node, err);
		if (!q->slot[i])
			return -err->code;
		q->slot[i]->queue = q;
	}
	return 0;
}

void device_attach_cpu(struct block_plug *s, int cpu)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = lp_irq_signal(BLOCK_VECTOR)};

	event._sigev_un._tid = (int)syscall(SYS_gettid);
	for (int i = 0; i < s->queues * DEVICE_SLOTS; i++) {
		struct device_slot *slot = s->queue[i / DEVICE_SLOTS]->slot[i % DEVICE_SLOTS];

		event.sigev_value.sival_ptr = slot;
		/* Without a timer the request is completed by the drain, and the check says so. */
		if (timer_create(CLOCK_MONOTONIC, &event, &slot->timer[cpu]))
			slot->timer[cpu] = 0;
	}
}

void device_detach_cpu(struct block_plug *s, int cpu)
{
	for (int i = 0; i < s->queues * DEVICE_SLOTS; i++)
		timer_delete(s->queue[i / DEVICE_SLOTS]->slot[i % DEVICE_SLOTS]->timer[cpu]);
}

static void arm(struct block_plug *s, struct device_slot *slot)
{
	struct itimerspec at = {.it_value = {.tv_sec = (time_t)(slot->rq->finish_ns / LP_NS_PER_S),
					.tv_nsec = (long)(slot->rq->finish_ns % LP_NS_PER_S)}};

	if (!s->virtual_time && !s->draining)
		timer_settime(slot->timer[slot->rq->cpu], TIMER_ABSTIME, &at, NULL);
}

/* The size figures and the latency that plugging added, at the moment of dispatch. */
static void note_dispatch(
	struct block_plug *s, struct block_cpu *c, struct block_queue *q, struct request *rq)
{
	double pages = rq->sectors / SECTORS_PER_PAGE;

	q->requests++;
	q->over_limit += rq->sectors > s->max_sectors || rq->segments > MAX_SEGMENTS;
	q->request_pages += rq->sectors / SECTORS_PER_PAGE;
	q->request_pages_square += pages * pages;
	if (!s->measure_latency)
		return;
	for (struct bio *bio = rq->head; bio; bio = bio->next)
		lp_histogram_record(&c->added_latency_ns, block_now_ns(s) - bio->submitted_ns);
}

static void start_slot(
	struct block_plug *s, struct block_queue *q, struct device_slot *slot, struct request *rq)
{
	uint64_t now_ns = block_now_ns(s);
	uint64_t start_ns = q->free_at_ns > now_ns ? q->free_at_ns : now_ns;

	rq->finish_ns = start_ns + s->cost_ns + (uint64_t)(rq->sectors * s->ns_per_sector);
	q->free_at_ns = rq->finish_ns;
	if (!q->first_start_ns)
		q->first_start_ns = start_ns;
	slot->rq = rq;
	q->busy_slots++;
	arm(s, slot);
}

static void end_bios(struct block_queue *q, struct request *rq)
{
	struct bio *next;

	for (struct bio *bio = rq->head; bio; bio = next) {
		next = bio->next;
		q->completed_pages += bio->sectors / SECTORS_PER_PAGE;
		bio->completions++;
		/* Release: the ring's owner may reuse it; pairs with submitter_next(). */
		atomic_store_explicit(&bio->in_flight, false, memory_order_release);
	}
}

static struct device_slot *free_slot(struct block_queue *q)
{
	for (int i = 0; i < DEVICE_SLOTS; i++)
		if (!q->slot[i]->rq)
			return q->slot[i];
	return NULL;
}

void device_run(struct block_plug *s, struct block_cpu *c, struct block_queue *q)
{
	struct device_slot *slot;
	struct request *rq;

	while ((slot = free_slot(q)) && (rq = elevator_next(q))) {
		note_dispatch(s, c, q, rq);
		if (s->zero_cost) {
			end_bios(q, rq);
			request_free(s, q, rq);
		} else {
			start_slot(s, q, slot, rq);
		}
	}
}

void device_complete(struct block_plug *s, struct block_cpu *c, struct device_slot *slot)
{
	struct block_queue *q = slot->queue;
	unsigned long flags = local_irq_save();
	struct request *rq;

	queue_lock(s, c, q);
	rq = slot->rq;
	if (rq) {
		slot->rq = NULL;
		q->busy_slots--;
		q->last_finish_ns = rq->finish_ns;
		end_bios(q, rq);
		request_free(s, q, rq);
		q->plugged = false;
		s->algorithm->run_queue(s, c, q);
	}
	queue_unlock(s, q);
	local_irq_restore(flags);
}
