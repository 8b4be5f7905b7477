/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One spinlock type for all replicas; which algorithm it uses is a compile-time *flavour*.
 *
 * A variant's hot function takes the flavour as a constant argument and is forced inline once per
 * flavour (LP_FOR_FLAVOUR), so the lock inlines and nothing is dispatched in the loop. The
 * observed flavours keep lock statistics; the plain ones contain no trace of them.
 */
#ifndef LP_KERNEL_SPINLOCK_H
#define LP_KERNEL_SPINLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/kernel/cpu.h"
#include "common/kernel/irq.h"
#include "common/kernel/spin_queued.h"
#include "common/kernel/spin_ticket.h"
#include "common/kernel/spin_unfair.h"
#include "common/measure/clock.h"
#include "common/measure/lockstat.h"

typedef unsigned lp_lock_flavour;

enum {
	LP_LOCK_UNFAIR = 0, /* x86 until 2.6.24 */
	LP_LOCK_TICKET = 1, /* 2.6.25 */
	LP_LOCK_QUEUED = 2, /* 4.2 on */
	LP_LOCK_KINDS = 3,
	LP_LOCK_OBSERVED = 4, /* flag: keep lock statistics */
};

/* The kinds by number, NULL-terminated: the words of a parameter called `lock`. */
extern const char *const lp_lock_kind_names[LP_LOCK_KINDS + 1];

/** lp_lock_kind_name() - "unfair", "ticket" or "queued". */
const char *lp_lock_kind_name(lp_lock_flavour flavour);

struct lp_spinlock {
	union {
		struct lp_spin_unfair unfair;
		struct lp_spin_ticket ticket;
		struct lp_spin_queued queued;
	};
	/* Observed flavours only; guarded by the lock itself. */
	int last_cpu;
	uint64_t acquired_ticks;
	struct lp_lockstat *stat;
};

/**
 * spin_lock_init() - make @lock free.
 * @stat: where an observed flavour counts; may be shared by the locks of one class and must
 *        outlive the lock. NULL for plain flavours. A CPU's record has one writer at a time: if an
 *        interrupt handler takes any lock of the class, all of them are taken with interrupts off.
 */
void spin_lock_init(struct lp_spinlock *lock, lp_lock_flavour flavour, struct lp_lockstat *stat);

/* The observed side, out of line; see lockstat.h for the definitions. */
LP_NOINLINE void lp_lockstat_acquired(
	struct lp_spinlock *lock, bool contended, uint64_t wait_from_ticks);
LP_NOINLINE void lp_lockstat_release(struct lp_spinlock *lock);

static LP_ALWAYS_INLINE void lp_raw_lock(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	switch (flavour & 3) {
	case LP_LOCK_UNFAIR:
		lp_spin_unfair_lock(&lock->unfair);
		break;
	case LP_LOCK_TICKET:
		lp_spin_ticket_lock(&lock->ticket);
		break;
	default:
		lp_spin_queued_lock(&lock->queued);
	}
}

static LP_ALWAYS_INLINE bool lp_raw_trylock(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	switch (flavour & 3) {
	case LP_LOCK_UNFAIR:
		return lp_spin_unfair_trylock(&lock->unfair);
	case LP_LOCK_TICKET:
		return lp_spin_ticket_trylock(&lock->ticket);
	default:
		return lp_spin_queued_trylock(&lock->queued);
	}
}

static LP_ALWAYS_INLINE void lp_raw_unlock(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	switch (flavour & 3) {
	case LP_LOCK_UNFAIR:
		lp_spin_unfair_unlock(&lock->unfair);
		break;
	case LP_LOCK_TICKET:
		lp_spin_ticket_unlock(&lock->ticket);
		break;
	default:
		lp_spin_queued_unlock(&lock->queued);
	}
}

/** spin_lock() - take @lock; preemption and interrupts as they are. */
static LP_ALWAYS_INLINE void spin_lock(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	if (flavour & LP_LOCK_OBSERVED) {
		uint64_t from = 0;
		bool contended = !lp_raw_trylock(lock, flavour);

		if (contended) {
			from = lp_ticks();
			lp_raw_lock(lock, flavour);
		}
		lp_lockstat_acquired(lock, contended, from);
		return;
	}
	lp_raw_lock(lock, flavour);
}

/** spin_trylock() - take @lock if it is free. Return: whether it was taken. */
static LP_ALWAYS_INLINE bool spin_trylock(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	if (!lp_raw_trylock(lock, flavour))
		return false;
	if (flavour & LP_LOCK_OBSERVED)
		lp_lockstat_acquired(lock, false, 0);
	return true;
}

static LP_ALWAYS_INLINE void spin_unlock(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	if (flavour & LP_LOCK_OBSERVED)
		lp_lockstat_release(lock);
	lp_raw_unlock(lock, flavour);
}

/** spin_lock_irq() - interrupts off, then take @lock. */
static LP_ALWAYS_INLINE void spin_lock_irq(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	local_irq_disable();
	spin_lock(lock, flavour);
}

static LP_ALWAYS_INLINE void spin_unlock_irq(struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	spin_unlock(lock, flavour);
	local_irq_enable();
}

/* The unfair lock lets interrupts in while it spins, if the caller had them on; see 2.6.23's
 * __raw_spin_lock_flags(). Hold-off is then hold time, not wait time. */
static LP_ALWAYS_INLINE void lp_unfair_lock_flags(
	struct lp_spinlock *lock, unsigned long flags, lp_lock_flavour flavour)
{
	uint64_t from = 0;
	bool contended = false;

	while (unlikely(!lp_spin_unfair_attempt(&lock->unfair))) {
		if ((flavour & LP_LOCK_OBSERVED) && !contended)
			from = lp_ticks();
		contended = true;
		local_irq_restore(flags);
		lp_spin_unfair_wait(&lock->unfair);
		local_irq_disable();
	}
	if (flavour & LP_LOCK_OBSERVED)
		lp_lockstat_acquired(lock, contended, from);
}

/** spin_lock_irqsave() - interrupts off, then take @lock. Return: the state to restore. */
static LP_ALWAYS_INLINE unsigned long spin_lock_irqsave(
	struct lp_spinlock *lock, lp_lock_flavour flavour)
{
	unsigned long flags = local_irq_save();

	if ((flavour & 3) == LP_LOCK_UNFAIR)
		lp_unfair_lock_flags(lock, flags, flavour);
	else
		spin_lock(lock, flavour);
	return flags;
}

static LP_ALWAYS_INLINE void spin_unlock_irqrestore(
	struct lp_spinlock *lock, unsigned long flags, lp_lock_flavour flavour)
{
	spin_unlock(lock, flavour);
	local_irq_restore(flags);
}

/**
 * LP_FOR_FLAVOUR() - call @function(..., flavour) with the flavour as a constant.
 *
 * @function must be LP_ALWAYS_INLINE; the compiler then makes one copy of it per flavour and the
 * switch is crossed once per call, outside its loop.
 */
#define LP_FOR_FLAVOUR(flavour, function, ...)                                                     \
	do {                                                                                       \
		switch (flavour) {                                                                 \
		case LP_LOCK_UNFAIR:                                                               \
			function(__VA_ARGS__, LP_LOCK_UNFAIR);                                     \
			break;                                                                     \
		case LP_LOCK_TICKET:                                                               \
			function(__VA_ARGS__, LP_LOCK_TICKET);                                     \
			break;                                                                     \
		case LP_LOCK_QUEUED:                                                               \
			function(__VA_ARGS__, LP_LOCK_QUEUED);                                     \
			break;                                                                     \
		case LP_LOCK_UNFAIR | LP_LOCK_OBSERVED:                                            \
			function(__VA_ARGS__, LP_LOCK_UNFAIR | LP_LOCK_OBSERVED);                  \
			break;                                                                     \
		case LP_LOCK_TICKET | LP_LOCK_OBSERVED:                                            \
			function(__VA_ARGS__, LP_LOCK_TICKET | LP_LOCK_OBSERVED);                  \
			break;                                                                     \
		default:                                                                           \
			function(__VA_ARGS__, LP_LOCK_QUEUED | LP_LOCK_OBSERVED);                  \
		}                                                                                  \
	} while (0)

#endif
