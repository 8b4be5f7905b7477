// SPDX-License-Identifier: GPL-2.0-or-later
/* Concurrency Kit's MCS lock, for comparison with our queued one. */
#include <ck_spinlock.h>

#include "suites/locks/locks.h"

static ck_spinlock_mcs_t *queue(struct locks *s)
{
	return (ck_spinlock_mcs_t *)s->word;
}

static void ck_mcs_run(struct lp_worker *w)
{
	ck_spinlock_mcs_context_t node LP_ALIGNED(LP_CACHE_PAIR);
	struct locks *s = w->run->state;
	ck_spinlock_mcs_t *lock = queue(s);

	LOCKS_LOOP(w, s, ck_spinlock_mcs_lock(lock, &node), ck_spinlock_mcs_unlock(lock, &node))
}

static void ck_mcs_init(struct lp_run *run, struct locks *s)
{
	ck_spinlock_mcs_init(queue(s));
}

static bool ck_mcs_is_free(struct locks *s)
{
	return !ck_spinlock_mcs_locked(queue(s));
}

LOCKS_VARIANT(ck_mcs, "Concurrency Kit", "its MCS lock, a node on each thread's stack");
