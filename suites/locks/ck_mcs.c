// SPDX-License-Identifier: GPL-2.0-or-later
/* Concurrency Kit's MCS lock, for comparison with our queued one. It is inline assembly: TSan is
 * told. */
#include <ck_spinlock.h>

#include "common/tsan.h"
#include "suites/locks/locks.h"

static ck_spinlock_mcs_t *queue(struct locks *s)
{
	return (ck_spinlock_mcs_t *)s->word;
}

static LP_ALWAYS_INLINE void lock(ck_spinlock_mcs_t *q, ck_spinlock_mcs_context_t *node)
{
	ck_spinlock_mcs_lock(q, node);
	lp_tsan_acquire(q);
}

static LP_ALWAYS_INLINE void unlock(ck_spinlock_mcs_t *q, ck_spinlock_mcs_context_t *node)
{
	lp_tsan_release(q);
	ck_spinlock_mcs_unlock(q, node);
}

static void ck_mcs_run(struct lp_worker *w)
{
	ck_spinlock_mcs_context_t node LP_ALIGNED(LP_CACHE_PAIR);
	struct locks *s = w->run->state;
	ck_spinlock_mcs_t *q = queue(s);

	LOCKS_LOOP(w, s, lock(q, &node), unlock(q, &node));
}

static void ck_mcs_make(struct locks *s)
{
	ck_spinlock_mcs_init(queue(s));
}

static bool ck_mcs_is_free(struct locks *s)
{
	return !ck_spinlock_mcs_locked(queue(s));
}

LOCKS_VARIANT(ck_mcs, "Concurrency Kit", "its MCS lock, a node on each thread's stack",
	locks_no_statistics);
