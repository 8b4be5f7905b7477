/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The locks themselves, ours beside the C library's and Concurrency Kit's.
 *
 * An adapter is one file: how this lock is taken and released. LOCKS_VARIANT() makes the rest of
 * it, the loop included, with the lock inlined; the test runs the same variants, so what is timed
 * is what is proven.
 */
#ifndef LP_SUITES_LOCKS_H
#define LP_SUITES_LOCKS_H

#include "common/measure/clock.h"
#include "suites/suite.h"

enum {
	/* Operations between two looks at the stop flag: alone it costs nothing this seldom, and
	 * contended (100 to 500 ns each) a worker still stops within some 30 µs. */
	LOCKS_BATCH = 64,
	LOCKS_LINES = 8,
	LOCKS_WORD_BYTES = LP_CACHE_PAIR,
};

/* A counter on a line of its own, written inside the critical section, guarded by the lock. */
struct locks_line {
	uint64_t count;
} LP_ALIGNED(LP_CACHE_LINE);

struct locks {
	/* The lock under test, whatever its type, alone on its lines. */
	char word[LOCKS_WORD_BYTES] LP_ALIGNED(LP_CACHE_PAIR);
	struct locks_line line[LOCKS_LINES] LP_ALIGNED(LP_CACHE_PAIR);
	unsigned lines, think;
	struct lp_lockstat stat;
};

/* Bits of the parameters, for struct lp_variant.params. */
enum locks_param { LOCKS_CS, LOCKS_THINK, LOCKS_CPU, LOCKS_PEER, LOCKS_PARAMS };
#define LOCKS_PARAMS_LOCK (1u << LOCKS_CS | 1u << LOCKS_THINK)

/* Why a foreign lock has no observed rows; NULL in the other modes. */
const char *locks_no_statistics(const struct lp_case *c, const struct lp_topology *t);
int locks_setup(struct lp_run *run, struct lp_error *err);
int locks_check(struct lp_run *run, struct lp_error *err);
void locks_report(struct lp_run *run, uint64_t ops, double seconds);
void locks_teardown(struct lp_run *run);

/* Work outside the critical section that touches no memory. */
static LP_ALWAYS_INLINE void locks_think(unsigned loops)
{
	for (unsigned i = 0; i < loops; i++)
		barrier();
}

static LP_ALWAYS_INLINE void locks_touch(struct locks *s)
{
	for (unsigned i = 0; i < s->lines; i++)
		s->line[i].count++;
}

/* The loop; LOCK and UNLOCK are statements about `s->word`. It reads its two bounds anew each time:
 * to keep them in registers was measured to be dearer (by a fifth for an uncontended queued lock).
 */
#define LOCKS_LOOP(w, s, LOCK, UNLOCK)                                                             \
	do {                                                                                       \
		while (!lp_worker_stopped(w)) {                                                    \
			for (int i_ = 0; i_ < LOCKS_BATCH; i_++) {                                 \
				LOCK;                                                              \
				locks_touch(s);                                                    \
				UNLOCK;                                                            \
				locks_think((s)->think);                                           \
			}                                                                          \
			lp_worker_batch_done(w, LOCKS_BATCH);                                      \
		}                                                                                  \
	} while (0)

/* What an adapter has to say of itself beyond taking and releasing. */
struct locks_algorithm {
	/* Make the lock in s->word, free. */
	void (*make)(struct locks *s);
	/* Return: whether the lock is free; interprets s->word. */
	bool (*is_free)(struct locks *s);
};

/* @why_not: the unavailable() hook, NULL for a lock that can be observed. */
#define LOCKS_VARIANT(id, since, what, why_not)                                                    \
	static const struct locks_algorithm id##_algorithm = {                                     \
		.make = id##_make,                                                                 \
		.is_free = id##_is_free,                                                           \
	};                                                                                         \
	const struct lp_variant locks_##id = {                                                     \
		.name = #id,                                                                       \
		.kernel = since,                                                                   \
		.summary = what,                                                                   \
		.params = LOCKS_PARAMS_LOCK,                                                       \
		.unavailable = why_not,                                                            \
		.setup = locks_setup,                                                              \
		.run = id##_run,                                                                   \
		.check = locks_check,                                                              \
		.report = locks_report,                                                            \
		.teardown = locks_teardown,                                                        \
		.algorithm = &id##_algorithm,                                                      \
	}

/* One of the suite's own spinlocks: plain, and observed with lock statistics. */
#define LOCKS_OWN_VARIANT(id, kind, since, what)                                                   \
	static LP_ALWAYS_INLINE void id##_loop(                                                    \
		struct lp_worker *w, struct locks *s, lp_lock_flavour f)                           \
	{                                                                                          \
		struct lp_spinlock *lock = (struct lp_spinlock *)s->word;                          \
		LOCKS_LOOP(w, s, spin_lock(lock, f), spin_unlock(lock, f));                        \
	}                                                                                          \
	static void id##_run(struct lp_worker *w)                                                  \
	{                                                                                          \
		if (w->run->observed)                                                              \
			id##_loop(w, w->run->state, (kind) | LP_LOCK_OBSERVED);                    \
		else                                                                               \
			id##_loop(w, w->run->state, kind);                                         \
	}                                                                                          \
	static void id##_make(struct locks *s)                                                     \
	{                                                                                          \
		spin_lock_init((struct lp_spinlock *)s->word, kind, &s->stat);                     \
	}                                                                                          \
	static bool id##_is_free(struct locks *s)                                                  \
	{                                                                                          \
		return spin_trylock((struct lp_spinlock *)s->word, kind);                          \
	}                                                                                          \
	LOCKS_VARIANT(id, since, what, NULL)

static_assert(sizeof(struct lp_spinlock) <= LOCKS_WORD_BYTES, "a lock fits into its place");

extern const struct lp_variant locks_unfair;
extern const struct lp_variant locks_ticket;
extern const struct lp_variant locks_queued;
extern const struct lp_variant locks_pthread_mutex;
extern const struct lp_variant locks_pthread_spinlock;
extern const struct lp_variant locks_ck_ticket;
extern const struct lp_variant locks_ck_mcs;
extern const struct lp_variant locks_round_trip;
extern const struct lp_suite lp_suite_locks;

#endif
