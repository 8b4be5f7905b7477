// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Facts of the machine that runs the tests, with memory running out at every allocation in turn,
 * and the two lines made of them.
 */
#include "tests/unit/fake_root.h"

#include "common/machine/facts.h"

/* ---- memory that runs out ---- */

static long outstanding, allowed = -1; /* allowed: allocations until one fails; negative: all */

static void *counted_malloc(size_t size)
{
	if (allowed >= 0 && allowed-- == 0)
		return NULL;
	outstanding++;
	return malloc(size);
}

static void counted_free(void *at)
{
	outstanding -= at != NULL;
	free(at);
}

static void load(struct lp_topology *t, const char *xml)
{
	struct lp_error err;

	if (lp_topology_load(t, xml, &err))
		fail_msg("%s", err.message);
}

static void make_machine(char root[64])
{
	fake_root_make(root);
	fake_root_text(root, "/proc/cpuinfo", "model name : Test CPU\nflags : fpu lm\n");
	fake_root_text(root, "/proc/cmdline", "nosmt mitigations=off quiet\n");
	fake_root_text(root, "/proc/meminfo", "MemTotal: 1048576 kB\n");
	fake_root_text(root, "/sys/hypervisor/type", "x\xfey\n");
	fake_root_text(root, "/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
	fake_root_text(root, "/sys/devices/system/cpu/cpu0/cache/index1/level", "2\n");
	fake_root_text(root, "/sys/devices/system/cpu/vulnerabilities/mds", "Not affected\n");
	fake_root_text(root, "/sys/devices/system/cpu/vulnerabilities/l1tf/x", "");
}

/* Collects with the @fail_at th allocation failing. Return: whether one failed. */
static bool collect_failing(const struct lp_topology *t, const char *root, long fail_at,
	const json_t *whole, long *refused)
{
	json_t *facts;
	bool failed;

	outstanding = 0;
	allowed = fail_at;
	facts = lp_facts_collect(t, root);
	failed = allowed < 0;
	allowed = -1;
	if (facts && !json_equal(facts, whole))
		fail_msg("facts are missing after allocation %ld failed", fail_at);
	*refused += !facts;
	json_decref(facts);
	if (outstanding)
		fail_msg("%ld blocks lost after allocation %ld failed", outstanding, fail_at);
	return failed;
}

/* Each allocation fails once: all the facts or none, and no memory is lost. */
static void test_out_of_memory(void **state)
{
	struct lp_topology t;
	long refused = 0, fail_at = 0;
	json_t *whole;
	char root[64];

	make_machine(root);
	load(&t, LP_TEST_DATA "/topology/four_nodes.xml");
	whole = lp_facts_collect(&t, root);
	assert_non_null(whole);
	json_set_alloc_funcs(counted_malloc, counted_free);
	while (collect_failing(&t, root, fail_at, whole, &refused))
		fail_at++;
	json_set_alloc_funcs(malloc, free);
	assert_true(refused > 100);
	json_decref(whole);
	lp_topology_free(&t);
	fake_root_remove(root);
}

/* ---- this machine ---- */

static void test_this_machine(void **state)
{
	struct lp_topology t;
	json_t *facts, *again;
	char *text;

	load(&t, NULL);
	facts = lp_facts_collect(&t, "");
	assert_non_null(facts);
	text = json_dumps(facts, 0);
	again = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_true(json_equal(facts, again));
	assert_int_equal(json_integer_value(json_object_get(facts, "cpus_online")),
		sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(json_integer_value(json_object_get(facts, "memory_mib")) > 0);
	assert_string_equal(json_string_value(json_object_get(facts, "topology")), "this machine");
	json_decref(again);
	/* Nothing depends on when it is asked. */
	again = lp_facts_collect(&t, "");
	assert_true(json_equal(facts, again));
	json_decref(again);
	json_decref(facts);
	free(text);
	lp_topology_free(&t);
}

/* ---- two lines ---- */

static void assert_headline(const char *json, const char *wanted)
{
	json_t *facts = json_loads(json, 0, NULL);
	char text[1024];

	assert_non_null(facts);
	lp_facts_headline(facts, text, sizeof(text));
	assert_string_equal(text, wanted);
	json_decref(facts);
}

static void test_headline(void **state)
{
	assert_headline("{\"cpu\": \"Test CPU\", \"cpus_online\": 8, \"cpus_allowed\": 2,"
			"\"cores\": 4, \"nodes\": [{}, {}], \"memory_mib\": 4096,"
			"\"kernel\": \"6.1.0\", \"virtual_machine\": true,"
			"\"governor\": \"performance\", \"clock_source\": \"tsc\"}",
		"Test CPU: 8 CPUs (2 allowed), 4 cores, 2 nodes, 4096 MiB\n"
		"Linux 6.1.0, virtual machine, governor performance, clock source tsc");
	assert_headline("{\"cpu\": null, \"architecture\": \"aarch64\", \"cpus_online\": 1,"
			"\"cpus_allowed\": 1, \"cores\": 1, \"nodes\": [{}],"
			"\"memory_mib\": null, \"virtual_machine\": false}",
		"aarch64: 1 CPU (1 allowed), 1 core, 1 node, ? MiB\n"
		"Linux unknown, no hypervisor, governor unknown, clock source unknown");
	assert_headline("{}", "unknown CPU: ? CPUs (? allowed), ? cores, ? nodes, ? MiB\n"
			      "Linux unknown, hypervisor unknown, governor unknown, "
			      "clock source unknown");
}

static void test_headline_is_two_lines_of_any_file(void **state)
{
	assert_headline("{\"cpu\": \"a\\nb\", \"kernel\": \"c\\r\\u0001d\"}",
		"a b: ? CPUs (? allowed), ? cores, ? nodes, ? MiB\n"
		"Linux c  d, hypervisor unknown, governor unknown, clock source unknown");
}

static void test_headline_is_cut(void **state)
{
	json_t *facts = json_object();
	char text[16];

	memset(text, 'x', sizeof(text));
	lp_facts_headline(facts, text, 8);
	assert_string_equal(text, "unknown");
	assert_int_equal(text[8], 'x');
	json_decref(facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_out_of_memory),
		cmocka_unit_test(test_this_machine),
		cmocka_unit_test(test_headline),
		cmocka_unit_test(test_headline_is_two_lines_of_any_file),
		cmocka_unit_test(test_headline_is_cut),
	};

	return cmocka_run_group_tests_name("facts_machine", tests, NULL, NULL);
}
