// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The facts of the machine and the build, gathered from proc and sys into one JSON object.
 *
 * Nothing identifies the machine or its user: no host name, no path, and of the kernel's command
 * line only the parameters that are known to change performance. Whatever cannot be read is null,
 * with its reason under "absent".
 */
#include "common/machine/facts.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <hwloc.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/machine/facts_files.h"

/* Parameters of the kernel's command line that are kept. */
static const char *const kept_parameters[] = {
	"isolcpus", "nohz_full", "nohz", "rcu_nocbs", "mitigations", "spectre_v2", "pti", "nopti",
	"nosmt", "maxcpus", "nr_cpus", "numa", "numa_balancing", "transparent_hugepage", "hugepages",
	"intel_pstate", "amd_pstate", "cpufreq.default_governor", "intel_idle.max_cstate",
	"processor.max_cstate", "idle", "tsc", "clocksource", "preempt", "nowatchdog",
	"nmi_watchdog", "skew_tick", "threadirqs", "irqaffinity", "cgroup_disable", "psi",
};

static bool parameter_kept(const char *word)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < sizeof(kept_parameters) / sizeof(*kept_parameters); i++)
		if (strlen(kept_parameters[i]) == n && !strncmp(kept_parameters[i], word, n))
			return true;
	return false;
}

static void add_command_line(struct lp_facts *f)
{
	char line[4096], *rest = line, *word;
	json_t *kept = json_array();

	if (lp_facts_read(f, "/proc/cmdline", line, sizeof(line))) {
		json_decref(kept);
		lp_facts_absent(f, "kernel_parameters", "/proc/cmdline cannot be read");
		return;
	}
	while ((word = strsep(&rest, " \n")))
		if (parameter_kept(word))
			json_array_append_new(kept, json_string(word));
	json_object_set_new(f->facts, "kernel_parameters", kept);
}

/* One file, one fact. */
static const struct {
	const char *key, *path;
	bool number;
} files[] = {
	{"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", false},
	{"frequency_driver", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", false},
	{"min_khz", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq", true},
	{"max_khz", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", true},
	{"boost", "/sys/devices/system/cpu/cpufreq/boost", true},
	{"intel_no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", true},
	{"smt", "/sys/devices/system/cpu/smt/control", false},
	{"isolated_cpus", "/sys/devices/system/cpu/isolated", false},
	{"nohz_full_cpus", "/sys/devices/system/cpu/nohz_full", false},
	{"clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource", false},
	{"transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled", false},
	{"numa_balancing", "/proc/sys/kernel/numa_balancing", true},
	{"nmi_watchdog", "/proc/sys/kernel/nmi_watchdog", true},
	{"perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid", true},
	{"hypervisor_type", "/sys/hypervisor/type", false},
	{"product", "/sys/devices/virtual/dmi/id/product_name", false},
};

static void add_files(struct lp_facts *f)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char text[256];
		int rc = lp_facts_read(f, files[i].path, text, sizeof(text));

		if (rc)
			lp_facts_absent(f, files[i].key, strerror(-rc));
		else if (files[i].number)
			json_object_set_new(f->facts, files[i].key, json_integer(atoll(text)));
		else
			json_object_set_new(f->facts, files[i].key, lp_facts_string(text));
	}
}

static void add_cpuinfo(struct lp_facts *f)
{
	static const struct {
		const char *key, *field;
	} wanted[] = {{"cpu", "model name"}, {"cpu_vendor", "vendor_id"}, {"cpu_family", "cpu family"},
		{"cpu_model", "model"}, {"cpu_stepping", "stepping"}, {"microcode", "microcode"},
		{"cpu_part", "CPU part"}, {"cpu_implementer", "CPU implementer"}};
	char value[4096];

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (lp_facts_cpuinfo(f, wanted[i].field, value, sizeof(value)))
			lp_facts_absent(f, wanted[i].key, "not in /proc/cpuinfo");
		else
			json_object_set_new(f->facts, wanted[i].key, lp_facts_string(value));
	}
	if (!lp_facts_cpuinfo(f, "flags", value, sizeof(value)))
		json_object_set_new(
			f->facts, "virtual_machine", json_boolean(strstr(value, "hypervisor")));
	else
		lp_facts_absent(f, "virtual_machine", "/proc/cpuinfo has no flags");
}

/* ---- what the topology knows ---- */

static json_t *nodes_to_json(const struct lp_topology *t)
{
	json_t *nodes = json_array();

	for (int i = 0; i < t->nnodes; i++) {
		json_t *distances = json_array();

		for (int j = 0; j < t->nnodes; j++)
			json_array_append_new(
				distances, json_integer(t->distance[i * t->nnodes + j]));
		json_array_append_new(nodes,
			json_pack("{s:i, s:I, s:i, s:b, s:o}", "os", t->node[i].os, "memory_mib",
				(json_int_t)(t->node[i].memory_bytes >> 20), "cpus", t->node[i].cpus,
				"allowed", t->node[i].allowed, "distances", distances));
	}
	return nodes;
}

static void add_topology(struct lp_facts *f, const struct lp_topology *t)
{
	char allowed[512];
	int usable = 0;

	for (int i = 0; i < t->ncpus; i++)
		usable += t->cpu[i].allowed;
	lp_topology_allowed_text(t, allowed, sizeof(allowed));
	json_object_set_new(f->facts, "cpus_online", json_integer(t->ncpus));
	json_object_set_new(f->facts, "cpus_allowed", json_integer(usable));
	json_object_set_new(f->facts, "cpus_allowed_list", json_string(allowed));
	json_object_set_new(f->facts, "cores", json_integer(t->cores));
	json_object_set_new(f->facts, "packages", json_integer(t->packages));
	json_object_set_new(f->facts, "core_kinds", json_integer(t->kinds));
	json_object_set_new(f->facts, "nodes", nodes_to_json(t));
}

/* ---- kernel, libraries, build ---- */

static void add_kernel(struct lp_facts *f)
{
	struct utsname uts;

	uname(&uts);
	json_object_set_new(f->facts, "kernel", lp_facts_string(uts.release));
	json_object_set_new(f->facts, "kernel_build", lp_facts_string(uts.version));
	json_object_set_new(f->facts, "architecture", lp_facts_string(uts.machine));
	json_object_set_new(f->facts, "page_bytes", json_integer(sysconf(_SC_PAGESIZE)));
	json_object_set_new(f->facts, "memory_mib",
		json_integer((json_int_t)sysconf(_SC_PHYS_PAGES) *
			     (sysconf(_SC_PAGESIZE) >> 10) >> 10));
}

static json_t *version_pair(unsigned major, unsigned minor)
{
	char text[32];

	snprintf(text, sizeof(text), "%u.%u", major, minor);
	return json_string(text);
}

static void add_build(struct lp_facts *f)
{
	unsigned hwloc = hwloc_get_api_version();
	int pfm = pfm_get_version();

	json_object_set_new(f->facts, "lockpath", json_string(LOCKPATH_VERSION));
	json_object_set_new(f->facts, "build",
		json_pack("{s:s, s:s, s:s}", "compiler", LOCKPATH_COMPILER, "type",
			LOCKPATH_BUILD_TYPE, "sanitizer", LOCKPATH_SANITIZE));
	json_object_set_new(f->facts, "libraries",
		json_pack("{s:s, s:s, s:o, s:o}", "libc", gnu_get_libc_version(), "jansson",
			jansson_version_str(), "hwloc",
			version_pair(hwloc >> 16, (hwloc >> 8) & 0xff), "libpfm",
			version_pair((unsigned)PFM_MAJ_VERSION(pfm), (unsigned)PFM_MIN_VERSION(pfm))));
}

json_t *lp_facts_collect(const struct lp_topology *t, const char *root)
{
	struct lp_facts f = {.root = root, .facts = json_object(), .absent = json_object()};

	add_kernel(&f);
	add_cpuinfo(&f);
	add_topology(&f, t);
	add_files(&f);
	add_command_line(&f);
	lp_facts_caches(&f);
	lp_facts_vulnerabilities(&f);
	add_build(&f);
	json_object_set_new(f.facts, "absent", f.absent);
	return f.facts;
}

/* ---- headline ---- */

static const char *text_of(const json_t *facts, const char *key, const char *otherwise)
{
	const char *text = json_string_value(json_object_get(facts, key));

	return text && *text ? text : otherwise;
}

void lp_facts_headline(const json_t *facts, char *text, size_t size)
{
	long long online = json_integer_value(json_object_get(facts, "cpus_online"));
	long long allowed = json_integer_value(json_object_get(facts, "cpus_allowed"));
	size_t nodes = json_array_size(json_object_get(facts, "nodes"));

	snprintf(text, size,
		"%s, %lld CPUs (%lld used by this process at most), %lld cores, %zu node%s, %lld MiB\n"
		"Linux %s, %s, governor %s, clock source %s",
		text_of(facts, "cpu", text_of(facts, "architecture", "unknown CPU")), online, allowed,
		json_integer_value(json_object_get(facts, "cores")), nodes, nodes == 1 ? "" : "s",
		json_integer_value(json_object_get(facts, "memory_mib")),
		text_of(facts, "kernel", "unknown"),
		json_is_true(json_object_get(facts, "virtual_machine")) ? "virtual machine"
									 : "no hypervisor seen",
		text_of(facts, "governor", "unknown"), text_of(facts, "clock_source", "unknown"));
}
