// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A limit of its own for each device: the machine's limit × the device's share of recent
 * completions. Following get_dirty_limits(), clip_bdi_dirty_limit(), task_dirty_limit() and
 * balance_dirty_pages() of mm/page-writeback.c, 2.6.24-rc1 and 2.6.24.
 *
 * The share is what went wrong: a device that has been idle has none, and its first writer is
 * over a limit of nothing though the machine's memory is clean.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

enum { CHECK, WRITTEN };

struct counts {
	uint64_t reclaimable, writeback;
};

bool dt_bdi_page_dirtied(struct dt *s, struct dt_writer *w, bool newly)
{
	if (newly)
		dt_prop_inc_single(&s->dirties, &w->dirties);
	return dt_ratelimited(
		s, atomic_load_explicit(&w->bdi->dirty_exceeded, memory_order_relaxed));
}

static uint64_t machine_dirty(struct dt *s)
{
	return (uint64_t)(dt_stat_read(&s->nr_dirty) + dt_stat_read(&s->nr_writeback));
}

static struct counts read_counts(struct dt_bdi *b)
{
	return (struct counts){dt_counter_read(&b->reclaimable), dt_counter_read(&b->writeback)};
}

static struct counts sum_counts(struct dt *s, struct dt_bdi *b)
{
	return (struct counts){dt_counter_sum(&b->reclaimable, s->flavour),
		dt_counter_sum(&b->writeback, s->flavour)};
}

/* Not more than this device has, and what is free of the machine's limit. */
static uint64_t clip(struct dt *s, struct dt_bdi *b, uint64_t limit)
{
	uint64_t total = machine_dirty(s);
	struct counts c = read_counts(b);
	uint64_t room = s->limits.dirty > total ? s->limits.dirty - total : 0;

	room += c.reclaimable + c.writeback;
	return limit < room ? limit : room;
}

/* A task that does all the dirtying stays an eighth below the others' limit. */
static uint64_t less_task_share(struct dt *s, struct dt_writer *w, uint64_t limit)
{
	struct dt_fraction f = dt_prop_fraction_single(&s->dirties, &w->dirties);
	uint64_t less = limit / 8 * f.numerator / f.denominator;

	return less < limit / 2 ? limit - less : limit / 2;
}

static uint64_t writer_limit(struct dt *s, struct dt_writer *w)
{
	return less_task_share(s, w, clip(s, w->bdi, dt_bdi_limit(s, w->bdi, s->limits.dirty)));
}

static struct dt_action leave(struct dt *s, struct dt_writer *w, bool below)
{
	if (below)
		atomic_store_explicit(&w->bdi->dirty_exceeded, false, memory_order_relaxed);
	if ((uint64_t)dt_stat_read(&s->nr_dirty) > s->limits.background)
		dt_flusher_kick(s, w->bdi);
	return (struct dt_action){.kind = DT_LEAVE};
}

/* After writing, or with nothing to write: below the limit, done one's duty, or wait. */
static struct dt_action judge(struct dt *s, struct dt_writer *w)
{
	uint64_t limit = writer_limit(s, w);
	/* Near the limit the counters' error could hide that nothing is left to write. */
	struct counts c = limit < 2 * dt_bdi_error(s) ? sum_counts(s, w->bdi) : read_counts(w->bdi);
	uint64_t dirty = c.reclaimable + c.writeback;

	if (dirty <= limit || w->pages_written >= s->limits.ratelimit_pages * 3 / 2)
		return leave(s, w, dirty < limit);
	w->step = CHECK;
	return (struct dt_action){.kind = DT_CONGESTION_WAIT, .ns = DT_CONGESTION_WAIT_NS};
}

static bool runs_free(struct dt *s)
{
	return machine_dirty(s) < (s->limits.background + s->limits.dirty) / 2;
}

struct dt_action dt_bdi_balance(struct dt *s, struct dt_writer *w, bool freerun)
{
	struct counts c;
	uint64_t limit;

	if (w->step == WRITTEN) {
		w->pages_written += w->out.written;
		return judge(s, w);
	}
	limit = writer_limit(s, w);
	c = read_counts(w->bdi);
	if (c.reclaimable + c.writeback <= limit || (freerun && runs_free(s)))
		return leave(s, w, c.reclaimable + c.writeback < limit);
	atomic_store_explicit(&w->bdi->dirty_exceeded, true, memory_order_relaxed);
	if (!c.reclaimable)
		return judge(s, w);
	w->step = WRITTEN;
	return (struct dt_action){
		.kind = DT_WRITE, .pages = (uint32_t)(s->limits.ratelimit_pages * 3 / 2)};
}
