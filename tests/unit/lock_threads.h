/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads of a test that wait for one another by looking: each stands for a CPU of the run, and
 * what a lock shows in its word says how far they have come.
 */
#ifndef LP_TESTS_LOCK_THREADS_H
#define LP_TESTS_LOCK_THREADS_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/kernel/spinlock.h"

enum { SEEN_WITHIN_S = 20, LOOK_US = 100 };

/* Sleep until CONDITION holds; the test fails if it never does. */
#define wait_until(condition)                                                                      \
	do {                                                                                       \
		uint64_t until_ns_ = lp_clock_ns() + SEEN_WITHIN_S * LP_NS_PER_S;                  \
		while (!(condition)) {                                                             \
			if (lp_clock_ns() > until_ns_)                                             \
				fail_msg("in %d s never: %s", SEEN_WITHIN_S, #condition);          \
			usleep(LOOK_US);                                                           \
		}                                                                                  \
	} while (0)

static const lp_lock_flavour kinds[LP_LOCK_KINDS] = {
	LP_LOCK_UNFAIR, LP_LOCK_TICKET, LP_LOCK_QUEUED};

/* One lock call with the flavour as a constant, as everywhere else. */
static LP_ALWAYS_INLINE void take_(struct lp_spinlock *lock, lp_lock_flavour f)
{
	spin_lock(lock, f);
}

static LP_ALWAYS_INLINE void release_(struct lp_spinlock *lock, lp_lock_flavour f)
{
	spin_unlock(lock, f);
}

static LP_ALWAYS_INLINE void try_(struct lp_spinlock *lock, bool *got, lp_lock_flavour f)
{
	*got = spin_trylock(lock, f);
}

static inline void take(struct lp_spinlock *lock, lp_lock_flavour f)
{
	LP_FOR_FLAVOUR(f, take_, lock);
}

static inline void release(struct lp_spinlock *lock, lp_lock_flavour f)
{
	LP_FOR_FLAVOUR(f, release_, lock);
}

static inline bool try(struct lp_spinlock *lock, lp_lock_flavour f)
{
	bool got;

	LP_FOR_FLAVOUR(f, try_, lock, &got);
	return got;
}

/* Whether somebody waits for @lock, which is held. Acquires nothing: it only looks. */
static inline bool has_waiter(struct lp_spinlock *lock, lp_lock_flavour f)
{
	switch (f & 3) {
	case LP_LOCK_UNFAIR:
		return atomic_load_explicit(&lock->unfair.slock, memory_order_relaxed) < 0;
	case LP_LOCK_TICKET:
		return (uint16_t)(atomic_load_explicit(&lock->ticket.next, memory_order_relaxed) -
				  atomic_load_explicit(&lock->ticket.owner, memory_order_relaxed)) >
		       1;
	default:
		return atomic_load_explicit(&lock->queued.pending, memory_order_relaxed);
	}
}

#endif
