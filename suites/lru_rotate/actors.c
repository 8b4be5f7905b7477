// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the pinned threads do.
 *
 * completers: each CPU handles the completions of its own bios, one after the other, with
 * interrupts off: the rotation alone, nothing else on the lock. Its pages are put under writeback
 * again with a plain store, because nobody else looks at them meanwhile: that costs a nanosecond,
 * the same for every generation.
 *
 * swapout: each CPU adds, reclaims and writes pages, and completions come as real interrupts.
 */
#include "suites/lru_rotate/lru_rotate.h"

#include "common/kernel/irq_poll.h"

void lru_rotate_sample_stranded(struct lru_rotate *s, struct lru_cpu *c)
{
	int self = smp_processor_id();
	uint64_t now_ns = lp_clock_ns();
	unsigned stranded = 0;

	for (int i = 0; i < s->cpus; i++)
		if (i != self)
			stranded += pagevec_count(&s->cpu[i]->rotate);
	if (!c->stranded_samples++)
		c->sampled_from_ns = now_ns;
	else
		c->stranded_pages_ns += c->stranded_last * (now_ns - c->sampled_to_ns);
	c->sampled_to_ns = now_ns;
	c->stranded_last = stranded;
	c->stranded_sum += stranded;
	if (stranded > c->stranded_max)
		c->stranded_max = stranded;
}

/* Put the next bio of the CPU's own pages under writeback. */
static struct page **next_bio(struct lru_rotate *s, struct lru_cpu *c)
{
	unsigned long marks = 1ul << PG_writeback | 1ul << PG_reclaim;
	struct page **pages = &c->mine[c->next_page];

	for (unsigned i = 0; i < s->bio_pages; i++) {
		unsigned long flags = atomic_load_explicit(&pages[i]->flags, memory_order_relaxed);

		atomic_store_explicit(&pages[i]->flags, flags | marks, memory_order_relaxed);
	}
	c->next_page += s->bio_pages;
	if (c->next_page == s->pages_per_cpu)
		c->next_page = 0;
	return pages;
}

void lru_complete_own_bio(struct lru_rotate *s, struct lru_cpu *c)
{
	struct page **pages = next_bio(s, c);
	unsigned long flags = local_irq_save();

	s->algorithm->complete(s, c, pages, (int)s->bio_pages);
	local_irq_restore(flags);
}

static void run_completer(struct lp_worker *w, struct lru_rotate *s, struct lru_cpu *c)
{
	while (!lp_worker_stopped(w)) {
		lru_complete_own_bio(s, c);
		if (w->run->observed)
			lru_rotate_sample_stranded(s, c);
		lp_worker_batch_done(w, s->bio_pages);
		lp_irq_poll();
	}
}

static void run_swapout(struct lp_worker *w, struct lru_rotate *s, struct lru_cpu *c)
{
	/* Completions come in interrupts, so the count is read, not added up here. */
	while (!lp_worker_stopped(w)) {
		uint64_t before = w->ops;

		lru_swapout_step(s, c);
		if (w->run->observed)
			lru_rotate_sample_stranded(s, c);
		lp_worker_batch_done(w, c->completed - before);
		lp_irq_poll();
	}
}

void lru_rotate_run(struct lp_worker *w)
{
	struct lru_rotate *s = w->run->state;
	struct lru_cpu *c = s->cpu[w->cpu];

	if (lp_case_get(w->run->spec, "actors") == LRU_ACTORS_SWAPOUT)
		run_swapout(w, s, c);
	else
		run_completer(w, s, c);
}
