// SPDX-License-Identifier: GPL-2.0-or-later
/* Concurrency Kit's ticket lock, for comparison with ours. It is inline assembly: TSan is told. */
#include <ck_spinlock.h>

#include "common/tsan.h"
#include "suites/locks/locks.h"

static ck_spinlock_ticket_t *ticket(struct locks *s)
{
	return (ck_spinlock_ticket_t *)s->word;
}

static LP_ALWAYS_INLINE void lock(ck_spinlock_ticket_t *l)
{
	ck_spinlock_ticket_lock(l);
	lp_tsan_acquire(l);
}

static LP_ALWAYS_INLINE void unlock(ck_spinlock_ticket_t *l)
{
	lp_tsan_release(l);
	ck_spinlock_ticket_unlock(l);
}

static void ck_ticket_run(struct lp_worker *w)
{
	struct locks *s = w->run->state;
	ck_spinlock_ticket_t *l = ticket(s);

	LOCKS_LOOP(w, s, lock(l), unlock(l));
}

static void ck_ticket_make(struct locks *s)
{
	ck_spinlock_ticket_init(ticket(s));
}

static bool ck_ticket_is_free(struct locks *s)
{
	return !ck_spinlock_ticket_locked(ticket(s));
}

LOCKS_VARIANT(ck_ticket, "Concurrency Kit", "its ticket lock", locks_no_statistics);
