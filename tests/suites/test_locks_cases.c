// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The locks suite's list: every lock at every thread count, pairs of CPUs within their bound on
 * machines of any size, and a reason for whatever cannot be measured.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suites/locks/locks.h"

static bool is_lock(const struct lp_variant *v)
{
	return v->params == LOCKS_PARAMS_LOCK;
}

static bool is_ours(const struct lp_variant *v)
{
	return is_lock(v) && !v->unavailable;
}

static void test_foreign_locks_say_why_they_are_not_observed(void **state)
{
	const struct lp_topology none = {0};
	int foreign = 0;

	for (size_t i = 0; i < lp_suite_locks.nvariants; i++) {
		struct lp_case c;

		lp_case_init(&c, &lp_suite_locks, lp_suite_locks.variants[i]);
		if (!is_lock(c.variant) || is_ours(c.variant))
			continue;
		assert_null(c.variant->unavailable(&c, &none));
		c.mode = LP_MODE_OBSERVED;
		assert_non_null(strstr(c.variant->unavailable(&c, &none), "own locks"));
		foreign++;
	}
	assert_int_equal(foreign, 4);
}

static const char *why_not(int cpu, int peer, int threads)
{
	static struct lp_topology_cpu cpus[] = {{.os = 0, .allowed = true},
		{.os = 1, .allowed = false}, {.os = 4, .allowed = true}};
	const struct lp_topology t = {.ncpus = 3, .cpu = cpus};
	struct lp_case c;

	lp_case_init(&c, &lp_suite_locks, &locks_round_trip);
	lp_case_set(&c, "cpu", cpu);
	lp_case_set(&c, "peer", peer);
	c.threads = threads;
	return c.variant->unavailable(&c, &t);
}

static void test_only_a_pair_of_usable_cpus_makes_a_round_trip(void **state)
{
	assert_null(why_not(0, 4, 2));
	assert_non_null(strstr(why_not(0, 4, 3), "two threads"));
	assert_non_null(strstr(why_not(0, 4, 1), "two threads"));
	assert_non_null(strstr(why_not(0, 0, 2), "no such pair"));
	assert_non_null(strstr(why_not(0, 2, 2), "no such pair"));
	assert_non_null(strstr(why_not(7, 0, 2), "no such pair"));
	assert_non_null(strstr(why_not(0, 1, 2), "may not be used"));
}

static void test_a_round_trip_wants_its_own_cpus(void **state)
{
	struct lp_case c;
	int os_cpu[2] = {-1, -1};

	lp_case_init(&c, &lp_suite_locks, &locks_round_trip);
	lp_case_set(&c, "cpu", 12);
	lp_case_set(&c, "peer", 5);
	c.variant->placement(&c, os_cpu);
	assert_int_equal(os_cpu[0], 12);
	assert_int_equal(os_cpu[1], 5);
}

/* ---- the list of cases ---- */

enum { CPUS_MAX = 64 };

struct listing {
	int locks, observed, pairs;
	int used[CPUS_MAX]; /* pairs that a CPU is in */
};

static int list_case(const struct lp_case *c, void *context)
{
	struct listing *l = context;

	if (is_lock(c->variant)) {
		l->locks++;
		l->observed += c->mode == LP_MODE_OBSERVED;
		assert_true(c->mode != LP_MODE_OBSERVED || is_ours(c->variant));
		return 0;
	}
	l->pairs++;
	l->used[lp_case_get(c, "cpu") / 3]++;
	l->used[lp_case_get(c, "peer") / 3]++;
	assert_int_equal(c->threads, 2);
	return 0;
}

static struct listing list(enum lp_profile profile, int cpus)
{
	int threads[16], os_cpu[CPUS_MAX];
	struct lp_plan plan = {.profile = profile,
		.threads = threads,
		.nthreads = lp_plan_threads(profile, cpus, threads),
		.usable_cpus = cpus,
		.os_cpu = os_cpu};
	struct listing l = {0};

	for (int i = 0; i < cpus; i++)
		os_cpu[i] = 3 * i; /* numbers have gaps */
	assert_int_equal(lp_suite_locks.cases(&plan, list_case, &l), 0);
	return l;
}

static void test_the_quick_list_has_every_lock_at_every_thread_count(void **state)
{
	assert_int_equal(list(LP_PROFILE_QUICK, 1).locks, 7 + 3);
	assert_int_equal(list(LP_PROFILE_QUICK, 2).locks, 2 * (7 + 3));
	assert_int_equal(list(LP_PROFILE_QUICK, 2).observed, 2 * 3);
	assert_int_equal(list(LP_PROFILE_QUICK, 8).locks, 4 * (7 + 3));
	assert_int_equal(list(LP_PROFILE_FULL, 2).locks, 2 * (4 * 7 + 3));
}

static void test_every_pair_is_listed_where_there_are_few(void **state)
{
	assert_int_equal(list(LP_PROFILE_QUICK, 1).pairs, 0);
	assert_int_equal(list(LP_PROFILE_QUICK, 2).pairs, 1);
	assert_int_equal(list(LP_PROFILE_QUICK, 8).pairs, 28);
	assert_int_equal(list(LP_PROFILE_FULL, 64).pairs, 64 * 63 / 2);
}

static void test_a_spread_sample_of_many_pairs_is_quick(void **state)
{
	for (int cpus = 9; cpus <= CPUS_MAX; cpus++) {
		struct listing l = list(LP_PROFILE_QUICK, cpus);
		int near = 0, far = 0;

		assert_in_range(l.pairs, 15, 28);
		for (int i = 0; i < cpus; i++)
			*(i < cpus / 2 ? &near : &far) += l.used[i];
		assert_true(near > 0 && far > 0);
	}
}

static int refuse(const struct lp_case *c, void *context)
{
	return ++*(int *)context == 5 ? -ECANCELED : 0;
}

static void test_the_listing_ends_when_its_reader_has_enough(void **state)
{
	int threads[16], os_cpu[2] = {0, 1}, seen = 0;
	struct lp_plan plan = {.profile = LP_PROFILE_FULL,
		.threads = threads,
		.nthreads = lp_plan_threads(LP_PROFILE_FULL, 2, threads),
		.usable_cpus = 2,
		.os_cpu = os_cpu};

	assert_int_equal(lp_suite_locks.cases(&plan, refuse, &seen), -ECANCELED);
	assert_int_equal(seen, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_foreign_locks_say_why_they_are_not_observed),
		cmocka_unit_test(test_only_a_pair_of_usable_cpus_makes_a_round_trip),
		cmocka_unit_test(test_a_round_trip_wants_its_own_cpus),
		cmocka_unit_test(test_the_quick_list_has_every_lock_at_every_thread_count),
		cmocka_unit_test(test_every_pair_is_listed_where_there_are_few),
		cmocka_unit_test(test_a_spread_sample_of_many_pairs_is_quick),
		cmocka_unit_test(test_the_listing_ends_when_its_reader_has_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
