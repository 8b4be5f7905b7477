// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON reader: what it takes, what it refuses and in which words, and that neither depends on
 * where the buffer's boundary falls or on the locale.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "reports/json.h"

static int skip_document(const char *text, size_t n, bool lines, struct lp_error *err)
{
	struct lp_json j;
	int rc = lp_json_memory(&j, "t", text, n, err);

	j.lines = lines;
	if (!rc)
		rc = lp_json_skip(&j);
	if (!rc)
		rc = lp_json_finish(&j);
	lp_json_close(&j);
	return rc;
}

static void expect_refused(const char *text, const char *words)
{
	struct lp_error err = {0};
	int rc = skip_document(text, strlen(text), false, &err);

	if (rc != -EINVAL)
		fail_msg("%s was accepted", text);
	if (!strstr(err.message, words) || strncmp(err.message, "t:", 2))
		fail_msg("%s: \"%s\" does not say \"%s\"", text, err.message, words);
}

static void takes_what_is_json(void **state)
{
	static const char *const good[] = {"null", " true ", "[]", "{}", "[1,-2,3.5e-7,0,-0,1E+2]",
		"{\"a\":{\"a\":[{\"a\":1}]},\"b\":\"\\u00e9\\ud83d\\ude00\\n\\\"\"}",
		"\t\r\n[\n]\n", "\"\xc3\xa9\xf0\x9f\x98\x80\"", "[[],{},[{}]]"};
	struct lp_error err = {0};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (skip_document(good[i], strlen(good[i]), false, &err))
			fail_msg("%s: %s", good[i], err.message);
}

static void refuses_what_is_not(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{"", "the file ends here"},
		{"[1,]", "expected a value, found ']'"},
		{"[1 2]", "expected ',' or ']', found a number"},
		{"{\"a\":1,}", "expected a key, found '}'"},
		{"{\"a\" 1}", "':' after a key"},
		{"{a:1}", "expected a key, found 'a'"},
		{"[1}", "expected ',' or ']'"},
		{"{\"a\":1,\"b\":2,\"a\":3}", "the key \"a\" stands twice"},
		{"{\"a\":1,\"\\u0061\":3}", "the key \"a\" stands twice"},
		{"NaN", "expected a value, found 'N'"},
		{"[nan]", "expected null, found 'a'"},
		{"Infinity", "found 'I'"},
		{"-Infinity", "- is not a number"},
		{"[01]", "01 is not a number"},
		{"[1.]", "1. is not a number"},
		{"[.5]", "found '.'"},
		{"[+1]", "found '+'"},
		{"[1e]", "1e is not a number"},
		{"[1e+]", "1e+ is not a number"},
		{"[--1]", "--1 is not a number"},
		{"[1-2]", "1-2 is not a number"},
		{"tru", "the file ends here"},
		{"[truE]", "expected true, found 'E'"},
		{"\"a", "the end of a string"},
		{"\"a\nb\"", "raw control character"},
		{"\"\\x\"", "unknown escape"},
		{"\"\\u12g4\"", "four hexadecimal digits"},
		{"\"\\u0000\"", "NUL"},
		{"\"\\ud800\"", "half a surrogate"},
		{"\"\\ud800\\u0041\"", "half a surrogate"},
		{"\"\\udc00\\ud800\"", "half a surrogate"},
		{"\"\xff\"", "not UTF-8"},
		{"\"\xc0\x80\"", "not UTF-8"},
		{"\"\xed\xa0\x80\"", "not UTF-8"},
		{"\"\xf4\x90\x80\x80\"", "not UTF-8"},
		{"\"\xe2\x82\"", "not UTF-8"},
		{"[1] x", "expected the end of the file, found 'x'"},
		{"\x01", "the byte 0x01"},
		{"\n\n[1,\n}", "t:4:"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_refused(bad[i].text, bad[i].words);
}

/* @depth times @open. */
static char *repeated(const char *open, size_t depth, const char *last)
{
	char *text = calloc(depth * strlen(open) + strlen(last) + 1, 1), *at = text;

	assert_non_null(text);
	for (size_t i = 0; i < depth; i++)
		at = stpcpy(at, open);
	strcpy(at, last);
	return text;
}

static void bounds_are_kept(void **state)
{
	char *text = repeated("[", LP_JSON_DEPTH, "");
	struct lp_error err = {0};

	expect_refused(text, "the file ends here");
	free(text);
	text = repeated("[", LP_JSON_DEPTH + 1, "");
	expect_refused(text, "nested deeper than 64");
	free(text);
	text = repeated("{\"a\":", 1000000, "");
	expect_refused(text, "nested deeper than 64");
	free(text);
	text = repeated("1", 300, "");
	expect_refused(text, "a number of 255 characters or more");
	free(text);
	text = repeated("x", LP_JSON_STRING + 1, "\"");
	text[0] = '"';
	assert_int_equal(skip_document(text, strlen(text), false, &err), 0);
	free(text);
	text = repeated("x", LP_JSON_STRING + 2, "\"");
	text[0] = '"';
	expect_refused(text, "a string of more than 65536 bytes");
	free(text);
}

static int object_of(int keys, struct lp_error *err)
{
	char *text = malloc((size_t)keys * 16 + 8), *at = text;
	int rc;

	assert_non_null(text);
	at = stpcpy(at, "{");
	for (int i = 0; i < keys; i++)
		at += sprintf(at, "%s\"k%d\":0", i ? "," : "", i);
	stpcpy(at, "}");
	rc = skip_document(text, strlen(text), false, err);
	free(text);
	return rc;
}

static void keys_are_counted(void **state)
{
	struct lp_error err = {0};

	assert_int_equal(object_of(LP_JSON_KEYS, &err), 0);
	assert_int_equal(object_of(LP_JSON_KEYS + 1, &err), -EINVAL);
	assert_non_null(strstr(err.message, "more than 4096 keys"));
}

static void a_line_ends_a_value(void **state)
{
	struct lp_error err = {0};

	assert_int_equal(skip_document("{}\n{}", 5, true, &err), 0);
	assert_int_equal(skip_document("{\n}", 3, true, &err), -EINVAL);
	assert_non_null(strstr(err.message, "the line ends here"));
	assert_int_equal(skip_document("{} {}\n", 6, true, &err), -EINVAL);
	assert_non_null(strstr(err.message, "the end of the line"));
}

static double number(const char *text, int *rc)
{
	struct lp_error err = {0};
	struct lp_json j;
	double value;

	assert_int_equal(lp_json_memory(&j, "t", text, strlen(text), &err), 0);
	*rc = lp_json_number(&j, &value);
	lp_json_close(&j);
	return value;
}

static void numbers_are_exact(void **state)
{
	int rc;

	assert_true(number("0.1", &rc) == 0.1 && !rc);
	assert_true(number("-1.7976931348623157e308", &rc) == -1.7976931348623157e308 && !rc);
	assert_true(number("4.9406564584124654e-324", &rc) > 0 && !rc);
	assert_true(number("1e-999", &rc) == 0 && !rc);
	assert_true(isnan(number("null", &rc)) && !rc);
	number("1e999", &rc);
	assert_int_equal(rc, -EINVAL);
	number("\"1\"", &rc);
	assert_int_equal(rc, -EINVAL);
}

/* Where a locale with a decimal comma is installed, strtod() would stop at the point. */
static void the_point_is_a_point(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
	const char *found = NULL;
	int rc;

	for (size_t i = 0; i < 4 && !found; i++)
		found = setlocale(LC_NUMERIC, names[i]);
	if (!found) {
		print_message("no locale with a decimal comma is installed\n");
		skip();
	}
	assert_true(number("1.5", &rc) == 1.5 && !rc);
	setlocale(LC_NUMERIC, "C");
}

static void whole_numbers_have_bounds(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} cases[] = {{"0", 0}, {"7", 0}, {"7.0", 0}, {"8", -EINVAL}, {"-1", -EINVAL},
		{"1.5", -EINVAL}, {"null", -EINVAL}, {"1e300", -EINVAL}, {"true", -EINVAL}};
	struct lp_error err = {0};
	struct lp_json j;
	long value;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = cases[i].text;

		assert_int_equal(lp_json_memory(&j, "t", text, strlen(text), &err), 0);
		if (lp_json_whole(&j, 0, 7, &value) != cases[i].rc)
			fail_msg("%s: not %d", text, cases[i].rc);
		lp_json_close(&j);
	}
}

/* Strings, numbers and keys on the boundary of the file buffer of 128 KiB, at every offset. */
static void the_boundary_does_not_show(void **state)
{
	static const char tail[] = "{\"key\\n\":[-12.5e-1,true,\"v\xc3\xa9\\u0041\"]}";
	enum { BUFFER = 128 * 1024 };
	char path[] = "/tmp/lockpath-json-XXXXXX", *blanks = repeated(" ", BUFFER, "");
	struct lp_error err = {0};
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	for (size_t before = BUFFER - sizeof(tail); before < BUFFER; before++) {
		struct lp_json j;
		double value = 0;
		bool is_null, yes;

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, blanks, before, 0), before);
		assert_int_equal(pwrite(fd, tail, strlen(tail), (off_t)before), strlen(tail));
		assert_int_equal(lp_json_open(&j, path, &err), 0);
		assert_int_equal(lp_json_enter(&j, '{'), 0);
		assert_int_equal(lp_json_next(&j), 1);
		assert_string_equal(j.text, "key\n");
		assert_int_equal(lp_json_enter(&j, '['), 0);
		assert_int_equal(lp_json_next(&j), 1);
		assert_int_equal(lp_json_number(&j, &value), 0);
		assert_true(value == -1.25);
		assert_int_equal(lp_json_next(&j), 1);
		assert_int_equal(lp_json_bool(&j, &yes), 0);
		assert_true(yes);
		assert_int_equal(lp_json_next(&j), 1);
		assert_int_equal(lp_json_string(&j, &is_null), 0);
		assert_string_equal(j.text, "v\xc3\xa9"
					    "A");
		assert_int_equal(lp_json_next(&j), 0);
		assert_int_equal(lp_json_next(&j), 0);
		assert_int_equal(lp_json_finish(&j), 0);
		lp_json_close(&j);
	}
	close(fd);
	unlink(path);
	free(blanks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_is_json),
		cmocka_unit_test(refuses_what_is_not),
		cmocka_unit_test(bounds_are_kept),
		cmocka_unit_test(keys_are_counted),
		cmocka_unit_test(a_line_ends_a_value),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(the_point_is_a_point),
		cmocka_unit_test(whole_numbers_have_bounds),
		cmocka_unit_test(the_boundary_does_not_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
