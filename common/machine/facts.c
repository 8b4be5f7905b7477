// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The facts of the machine and the build, gathered from proc and sys into one JSON object.
 *
 * Nothing identifies the machine or its user: no host name, no folder of theirs, and of the
 * kernel's command line only the parameters that are known to change performance. Whatever cannot
 * be read is null, with its reason under "absent". Nothing depends on the time of asking, so two
 * files that differ are two machines, or one that was changed.
 */
#include "common/machine/facts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/machine/facts_files.h"

/* ---- what the topology knows ---- */

/* Row @from of the distances; null where the machine tells none. */
static json_t *distances_to_json(const struct lp_topology *t, int from)
{
	json_t *row = json_array();

	for (int to = 0; row && to < t->nnodes; to++) {
		unsigned d = t->distance[from * t->nnodes + to];

		if (json_array_append_new(row, d ? json_integer(d) : json_null())) {
			json_decref(row);
			row = NULL;
		}
	}
	return row;
}

static void add_nodes(struct lp_facts *f, const struct lp_topology *t)
{
	json_t *nodes = json_array();

	for (int i = 0; i < t->nnodes; i++)
		f->incomplete |=
			json_array_append_new(nodes,
				json_pack("{s:i, s:I, s:i, s:b, s:o}", "os", t->node[i].os,
					"memory_mib", (json_int_t)(t->node[i].memory_bytes >> 20),
					"cpus", t->node[i].cpus, "allowed", t->node[i].allowed,
					"distances", distances_to_json(t, i))) != 0;
	lp_facts_set(f, "nodes", nodes);
	for (int i = 0; i < t->nnodes * t->nnodes; i++)
		if (!t->distance[i]) {
			f->incomplete |= json_object_set_new(f->absent, "nodes.distances",
						 json_string("the machine tells none")) != 0;
			break;
		}
}

static void add_topology(struct lp_facts *f, const struct lp_topology *t)
{
	int usable = 0, second_threads = 0;
	char allowed[1024];

	for (int i = 0; i < t->ncpus; i++) {
		usable += t->cpu[i].allowed;
		second_threads += t->cpu[i].smt > 0;
	}
	lp_topology_allowed_text(t, allowed, sizeof(allowed));
	lp_facts_set(f, "topology", json_string(t->live ? "this machine" : "a file"));
	lp_facts_set(f, "cpus_online", json_integer(t->ncpus));
	lp_facts_set(f, "cpus_allowed", json_integer(usable));
	lp_facts_set(f, "cpus_allowed_list", json_string(allowed));
	lp_facts_set(f, "cores", json_integer(t->cores));
	lp_facts_set(f, "packages", json_integer(t->packages));
	lp_facts_set(f, "core_kinds", json_integer(t->kinds));
	lp_facts_set(f, "smt_active", json_boolean(second_threads > 0));
	add_nodes(f, t);
}

/* The CPU whose files are read: the one that a run uses first. */
static int representative_cpu(const struct lp_topology *t)
{
	int *os_cpu = calloc((size_t)t->ncpus + 1, sizeof(*os_cpu));
	int first = t->ncpus ? t->cpu[0].os : 0;

	if (os_cpu && lp_topology_usable(t, os_cpu))
		first = os_cpu[0];
	free(os_cpu);
	return first;
}

/* ---- the kernel ---- */

static void add_memory(struct lp_facts *f)
{
	char text[64];
	int rc = lp_facts_field(f, "/proc/meminfo", "MemTotal", text, sizeof(text));

	if (rc)
		lp_facts_unread(f, "memory_mib", "/proc/meminfo", rc);
	else
		lp_facts_set(f, "memory_mib", json_integer(atoll(text) >> 10)); /* from kB */
}

static void add_kernel(struct lp_facts *f)
{
	struct utsname uts;

	uname(&uts);
	lp_facts_set(f, "kernel", lp_facts_string(uts.release));
	lp_facts_set(f, "kernel_build", lp_facts_string(uts.version));
	lp_facts_set(f, "architecture", lp_facts_string(uts.machine));
	lp_facts_set(f, "page_bytes", json_integer(sysconf(_SC_PAGESIZE)));
}

json_t *lp_facts_collect(const struct lp_topology *t, const char *root)
{
	struct lp_facts f = {
		.root = root,
		.os_cpu = representative_cpu(t),
		.facts = json_object(),
		.absent = json_object(),
	};

	add_kernel(&f);
	lp_facts_cpu(&f);
	add_topology(&f, t);
	add_memory(&f);
	lp_facts_single_files(&f);
	lp_facts_command_line(&f);
	lp_facts_caches(&f);
	lp_facts_vulnerabilities(&f);
	lp_facts_build(&f);
	lp_facts_set(&f, "absent", f.absent);
	if (!f.incomplete)
		return f.facts;
	json_decref(f.facts);
	return NULL;
}
