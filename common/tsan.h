/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ThreadSanitizer has to be told; nothing in every other build.
 *
 * It follows C atomics and the C library's locks, but cannot see into inline assembly: a lock that
 * is made of it says here where it acquires and releases.
 */
#ifndef LP_TSAN_H
#define LP_TSAN_H

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define LP_TSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) && !defined(LP_TSAN)
#define LP_TSAN 1
#endif
#ifndef LP_TSAN
#define LP_TSAN 0
#endif

#if LP_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/** lp_tsan_acquire() - what was done before lp_tsan_release(@lock) is seen from here on. */
static inline void lp_tsan_acquire(void *lock)
{
#if LP_TSAN
	__tsan_acquire(lock);
#else
	(void)lock;
#endif
}

/** lp_tsan_release() - the other half of lp_tsan_acquire(); comes before the releasing code. */
static inline void lp_tsan_release(void *lock)
{
#if LP_TSAN
	__tsan_release(lock);
#else
	(void)lock;
#endif
}

#endif
