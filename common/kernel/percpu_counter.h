/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shared counter with per-CPU parts, as lib/percpu_counter.c: an add touches the CPU's own part,
 * and only when that reaches the batch is it folded into the shared sum under a lock. A read is
 * wrong by less than cpus × batch; the exact sum costs a walk over all CPUs.
 */
#ifndef LP_KERNEL_PERCPU_COUNTER_H
#define LP_KERNEL_PERCPU_COUNTER_H

#include <stdint.h>

#include "common/error.h"
#include "common/kernel/spinlock.h"

struct percpu_counter_part {
	_Atomic int32_t value; /* written by its own CPU only; relaxed: read by exact sums */
} LP_ALIGNED(LP_CACHE_LINE);

struct percpu_counter {
	struct lp_spinlock lock;
	_Atomic int64_t count; /* relaxed; changed under @lock, read without it */
	int32_t batch;
	int cpus;
	struct percpu_counter_part *part; /* [cpus] */
};

/** percpu_counter_init() - @cpus parts, folded at @batch (at least 1). Return: 0 or -errno. */
int percpu_counter_init(
	struct percpu_counter *c, int cpus, int32_t batch, int64_t value, struct lp_error *err);
void percpu_counter_destroy(struct percpu_counter *c);

/** percpu_counter_add() - add @amount on this CPU; folds under the lock @flavour at the batch.
 * Where an interrupt handler adds to the same counter, everybody else adds with interrupts off. */
void percpu_counter_add(struct percpu_counter *c, int64_t amount, lp_lock_flavour flavour);

/** percpu_counter_read() - the shared sum: off by less than cpus × batch. */
static inline int64_t percpu_counter_read(struct percpu_counter *c)
{
	return atomic_load_explicit(&c->count, memory_order_relaxed);
}

/** percpu_counter_sum() - the exact sum if no CPU adds meanwhile; takes the lock. */
int64_t percpu_counter_sum(struct percpu_counter *c, lp_lock_flavour flavour);

#endif
