// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file's pages as two tags a page, dirty and writeback, under the file's tree lock, as the
 * kernel tags them in the page cache's radix tree. A page may be both: it was written to again
 * while it was on its way. Such a page is not taken for writeback until it has arrived.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

#include <errno.h>
#include <stdlib.h>

static bool tag_test(const uint64_t *tag, uint32_t page)
{
	return tag[page / 64] >> page % 64 & 1;
}

static void tag_flip(uint64_t *tag, uint32_t page)
{
	tag[page / 64] ^= 1ull << page % 64;
}

int dt_file_init(struct dt_file *f, struct dt_bdi *bdi, uint32_t pages, struct lp_error *err)
{
	size_t words = (pages + 63) / 64;

	spin_lock_init(&f->tree_lock, LP_LOCK_QUEUED, NULL);
	f->bdi = bdi;
	f->pages = pages;
	f->dirty_tag = calloc(words, sizeof(uint64_t));
	f->writeback_tag = calloc(words, sizeof(uint64_t));
	if (!f->dirty_tag || !f->writeback_tag)
		return lp_fail(err, ENOMEM, "no memory for the tags of %u pages", pages);
	return 0;
}

void dt_file_destroy(struct dt_file *f)
{
	free(f->dirty_tag);
	free(f->writeback_tag);
}

/* Changed under the lock only. */
static void add_dirty(struct dt_file *f, int32_t pages)
{
	uint32_t dirty = atomic_load_explicit(&f->dirty, memory_order_relaxed);

	atomic_store_explicit(&f->dirty, dirty + (uint32_t)pages, memory_order_relaxed);
}

bool dt_file_dirty(struct dt *s, struct dt_file *f, uint32_t page)
{
	bool newly;

	spin_lock(&f->tree_lock, LP_LOCK_QUEUED);
	newly = !tag_test(f->dirty_tag, page);
	if (newly) {
		tag_flip(f->dirty_tag, page);
		add_dirty(f, 1);
		f->dirtied++;
	}
	spin_unlock(&f->tree_lock, LP_LOCK_QUEUED);
	if (newly)
		dt_account_dirtied(s, f->bdi);
	return newly;
}

/* The first page of [@from, @to) to write; @to if there is none. */
static uint32_t next_to_write(const struct dt_file *f, uint32_t from, uint32_t to)
{
	while (from < to) {
		uint64_t word = f->dirty_tag[from / 64] & ~f->writeback_tag[from / 64];

		word >>= from % 64;
		if (word) {
			from += (uint32_t)__builtin_ctzll(word);
			return from < to ? from : to;
		}
		from = (from / 64 + 1) * 64;
	}
	return to;
}

static void start_writeback(struct dt_file *f, uint32_t page)
{
	f->faults += tag_test(f->writeback_tag, page);
	tag_flip(f->dirty_tag, page);
	tag_flip(f->writeback_tag, page);
}

/* Cyclic, from where the last one ended. */
static struct dt_run_of_pages find_run(struct dt_file *f, uint32_t most)
{
	struct dt_run_of_pages run = {next_to_write(f, f->write_index, f->pages), 0};

	if (run.first == f->pages) {
		run.first = next_to_write(f, 0, f->write_index);
		if (run.first == f->write_index)
			return run;
	}
	while (run.pages < most && run.first + run.pages < f->pages &&
		next_to_write(f, run.first + run.pages, run.first + run.pages + 1) ==
			run.first + run.pages)
		run.pages++;
	return run;
}

struct dt_run_of_pages dt_file_take(struct dt *s, struct dt_file *f, uint32_t most)
{
	struct dt_run_of_pages run;

	spin_lock(&f->tree_lock, LP_LOCK_QUEUED);
	run = find_run(f, most);
	for (uint32_t i = 0; i < run.pages; i++)
		start_writeback(f, run.first + i);
	if (run.pages)
		f->write_index = (run.first + run.pages) % f->pages;
	f->writeback += run.pages;
	f->submitted += run.pages;
	add_dirty(f, -(int32_t)run.pages);
	spin_unlock(&f->tree_lock, LP_LOCK_QUEUED);
	for (uint32_t i = 0; i < run.pages; i++)
		dt_account_submitted(s, f->bdi);
	return run;
}

void dt_file_complete(struct dt *s, struct dt_file *f, struct dt_run_of_pages run)
{
	for (uint32_t i = 0; i < run.pages; i++) {
		uint32_t page = run.first + i;

		/* A page at a time, as end_page_writeback(). */
		spin_lock(&f->tree_lock, LP_LOCK_QUEUED);
		f->faults += !tag_test(f->writeback_tag, page);
		tag_flip(f->writeback_tag, page);
		f->writeback--;
		f->completed++;
		spin_unlock(&f->tree_lock, LP_LOCK_QUEUED);
		dt_account_completed(s, f->bdi);
	}
}
