/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ticket lock of 2.6.25 (include/asm-x86/spinlock.h): draw a number, wait until it is served.
 * First come, first served; every release invalidates the line of every waiter.
 *
 * Both halves live in one word, so that trylock can draw a ticket only when it would be served at
 * once. 16 bits each allow 65 535 waiters. Drawing adds to its half alone and reads the other one
 * separately: an addition to the whole word would read back the half that the unlock before it has
 * just stored, and wait for that store to leave the store buffer (half as much again for an
 * uncontended lock and unlock).
 */
#ifndef LP_KERNEL_SPIN_TICKET_H
#define LP_KERNEL_SPIN_TICKET_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/kernel/relax.h"

struct lp_spin_ticket {
	union {
		_Atomic uint32_t both;
		struct {
			_Atomic uint16_t owner; /* the ticket being served (low half) */
			_Atomic uint16_t next;	/* the next ticket to draw */
		};
	};
};

#define LP_SPIN_TICKET_INIT                                                                        \
	{                                                                                          \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "owner must be the word's low half");

/* Drawing needs no order of its own: the load that sees the ticket served acquires. */
static LP_ALWAYS_INLINE void lp_spin_ticket_lock(struct lp_spin_ticket *l)
{
	uint16_t mine = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);

	/* Acquire: pairs with the release in lp_spin_ticket_unlock(). */
	while (atomic_load_explicit(&l->owner, memory_order_acquire) != mine)
		cpu_relax();
}

/* Acquire: pairs with the release in lp_spin_ticket_unlock(). */
static LP_ALWAYS_INLINE bool lp_spin_ticket_trylock(struct lp_spin_ticket *l)
{
	uint32_t both = atomic_load_explicit(&l->both, memory_order_relaxed);

	if ((uint16_t)both != both >> 16)
		return false;
	return atomic_compare_exchange_strong_explicit(
		&l->both, &both, both + (1u << 16), memory_order_acquire, memory_order_relaxed);
}

/* Only the holder moves owner, so a relaxed load and a release store do; the latter pairs with the
 * acquires above. */
static LP_ALWAYS_INLINE void lp_spin_ticket_unlock(struct lp_spin_ticket *l)
{
	uint16_t served = atomic_load_explicit(&l->owner, memory_order_relaxed);

	atomic_store_explicit(&l->owner, (uint16_t)(served + 1), memory_order_release);
}

#endif
