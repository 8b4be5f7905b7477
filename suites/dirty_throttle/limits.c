// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Thresholds. Following get_dirty_limits() and set_ratelimit() of mm/page-writeback.c, 2.6.23 and
 * 2.6.24. Memory does not change during a run, so the machine's limits are worked out once, and
 * again when somebody writes to vm.dirty_ratio.
 *
 * The background ratio is half the dirty ratio, as in these kernels' defaults of 5 and 10 %.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
	return x < low ? low : x > high ? high : x;
}

void dt_limits_init(struct dt_limits *l, uint64_t memory_pages, long dirty_ratio, long mapped)
{
	uint64_t unmapped = 100 - (uint64_t)mapped;
	uint64_t ratio = (uint64_t)dirty_ratio;
	uint64_t background_ratio = ratio / 2;

	/* Not more than half of what is unmapped, not less than 5 %. */
	if (ratio > unmapped / 2)
		ratio = unmapped / 2;
	if (ratio < 5)
		ratio = 5;
	if (background_ratio >= ratio)
		background_ratio = ratio / 2;
	l->memory = memory_pages;
	l->background = background_ratio * memory_pages / 100;
	l->dirty = ratio * memory_pages / 100;
}

void dt_set_dirty_ratio(struct dt *s, long ratio)
{
	dt_limits_init(&s->limits, s->limits.memory, ratio, s->mapped);
	s->limits.ratelimit_pages = s->algorithm->ratelimit_pages(&s->limits, s->cpus);
	dt_prop_change_shift(&s->completions, dt_prop_shift(s->limits.dirty));
	dt_prop_change_shift(&s->dirties, dt_prop_shift(s->limits.dirty));
}

/* At most 4 MiB before a CPU looks again. */
uint64_t dt_ratelimit_of_memory(const struct dt_limits *l, int cpus)
{
	return clamp(l->memory / ((uint64_t)cpus * 32), 16, 1024);
}

unsigned dt_prop_shift(uint64_t limit_pages)
{
	return 2 + 63 - (unsigned)__builtin_clzll(limit_pages - 1);
}

double dt_bdi_share(struct dt *s, struct dt_bdi *b)
{
	struct dt_fraction f = dt_prop_fraction_percpu(&s->completions, &b->completions);

	return (double)f.numerator / (double)f.denominator;
}

uint64_t dt_bdi_limit(struct dt *s, struct dt_bdi *b, uint64_t limit_pages)
{
	struct dt_fraction f = dt_prop_fraction_percpu(&s->completions, &b->completions);

	return limit_pages * f.numerator / f.denominator;
}

bool dt_ratelimited(struct dt *s, bool exceeded)
{
	struct dt_cpu *c = s->cpu[smp_processor_id()];
	uint64_t limit = exceeded ? DT_EXCEEDED_RATELIMIT : s->limits.ratelimit_pages;

	if (likely(++c->ratelimit < limit))
		return false;
	c->ratelimit = 0;
	return true;
}

bool dt_over_background(struct dt *s, struct dt_bdi *b)
{
	return (uint64_t)dt_stat_read(&s->nr_dirty) >= s->limits.background;
}

uint32_t dt_flusher_pages(struct dt *s, struct dt_bdi *b)
{
	return DT_MAX_WRITEBACK_PAGES;
}
