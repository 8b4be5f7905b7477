// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is on the disk after a run was killed, the disk was full, or somebody edited the journal.
 *
 * lp-one-thread: nothing here has a second one.
 * lp-wrap: write fdatasync
 */
#include "tests/unit/journal_folder.h"

#include <errno.h>

/* ---- a disk that takes only so much ---- */

static ssize_t disk_left = -1; /* bytes; -1: any number */
static bool sync_fails;

ssize_t __real_write(int fd, const void *text, size_t n);
ssize_t __wrap_write(int fd, const void *text, size_t n);
ssize_t __wrap_write(int fd, const void *text, size_t n)
{
	ssize_t taken;

	if (disk_left < 0)
		return __real_write(fd, text, n);
	if (!disk_left) {
		errno = ENOSPC;
		return -1;
	}
	taken = __real_write(fd, text, n < (size_t)disk_left ? n : (size_t)disk_left);
	disk_left -= taken;
	return taken;
}

int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd)
{
	if (!sync_fails)
		return __real_fdatasync(fd);
	errno = EIO;
	return -1;
}

/* ---- writing ---- */

static void a_plan_comes_back_as_it_went(void **state)
{
	struct lp_journal j;
	struct lp_run_plan back;
	json_t *lines;

	create(&j);
	lines = lp_journal_read(folder, &err);
	assert_int_equal(json_array_size(lines), 1);
	assert_int_equal(lp_journal_plan(json_array_get(lines, 0), &back, &err), 0);
	assert_int_equal(back.count, 2); /* what is skipped is not to be measured */
	assert_string_equal(back.entry[0].name, plan.entry[0].name);
	assert_int_equal(back.entry[0].repetitions, 2);
	assert_string_equal(back.entry[1].name, plan.entry[2].name);
	assert_true(back.seed == plan.seed); /* more than a double holds */
	assert_true(back.min_time_s == plan.min_time_s);
	assert_int_equal(back.cpus, 2);
	assert_int_equal(back.os_cpu[1], 1);
	lp_plan_free(&back);
	json_decref(lines);
	lp_journal_close(&j);
}

static void a_folder_that_is_there_is_left_alone(void **state)
{
	struct lp_journal j;

	assert_int_equal(mkdir(folder, 0755), 0);
	assert_error(lp_journal_create(&j, folder, &plan, &err), -EEXIST, "--resume");
	assert_int_equal(rmdir(folder), 0);
}

static void a_line_that_does_not_fit_is_taken_back(void **state)
{
	struct lp_journal j;
	json_t *line = attempt("locks/ticket/threads:1", 0, 0, 0), *lines;
	off_t before;

	create(&j);
	add(&j, attempt("locks/queued/threads:1", 0, 0, 0));
	before = journal_bytes();
	disk_left = 20;
	assert_error(lp_journal_append(&j, line, &err), -ENOSPC, "No space left");
	assert_int_equal(journal_bytes(), before);
	disk_left = 0;
	assert_error(lp_journal_append(&j, line, &err), -ENOSPC, "what has finished is kept");
	assert_int_equal(journal_bytes(), before);
	disk_left = -1;
	sync_fails = true;
	assert_error(lp_journal_append(&j, line, &err), -EIO, "Input/output error");
	sync_fails = false;
	assert_int_equal(journal_bytes(), before);
	json_decref(line);
	lines = lp_journal_read(folder, &err);
	assert_int_equal(json_array_size(lines), 2);
	json_decref(lines);
	lp_journal_close(&j);
}

static void a_journal_that_cannot_be_begun_leaves_no_folder(void **state)
{
	struct lp_journal j;

	disk_left = 5;
	assert_error(lp_journal_create(&j, folder, &plan, &err), -ENOSPC, "No space left");
	disk_left = -1;
	assert_int_equal(access(folder, F_OK), -1);
}

static void a_full_disk_is_found_out(void **state)
{
	struct lp_journal j;

	create(&j);
	assert_int_equal(lp_journal_probe(&j, &err), 0);
	disk_left = 1000;
	assert_error(lp_journal_probe(&j, &err), -ENOSPC, "what has finished is kept");
	disk_left = -1;
	lp_journal_close(&j);
}

static void two_writers_are_one_too_many(void **state)
{
	struct lp_journal j, other;
	json_t *lines;

	create(&j);
	assert_error(lp_journal_reopen(&other, folder, &lines, &err), -EBUSY, "another run");
	lp_journal_close(&j);
	assert_int_equal(lp_journal_reopen(&other, folder, &lines, &err), 0);
	json_decref(lines);
	lp_journal_close(&other);
}

/* ---- reading ---- */

static void a_torn_line_is_cut_off(void **state)
{
	struct lp_journal j;
	json_t *lines;
	off_t whole;

	create(&j);
	add(&j, attempt("locks/ticket/threads:1", 0, 0, 0));
	lp_journal_close(&j);
	whole = journal_bytes();
	append_text("{\"name\": \"to", 12);
	assert_int_equal(lp_journal_reopen(&j, folder, &lines, &err), 0);
	assert_int_equal(json_array_size(lines), 2);
	assert_int_equal(journal_bytes(), whole);
	add(&j, attempt("locks/ticket/threads:1", 1, 0, 0));
	json_decref(lines);
	lp_journal_close(&j);
	lines = lp_journal_read(folder, &err);
	assert_int_equal(json_array_size(lines), 3);
	json_decref(lines);
}

static void assert_unreadable(const char *text, size_t n, const char *why)
{
	struct lp_journal j;
	json_t *lines;
	off_t before;

	create(&j);
	lp_journal_close(&j);
	append_text(text, n);
	before = journal_bytes();
	assert_error(lp_journal_reopen(&j, folder, &lines, &err), -EINVAL, why);
	assert_int_equal(journal_bytes(), before); /* for whoever wants to repair it */
	assert_int_equal(unlink(journal_path()), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void a_malformed_line_is_named(void **state)
{
	static const char nul[] = "{}\0{}\n";

	assert_unreadable("{\"a\":\n", 6, "journal.jsonl:2:");
	assert_unreadable("\n", 1, "journal.jsonl:2:");
	assert_unreadable("{}\n[]\n", 6, "journal.jsonl:3: not an object");
	assert_unreadable("{\"a\": NaN}\n", 11, "journal.jsonl:2:");
	assert_unreadable("{\"a\": 1, \"a\": 2}\n", 17, "journal.jsonl:2:");
	assert_unreadable(nul, sizeof(nul) - 1, "journal.jsonl:2:");
}

static void assert_no_journal(const char *text, const char *why)
{
	assert_int_equal(mkdir(folder, 0755), 0);
	append_text(text, strlen(text));
	assert_null(lp_journal_read(folder, &err));
	if (!strstr(err.message, why))
		fail_msg("the message is: %s", err.message);
	assert_int_equal(unlink(journal_path()), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void another_file_is_no_journal(void **state)
{
	assert_null(lp_journal_read(folder, &err));
	assert_non_null(strstr(err.message, "r/journal.jsonl: No such file"));
	assert_no_journal("", "journal.jsonl:1: not the header");
	assert_no_journal("{\"benchmarks\": []}\n", "journal.jsonl:1: not the header");
	assert_no_journal("{\"lockpath_journal\": 2}\n", "version 2");
}

static void assert_no_plan(const char *text, const char *why)
{
	struct lp_run_plan p;
	json_t *header = json_loads(text, 0, NULL);

	assert_non_null(header);
	assert_error(lp_journal_plan(header, &p, &err), -EINVAL, why);
	json_decref(header);
}

static void a_plan_of_another_build_is_refused(void **state)
{
#define HEAD "{\"lockpath_journal\":1,\"min_time_s\":0.1,\"seed\":1,"
	assert_no_plan(HEAD "\"cpus\":[0],\"plan\":[{\"name\":\"locks/percy/threads:1\","
			    "\"repetitions\":1}]}",
		"percy");
	assert_no_plan(HEAD "\"cpus\":[0],\"plan\":[{\"name\":\"locks/ticket/threads:1\","
			    "\"repetitions\":0}]}",
		"malformed");
	assert_no_plan(HEAD "\"cpus\":[0],\"plan\":[]}", "malformed");
	assert_no_plan(HEAD "\"cpus\":[],\"plan\":[]}", "no CPUs");
#undef HEAD
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_plan_comes_back_as_it_went),
		IN_FOLDER(a_folder_that_is_there_is_left_alone),
		IN_FOLDER(a_line_that_does_not_fit_is_taken_back),
		IN_FOLDER(a_journal_that_cannot_be_begun_leaves_no_folder),
		IN_FOLDER(a_full_disk_is_found_out),
		IN_FOLDER(two_writers_are_one_too_many),
		IN_FOLDER(a_torn_line_is_cut_off),
		IN_FOLDER(a_malformed_line_is_named),
		IN_FOLDER(another_file_is_no_journal),
		cmocka_unit_test(a_plan_of_another_build_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
