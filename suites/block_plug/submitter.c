// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The submitters: one per CPU, writing 4 KiB pages in runs of rising sectors, scan after scan.
 *
 * Before a scan reclaim waits until all but a window of its pages have been written, as direct
 * reclaim throttles itself between scans. A run starts at a fresh place and goes on for run_pages
 * on average (evenly from 1 to twice that), unless the chance `sequential` ends it at a page. Every
 * run has an extent of its own, scattered over the device by a multiplication, so no sector is ever
 * written twice and the check can demand that each byte range reached the device once.
 */
#include "suites/block_plug/block_plug.h"

#include <errno.h>

#include "common/kernel/irq_poll.h"
#include "common/measure/clock.h"

enum {
	EXTENT_PAGES = 1024,
	EXTENT_BITS = 32,
};

static void begin_run(struct block_plug *s, struct block_cpu *c)
{
	uint64_t number = c->extent++ * (uint64_t)s->cpus + (uint64_t)c->id;
	/* An odd factor permutes the numbers below 2^EXTENT_BITS. */
	uint64_t place = (number * 0x9e3779b1ull) & ((1ull << EXTENT_BITS) - 1);

	c->next_sector = place * EXTENT_PAGES * SECTORS_PER_PAGE;
	c->run_left = 1 + lp_random_below(&c->random, 2 * s->run_pages - 1);
	if (s->algorithm->multi_queue)
		c->run_queue = c->id * s->queues / s->cpus;
	else
		c->run_queue = (int)(number % (unsigned)s->queues);
}

/* Pages are mostly written in the order of submission: the one that will leave the window with this
 * scan stands for all before it. */
bool submitter_may_scan(struct block_plug *s, struct block_cpu *c)
{
	uint64_t leaving = c->ring_head + SCAN_PAGES - 1 - s->window;

	/* Acquire: pairs with the release at its last completion. */
	return !atomic_load_explicit(&c->ring[leaving % BIO_RING].in_flight, memory_order_acquire);
}

struct bio *submitter_next(struct block_plug *s, struct block_cpu *c)
{
	struct bio *bio = &c->ring[c->ring_head % BIO_RING];

	/* Acquire: pairs with the release at its last completion. */
	if (atomic_load_explicit(&bio->in_flight, memory_order_acquire))
		return NULL;
	if (!c->run_left)
		begin_run(s, c);
	bio->sector = c->next_sector;
	bio->sectors = SECTORS_PER_PAGE;
	bio->queue = c->run_queue;
	if (s->measure_latency)
		bio->submitted_ns = block_now_ns(s);
	/* Set before the submission: the completion may come at once. */
	bio->completions = 0;
	atomic_store_explicit(&bio->in_flight, true, memory_order_relaxed);
	return bio;
}

void submitter_advance(struct block_plug *s, struct block_cpu *c)
{
	c->ring_head++;
	c->bios++;
	c->next_sector += SECTORS_PER_PAGE;
	c->run_left--;
	if (lp_random_below(&c->random, 1000) >= s->sequential)
		c->run_left = 0;
}

/* Taken but not submitted: as if it had never been. */
void submitter_give_up(struct bio *bio)
{
	atomic_store_explicit(&bio->in_flight, false, memory_order_relaxed);
}

static void sleep_for_queue(struct block_plug *s, struct block_cpu *c, int queue)
{
	if (s->algorithm->before_sleep)
		s->algorithm->before_sleep(s, c, s->queue[queue]);
	queue_wait(s, c, s->queue[queue]);
	lp_irq_poll();
}

/* One page. Return: false if the window ended before it could be submitted. */
static bool submit_one(struct lp_worker *w, struct block_plug *s, struct block_cpu *c)
{
	while (!lp_worker_stopped(w)) {
		struct bio *bio = submitter_next(s, c);

		if (bio && !s->algorithm->submit(s, c, bio)) {
			submitter_advance(s, c);
			return true;
		}
		if (bio)
			submitter_give_up(bio);
		sleep_for_queue(s, c, c->run_queue);
	}
	return false;
}

static void scan(struct lp_worker *w, struct block_plug *s, struct block_cpu *c)
{
	uint64_t done = 0;

	while (!submitter_may_scan(s, c) && !lp_worker_stopped(w))
		sleep_for_queue(s, c, c->run_queue);
	if (s->algorithm->start)
		s->algorithm->start(s, c);
	while (done < SCAN_PAGES && submit_one(w, s, c))
		done++;
	if (s->algorithm->finish)
		s->algorithm->finish(s, c);
	lp_worker_batch_done(w, done);
}

void block_plug_run(struct lp_worker *w)
{
	struct block_plug *s = w->run->state;
	struct block_cpu *c = s->cpu[w->cpu];

	if (!s->zero_cost)
		device_attach_cpu(s, w->cpu);
	c->cpu_ns = lp_thread_cpu_ns();
	c->wall_ns = lp_clock_ns();
	while (!lp_worker_stopped(w)) {
		scan(w, s, c);
		lp_irq_poll();
	}
	c->wall_ns = lp_clock_ns() - c->wall_ns;
	c->cpu_ns = lp_thread_cpu_ns() - c->cpu_ns;
}
