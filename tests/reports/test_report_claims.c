// SPDX-License-Identifier: GPL-2.0-or-later
/* Each verdict on a claim, and how the two rows that it compares are found. */
#include <math.h>

#include "results_make.h"

#include "reports/claims.h"

static void verdicts_on_ratios(void **state)
{
	static const struct {
		double published, measured;
		enum lp_claim_verdict verdict;
	} cases[] = {
		{0.1, 0.1, LP_CLAIM_REPRODUCED},
		{0.1, 0.05, LP_CLAIM_REPRODUCED},
		{0.1, 0.2, LP_CLAIM_REPRODUCED},
		{0.1, 0.049, LP_CLAIM_DIRECTION_ONLY},
		{0.1, 0.21, LP_CLAIM_DIRECTION_ONLY},
		{0.1, 0.999, LP_CLAIM_DIRECTION_ONLY},
		{0.1, 1, LP_CLAIM_NOT_REPRODUCED},
		{0.1, 9, LP_CLAIM_NOT_REPRODUCED},
		{0.1, 0, LP_CLAIM_DIRECTION_ONLY},
		{0.1, INFINITY, LP_CLAIM_NOT_REPRODUCED},
		{0.9, 1.1, LP_CLAIM_NOT_REPRODUCED}, /* within twice, but the other way */
		{1.02, 1.5, LP_CLAIM_REPRODUCED},
		{1.02, 1, LP_CLAIM_NOT_REPRODUCED},
		{3, INFINITY, LP_CLAIM_DIRECTION_ONLY},
		{3, 1.2, LP_CLAIM_DIRECTION_ONLY},
		{3, 0.5, LP_CLAIM_NOT_REPRODUCED},
		{1, 1, LP_CLAIM_REPRODUCED},
		{1, 1.9, LP_CLAIM_REPRODUCED},
		{1, 0.5, LP_CLAIM_REPRODUCED},
		{1, 2.1, LP_CLAIM_NOT_REPRODUCED},
		{1, 0, LP_CLAIM_NOT_REPRODUCED},
		{0, 0, LP_CLAIM_REPRODUCED},
		{0, 0.1, LP_CLAIM_DIRECTION_ONLY},
		{0, 1, LP_CLAIM_NOT_REPRODUCED},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (lp_claim_compare(cases[i].published, cases[i].measured) != cases[i].verdict)
			fail_msg("published %g, measured %g: not %s", cases[i].published,
				cases[i].measured, lp_claim_verdict_text(cases[i].verdict));
}

static struct lp_results results;

static struct lp_claim_result judge(struct lp_suite_claim claim)
{
	struct lp_claim_result result;

	claim.metric = claim.metric ? claim.metric : "ns_per_op";
	assert_int_equal(lp_claim_judge(&results, &claim, &result), 0);
	return result;
}

static const char *name(const struct lp_item *item)
{
	return item ? lp_results_text(&results, item->text) : "none";
}

static void make_results(void)
{
	struct journal j;

	lp_sink_init(&j.text, -1);
	lp_sink_text(&j.text,
		"{\"lockpath_journal\":1,\"cpus\":[0,1],\"plan\":[{\"name\":\"s/late/threads:2\","
		"\"repetitions\":3}],\"skipped\":[{\"name\":\"s/new/threads:4\",\"reason\":\"too "
		"few\"}]}\n");
	for (int i = 0; i < 3; i++) {
		journal_time(&j, "s/old/lock:a/threads:1", i, "valid", 100, -1);
		journal_time(&j, "s/old/lock:a/threads:2", i, "valid", 400, 70);
		journal_time(&j, "s/old/lock:b/threads:2", i, "invalid: x", 400, 70);
		journal_time(&j, "s/new/lock:a/threads:1", i, "valid", 50, -1);
		journal_time(&j, "s/new/lock:a/threads:2", i, "disturbed: x", 40, 70);
		journal_time(&j, "s/new/lock:b/threads:2", i, "valid", 40, 70);
		journal_time(&j, "s/zero/threads:1", i, "valid", 0, -1);
	}
	journal_row(&j, "s/null/threads:1", 0, "valid", "\"cycles\":null");
	journal_read(&j, &results);
}

static void the_widest_pair_with_a_figure(void **state)
{
	struct lp_claim_result c = judge((struct lp_suite_claim){.base = "s/old/lock:*/threads:*",
		.subject = "s/new/lock:*/threads:*",
		.published = 0.1});

	assert_string_equal(name(c.base), "s/old/lock:a/threads:2");
	assert_string_equal(name(c.subject), "s/new/lock:a/threads:2");
	assert_true(c.ratio.ratio == 0.1);
	assert_int_equal(c.ratio.subject.quality, LP_QUALITY_DISTURBED);
	assert_int_equal(c.verdict, LP_CLAIM_REPRODUCED);
}

static void patterns_may_differ_in_stars(void **state)
{
	struct lp_claim_result c = judge((struct lp_suite_claim){.base = "s/old/lock:a/threads:1",
		.subject = "s/new/*/threads:1",
		.published = 0.4});

	assert_string_equal(name(c.subject), "s/new/lock:a/threads:1");
	assert_int_equal(c.verdict, LP_CLAIM_REPRODUCED);
}

static void expect_reason(
	const char *base, const char *subject, const char *metric_name, const char *words)
{
	struct lp_claim_result c = judge((struct lp_suite_claim){
		.base = base, .subject = subject, .metric = metric_name, .published = 0.5});

	assert_int_equal(c.verdict, LP_CLAIM_NOT_MEASURED);
	if (!strstr(c.reason, words))
		fail_msg("\"%s\" does not say \"%s\"", c.reason, words);
}

static void why_it_was_not_measured(void **state)
{
	static const char old[] = "s/old/lock:a/threads:1", new[] = "s/new/lock:a/threads:1";

	expect_reason(old, "s/never/*", NULL, "no row s/never/*");
	expect_reason("s/new/threads:4", new, NULL, "s/new/threads:4 was skipped: too few");
	expect_reason(old, new, "nosuch", "s/old/lock:a/threads:1 has no nosuch");
	expect_reason(old, "s/null/threads:1", NULL, "s/null/threads:1 has no ns_per_op");
	expect_reason(old, "s/late/threads:2", NULL, "s/late/threads:2 was not finished");
	expect_reason("s/old/lock:*/threads:1", "s/zero/threads:*", NULL, "no two rows agree");
	expect_reason("s/old/lock:b/threads:2", "s/new/lock:b/threads:2", NULL,
		"s/old/lock:b/threads:2 has no ns_per_op in a repetition that may be used");
}

static void zeros_have_answers(void **state)
{
	struct lp_claim_result c = judge(
		(struct lp_suite_claim){.base = "s/zero/*", .subject = "s/zero/*", .published = 1});

	assert_true(c.ratio.ratio == 1);
	assert_int_equal(c.verdict, LP_CLAIM_REPRODUCED);
	c = judge((struct lp_suite_claim){
		.base = "s/zero/threads:1", .subject = "s/old/lock:a/threads:1", .published = 4});
	assert_true(isinf(c.ratio.ratio));
	assert_int_equal(c.verdict, LP_CLAIM_DIRECTION_ONLY);
	c = judge((struct lp_suite_claim){
		.base = "s/old/lock:a/threads:1", .subject = "s/zero/threads:1", .published = 0});
	assert_int_equal(c.verdict, LP_CLAIM_REPRODUCED);
}

static void a_small_machine_refutes_nothing(void **state)
{
	struct lp_suite_claim claim = {.base = "s/old/lock:a/threads:1",
		.subject = "s/new/lock:a/threads:1",
		.published = 9,
		.min_cpus = 4,
		.min_nodes = 1};
	struct lp_claim_result c = judge(claim);

	assert_int_equal(c.verdict, LP_CLAIM_NEEDS_CPUS);
	assert_true(c.ratio.ratio == 0.5);
	assert_string_equal(c.reason, "4 are needed, 2 may be used");
	claim.min_cpus = 2;
	claim.min_nodes = 2;
	assert_int_equal(judge(claim).verdict, LP_CLAIM_NOT_REPRODUCED); /* nodes: not known */
	results.machine = json_pack(
		"{s:i, s:[{s:b}, {s:b}]}", "cpus_allowed", 3, "nodes", "allowed", 1, "allowed", 0);
	assert_int_equal(judge(claim).verdict, LP_CLAIM_NEEDS_NODES);
	claim.min_nodes = 1;
	claim.min_cpus = 3;
	assert_int_equal(judge(claim).verdict, LP_CLAIM_NOT_REPRODUCED);
	json_decref(results.machine);
	results.machine = NULL;
}

static int make(void **state)
{
	make_results();
	return 0;
}

static int drop(void **state)
{
	lp_results_destroy(&results);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_on_ratios),
		cmocka_unit_test(the_widest_pair_with_a_figure),
		cmocka_unit_test(patterns_may_differ_in_stars),
		cmocka_unit_test(why_it_was_not_measured),
		cmocka_unit_test(zeros_have_answers),
		cmocka_unit_test(a_small_machine_refutes_nothing),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
