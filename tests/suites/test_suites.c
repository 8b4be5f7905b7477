// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is measured is what is proven: walks the tables of all suites and runs every case of the
 * quick profile through the same function that measures it, so that each repetition's own check
 * (every invariant of its path) decides. In sanitizer builds the same walk looks for races and
 * stray accesses.
 *
 * Thread counts are those of the CPUs this process may use; cases that need more are listed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/machine/topology.h"
#include "common/tsan.h"
#include "drivers/bench/measure.h"

enum { WINDOW_NS = 15000000 };

extern const struct lp_suite lp_suite_skeleton;

static struct lp_topology topology;
static int *os_cpu, cpus;

static int set_up(void **state)
{
	struct lp_error err;

	if (lp_topology_load(&topology, NULL, &err)) {
		print_error("%s\n", err.message);
		return -1;
	}
	os_cpu = calloc((size_t)topology.ncpus + 1, sizeof(*os_cpu));
	cpus = lp_topology_usable(&topology, os_cpu);
	return cpus > 0 ? 0 : -1;
}

static int tear_down(void **state)
{
	free(os_cpu);
	lp_topology_free(&topology);
	return 0;
}

static void measure(const struct lp_case *c, struct lp_measurement *m)
{
	struct lp_measure_options o = {.topology = &topology,
		.os_cpu = os_cpu,
		.cpus = cpus,
		.window_ns = WINDOW_NS,
		.seed = 11};
	struct lp_error err = {0};
	char name[LP_NAME_MAX];

	lp_case_name(c, name);
	if (lp_measure(c, &o, m, &err))
		fail_msg("%s: %s", name, err.message);
}

static int check_case(const struct lp_case *c, void *context)
{
	struct lp_measurement m;
	char buffer[160];
	int *run = context;

	if (lp_case_unavailable(c, &topology, buffer, sizeof(buffer)))
		return 0;
	/* One thread plays an exact case: ThreadSanitizer has nothing to see, and is slow. */
	if (LP_TSAN && c->mode == LP_MODE_EXACT)
		return 0;
	measure(c, &m);
	/* The exact play always does something; a window on a busy machine may not. */
	if (c->mode == LP_MODE_EXACT)
		assert_true(m.ops > 0);
	lp_measurement_destroy(&m);
	(*run)++;
	return 0;
}

static int run_all(const struct lp_suite *s)
{
	int threads[16], run = 0;
	struct lp_plan plan = {.profile = LP_PROFILE_QUICK,
		.topology = &topology,
		.threads = threads,
		.nthreads = lp_plan_threads(LP_PROFILE_QUICK, cpus, threads),
		.usable_cpus = cpus,
		.os_cpu = os_cpu};

	assert_int_equal(s->cases(&plan, check_case, &run), 0);
	return run;
}

static void test_every_case_keeps_its_invariants(void **state)
{
	for (size_t i = 0; i < lp_suites_count; i++) {
		int run = run_all(lp_suites[i]);

		print_message("%s: %d cases\n", lp_suites[i]->name, run);
		assert_true(run > 0);
	}
}

static void test_the_skeleton_works_and_its_check_bites(void **state)
{
	assert_true(run_all(&lp_suite_skeleton) > 0);
}

/* ---- names ---- */

static int check_name(const struct lp_case *c, void *context)
{
	struct lp_case parsed;
	struct lp_error err;
	char name[LP_NAME_MAX], again[LP_NAME_MAX];

	lp_case_name(c, name);
	if (lp_case_parse(&parsed, name, &err))
		fail_msg("%s: %s", name, err.message);
	lp_case_name(&parsed, again);
	assert_string_equal(name, again);
	assert_int_equal(c->threads, parsed.threads);
	assert_int_equal(c->mode, parsed.mode);
	(*(int *)context)++;
	return 0;
}

static void test_every_name_reads_back_as_its_case(void **state)
{
	int threads[16], count = 0;

	for (size_t i = 0; i < lp_suites_count; i++)
		for (int profile = 0; profile < 2; profile++) {
			struct lp_plan plan = {.profile = (enum lp_profile)profile,
				.topology = &topology,
				.threads = threads,
				.nthreads = lp_plan_threads((enum lp_profile)profile, 64, threads),
				.usable_cpus = cpus,
				.os_cpu = os_cpu};

			assert_int_equal(lp_suites[i]->cases(&plan, check_name, &count), 0);
		}
	assert_true(count > 300);
}

static void expect_refusal(const char *name, const char *words)
{
	struct lp_case c;
	struct lp_error err = {0};

	assert_int_not_equal(lp_case_parse(&c, name, &err), 0);
	if (!strstr(err.message, words))
		fail_msg("%s: '%s' does not say '%s'", name, err.message, words);
}

static void test_wrong_names_are_refused_with_what_is_legal(void **state)
{
	expect_refusal("", "no suite ''");
	expect_refusal("nosuch/per_page/threads:1", "no suite 'nosuch'");
	expect_refusal("lru_rotate", "no variant ''");
	expect_refusal("lru_rotate/nosuch/threads:1", "no variant 'nosuch'");
	expect_refusal("lru_rotate/pagevec_ref/batch:64/threads:1", "from 1 to 63");
	expect_refusal("lru_rotate/pagevec_ref/batch:14x/threads:1", "from 1 to 63");
	expect_refusal("lru_rotate/per_page/batch:14/threads:1", "no parameter 'batch'");
	expect_refusal("lru_rotate/per_page/lock:mutex/threads:1", "unfair");
	expect_refusal("lru_rotate/per_page/threads:0", "from 1 to 65536");
	expect_refusal(
		"lru_rotate/per_page/mode:fast/threads:1", "timing, observed, exact or soak");
	expect_refusal("lru_rotate/per_page/quick", "not name:value");
}

static void test_more_threads_than_cpus_is_unavailable_with_the_reason(void **state)
{
	struct lp_case c;
	char buffer[160];
	const char *why;

	lp_case_init(&c, lp_suites[0], lp_suites[0]->variants[0]);
	c.threads = cpus;
	assert_null(lp_case_unavailable(&c, &topology, buffer, sizeof(buffer)));
	c.threads = cpus + 1;
	why = lp_case_unavailable(&c, &topology, buffer, sizeof(buffer));
	assert_non_null(why);
	assert_non_null(strstr(why, "may be used here"));
}

static void test_thread_counts_of_the_profiles(void **state)
{
	static const int quick_64[] = {1, 2, 32, 64}, full_6[] = {1, 2, 4, 6};
	int threads[16];

	assert_int_equal(lp_plan_threads(LP_PROFILE_QUICK, 64, threads), 4);
	assert_memory_equal(threads, quick_64, sizeof(quick_64));
	assert_int_equal(lp_plan_threads(LP_PROFILE_FULL, 6, threads), 4);
	assert_memory_equal(threads, full_6, sizeof(full_6));
	assert_int_equal(lp_plan_threads(LP_PROFILE_QUICK, 1, threads), 1);
	assert_int_equal(threads[0], 1);
	assert_int_equal(lp_plan_threads(LP_PROFILE_FULL, 1 << 20, threads), 16);
}

/* ---- tables ---- */

static void check_claim(const struct lp_suite *s, const struct lp_claim *c)
{
	assert_non_null(c->id);
	assert_non_null(c->text);
	assert_non_null(c->source);
	assert_true(c->published > 0);
	/* Both sides are rows of this suite. */
	assert_memory_equal(c->base, s->name, strlen(s->name));
	assert_memory_equal(c->subject, s->name, strlen(s->name));
}

static void test_tables_are_complete(void **state)
{
	for (size_t i = 0; i < lp_suites_count; i++) {
		const struct lp_suite *s = lp_suites[i];

		assert_true(s->nparams <= LP_PARAMS_MAX);
		assert_non_null(s->story);
		assert_non_null(s->unit);
		for (size_t v = 0; v < s->nvariants; v++) {
			const struct lp_variant *x = s->variants[v];

			assert_non_null(x->kernel);
			assert_non_null(x->summary);
			assert_non_null(x->setup);
			assert_non_null(x->check);
			assert_non_null(x->report);
			assert_non_null(x->teardown);
			assert_true(x->run || x->play);
		}
		for (size_t c = 0; c < s->nclaims; c++)
			check_claim(s, &s->claims[c]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_case_keeps_its_invariants),
		cmocka_unit_test(test_the_skeleton_works_and_its_check_bites),
		cmocka_unit_test(test_every_name_reads_back_as_its_case),
		cmocka_unit_test(test_wrong_names_are_refused_with_what_is_legal),
		cmocka_unit_test(test_more_threads_than_cpus_is_unavailable_with_the_reason),
		cmocka_unit_test(test_thread_counts_of_the_profiles),
		cmocka_unit_test(test_tables_are_complete),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
