// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dirty pages and the device. Each CPU has a queue of pages on their way; the device takes the
 * oldest ones, and its completion runs with interrupts off through lru_rotate's 2.6.24 generation,
 * which clears PG_writeback and rotates what has PG_reclaim.
 */
#include "suites/lru_deactivate/lru_deactivate.h"

enum { PAGE_WRITE_NS = 40000 }; /* virtual: 4 KiB at 100 MB/s */

void ld_set_dirty(struct deactivate *s, struct page *page)
{
	if (!page_test_and_set(page, PG_dirty))
		atomic_fetch_add_explicit(&s->nr_dirty, 1, memory_order_relaxed);
}

/* The device's queue holds a reference until the write has ended. */
bool ld_start_writeback(struct deactivate *s, struct ld_cpu *c, struct page *page)
{
	if (c->writing_head - c->writing_tail == s->memory)
		return false;
	if (page_test_and_set(page, PG_writeback))
		return false;
	if (!page_test_and_clear(page, PG_dirty)) {
		page_clear(page, PG_writeback);
		return false;
	}
	get_page(page);
	c->writing[c->writing_head++ % s->memory] = page;
	return true;
}

void ld_device_run(struct deactivate *s, struct ld_cpu *c, unsigned n)
{
	while (n && c->writing_head != c->writing_tail) {
		struct page *pages[SWAP_CLUSTER_MAX];
		unsigned part = 0;
		unsigned long flags;

		while (n && part < SWAP_CLUSTER_MAX && c->writing_head != c->writing_tail) {
			pages[part++] = c->writing[c->writing_tail++ % s->memory];
			n--;
		}
		flags = local_irq_save();
		s->rotation.algorithm->complete(&s->rotation, c->rotation, pages, (int)part);
		local_irq_restore(flags);
		atomic_fetch_sub_explicit(&s->nr_dirty, (int)part, memory_order_relaxed);
		ld_release_pages(s, c, pages, part);
	}
	ld_collect_free(s, c);
}

/* What the advice starts before it drops pages: an asynchronous write of the dirty ones. */
void ld_flush_range(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start, unsigned n)
{
	struct mapping *m = mapping_of(s, c, id);

	for (unsigned i = 0; i < n; i++) {
		struct page *page = find_get_page(s, c, m, start + i);

		if (!page)
			continue;
		if (page_test(page, PG_dirty))
			ld_start_writeback(s, c, page);
		ld_release_pages(s, c, &page, 1);
	}
}

/* A writer waits for the device while more than a fifth of memory is dirty or being written. */
void ld_throttle(struct deactivate *s, struct ld_cpu *c)
{
	while (atomic_load_explicit(&s->nr_dirty, memory_order_relaxed) > (int)s->memory / 5 &&
		c->writing_head != c->writing_tail) {
		ld_device_run(s, c, SWAP_CLUSTER_MAX);
		c->elapsed_ns += SWAP_CLUSTER_MAX * PAGE_WRITE_NS;
	}
}
