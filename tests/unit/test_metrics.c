// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures set, replaced, absent and kept; and their JSON, read back by a strict parser, with
 * everything in it that JSON has no words for.
 */
#include "common/measure/metrics.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/measure/metrics_json.h"

static struct lp_metrics m;
static struct lp_histogram histogram;

static int make(void **state)
{
	lp_metrics_init(&m);
	lp_histogram_init(&histogram);
	return 0;
}

static int unmake(void **state)
{
	lp_metrics_destroy(&m);
	return 0;
}

static const char *reason_of(const char *name)
{
	for (size_t i = 0; i < m.count; i++)
		if (!strcmp(m.metric[i].name, name))
			return m.metric[i].absent;
	return NULL;
}

static void assert_absent(const char *name, const char *reason)
{
	assert_true(isnan(lp_metrics_get(&m, name)));
	assert_non_null(reason_of(name));
	assert_string_equal(reason_of(name), reason);
}

/* ---- figures ---- */

static void test_set_get_and_replace(void **state)
{
	lp_metrics_set(&m, "ns_per_op", 12.5);
	lp_metrics_set(&m, "locks_per_page", 0);
	lp_metrics_set(&m, "ns_per_op", -3);
	assert_int_equal(m.count, 2);
	assert_true(lp_metrics_get(&m, "ns_per_op") == -3);
	assert_true(lp_metrics_get(&m, "locks_per_page") == 0);
	assert_null(reason_of("locks_per_page"));
	assert_true(isnan(lp_metrics_get(&m, "ns_per")));
}

static void test_what_is_no_number_is_absent(void **state)
{
	lp_metrics_set(&m, "nan", NAN);
	lp_metrics_set(&m, "inf", INFINITY);
	lp_metrics_set(&m, "minus_inf", -INFINITY);
	assert_absent("nan", "not a number");
	assert_absent("inf", "not a number");
	assert_absent("minus_inf", "not a number");
}

static void test_absent_and_present_replace_each_other(void **state)
{
	lp_metrics_set(&m, "cycles_per_op", 7);
	lp_metrics_absent(&m, "cycles_per_op", "no PMU (%d)", 2);
	assert_absent("cycles_per_op", "no PMU (2)");
	lp_metrics_absent(&m, "cycles_per_op", "%s, again", reason_of("cycles_per_op"));
	assert_absent("cycles_per_op", "no PMU (2), again");
	lp_metrics_set(&m, "cycles_per_op", 8);
	assert_null(reason_of("cycles_per_op"));
	assert_true(lp_metrics_get(&m, "cycles_per_op") == 8);
	assert_int_equal(m.count, 1);
}

static void test_ratio(void **state)
{
	lp_metrics_ratio(&m, "locks_per_page", 3, 4, "pages");
	lp_metrics_ratio(&m, "ipis_per_drain", 3, 0, "drains");
	lp_metrics_ratio(&m, "nothing_of_nothing", 0, 0, "pages");
	lp_metrics_ratio(&m, "nan_below", 1, NAN, "pages");
	assert_true(lp_metrics_get(&m, "locks_per_page") == 0.75);
	assert_absent("ipis_per_drain", "no drains");
	assert_absent("nothing_of_nothing", "no pages");
	assert_absent("nan_below", "not a number");
}

static void test_many_figures(void **state)
{
	char name[32];

	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "figure_%d", i);
		if (i % 2)
			lp_metrics_set(&m, name, i);
		else
			lp_metrics_absent(&m, name, "even %d", i);
	}
	assert_int_equal(m.count, 500);
	assert_true(lp_metrics_get(&m, "figure_499") == 499);
	assert_absent("figure_0", "even 0");
	assert_absent("figure_498", "even 498");
}

static void set_long_name(void)
{
	char name[sizeof(m.metric->name) + 1];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	lp_metrics_set(&m, name, 1);
}

static void keep_long_name(void)
{
	lp_metrics_histogram(&m, "a_stem_that_is_much_longer_than_any_table_of_a_report_could_bear",
		"ns", &histogram, 1);
}

static void assert_aborts(void (*mistake)(void))
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		freopen("/dev/null", "w", stderr);
		signal(SIGABRT, SIG_DFL);
		mistake();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void test_a_name_that_does_not_fit_is_not_cut(void **state)
{
	assert_aborts(set_long_name);
	assert_aborts(keep_long_name);
}

/* ---- histograms ---- */

/* 1 to 100 ticks of half a nanosecond: the 50th is 25 ns, the 99th 49.5, the last 50. */
static void test_histogram_makes_figures(void **state)
{
	for (uint64_t v = 1; v <= 100; v++)
		lp_histogram_record(&histogram, v);
	lp_metrics_histogram(&m, "holdoff", "ns", &histogram, 0.5);
	assert_true(lp_metrics_get(&m, "holdoff_p50_ns") == 25);
	assert_true(lp_metrics_get(&m, "holdoff_p99_ns") == 49.5);
	assert_true(lp_metrics_get(&m, "holdoff_max_ns") == 50);
	assert_int_equal(m.histograms, 1);
	assert_string_equal(m.histogram[0].name, "holdoff_ns");
	assert_true(m.histogram[0].scale == 0.5);
	assert_memory_equal(&m.histogram[0].histogram, &histogram, sizeof(histogram));
}

static void test_empty_histogram_makes_absences(void **state)
{
	lp_metrics_histogram(&m, "lock_wait", "ns", &histogram, 1);
	assert_absent("lock_wait_p50_ns", "nothing was recorded");
	assert_absent("lock_wait_p99_ns", "nothing was recorded");
	assert_absent("lock_wait_max_ns", "nothing was recorded");
	assert_int_equal(m.histograms, 1);
}

static void test_histogram_again_replaces(void **state)
{
	lp_metrics_histogram(&m, "holdoff", "ns", &histogram, 1);
	lp_metrics_histogram(&m, "lock_wait", "ns", &histogram, 1);
	lp_histogram_record(&histogram, 9);
	lp_metrics_histogram(&m, "holdoff", "ns", &histogram, 2);
	assert_int_equal(m.histograms, 2);
	assert_true(lp_metrics_get(&m, "holdoff_max_ns") == 18);
	assert_int_equal(m.histogram[0].histogram.count, 1);
	assert_true(m.histogram[0].scale == 2);
	assert_int_equal(m.histogram[1].histogram.count, 0);
}

/* ---- series ---- */

static void test_series_keep_their_rows(void **state)
{
	size_t one = lp_metrics_series(&m, "dirty", "t_s,dirty_pages,limit_pages");
	size_t two = lp_metrics_series(&m, "rate", "t_s");

	for (int i = 0; i < 200; i++) {
		lp_metrics_series_row(&m, one, (double[]){i, 2 * i, 3 * i});
		lp_metrics_series_row(&m, two, (double[]){-i});
	}
	assert_int_equal(m.series_count, 2);
	assert_int_equal(m.series[one].columns, 3);
	assert_int_equal(m.series[two].columns, 1);
	assert_int_equal(m.series[one].rows, 200);
	for (int i = 0; i < 200; i++) {
		assert_true(m.series[one].cell[3 * i] == i);
		assert_true(m.series[one].cell[3 * i + 2] == 3 * i);
		assert_true(m.series[two].cell[i] == -i);
	}
}

/* ---- JSON ---- */

/* Written and read back: what is not strict JSON does not come back. */
static char *details(void)
{
	json_t *json = lp_metrics_details_to_json(&m), *back;
	char *text = json_dumps(json, JSON_COMPACT);
	json_error_t error;

	assert_non_null(text);
	back = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!back)
		fail_msg("%s: %s", error.text, text);
	assert_true(json_equal(json, back));
	json_decref(back);
	json_decref(json);
	return text;
}

static void assert_details(const char *expected)
{
	char *text = details();

	assert_string_equal(text, expected);
	free(text);
}

static void test_json_of_nothing(void **state)
{
	assert_details("{\"absent\":{},\"histograms\":{},\"series\":{}}");
}

static void test_json_of_absences(void **state)
{
	lp_metrics_set(&m, "there", 1);
	lp_metrics_absent(&m, "cycles_per_op", "no PMU");
	lp_metrics_absent(&m, "quoted", "a \"name\" with \\ and a\nline\x01");
	assert_details("{\"absent\":{\"cycles_per_op\":\"no PMU\","
		       "\"quoted\":\"a \\\"name\\\" with \\\\ and a\\nline\\u0001\"},"
		       "\"histograms\":{},\"series\":{}}");
}

static void test_json_of_text_that_is_not_utf8(void **state)
{
	lp_metrics_absent(&m, "good", "µs");
	lp_metrics_absent(&m, "bad", "caf\xe9 is Latin-1");
	assert_details("{\"absent\":{\"good\":\"µs\",\"bad\":\"caf? is Latin-1\"},"
		       "\"histograms\":{},\"series\":{}}");
}

/* 3 three times and 131, halved: 131 is in the bucket of 130 and 131, and 140 ÷ 4 ÷ 2 = 17.5. */
static void test_json_of_a_histogram(void **state)
{
	for (int i = 0; i < 3; i++)
		lp_histogram_record(&histogram, 3);
	lp_histogram_record(&histogram, 131);
	lp_metrics_histogram(&m, "holdoff", "ns", &histogram, 0.5);
	assert_details("{\"absent\":{},\"histograms\":{\"holdoff_ns\":{\"count\":4,\"min\":1.5,"
		       "\"max\":65.5,\"mean\":17.5,\"buckets\":[[1.5,3],[65.0,1]]}},"
		       "\"series\":{}}");
}

static void test_json_of_an_empty_histogram(void **state)
{
	json_t *json = lp_histogram_to_json(&histogram, 1);
	char *text = json_dumps(json, JSON_COMPACT);

	assert_string_equal(
		text, "{\"count\":0,\"min\":null,\"max\":null,\"mean\":null,\"buckets\":[]}");
	free(text);
	json_decref(json);
}

static void test_json_of_extremes(void **state)
{
	json_t *json;
	char *text;

	lp_histogram_record(&histogram, 0);
	lp_histogram_record(&histogram, UINT64_MAX);
	json = lp_histogram_to_json(&histogram, INFINITY);
	text = json_dumps(json, JSON_COMPACT);
	assert_string_equal(text, "{\"count\":2,\"min\":null,\"max\":null,\"mean\":null,"
				  "\"buckets\":[[null,1],[null,1]]}");
	free(text);
	json_decref(json);
}

static void test_json_of_series(void **state)
{
	size_t dirty = lp_metrics_series(&m, "dirty", "t_s,dirty_pages");

	lp_metrics_series(&m, "no_rows", "t_s");
	lp_metrics_series_row(&m, dirty, (double[]){0, 1});
	lp_metrics_series_row(&m, dirty, (double[]){0.5, NAN});
	assert_details(
		"{\"absent\":{},\"histograms\":{},\"series\":{"
		"\"dirty\":{\"columns\":[\"t_s\",\"dirty_pages\"],\"rows\":[[0.0,1.0],[0.5,null]]},"
		"\"no_rows\":{\"columns\":[\"t_s\"],\"rows\":[]}}}");
}

static void test_json_numbers(void **state)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY};

	for (size_t i = 0; i < 3; i++) {
		json_t *json = lp_number_to_json(odd[i]);

		assert_true(json_is_null(json));
		json_decref(json);
	}
}

static const char *use_decimal_comma(void)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',')
			return names[i];
	return NULL;
}

static void test_json_under_a_decimal_comma(void **state)
{
	if (!use_decimal_comma()) {
		print_message("no locale with a decimal comma is installed here (de_DE, fr_FR)\n");
		skip();
	}
	lp_histogram_record(&histogram, 3);
	lp_metrics_histogram(&m, "holdoff", "ns", &histogram, 0.5);
	assert_details("{\"absent\":{},\"histograms\":{\"holdoff_ns\":{\"count\":1,\"min\":1.5,"
		       "\"max\":1.5,\"mean\":1.5,\"buckets\":[[1.5,1]]}},\"series\":{}}");
	setlocale(LC_ALL, "C");
}

#define METRICS_TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		METRICS_TEST(test_set_get_and_replace),
		METRICS_TEST(test_what_is_no_number_is_absent),
		METRICS_TEST(test_absent_and_present_replace_each_other),
		METRICS_TEST(test_ratio),
		METRICS_TEST(test_many_figures),
		METRICS_TEST(test_a_name_that_does_not_fit_is_not_cut),
		METRICS_TEST(test_histogram_makes_figures),
		METRICS_TEST(test_empty_histogram_makes_absences),
		METRICS_TEST(test_histogram_again_replaces),
		METRICS_TEST(test_series_keep_their_rows),
		METRICS_TEST(test_json_of_nothing),
		METRICS_TEST(test_json_of_absences),
		METRICS_TEST(test_json_of_text_that_is_not_utf8),
		METRICS_TEST(test_json_of_a_histogram),
		METRICS_TEST(test_json_of_an_empty_histogram),
		METRICS_TEST(test_json_of_extremes),
		METRICS_TEST(test_json_of_series),
		METRICS_TEST(test_json_numbers),
		METRICS_TEST(test_json_under_a_decimal_comma),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
