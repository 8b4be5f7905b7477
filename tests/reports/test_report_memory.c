// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: malloc calloc realloc vasprintf
 *
 * Each allocation of a report fails once: the report ends with "out of memory", never with a crash,
 * a leak (under AddressSanitizer) or a report that looks whole.
 */
#include "results_make.h"

#include <errno.h>

#include "reports/report.h"

static long fail_at = -1, allocations; /* −1: none fails */

static bool fails(void)
{
	return allocations++ == fail_at;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

int __real_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args);
int __wrap_vasprintf(char **text, const char *format, va_list args)
{
	return fails() ? -1 : __real_vasprintf(text, format, args);
}

typedef int (*writer)(struct lp_results *r, struct lp_document *d, struct lp_error *err);

/* Read and write with the allocation @at failing. */
static int attempt(
	long at, const char *folder, writer write, struct lp_sink *out, struct lp_error *err)
{
	struct lp_document d = {.form = &lp_form_text, .out = out};
	struct lp_results r;
	int rc;

	allocations = 0;
	fail_at = at;
	lp_results_init(&r);
	lp_sink_init(out, -1);
	rc = lp_read_results(&r, folder, err);
	if (!rc)
		rc = write(&r, &d, err);
	if (!rc)
		rc = lp_sink_finish(out, err);
	lp_results_destroy(&r);
	fail_at = -1;
	return rc;
}

static void every_allocation_may_fail(const char *folder, writer write)
{
	struct lp_sink whole, out;
	struct lp_error err = {0};
	long count;

	assert_int_equal(attempt(-1, folder, write, &whole, &err), 0);
	count = allocations;
	assert_true(count > 20);
	for (long at = 0; at < count; at++) {
		int rc = attempt(at, folder, write, &out, &err);

		if (rc != -ENOMEM)
			fail_msg("allocation %ld of %ld failed and the answer was %d", at, count,
				rc);
		assert_non_null(strstr(err.message, "memory"));
		lp_sink_destroy(&out);
	}
	lp_sink_destroy(&whole);
}

static void a_report_without_memory(void **state)
{
	every_allocation_may_fail(LP_TEST_DATA "/results/mixed", lp_report_run);
}

static void claims_without_memory(void **state)
{
	every_allocation_may_fail(LP_TEST_DATA "/results/mixed", lp_report_claims);
}

static void a_foreign_file_without_memory(void **state)
{
	every_allocation_may_fail(LP_TEST_DATA "/results/foreign/benchmark.json", lp_report_run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_without_memory),
		cmocka_unit_test(claims_without_memory),
		cmocka_unit_test(a_foreign_file_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
