// SPDX-License-Identifier: GPL-2.0-or-later
/* The C API over Google Benchmark: loops, windows, text and numbers. */
#include "tests/unit/gbench_report.h"

/* ---- loops ---- */

struct loop {
	int64_t given, done;
	bool again;
};

static void take_count(struct lp_gb_state *s, void *arg)
{
	struct loop *l = arg;

	l->given = lp_gb_iterations(s);
	for (l->done = 0; l->done < l->given; l->done++)
		__asm__ volatile("");
	l->again = lp_gb_iterations(s) != 0;
}

static void each_iteration(struct lp_gb_state *s, void *arg)
{
	struct loop *l = arg;

	l->done = 0;
	while (lp_gb_keep_running(s))
		l->done++;
	l->again = lp_gb_keep_running(s);
}

static void loops_do_what_is_reported(void **state)
{
	struct loop taken = {0}, each = {0};
	json_t *d;

	assert_int_equal(lp_gb_register("taken", take_count, &taken, &four_iterations), 0);
	assert_int_equal(lp_gb_register("each", each_iteration, &each, NULL), 0);
	d = run();
	assert_int_equal(taken.done, 4);
	assert_string_equal(
		json_string_value(json_object_get(row(d, 0), "name")), "taken/iterations:4");
	assert_int_equal(number(row(d, 0), "iterations"), 4);
	assert_true(each.done > 0);
	assert_int_equal(number(row(d, 1), "iterations"), each.done);
	json_decref(d);
}

static void a_taken_count_cannot_be_taken_again(void **state)
{
	struct loop l = {0};

	lp_gb_register("taken", take_count, &l, &four_iterations);
	json_decref(run());
	assert_int_equal(l.given, 4);
	assert_false(l.again);
}

static void manual(struct lp_gb_state *s, void *arg)
{
	while (lp_gb_keep_running(s))
		assert_int_equal(lp_gb_iteration_time(s, 0.25), 0);
}

static void manual_time_is_what_was_said(void **state)
{
	struct lp_gb_options o = {.iterations = 4, .manual_time = true, .unit = LP_GB_MS};
	json_t *d;

	lp_gb_register("manual", manual, NULL, &o);
	d = run();
	assert_near(number(row(d, 0), "real_time"), 250);
	assert_string_equal(json_string_value(json_object_get(row(d, 0), "time_unit")), "ms");
	json_decref(d);
}

/* ---- windows ---- */

static void window_reports_exactly_its_figures(void **state)
{
	json_t *d;

	lp_gb_register("suite/variant/threads:3", third_of_ops, NULL, &a_window);
	d = run();
	assert_string_equal(json_string_value(json_object_get(row(d, 0), "run_name")),
		"suite/variant/threads:3");
	assert_int_equal(json_integer_value(json_object_get(row(d, 0), "iterations")), 3000000001);
	assert_int_equal(number(row(d, 0), "threads"), 3);
	assert_near(number(row(d, 0), "real_time"), 0.5e9 / 3000000001.0);
	assert_near(number(row(d, 0), "cpu_time"), 1.25e9 / 3000000001.0);
	assert_int_equal(json_array_size(json_object_get(d, "benchmarks")), 1);
	json_decref(d);
}

static void rising_ops(struct lp_gb_state *s, void *arg)
{
	int *calls = arg;

	++*calls;
	assert_int_equal(lp_gb_window(s, 10u * (unsigned)*calls, *calls * *calls, *calls), 0);
}

/* Repetitions of different numbers of operations: 0.1, 0.2, 0.3 s an operation. */
static void aggregates_are_of_times_per_operation(void **state)
{
	struct lp_gb_options o = {.window = true, .repetitions = 3, .unit = LP_GB_S};
	int calls = 0;
	json_t *d;

	lp_gb_register("rising", rising_ops, &calls, &o);
	d = run();
	assert_int_equal(calls, 3);
	assert_int_equal(json_array_size(json_object_get(d, "benchmarks")), 3 + 4);
	assert_near(number(row(d, 2), "real_time"), 0.3);
	assert_string_equal(
		json_string_value(json_object_get(row(d, 3), "aggregate_name")), "mean");
	assert_near(number(row(d, 3), "real_time"), 0.2);
	assert_near(number(row(d, 3), "cpu_time"), 0.1);
	assert_near(number(row(d, 4), "real_time"), 0.2); /* median */
	assert_near(number(row(d, 5), "real_time"), 0.1); /* standard deviation */
	assert_near(number(row(d, 6), "real_time"), 0.5); /* its share of the mean */
	json_decref(d);
}

static void misuse(struct lp_gb_state *s, void *arg)
{
	assert_int_equal(lp_gb_iterations(s), 0);
	assert_false(lp_gb_keep_running(s));
	assert_int_equal(lp_gb_window(s, 0, 1, 1), -EINVAL);
	assert_int_equal(lp_gb_window(s, 1ull << 53, 1, 1), -EINVAL);
	assert_int_equal(lp_gb_window(s, 1, 0, 1), -EINVAL);
	assert_int_equal(lp_gb_window(s, 1, INFINITY, 1), -EINVAL);
	assert_int_equal(lp_gb_window(s, 1, 1, NAN), -EINVAL);
	assert_int_equal(lp_gb_pause(s), -EINVAL);
	assert_int_equal(lp_gb_resume(s), -EINVAL);
	assert_int_equal(lp_gb_end(s), -EINVAL);
	assert_int_equal(lp_gb_iteration_time(s, 1), -EINVAL);
	assert_int_equal(lp_gb_counter(s, "real_time", 1), -EINVAL);
	assert_int_equal(lp_gb_counter(s, "", 1), -EINVAL);
	assert_int_equal(lp_gb_label(s, NULL), -EINVAL);
	assert_int_equal(lp_gb_error(s, ""), -EINVAL);
	assert_int_equal(lp_gb_window(s, 1, 1, 1), 0);
}

static void misuse_is_an_error_not_an_abort(void **state)
{
	json_t *d;

	lp_gb_register("misuse", misuse, NULL, &a_window);
	d = run();
	assert_null(json_object_get(row(d, 0), "error_occurred"));
	json_decref(d);
	assert_int_equal(lp_gb_window(NULL, 1, 1, 1), -EINVAL);
	assert_int_equal(lp_gb_iterations(NULL), 0);
	assert_false(lp_gb_keep_running(NULL));
	assert_true(strlen(lp_gb_last_error()) > 0);
}

/* ---- text and numbers ---- */

static void hostile(struct lp_gb_state *s, void *arg)
{
	lp_gb_label(s, "bell\x07 tab\t quote\" back\\ \xff\xc0\xaf\xed\xa0\x80 \xc3\xa9 end");
	lp_gb_counter(s, "absent", NAN);
	lp_gb_counter(s, "too_much", INFINITY);
	lp_gb_counter(s, "a third", 1.0 / 3.0);
	lp_gb_counter(s, "large", 1.7976931348623157e308);
	lp_gb_window(s, 3, 1.0, 0.5);
}

static void assert_hostile_row(json_t *d)
{
	assert_string_equal(
		json_string_value(json_object_get(row(d, 0), "name")), "say \"hi\"\n\\/threads:3");
	/* each byte that is no UTF-8 becomes U+FFFD; é stays */
	assert_string_equal(json_string_value(json_object_get(row(d, 0), "label")),
		"bell\x07 tab\t quote\" back\\ "
		"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
		" \xc3\xa9 end");
	assert_true(json_is_null(json_object_get(row(d, 0), "absent")));
	assert_true(json_is_null(json_object_get(row(d, 0), "too_much")));
	assert_true(number(row(d, 0), "a third") == 1.0 / 3.0);
	assert_true(number(row(d, 0), "large") == 1.7976931348623157e308);
	assert_near(number(row(d, 0), "real_time"), 1e9 / 3.0);
}

static void json_is_strict(void **state)
{
	json_t *d;

	lp_gb_context("note \"1\"", "line\none\x01");
	lp_gb_register("say \"hi\"\n\\/threads:3", hostile, NULL, &a_window);
	d = run();
	assert_hostile_row(d);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(d, "context"), "note \"1\"")),
		"line\none\x01");
	json_decref(d);
}

/* A locale whose decimal point is a comma, made in @folder if the machine has none. */
static bool comma_locale(const char *folder)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
	char command[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (setlocale(LC_ALL, names[i]))
			return true;
	snprintf(command, sizeof(command),
		"localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
	if (system(command))
		return false;
	setenv("LOCPATH", folder, 1);
	return setlocale(LC_ALL, "de_DE.UTF-8");
}

static void json_has_points_where_the_locale_has_commas(void **state)
{
	char folder[] = "/tmp/lp_locale_XXXXXX", command[64], text[32];
	bool made;
	json_t *d;

	assert_non_null(mkdtemp(folder));
	made = comma_locale(folder);
	snprintf(text, sizeof(text), "%.1f", 0.5);
	if (made) {
		assert_string_equal(text, "0,5");
		lp_gb_register("say \"hi\"\n\\/threads:3", hostile, NULL, &a_window);
		d = run();
		setlocale(LC_ALL, "C");
		assert_hostile_row(d);
		json_decref(d);
	}
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	if (!made) {
		print_message(
			"skipped: no locale with a decimal comma, and localedef makes none\n");
		skip();
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(loops_do_what_is_reported),
		TEST(a_taken_count_cannot_be_taken_again),
		TEST(manual_time_is_what_was_said),
		TEST(window_reports_exactly_its_figures),
		TEST(aggregates_are_of_times_per_operation),
		TEST(misuse_is_an_error_not_an_abort),
		TEST(json_is_strict),
		TEST(json_has_points_where_the_locale_has_commas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
