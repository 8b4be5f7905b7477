// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: uname
 *
 * Facts of a machine made of files: each one where it belongs, what is missing null with its
 * reason, and nothing that names the machine, its user or a folder.
 */
#include "tests/unit/fake_root.h"

#include <jansson.h>
#include <sys/utsname.h>

#include "common/machine/facts.h"

#define CPU_FOLDER "/sys/devices/system/cpu"

int __wrap_uname(struct utsname *uts);

int __wrap_uname(struct utsname *uts)
{
	*uts = (struct utsname){.sysname = "Linux",
		.nodename = "hostname-of-the-test",
		.release = "6.1.0-test",
		.version = "#1 SMP TEST",
		.machine = "x86_64"};
	return 0;
}

/* CPUs 1 and 2 are allowed, CPU 0 is offline, CPU 3 forbidden; the node has number 5. */
struct machine {
	char root[64];
	struct lp_topology topology;
	json_t *facts;
};

static int set_up(void **state)
{
	static struct machine m;
	struct lp_error err;

	m = (struct machine){0};
	fake_root_make(m.root);
	if (lp_topology_load(&m.topology, LP_TEST_DATA "/topology/offline.xml", &err))
		fail_msg("%s", err.message);
	*state = &m;
	return 0;
}

static int tear_down(void **state)
{
	struct machine *m = *state;

	json_decref(m->facts);
	lp_topology_free(&m->topology);
	fake_root_remove(m->root);
	return 0;
}

static const json_t *collect(struct machine *m)
{
	json_decref(m->facts);
	m->facts = lp_facts_collect(&m->topology, m->root);
	assert_non_null(m->facts);
	return m->facts;
}

static void assert_text(const json_t *object, const char *key, const char *wanted)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text)
		fail_msg("'%s' is no text", key);
	if (strcmp(text, wanted))
		fail_msg("'%s' is '%s', wanted '%s'", key, text, wanted);
}

static void assert_number(const json_t *object, const char *key, json_int_t wanted)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) != wanted)
		fail_msg("'%s' is %lld, wanted %lld", key, (long long)json_integer_value(value),
			(long long)wanted);
}

static void assert_absent(const json_t *facts, const char *key, const char *reason)
{
	if (!json_is_null(json_object_get(facts, key)))
		fail_msg("'%s' is not null", key);
	assert_text(json_object_get(facts, "absent"), key, reason);
}

/* ---- each fact ---- */

static void test_processor(void **state)
{
	struct machine *m = *state;
	const json_t *facts;

	fake_root_text(m->root, "/proc/cpuinfo",
		"processor\t: 1\nvendor_id\t: AuthenticTest\ncpu family\t: 26\nmodel\t\t: 2\n"
		"model name\t: Test CPU 9000 @ 2 GHz\nstepping\t: 1\nmicrocode\t: 0xb002\n"
		"flags\t\t: fpu hypervisor lm\n\nprocessor\t: 2\nvendor_id\t: Other\n");
	facts = collect(m);
	assert_text(facts, "cpu", "Test CPU 9000 @ 2 GHz");
	assert_text(facts, "cpu_vendor", "AuthenticTest");
	assert_text(facts, "cpu_family", "26");
	assert_text(facts, "cpu_model", "2");
	assert_text(facts, "cpu_stepping", "1");
	assert_text(facts, "microcode", "0xb002");
	assert_true(json_is_true(json_object_get(facts, "virtual_machine")));
	assert_absent(facts, "cpu_part", "/proc/cpuinfo has no 'CPU part'");
	fake_root_text(m->root, "/proc/cpuinfo", "flags\t\t: fpu nohypervisor lm\n");
	assert_true(json_is_false(json_object_get(collect(m), "virtual_machine")));
}

static void test_topology(void **state)
{
	struct machine *m = *state;
	const json_t *facts = collect(m), *node;

	assert_text(facts, "topology", "a file");
	assert_number(facts, "cpus_online", 3);
	assert_number(facts, "cpus_allowed", 2);
	assert_text(facts, "cpus_allowed_list", "1-2");
	assert_number(facts, "cores", 2);
	assert_number(facts, "packages", 1);
	assert_number(facts, "core_kinds", 1);
	assert_true(json_is_true(json_object_get(facts, "smt_active")));
	assert_int_equal(json_array_size(json_object_get(facts, "nodes")), 1);
	node = json_array_get(json_object_get(facts, "nodes"), 0);
	assert_number(node, "os", 5);
	assert_number(node, "memory_mib", 1024);
	assert_number(node, "cpus", 3);
	assert_true(json_is_true(json_object_get(node, "allowed")));
	assert_int_equal(
		json_integer_value(json_array_get(json_object_get(node, "distances"), 0)), 10);
	assert_null(json_object_get(json_object_get(facts, "absent"), "nodes.distances"));
}

static void test_distances_that_nobody_tells(void **state)
{
	struct machine *m = *state;
	const json_t *facts;

	m->topology.distance[0] = 0;
	facts = collect(m);
	assert_true(json_is_null(json_array_get(
		json_object_get(json_array_get(json_object_get(facts, "nodes"), 0), "distances"),
		0)));
	assert_text(json_object_get(facts, "absent"), "nodes.distances", "the machine tells none");
}

static void test_kernel(void **state)
{
	struct machine *m = *state;
	const json_t *facts;

	fake_root_text(m->root, "/proc/meminfo", "MemTotal:        8388608 kB\nMemFree: 1 kB\n");
	facts = collect(m);
	assert_text(facts, "kernel", "6.1.0-test");
	assert_text(facts, "kernel_build", "#1 SMP TEST");
	assert_text(facts, "architecture", "x86_64");
	assert_number(facts, "page_bytes", sysconf(_SC_PAGESIZE));
	assert_number(facts, "memory_mib", 8192);
}

/* Of the CPU that a run would use first, which is not CPU 0. */
static void test_files_of_the_first_usable_cpu(void **state)
{
	struct machine *m = *state;
	const json_t *facts, *cache;

	fake_root_text(m->root, CPU_FOLDER "/cpu0/cpufreq/scaling_governor", "powersave\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cpufreq/scaling_governor", "performance\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cpufreq/scaling_driver", "acpi-cpufreq\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cpufreq/cpuinfo_min_freq", "800000\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cpufreq/cpuinfo_max_freq", "3500000\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cache/index0/level", "1\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cache/index0/type", "Data\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cache/index0/size", "32K\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cache/index0/shared_cpu_list", "0-1\n");
	fake_root_text(m->root, CPU_FOLDER "/cpu1/cache/index1/level", "3\n");
	facts = collect(m);
	assert_text(facts, "governor", "performance");
	assert_text(facts, "frequency_driver", "acpi-cpufreq");
	assert_number(facts, "min_khz", 800000);
	assert_number(facts, "max_khz", 3500000);
	assert_int_equal(json_array_size(json_object_get(facts, "caches")), 2);
	cache = json_array_get(json_object_get(facts, "caches"), 0);
	assert_text(cache, "level", "1");
	assert_text(cache, "type", "Data");
	assert_text(cache, "size", "32K");
	assert_text(cache, "shared_with_cpus", "0-1");
	assert_true(json_is_null(json_object_get(cache, "line_bytes")));
}

static void test_files_of_the_machine(void **state)
{
	static const struct {
		const char *key, *path, *text, *wanted;
	} files[] = {
		{"smt", CPU_FOLDER "/smt/control", "notsupported\n", "notsupported"},
		{"isolated_cpus", CPU_FOLDER "/isolated", "\n", ""},
		{"nohz_full_cpus", CPU_FOLDER "/nohz_full", "2-3\n", "2-3"},
		{"offline_cpus", CPU_FOLDER "/offline", "0\n", "0"},
		{"idle_driver", CPU_FOLDER "/cpuidle/current_driver", "intel_idle\n", "intel_idle"},
		{"clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			"kvm-clock\n", "kvm-clock"},
		{"transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled",
			"always [madvise] never\n", "always [madvise] never"},
		{"hypervisor_type", "/sys/hypervisor/type", "xen\n", "xen"},
		{"product", "/sys/devices/virtual/dmi/id/product_name", "Standard PC\n",
			"Standard PC"},
	};
	struct machine *m = *state;
	const json_t *facts;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		fake_root_text(m->root, files[i].path, files[i].text);
	fake_root_text(m->root, CPU_FOLDER "/cpufreq/boost", "1\n");
	fake_root_text(m->root, CPU_FOLDER "/intel_pstate/no_turbo", "0\n");
	fake_root_text(m->root, "/proc/sys/kernel/numa_balancing", "0\n");
	fake_root_text(m->root, "/proc/sys/kernel/nmi_watchdog", "1\n");
	fake_root_text(m->root, "/proc/sys/kernel/perf_event_paranoid", "-1\n");
	facts = collect(m);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		assert_text(facts, files[i].key, files[i].wanted);
	assert_number(facts, "boost", 1);
	assert_number(facts, "intel_no_turbo", 0);
	assert_number(facts, "numa_balancing", 0);
	assert_number(facts, "nmi_watchdog", 1);
	assert_number(facts, "perf_event_paranoid", -1);
}

static void test_mitigations(void **state)
{
	struct machine *m = *state;
	const json_t *facts, *all;

	fake_root_text(m->root, CPU_FOLDER "/vulnerabilities/meltdown", "Mitigation: PTI\n");
	fake_root_text(m->root, CPU_FOLDER "/vulnerabilities/mds", "Vulnerable; SMT vulnerable\n");
	/* A folder cannot be read as a file, not even by root. */
	fake_root_text(m->root, CPU_FOLDER "/vulnerabilities/srbds/x", "");
	facts = collect(m);
	all = json_object_get(facts, "mitigations");
	assert_int_equal(json_object_size(all), 3);
	assert_text(all, "meltdown", "Mitigation: PTI");
	assert_text(all, "mds", "Vulnerable; SMT vulnerable");
	assert_true(json_is_null(json_object_get(all, "srbds")));
	assert_text(json_object_get(facts, "absent"), "mitigations.srbds", "Is a directory");
}

static void test_build(void **state)
{
	const json_t *facts = collect(*state), *build = json_object_get(facts, "build");
	const json_t *libraries = json_object_get(facts, "libraries");

	assert_text(facts, "lockpath", LOCKPATH_VERSION);
	assert_text(build, "compiler", LOCKPATH_COMPILER);
	assert_text(build, "type", LOCKPATH_BUILD_TYPE);
	assert_text(build, "sanitizer", LOCKPATH_SANITIZE);
	assert_true(json_is_boolean(json_object_get(json_object_get(build, "flags"), "optimized")));
	assert_text(libraries, "jansson", jansson_version_str());
	assert_true(json_is_string(json_object_get(libraries, "hwloc_interface")));
	assert_true(json_is_string(json_object_get(libraries, "libpfm")));
	assert_true(json_is_string(json_object_get(libraries, "libc")));
	assert_number(libraries, "libnuma_interface", 2);
}

/* ---- what is missing or broken ---- */

static void test_every_null_has_a_reason_and_the_reverse(void **state)
{
	const json_t *facts = collect(*state), *absent = json_object_get(facts, "absent");
	const char *key;
	json_t *value;
	size_t nulls = 0;

	json_object_foreach ((json_t *)facts, key, value) {
		nulls += json_is_null(value);
		if (json_is_null(value) != (json_object_get(absent, key) != NULL))
			fail_msg("'%s' is null without a reason, or the reverse", key);
	}
	assert_int_equal(nulls, json_object_size(absent));
	assert_true(nulls > 25);
	assert_absent(facts, "governor",
		CPU_FOLDER "/cpu1/cpufreq/scaling_governor: No such file or directory");
	assert_absent(
		facts, "mitigations", CPU_FOLDER "/vulnerabilities: No such file or directory");
	assert_absent(facts, "kernel_parameters", "/proc/cmdline: No such file or directory");
	assert_absent(facts, "memory_mib", "/proc/meminfo: No such file or directory");
	assert_absent(facts, "caches", CPU_FOLDER " tells of no cache");
}

static void test_text_where_a_number_should_be(void **state)
{
	struct machine *m = *state;

	fake_root_text(m->root, "/proc/sys/kernel/nmi_watchdog", "on\n");
	fake_root_text(m->root, "/proc/sys/kernel/numa_balancing", "\n");
	fake_root_text(m->root, "/proc/sys/kernel/perf_event_paranoid", "99999999999999999999\n");
	collect(m);
	assert_absent(
		m->facts, "nmi_watchdog", "/proc/sys/kernel/nmi_watchdog: not a number: 'on'");
	assert_absent(
		m->facts, "numa_balancing", "/proc/sys/kernel/numa_balancing: not a number: ''");
	assert_absent(m->facts, "perf_event_paranoid",
		"/proc/sys/kernel/perf_event_paranoid: not a number: '99999999999999999999'");
}

static void test_bytes_that_are_no_text(void **state)
{
	struct machine *m = *state;

	fake_root_text(m->root, "/sys/hypervisor/type", "a\xff\"\x01z\n");
	fake_root_write(m->root, "/sys/devices/virtual/dmi/id/product_name", "x\0y", 3);
	assert_text(collect(m), "hypervisor_type", "a?\"\x01z");
	assert_text(m->facts, "product", "x");
}

static void test_a_root_that_is_too_long(void **state)
{
	struct machine *m = *state;
	char root[5000];

	/* Cut off, this would be the real root. */
	memset(root, '/', sizeof(root) - 1);
	root[sizeof(root) - 1] = '\0';
	m->facts = lp_facts_collect(&m->topology, root);
	assert_absent(m->facts, "kernel_parameters", "/proc/cmdline: File name too long");
	assert_absent(m->facts, "mitigations", CPU_FOLDER "/vulnerabilities: File name too long");
}

/* ---- what must not get out ---- */

static void test_command_line_keeps_what_is_known(void **state)
{
	static const char *const wanted[] = {"isolcpus=2-3", "nosmt", "no-kvmclock",
		"mitigations=off", "intel_idle.max_cstate=1"};
	struct machine *m = *state;
	const json_t *kept;

	fake_root_text(m->root, "/proc/cmdline",
		"BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 password=hunter2 isolcpus=2-3  nosmt\t"
		"no-kvmclock note=\"idle=poll nohlt x\" nosmtx=1 nosm ip=10.1.2.3 mitigations=off "
		"\"quoted=x\" intel_idle.max_cstate=1 -- nowatchdog --token=hunter2\n");
	kept = json_object_get(collect(m), "kernel_parameters");
	assert_int_equal(json_array_size(kept), sizeof(wanted) / sizeof(*wanted));
	for (size_t i = 0; i < json_array_size(kept); i++)
		assert_string_equal(json_string_value(json_array_get(kept, i)), wanted[i]);
}

static void test_nothing_names_the_machine(void **state)
{
	struct machine *m = *state;
	char *text;

	fake_root_text(m->root, "/proc/cmdline", "root=/dev/sda1 password=hunter2 nosmt\n");
	fake_root_text(m->root, "/proc/sys/kernel/hostname", "hostname-of-the-test\n");
	text = json_dumps(collect(m), 0);
	assert_non_null(text);
	assert_null(strstr(text, m->root));
	assert_null(strstr(text, "lp-fake-root"));
	assert_null(strstr(text, "hostname-of-the-test"));
	assert_null(strstr(text, "hunter2"));
	assert_null(strstr(text, "sda1"));
	free(text);
}

int main(void)
{
#define FACT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		FACT_TEST(test_processor),
		FACT_TEST(test_topology),
		FACT_TEST(test_distances_that_nobody_tells),
		FACT_TEST(test_kernel),
		FACT_TEST(test_files_of_the_first_usable_cpu),
		FACT_TEST(test_files_of_the_machine),
		FACT_TEST(test_mitigations),
		FACT_TEST(test_build),
		FACT_TEST(test_every_null_has_a_reason_and_the_reverse),
		FACT_TEST(test_text_where_a_number_should_be),
		FACT_TEST(test_bytes_that_are_no_text),
		FACT_TEST(test_a_root_that_is_too_long),
		FACT_TEST(test_command_line_keeps_what_is_known),
		FACT_TEST(test_nothing_names_the_machine),
	};

	return cmocka_run_group_tests_name("facts", tests, NULL, NULL);
}
