// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's command line, reduced to parameters that are known to change performance.
 *
 * The rest may hold addresses, paths, passwords of boot servers: none of it is kept. What follows
 * "--" belongs to init. A parameter that is missing from the list below is missing from the facts,
 * so two machines that differ in it alone look the same.
 */
#include <stdlib.h>
#include <string.h>

#include "common/compiler.h"
#include "common/machine/facts_files.h"

/* As Linux 6.1 spells them (Documentation/admin-guide/kernel-parameters.txt), with '_' for '-'. */
static const char *const kept[] = {
	/* which CPUs do what */
	"isolcpus",
	"nohz_full",
	"nohz",
	"rcu_nocbs",
	"rcu_nocb_poll",
	"irqaffinity",
	"nosmt",
	"nosmp",
	"maxcpus",
	"nr_cpus",
	"possible_cpus",
	"threadirqs",
	"skew_tick",
	"preempt",
	"psi",
	"cgroup_disable",
	"cgroup_no_v1",
	"noautogroup",
	/* mitigations */
	"mitigations",
	"pti",
	"nopti",
	"kpti",
	"spectre_v2",
	"spectre_v2_user",
	"nospectre_v1",
	"nospectre_v2",
	"spec_store_bypass_disable",
	"l1tf",
	"mds",
	"mmio_stale_data",
	"retbleed",
	"srbds",
	"tsx",
	"tsx_async_abort",
	"kvm_intel.vmentry_l1d_flush",
	"gather_data_sampling",
	"spec_rstack_overflow",
	"reg_file_data_sampling",
	/* memory */
	"numa",
	"numa_balancing",
	"transparent_hugepage",
	"hugepages",
	"hugepagesz",
	"default_hugepagesz",
	"init_on_alloc",
	"init_on_free",
	"page_poison",
	"page_owner",
	"debug_pagealloc",
	"slub_debug",
	"slab_nomerge",
	"kfence.sample_interval",
	"mem",
	"memmap",
	"iommu",
	"intel_iommu",
	"amd_iommu",
	"swiotlb",
	/* clocks, frequencies, idling */
	"tsc",
	"clocksource",
	"hpet",
	"highres",
	"intel_pstate",
	"amd_pstate",
	"cpufreq.default_governor",
	"cpufreq.off",
	"cpuidle.off",
	"cpuidle.governor",
	"intel_idle.max_cstate",
	"processor.max_cstate",
	"idle",
	"nohlt",
	/* watchdogs and virtual machines */
	"nowatchdog",
	"nmi_watchdog",
	"nosoftlockup",
	"watchdog_thresh",
	"nopv",
	"nopvspin",
	"no_kvmclock",
	"no_steal_acc",
	"split_lock_detect",
};

/* The kernel takes '-' and '_' in a name for the same (kernel/params.c, dash2underscore()). */
static bool same_name(const char *word, const char *name, size_t n)
{
	if (strlen(name) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((word[i] == '-' ? '_' : word[i]) != name[i])
			return false;
	return true;
}

static bool is_kept(const char *word)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (same_name(word, kept[i], n))
			return true;
	return false;
}

/* Ends the word at *@rest, which is moved behind it; blanks within quotes are part of it. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t\n"), *end = word;
	bool quoted = false;

	for (; *end && (quoted || !strchr(" \t\n", *end)); end++)
		quoted ^= *end == '"';
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return *word ? word : NULL;
}

void lp_facts_command_line(struct lp_facts *f)
{
	char line[8192], *rest = line, *word;
	int rc = lp_facts_read(f, "/proc/cmdline", line, sizeof(line));
	json_t *parameters;

	if (rc) {
		lp_facts_unread(f, "kernel_parameters", "/proc/cmdline", rc);
		return;
	}
	parameters = json_array();
	while ((word = next_word(&rest)) && strcmp(word, "--"))
		if (is_kept(word))
			f->incomplete |=
				json_array_append_new(parameters, lp_facts_string(word)) != 0;
	lp_facts_set(f, "kernel_parameters", parameters);
}
