/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queued spinlock of 4.2 (kernel/locking/qspinlock.c): one word with a locked byte, a pending
 * bit for the first waiter and the tail of a queue of waiters, each of which spins on its own
 * per-CPU MCS node. The second contender never touches the queue; the third and later ones spin
 * on lines of their own.
 *
 * Layout of the word: bits 0-7 locked, bit 8 pending, bits 16-17 index of the node within its
 * CPU, bits 18-31 CPU number + 1 (at most 16 383 CPUs).
 */
#ifndef LP_KERNEL_SPIN_QUEUED_H
#define LP_KERNEL_SPIN_QUEUED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"

struct lp_spin_queued {
	union {
		_Atomic uint32_t val;
		struct {
			_Atomic uint8_t locked;
			_Atomic uint8_t pending;
			_Atomic uint16_t tail;
		};
		_Atomic uint16_t locked_pending;
	};
};

#define LP_SPIN_QUEUED_INIT                                                                        \
	{                                                                                          \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

/* Everything but the free case; @val is what the failed first try saw. */
LP_NOINLINE void lp_spin_queued_slowpath(struct lp_spin_queued *l, uint32_t val);

/* Acquire: pairs with the release in lp_spin_queued_unlock(). */
static LP_ALWAYS_INLINE void lp_spin_queued_lock(struct lp_spin_queued *l)
{
	uint32_t val = 0;

	if (likely(atomic_compare_exchange_strong_explicit(
		    &l->val, &val, 1, memory_order_acquire, memory_order_relaxed)))
		return;
	lp_spin_queued_slowpath(l, val);
}

/* Acquire: pairs with the release in lp_spin_queued_unlock(). */
static LP_ALWAYS_INLINE bool lp_spin_queued_trylock(struct lp_spin_queued *l)
{
	uint32_t val = atomic_load_explicit(&l->val, memory_order_relaxed);

	if (val)
		return false;
	return atomic_compare_exchange_strong_explicit(
		&l->val, &val, 1, memory_order_acquire, memory_order_relaxed);
}

/* Release: pairs with the acquires of lock, trylock and the slow path's waits. */
static LP_ALWAYS_INLINE void lp_spin_queued_unlock(struct lp_spin_queued *l)
{
	atomic_store_explicit(&l->locked, 0, memory_order_release);
}

#endif
