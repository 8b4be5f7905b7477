// SPDX-License-Identifier: GPL-2.0-or-later
/* The C API over Google Benchmark: failed runs, refused registrations, flags and files. */
#include "tests/unit/gbench_report.h"

static void fail_second(struct lp_gb_state *s, void *arg)
{
	int *calls = arg;

	if (++*calls == 2)
		lp_gb_error(s, "the check of \"2\" failed");
	else
		lp_gb_window(s, 7, 1, 1);
	lp_gb_counter(s, "calls", *calls);
}

static void one_failed_repetition_spoils_only_itself_and_the_aggregates(void **state)
{
	struct lp_gb_options o = {.window = true, .repetitions = 4};
	int calls = 0;
	json_t *d;

	lp_gb_register("second", fail_second, &calls, &o);
	d = run();
	assert_int_equal(calls, 4);
	assert_int_equal(json_array_size(json_object_get(d, "benchmarks")), 4);
	assert_null(json_object_get(row(d, 0), "error_occurred"));
	assert_true(json_is_true(json_object_get(row(d, 1), "error_occurred")));
	assert_string_equal(json_string_value(json_object_get(row(d, 1), "error_message")),
		"the check of \"2\" failed");
	assert_null(json_object_get(row(d, 1), "real_time"));
	assert_null(json_object_get(row(d, 1), "calls"));
	assert_int_equal(number(row(d, 3), "calls"), 4);
	json_decref(d);
}

static void measure_nothing(struct lp_gb_state *s, void *arg)
{
}

static void leave_early(struct lp_gb_state *s, void *arg)
{
	lp_gb_keep_running(s);
}

static void fail_in_loop(struct lp_gb_state *s, void *arg)
{
	int *calls = arg;

	++*calls;
	lp_gb_keep_running(s);
	lp_gb_error(s, "first");
	lp_gb_error(s, "second");
	assert_false(lp_gb_keep_running(s));
}

static void a_function_that_does_not_measure_has_failed(void **state)
{
	int calls = 0;
	json_t *d;

	lp_gb_register("nothing", measure_nothing, NULL, NULL);
	lp_gb_register("no window", measure_nothing, NULL, &a_window);
	lp_gb_register("early", leave_early, NULL, &four_iterations);
	lp_gb_register("loop", fail_in_loop, &calls, NULL);
	d = run();
	for (size_t i = 0; i < 4; i++)
		assert_true(json_is_true(json_object_get(row(d, i), "error_occurred")));
	assert_string_equal(
		json_string_value(json_object_get(row(d, 3), "error_message")), "first");
	assert_int_equal(calls, 1);
	json_decref(d);
}

static void registration_refuses_what_cannot_be_run(void **state)
{
	struct lp_gb_options bad = {.window = true, .iterations = 3};

	assert_int_equal(lp_gb_register(NULL, measure_nothing, NULL, NULL), -EINVAL);
	assert_int_equal(lp_gb_register("", measure_nothing, NULL, NULL), -EINVAL);
	assert_int_equal(lp_gb_register("x", NULL, NULL, NULL), -EINVAL);
	assert_int_equal(lp_gb_register("x", measure_nothing, NULL, &bad), -EINVAL);
	bad = (struct lp_gb_options){.min_time_s = NAN};
	assert_int_equal(lp_gb_register("x", measure_nothing, NULL, &bad), -EINVAL);
	bad = (struct lp_gb_options){.manual_time = true, .real_time = true};
	assert_int_equal(lp_gb_register("x", measure_nothing, NULL, &bad), -EINVAL);
	assert_int_equal(lp_gb_register("x", measure_nothing, NULL, NULL), 0);
	assert_int_equal(lp_gb_register("x", measure_nothing, NULL, NULL), -EEXIST);
	assert_int_equal(lp_gb_context("a", "1"), 0);
	assert_int_equal(lp_gb_context("a", "2"), -EEXIST);
	assert_int_equal(lp_gb_context("date", "today"), -EEXIST);
}

/* ---- flags; they stay set, so each test sets what it needs ---- */

/* Return: how many arguments were left, or the error. */
static int flags(const char *flag)
{
	char name[] = "test", text[128];
	char *argv[] = {name, text, NULL};
	int argc = 2, rc;

	snprintf(text, sizeof(text), "%s", flag);
	rc = lp_gb_initialize(&argc, argv);
	return rc ? rc : argc - 1;
}

static void filters_and_bad_flags_are_errors(void **state)
{
	char out[] = "/tmp/lp_gbench_XXXXXX", flag[64];
	size_t count = 9;
	char *text;

	assert_int_equal(flags("--benchmark_format=csv"), -EINVAL);
	assert_int_equal(flags("--benchmark_format=nonsense"), -EINVAL);
	assert_int_equal(flags("--benchmark_format=console"), 0);
	assert_int_equal(flags("--unknown"), 1);
	lp_gb_register("x", third_of_ops, NULL, &a_window);
	assert_int_equal(flags("--benchmark_filter=nothing"), 0);
	close(mkstemp(out));
	unlink(out);
	snprintf(flag, sizeof(flag), "--benchmark_out=%s", out);
	assert_int_equal(flags(flag), 0);
	assert_int_equal(lp_gb_run_json(&text, &count), -ENOENT);
	assert_int_equal(count, 0);
	assert_int_equal(access(out, F_OK), -1);
	assert_int_equal(flags("--benchmark_filter=(["), 0);
	assert_int_equal(lp_gb_run_json(&text, &count), -EINVAL);
	assert_int_equal(flags("--benchmark_filter=^x$"), 0);
	assert_int_equal(flags("--benchmark_out=/nonexistent/folder/file"), 0);
	assert_int_equal(lp_gb_run_json(&text, &count), -EIO);
	assert_int_equal(flags("--benchmark_out="), 0);
	json_decref(run());
}

static void a_file_gets_the_same_rows(void **state)
{
	char out[] = "/tmp/lp_gbench_XXXXXX", flag[64];
	json_t *d, *file;

	close(mkstemp(out));
	lp_gb_register("x", third_of_ops, NULL, &a_window);
	snprintf(flag, sizeof(flag), "--benchmark_out=%s", out);
	assert_int_equal(flags(flag), 0);
	d = run();
	assert_int_equal(flags("--benchmark_out="), 0);
	file = json_load_file(out, JSON_REJECT_DUPLICATES, NULL);
	unlink(out);
	assert_true(
		json_equal(json_object_get(d, "benchmarks"), json_object_get(file, "benchmarks")));
	json_decref(d);
	json_decref(file);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(one_failed_repetition_spoils_only_itself_and_the_aggregates),
		TEST(a_function_that_does_not_measure_has_failed),
		TEST(registration_refuses_what_cannot_be_run),
		TEST(filters_and_bad_flags_are_errors),
		TEST(a_file_gets_the_same_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
