// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 3.2 on: writers never write back themselves, they sleep. Following balance_dirty_pages(),
 * bdi_min_pause(), bdi_max_pause() and dirty_poll_interval() of mm/page-writeback.c, 3.2 to 3.6
 * (the credit for time spent elsewhere came with 3.3). Jiffies of 1 ms.
 *
 * A pause is at most 200 ms, and a page the least one can dirty between two: no writer is held
 * below 20 KB/s until the limit itself stops it.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

enum {
	HZ = 1000,
	MAX_PAUSE = HZ / 5,
	POLL_THRESH = 32, /* DIRTY_POLL_THRESH: checks should not be closer than this */
	AFTER_PAUSE = 1,
};

/* What one look at the counters gives. */
struct view {
	struct dt_position position;
	uint64_t reclaimable;		    /* of the machine */
	uint64_t ratelimit, task_ratelimit; /* pages a second */
	uint64_t max_pause, min_pause, dirtied_pause;
	uint64_t now;
};

static unsigned ilog2(uint64_t x)
{
	return x ? 63 - (unsigned)__builtin_clzll(x) : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t ratelimit_pages(const struct dt_limits *l, int cpus)
{
	uint64_t pages = l->dirty / ((uint64_t)cpus * 32);

	return pages < 16 ? 16 : pages;
}

static bool page_dirtied(struct dt *s, struct dt_writer *w, bool newly)
{
	struct dt_cpu *c = s->cpu[smp_processor_id()];
	uint64_t limit = w->nr_dirtied_pause;

	w->nr_dirtied += newly;
	c->ratelimit += newly;
	if (atomic_load_explicit(&w->bdi->dirty_exceeded, memory_order_relaxed))
		limit = least(limit, DT_EXCEEDED_RATELIMIT);
	if (w->nr_dirtied >= limit) {
		c->ratelimit = 0;
		return true;
	}
	/* Many tasks at their first pages must not slip through together. */
	if (c->ratelimit < s->limits.ratelimit_pages)
		return false;
	c->ratelimit = 0;
	return true;
}

static bool over_background(struct dt *s, struct dt_bdi *b)
{
	uint64_t background = s->limits.background;

	return (uint64_t)dt_stat_read(&s->nr_dirty) > background ||
	       dt_counter_read(&b->reclaimable) > dt_bdi_limit(s, b, background);
}

/* Half a second of the device, an eighth of the limit, in units of 4 MiB. */
static uint32_t flusher_pages(struct dt *s, struct dt_bdi *b)
{
	uint64_t bandwidth =
		atomic_load_explicit(&b->rates.avg_write_bandwidth, memory_order_relaxed);
	uint64_t pages = least(bandwidth / 2, s->limits.dirty / 8) + DT_MAX_WRITEBACK_PAGES;

	return (uint32_t)(pages / DT_MAX_WRITEBACK_PAGES * DT_MAX_WRITEBACK_PAGES);
}

/* ---- how long ---- */

/* No longer than an eighth of the device's dirty pages last. */
static uint64_t max_pause(uint64_t bandwidth, uint64_t bdi_dirty)
{
	return least(bdi_dirty / (1 + bandwidth / 128) + 1, MAX_PAUSE);
}

/* The pages of the next check, so that its pause comes to 10 ms and more the more writers. */
static void plan_pause(struct view *v, uint64_t bandwidth)
{
	unsigned hi = ilog2(bandwidth), lo = ilog2(v->ratelimit);
	uint64_t target = HZ / 100 + (hi > lo ? (hi - lo) * (10 * HZ) / 1024 : 0);
	uint64_t pages;

	target = least(target, 1 + v->max_pause / 2);
	pages = v->ratelimit * target / 1024;
	if (pages < POLL_THRESH) {
		target = v->max_pause;
		pages = v->ratelimit * target / 1024;
		if (pages > POLL_THRESH) {
			pages = POLL_THRESH;
			target = HZ * POLL_THRESH / v->ratelimit;
		}
	}
	if (HZ * pages / (v->task_ratelimit + 1) > v->max_pause) {
		target = v->max_pause;
		pages = v->task_ratelimit * target / 1024;
	}
	v->dirtied_pause = pages;
	v->min_pause = pages >= POLL_THRESH ? 1 + target / 2 : target;
}

/* ---- one look ---- */

static uint64_t bdi_dirty(struct dt *s, struct dt_bdi *b, uint64_t bdi_limit)
{
	if (bdi_limit < 2 * dt_bdi_error(s))
		return dt_counter_sum(&b->reclaimable, s->flavour) +
		       dt_counter_sum(&b->writeback, s->flavour);
	return dt_counter_read(&b->reclaimable) + dt_counter_read(&b->writeback);
}

static void look_at_machine(struct dt *s, struct dt_writer *w, struct view *v)
{
	v->now = dt_jiffies(dt_now(&w->actor));
	v->reclaimable = (uint64_t)dt_stat_read(&s->nr_dirty);
	v->position.dirty = v->reclaimable + (uint64_t)dt_stat_read(&s->nr_writeback);
}

static void look_at_device(struct dt *s, struct dt_writer *w, struct view *v)
{
	struct dt_bdi *b = w->bdi;
	uint64_t bandwidth;

	v->position.bdi_limit = dt_bdi_limit(s, b, s->limits.dirty);
	v->position.bdi_dirty = bdi_dirty(s, b, v->position.bdi_limit);
	w->exceeded = v->position.bdi_dirty > v->position.bdi_limit &&
		      v->position.dirty > s->limits.dirty;
	if (w->exceeded)
		atomic_store_explicit(&b->dirty_exceeded, true, memory_order_relaxed);
	dt_rates_update(s, b, &v->position, w->started, v->now);
	v->ratelimit = atomic_load_explicit(&b->rates.dirty_ratelimit, memory_order_relaxed);
	v->task_ratelimit = v->ratelimit * dt_position_ratio(s, b, &v->position) >> 10;
	bandwidth = atomic_load_explicit(&b->rates.avg_write_bandwidth, memory_order_relaxed);
	v->max_pause = max_pause(bandwidth, v->position.bdi_dirty);
	plan_pause(v, bandwidth);
}

/* ---- the check ---- */

static struct dt_action leave(struct dt *s, struct dt_writer *w, uint64_t reclaimable)
{
	if (!w->exceeded)
		atomic_store_explicit(&w->bdi->dirty_exceeded, false, memory_order_relaxed);
	if (reclaimable > s->limits.background)
		dt_flusher_kick(s, w->bdi);
	return (struct dt_action){.kind = DT_LEAVE};
}

/* Checks are the rarer the further the limit: about the root of the distance. */
static struct dt_action run_free(struct dt *s, struct dt_writer *w, const struct view *v)
{
	w->paused_when = v->now;
	w->nr_dirtied = 0;
	w->nr_dirtied_pause = 1ull << ilog2(s->limits.dirty - v->position.dirty) / 2;
	w->exceeded = false;
	return leave(s, w, v->reclaimable);
}

/* Too short to sleep for: the time is made up for by the next pause. */
static struct dt_action skip_pause(
	struct dt *s, struct dt_writer *w, const struct view *v, int64_t pause, uint64_t period)
{
	if (pause < -HZ) {
		w->paused_when = v->now;
		w->nr_dirtied = 0;
	} else if (period) {
		w->paused_when += period;
		w->nr_dirtied = 0;
	} else if (w->nr_dirtied_pause <= w->pages_dirtied) {
		w->nr_dirtied_pause += w->pages_dirtied;
	}
	return leave(s, w, v->reclaimable);
}

static void note_rate(struct dt_writer *w, double kib_per_s)
{
	if (w->slowest_kib_per_s == 0 || kib_per_s < w->slowest_kib_per_s)
		w->slowest_kib_per_s = kib_per_s;
}

static struct dt_action sleep_for(
	struct dt *s, struct dt_writer *w, const struct view *v, uint64_t pause, uint64_t late)
{
	w->next_paused_when = v->now + late + pause;
	w->next_dirtied_pause = v->dirtied_pause;
	/* At the limit only a device that has all but nothing dirty lets its writers on. */
	w->leaves_after_pause = v->task_ratelimit || v->position.bdi_dirty <= dt_bdi_error(s);
	w->step = AFTER_PAUSE;
	if (v->task_ratelimit && w->pages_dirtied)
		note_rate(w, 4.0 * HZ * (double)w->pages_dirtied / (double)pause);
	return (struct dt_action){.kind = DT_SLEEP, .ns = pause * DT_MS};
}

static struct dt_action throttle(struct dt *s, struct dt_writer *w, const struct view *v)
{
	uint64_t period, late = 0;
	int64_t pause;

	if (!v->task_ratelimit)
		return sleep_for(s, w, v, v->max_pause, 0);
	period = HZ * w->pages_dirtied / v->task_ratelimit;
	pause = (int64_t)period;
	if (w->paused_when)
		pause -= (int64_t)(v->now - w->paused_when);
	if (pause < (int64_t)v->min_pause)
		return skip_pause(s, w, v, pause, period);
	if ((uint64_t)pause > v->max_pause) {
		late = least((uint64_t)pause - v->max_pause, v->max_pause);
		pause = (int64_t)v->max_pause;
	}
	return sleep_for(s, w, v, (uint64_t)pause, late);
}

static struct dt_action balance(struct dt *s, struct dt_writer *w)
{
	struct view v = {0};

	look_at_machine(s, w, &v);
	if (w->step == AFTER_PAUSE) {
		w->paused_when = w->next_paused_when;
		w->nr_dirtied = 0;
		w->nr_dirtied_pause = w->next_dirtied_pause;
		if (w->leaves_after_pause)
			return leave(s, w, v.reclaimable);
	} else {
		w->started = v.now;
		w->pages_dirtied = w->nr_dirtied;
		w->exceeded = false;
	}
	if (v.position.dirty <= (s->limits.background + s->limits.dirty) / 2)
		return run_free(s, w, &v);
	dt_flusher_kick(s, w->bdi);
	look_at_device(s, w, &v);
	return throttle(s, w, &v);
}

static const struct dt_algorithm algorithm = {
	.page_dirtied = page_dirtied,
	.balance = balance,
	.over_background = over_background,
	.flusher_pages = flusher_pages,
	.ratelimit_pages = ratelimit_pages,
	.bdi_counters = true,
	.rates = true,
};

const struct lp_variant dirty_throttle_paced = {
	.name = "paced",
	.kernel = "3.2",
	.summary = "writers sleep so as to dirty at the device's speed, and never write back",
	DIRTY_THROTTLE_HOOKS(algorithm),
};
