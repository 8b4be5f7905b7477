// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that are no topology, or no longer: each one refused in one line, with nothing on standard
 * error, whatever hwloc does with it.
 */
#include "tests/unit/topology_make.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define FOUR_NODES LP_TEST_DATA "/topology/four_nodes.xml"

/* Loads @xml, which is broken: one line, and nothing on standard error. */
static int load_broken(const char *xml, struct lp_error *err)
{
	int real = dup(STDERR_FILENO), rc;
	FILE *said = tmpfile();
	struct lp_topology t;
	struct stat st;

	fflush(stderr);
	dup2(fileno(said), STDERR_FILENO);
	*err = (struct lp_error){0};
	rc = lp_topology_load(&t, xml, err);
	dup2(real, STDERR_FILENO);
	close(real);
	assert_int_equal(fstat(fileno(said), &st), 0);
	fclose(said);
	if (st.st_size)
		fail_msg("%s: %ld bytes on standard error", xml, (long)st.st_size);
	if (!rc)
		lp_topology_free(&t);
	return rc;
}

static void test_missing_file(void **state)
{
	struct lp_error err;

	assert_int_equal(load_broken("/nonexistent/machine.xml", &err), -ENOENT);
	assert_string_equal(
		err.message, "/nonexistent/machine.xml: cannot be read: No such file or directory");
	assert_int_equal(load_broken("/tmp", &err), -EINVAL);
}

/* Writes the first @keep bytes of four_nodes.xml, all in reach of @damage changed, to @path. */
static size_t damaged_copy(const char *path, size_t keep, void (*damage)(char *text, size_t size))
{
	FILE *in = fopen(FOUR_NODES, "r"), *out = fopen(path, "w");
	char text[1 << 14];
	size_t size = fread(text, 1, sizeof(text), in), n = keep < size ? keep : size;

	if (damage)
		damage(text, n);
	assert_int_equal(fwrite(text, 1, n, out), n);
	fclose(in);
	fclose(out);
	return size;
}

static void assert_refused(const char *path)
{
	struct lp_error err;

	assert_int_equal(load_broken(path, &err), -EINVAL);
	assert_non_null(strstr(err.message, "not a topology that hwloc can read"));
	assert_null(strchr(err.message, '\n'));
}

/* Some of these crash hwloc 2.9: the one of 101 bytes, for example. */
static void test_truncated_files(void **state)
{
	char *path = temporary_file();
	size_t size = damaged_copy(path, SIZE_MAX, NULL);

	for (size_t n = 0; n + 200 < size; n += 101) {
		damaged_copy(path, n, NULL);
		assert_refused(path);
	}
	unlink(path);
	free(path);
}

static void replace(char *text, size_t size, const char *old, const char *new)
{
	char *at = memmem(text, size, old, strlen(old));

	assert_non_null(at);
	assert_int_equal(strlen(old), strlen(new));
	memcpy(at, new, strlen(new));
}

/* hwloc complains of this in a banner of several lines, and goes on. */
static void empty_a_cache(char *text, size_t size)
{
	replace(text, size, "complete_cpuset=\"0x00000001\"", "complete_cpuset=\"0x00000000\"");
}

/* No kernel has as many CPUs, and sets of -1 would fill gigabytes. */
static void number_a_cpu_absurdly(char *text, size_t size)
{
	replace(text, size, "\"PU\" os_index=\"3\" cpuset=\"0x00000008\"",
		"\"PU\" os_index=\"99999999\" cpuset=\"0x8\"");
}

static void rename_numa_nodes(char *text, size_t size)
{
	for (int i = 0; i < 4; i++)
		replace(text, size, "type=\"NUMANode\" os_index", "type=\"NUMANodX\" os_index");
}

static void test_files_that_contradict_themselves(void **state)
{
	char *path = temporary_file();

	damaged_copy(path, SIZE_MAX, empty_a_cache);
	assert_refused(path);
	damaged_copy(path, SIZE_MAX, number_a_cpu_absurdly);
	assert_refused(path);
	damaged_copy(path, SIZE_MAX, rename_numa_nodes);
	assert_refused(path);
	unlink(path);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_truncated_files),
		cmocka_unit_test(test_files_that_contradict_themselves),
	};

	return cmocka_run_group_tests_name("topology_files", tests, NULL, NULL);
}
