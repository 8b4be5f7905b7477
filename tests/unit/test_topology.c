// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machines of every kind that is known to break benchmarks, read from files: memory-less and
 * CPU-less nodes, gaps in numbers, offline and forbidden CPUs, cores of several kinds, and more
 * CPUs than a cpu_set_t holds.
 */
#include "tests/unit/topology_make.h"

#include <hwloc/distances.h>
#include <string.h>

#define DATA LP_TEST_DATA "/topology/"

static const struct lp_topology_cpu *cpu(const struct lp_topology *t, int os)
{
	const struct lp_topology_cpu *found = lp_topology_find(t, os);

	if (!found)
		fail_msg("no CPU %d", os);
	return found;
}

static int node_os(const struct lp_topology *t, int index)
{
	assert_in_range(index, 0, t->nnodes - 1);
	return t->node[index].os;
}

static const struct lp_topology_node *node(const struct lp_topology *t, int os)
{
	for (int i = 0; i < t->nnodes; i++)
		if (t->node[i].os == os)
			return &t->node[i];
	fail_msg("no node %d", os);
	return NULL;
}

static void test_memoryless_and_cpuless_nodes(void **state)
{
	struct lp_topology t;

	load_file(&t, DATA "four_nodes.xml");
	assert_int_equal(t.ncpus, 8);
	assert_int_equal(t.nnodes, 4);
	assert_int_equal(t.cores, 4);
	assert_int_equal(t.packages, 2);
	assert_int_equal(t.kinds, 1);
	assert_false(t.live);
	assert_int_equal(node(&t, 0)->cpus, 4);
	assert_int_equal(node(&t, 1)->cpus, 2);
	assert_int_equal(node(&t, 1)->memory_bytes, 263561216);
	assert_int_equal(node(&t, 2)->cpus, 2);
	assert_int_equal(node(&t, 2)->memory_bytes, 0);
	assert_int_equal(node(&t, 3)->cpus, 0);
	assert_int_equal(node(&t, 3)->memory_bytes, 263217152);
	assert_int_equal(node_os(&t, cpu(&t, 5)->own_node), 1);
	/* From node 2, node 1 is at 12, node 0 at 21 and node 3 at 31. */
	assert_int_equal(node_os(&t, cpu(&t, 6)->own_node), 2);
	assert_int_equal(node_os(&t, cpu(&t, 6)->node), 1);
	assert_int_equal(cpu(&t, 7)->smt, 1);
	/* First threads of a node's cores first; the node without memory last. */
	ASSERT_USABLE(&t, 0, 2, 1, 3, 4, 5, 6, 7);
	lp_topology_free(&t);
}

static void test_distances_follow_the_order_of_nodes(void **state)
{
	static const unsigned wanted[4][4] = {
		{10, 21, 21, 31}, {21, 10, 12, 17}, {21, 12, 10, 31}, {31, 17, 31, 10}};
	struct lp_topology t;

	load_file(&t, DATA "four_nodes.xml");
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			assert_int_equal(t.distance[i * 4 + j], wanted[t.node[i].os][t.node[j].os]);
	lp_topology_free(&t);
}

static void test_offline_and_forbidden_cpus(void **state)
{
	struct lp_topology t;
	char text[64];

	load_file(&t, DATA "offline.xml");
	assert_int_equal(t.ncpus, 3);
	assert_null(lp_topology_find(&t, 0));
	assert_int_equal(cpu(&t, 1)->smt, 0);
	assert_false(cpu(&t, 3)->allowed);
	assert_int_equal(node_os(&t, cpu(&t, 2)->node), 5);
	assert_int_equal(t.distance[0], 10);
	ASSERT_USABLE(&t, 1, 2);
	lp_topology_allowed_text(&t, text, sizeof(text));
	assert_string_equal(text, "1-2");
	lp_topology_free(&t);
}

static void test_numbers_with_gaps_say_nothing(void **state)
{
	struct lp_topology t;

	/* Siblings are 0 and 8, 4 and 12; the second node is numbered lower than the first. */
	load_synthetic(&t,
		"pack:2 numa:1(memory=1073741824 indexes=7,4) core:2 "
		"pu:2(indexes=0,8,4,12,2,10,6,14)",
		NULL);
	assert_int_equal(t.nnodes, 2);
	assert_int_equal(node_os(&t, cpu(&t, 0)->node), 7);
	assert_int_equal(node_os(&t, cpu(&t, 2)->node), 4);
	assert_int_equal(cpu(&t, 0)->core, cpu(&t, 8)->core);
	assert_int_equal(cpu(&t, 8)->smt, 1);
	assert_int_not_equal(cpu(&t, 0)->core, cpu(&t, 4)->core);
	assert_int_not_equal(cpu(&t, 0)->package, cpu(&t, 2)->package);
	/* hwloc sorts nodes by number, and so does the order of CPUs. */
	if (t.node[0].os == 4)
		ASSERT_USABLE(&t, 2, 6, 10, 14, 0, 4, 8, 12);
	else
		ASSERT_USABLE(&t, 0, 4, 8, 12, 2, 6, 10, 14);
	/* The source tells no distances. */
	assert_int_equal(t.distance[1], 0);
	lp_topology_free(&t);
}

static void test_more_cpus_than_a_fixed_set(void **state)
{
	struct lp_topology t;
	int *os_cpu;

	load_synthetic(&t, "pack:64 numa:1(memory=1073741824) core:16 pu:2", NULL);
	assert_int_equal(t.ncpus, 2048);
	assert_int_equal(t.nnodes, 64);
	assert_int_equal(t.cores, 1024);
	assert_true(cpu(&t, 2047)->allowed);
	assert_int_equal(node_os(&t, cpu(&t, 2047)->node), 63);
	os_cpu = calloc(2048, sizeof(*os_cpu));
	assert_int_equal(lp_topology_usable(&t, os_cpu), 2048);
	for (int i = 0; i < 2048; i++) {
		assert_int_equal(cpu(&t, os_cpu[i])->node, i / 32);
		assert_int_equal(cpu(&t, os_cpu[i])->smt, i % 32 / 16);
	}
	free(os_cpu);
	lp_topology_free(&t);
}

static void keep_every_third_cpu(hwloc_topology_t topo)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	for (unsigned os = 0; os < 2048; os += 3)
		hwloc_bitmap_set(set, os);
	assert_int_equal(hwloc_topology_allow(topo, set, NULL, HWLOC_ALLOW_FLAG_CUSTOM), 0);
	hwloc_bitmap_free(set);
}

static void test_long_list_of_allowed_cpus_is_cut(void **state)
{
	struct lp_topology t;
	char text[24], tiny[8];

	load_synthetic(&t, "pack:64 numa:1 core:16 pu:2", keep_every_third_cpu);
	lp_topology_allowed_text(&t, text, sizeof(text));
	assert_string_equal(text, "0,3,6,9,12,15,18,21…");
	lp_topology_allowed_text(&t, tiny, sizeof(tiny));
	assert_string_equal(tiny, "0,3…");
	lp_topology_free(&t);
}

static void allow_no_first_thread_of_core_0(hwloc_topology_t topo)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	hwloc_bitmap_list_sscanf(set, "1-3");
	assert_int_equal(hwloc_topology_allow(topo, set, NULL, HWLOC_ALLOW_FLAG_CUSTOM), 0);
	hwloc_bitmap_free(set);
}

static void test_a_lone_second_thread_counts_as_its_core(void **state)
{
	struct lp_topology t;

	/* Cores are {0, 1} and {2, 3}: without CPU 0, CPU 1 has its core for itself. */
	load_synthetic(
		&t, "numa:1(memory=1073741824) core:2 pu:2", allow_no_first_thread_of_core_0);
	assert_int_equal(cpu(&t, 1)->smt, 1);
	assert_int_equal(cpu(&t, 1)->turn, 0);
	assert_false(cpu(&t, 0)->allowed);
	ASSERT_USABLE(&t, 1, 2, 3);
	lp_topology_free(&t);
}

static void add_kinds(hwloc_topology_t topo)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	hwloc_bitmap_list_sscanf(set, "0-3");
	assert_int_equal(hwloc_cpukinds_register(topo, set, 9, 0, NULL, 0), 0);
	hwloc_bitmap_list_sscanf(set, "4-9");
	assert_int_equal(hwloc_cpukinds_register(topo, set, 2, 0, NULL, 0), 0);
	hwloc_bitmap_free(set);
}

static void add_kinds_and_forbid_small_cores(hwloc_topology_t topo)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	add_kinds(topo);
	hwloc_bitmap_list_sscanf(set, "0-7");
	assert_int_equal(hwloc_topology_allow(topo, set, NULL, HWLOC_ALLOW_FLAG_CUSTOM), 0);
	hwloc_bitmap_free(set);
}

static void test_kinds_of_cores_are_never_mixed(void **state)
{
	struct lp_topology t;

	load_synthetic(&t, "numa:1(memory=1073741824) core:10 pu:1", add_kinds);
	assert_int_equal(t.kinds, 2);
	assert_true(cpu(&t, 0)->kind > cpu(&t, 4)->kind);
	ASSERT_USABLE(&t, 4, 5, 6, 7, 8, 9);
	lp_topology_free(&t);
	/* Four of each: the faster ones. */
	load_synthetic(
		&t, "numa:1(memory=1073741824) core:10 pu:1", add_kinds_and_forbid_small_cores);
	ASSERT_USABLE(&t, 0, 1, 2, 3);
	lp_topology_free(&t);
}

static void test_one_cpu_and_no_cores_told(void **state)
{
	struct lp_topology t;

	load_synthetic(&t, "pu:1", NULL);
	assert_int_equal(t.ncpus, 1);
	assert_int_equal(t.cores, 1);
	assert_int_equal(t.packages, 1);
	assert_int_equal(t.nnodes, 1);
	ASSERT_USABLE(&t, 0);
	lp_topology_free(&t);
	load_synthetic(&t, "pu:3", NULL);
	assert_int_equal(t.cores, 3);
	assert_int_equal(cpu(&t, 2)->smt, 0);
	lp_topology_free(&t);
}

static void forbid_memory_of_node_0(hwloc_topology_t topo)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	hwloc_bitmap_only(set, 1);
	assert_int_equal(hwloc_topology_allow(topo, NULL, set, HWLOC_ALLOW_FLAG_CUSTOM), 0);
	hwloc_bitmap_free(set);
}

static void test_forbidden_memory_is_not_near(void **state)
{
	struct lp_topology t;

	load_synthetic(&t, "pack:2 numa:1(memory=1073741824) core:1 pu:1", forbid_memory_of_node_0);
	assert_false(node(&t, 0)->allowed);
	assert_int_equal(node_os(&t, cpu(&t, 0)->own_node), 0);
	assert_int_equal(node_os(&t, cpu(&t, 0)->node), 1);
	ASSERT_USABLE(&t, 1, 0);
	lp_topology_free(&t);
}

static void take_all_memory(hwloc_topology_t topo)
{
	for (hwloc_obj_t obj = NULL;
		(obj = hwloc_get_next_obj_by_type(topo, HWLOC_OBJ_NUMANODE, obj));)
		obj->attr->numanode.local_memory = 0;
}

static void test_no_node_has_memory(void **state)
{
	struct lp_topology t;

	load_synthetic(&t, "pack:2 numa:1 core:1 pu:1", take_all_memory);
	assert_int_equal(cpu(&t, 1)->node, -1);
	assert_int_equal(cpu(&t, 1)->own_node, 1);
	ASSERT_USABLE(&t, 0, 1);
	lp_topology_free(&t);
}

static void take_memory_of_node_0(hwloc_topology_t topo)
{
	hwloc_get_numanode_obj_by_os_index(topo, 0)->attr->numanode.local_memory = 0;
}

/* The nodes of a file can have CPUs in common: those with CPUs and those lent some by hwloc. */
static void test_of_several_nodes_the_smallest_with_memory(void **state)
{
	struct lp_topology t;

	load_synthetic(&t, "[numa(memory=1GB)] pack:2 [numa(memory=1GB)] core:1 pu:1", NULL);
	assert_int_equal(t.nnodes, 3);
	assert_int_equal(node(&t, 0)->cpus + node(&t, 1)->cpus + node(&t, 2)->cpus, 2);
	assert_int_not_equal(cpu(&t, 0)->own_node, cpu(&t, 1)->own_node);
	lp_topology_free(&t);
	load_synthetic(
		&t, "pack:1 [numa(memory=1GB)] [numa(memory=1GB)] pu:2", take_memory_of_node_0);
	assert_int_equal(node_os(&t, cpu(&t, 0)->own_node), 1);
	assert_int_equal(node(&t, 0)->cpus, 0);
	lp_topology_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memoryless_and_cpuless_nodes),
		cmocka_unit_test(test_distances_follow_the_order_of_nodes),
		cmocka_unit_test(test_offline_and_forbidden_cpus),
		cmocka_unit_test(test_numbers_with_gaps_say_nothing),
		cmocka_unit_test(test_more_cpus_than_a_fixed_set),
		cmocka_unit_test(test_long_list_of_allowed_cpus_is_cut),
		cmocka_unit_test(test_a_lone_second_thread_counts_as_its_core),
		cmocka_unit_test(test_kinds_of_cores_are_never_mixed),
		cmocka_unit_test(test_one_cpu_and_no_cores_told),
		cmocka_unit_test(test_forbidden_memory_is_not_near),
		cmocka_unit_test(test_no_node_has_memory),
		cmocka_unit_test(test_of_several_nodes_the_smallest_with_memory),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
