/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spinlock that x86 had up to 2.6.24 (include/asm-x86/spinlock_64.h of that time): a counter
 * that is 1 when free; taking it is one atomic decrement, and whoever drives it below zero spins
 * until it reads positive and tries again. Nobody queues: whoever is nearest to the line wins,
 * which is fast and unfair without bound.
 */
#ifndef LP_KERNEL_SPIN_UNFAIR_H
#define LP_KERNEL_SPIN_UNFAIR_H

#include <stdatomic.h>
#include <stdbool.h>

#include "common/compiler.h"
#include "common/kernel/irq_poll.h"
#include "common/kernel/relax.h"

struct lp_spin_unfair {
	_Atomic int slock; /* 1: free; 0 or less: held */
};

#define LP_SPIN_UNFAIR_INIT                                                                        \
	{                                                                                          \
		1                                                                                  \
	}

/* One attempt; failing leaves the count below zero, which the unlock's store of 1 repairs.
 * Acquire: pairs with the release in lp_spin_unfair_unlock(). */
static LP_ALWAYS_INLINE bool lp_spin_unfair_attempt(struct lp_spin_unfair *l)
{
	return atomic_fetch_sub_explicit(&l->slock, 1, memory_order_acquire) > 0;
}

/* Spin on a plain read (shared line) until the lock looks free. Relaxed: only the attempt that
 * follows counts. It is the one wait that is meant to be interrupted, hence the poll. */
static LP_ALWAYS_INLINE void lp_spin_unfair_wait(struct lp_spin_unfair *l)
{
	do {
		cpu_relax();
		lp_irq_poll();
	} while (atomic_load_explicit(&l->slock, memory_order_relaxed) <= 0);
}

static LP_ALWAYS_INLINE void lp_spin_unfair_lock(struct lp_spin_unfair *l)
{
	while (unlikely(!lp_spin_unfair_attempt(l)))
		lp_spin_unfair_wait(l);
}

/* As the kernel's trylock: an exchange with 0, so that the count never wraps. Acquire: pairs with
 * the release in lp_spin_unfair_unlock(). */
static LP_ALWAYS_INLINE bool lp_spin_unfair_trylock(struct lp_spin_unfair *l)
{
	return atomic_exchange_explicit(&l->slock, 0, memory_order_acquire) > 0;
}

/* Release: pairs with the acquires above. */
static LP_ALWAYS_INLINE void lp_spin_unfair_unlock(struct lp_spin_unfair *l)
{
	atomic_store_explicit(&l->slock, 1, memory_order_release);
}

#endif
