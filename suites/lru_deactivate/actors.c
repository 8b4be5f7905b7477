// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who uses the memory. The backup stream reads each page of a source twice (checksum and copy),
 * writes a copy and then gives its advice on both; the working set is mapped and touched at
 * random; the stress allocator touches a set of anonymous pages that keeps memory short.
 *
 * Exact mode plays them in turn on one thread: CPU 0 the stream, CPUs 1 and 2 the working set, CPU
 * 3 the stress. In real time every CPU is a stream of its own with a share of the working set.
 */
#include "suites/lru_deactivate/lru_deactivate.h"

#include "common/kernel/irq_poll.h"

enum {
	/* Virtual costs: a hit, a sequential read at 100 MB/s, a random read of a disk. */
	HIT_NS = 200,
	READ_NS = 40000,
	FAULT_NS = 5000000,
	SET_ACCESSES = 2 * CHUNK, /* of the working set a step: as many as the stream's pages */
};

static struct page *cached_or_new(struct deactivate *s, struct ld_cpu *c, enum mapping_id id,
	uint64_t index, bool *was_cached)
{
	struct page *page;

	for (;;) {
		page = find_get_page(s, c, mapping_of(s, c, id), index);
		*was_cached = page != NULL;
		if (page)
			return page;
		page = ld_alloc_page(s, c);
		if (!add_to_page_cache(s, c, page, id, index))
			continue;
		ld_add_to_lru(s, c, page);
		return page;
	}
}

/* ---- the stream ---- */

static void read_page(struct deactivate *s, struct ld_cpu *c, uint64_t index, bool again)
{
	bool cached;
	struct page *page = cached_or_new(s, c, MAP_SOURCE, index, &cached);

	c->elapsed_ns += cached ? HIT_NS : READ_NS;
	if (!s->algorithm->noreuse)
		mark_page_accessed(s, c, page);
	ld_release_pages(s, c, &page, 1);
}

static void write_page(struct deactivate *s, struct ld_cpu *c, uint64_t index)
{
	bool cached;
	struct page *page = cached_or_new(s, c, MAP_COPY, index, &cached);

	c->elapsed_ns += HIT_NS;
	ld_set_dirty(s, page);
	if (!s->algorithm->noreuse)
		mark_page_accessed(s, c, page);
	ld_release_pages(s, c, &page, 1);
}

void ld_stream_step(struct deactivate *s, struct ld_cpu *c)
{
	uint64_t start = c->next_page % s->stream_pages;

	for (int again = 0; again < 2; again++)
		for (unsigned i = 0; i < CHUNK; i++)
			read_page(s, c, start + i, again);
	for (unsigned i = 0; i < CHUNK; i++)
		write_page(s, c, start + i);
	ld_throttle(s, c);
	if (s->algorithm->advise) {
		s->algorithm->advise(s, c, MAP_SOURCE, start, CHUNK);
		s->algorithm->advise(s, c, MAP_COPY, start, CHUNK);
	} else {
		/* The flusher of a stream that gives no advice. */
		ld_flush_range(s, c, MAP_COPY, start, CHUNK);
	}
	c->next_page += CHUNK;
	ld_device_run(s, c, DEVICE_PAGES_PER_STEP);
	if (ld_batched(c) > c->stranded_max)
		c->stranded_max = ld_batched(c);
}

/* ---- working set and stress ---- */

static uint64_t draw_set_page(struct deactivate *s, struct ld_cpu *c)
{
	double u;
	uint64_t low = 0, high = s->working_set - 1;

	if (!s->zipf)
		return lp_random_below(&c->random, s->working_set);
	u = (double)(lp_random(&c->random) >> 11) * 0x1.0p-53;
	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (s->zipf_share[middle] < u)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A touch through a mapping: the hardware sets the referenced bit. Return: whether it faulted. */
static bool touch_mapped(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t index, bool write)
{
	bool cached;
	struct page *page = cached_or_new(s, c, id, index, &cached);

	if (!cached) {
		count_vm_event(PGMAJFAULT);
		c->elapsed_ns += FAULT_NS;
	}
	if (!page_test(page, PG_mapped)) {
		count_vm_event(PGFAULT);
		page_set(page, PG_mapped);
	}
	page_set(page, PG_referenced);
	if (write)
		ld_set_dirty(s, page);
	c->elapsed_ns += HIT_NS;
	ld_release_pages(s, c, &page, 1);
	return !cached;
}

void ld_working_set_step(struct deactivate *s, struct ld_cpu *c, unsigned accesses)
{
	for (unsigned i = 0; i < accesses; i++)
		c->set_faults += touch_mapped(s, c, MAP_WORKING_SET, draw_set_page(s, c), false);
	c->accesses += accesses;
}

void ld_stress_step(struct deactivate *s, struct ld_cpu *c, unsigned accesses)
{
	for (unsigned i = 0; i < accesses; i++)
		c->stress_faults += touch_mapped(
			s, c, MAP_STRESS, lp_random_below(&c->random, s->stress_set), true);
	ld_throttle(s, c);
	ld_device_run(s, c, DEVICE_PAGES_PER_STEP / 2);
}

/* ---- the two ways to run them ---- */

void lru_deactivate_run(struct lp_worker *w)
{
	struct deactivate *s = w->run->state;
	struct ld_cpu *c = s->cpu[w->cpu];

	while (!lp_worker_stopped(w)) {
		ld_stream_step(s, c);
		ld_working_set_step(s, c, CHUNK / 2);
		if (s->stress)
			ld_stress_step(s, c, CHUNK / 4);
		lp_worker_batch_done(w, 2 * CHUNK);
		lp_irq_poll();
	}
}

static void play_on(struct deactivate *s, int cpu, unsigned accesses,
	void (*step)(struct deactivate *s, struct ld_cpu *c, unsigned accesses))
{
	lp_cpu_enter(cpu);
	step(s, s->cpu[cpu], accesses);
}

/* The working set is warm before the backup begins. */
static void warm_up(struct deactivate *s)
{
	for (unsigned i = 0; i < 4 * s->working_set / SET_ACCESSES + 1; i++) {
		play_on(s, 1, SET_ACCESSES, ld_working_set_step);
		play_on(s, 2, SET_ACCESSES, ld_working_set_step);
		if (s->stress)
			play_on(s, 3, CHUNK, ld_stress_step);
	}
}

static void forget_counts(struct deactivate *s)
{
	for (int i = 0; i < s->cpus; i++) {
		memset(lp_cpu_table[i].vm_events, 0, sizeof(lp_cpu_table[i].vm_events));
		s->cpu[i]->set_faults = 0;
		s->cpu[i]->stress_faults = 0;
		s->cpu[i]->accesses = 0;
		s->cpu[i]->elapsed_ns = 0;
		s->cpu[i]->locks = 0;
		s->cpu[i]->single_writeouts = 0;
		s->cpu[i]->rotation->moved = 0;
		s->cpu[i]->rotation->completed = 0;
		s->cpu[i]->rotation->not_rotated = 0;
	}
}

uint64_t lru_deactivate_play(struct lp_run *run)
{
	struct deactivate *s = run->state;
	uint64_t steps = s->stream_pages / CHUNK;

	warm_up(s);
	forget_counts(s);
	for (uint64_t i = 0; i < steps; i++) {
		lp_cpu_enter(0);
		ld_stream_step(s, s->cpu[0]);
		play_on(s, 1, SET_ACCESSES / 2, ld_working_set_step);
		play_on(s, 2, SET_ACCESSES / 2, ld_working_set_step);
		if (s->stress)
			play_on(s, 3, CHUNK, ld_stress_step);
	}
	return steps * 2 * CHUNK;
}
