// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the modes add to a measurement, and a measurement as a row of results.
 *
 * lp-wrap: lp_memory_verify lp_interrupts_read
 */
#include "tests/unit/bench_suite.h"

#include "drivers/bench/rows.h"
#include "drivers/gbench/lp_gbench.h"

static void observed_locks_probe_and_interrupts(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_OBSERVED);

	lp_case_set(&c, "lock", 2);
	measure_ok(&c);
	assert_int_equal(t.flavour, LP_LOCK_QUEUED | LP_LOCK_OBSERVED);
	assert_true(lp_metrics_get(&m.metrics, "probes") >= 1);
	assert_true(has("deferred_interrupts") && has("kernel_cal_delta"));
	assert_true(m.interrupts.lines > 0);
	assert_false(has("ns_per_op") || has("jain"));
}

static void hidden_interrupts_are_absent_with_the_reason(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_OBSERVED);

	t.interrupts_unreadable = true;
	measure_ok(&c);
	assert_string_equal(why_absent("kernel_cal_delta"), "the file is hidden");
	assert_int_equal(m.interrupts.lines, 0);
	assert_true(lp_metrics_get(&m.metrics, "probes") >= 1);
}

static void soak_paces_at_half_speed_or_as_told(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_SOAK);

	measure_ok(&c);
	assert_true(t.pace > 1);
	assert_true(lp_metrics_get(&m.metrics, "pace_ops_per_s") == (double)t.pace);
	/* the trial, flat out, and then the soak itself */
	assert_string_equal(
		t.order, "setup drain check report teardown setup drain check report teardown");
	assert_true(has("soak_cpu_share"));
	end(state);
	begin(state);
	lp_case_set(&c, "pace", 20000);
	measure_ok(&c);
	assert_int_equal(t.pace, 20000);
	assert_string_equal(t.order, "setup drain check report teardown");
	/* at most the pace, and a millisecond's worth and a batch more */
	assert_true((double)m.ops <= 20000 * m.wall_seconds + 20 + 10);
}

static void pages_on_another_node_invalidate(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);

	t.elsewhere = 2;
	measure_ok(&c);
	assert_true(lp_metrics_get(&m.metrics, "memory_elsewhere_pages") == 2);
	assert_int_equal(m.verdict, LP_INVALID);
	assert_memory_equal(m.label, "invalid: ", 9);
	end(state);
	t.elsewhere = 0;
	t.memory_unreadable = true;
	measure_ok(&c);
	assert_string_equal(why_absent("memory_elsewhere_pages"), "no move_pages here");
}

/* ---- as a row of Google Benchmark ---- */

static json_t *run_row(const struct lp_case *c, struct lp_rows *rows)
{
	char *text;
	json_t *report, *row;

	lp_gb_shutdown();
	assert_int_equal(lp_rows_add(rows, c, &err), 0);
	assert_int_equal(lp_gb_run_json(&text, NULL), 0);
	report = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	row = json_incref(json_array_get(json_object_get(report, "benchmarks"), 0));
	json_decref(report);
	free(text);
	return row;
}

static void a_row_carries_label_figures_and_details(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_EXACT);
	struct lp_measure_options o = options();
	struct lp_rows rows = {.options = &o};
	json_t *row = run_row(&c, &rows);

	assert_string_equal(json_string_value(json_object_get(row, "name")),
		"made_up/plain/mode:exact/threads:1");
	assert_int_equal(json_integer_value(json_object_get(row, "iterations")), 17);
	assert_string_equal(json_string_value(json_object_get(row, "label")), "valid");
	assert_int_equal(json_integer_value(json_object_get(row, "verdict")), 0);
	assert_true(json_is_null(json_object_get(row, "own_absent")));
	assert_string_equal(json_string_value(json_object_get(
				    json_object_get(rows.first->details, "absent"), "own_absent")),
		"because");
	json_decref(row);
	lp_gb_shutdown();
	lp_rows_free(&rows);
}

static void a_failed_case_is_an_error_row_without_details(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);
	struct lp_measure_options o = options();
	struct lp_rows rows = {.options = &o};
	json_t *row;

	t.fail = "check";
	row = run_row(&c, &rows);
	assert_true(json_is_true(json_object_get(row, "error_occurred")));
	assert_string_equal(json_string_value(json_object_get(row, "error_message")),
		"check failed: made to fail");
	assert_null(json_object_get(row, "ns_per_op"));
	assert_null(rows.first->details);
	json_decref(row);
	lp_gb_shutdown();
	lp_rows_free(&rows);
}

static void details_carry_rates_and_interrupts(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_OBSERVED);
	json_t *details, *interrupts;

	measure_ok(&c);
	details = lp_details_to_json(&m);
	interrupts = json_object_get(details, "interrupts");
	assert_int_equal(json_array_size(json_object_get(details, "rates_per_s")), 1);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(interrupts, "cpus"), 0)),
		usable[0]);
	assert_true(json_object_size(json_object_get(interrupts, "lines")) > 0);
	json_decref(details);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(observed_locks_probe_and_interrupts),
		TEST(hidden_interrupts_are_absent_with_the_reason),
		TEST(soak_paces_at_half_speed_or_as_told),
		TEST(pages_on_another_node_invalidate),
		TEST(a_row_carries_label_figures_and_details),
		TEST(a_failed_case_is_an_error_row_without_details),
		TEST(details_carry_rates_and_interrupts),
	};

	return run_bench_tests(tests, ARRAY_SIZE(tests));
}
