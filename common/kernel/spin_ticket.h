/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ticket lock of 2.6.25 (include/asm-x86/spinlock.h): draw a number, wait until it is served.
 * First come, first served; every release invalidates the line of every waiter.
 *
 * Both halves live in one word: drawing a ticket also reads which one is served, in the same atomic
 * addition, and trylock can draw one only when it would be served at once. 16 bits each allow
 * 65 535 waiters.
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

/* Both acquires pair with the release in lp_spin_ticket_unlock(). */
static LP_ALWAYS_INLINE void lp_spin_ticket_lock(struct lp_spin_ticket *l)
{
	/* The carry out of the upper half is lost, as it should be. */
	uint32_t both = atomic_fetch_add_explicit(&l->both, 1u << 16, memory_order_acquire);
	uint16_t mine = (uint16_t)(both >> 16);

	if (likely((uint16_t)both == mine))
		return;
	do
		cpu_relax();
	while (atomic_load_explicit(&l->owner, memory_order_acquire) != mine);
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
