// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/interrupts of several machines from files, a very wide one, the running kernel's own, and
 * input that must be refused with a message that says where it went wrong.
 */
#include "common/measure/interrupts.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/compiler.h"

static struct lp_interrupts now, before;

static void read_file(struct lp_interrupts *i, const char *name)
{
	struct lp_error err = {0};
	char path[512];

	snprintf(path, sizeof(path), "%s/interrupts/%s", LP_TEST_DATA, name);
	if (lp_interrupts_read(i, path, &err))
		fail_msg("%s", err.message);
}

static int64_t sum_of(const char *name)
{
	return lp_interrupts_sum(&now, name, NULL, 0);
}

static int64_t on_cpu(const char *name, int cpu)
{
	return lp_interrupts_sum(&now, name, &cpu, 1);
}

static const char *what_of(const char *name)
{
	for (size_t l = 0; l < now.lines; l++)
		if (!strcmp(now.line[l].name, name))
			return now.line[l].what;
	fail_msg("no line %s", name);
	return "";
}

/* ---- what is read ---- */

static void test_x86(void **state)
{
	read_file(&now, "x86.txt");
	assert_int_equal(now.cpus, 2);
	assert_int_equal(now.cpu[0], 0);
	assert_int_equal(now.cpu[1], 1);
	assert_int_equal(now.lines, 9);
	assert_string_equal(now.line[0].name, "0");
	assert_string_equal(now.line[2].name, "24");
	assert_string_equal(what_of("TLB"), "TLB shootdowns");
	assert_int_equal(on_cpu("LOC", 0), 1234567);
	assert_int_equal(on_cpu("LOC", 1), 7654321);
	assert_int_equal(sum_of("CAL"), 105);
	assert_int_equal(lp_interrupts_sum(&now, "CAL", (int[]){1, 0}, 2), 105);
	assert_string_equal(lp_interrupts_function_calls(&now), "CAL");
	lp_interrupts_free(&now);
}

static void test_lines_of_the_machine_are_left_out(void **state)
{
	read_file(&now, "x86.txt");
	assert_int_equal(sum_of("ERR"), -1);
	assert_int_equal(sum_of("MIS"), -1);
	assert_int_equal(sum_of("PIN"), 0);
	lp_interrupts_free(&now);
}

static void test_with_one_cpu_too(void **state)
{
	read_file(&now, "one_cpu.txt");
	assert_int_equal(now.lines, 2);
	assert_int_equal(sum_of("4"), 44);
	assert_int_equal(sum_of("CAL"), 3);
	lp_interrupts_free(&now);
	read_file(&now, "one_cpu_aarch64.txt");
	assert_int_equal(now.lines, 2);
	assert_int_equal(sum_of("IPI1"), 6);
	lp_interrupts_free(&now);
}

static void test_cpus_with_gaps(void **state)
{
	read_file(&now, "gaps.txt");
	assert_int_equal(now.cpus, 3);
	assert_int_equal(now.cpu[1], 2);
	assert_int_equal(now.cpu[2], 5);
	assert_int_equal(on_cpu("CAL", 2), 20);
	assert_int_equal(on_cpu("CAL", 5), 50);
	assert_int_equal(on_cpu("CAL", 1), 0);
	assert_int_equal(sum_of("CAL"), 80);
	lp_interrupts_free(&now);
}

static void test_aarch64(void **state)
{
	read_file(&now, "aarch64.txt");
	assert_int_equal(now.cpus, 4);
	assert_int_equal(now.lines, 5);
	assert_string_equal(lp_interrupts_function_calls(&now), "IPI1");
	assert_int_equal(sum_of("IPI1"), 21 + 22 + 23 + 24);
	assert_int_equal(on_cpu("IPI0", 3), 290);
	assert_string_equal(what_of("IPI2"), "CPU stop interrupts");
	assert_int_equal(sum_of("FIQ"), -1);
	assert_int_equal(sum_of("Err"), -1);
	lp_interrupts_free(&now);
}

static void test_long_text_and_large_counts(void **state)
{
	read_file(&now, "wide.txt");
	assert_true(now.line[0].count[0] == UINT32_MAX);
	assert_true(now.line[0].count[1] == UINT64_MAX);
	assert_string_equal(now.line[1].name, "A_LINE_NAME_LON");
	assert_int_equal(strlen(now.line[1].what), sizeof(now.line[1].what) - 1);
	assert_memory_equal(now.line[1].what, "A description that goes on", 26);
	lp_interrupts_free(&now);
}

static void test_no_function_calls_line(void **state)
{
	read_file(&now, "wide.txt");
	assert_null(lp_interrupts_function_calls(&now));
	lp_interrupts_free(&now);
}

/* CPU c counts c in line "CAL" and 2^32 − 1 in "LOC", in the kernel's ten columns each. */
static void write_wide(const char *path, int cpus)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("          ", f);
	for (int c = 0; c < cpus; c++)
		fprintf(f, " CPU%-7d", c);
	fputs("\nLOC:", f);
	for (int c = 0; c < cpus; c++)
		fprintf(f, " %10u", UINT32_MAX);
	fputs("   Local timer interrupts\nCAL:", f);
	for (int c = 0; c < cpus; c++)
		fprintf(f, " %10d", c);
	fputs("   Function call interrupts\n", f);
	fclose(f);
}

static void test_2048_cpus(void **state)
{
	char path[] = "/tmp/lockpath-test-XXXXXX";
	struct lp_error err = {0};
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	write_wide(path, 2048);
	if (lp_interrupts_read(&now, path, &err))
		fail_msg("%s", err.message);
	unlink(path);
	assert_int_equal(now.cpus, 2048);
	assert_int_equal(now.lines, 2);
	assert_int_equal(on_cpu("CAL", 2047), 2047);
	assert_int_equal(sum_of("CAL"), 2047 * 2048 / 2);
	assert_true(sum_of("LOC") == 2048ll * UINT32_MAX);
	assert_string_equal(what_of("CAL"), "Function call interrupts");
	lp_interrupts_free(&now);
}

/* ---- differences ---- */

static void subtract_files(const char *first, const char *second)
{
	read_file(&before, first);
	read_file(&now, second);
	lp_interrupts_subtract(&now, &before);
	lp_interrupts_free(&before);
}

static void test_difference_by_line_and_cpu(void **state)
{
	subtract_files("x86.txt", "x86_later.txt");
	assert_int_equal(on_cpu("CAL", 0), 10);
	assert_int_equal(on_cpu("CAL", 1), 1);
	assert_int_equal(on_cpu("RES", 0), 0);
	assert_int_equal(on_cpu("RES", 1), 2);
	assert_int_equal(on_cpu("24", 0), 1);
	assert_int_equal(sum_of("LOC"), 33 + 79);
	/* Requested in between, and released in between. */
	assert_int_equal(sum_of("25"), 11);
	assert_int_equal(sum_of("9"), -1);
	lp_interrupts_free(&now);
}

/* CPU 2 went off line and CPU 1 came: matched by number, not by column. */
static void test_difference_when_cpus_changed(void **state)
{
	subtract_files("gaps.txt", "gaps_later.txt");
	assert_int_equal(on_cpu("CAL", 0), 3);
	assert_int_equal(on_cpu("CAL", 5), 7);
	assert_int_equal(on_cpu("CAL", 1), 11);
	assert_int_equal(sum_of("TLB"), 1);
	lp_interrupts_free(&now);
}

/* From 2^32 − 6 to 4 are ten; from 3000 to 2 is a new interrupt of the same number. */
static void test_difference_over_a_wrap(void **state)
{
	subtract_files("wrap_before.txt", "wrap_after.txt");
	assert_int_equal(on_cpu("RES", 0), 10);
	assert_int_equal(on_cpu("RES", 1), 1);
	assert_int_equal(on_cpu("33", 0), 2);
	lp_interrupts_free(&now);
}

/* ---- what is refused ---- */

static const struct {
	const char *file, *says;
} refused[] = {
	{"bad_empty.txt", "is empty"},
	{"bad_no_header.txt", "line 1 should name CPUs (CPU0 CPU1 …), but has 'CAL:'"},
	{"bad_cpu.txt", "but has 'CPUx'"},
	{"bad_cpu_range.txt", "but has 'CPU9999999"},
	{"bad_blank_header.txt", "line 1 names no CPU"},
	{"bad_short.txt", "line 3 (CAL) has 2 counts for 3 CPUs"},
	{"bad_name.txt", "line 3 has no name that ends in a colon"},
	{"bad_torn.txt", "line 3 is cut off"},
	{"bad_overflow.txt", "line 2 (CAL) has 1 counts for 3 CPUs"},
	{"bad_negative.txt", "line 2 (CAL) has 2 counts for 3 CPUs"},
	{"bad_digits.txt", "line 2 (CAL) has 2 counts for 3 CPUs"},
	{"no_such_file.txt", "No such file or directory"},
};

static void test_malformed_input_is_refused(void **state)
{
	char path[512];

	for (size_t r = 0; r < ARRAY_SIZE(refused); r++) {
		struct lp_error err = {0};

		snprintf(path, sizeof(path), "%s/interrupts/%s", LP_TEST_DATA, refused[r].file);
		assert_true(lp_interrupts_read(&now, path, &err) < 0);
		assert_true(err.code > 0);
		if (!strstr(err.message, refused[r].file) || !strstr(err.message, refused[r].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", refused[r].file, err.message,
				refused[r].says);
		assert_null(strchr(err.message, '\n'));
		/* Nothing is left to free, and freeing it is harmless. */
		assert_null(now.line);
		assert_null(now.cpu);
		lp_interrupts_free(&now);
	}
}

static void test_a_directory_is_no_file(void **state)
{
	struct lp_error err = {0};

	assert_int_equal(lp_interrupts_read(&now, "/", &err), -EIO);
	assert_non_null(strstr(err.message, "cannot be read"));
}

static void test_no_message_is_wanted(void **state)
{
	assert_int_equal(lp_interrupts_read(&now, "/nonexistent/interrupts", NULL), -ENOENT);
}

/* ---- the running kernel ---- */

static void test_this_machine(void **state)
{
	struct lp_error err = {0};

	if (access("/proc/interrupts", R_OK)) {
		print_message("/proc/interrupts cannot be read here\n");
		skip();
	}
	if (lp_interrupts_read(&before, NULL, &err) || lp_interrupts_read(&now, NULL, &err))
		fail_msg("%s", err.message);
	assert_true(now.cpus >= 1);
	assert_true(now.lines >= 1);
	lp_interrupts_subtract(&now, &before);
	for (size_t l = 0; l < now.lines; l++)
		for (size_t c = 0; c < now.cpus; c++)
			assert_true(now.line[l].count[c] < UINT32_MAX / 2);
	lp_interrupts_free(&before);
	lp_interrupts_free(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_lines_of_the_machine_are_left_out),
		cmocka_unit_test(test_with_one_cpu_too),
		cmocka_unit_test(test_cpus_with_gaps),
		cmocka_unit_test(test_aarch64),
		cmocka_unit_test(test_long_text_and_large_counts),
		cmocka_unit_test(test_no_function_calls_line),
		cmocka_unit_test(test_2048_cpus),
		cmocka_unit_test(test_difference_by_line_and_cpu),
		cmocka_unit_test(test_difference_when_cpus_changed),
		cmocka_unit_test(test_difference_over_a_wrap),
		cmocka_unit_test(test_malformed_input_is_refused),
		cmocka_unit_test(test_a_directory_is_no_file),
		cmocka_unit_test(test_no_message_is_wanted),
		cmocka_unit_test(test_this_machine),
	};

	return cmocka_run_group_tests_name("interrupts", tests, NULL, NULL);
}
