// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: read
 *
 * Results folders that are read and those that are refused: each bad file is one line that names
 * the file and says why, and nothing crashes.
 */
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results_make.h"

static bool reads_fail;

ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	if (!reads_fail)
		return __real_read(fd, buffer, size);
	errno = EIO;
	return -1;
}

#define HEADER "{\"lockpath_journal\":1}\n"
#define ROW(rest) "{\"name\":\"s/v\",\"repetition\":0,\"attempt\":0,\"outcome\":\"ok\"," rest "}\n"
#define GOOD ROW("\"row\":{\"name\":\"s/v\",\"ns_per_op\":1}")
#define SUITE(rest) "{\"suites\":[{\"name\":\"s\",\"summary\":\"x\",\"unit\":\"op\"," rest "}]}"

/* A folder with one file changed, what is wrong, and the words that must say so. */
static const struct {
	const char *file, *content, *words;
} bad[] = {
	{"journal.jsonl", "", "journal.jsonl:1: the file is empty"},
	{"journal.jsonl", "\n", "journal.jsonl:1: expected an object, but the line ends here"},
	{"journal.jsonl", "{\"lockpath_journal\":1", "but the file ends here"},
	{"journal.jsonl", "{}\n", ":1: no \"lockpath_journal\""},
	{"journal.jsonl", "{\"lockpath_journal\":2}\n", ":1: a journal of version 2"},
	{"journal.jsonl", "{\"lockpath_journal\":\"1\"}\n",
		"expected a number or null, found a string"},
	{"journal.jsonl", "{\"lockpath_journal\":1,\"plan\":{}}\n", "expected an array"},
	{"journal.jsonl", "{\"lockpath_journal\":1,\"plan\":[{}]}\n",
		"a planned row without a name"},
	{"journal.jsonl", "{\"lockpath_journal\":1,\"plan\":[{\"name\":\"\"}]}\n", "an empty name"},
	{"journal.jsonl", "{\"lockpath_journal\":1,\"seed\":{}}\n", "found an object"},
	{"journal.jsonl",
		"\x7f"
		"ELF\x02\x01\x01",
		"expected an object, found the byte 0x7f"},
	{"journal.jsonl", HEADER "\n" GOOD, ":2: expected an object, but the line ends here"},
	{"journal.jsonl", HEADER "{\"name\":\"s\n" GOOD, ":2: a raw control character"},
	{"journal.jsonl", HEADER "{}\n", ":2: an attempt needs a name"},
	{"journal.jsonl", HEADER "[]\n", ":2: expected an object, found an array"},
	{"journal.jsonl", HEADER GOOD "x\n" GOOD, ":3: expected an object, found 'x'"},
	{"journal.jsonl", HEADER GOOD "{} {}\n", ":3: an attempt needs"},
	{"journal.jsonl", HEADER ROW("\"row\":null"), ":2: an attempt that went well has no row"},
	{"journal.jsonl", HEADER ROW("\"row\":[]"), "expected an object, found an array"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"name\":5}"), "expected a string, found a number"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"x\":1e999}"), "1e999 is out of range"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"x\":NaN}"), "found 'N'"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"x\":1,\"x\":1}"), "\"x\" stands twice"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"verdict\":3}"),
		"a whole number of 0 to 2, found 3"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"time_unit\":\"h\"}"), "none of ns, us, ms and s"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"real_time\":\"1\"}"), "found a string"},
	{"journal.jsonl", HEADER ROW("\"row\":{\"error_occurred\":1}"), "expected true or false"},
	{"journal.jsonl", HEADER "{\"repetition\":-1}\n", "a whole number of 0 to"},
	{"journal.jsonl", HEADER "{\"outcome\":\"fine\"}\n", "none of ok, error, crashed"},
	{"journal.jsonl", HEADER "{\"lockpath\":{\"absent\":[]}}\n", "expected an object"},
	{"benchmark.json", "", "benchmark.json:1: the file is empty"},
	{"benchmark.json", "[]", "expected an object, found an array"},
	{"benchmark.json", "{\"context\":{}}", "no \"benchmarks\""},
	{"benchmark.json", "{\"benchmarks\":[]}", "nothing was measured"},
	{"benchmark.json", "{\"benchmarks\":[\n{\"name\":\"a\",",
		":2: expected a key, but the file"},
	{"benchmark.json", "{\"benchmarks\":[{}]}", "a benchmark without a name"},
	{"benchmark.json", "{\"benchmarks\":[{\"name\":\"a\",\"run_type\":\"aggregate\"}]}",
		"only aggregates"},
	{"benchmark.json", "{\"benchmarks\":[{\"name\":\"a\"}]}}", "expected the end of the file"},
	{"benchmark.json", "{\"benchmarks\":[{\"name\":\"a\",\"real_time\":Infinity}]}",
		"found 'I'"},
	{"machine.json", "[]", "machine.json: expected an object"},
	{"machine.json", "{", "machine.json:1: "},
	{"machine.json", "{\"a\":1,\n\"a\":2}", "machine.json:2: duplicate"},
	{"suites.json", "{}", "suites.json: .suites: expected an array"},
	{"suites.json", "null", "suites.json"},
	{"suites.json", "{\"suites\":[5]}", "suites[0]: expected an object"},
	{"suites.json", "{\"suites\":[{}]}", "suites[0].name: expected a string"},
	{"suites.json", SUITE("\"variants\":1"), "suites[0].variants: expected an array"},
	{"suites.json", SUITE("\"variants\":[{\"name\":\"v\",\"kernel\":1}]"), "a string or null"},
	{"suites.json", SUITE("\"variants\":[{\"name\":\"v\",\"params\":{}}]"),
		"expected an array"},
	{"suites.json",
		SUITE("\"variants\":[],\"columns\":[{\"metric\":\"m\",\"head\":\"h\",\"mode\":"
		      "\"x\","
		      "\"digits\":3}]"),
		"suites[0].columns[0].mode: expected timing, observed, exact or soak"},
	{"suites.json",
		SUITE("\"variants\":[],\"columns\":[{\"metric\":\"m\",\"head\":\"h\",\"mode\":"
		      "\"soak\",\"digits\":-3}]"),
		"digits: expected a whole number"},
	{"suites.json", SUITE("\"variants\":[],\"columns\":[],\"claims\":[{\"id\":\"c\"}]"),
		"suites[0].claims[0].text: expected a string"},
};

static char folder[64];

static const char *in_folder(const char *file)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return path;
}

static void put(const char *file, const char *content)
{
	FILE *f = fopen(in_folder(file), "w");

	assert_non_null(f);
	assert_true(fputs(content, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
	strcpy(folder, "/tmp/lockpath-read-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
	static const char *const files[] = {
		"journal.jsonl", "benchmark.json", "machine.json", "suites.json"};

	reads_fail = false;
	for (size_t i = 0; i < 4; i++) {
		unlink(in_folder(files[i]));
		rmdir(in_folder(files[i]));
	}
	return rmdir(folder);
}

static void expect_refused(const char *path, const char *words)
{
	struct lp_results r;
	struct lp_error err = {0};
	int rc;

	lp_results_init(&r);
	rc = lp_read_results(&r, path, &err);
	lp_results_destroy(&r);
	if (rc >= 0)
		fail_msg("accepted, but should say: %s", words);
	if (!strstr(err.message, words) || strchr(err.message, '\n'))
		fail_msg("\"%s\" does not say \"%s\" in one line", err.message, words);
	assert_int_equal(rc, -err.code);
}

static void bad_files_are_refused_by_name(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (strcmp(bad[i].file, "benchmark.json"))
			put("journal.jsonl", HEADER GOOD);
		put(bad[i].file, bad[i].content);
		expect_refused(folder, bad[i].words);
		unlink(in_folder(bad[i].file));
		unlink(in_folder("journal.jsonl"));
	}
}

static void folders_that_are_none(void **state)
{
	char longest[6000];

	expect_refused("/nonexistent/results", "/nonexistent/results: No such file");
	expect_refused(folder, "neither journal.jsonl nor benchmark.json");
	expect_refused("/dev/null", "not a regular file");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	expect_refused(longest, "too long");
	assert_int_equal(mkdir(in_folder("journal.jsonl"), 0777), 0);
	expect_refused(folder, "journal.jsonl: Is a directory");
	assert_int_equal(rmdir(in_folder("journal.jsonl")), 0);
	put("journal.jsonl", HEADER GOOD);
	assert_int_equal(mkdir(in_folder("machine.json"), 0777), 0);
	expect_refused(folder, "machine.json: not a regular file");
}

/* Nobody writes to it: to wait for that would be to hang. */
static void a_fifo_does_not_hang(void **state)
{
	assert_int_equal(mkfifo(in_folder("journal.jsonl"), 0600), 0);
	expect_refused(folder, "journal.jsonl: not a regular file");
}

/* Root may read everything, so the test is nobody for a moment. */
static void without_permission(void **state)
{
	bool root = !geteuid();

	put("journal.jsonl", HEADER GOOD);
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chmod(in_folder("journal.jsonl"), 0), 0);
	if (root)
		assert_int_equal(seteuid(65534), 0);
	expect_refused(folder, "Permission denied");
	if (root)
		assert_int_equal(seteuid(0), 0);
}

static void a_disk_that_fails(void **state)
{
	put("journal.jsonl", HEADER GOOD);
	reads_fail = true;
	expect_refused(folder, "journal.jsonl: Input/output error");
	reads_fail = false;
	unlink(in_folder("journal.jsonl"));
	put("benchmark.json", "{\"benchmarks\":[{\"name\":\"a\"}]}");
	reads_fail = true;
	expect_refused(folder, "benchmark.json: Input/output error");
}

static void names_have_a_bound(void **state)
{
	char *text = malloc(4096);

	assert_non_null(text);
	for (int length = LP_NAME_PARAMS * 64; length <= LP_NAME_PARAMS * 64 + 1; length++) {
		struct lp_results r;
		struct lp_error err = {0};
		int rc;

		snprintf(text, 4096, "{\"benchmarks\":[{\"name\":\"%0*d\"}]}", length, 7);
		lp_results_init(&r);
		rc = lp_read_benchmark_text(&r, "b", text, strlen(text), &err);
		lp_results_destroy(&r);
		assert_int_equal(rc, length == 1024 ? 0 : -EINVAL);
	}
	free(text);
}

static void a_cut_line_is_left_out_with_a_note(void **state)
{
	static const char whole[] = HEADER GOOD;
	const size_t header = strlen(HEADER);

	for (size_t n = header; n <= strlen(whole); n++) {
		struct lp_results r;
		struct lp_error err = {0};
		bool torn = n > header && n < strlen(whole) - 1;

		lp_results_init(&r);
		if (lp_read_journal_text(&r, "j", whole, n, &err))
			fail_msg("cut at %zu: %s", n, err.message);
		assert_int_equal(r.notes, torn);
		assert_int_equal(r.rows, n >= strlen(whole) - 1);
		if (torn)
			assert_int_equal(r.values, 0);
		lp_results_destroy(&r);
	}
}

static void the_last_attempt_counts(void **state)
{
	static const char text[] = HEADER
		"{\"name\":\"s/v\",\"repetition\":1,\"attempt\":1,\"outcome\":\"ok\",\"row\":{"
		"\"label\":\"disturbed: a; b\",\"ns_per_op\":3}}\n"
		"{\"name\":\"s/v\",\"repetition\":1,\"attempt\":0,\"outcome\":\"ok\",\"row\":{"
		"\"ns_per_op\":1}}\n"
		"{\"name\":\"s/v\",\"repetition\":0,\"attempt\":0,\"outcome\":\"ok\",\"row\":{"
		"\"ns_per_op\":9}}\n"
		"{\"name\":\"s/v\",\"repetition\":0,\"attempt\":1,\"outcome\":\"timeout\","
		"\"message\":\"slow\",\"row\":null}\n";
	struct lp_results r;
	struct lp_error err = {0};

	lp_results_init(&r);
	assert_int_equal(lp_read_journal_text(&r, "j", text, strlen(text), &err), 0);
	assert_int_equal(r.rows, 2);
	assert_int_equal(r.retried, 2);
	assert_int_equal(r.attempts, 4);
	assert_int_equal(r.row[0].outcome, LP_OUTCOME_TIMEOUT);
	assert_string_equal(lp_results_text(&r, r.row[0].reason), "slow");
	assert_int_equal(r.row[1].verdict, LP_DISTURBED);
	assert_string_equal(lp_results_text(&r, r.row[1].reason), "a; b");
	assert_true(lp_row_value(&r, &r.row[1], metric(&r, "ns_per_op")) == 3);
	lp_results_destroy(&r);
}

/* Versions 1.7 and 1.8 mark errors differently; both write times of 0 beside them. */
static void google_benchmark_of_any_version(void **state)
{
	static const char text[] =
		"{\"context\":{\"date\":\"d\",\"load_avg\":[0.1],\"caches\":[{}]},\"benchmarks\":["
		"{\"name\":\"A/8/threads:2\",\"run_name\":\"A/8/"
		"threads:2\",\"run_type\":\"iteration\","
		"\"repetition_index\":0,\"threads\":2,\"iterations\":9,\"real_time\":1.5,"
		"\"cpu_time\":3,\"time_unit\":\"us\",\"label\":\"disturbing\",\"bytes\":4.0e9},"
		"{\"name\":\"A/8/threads:2\",\"repetition_index\":0,\"real_time\":2.5,"
		"\"time_unit\":\"us\"},"
		"{\"name\":\"A_mean\",\"run_name\":\"A\",\"run_type\":\"aggregate\",\"real_time\":"
		"1},"
		"{\"name\":\"B\",\"error_occurred\":true,\"error_message\":\"no\",\"real_time\":0},"
		"{\"name\":\"C\",\"skipped\":true,\"skip_message\":\"later\",\"real_time\":0}]}";
	struct lp_results r;
	struct lp_error err = {0};
	uint32_t ns;

	lp_results_init(&r);
	assert_int_equal(lp_read_benchmark_text(&r, "b", text, strlen(text), &err), 0);
	ns = metric(&r, "ns_per_op");
	assert_true(r.foreign);
	assert_int_equal(r.items, 3);
	assert_int_equal(r.rows, 4);
	assert_int_equal(find_item(&r, "A/8/threads:2")->rows, 2);
	assert_int_equal(find_item(&r, "A/8/threads:2")->name.threads, 2);
	assert_int_equal(r.row[0].verdict, LP_VALID);
	assert_true(lp_row_value(&r, &r.row[0], ns) == 1500);
	assert_true(lp_row_value(&r, &r.row[1], ns) == 2500);
	assert_true(lp_row_value(&r, &r.row[0], metric(&r, "bytes")) == 4e9);
	assert_true(lp_row_value(&r, &r.row[0], metric(&r, "cpu_ns_per_op")) == 3000);
	assert_int_equal(r.row[2].outcome, LP_OUTCOME_ERROR);
	assert_string_equal(lp_results_text(&r, r.row[2].reason), "no");
	assert_true(isnan(lp_row_value(&r, &r.row[2], ns)));
	assert_string_equal(lp_results_text(&r, r.row[3].reason), "later");
	lp_results_destroy(&r);
}

/* Our own benchmark.json; the context may stand behind the rows. */
static void ours_without_the_journal(void **state)
{
	static const char text[] =
		"{\"benchmarks\":[{\"name\":\"s/v/threads:1\",\"ns_per_op\":null,\"verdict\":2,"
		"\"label\":\"invalid: "
		"pins\"}],\"context\":{\"lockpath\":{\"version\":\"1\",\"seed\":"
		"18446744073709551615,\"profile\":\"full\",\"absent\":{\"ns_per_op\":\"why\"}}}}";
	struct lp_results r;
	struct lp_error err = {0};

	lp_results_init(&r);
	assert_int_equal(lp_read_benchmark_text(&r, "b", text, strlen(text), &err), 0);
	assert_false(r.foreign);
	assert_string_equal(lp_results_text(&r, r.item[0].name.suite), "s");
	assert_string_equal(lp_results_text(&r, r.seed), "18446744073709551615");
	assert_int_equal(r.row[0].verdict, LP_INVALID);
	assert_true(isnan(lp_row_value(&r, &r.row[0], metric(&r, "ns_per_op"))));
	assert_int_equal(r.absents, 1);
	assert_int_equal(r.absent[0].rows, 0);
	lp_results_destroy(&r);
}

static void the_plan_gives_the_order(void **state)
{
	static const char text[] =
		"{\"lockpath_journal\":1,\"plan\":[{\"name\":\"s/b\",\"repetitions\":2},{\"name\":"
		"\"s/v\",\"repetitions\":3}],\"skipped\":[{\"name\":\"s/x/"
		"threads:4\",\"reason\":\"r\"}]}"
		"\n" GOOD;
	struct lp_results r;
	struct lp_error err = {0};

	lp_results_init(&r);
	assert_int_equal(lp_read_journal_text(&r, "j", text, strlen(text), &err), 0);
	assert_int_equal(r.items, 2);
	assert_string_equal(lp_results_text(&r, r.item[0].text), "s/b");
	assert_int_equal(r.item[0].rows, 0);
	assert_int_equal(r.item[1].planned, 3);
	assert_int_equal(r.skips, 1);
	assert_int_equal(r.skipped[0].name.threads, 4);
	lp_results_destroy(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			bad_files_are_refused_by_name, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(folders_that_are_none, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(a_fifo_does_not_hang, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(without_permission, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(a_disk_that_fails, make_folder, drop_folder),
		cmocka_unit_test(names_have_a_bound),
		cmocka_unit_test(a_cut_line_is_left_out_with_a_note),
		cmocka_unit_test(the_last_attempt_counts),
		cmocka_unit_test(google_benchmark_of_any_version),
		cmocka_unit_test(ours_without_the_journal),
		cmocka_unit_test(the_plan_gives_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
