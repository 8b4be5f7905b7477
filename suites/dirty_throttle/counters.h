/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two kinds of approximate numbers that throttling looks at: zone counters with per-CPU
 * differences (mm/vmstat.c, 2.6.24) and floating proportions with lazy decay (lib/proportions.c,
 * 2.6.24). All functions count for smp_processor_id(), and any CPU may call them at any time.
 */
#ifndef LP_SUITES_DIRTY_THROTTLE_COUNTERS_H
#define LP_SUITES_DIRTY_THROTTLE_COUNTERS_H

#include "common/kernel/percpu_counter.h"

/* ---- stat.c ---- */

struct dt_stat_part {
	_Atomic int32_t value; /* written by its own CPU only; relaxed: read by exact sums */
	uint64_t folds;
} LP_ALIGNED(LP_CACHE_LINE);

struct dt_stat {
	struct dt_stat_part *part LP_ALIGNED(LP_CACHE_PAIR); /* [cpus] */
	int32_t threshold;
	int cpus;
	_Atomic int64_t count LP_ALIGNED(LP_CACHE_PAIR); /* relaxed: a number, orders nothing */
};

/** dt_stat_threshold() - 2 × fls(cpus) × (1 + fls(memory ÷ 128 MiB)), at most 125. */
int32_t dt_stat_threshold(int cpus, uint64_t memory_pages);
/** dt_stat_init() - Return: 0, or -ENOMEM with @err. */
int dt_stat_init(struct dt_stat *c, int cpus, int32_t threshold, struct lp_error *err);
void dt_stat_destroy(struct dt_stat *c);
/** dt_stat_add() - add 1 or −1 on this CPU; folds half a threshold too much, as the kernel. */
void dt_stat_add(struct dt_stat *c, int one);
/** dt_stat_fold() - fold this CPU's part: what the kernel does once a second. */
void dt_stat_fold(struct dt_stat *c);
/** dt_stat_read() - off by at most cpus × threshold; negative only by that error, given as 0. */
int64_t dt_stat_read(const struct dt_stat *c);
/** dt_stat_sum() - exact while no CPU adds. */
int64_t dt_stat_sum(const struct dt_stat *c);

/* ---- proportions.c ---- */

struct dt_prop {
	struct percpu_counter events;
	unsigned shift; /* the period is 2^shift events; halves of it are counted */
	lp_lock_flavour flavour;
};

/* Of a device: many CPUs count. */
struct dt_prop_percpu {
	struct percpu_counter events;
	_Atomic uint64_t period; /* changed under the lock; relaxed: a hint without it */
	unsigned shift;		 /* that the period was counted with; guarded by the lock */
	struct lp_spinlock lock;
};

/* Of a task: only it counts. */
struct dt_prop_single {
	uint64_t events, period;
	unsigned shift;
};

struct dt_fraction {
	uint64_t numerator, denominator;
};

/** dt_prop_change_shift() - the limit has changed, and with it the period. While nobody counts. */
void dt_prop_change_shift(struct dt_prop *p, unsigned shift);
/** dt_prop_inc_percpu(), dt_prop_inc_single() - an event of @local, and so of all. */
void dt_prop_inc_percpu(struct dt_prop *p, struct dt_prop_percpu *local);
void dt_prop_inc_single(struct dt_prop *p, struct dt_prop_single *local);
/** dt_prop_fraction_percpu(), dt_prop_fraction_single() - the share of @local, by now. */
struct dt_fraction dt_prop_fraction_percpu(struct dt_prop *p, struct dt_prop_percpu *local);
struct dt_fraction dt_prop_fraction_single(struct dt_prop *p, struct dt_prop_single *local);

/** dt_counter_read(), dt_counter_sum() - what a per-CPU counter says, never below 0. */
uint64_t dt_counter_read(struct percpu_counter *c);
uint64_t dt_counter_sum(struct percpu_counter *c, lp_lock_flavour flavour);

#endif
