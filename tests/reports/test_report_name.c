// SPDX-License-Identifier: GPL-2.0-or-later
/* Names taken apart, and patterns with what their stars stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reports/name.h"

static struct lp_strings strings;

static struct lp_name parse(const char *text, bool foreign)
{
	struct lp_name n;

	lp_name_parse(&strings, text, foreign, &n);
	return n;
}

static const char *text(uint32_t handle)
{
	return lp_strings_text(&strings, handle);
}

static void our_names(void **state)
{
	struct lp_name n = parse("s/v/lock:ticket/plain/a:b:c/mode:exact/threads:12", false);

	assert_string_equal(text(n.suite), "s");
	assert_string_equal(text(n.variant), "v");
	assert_int_equal(n.threads, 12);
	assert_int_equal(n.mode, LP_ROW_EXACT);
	assert_int_equal(n.params, 3);
	assert_string_equal(text(lp_name_value(&n, lp_strings_find(&strings, "lock"))), "ticket");
	assert_int_equal(n.param[1].key, LP_STRING_NONE);
	assert_string_equal(text(n.param[1].value), "plain");
	assert_string_equal(text(n.param[2].value), "b:c");
	assert_int_equal(lp_name_value(&n, lp_strings_add(&strings, "nodes", 5)), LP_STRING_NONE);
}

static void odd_names(void **state)
{
	struct lp_name n = parse("alone", false);

	assert_string_equal(text(n.variant), "alone");
	assert_int_equal(n.suite, LP_STRING_NONE);
	n = parse("s/v", false);
	assert_int_equal(n.threads, 0);
	assert_int_equal(n.mode, LP_ROW_TIMING);
	n = parse("s/v/mode:strange/threads:x/threads:99999999999", false);
	assert_int_equal(n.params, 3);
	assert_int_equal(n.mode, LP_ROW_TIMING);
	n = parse("s//", false);
	assert_string_equal(text(n.suite), "s");
	n = parse("/x/y", false);
	assert_string_equal(text(n.variant), "/x/y");
	n = parse("s/v/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", false);
	assert_int_equal(n.suite, LP_STRING_NONE);
	assert_int_equal(n.params, 0);
}

static void foreign_names(void **state)
{
	struct lp_name n = parse("BM_copy/8/real_time/threads:4", true);

	assert_string_equal(text(n.variant), "BM_copy/8/real_time");
	assert_int_equal(n.threads, 4);
	assert_int_equal(n.params, 0);
	n = parse("BM_copy/threads:4/8", true);
	assert_string_equal(text(n.variant), "BM_copy/threads:4/8");
}

static void patterns(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} cases[] = {{"", "", true}, {"*", "", true}, {"*", "abc", true}, {"a*c", "abc", true},
		{"a*c", "abcd", false}, {"a*b*c", "aXbYbZc", true}, {"abc", "ab", false},
		{"ab", "abc", false}, {"**", "a", true}, {"a/*/threads:*", "a/b/c/threads:2", true},
		{"*x", "abc", false}, {"*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false},
		{"********", "x", true}, {"*********", "x", false}};
	struct lp_captures c;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (lp_pattern_match(cases[i].pattern, cases[i].text, &c) != cases[i].matches)
			fail_msg("%s against %s", cases[i].pattern, cases[i].text);
}

static void stars_stand_for_texts(void **state)
{
	struct lp_captures a, b;

	assert_true(lp_pattern_match("s/x/*/threads:*", "s/x/lock:a/threads:2", &a));
	assert_int_equal(a.count, 2);
	assert_int_equal(a.star[0].length, 6);
	assert_memory_equal(a.star[0].at, "lock:a", 6);
	assert_memory_equal(a.star[1].at, "2", 1);
	assert_true(lp_pattern_match("s/y/*/threads:*", "s/y/lock:a/threads:2", &b));
	assert_true(lp_captures_equal(&a, &b));
	assert_true(lp_pattern_match("s/y/*/threads:*", "s/y/lock:a/threads:4", &b));
	assert_false(lp_captures_equal(&a, &b));
	assert_true(lp_pattern_match("s/y/*", "s/y/lock:a/threads:2", &b));
	assert_false(lp_captures_equal(&a, &b));
}

/* Stars, letters and slashes at random, against a matcher that tries everything. */
static bool tries_everything(const char *p, const char *t)
{
	if (!*p)
		return !*t;
	if (*p == '*')
		return tries_everything(p + 1, t) || (*t && tries_everything(p, t + 1));
	return *p == *t && tries_everything(p + 1, t + 1);
}

static void agrees_with_trying_everything(void **state)
{
	uint32_t random = 1;

	for (int i = 0; i < 20000; i++) {
		char pattern[8] = "", subject[10] = "";
		struct lp_captures c;

		for (int k = 0; k < 7; k++)
			pattern[k] = "ab*/"[(random = random * 1664525 + 1013904223) >> 30];
		for (int k = 0; k < 9; k++)
			subject[k] = "ab/a"[(random = random * 1664525 + 1013904223) >> 30];
		pattern[random >> 29] = '\0';
		subject[(random >> 8) % 10] = '\0';
		if (lp_pattern_match(pattern, subject, &c) != tries_everything(pattern, subject))
			fail_msg("%s against %s", pattern, subject);
	}
}

static int make(void **state)
{
	lp_strings_init(&strings);
	return 0;
}

static int drop(void **state)
{
	lp_strings_destroy(&strings);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_names),
		cmocka_unit_test(odd_names),
		cmocka_unit_test(foreign_names),
		cmocka_unit_test(patterns),
		cmocka_unit_test(stars_stand_for_texts),
		cmocka_unit_test(agrees_with_trying_everything),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
