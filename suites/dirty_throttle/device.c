// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A device: a queue of DT_REQUESTS requests, served one after the other, each for a cost and its
 * pages' time. What is submitted next to a queued request of the same file joins it.
 *
 * A freed request ends congestion_wait() whenever fewer than DT_CONGESTION_OFF are left, whether
 * the queue had been congested or not: __freed_request() of block/ll_rw_blk.c and
 * clear_bdi_congested() of mm/backing-dev.c, 2.6.24. So a waiter goes on with the next completion
 * of a lightly loaded device, not after 100 ms.
 *
 * Not modelled: plugging (3 ms or four requests), sorting by sector, seeks as such.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

static struct dt_request *slot(struct dt_bdi *b, unsigned i)
{
	return &b->request[(b->head + i) % DT_REQUESTS];
}

static unsigned queued(const struct dt_bdi *b)
{
	return atomic_load_explicit(&b->queued, memory_order_relaxed);
}

/* Wants the lock. */
static void set_queued(struct dt_bdi *b, unsigned n)
{
	atomic_store_explicit(&b->queued, n, memory_order_relaxed);
}

void dt_device_settle(struct dt_bdi *b, uint64_t now_ns)
{
	if (!b->exact_dirty)
		return;
	b->dirty_ns += now_ns - b->dirty_since_ns;
	if (!b->active)
		b->idle_dirty_ns += now_ns - b->dirty_since_ns;
	b->dirty_since_ns = now_ns;
}

/* Joins a request that is not yet in the device. Wants the lock. */
static bool merge(struct dt_bdi *b, struct dt_file *f, struct dt_run_of_pages run)
{
	for (unsigned i = b->active; i < queued(b); i++) {
		struct dt_request *rq = slot(b, i);

		if (rq->file == f && rq->run.first + rq->run.pages == run.first &&
			rq->run.pages + run.pages <= DT_REQUEST_PAGES) {
			rq->run.pages += run.pages;
			return true;
		}
	}
	return false;
}

static void count_writeout(struct dt_bdi *b, uint32_t pages)
{
	b->writeouts++;
	b->writeout_pages += pages;
	b->writeouts_small += pages < DT_SMALL_PAGES;
}

/* A device without cost: the page is clean again before the writer goes on. */
static void write_at_once(struct dt *s, struct dt_file *f, struct dt_run_of_pages run)
{
	struct dt_bdi *b = f->bdi;

	if (!run.pages)
		return;
	spin_lock(&b->queue_lock, s->flavour & 3);
	count_writeout(b, run.pages);
	spin_unlock(&b->queue_lock, s->flavour & 3);
	dt_file_complete(s, f, run);
}

bool dt_device_reserve(struct dt *s, struct dt_bdi *b)
{
	bool room;

	if (b->ns_per_page == 0)
		return true;
	spin_lock(&b->queue_lock, s->flavour & 3);
	room = queued(b) + b->reserved < DT_REQUESTS;
	b->reserved += room;
	spin_unlock(&b->queue_lock, s->flavour & 3);
	return room;
}

void dt_device_submit(struct dt *s, struct dt_file *f, struct dt_run_of_pages run)
{
	struct dt_bdi *b = f->bdi;

	if (b->ns_per_page == 0) {
		write_at_once(s, f, run);
		return;
	}
	spin_lock(&b->queue_lock, s->flavour & 3);
	b->reserved--;
	if (run.pages && !merge(b, f, run)) {
		*slot(b, queued(b)) = (struct dt_request){f, run};
		set_queued(b, queued(b) + 1);
	}
	spin_unlock(&b->queue_lock, s->flavour & 3);
	if (run.pages)
		dt_event_raise(s, &b->work_event);
}

static struct dt_request finish(struct dt *s, struct dt_bdi *b, uint64_t now_ns)
{
	struct dt_request rq = *slot(b, 0);

	if (s->virtual_time)
		dt_device_settle(b, now_ns);
	b->active = false;
	b->head = (b->head + 1) % DT_REQUESTS;
	set_queued(b, queued(b) - 1);
	return rq;
}

/* Return: for how long the device is busy with its next request, 0 if there is none. */
static uint64_t start(struct dt *s, struct dt_bdi *b, uint64_t now_ns)
{
	uint32_t pages = slot(b, 0)->run.pages;

	if (!queued(b))
		return 0;
	if (s->virtual_time)
		dt_device_settle(b, now_ns);
	b->active = true;
	count_writeout(b, pages);
	return b->cost_ns + (uint64_t)(pages * b->ns_per_page) + 1;
}

void dt_device_step(struct dt *s, struct dt_actor *a)
{
	struct dt_bdi *b = (struct dt_bdi *)a;
	uint32_t seen = dt_event_look(&b->work_event);
	struct dt_request done = {0};
	uint64_t busy_ns;
	unsigned left;

	spin_lock(&b->queue_lock, s->flavour & 3);
	if (b->active)
		done = finish(s, b, dt_now(a));
	left = queued(b);
	busy_ns = start(s, b, dt_now(a));
	spin_unlock(&b->queue_lock, s->flavour & 3);
	if (done.file) {
		dt_file_complete(s, done.file, done.run);
		dt_event_raise(s, &b->request_event);
		if (left < DT_CONGESTION_OFF)
			dt_event_raise(s, &s->congestion_event);
	}
	if (busy_ns)
		dt_at(a, dt_now(a) + busy_ns);
	else
		dt_wait(a, &b->work_event, seen, DT_NEVER);
}
