// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing dirty pages back: by a throttled writer, by the flusher of a device, by fsync.
 *
 * Files take turns: a writeout ends with a file when its pages are used up, and the next one
 * begins with the next file, as 2.6.24's writeback_inodes() puts a file that is not done back at
 * the end of its list.
 *
 * The flusher is one a device. Before 3.2 it is background_writeout() of mm/page-writeback.c: it
 * leaves a congested device alone, waits, and ends when there was nothing more to do; from 3.2 on
 * wb_writeback() of fs/fs-writeback.c, which waits for requests. Not modelled: the periodic
 * writeback of pages older than 30 s, which never comes to bear within these runs.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

static bool has_dirty(const struct dt_file *f)
{
	return atomic_load_explicit(&f->dirty, memory_order_relaxed);
}

/* A request to write with. Return: false if the device gives none. */
static bool get_request(struct dt *s, struct dt_bdi *b, struct dt_writeout *o)
{
	o->seen = dt_event_look(&b->request_event);
	if (o->nonblocking && dt_device_congested(b))
		return false;
	o->full = !dt_device_reserve(s, b);
	return !o->full;
}

/* Return: false if the writeout ends with this file. */
static bool write_file(struct dt *s, struct dt_file *f, struct dt_writeout *o)
{
	while (o->left && has_dirty(f)) {
		struct dt_run_of_pages run;

		if (!get_request(s, f->bdi, o))
			return false;
		run = dt_file_take(s, f, o->left < DT_REQUEST_PAGES ? o->left : DT_REQUEST_PAGES);
		dt_device_submit(s, f, run);
		if (!run.pages)
			return true; /* all of them are on their way, and dirty again */
		o->left -= run.pages;
		o->written += run.pages;
	}
	return o->left;
}

void dt_writeout(struct dt *s, struct dt_bdi *b, struct dt_writeout *o)
{
	uint32_t from = atomic_load_explicit(&b->next_file, memory_order_relaxed);
	bool more = true;

	o->full = false;
	for (uint32_t i = 0; more && i < (uint32_t)b->files; i++) {
		uint32_t at = (from + i) % (uint32_t)b->files;

		if (!has_dirty(&b->file[at]))
			continue;
		more = write_file(s, &b->file[at], o);
		/* Who waits for a request goes on with the same file. */
		atomic_store_explicit(
			&b->next_file, (at + !o->full) % (uint32_t)b->files, memory_order_relaxed);
	}
}

void dt_flusher_kick(struct dt *s, struct dt_bdi *b)
{
	if (!atomic_exchange_explicit(&b->flushing, true, memory_order_relaxed))
		dt_event_raise(s, &b->flush_event);
}

static void flusher_stop(struct dt_bdi *b, uint32_t seen)
{
	atomic_store_explicit(&b->flushing, false, memory_order_relaxed);
	dt_wait(&b->flusher, &b->flush_event, seen, DT_NEVER);
}

/* Begins a new share of work, unless the last one still waits for a request. */
static void flusher_begin(struct dt *s, struct dt_bdi *b)
{
	if (b->flush.full)
		return;
	b->flush = (struct dt_writeout){
		.left = s->algorithm->flusher_pages(s, b),
		.nonblocking = !s->algorithm->rates,
	};
	b->flush_started = dt_jiffies(dt_now(&b->flusher));
}

void dt_flusher_step(struct dt *s, struct dt_actor *a)
{
	struct dt_bdi *b = container_of(a, struct dt_bdi, flusher);
	uint32_t seen = dt_event_look(&b->flush_event);
	uint32_t congestion = dt_event_look(&s->congestion_event);

	if (!atomic_load_explicit(&b->flushing, memory_order_relaxed) ||
		(!b->flush.full && !s->algorithm->over_background(s, b))) {
		flusher_stop(b, seen);
		return;
	}
	flusher_begin(s, b);
	dt_writeout(s, b, &b->flush);
	if (b->flush.full) {
		dt_wait(a, &b->request_event, b->flush.seen, DT_NEVER);
		return;
	}
	if (s->algorithm->rates)
		dt_rates_update(s, b, NULL, b->flush_started, dt_jiffies(dt_now(a)));
	if (b->flush.nonblocking && dt_device_congested(b))
		dt_wait(a, &s->congestion_event, congestion, dt_now(a) + DT_CONGESTION_WAIT_NS);
	else if (b->flush.written)
		dt_at(a, dt_now(a));
	else
		flusher_stop(b, seen);
}
