// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: hwloc_topology_init hwloc_bitmap_alloc hwloc_bitmap_copy calloc pipe2 fork
 *
 * Every call of loading a topology that can fail, made to fail: one message, and nothing kept.
 */
#include "tests/unit/topology_make.h"

#include <errno.h>
#include <string.h>

#define FOUR_NODES LP_TEST_DATA "/topology/four_nodes.xml"

/* Which call from now on fails; negative: none. */
static int calloc_fails_in = -1, bitmap_fails_in = -1, copy_fails_in = -1;
static bool init_fails, pipe_fails, fork_fails;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
hwloc_bitmap_t __real_hwloc_bitmap_alloc(void);
hwloc_bitmap_t __wrap_hwloc_bitmap_alloc(void);
int __real_hwloc_bitmap_copy(hwloc_bitmap_t to, hwloc_const_bitmap_t from);
int __wrap_hwloc_bitmap_copy(hwloc_bitmap_t to, hwloc_const_bitmap_t from);
int __real_hwloc_topology_init(hwloc_topology_t *topo);
int __wrap_hwloc_topology_init(hwloc_topology_t *topo);
int __real_pipe2(int fd[2], int flags);
int __wrap_pipe2(int fd[2], int flags);
pid_t __real_fork(void);
pid_t __wrap_fork(void);

static bool fails(int *fails_in)
{
	return *fails_in >= 0 && (*fails_in)-- == 0;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails(&calloc_fails_in) ? NULL : __real_calloc(n, size);
}

hwloc_bitmap_t __wrap_hwloc_bitmap_alloc(void)
{
	return fails(&bitmap_fails_in) ? NULL : __real_hwloc_bitmap_alloc();
}

int __wrap_hwloc_bitmap_copy(hwloc_bitmap_t to, hwloc_const_bitmap_t from)
{
	return fails(&copy_fails_in) ? -1 : __real_hwloc_bitmap_copy(to, from);
}

int __wrap_hwloc_topology_init(hwloc_topology_t *topo)
{
	return init_fails ? -1 : __real_hwloc_topology_init(topo);
}

int __wrap_pipe2(int fd[2], int flags)
{
	if (!pipe_fails)
		return __real_pipe2(fd, flags);
	errno = EMFILE;
	return -1;
}

pid_t __wrap_fork(void)
{
	if (!fork_fails)
		return __real_fork();
	errno = EAGAIN;
	return -1;
}

static int no_failures(void **state)
{
	calloc_fails_in = bitmap_fails_in = copy_fails_in = -1;
	init_fails = pipe_fails = fork_fails = false;
	return 0;
}

static void assert_load_fails(const char *xml, int code, const char *text)
{
	struct lp_error err = {0};
	struct lp_topology t;

	assert_int_equal(lp_topology_load(&t, xml, &err), -code);
	if (!strstr(err.message, text))
		fail_msg("'%s' does not say '%s'", err.message, text);
	assert_null(t.cpu);
	assert_null(t.node);
}

static void test_out_of_memory(void **state)
{
	/* Nodes, distances, sets of nodes, CPUs; a set for each node, one for the mask. */
	for (int i = 0; i < 4; i++) {
		calloc_fails_in = i;
		assert_load_fails(FOUR_NODES, ENOMEM, "no memory for ");
	}
	for (int i = 0; i < 5; i++) {
		bitmap_fails_in = i;
		assert_load_fails(FOUR_NODES, ENOMEM, "no memory for ");
	}
	for (int i = 0; i < 4; i++) {
		copy_fails_in = i;
		assert_load_fails(FOUR_NODES, ENOMEM, "no memory for the CPUs of 4 nodes");
	}
}

static void test_hwloc_does_not_start(void **state)
{
	init_fails = true;
	assert_load_fails(NULL, ENOMEM, "this machine: ");
}

static void test_a_file_cannot_be_tried(void **state)
{
	pipe_fails = true;
	assert_load_fails(FOUR_NODES, EMFILE, "four_nodes.xml: reading the topology: ");
	pipe_fails = false;
	fork_fails = true;
	assert_load_fails(FOUR_NODES, EAGAIN, "four_nodes.xml: reading the topology: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_out_of_memory, no_failures),
		cmocka_unit_test_setup(test_hwloc_does_not_start, no_failures),
		cmocka_unit_test_setup(test_a_file_cannot_be_tried, no_failures),
	};

	return cmocka_run_group_tests_name("topology_failures", tests, NULL, no_failures);
}
