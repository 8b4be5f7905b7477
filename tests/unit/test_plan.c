// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a command line to what is measured, and in which order, on machines that are not here.
 * lp-one-thread: nothing here has a second one.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drivers/schedule/options.h"
#include "drivers/schedule/order.h"
#include "drivers/schedule/plan.h"

enum { ARGS = 8 };

static struct lp_error err;

/* ---- machines: four CPUs, of which two or one may be used ---- */

static struct lp_topology_cpu half_cpus[] = {{.os = 0, .core = 0, .allowed = true},
	{.os = 1, .core = 1}, {.os = 2, .core = 2, .allowed = true}, {.os = 3, .core = 3}};
static struct lp_topology_cpu one_cpu[] = {{.os = 5, .allowed = true}};
static struct lp_topology_node node[] = {{.memory_bytes = 1 << 30, .cpus = 4, .allowed = true}};
static unsigned distance[] = {10};

static const struct lp_topology half = {.ncpus = 4,
	.cpu = half_cpus,
	.nnodes = 1,
	.node = node,
	.distance = distance,
	.packages = 1,
	.cores = 4,
	.kinds = 1};
static const struct lp_topology single = {.ncpus = 1,
	.cpu = one_cpu,
	.nnodes = 1,
	.node = node,
	.distance = distance,
	.packages = 1,
	.cores = 1,
	.kinds = 1};

/* ---- options ---- */

static int parse(struct lp_options *o, const char *const *words)
{
	char *argv[ARGS + 2] = {(char *)"run"};
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	return lp_options_parse(o, argc, argv, &err);
}

#define PARSE(o, ...) parse(o, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static void every_option_is_taken(void **state)
{
	struct lp_options o;

	assert_int_equal(PARSE(&o, "--profile", "full", "--min-time=.25", "--seed", "7",
				 "--repetitions", "1000", "--suite=locks"),
		0);
	assert_int_equal(o.profile, LP_PROFILE_FULL);
	assert_true(o.min_time_s == 0.25);
	assert_int_equal(o.seed, 7);
	assert_int_equal(o.repetitions, 1000);
	assert_int_equal(o.suites, 1);
	assert_int_equal(PARSE(&o, "--filter", "a|b", "--threads", "1,2", "--out", "x"), 0);
	assert_string_equal(o.filter, "a|b");
	assert_string_equal(o.threads, "1,2");
	assert_string_equal(o.out, "x");
	assert_int_equal(PARSE(&o, "--seed", "9223372036854775807"), 0);
	assert_int_equal(o.seed, INT64_MAX);
}

static void values_that_are_none_are_refused(void **state)
{
	static const char *const bad[][3] = {{"--profile", "fast", "quick or full"},
		{"--suite", "nosuch", "no such suite"}, {"--repetitions", "0", "from 1 to 1000"},
		{"--repetitions", "1001", "from 1 to 1000"},
		{"--repetitions", " 3", "from 1 to 1000"},
		{"--repetitions", "+3", "from 1 to 1000"},
		{"--repetitions", "3.5", "from 1 to 1000"}, {"--min-time", "0", "0.001 to 3600"},
		{"--min-time", "inf", "0.001 to 3600"}, {"--min-time", "nan", "0.001 to 3600"},
		{"--min-time", "1s", "0.001 to 3600"}, {"--min-time", "-1", "0.001 to 3600"},
		{"--seed", "-1", "whole number"}, {"--seed", " -18446744073709551615", "whole"},
		{"--seed", "9223372036854775808", "whole number"}, {"--out", "", "--out wants a"},
		{"--suite", "", "--suite wants a value"}};
	struct lp_options o;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (PARSE(&o, bad[i][0], bad[i][1]) != -EINVAL)
			fail_msg("%s '%s' was taken", bad[i][0], bad[i][1]);
		if (!strstr(err.message, bad[i][2]))
			fail_msg("%s '%s': %s", bad[i][0], bad[i][1], err.message);
	}
}

static void assert_refused(int rc, const char *why)
{
	assert_int_equal(rc, -EINVAL);
	if (!strstr(err.message, why))
		fail_msg("refused with: %s", err.message);
}

static void options_that_do_not_go_together_are_refused(void **state)
{
	struct lp_options o;

	assert_refused(PARSE(&o, "--resume", "r", "--seed", "1"), "no other option");
	assert_refused(PARSE(&o, "--resume", "r", "--profile", "quick"), "no other option");
	assert_refused(PARSE(&o, "--resume", "r", "--out", "x"), "no other option");
	assert_refused(PARSE(&o, "--case", "c", "--suite", "locks"), "give no --suite");
	assert_refused(PARSE(&o, "--case", "c", "--threads", "1"), "give no --threads");
	assert_refused(PARSE(&o, "-xyz"), "-x: no such option");
	assert_refused(PARSE(&o, "--nosuch"), "--nosuch: no such option");
	assert_refused(PARSE(&o, "stray"), "'stray'");
	assert_refused(PARSE(&o, "--suite"), "--suite wants a value");
	assert_int_equal(PARSE(&o, "--resume", "r", "--bench", "b"), 0);
}

/* ---- plans ---- */

static const struct lp_plan_entry *find(const struct lp_run_plan *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->entry[i].name, name))
			return &p->entry[i];
	return NULL;
}

static int make(struct lp_run_plan *p, const struct lp_topology *t, const char *const *words)
{
	struct lp_options o;

	if (parse(&o, words))
		fail_msg("not parsed: %s", err.message);
	return lp_plan_make(p, &o, t, &err);
}

#define MAKE(p, t, ...) make(p, t, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static void what_is_out_of_reach_is_listed_with_its_reason(void **state)
{
	const struct lp_plan_entry *two, *four;
	struct lp_run_plan p;

	assert_int_equal(MAKE(&p, &half, "--suite", "locks"), 0);
	assert_int_equal(p.cpus, 2);
	two = find(&p, "locks/ticket/threads:2");
	four = find(&p, "locks/ticket/threads:4");
	assert_non_null(two);
	assert_null(two->skipped);
	assert_int_equal(two->repetitions, 5);
	assert_non_null(four);
	assert_non_null(four->skipped);
	assert_non_null(strstr(four->skipped, "4 threads need 4 CPUs, 2 may be used"));
	lp_plan_free(&p);
}

static void repetitions_go_by_mode_and_profile(void **state)
{
	struct lp_run_plan p;
	const char *timing = "lru_rotate/pagevec_ref/threads:1";
	const char *exact = "lru_rotate/pagevec_ref/mode:exact/threads:1";
	const char *observed = "lru_rotate/pagevec_ref/mode:observed/threads:1";

	assert_int_equal(MAKE(&p, &half, "--case", timing, "--case", exact, "--case", observed), 0);
	assert_int_equal(p.count, 3);
	assert_int_equal(p.entry[0].repetitions, 5);
	assert_int_equal(p.entry[1].repetitions, 1);
	assert_int_equal(p.entry[2].repetitions, 1);
	assert_true(p.min_time_s == 0.1);
	lp_plan_free(&p);
	assert_int_equal(
		MAKE(&p, &half, "--profile", "full", "--case", timing, "--case", exact), 0);
	assert_int_equal(p.entry[0].repetitions, 15);
	assert_int_equal(p.entry[1].repetitions, 2);
	assert_true(p.min_time_s == 1);
	lp_plan_free(&p);
	assert_int_equal(MAKE(&p, &half, "--repetitions", "3", "--case", exact), 0);
	assert_int_equal(p.entry[0].repetitions, 3);
	lp_plan_free(&p);
}

static void a_selection_selects(void **state)
{
	struct lp_run_plan p;

	assert_int_equal(
		MAKE(&p, &half, "--threads", "2", "--filter", "^locks/(ticket|queued)/t"), 0);
	assert_int_equal(p.runnable, 2);
	assert_non_null(find(&p, "locks/queued/threads:2"));
	lp_plan_free(&p);
	/* Twice the same case is one row. */
	assert_int_equal(MAKE(&p, &half, "--case", "locks/ticket/threads:1", "--case",
				 "locks/ticket/threads:1"),
		0);
	assert_int_equal(p.count, 1);
	lp_plan_free(&p);
}

static void a_selection_of_nothing_is_refused(void **state)
{
	struct lp_run_plan p;

	assert_refused(MAKE(&p, &half, "--filter", "nosuch"), "--filter nosuch matches no case");
	assert_refused(MAKE(&p, &half, "--filter", "("), "--filter (:");
	assert_refused(MAKE(&p, &half, "--case", "locks/nosuch/threads:1"), "nosuch");
	assert_refused(MAKE(&p, &single, "--case", "locks/ticket/threads:2"),
		"locks/ticket/threads:2: 2 threads need 2 CPUs");
}

static void thread_counts_are_those_of_the_cpus_that_may_be_used(void **state)
{
	static const char *const bad[] = {
		"0", "3", "2,1", "1,1", "1,", ",1", "1;2", "one", "-1", "99999999999999999999"};
	struct lp_run_plan p;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_refused(MAKE(&p, &half, "--threads", bad[i]), "1 to 2");
	assert_non_null(strstr(err.message, "CPUs 0,2 may be used"));
}

/* ---- order ---- */

static void make_plan(struct lp_run_plan *p, uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	p->seed = seed;
	assert_int_equal(lp_plan_add(p, "a", 3, NULL), 0);
	assert_int_equal(lp_plan_add(p, "b", 3, NULL), 0);
	assert_int_equal(lp_plan_add(p, "skipped", 3, "why"), 0);
	assert_int_equal(lp_plan_add(p, "c", 1, NULL), 0);
	assert_int_equal(lp_plan_add(p, "d", 3, NULL), 0);
}

static void a_round_has_every_case_once(void **state)
{
	struct lp_run_plan p;
	struct lp_work *work;
	size_t n;
	int seen[5][3] = {{0}};

	make_plan(&p, 1);
	work = lp_order_make(&p, &n);
	assert_int_equal(n, 10);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(work[i].repetition, i < 4 ? 0 : i < 7 ? 1 : 2);
		assert_int_equal(work[i].attempt, 0);
		seen[work[i].entry][work[i].repetition]++;
	}
	for (int e = 0; e < 5; e++)
		for (int r = 0; r < 3; r++)
			assert_int_equal(seen[e][r], e != 2 && r < p.entry[e].repetitions);
	free(work);
	lp_plan_free(&p);
}

/* Each of four cases is first in a quarter of 2000 rounds of different seeds. */
static void the_seed_makes_the_order(void **state)
{
	int first[5] = {0};

	for (uint64_t seed = 0; seed < 2000; seed++) {
		struct lp_run_plan p;
		struct lp_work *work, *again;
		size_t n;

		make_plan(&p, seed);
		work = lp_order_make(&p, &n);
		again = lp_order_make(&p, &n);
		assert_memory_equal(work, again, n * sizeof(*work));
		first[work[0].entry]++;
		free(work);
		free(again);
		lp_plan_free(&p);
	}
	for (int e = 0; e < 5; e++)
		if (e != 2)
			assert_in_range(first[e], 400, 600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option_is_taken),
		cmocka_unit_test(values_that_are_none_are_refused),
		cmocka_unit_test(options_that_do_not_go_together_are_refused),
		cmocka_unit_test(what_is_out_of_reach_is_listed_with_its_reason),
		cmocka_unit_test(repetitions_go_by_mode_and_profile),
		cmocka_unit_test(a_selection_selects),
		cmocka_unit_test(a_selection_of_nothing_is_refused),
		cmocka_unit_test(thread_counts_are_those_of_the_cpus_that_may_be_used),
		cmocka_unit_test(a_round_has_every_case_once),
		cmocka_unit_test(the_seed_makes_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
