/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A results folder for each test, with a plan of three cases of which one is skipped. */
#ifndef LP_TESTS_JOURNAL_FOLDER_H
#define LP_TESTS_JOURNAL_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drivers/schedule/journal.h"

static struct lp_error err;
static char *top;
static char folder[64];
static struct lp_run_plan plan;

static inline int make_folder(void **state)
{
	static int cpus[] = {0, 1};
	static char pattern[32];

	strcpy(pattern, "/tmp/lp-journal-XXXXXX");
	top = mkdtemp(pattern);
	if (!top)
		return -1;
	snprintf(folder, sizeof(folder), "%s/r", top);
	plan = (struct lp_run_plan){.seed = 9007199254740993, .min_time_s = 0.1, .cpus = 2};
	plan.os_cpu = cpus;
	if (lp_plan_add(&plan, "locks/ticket/threads:1", 2, NULL) ||
		lp_plan_add(&plan, "locks/ticket/threads:8", 2, "too \"few\" CPUs") ||
		lp_plan_add(&plan, "locks/queued/threads:1", 1, NULL))
		return -1;
	return 0;
}

static inline int remove_folder(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	plan.os_cpu = NULL;
	lp_plan_free(&plan);
	return system(command);
}

static inline const char *journal_path(void)
{
	static char path[96];

	snprintf(path, sizeof(path), "%s/journal.jsonl", folder);
	return path;
}

static inline void append_text(const char *text, size_t n)
{
	FILE *f = fopen(journal_path(), "a");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	fclose(f);
}

static inline off_t journal_bytes(void)
{
	struct stat st;

	assert_int_equal(stat(journal_path(), &st), 0);
	return st.st_size;
}

/* An attempt with @verdict, or one that failed when it is -1. */
static inline json_t *attempt(const char *name, int repetition, int number, int verdict)
{
	if (verdict < 0)
		return json_pack("{s:s, s:i, s:i, s:s, s:s, s:n, s:n}", "name", name, "repetition",
			repetition, "attempt", number, "outcome", "crashed", "message",
			"killed by signal 11", "row", "lockpath");
	return json_pack("{s:s, s:i, s:i, s:s, s:n, s:{s:s, s:i, s:i, s:f, s:n}, s:{s:{s:s, s:s}}}",
		"name", name, "repetition", repetition, "attempt", number, "outcome", "ok",
		"message", "row", "name", name, "repetition_index", repetition, "verdict", verdict,
		"ns_per_op", 1.5 + number, "cycles_per_op", "lockpath", "absent", "cycles_per_op",
		"no PMU", "ns_per_op", "not here");
}

static inline void add(struct lp_journal *j, json_t *line)
{
	if (lp_journal_append(j, line, &err))
		fail_msg("not appended: %s", err.message);
	json_decref(line);
}

static inline void create(struct lp_journal *j)
{
	if (lp_journal_create(j, folder, &plan, &err))
		fail_msg("not created: %s", err.message);
}

static inline void assert_error(int rc, int wanted, const char *why)
{
	assert_int_equal(rc, wanted);
	if (!strstr(err.message, why))
		fail_msg("the message is: %s", err.message);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

#endif
