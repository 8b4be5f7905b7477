// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: hwloc_linux_read_path_as_cpumask hwloc_get_cpubind
 *
 * The running machine: its mask, the files that settle which node a CPU is on. HWLOC_THISSYSTEM
 * makes hwloc take a file for the running machine.
 */
#include "tests/unit/topology_make.h"

#include <errno.h>
#include <hwloc/linux.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#define FOUR_NODES LP_TEST_DATA "/topology/four_nodes.xml"

/* ---- what the machine says, replaced ---- */

static bool cpubind_fails;
static const char *(*cpumap)(const char *path); /* the list of CPUs in @path, NULL: no such file */

int __real_hwloc_get_cpubind(hwloc_topology_t topo, hwloc_cpuset_t set, int flags);
int __wrap_hwloc_get_cpubind(hwloc_topology_t topo, hwloc_cpuset_t set, int flags);
int __real_hwloc_linux_read_path_as_cpumask(const char *path, hwloc_bitmap_t set);
int __wrap_hwloc_linux_read_path_as_cpumask(const char *path, hwloc_bitmap_t set);

int __wrap_hwloc_get_cpubind(hwloc_topology_t topo, hwloc_cpuset_t set, int flags)
{
	if (cpubind_fails)
		return -1;
	return __real_hwloc_get_cpubind(topo, set, flags);
}

int __wrap_hwloc_linux_read_path_as_cpumask(const char *path, hwloc_bitmap_t set)
{
	if (!cpumap)
		return __real_hwloc_linux_read_path_as_cpumask(path, set);
	return cpumap(path) ? hwloc_bitmap_list_sscanf(set, cpumap(path)) : -1;
}

static int as_it_is(void **state)
{
	cpubind_fails = false;
	cpumap = NULL;
	unsetenv("HWLOC_THISSYSTEM");
	return 0;
}

/* ---- this machine ---- */

/* The CPUs of the calling thread's mask by the kernel's own account, in a set of 64 Ki. */
static size_t mask(cpu_set_t **set)
{
	size_t size = CPU_ALLOC_SIZE(1 << 16);

	*set = CPU_ALLOC(1 << 16);
	assert_int_equal(sched_getaffinity(0, size, *set), 0);
	return size;
}

static void test_this_machine(void **state)
{
	struct lp_topology t;
	cpu_set_t *set;
	size_t size = mask(&set);
	int allowed = 0;

	load_file(&t, NULL);
	assert_true(t.live);
	assert_int_equal(t.ncpus, sysconf(_SC_NPROCESSORS_ONLN));
	for (int i = 0; i < t.ncpus; i++) {
		assert_int_equal(t.cpu[i].allowed, !!CPU_ISSET_S((size_t)t.cpu[i].os, size, set));
		assert_in_range(t.cpu[i].node, 0, t.nnodes - 1);
		assert_true(t.node[t.cpu[i].node].memory_bytes > 0);
		allowed += t.cpu[i].allowed;
	}
	assert_int_equal(allowed, CPU_COUNT_S(size, set));
	CPU_FREE(set);
	lp_topology_free(&t);
}

/* In a child, because a mask is for life: everything but the last allowed CPU is given away. */
static void test_taskset_to_one_cpu(void **state)
{
	pid_t child = fork();
	int status;

	if (!child) {
		cpu_set_t *set;
		size_t size = mask(&set), last = 1 << 16;
		struct lp_topology t;
		char text[16], wanted[16];

		while (!CPU_ISSET_S(--last, size, set))
			;
		CPU_ZERO_S(size, set);
		CPU_SET_S(last, size, set);
		sched_setaffinity(0, size, set);
		CPU_FREE(set);
		if (lp_topology_load(&t, NULL, NULL))
			_exit(1);
		lp_topology_allowed_text(&t, text, sizeof(text));
		snprintf(wanted, sizeof(wanted), "%zu", last);
		_exit(strcmp(text, wanted) || t.ncpus != sysconf(_SC_NPROCESSORS_ONLN) ? 2 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_a_mask_that_cannot_be_had_forbids_nothing(void **state)
{
	struct lp_topology t;

	setenv("HWLOC_THISSYSTEM", "1", 1);
	cpubind_fails = true;
	load_file(&t, FOUR_NODES);
	for (int i = 0; i < t.ncpus; i++)
		assert_true(t.cpu[i].allowed);
	lp_topology_free(&t);
}

/* ---- a file taken for this machine ---- */

/* Other than what hwloc makes of it: node 3 is the one with CPUs 4 and 5, and node 1 has none. */
static const char *swapped_cpumap(const char *path)
{
	static const char *const list[] = {"0-3", "", "6-7", "4-5"};
	unsigned os;

	if (sscanf(path, "/sys/devices/system/node/node%u/cpumap", &os) != 1 || os > 3)
		return NULL;
	return list[os];
}

static const char *no_cpumap(const char *path)
{
	return NULL;
}

static int own_node_of_cpu_4(void)
{
	struct lp_topology t;
	int os;

	setenv("HWLOC_THISSYSTEM", "1", 1);
	load_file(&t, FOUR_NODES);
	assert_true(t.live);
	os = t.node[lp_topology_find(&t, 4)->own_node].os;
	lp_topology_free(&t);
	return os;
}

static void test_the_kernel_settles_which_node_a_cpu_is_on(void **state)
{
	cpumap = swapped_cpumap;
	assert_int_equal(own_node_of_cpu_4(), 3);
}

static void test_without_the_kernel_hwloc_does(void **state)
{
	cpumap = no_cpumap;
	assert_int_equal(own_node_of_cpu_4(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_this_machine, as_it_is),
		cmocka_unit_test_setup(test_taskset_to_one_cpu, as_it_is),
		cmocka_unit_test_setup(test_a_mask_that_cannot_be_had_forbids_nothing, as_it_is),
		cmocka_unit_test_setup(test_the_kernel_settles_which_node_a_cpu_is_on, as_it_is),
		cmocka_unit_test_setup(test_without_the_kernel_hwloc_does, as_it_is),
	};

	return cmocka_run_group_tests_name("topology_live", tests, NULL, as_it_is);
}
