// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The facts that proc and sys hold about the CPUs and the running kernel.
 *
 * One CPU's files stand for all: a machine whose allowed CPUs differ in governor or caches is
 * described by the CPU that a run uses first.
 */
#include "common/machine/facts_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compiler.h"

#define CPU_FOLDER "/sys/devices/system/cpu"

/* ---- /proc/cpuinfo ---- */

void lp_facts_cpu(struct lp_facts *f)
{
	/* The last two are Arm's, which names no model. */
	static const struct {
		const char *key, *field;
	} wanted[] = {{"cpu", "model name"}, {"cpu_vendor", "vendor_id"},
		{"cpu_family", "cpu family"}, {"cpu_model", "model"}, {"cpu_stepping", "stepping"},
		{"microcode", "microcode"}, {"cpu_part", "CPU part"},
		{"cpu_implementer", "CPU implementer"}};
	char value[8192], reason[64];

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		snprintf(reason, sizeof(reason), "/proc/cpuinfo has no '%s'", wanted[i].field);
		if (lp_facts_field(f, "/proc/cpuinfo", wanted[i].field, value, sizeof(value)))
			lp_facts_absent(f, wanted[i].key, reason);
		else
			lp_facts_set(f, wanted[i].key, lp_facts_string(value));
	}
	/* x86 alone has a CPU flag for it; elsewhere the product's name has to do. */
	if (lp_facts_field(f, "/proc/cpuinfo", "flags", value, sizeof(value)))
		lp_facts_absent(f, "virtual_machine", "/proc/cpuinfo has no 'flags'");
	else
		lp_facts_set(
			f, "virtual_machine", json_boolean(strstr(value, " hypervisor") != NULL));
}

/* ---- a file, a fact ---- */

enum form { TEXT, NUMBER };

struct single_file {
	const char *key, *path;
	enum form form;
};

/* Of the CPU, below its folder. */
static const struct single_file cpu_files[] = {
	{"governor", "cpufreq/scaling_governor", TEXT},
	{"frequency_driver", "cpufreq/scaling_driver", TEXT},
	{"min_khz", "cpufreq/cpuinfo_min_freq", NUMBER},
	{"max_khz", "cpufreq/cpuinfo_max_freq", NUMBER},
};

static const struct single_file files[] = {
	{"boost", CPU_FOLDER "/cpufreq/boost", NUMBER},
	{"intel_no_turbo", CPU_FOLDER "/intel_pstate/no_turbo", NUMBER},
	{"smt", CPU_FOLDER "/smt/control", TEXT},
	{"offline_cpus", CPU_FOLDER "/offline", TEXT},
	{"isolated_cpus", CPU_FOLDER "/isolated", TEXT},
	{"nohz_full_cpus", CPU_FOLDER "/nohz_full", TEXT},
	{"idle_driver", CPU_FOLDER "/cpuidle/current_driver", TEXT},
	{"clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource", TEXT},
	{"transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled", TEXT},
	{"numa_balancing", "/proc/sys/kernel/numa_balancing", NUMBER},
	{"nmi_watchdog", "/proc/sys/kernel/nmi_watchdog", NUMBER},
	{"perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid", NUMBER},
	{"hypervisor_type", "/sys/hypervisor/type", TEXT},
	{"product", "/sys/devices/virtual/dmi/id/product_name", TEXT},
};

static void add_number(struct lp_facts *f, const char *key, const char *path, const char *text)
{
	char *end, reason[512];
	long long number;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (end != text && !*end && !errno) {
		lp_facts_set(f, key, json_integer(number));
		return;
	}
	snprintf(reason, sizeof(reason), "%s: not a number: '%.64s'", path, text);
	lp_facts_absent(f, key, reason);
}

static void add_file(struct lp_facts *f, const char *key, const char *path, enum form form)
{
	char text[1024];
	int rc = lp_facts_read(f, path, text, sizeof(text));

	if (rc)
		lp_facts_unread(f, key, path, rc);
	else if (form == NUMBER)
		add_number(f, key, path, text);
	else
		lp_facts_set(f, key, lp_facts_string(text));
}

void lp_facts_single_files(struct lp_facts *f)
{
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(cpu_files); i++) {
		snprintf(path, sizeof(path), CPU_FOLDER "/cpu%d/%s", f->os_cpu, cpu_files[i].path);
		add_file(f, cpu_files[i].key, path, cpu_files[i].form);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		add_file(f, files[i].key, files[i].path, files[i].form);
}

/* ---- caches and vulnerabilities ---- */

/* One of the files that describe cache @index; null when it is not there. */
static json_t *cache_file(const struct lp_facts *f, int index, const char *name)
{
	char path[128], text[1024];

	snprintf(path, sizeof(path), CPU_FOLDER "/cpu%d/cache/index%d/%s", f->os_cpu, index, name);
	return lp_facts_read(f, path, text, sizeof(text)) ? json_null() : lp_facts_string(text);
}

/* Return: cache @index; JSON null behind the last one, NULL when out of memory. */
static json_t *cache_to_json(const struct lp_facts *f, int index)
{
	json_t *level = cache_file(f, index, "level");

	if (!level || json_is_null(level))
		return level;
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "level", level, "type",
		cache_file(f, index, "type"), "size", cache_file(f, index, "size"), "line_bytes",
		cache_file(f, index, "coherency_line_size"), "shared_with_cpus",
		cache_file(f, index, "shared_cpu_list"));
}

void lp_facts_caches(struct lp_facts *f)
{
	json_t *caches = json_array(), *cache = cache_to_json(f, 0);

	if (cache && json_is_null(cache)) {
		json_decref(caches);
		lp_facts_absent(f, "caches", CPU_FOLDER " tells of no cache");
		return;
	}
	for (int i = 1; cache && !json_is_null(cache); i++) {
		f->incomplete |= json_array_append_new(caches, cache) != 0;
		cache = cache_to_json(f, i);
	}
	f->incomplete |= !cache;
	lp_facts_set(f, "caches", caches);
}

static void add_vulnerability(struct lp_facts *f, json_t *mitigations, const char *name)
{
	char path[512], key[512], text[1024];
	int rc;

	snprintf(path, sizeof(path), CPU_FOLDER "/vulnerabilities/%s", name);
	rc = lp_facts_read(f, path, text, sizeof(text));
	f->incomplete |= json_object_set_new(
				 mitigations, name, rc ? json_null() : lp_facts_string(text)) != 0;
	if (!rc)
		return;
	snprintf(key, sizeof(key), "mitigations.%s", name);
	f->incomplete |= json_object_set_new(f->absent, key, lp_facts_string(strerror(-rc))) != 0;
}

void lp_facts_vulnerabilities(struct lp_facts *f)
{
	static const char folder[] = CPU_FOLDER "/vulnerabilities";
	struct dirent *entry;
	json_t *mitigations;
	char path[4096];
	int rc = lp_facts_path(f, folder, path, sizeof(path));
	DIR *dir = rc ? NULL : opendir(path);

	if (!dir) {
		lp_facts_unread(f, "mitigations", folder, rc ? rc : -errno);
		return;
	}
	mitigations = json_object();
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			add_vulnerability(f, mitigations, entry->d_name);
	closedir(dir);
	lp_facts_set(f, "mitigations", mitigations);
}
