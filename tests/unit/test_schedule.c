// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What becomes of an attempt, by what its process did and wrote; and which attempts are made. The
 * measuring program is a shell script here.
 *
 * lp-one-thread: nothing here has a second one.
 */
#include "tests/unit/journal_folder.h"

#include <errno.h>

#include "drivers/schedule/attempt.h"
#include "drivers/schedule/child.h"

#define NAME "locks/ticket/threads:1"
#define ROW(rest) "{\"benchmarks\": [{\"name\": \"" NAME "\", " rest "}], \"lockpath\": {}}"

static struct lp_journal journal;
static struct lp_supervision supervision;
static char bench[96];

static int begin(void **state)
{
	if (make_folder(state))
		return -1;
	plan.os_cpu = NULL; /* not allocated */
	lp_plan_free(&plan);
	plan = (struct lp_run_plan){.seed = 1, .min_time_s = 0.01};
	plan.os_cpu = calloc(1, sizeof(int));
	plan.cpus = 1;
	if (lp_plan_add(&plan, NAME, 1, NULL) || lp_journal_create(&journal, folder, &plan, &err))
		return -1;
	snprintf(bench, sizeof(bench), "%s/bench", top);
	supervision = (struct lp_supervision){.plan = &plan,
		.journal = &journal,
		.lines = lp_journal_read(folder, &err),
		.bench = bench};
	lp_child_prepare();
	return supervision.lines ? 0 : -1;
}

static int end(void **state)
{
	json_decref(supervision.lines);
	lp_journal_close(&journal);
	free(plan.os_cpu);
	return remove_folder(state);
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* The measuring program: writes @document into its --out, which is its last argument; then @rest.
 */
static void be_bench(const char *document, const char *rest)
{
	char path[96], script[1024];

	snprintf(path, sizeof(path), "%s/document", top);
	write_text(path, document);
	snprintf(script, sizeof(script),
		"#!/bin/sh\nfor out; do :; done\necho x >>'%s/calls'\n"
		"if [ -s '%s' ]; then cat '%s' >\"$out\"; fi\n%s\n",
		top, path, path, rest);
	write_text(bench, script);
	assert_int_equal(chmod(bench, 0755), 0);
}

static json_t *attempt_one(void)
{
	struct lp_work work = {0};
	json_t *line = NULL;

	if (lp_attempt_run(&supervision, &work, &line, &err))
		fail_msg("not run: %s", err.message);
	return line;
}

static const char *text_of(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text ? text : "";
}

static void assert_outcome(
	const char *document, const char *rest, const char *outcome, const char *message)
{
	json_t *line;

	be_bench(document, rest);
	line = attempt_one();
	if (strcmp(text_of(line, "outcome"), outcome) || !strstr(text_of(line, "message"), message))
		fail_msg("%s; %s: %s: %s", document, rest, text_of(line, "outcome"),
			text_of(line, "message"));
	json_decref(line);
}

static void a_document_is_judged(void **state)
{
	const char *valid = ROW("\"verdict\": 0");

	assert_outcome(valid, "", "ok", "");
	assert_outcome(ROW("\"verdict\": 2"), "", "ok", "");
	assert_outcome(ROW("\"verdict\": 3"), "", "error", "no verdict");
	assert_outcome(ROW("\"real_time\": 1"), "", "error", "no verdict");
	assert_outcome(ROW("\"verdict\": NaN"), "", "error", "its result file: ");
	assert_outcome("{\"benchmarks\": []}", "", "error", "no row of this case");
	assert_outcome("{\"benchmarks\": [{\"name\": \"locks/ticket/threads:2\"}]}", "", "error",
		"no row of this case");
	assert_outcome("[", "", "error", "its result file: ");
	assert_outcome("", "", "error", "its result file: ");
	assert_outcome("", "head -c 9000000 /dev/zero >\"$out\"", "error", "8 MiB, where at most");
}

static void a_failure_says_why(void **state)
{
	const char *valid = ROW("\"verdict\": 0");

	assert_outcome(ROW("\"error_occurred\": true, \"error_message\": \"two\\npages\""),
		"exit 1", "error", "two pages");
	assert_outcome(ROW("\"error_occurred\": true"), "exit 1", "error", "without a message");
	assert_outcome("", "echo first >&2; echo second >&2; exit 1", "error", "second");
	assert_outcome("", "exit 1", "error", "failed without a message");
	/* A program that measured and then fell over is not to be believed. */
	assert_outcome(valid, "echo torn >&2; exit 1", "error", "torn");
	assert_outcome(valid, "echo words >&2; kill -ABRT $$", "crashed",
		"killed by signal 6 (Aborted); its last words: words");
}

/* Cut between the two bytes of a letter it would be no UTF-8, and so no JSON. */
static void a_long_message_stays_text(void **state)
{
	char document[2048] = ROW("\"error_occurred\": true, \"error_message\": \"");
	char *at = strchr(document, '}');
	json_t *line;

	for (int shift = 0; shift < 2; shift++) {
		char *p = at;

		if (shift)
			*p++ = 'x';
		for (int i = 0; i < 400; i++, p += 2)
			memcpy(p, "ü", 2);
		strcpy(p, "\"}]}");
		be_bench(document, "exit 1");
		line = attempt_one();
		assert_in_range(strlen(text_of(line, "message")), 300, 383);
		json_decref(line);
	}
}

static void nothing_of_an_attempt_stays(void **state)
{
	char command[128];

	be_bench(ROW("\"verdict\": 0"), "cp \"$out\" \"$out.a1b2c3\"; kill -KILL $$");
	json_decref(attempt_one());
	snprintf(command, sizeof(command), "test \"$(ls -A %s)\" = journal.jsonl", folder);
	assert_int_equal(system(command), 0);
}

/* ---- which attempts are made ---- */

static int calls(void)
{
	char path[96];
	struct stat st;

	snprintf(path, sizeof(path), "%s/calls", top);
	return stat(path, &st) ? 0 : (int)(st.st_size / 2);
}

static void assert_attempts(const char *document, const char *rest, int wanted)
{
	json_t *lines;

	be_bench(document, rest);
	assert_int_equal(lp_supervise(&supervision, &err), 0);
	assert_int_equal(calls(), wanted);
	lines = lp_journal_read(folder, &err);
	assert_int_equal(json_array_size(lines), wanted + 1);
	for (int i = 0; i < wanted; i++)
		assert_int_equal(json_integer_value(json_object_get(
					 json_array_get(lines, (size_t)i + 1), "attempt")),
			i);
	json_decref(lines);
}

static void a_valid_repetition_is_not_run_again(void **state)
{
	assert_attempts(ROW("\"verdict\": 0"), "", 1);
	/* Going on with a journal that has everything measures nothing. */
	assert_attempts(ROW("\"verdict\": 0"), "", 1);
}

static void a_disturbed_one_is_run_three_times_at_most(void **state)
{
	assert_attempts(ROW("\"verdict\": 1"), "", 1 + LP_EXTRA_ATTEMPTS);
}

static void an_invalid_one_too(void **state)
{
	assert_attempts(ROW("\"verdict\": 2"), "", 1 + LP_EXTRA_ATTEMPTS);
}

static void a_failed_one_is_not(void **state)
{
	assert_attempts(ROW("\"verdict\": 1, \"error_occurred\": true"), "exit 1", 1);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(a_document_is_judged),
		RUN(a_failure_says_why),
		RUN(a_long_message_stays_text),
		RUN(nothing_of_an_attempt_stays),
		RUN(a_valid_repetition_is_not_run_again),
		RUN(a_disturbed_one_is_run_three_times_at_most),
		RUN(an_invalid_one_too),
		RUN(a_failed_one_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
