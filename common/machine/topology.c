// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the topology through hwloc into plain tables.
 *
 * I/O devices and instruction caches are filtered out, which makes loading several times faster;
 * every repetition's process loads it. hwloc attaches memory-less nodes to nothing, so the node a
 * CPU "is on" comes from hwloc's locality, and the node it should use is the nearest with memory.
 */
#include "common/machine/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_topology(hwloc_topology_t *topo, const char *xml, struct lp_error *err)
{
	if (hwloc_topology_init(topo))
		return lp_fail(err, errno, "hwloc cannot start: %s", strerror(errno));
	hwloc_topology_set_io_types_filter(*topo, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_icache_types_filter(*topo, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(*topo, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
	/* Disallowed CPUs are wanted too, marked as such: the messages name both sets. */
	hwloc_topology_set_flags(*topo, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	if (xml && hwloc_topology_set_xml(*topo, xml)) {
		hwloc_topology_destroy(*topo);
		return lp_fail(err, EINVAL, "%s: not a topology that hwloc can read", xml);
	}
	if (hwloc_topology_load(*topo)) {
		hwloc_topology_destroy(*topo);
		return lp_fail(err, EINVAL, "%s: hwloc cannot read the topology",
			xml ? xml : "this machine");
	}
	return 0;
}

/* ---- nodes ---- */

static int fill_nodes(struct lp_topology *t, hwloc_topology_t topo, struct lp_error *err)
{
	hwloc_const_nodeset_t allowed = hwloc_topology_get_allowed_nodeset(topo);

	t->nnodes = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_NUMANODE);
	if (t->nnodes < 1)
		return lp_fail(err, EINVAL, "the topology has no memory node");
	t->node = calloc((size_t)t->nnodes, sizeof(*t->node));
	if (!t->node)
		return lp_fail(err, ENOMEM, "no memory for %d nodes", t->nnodes);
	for (int i = 0; i < t->nnodes; i++) {
		hwloc_obj_t obj = hwloc_get_obj_by_type(topo, HWLOC_OBJ_NUMANODE, (unsigned)i);

		t->node[i].os = (int)obj->os_index;
		t->node[i].memory_bytes = obj->attr->numanode.local_memory;
		t->node[i].allowed = hwloc_bitmap_isset(allowed, obj->os_index);
	}
	return 0;
}

static int node_index(const struct lp_topology *t, int os)
{
	for (int i = 0; i < t->nnodes; i++)
		if (t->node[i].os == os)
			return i;
	return -1;
}

static void copy_distances(struct lp_topology *t, const struct hwloc_distances_s *d)
{
	for (unsigned i = 0; i < d->nbobjs; i++)
		for (unsigned j = 0; j < d->nbobjs; j++) {
			int from = node_index(t, (int)d->objs[i]->os_index);
			int to = node_index(t, (int)d->objs[j]->os_index);

			if (from >= 0 && to >= 0)
				t->distance[from * t->nnodes + to] =
					(unsigned)d->values[i * d->nbobjs + j];
		}
}

static int fill_distances(struct lp_topology *t, hwloc_topology_t topo, struct lp_error *err)
{
	struct hwloc_distances_s *d;
	unsigned count = 1;

	t->distance = calloc((size_t)t->nnodes * (size_t)t->nnodes, sizeof(*t->distance));
	if (!t->distance)
		return lp_fail(err, ENOMEM, "no memory for the distances of %d nodes", t->nnodes);
	if (hwloc_distances_get_by_type(topo, HWLOC_OBJ_NUMANODE, &count, &d,
		    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) ||
		!count)
		return 0;
	copy_distances(t, d);
	hwloc_distances_release(topo, d);
	return 0;
}

/* The nearest node with memory to node @from, itself first; −1: no node has any. */
static int nearest_with_memory(const struct lp_topology *t, int from)
{
	int best = -1;

	if (from >= 0 && t->node[from].memory_bytes)
		return from;
	for (int i = 0; i < t->nnodes; i++) {
		if (!t->node[i].memory_bytes)
			continue;
		if (best < 0 || (from >= 0 && t->distance[from * t->nnodes + i] <
						      t->distance[from * t->nnodes + best]))
			best = i;
	}
	return best;
}

/* ---- CPUs ---- */

/* The node whose CPUs include @pu; of several (high-bandwidth memory) the first. */
static int node_of(const struct lp_topology *t, hwloc_topology_t topo, hwloc_obj_t pu)
{
	for (int i = 0; i < t->nnodes; i++) {
		hwloc_obj_t obj = hwloc_get_obj_by_type(topo, HWLOC_OBJ_NUMANODE, (unsigned)i);

		if (hwloc_bitmap_isset(obj->cpuset, pu->os_index))
			return i;
	}
	return -1;
}

static int ancestor_index(hwloc_topology_t topo, hwloc_obj_t pu, hwloc_obj_type_t type, int fallback)
{
	hwloc_obj_t obj = hwloc_get_ancestor_obj_by_type(topo, type, pu);

	return obj ? (int)obj->logical_index : fallback;
}

/* How many threads of the CPU's core come before it. */
static int smt_rank(hwloc_topology_t topo, hwloc_obj_t pu)
{
	hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topo, HWLOC_OBJ_CORE, pu);
	int rank = 0;
	unsigned os;

	if (!core)
		return 0;
	hwloc_bitmap_foreach_begin(os, core->cpuset)
		rank += os < pu->os_index;
	hwloc_bitmap_foreach_end();
	return rank;
}

static void fill_cpu(struct lp_topology *t, hwloc_topology_t topo, int i)
{
	hwloc_obj_t pu = hwloc_get_obj_by_type(topo, HWLOC_OBJ_PU, (unsigned)i);
	struct lp_topology_cpu *c = &t->cpu[i];
	int kind = hwloc_cpukinds_get_by_cpuset(topo, pu->cpuset, 0);

	c->os = (int)pu->os_index;
	c->core = ancestor_index(topo, pu, HWLOC_OBJ_CORE, i);
	c->package = ancestor_index(topo, pu, HWLOC_OBJ_PACKAGE, 0);
	c->own_node = node_of(t, topo, pu);
	c->node = nearest_with_memory(t, c->own_node);
	c->smt = smt_rank(topo, pu);
	c->kind = kind > 0 ? kind : 0;
	c->allowed = hwloc_bitmap_isset(
		hwloc_topology_get_allowed_cpuset(topo), pu->os_index);
	if (c->own_node >= 0)
		t->node[c->own_node].cpus++;
}

static int fill_cpus(struct lp_topology *t, hwloc_topology_t topo, struct lp_error *err)
{
	hwloc_bitmap_t mine = hwloc_bitmap_alloc();

	t->ncpus = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_PU);
	t->cpu = calloc((size_t)t->ncpus + 1, sizeof(*t->cpu));
	if (!t->cpu || !mine) {
		hwloc_bitmap_free(mine);
		return lp_fail(err, ENOMEM, "no memory for %d CPUs", t->ncpus);
	}
	/* The affinity mask may be narrower than the cpuset (taskset). */
	if (!t->live || hwloc_get_cpubind(topo, mine, HWLOC_CPUBIND_PROCESS))
		hwloc_bitmap_fill(mine);
	for (int i = 0; i < t->ncpus; i++) {
		fill_cpu(t, topo, i);
		t->cpu[i].allowed &= hwloc_bitmap_isset(mine, (unsigned)t->cpu[i].os);
	}
	hwloc_bitmap_free(mine);
	return 0;
}

int lp_topology_load(struct lp_topology *t, const char *xml, struct lp_error *err)
{
	hwloc_topology_t topo;
	int rc;

	memset(t, 0, sizeof(*t));
	rc = open_topology(&topo, xml, err);
	if (rc)
		return rc;
	t->live = hwloc_topology_is_thissystem(topo);
	rc = fill_nodes(t, topo, err);
	if (!rc)
		rc = fill_distances(t, topo, err);
	if (!rc)
		rc = fill_cpus(t, topo, err);
	t->packages = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_PACKAGE);
	t->cores = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_CORE);
	t->kinds = hwloc_cpukinds_get_nr(topo, 0);
	hwloc_topology_destroy(topo);
	if (rc)
		lp_topology_free(t);
	return rc;
}

void lp_topology_free(struct lp_topology *t)
{
	free(t->cpu);
	free(t->node);
	free(t->distance);
	memset(t, 0, sizeof(*t));
}
