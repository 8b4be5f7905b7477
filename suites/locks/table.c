// SPDX-License-Identifier: GPL-2.0-or-later
/* The suite's table: parameters, locks, cases and columns. */
#include "suites/locks/locks.h"
#include "suites/lister.h"

enum { PAIRS_MAX = 28 }; /* of the quick profile: all pairs of 8 CPUs */

static const struct lp_param params[LOCKS_PARAMS] = {
	[LOCKS_CS] = {.name = "cs",
		.help = "cache lines written in the critical section, 0 to 8",
		.min = 0,
		.max = LOCKS_LINES,
		.default_value = 1},
	[LOCKS_THINK] = {.name = "think",
		.help = "loops of work outside it, 0 to 100000",
		.min = 0,
		.max = 100000,
		.default_value = 0},
	[LOCKS_CPU] = {.name = "cpu",
		.help = "the kernel's number of the first CPU",
		.min = 0,
		.max = 1 << 20,
		.default_value = 0,
		.always_named = true},
	[LOCKS_PEER] = {.name = "peer",
		.help = "the kernel's number of the second CPU",
		.min = 0,
		.max = 1 << 20,
		.default_value = 1,
		.always_named = true},
};

static const struct lp_variant *const variants[] = {
	&locks_unfair,
	&locks_ticket,
	&locks_queued,
	&locks_pthread_mutex,
	&locks_pthread_spinlock,
	&locks_ck_ticket,
	&locks_ck_mcs,
	&locks_round_trip,
};

enum { LOCKS = ARRAY_SIZE(variants) - 1, OWN_LOCKS = 3 };

static const struct lp_column columns[] = {
	{"jain", "Jain", LP_MODE_TIMING, 3},
	{"lock_contended_share", "contended", LP_MODE_OBSERVED, 2},
	{"lock_wait_p50_ns", "wait p50 ns", LP_MODE_OBSERVED, 3},
	{"lock_wait_p99_ns", "wait p99 ns", LP_MODE_OBSERVED, 3},
	{"lock_hold_p50_ns", "hold p50 ns", LP_MODE_OBSERVED, 3},
	{"lock_bounce_share", "bounced", LP_MODE_OBSERVED, 2},
};

static void list_lock(struct lp_lister *l, size_t v, enum lp_mode mode, long cs, long think)
{
	struct lp_case c;

	lp_case_init(&c, &lp_suite_locks, variants[v]);
	lp_case_set(&c, "cs", cs);
	lp_case_set(&c, "think", think);
	c.mode = mode;
	for (int t = 0; t < l->plan->nthreads; t++) {
		c.threads = l->plan->threads[t];
		lp_emit(l, c);
	}
}

static void list_full(struct lp_lister *l)
{
	for (size_t v = 0; v < LOCKS; v++) {
		list_lock(l, v, LP_MODE_TIMING, 0, 0);
		list_lock(l, v, LP_MODE_TIMING, 4, 0);
		list_lock(l, v, LP_MODE_TIMING, 1, 100);
	}
}

/* Every pair in full; in quick every step-th, so that at most PAIRS_MAX remain. */
static void list_pairs(struct lp_lister *l)
{
	int n = l->plan->usable_cpus, pairs = n * (n - 1) / 2, step = 1, number = 0;
	struct lp_case c;

	if (l->plan->profile == LP_PROFILE_QUICK && pairs > PAIRS_MAX)
		step = (pairs + PAIRS_MAX - 1) / PAIRS_MAX;
	lp_case_init(&c, &lp_suite_locks, &locks_round_trip);
	c.threads = 2;
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++) {
			if (number++ % step)
				continue;
			lp_case_set(&c, "cpu", l->plan->os_cpu[i]);
			lp_case_set(&c, "peer", l->plan->os_cpu[j]);
			lp_emit(l, c);
		}
}

static int cases(const struct lp_plan *plan, lp_case_sink sink, void *context)
{
	struct lp_lister l = {.plan = plan, .sink = sink, .context = context};

	for (size_t v = 0; v < LOCKS; v++)
		list_lock(&l, v, LP_MODE_TIMING, 1, 0);
	for (size_t v = 0; v < OWN_LOCKS; v++)
		list_lock(&l, v, LP_MODE_OBSERVED, 1, 0);
	if (plan->profile == LP_PROFILE_FULL)
		list_full(&l);
	list_pairs(&l);
	return l.rc;
}

const struct lp_suite lp_suite_locks = {
	.name = "locks",
	.summary = "the spinlocks that the paths are measured with, beside others people know",
	.story = "Every path here stands or falls with a spinlock, and which one the kernel had "
		 "changed twice: the unfair decrement-and-spin lock until 2.6.24, the ticket lock "
		 "from "
		 "2.6.25, the queued spinlock from 4.2. These rows say what each of them costs "
		 "alone "
		 "and contended, how fair it is, and how far apart the CPUs are.",
	.unit = "lock",
	.params = params,
	.nparams = ARRAY_SIZE(params),
	.variants = variants,
	.nvariants = ARRAY_SIZE(variants),
	.columns = columns,
	.ncolumns = ARRAY_SIZE(columns),
	.cases = cases,
};
