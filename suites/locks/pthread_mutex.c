// SPDX-License-Identifier: GPL-2.0-or-later
/* The C library's mutex: sleeps in the kernel when contended. */
#include <pthread.h>

#include "suites/locks/locks.h"

static_assert(sizeof(pthread_mutex_t) <= LOCKS_WORD_BYTES, "a lock fits into its place");

static pthread_mutex_t *mutex(struct locks *s)
{
	return (pthread_mutex_t *)s->word;
}

static void pthread_mutex_run(struct lp_worker *w)
{
	struct locks *s = w->run->state;
	pthread_mutex_t *lock = mutex(s);

	LOCKS_LOOP(w, s, pthread_mutex_lock(lock), pthread_mutex_unlock(lock));
}

static void pthread_mutex_make(struct locks *s)
{
	pthread_mutex_init(mutex(s), NULL);
}

static bool pthread_mutex_is_free(struct locks *s)
{
	return !pthread_mutex_trylock(mutex(s));
}

LOCKS_VARIANT(
	pthread_mutex, "C library", "sleeps in the kernel when contended", locks_no_statistics);
