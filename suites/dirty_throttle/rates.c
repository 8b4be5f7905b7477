// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast a device writes, and how fast each of its writers may dirty: the control loop of 3.2.
 * Following bdi_position_ratio(), bdi_update_write_bandwidth() and bdi_update_dirty_ratelimit() of
 * mm/page-writeback.c, 3.2 to 3.6, in their integer arithmetic: that a rate can round to nothing
 * is what stops writers at the limit. HZ is 1000.
 *
 * The machine's limit does not change here, so that its slowly falling shadow, global_dirty_limit,
 * is the limit itself.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

enum {
	HZ = 1000,
	INTERVAL = HZ / 5,	   /* BANDWIDTH_INTERVAL */
	INIT_BANDWIDTH = 100 << 8, /* 100 MiB/s, INIT_BW: mm/backing-dev.c */
	PERIOD_SHIFT = 12,	   /* roundup_pow_of_two(3 × HZ) */
	ONE = 1024,		   /* RATELIMIT_CALC_SHIFT */
};

static uint64_t get(const _Atomic uint64_t *x)
{
	return atomic_load_explicit(x, memory_order_relaxed);
}

static void set(_Atomic uint64_t *x, uint64_t value)
{
	atomic_store_explicit(x, value, memory_order_relaxed);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void dt_rates_init(struct dt_rates *r)
{
	spin_lock_init(&r->lock, LP_LOCK_QUEUED, NULL);
	set(&r->stamp_jiffies, dt_jiffies(0));
	set(&r->write_bandwidth, INIT_BANDWIDTH);
	set(&r->avg_write_bandwidth, INIT_BANDWIDTH);
	set(&r->dirty_ratelimit, INIT_BANDWIDTH);
	set(&r->balanced_dirty_ratelimit, INIT_BANDWIDTH);
}

/* ---- position ---- */

static uint64_t setpoint(const struct dt *s)
{
	return ((s->limits.background + s->limits.dirty) / 2 + s->limits.dirty) / 2;
}

/* 2 where writers start to be held back, 1 at the set point, 0 at the limit; flat in between. */
static int64_t global_ratio(const struct dt *s, uint64_t dirty)
{
	int64_t point = (int64_t)setpoint(s);
	int64_t x = (point - (int64_t)dirty) * ONE / ((int64_t)s->limits.dirty - point + 1);
	int64_t square = x * x >> 10;

	return (square * x >> 10) + ONE;
}

/* A line through 1 at the device's own set point, never below a quarter. */
static uint64_t apply_device_line(
	struct dt *s, struct dt_bdi *b, uint64_t ratio, uint64_t bdi_dirty, uint64_t bdi_limit)
{
	uint64_t thresh = s->limits.dirty;
	uint64_t share = (bdi_limit << 16) / (thresh + 1);
	uint64_t point = setpoint(s) * share >> 16;
	uint64_t bandwidth = get(&b->rates.avg_write_bandwidth);
	uint64_t span = (thresh - bdi_limit + 8 * bandwidth) * share >> 16;
	uint64_t end = point + span;

	if (bdi_dirty < end - span / 4)
		return ratio * (end - bdi_dirty) / (end - point + 1);
	return ratio / 4;
}

/* A device that runs out of dirty pages would fall idle: its writers are let go ahead. */
static uint64_t apply_reserve(uint64_t ratio, uint64_t bdi_dirty, uint64_t reserve)
{
	if (bdi_dirty >= reserve)
		return ratio;
	return bdi_dirty > reserve / 8 ? ratio * reserve / bdi_dirty : ratio * 8;
}

uint64_t dt_position_ratio(struct dt *s, struct dt_bdi *b, const struct dt_position *p)
{
	uint64_t limit = s->limits.dirty, bdi_limit, ratio;

	if (p->dirty >= limit)
		return 0;
	/* A cold device's share says nothing of its speed: it may have an eighth of what is free.
	 */
	bdi_limit = most(least(p->bdi_limit, limit), (limit - p->dirty) / 8);
	ratio = (uint64_t)global_ratio(s, p->dirty);
	ratio = apply_device_line(s, b, ratio, p->bdi_dirty, bdi_limit);
	return apply_reserve(ratio, p->bdi_dirty, bdi_limit / 2);
}

/* ---- rates ---- */

static void update_write_bandwidth(struct dt_rates *r, uint64_t elapsed, uint64_t written)
{
	uint64_t avg = get(&r->avg_write_bandwidth), old = get(&r->write_bandwidth);
	uint64_t bandwidth = (written - r->written_stamp) * HZ;

	if (elapsed > 1 << PERIOD_SHIFT) {
		bandwidth /= elapsed;
		avg = bandwidth;
	} else {
		bandwidth += old * ((1 << PERIOD_SHIFT) - elapsed);
		bandwidth >>= PERIOD_SHIFT;
		/* Smoothed once more, and only while the trend lasts: spikes pass by. */
		if (avg > old && old >= bandwidth)
			avg -= (avg - old) >> 3;
		if (avg < old && old <= bandwidth)
			avg += (old - avg) >> 3;
	}
	set(&r->write_bandwidth, bandwidth);
	set(&r->avg_write_bandwidth, avg);
}

/* How far to go: towards the balanced rate only if position and history agree. */
static uint64_t step_size(
	const struct dt_rates *r, bool below, uint64_t rate, uint64_t balanced, uint64_t task)
{
	uint64_t before = get(&r->balanced_dirty_ratelimit);
	uint64_t to =
		below ? least(before, least(balanced, task)) : most(before, most(balanced, task));
	uint64_t step = 0;

	if (below ? rate < to : rate > to)
		step = below ? to - rate : rate - to;
	/* Slower the nearer: the balanced rate itself trembles. */
	if (rate / (2 * step + 1) > 63)
		return 0;
	step >>= rate / (2 * step + 1);
	return (step + 7) / 8;
}

static void update_dirty_ratelimit(struct dt *s, struct dt_bdi *b, const struct dt_position *p,
	uint64_t elapsed, uint64_t dirtied)
{
	struct dt_rates *r = &b->rates;
	uint64_t bandwidth = get(&r->avg_write_bandwidth), rate = get(&r->dirty_ratelimit);
	uint64_t dirty_rate = (dirtied - r->dirtied_stamp) * HZ / elapsed;
	uint64_t task = (rate * dt_position_ratio(s, b, p) >> 10) + 1;
	/* N writers at this rate dirtied at dirty_rate: this is bandwidth ÷ N. */
	uint64_t balanced = least(task * bandwidth / (dirty_rate | 1), bandwidth);
	uint64_t step = step_size(r, p->dirty < setpoint(s), rate, balanced, task);

	if (rate < balanced)
		rate += step;
	else
		rate -= least(step, rate);
	set(&r->dirty_ratelimit, most(rate, 1));
	set(&r->balanced_dirty_ratelimit, balanced);
}

/* Wants the lock. */
static void update(
	struct dt *s, struct dt_bdi *b, const struct dt_position *p, uint64_t start, uint64_t now)
{
	struct dt_rates *r = &b->rates;
	uint64_t stamp = get(&r->stamp_jiffies), elapsed = now - stamp;
	uint64_t dirtied = dt_counter_read(&b->dirtied), written = dt_counter_read(&b->written);

	if (now < stamp + INTERVAL)
		return;
	/* An idle second says nothing of what the device can do. */
	if (elapsed <= HZ || stamp >= start) {
		if (p)
			update_dirty_ratelimit(s, b, p, elapsed, dirtied);
		update_write_bandwidth(r, elapsed, written);
	}
	r->dirtied_stamp = dirtied;
	r->written_stamp = written;
	set(&r->stamp_jiffies, now);
}

void dt_rates_update(struct dt *s, struct dt_bdi *b, const struct dt_position *position,
	uint64_t start_jiffies, uint64_t now_jiffies)
{
	if (now_jiffies < get(&b->rates.stamp_jiffies) + INTERVAL)
		return;
	spin_lock(&b->rates.lock, LP_LOCK_QUEUED);
	update(s, b, position, start_jiffies, now_jiffies);
	spin_unlock(&b->rates.lock, LP_LOCK_QUEUED);
}
