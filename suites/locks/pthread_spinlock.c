// SPDX-License-Identifier: GPL-2.0-or-later
/* The C library's spinlock: test and test-and-set. */
#include <pthread.h>

#include "suites/locks/locks.h"

static pthread_spinlock_t *spin(struct locks *s)
{
	return (pthread_spinlock_t *)s->word;
}

static void pthread_spinlock_run(struct lp_worker *w)
{
	struct locks *s = w->run->state;
	pthread_spinlock_t *lock = spin(s);

	LOCKS_LOOP(w, s, pthread_spin_lock(lock), pthread_spin_unlock(lock));
}

static void pthread_spinlock_make(struct locks *s)
{
	pthread_spin_init(spin(s), PTHREAD_PROCESS_PRIVATE);
}

static bool pthread_spinlock_is_free(struct locks *s)
{
	return !pthread_spin_trylock(spin(s));
}

LOCKS_VARIANT(pthread_spinlock, "C library", "test and test-and-set, called through the library",
	locks_no_statistics);
