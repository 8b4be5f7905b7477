// SPDX-License-Identifier: GPL-2.0-or-later
/* Concurrency Kit's ticket lock, for comparison with ours. */
#include <ck_spinlock.h>

#include "suites/locks/locks.h"

static ck_spinlock_ticket_t *ticket(struct locks *s)
{
	return (ck_spinlock_ticket_t *)s->word;
}

static void ck_ticket_run(struct lp_worker *w)
{
	struct locks *s = w->run->state;
	ck_spinlock_ticket_t *lock = ticket(s);

	LOCKS_LOOP(w, s, ck_spinlock_ticket_lock(lock), ck_spinlock_ticket_unlock(lock))
}

static void ck_ticket_init(struct lp_run *run, struct locks *s)
{
	ck_spinlock_ticket_init(ticket(s));
}

static bool ck_ticket_is_free(struct locks *s)
{
	return !ck_spinlock_ticket_locked(ticket(s));
}

LOCKS_VARIANT(ck_ticket, "Concurrency Kit", "its ticket lock");
