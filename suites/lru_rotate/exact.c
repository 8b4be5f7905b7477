// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exact mode: one thread plays EXACT_CPUS CPUs in a seeded order, so that every count comes out
 * the same on every machine.
 */
#include "suites/lru_rotate/lru_rotate.h"

enum {
	/* Pages a CPU completes: whole bios of 32 and whole batches of 1, 7, 14, 15, 31 and 63, so
	 * that a batch of n takes the lock exactly 1/n times a page. */
	EXACT_PAGES = 312480,
	EXACT_STEPS = 20000,
};

static uint64_t play_completers(struct lru_rotate *s)
{
	uint64_t order = s->run->seed, ops = 0;
	uint64_t bios = EXACT_PAGES / s->bio_pages * (unsigned)s->cpus;
	uint64_t left[EXACT_CPUS];

	for (int i = 0; i < s->cpus; i++)
		left[i] = EXACT_PAGES / s->bio_pages;
	while (bios) {
		int cpu = (int)lp_random_below(&order, (uint32_t)s->cpus);

		if (!left[cpu])
			continue;
		left[cpu]--;
		bios--;
		lp_cpu_enter(cpu);
		lru_complete_own_bio(s, s->cpu[cpu]);
		lru_rotate_sample_stranded(s, s->cpu[cpu]);
		ops += s->bio_pages;
	}
	return ops;
}

/* The CPU stops; whoever handles its death works off what it had (mm/swap.c, page_alloc.c:
 * the CPU notifier drains the dead CPU's batches). */
static void take_offline(struct lru_rotate *s, int cpu)
{
	struct lru_cpu *c = s->cpu[cpu];

	lp_cpu_enter(cpu);
	lru_device_finish(s, c);
	lru_add_drain(s, c);
	s->offline[cpu] = true;
	s->offline_left += pagevec_count(&c->rotate) + pagevec_count(&c->add);
}

static uint64_t play_swapout(struct lru_rotate *s)
{
	uint64_t order = s->run->seed, ops = 0;

	for (unsigned step = 0; step < EXACT_STEPS; step++) {
		int cpu = (int)lp_random_below(&order, (uint32_t)s->cpus);

		if (step == EXACT_STEPS / 4 * 3)
			take_offline(s, s->cpus - 1);
		if (s->offline[cpu])
			continue;
		lp_cpu_enter(cpu);
		lru_swapout_step(s, s->cpu[cpu]);
		lru_rotate_sample_stranded(s, s->cpu[cpu]);
	}
	for (int i = 0; i < s->cpus; i++)
		ops += s->cpu[i]->completed;
	return ops;
}

uint64_t lru_rotate_play(struct lp_run *run)
{
	struct lru_rotate *s = run->state;

	if (lp_case_get(run->spec, "actors") == LRU_ACTORS_SWAPOUT)
		return play_swapout(s);
	return play_completers(s);
}
