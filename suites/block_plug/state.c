// SPDX-License-Identifier: GPL-2.0-or-later
/* Making, draining and unmaking a run. */
#include "suites/block_plug/block_plug.h"

#include <errno.h>
#include <stdlib.h>

static void read_params(struct block_plug *s, const struct lp_case *c)
{
	long bandwidth = lp_case_get(c, "bandwidth");

	s->queues = (int)lp_case_get(c, "queues");
	s->run_pages = (unsigned)lp_case_get(c, "run");
	s->sequential = (unsigned)lp_case_get(c, "sequential");
	s->zero_cost = !bandwidth;
	if (bandwidth) /* queues share the bandwidth, so that the total stays what the case says */
		s->ns_per_sector = 512.0 * 1e9 * s->queues / ((double)bandwidth * 1048576);
	s->cost_ns = (uint64_t)lp_case_get(c, "cost") * 1000;
	s->window = (unsigned)lp_case_get(c, "window");
	s->think_ns = (uint64_t)lp_case_get(c, "think");
	s->max_sectors = s->algorithm->max_kib * 2;
	s->plug_requests = s->algorithm->max_plugged;
	if (c->variant->params & 1u << BP_PLUG_REQUESTS && lp_case_get(c, "plug_requests"))
		s->plug_requests = (unsigned)lp_case_get(c, "plug_requests");
	/* block/blk.h: twice as many where several queues are plugged. */
	if (s->queues > 1 && s->algorithm->max_last_kib)
		s->plug_requests *= 2;
}

static int make_queue(struct block_plug *s, int id, struct lp_error *err)
{
	int node = id % s->run->nnodes;
	struct block_queue *q = lp_run_alloc(s->run, sizeof(*q), node, err);

	if (!q)
		return -err->code;
	s->queue[id] = q;
	q->id = id;
	spin_lock_init(&q->lock, s->flavour, s->flavour & LP_LOCK_OBSERVED ? &s->stat : NULL);
	elevator_init(q);
	INIT_LIST_HEAD(&q->free);
	q->pool = lp_run_alloc(s->run, QUEUE_REQUESTS * sizeof(*q->pool), node, err);
	if (!q->pool)
		return -err->code;
	for (int i = 0; i < QUEUE_REQUESTS; i++)
		list_add_tail(&q->pool[i].list, &q->free);
	return device_init(s, q, node, err);
}

static int make_cpu(struct block_plug *s, int id, struct lp_error *err)
{
	int node = lp_run_cpu_node(s->run, id);
	struct block_cpu *c = lp_run_alloc(s->run, sizeof(*c), node, err);

	if (!c)
		return -err->code;
	s->cpu[id] = c;
	c->id = id;
	c->random = s->run->seed + (uint64_t)id * 0x632be59bd9b4e019ull;
	c->ring = lp_run_alloc(s->run, BIO_RING * sizeof(*c->ring), node, err);
	INIT_LIST_HEAD(&c->plug.list);
	INIT_LIST_HEAD(&c->plug.cached);
	INIT_LIST_HEAD(&c->ctx.list);
	spin_lock_init(&c->ctx.lock, s->flavour, s->flavour & LP_LOCK_OBSERVED ? &s->stat : NULL);
	lp_histogram_init(&c->added_latency_ns);
	lp_histogram_init(&c->flush_off_ns);
	return c->ring ? 0 : -err->code;
}

int block_plug_setup(struct lp_run *run, struct lp_error *err)
{
	struct block_plug *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return lp_fail(err, ENOMEM, "no memory for the state of block_plug");
	run->state = s;
	s->run = run;
	s->cpus = run->cpus;
	s->flavour = run->flavour;
	s->algorithm = run->spec->variant->algorithm;
	s->virtual_time = run->spec->mode == LP_MODE_EXACT;
	s->measure_latency = run->observed || s->virtual_time;
	read_params(s, run->spec);
	s->cpu = calloc((size_t)s->cpus, sizeof(struct block_cpu *));
	if (!s->cpu)
		return lp_fail(err, ENOMEM, "no memory for %d CPUs", s->cpus);
	rc = lp_lockstat_init(&s->stat, s->cpus, err);
	for (int i = 0; !rc && i < s->queues; i++)
		rc = make_queue(s, i, err);
	for (int i = 0; !rc && i < s->cpus; i++)
		rc = make_cpu(s, i, err);
	return rc ? rc : device_register(s, err);
}

static void finish_device(struct block_plug *s, struct block_queue *q)
{
	for (int i = 0; i < DEVICE_SLOTS; i++)
		if (q->slot[i]->rq)
			device_complete(s, s->cpu[0], q->slot[i]);
}

/* What is in plugs and queues goes to the device, and what is in the device completes, timers or
 * not: the threads they would interrupt have ended. */
void block_plug_drain(struct lp_run *run)
{
	struct block_plug *s = run->state;

	s->draining = true;
	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		if (s->algorithm->before_sleep)
			s->algorithm->before_sleep(s, s->cpu[i], s->queue[0]);
		if (!s->virtual_time && !s->zero_cost)
			device_detach_cpu(s, i);
	}
	lp_cpu_enter(0);
	for (int i = 0; i < s->queues; i++) {
		struct block_queue *q = s->queue[i];

		if (s->algorithm->before_sleep)
			s->algorithm->before_sleep(s, s->cpu[0], q);
		while (q->busy_slots)
			finish_device(s, q);
	}
}

void block_plug_teardown(struct lp_run *run)
{
	struct block_plug *s = run->state;

	if (!s)
		return;
	lp_lockstat_destroy(&s->stat);
	free(s->cpu);
	free(s);
	run->state = NULL;
}
