// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Zone counters: each CPU keeps a small difference and folds it into the shared number when it
 * passes a threshold. Following __inc_zone_state() and calculate_threshold() of mm/vmstat.c,
 * 2.6.24: a fold takes half a threshold more than there is, so that a counter that goes one way
 * folds only once in 1.5 thresholds.
 */
#include "suites/dirty_throttle/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int fls(uint64_t x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

int32_t dt_stat_threshold(int cpus, uint64_t memory_pages)
{
	int threshold = 2 * fls((uint64_t)cpus) * (1 + fls(memory_pages >> (27 - 12)));

	return threshold < 125 ? threshold : 125;
}

int dt_stat_init(struct dt_stat *c, int cpus, int32_t threshold, struct lp_error *err)
{
	size_t bytes = (size_t)cpus * sizeof(*c->part);

	c->part = aligned_alloc(LP_CACHE_LINE, bytes);
	if (!c->part)
		return lp_fail(err, ENOMEM, "no memory for a counter of %d CPUs", cpus);
	memset(c->part, 0, bytes);
	atomic_init(&c->count, 0);
	c->threshold = threshold;
	c->cpus = cpus;
	return 0;
}

void dt_stat_destroy(struct dt_stat *c)
{
	free(c->part);
	c->part = NULL;
}

/* The CPU's own part: only this thread writes it, so load and store need no atomicity together. */
void dt_stat_add(struct dt_stat *c, int one)
{
	struct dt_stat_part *part = &c->part[smp_processor_id()];
	int32_t value = atomic_load_explicit(&part->value, memory_order_relaxed) + one;

	if (unlikely(value > c->threshold || value < -c->threshold)) {
		int32_t overstep = one * (c->threshold / 2);

		atomic_fetch_add_explicit(&c->count, value + overstep, memory_order_relaxed);
		value = -overstep;
		part->folds++;
	}
	atomic_store_explicit(&part->value, value, memory_order_relaxed);
}

void dt_stat_fold(struct dt_stat *c)
{
	struct dt_stat_part *part = &c->part[smp_processor_id()];
	int32_t value = atomic_load_explicit(&part->value, memory_order_relaxed);

	if (!value)
		return;
	atomic_fetch_add_explicit(&c->count, value, memory_order_relaxed);
	atomic_store_explicit(&part->value, 0, memory_order_relaxed);
	part->folds++;
}

int64_t dt_stat_read(const struct dt_stat *c)
{
	int64_t count = atomic_load_explicit(&c->count, memory_order_relaxed);

	return count > 0 ? count : 0;
}

int64_t dt_stat_sum(const struct dt_stat *c)
{
	int64_t sum = atomic_load_explicit(&c->count, memory_order_relaxed);

	for (int i = 0; i < c->cpus; i++)
		sum += atomic_load_explicit(&c->part[i].value, memory_order_relaxed);
	return sum;
}

uint64_t dt_counter_read(struct percpu_counter *c)
{
	int64_t value = percpu_counter_read(c);

	return value > 0 ? (uint64_t)value : 0;
}

uint64_t dt_counter_sum(struct percpu_counter *c, lp_lock_flavour flavour)
{
	int64_t value = percpu_counter_sum(c, flavour);

	return value > 0 ? (uint64_t)value : 0;
}
