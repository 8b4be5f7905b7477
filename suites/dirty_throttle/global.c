// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Up to 2.6.23: one limit for the whole machine. Following balance_dirty_pages() of
 * mm/page-writeback.c, 2.6.23.
 *
 * A writer over the limit writes back 1.5 ratelimits of pages of the device it writes to, whoever
 * dirtied them, and goes on once it has; so a slow device's dirty pages can fill the limit, and
 * then the writers of a fast one are held to what they can write themselves.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

enum { CHECK, WRITTEN };

static bool page_dirtied(struct dt *s, struct dt_writer *w, bool newly)
{
	return dt_ratelimited(s, atomic_load_explicit(&s->dirty_exceeded, memory_order_relaxed));
}

static uint64_t dirty_now(struct dt *s)
{
	return (uint64_t)(dt_stat_read(&s->nr_dirty) + dt_stat_read(&s->nr_writeback));
}

static struct dt_action leave(struct dt *s, struct dt_writer *w)
{
	if (dirty_now(s) <= s->limits.dirty)
		atomic_store_explicit(&s->dirty_exceeded, false, memory_order_relaxed);
	if ((uint64_t)dt_stat_read(&s->nr_dirty) > s->limits.background)
		dt_flusher_kick(s, w->bdi);
	return (struct dt_action){.kind = DT_LEAVE};
}

static struct dt_action balance(struct dt *s, struct dt_writer *w)
{
	uint32_t chunk = (uint32_t)(s->limits.ratelimit_pages * 3 / 2);

	if (w->step == WRITTEN) {
		w->pages_written += w->out.written;
		if (dirty_now(s) <= s->limits.dirty || w->pages_written >= chunk)
			return leave(s, w);
		w->step = CHECK;
		return (struct dt_action){.kind = DT_CONGESTION_WAIT, .ns = DT_CONGESTION_WAIT_NS};
	}
	if (dirty_now(s) <= s->limits.dirty)
		return leave(s, w);
	atomic_store_explicit(&s->dirty_exceeded, true, memory_order_relaxed);
	if (!dt_stat_read(&s->nr_dirty))
		return (struct dt_action){.kind = DT_CONGESTION_WAIT, .ns = DT_CONGESTION_WAIT_NS};
	w->step = WRITTEN;
	return (struct dt_action){.kind = DT_WRITE, .pages = chunk};
}

const struct dt_algorithm dt_global_algorithm = {
	.page_dirtied = page_dirtied,
	.balance = balance,
	.over_background = dt_over_background,
	.flusher_pages = dt_flusher_pages,
	.ratelimit_pages = dt_ratelimit_of_memory,
};

const struct lp_variant dirty_throttle_global = {
	.name = "global",
	.kernel = "2.6.23",
	.summary =
		"one limit for the machine; a writer over it writes back 1.5 ratelimits of pages",
	DIRTY_THROTTLE_HOOKS(dt_global_algorithm),
};
