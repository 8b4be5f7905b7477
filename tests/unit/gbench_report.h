/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports of the C API over Google Benchmark, read back with a strict JSON parser, which refuses
 * NaN, raw control characters, invalid UTF-8 and doubled keys.
 */
#ifndef LP_TEST_GBENCH_REPORT_H
#define LP_TEST_GBENCH_REPORT_H

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "drivers/gbench/lp_gbench.h"

static const struct lp_gb_options a_window = {.window = true, .threads = 3};
static const struct lp_gb_options four_iterations = {.iterations = 4};

static inline int reset(void **state)
{
	lp_gb_shutdown();
	return 0;
}

static inline json_t *run(void)
{
	json_error_t error;
	json_t *document;
	char *text;
	size_t count;
	int rc = lp_gb_run_json(&text, &count);

	if (rc)
		fail_msg("lp_gb_run_json: %d %s", rc, lp_gb_last_error());
	document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!document)
		fail_msg("not strict JSON: line %d: %s\n%s", error.line, error.text, text);
	free(text);
	return document;
}

static inline json_t *row(json_t *document, size_t i)
{
	json_t *r = json_array_get(json_object_get(document, "benchmarks"), i);

	assert_non_null(r);
	return r;
}

static inline double number(const json_t *r, const char *key)
{
	json_t *value = json_object_get(r, key);

	if (!json_is_number(value))
		fail_msg("%s is not a number", key);
	return json_number_value(value);
}

static inline void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted)))
		fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static inline void third_of_ops(struct lp_gb_state *s, void *arg)
{
	assert_int_equal(lp_gb_window(s, 3000000001, 0.5, 1.25), 0);
	assert_int_equal(lp_gb_window(s, 1, 1, 1), -EALREADY);
}

#define TEST(name) cmocka_unit_test_setup(name, reset)

#endif
