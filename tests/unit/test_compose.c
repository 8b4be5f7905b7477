// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files made from a journal: which attempts count, and what is written when.
 *
 * lp-one-thread: nothing here has a second one.
 */
#include "tests/unit/journal_folder.h"

#include "drivers/schedule/compose.h"

static json_t *load(const char *name)
{
	char path[96];
	json_t *value;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	value = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(value);
	return value;
}

static json_t *write_all_kinds(struct lp_journal *j)
{
	create(j);
	add(j, attempt("locks/ticket/threads:1", 0, 0, 1));
	add(j, attempt("locks/ticket/threads:1", 1, 0, 1));
	add(j, attempt("locks/ticket/threads:1", 0, 1, 0));
	add(j, attempt("locks/ticket/threads:1", 1, 1, -1));
	return lp_journal_read(folder, &err);
}

static void the_last_attempt_counts(void **state)
{
	struct lp_journal j;
	struct lp_tally tally;
	json_t *lines = write_all_kinds(&j), *all, *rows;

	assert_int_equal(lp_compose(folder, lines, &tally, &err), 0);
	assert_int_equal(tally.planned, 3);
	assert_int_equal(tally.valid, 1);
	assert_int_equal(tally.disturbed, 0);
	assert_int_equal(tally.errors, 1);
	assert_int_equal(tally.missing, 1);
	assert_int_equal(tally.skipped, 1);
	all = load("benchmark.json");
	rows = json_object_get(all, "benchmarks");
	assert_int_equal(json_array_size(rows), 2);
	assert_true(json_real_value(json_object_get(json_array_get(rows, 0), "ns_per_op")) == 2.5);
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(rows, 1), "error_message")),
		"crashed: killed by signal 11");
	assert_null(json_object_get(json_array_get(rows, 1), "real_time"));
	json_decref(all);
	json_decref(lines);
	lp_journal_close(&j);
}

static void what_is_absent_altogether_is_said_once(void **state)
{
	struct lp_journal j;
	struct lp_tally tally;
	json_t *lines = write_all_kinds(&j), *all, *absent;

	assert_int_equal(lp_compose(folder, lines, &tally, &err), 0);
	all = load("benchmark.json");
	absent = json_object_get(
		json_object_get(json_object_get(all, "context"), "lockpath"), "absent");
	assert_int_equal(json_object_size(absent), 1); /* some row has ns_per_op */
	assert_string_equal(json_string_value(json_object_get(absent, "cycles_per_op")), "no PMU");
	json_decref(all);
	json_decref(lines);
	lp_journal_close(&j);
}

static void a_file_is_replaced_whole_or_not_at_all(void **state)
{
	json_t *value = json_pack("{s:i}", "a", 1);
	char path[96];

	assert_int_equal(mkdir(folder, 0755), 0);
	assert_int_equal(lp_compose_write(folder, "x.json", value, &err), 0);
	json_decref(load("x.json"));
	/* A folder of that name cannot be replaced; no temporary file may stay. */
	snprintf(path, sizeof(path), "%s/y.json", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_true(lp_compose_write(folder, "y.json", value, &err) < 0);
	assert_non_null(strstr(err.message, "y.json: "));
	snprintf(path, sizeof(path), "%s/.y.json.new", folder);
	assert_int_equal(access(path, F_OK), -1);
	json_decref(value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(the_last_attempt_counts),
		IN_FOLDER(what_is_absent_altogether_is_said_once),
		IN_FOLDER(a_file_is_replaced_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
