// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of lockpath-bench that need no measuring: CPU lists, options and the document. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "drivers/bench/cpus.h"
#include "drivers/bench/document.h"
#include "drivers/bench/figures.h"
#include "drivers/bench/options.h"

static struct lp_error err;

/* ---- CPUs: 0-3 and 8 on two nodes, 2 forbidden, node 7 without memory, node 9 without CPUs ----
 */

static struct lp_topology_cpu cpus[] = {
	{.os = 0, .node = 0, .allowed = true},
	{.os = 1, .node = 0, .allowed = true},
	{.os = 2, .node = 1},
	{.os = 3, .node = 1, .allowed = true},
	{.os = 8, .node = -1, .allowed = true},
};
static struct lp_topology_node nodes[] = {
	{.os = 4, .memory_bytes = 1, .cpus = 2, .allowed = true},
	{.os = 5, .memory_bytes = 1, .cpus = 2, .allowed = true},
	{.os = 7, .cpus = 1, .allowed = true},
	{.os = 9, .memory_bytes = 1, .allowed = true},
	{.os = 11, .memory_bytes = 1},
};
static const struct lp_topology topology = {.ncpus = 5, .cpu = cpus, .nnodes = 5, .node = nodes};

static void assert_list(const char *list, const int *wanted, int n)
{
	int os_cpu[5];

	assert_int_equal(lp_cpus_choose(&topology, list, os_cpu, &err), n);
	assert_memory_equal(os_cpu, wanted, (size_t)n * sizeof(int));
}

static void cpu_lists_keep_their_order(void **state)
{
	assert_list("8,0", (int[]){8, 0}, 2);
	assert_list("3", (int[]){3}, 1);
	assert_list("3,0-1", (int[]){3, 0, 1}, 3);
}

static void assert_refused(const char *list, const char *why)
{
	int os_cpu[5];

	assert_int_equal(lp_cpus_choose(&topology, list, os_cpu, &err), -EINVAL);
	if (!strstr(err.message, why))
		fail_msg("'%s' was refused with: %s", list, err.message);
}

static void bad_cpu_lists_say_what_is_wrong(void **state)
{
	static const char *const no_lists[] = {"", ",", "0,", ",0", "0-", "-1", "1-0", "0 1", "x",
		"0x1", "0-1-3", " 0", "+1", "0;1"};

	for (size_t i = 0; i < ARRAY_SIZE(no_lists); i++)
		assert_refused(no_lists[i], "is no list of CPU numbers");
	assert_refused("0,2", "CPU 2 may not be used");
	assert_refused("0-3", "CPU 2 may not be used");
	assert_refused("0,4", "CPU 4 does not exist");
	assert_refused("99999999999999999999", "is no list");
	assert_refused("0,1,0", "CPU 0 is named twice");
}

static void nodes_of_workers_come_first(void **state)
{
	int node[3], memory[5];

	lp_cpus_nodes(&topology, (int[]){3, 8, 0}, 3, node);
	assert_memory_equal(node, ((int[]){5, -1, 4}), sizeof(node));
	assert_int_equal(lp_cpus_memory_nodes(&topology, node, 1, memory), 3);
	assert_memory_equal(memory, ((int[]){5, 4, 9}), 3 * sizeof(int));
}

/* ---- options ---- */

/* Splits @line at blanks. Return: what the parser returns. */
static int parse(struct lp_bench_options *o, const char *line)
{
	static char text[256];
	char *argv[24] = {"lockpath-bench"}, *rest = text;
	int argc = 1;

	strcpy(text, line);
	while (*text && (argv[argc] = strsep(&rest, " ")))
		argc++;
	lp_bench_options_adopt(argc, argv);
	return lp_bench_options_parse(o, argc, argv, &err);
}

static void options_are_taken(void **state)
{
	struct lp_bench_options o;

	assert_int_equal(parse(&o, ""), 0);
	assert_true(!o.named_case && !o.list && !o.out && !o.cpus && o.min_time_s == 0);
	assert_true(o.seed == 1 && o.repetition == 0 && o.repetitions == 1);
	assert_int_equal(o.profile, LP_PROFILE_QUICK);
	assert_int_equal(
		parse(&o, "--case a/b --out f --repetition 2 --repetitions=5 --profile full "
			  "--min-time 0.25 --seed 7 --cpus 1,0 --list"),
		0);
	assert_string_equal(o.named_case, "a/b");
	assert_string_equal(o.out, "f");
	assert_string_equal(o.cpus, "1,0");
	assert_true(o.repetition == 2 && o.repetitions == 5 && o.seed == 7 && o.list);
	assert_true(o.min_time_s == 0.25 && o.profile == LP_PROFILE_FULL);
	assert_int_equal(parse(&o, "--benchmark_min_time=2"), 0);
	assert_true(o.min_time_s == 2);
}

static void bad_options_are_refused_with_one_line(void **state)
{
	static const char *const bad[] = {"--nonsense", "-x", "--case", "--profile slow",
		"--seed -1", "--seed 9223372036854775808", "--seed 1x", "--min-time 0",
		"--min-time nan", "--min-time 3601", "--repetition -1", "--repetitions 0",
		"--repetitions 1e3", "word", "--out f"};
	struct lp_bench_options o;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err.message[0] = '\0';
		if (parse(&o, bad[i]) != -EINVAL)
			fail_msg("%s was taken", bad[i]);
		assert_true(err.message[0] && !strchr(err.message, '\n'));
	}
}

/* ---- the document ---- */

static const struct lp_document_facts facts = {
	.profile = "quick", .seed = 12, .repetition = 3, .repetitions = 5};

static const char one_row[] = "{\"context\": {\"date\": \"d\"}, \"benchmarks\": [{\"name\": \"n\", "
			      "\"repetitions\": 1, \"repetition_index\": 0}]}";

static json_t *compose(const char *report, json_t *details)
{
	json_t *d;

	if (lp_document_compose(report, details, &facts, &d, &err))
		fail_msg("%s", err.message);
	return d;
}

static void the_document_has_row_facts_and_details(void **state)
{
	json_t *details = json_pack("{s:i}", "a", 1);
	json_t *d = compose(one_row, details);
	json_t *wanted = json_pack("{s:{s:s, s:{s:s, s:i, s:s}}, s:[{s:s, s:i, s:i}], s:{s:i}}",
		"context", "date", "d", "lockpath", "version", LOCKPATH_VERSION, "seed", 12,
		"profile", "quick", "benchmarks", "name", "n", "repetitions", 5, "repetition_index",
		3, "lockpath", "a", 1);

	assert_non_null(wanted);
	assert_true(json_equal(d, wanted));
	json_decref(wanted);
	json_decref(d);
	json_decref(details);
	d = compose(one_row, NULL);
	assert_true(json_is_null(json_object_get(d, "lockpath")));
	json_decref(d);
}

static void other_than_one_row_is_refused(void **state)
{
	json_t *d;

	assert_int_equal(lp_document_compose("{\"context\": {}, \"benchmarks\": [{}, {}]}", NULL,
				 &facts, &d, &err),
		-EINVAL);
	assert_non_null(strstr(err.message, "2 were made"));
	assert_null(d);
	assert_int_equal(
		lp_document_compose("{\"benchmarks\": []}", NULL, &facts, &d, &err), -EINVAL);
	assert_int_equal(lp_document_compose("{\"a\": NaN}", NULL, &facts, &d, &err), -EINVAL);
}

static int files_in(const char *folder)
{
	DIR *dir = opendir(folder);
	int n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void a_file_is_written_whole_or_not_at_all(void **state)
{
	char folder[] = "/tmp/lp_document_XXXXXX", path[64];
	json_t *first = compose(one_row, NULL), *unwritable = json_object(), *read;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/out.json", folder);
	assert_int_equal(lp_document_write(first, path, &err), 0);
	/* a second one replaces it, a failing one leaves it */
	assert_int_equal(lp_document_write(first, path, &err), 0);
	json_object_set_new(unwritable, "endless", json_array());
	json_array_append(json_object_get(unwritable, "endless"), unwritable);
	assert_true(lp_document_write(unwritable, path, &err) < 0);
	json_array_clear(json_object_get(unwritable, "endless"));
	read = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	assert_true(json_equal(read, first));
	assert_int_equal(files_in(folder), 1);
	unlink(path);
	rmdir(folder);
	assert_int_equal(lp_document_write(first, path, &err), -ENOENT);
	assert_non_null(strstr(err.message, path));
	json_decref(read);
	json_decref(first);
	json_decref(unwritable);
}

/* ---- counters ---- */

static void a_shared_counter_says_how_long_it_ran(void **state)
{
	struct lp_pmu pmu = {.count = 3,
		.event = {{.metric = "cycles_per_op", .per_op = true, .counted = true, .value = 500,
				  .multiplexed = true, .enabled_ns = 900, .running_ns = 300},
			{.metric = "page_faults", .counted = true, .value = 7, .user_only = true},
			{.name = "PERF_COUNT_HW_INSTRUCTIONS", .metric = "instructions_per_op",
				.error = ENOENT}}};
	struct lp_metrics m;

	lp_metrics_init(&m);
	lp_figures_pmu(&m, &pmu, 100);
	assert_true(lp_metrics_get(&m, "cycles_per_op") == 5);
	assert_true(lp_metrics_get(&m, "cycles_per_op_enabled_ns") == 900);
	assert_true(lp_metrics_get(&m, "cycles_per_op_running_ns") == 300);
	assert_true(lp_metrics_get(&m, "page_faults") == 7);
	assert_true(lp_metrics_get(&m, "page_faults_user_only") == 1);
	assert_true(isnan(lp_metrics_get(&m, "page_faults_enabled_ns")));
	assert_true(isnan(lp_metrics_get(&m, "instructions_per_op")));
	lp_metrics_destroy(&m);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shared_counter_says_how_long_it_ran),
		cmocka_unit_test(cpu_lists_keep_their_order),
		cmocka_unit_test(bad_cpu_lists_say_what_is_wrong),
		cmocka_unit_test(nodes_of_workers_come_first),
		cmocka_unit_test(options_are_taken),
		cmocka_unit_test(bad_options_are_refused_with_one_line),
		cmocka_unit_test(the_document_has_row_facts_and_details),
		cmocka_unit_test(other_than_one_row_is_refused),
		cmocka_unit_test(a_file_is_written_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
