// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp_measure(): which hooks run, in which order and with what, and what is made of their failures.
 *
 * lp-wrap: lp_memory_verify lp_interrupts_read
 */
#include "tests/unit/bench_suite.h"

static void timing_runs_the_hooks_in_order(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);

	measure_ok(&c);
	assert_string_equal(t.order, "setup drain check report teardown");
	assert_int_equal(t.cpus, 1);
	assert_int_equal(t.os_cpu, usable[0]);
	assert_int_equal(t.seed, 99);
	assert_int_equal(t.flavour, LP_LOCK_TICKET);
	assert_int_equal(t.reported_ops, m.ops);
	assert_true(m.ops > 0 && m.ops % 10 == 0);
	assert_true(t.reported_seconds == m.wall_seconds);
	assert_true(m.wall_seconds > 0);
}

static void timing_figures_agree_with_each_other(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);
	double ns;

	measure_ok(&c);
	ns = lp_metrics_get(&m.metrics, "ns_per_op");
	assert_true(
		fabs(ns * (double)m.ops / 1e9 - m.wall_seconds) < 1e-9 * m.wall_seconds + 1e-12);
	assert_true(fabs(lp_metrics_get(&m.metrics, "ops_per_s") * ns - 1e9) < 1);
	assert_true(lp_metrics_get(&m.metrics, "jain") == 1);
	assert_true(lp_metrics_get(&m.metrics, "own_figure") == 42);
	assert_true(lp_metrics_get(&m.metrics, "nodes_used") == 1);
	assert_non_null(strstr(why_absent("cache_line_rtt_ns"), "one CPU"));
	assert_true(has("context_switches") && has("cycles_per_op"));
	assert_int_equal(m.cpus, 1);
	assert_int_equal(m.os_cpu[0], usable[0]);
	assert_true(m.rate[0] > 0);
	assert_false(has("probes") || has("soak_cpu_share") || m.interrupts.lines);
}

static void exact_plays_the_same_everywhere(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_EXACT);

	measure_ok(&c);
	assert_string_equal(t.order, "setup play drain check report teardown");
	assert_int_equal(t.cpus, 6); /* its parameter */
	assert_int_equal(t.nnodes, 1);
	assert_true(t.exact_has_no_cpus);
	assert_int_equal(m.ops, 17);
	assert_string_equal(m.label, "valid");
	/* nothing but the suite's own figures */
	assert_int_equal(m.metrics.count, 2);
	end(state);
	lp_case_init(&c, &bare, &exact_only);
	c.mode = LP_MODE_EXACT;
	measure_ok(&c);
	assert_int_equal(t.cpus, 4);
}

static void a_mode_that_a_variant_lacks_is_an_error(void **state)
{
	struct lp_case c;

	lp_case_init(&c, &bare, &exact_only);
	assert_int_equal(measure(&c), -ENOTSUP);
	assert_non_null(strstr(err.message, "mode:exact"));
	assert_string_equal(t.order, "setup teardown");
}

static void a_failed_check_is_an_error_without_figures(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);

	t.fail = "check";
	assert_int_equal(measure(&c), -EUCLEAN);
	assert_string_equal(err.message, "check failed: made to fail");
	assert_string_equal(t.order, "setup drain check teardown");
	assert_int_equal(m.metrics.count, 0);
}

static void a_failed_setup_is_torn_down(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);

	t.fail = "setup";
	assert_int_equal(measure(&c), -EUCLEAN);
	assert_string_equal(t.order, "setup teardown");
}

static void doing_nothing_is_an_error(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);

	t.idle = true;
	assert_int_equal(measure(&c), -ENODATA);
	assert_string_equal(t.order, "setup teardown");
}

static void what_cannot_run_says_why(void **state)
{
	struct lp_case c = a_case(&refusing, LP_MODE_TIMING);

	assert_int_equal(measure(&c), -ENOTSUP);
	assert_string_equal(err.message, "not on a Tuesday");
	assert_string_equal(t.order, "");
	end(state);
	c = a_case(&plain, LP_MODE_TIMING);
	c.threads = nusable + 1;
	assert_int_equal(measure(&c), -ENOTSUP);
	assert_non_null(strstr(err.message, "threads need"));
}

static void fewer_cpus_than_asked_for_on_the_command_line(void **state)
{
	struct lp_case c = a_case(&plain, LP_MODE_TIMING);
	struct lp_measure_options o = options();

	c.threads = 1;
	o.cpus = 0;
	assert_int_equal(lp_measure(&c, &o, &m, &err), -EINVAL);
	assert_non_null(strstr(err.message, "1 threads need 1 CPUs, 0 may be used"));
}

static void a_case_may_choose_its_cpus(void **state)
{
	struct lp_case c = a_case(&placed, LP_MODE_TIMING);

	t.os_cpu = usable[nusable - 1];
	measure_ok(&c);
	assert_int_equal(m.os_cpu[0], usable[nusable - 1]);
	assert_int_equal(t.os_cpu, usable[nusable - 1]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(timing_runs_the_hooks_in_order),
		TEST(timing_figures_agree_with_each_other),
		TEST(exact_plays_the_same_everywhere),
		TEST(a_mode_that_a_variant_lacks_is_an_error),
		TEST(a_failed_check_is_an_error_without_figures),
		TEST(a_failed_setup_is_torn_down),
		TEST(doing_nothing_is_an_error),
		TEST(what_cannot_run_says_why),
		TEST(fewer_cpus_than_asked_for_on_the_command_line),
		TEST(a_case_may_choose_its_cpus),
	};

	return run_bench_tests(tests, ARRAY_SIZE(tests));
}
