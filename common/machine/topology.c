// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the topology through hwloc into plain tables.
 *
 * hwloc gives a CPU-less node the CPUs of the nodes nearest to it, so a CPU can be "on" several
 * nodes. On the running machine the kernel's own list of each node's CPUs settles which one it is;
 * an XML file holds no such list, and there the node with the fewest CPUs is taken. A file in which
 * a CPU-less node has a lower number than its only neighbour would therefore be read wrongly.
 */
#include "common/machine/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <hwloc/linux.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine/topology_open.h"

/* ---- nodes ---- */

enum { LOCAL_DISTANCE = 10 }; /* by definition of the SLIT, ACPI 6.5, 5.2.17 */

static int fill_nodes(struct lp_topology *t, hwloc_topology_t topo, struct lp_error *err)
{
	hwloc_const_nodeset_t allowed = hwloc_topology_get_allowed_nodeset(topo);

	/* At least one: where the kernel tells of no node, hwloc makes one of the whole memory. */
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
	if (t->nnodes == 1)
		t->distance[0] = LOCAL_DISTANCE; /* hwloc keeps no matrix of one */
	if (hwloc_distances_get_by_type(
		    topo, HWLOC_OBJ_NUMANODE, &count, &d, HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) ||
		!count)
		return 0;
	copy_distances(t, d);
	hwloc_distances_release(topo, d);
	return 0;
}

/* How far node @to is from @from; where no distance is known, as far as can be. */
static unsigned distance(const struct lp_topology *t, int from, int to)
{
	unsigned d = from < 0 ? 0 : t->distance[from * t->nnodes + to];

	if (from == to)
		return 0;
	return d ? d : UINT_MAX;
}

/* Whether node @a serves CPUs of node @from better than node @b does; both have memory. */
static bool serves_better(const struct lp_topology *t, int from, int a, int b)
{
	if (t->node[a].allowed != t->node[b].allowed)
		return t->node[a].allowed;
	return distance(t, from, a) < distance(t, from, b);
}

/* The nearest node with memory to node @from, itself first; −1: no node has any. */
static int nearest_with_memory(const struct lp_topology *t, int from)
{
	int best = -1;

	for (int i = 0; i < t->nnodes; i++)
		if (t->node[i].memory_bytes && (best < 0 || serves_better(t, from, i, best)))
			best = i;
	return best;
}

/* The CPUs of node @i: the kernel's own list on the running machine, else what hwloc made of it.
 * Return: a new set, NULL when out of memory. */
static hwloc_bitmap_t node_cpus(const struct lp_topology *t, hwloc_topology_t topo, int i)
{
	hwloc_obj_t obj = hwloc_get_obj_by_type(topo, HWLOC_OBJ_NUMANODE, (unsigned)i);
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	char path[64];

	if (!set)
		return NULL;
	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpumap", t->node[i].os);
	if (t->live && !hwloc_linux_read_path_as_cpumask(path, set))
		return set;
	if (hwloc_bitmap_copy(set, obj->cpuset)) {
		hwloc_bitmap_free(set);
		return NULL;
	}
	return set;
}

/* ---- CPUs ---- */

struct node_sets {
	hwloc_bitmap_t *cpus;
	int n;
};

static void free_node_sets(struct node_sets *sets)
{
	for (int i = 0; i < sets->n; i++)
		hwloc_bitmap_free(sets->cpus[i]);
	free(sets->cpus);
}

static int read_node_sets(const struct lp_topology *t, hwloc_topology_t topo,
	struct node_sets *sets, struct lp_error *err)
{
	sets->n = t->nnodes;
	sets->cpus = calloc((size_t)sets->n, sizeof(*sets->cpus));
	for (int i = 0; sets->cpus && i < sets->n; i++) {
		sets->cpus[i] = node_cpus(t, topo, i);
		if (sets->cpus[i])
			continue;
		free_node_sets(sets);
		sets->cpus = NULL;
	}
	return sets->cpus ? 0 : lp_fail(err, ENOMEM, "no memory for the CPUs of %d nodes", sets->n);
}

/* Whether a CPU that is in both nodes' sets is on @a rather than on @b, which comes earlier. */
static bool fits_better(const struct lp_topology *t, const struct node_sets *sets, int a, int b)
{
	int more = hwloc_bitmap_weight(sets->cpus[a]) - hwloc_bitmap_weight(sets->cpus[b]);

	if (more)
		return more < 0;
	return t->node[a].memory_bytes && !t->node[b].memory_bytes;
}

static int node_of(const struct lp_topology *t, const struct node_sets *sets, hwloc_obj_t pu)
{
	int best = -1;

	for (int i = 0; i < sets->n; i++)
		if (hwloc_bitmap_isset(sets->cpus[i], pu->os_index) &&
			(best < 0 || fits_better(t, sets, i, best)))
			best = i;
	return best;
}

static int ancestor_index(
	hwloc_topology_t topo, hwloc_obj_t pu, hwloc_obj_type_t type, int fallback)
{
	hwloc_obj_t obj = hwloc_get_ancestor_obj_by_type(topo, type, pu);

	return obj ? (int)obj->logical_index : fallback;
}

static void fill_cpu(
	struct lp_topology *t, hwloc_topology_t topo, const struct node_sets *sets, int i)
{
	hwloc_obj_t pu = hwloc_get_obj_by_type(topo, HWLOC_OBJ_PU, (unsigned)i);
	struct lp_topology_cpu *c = &t->cpu[i];
	int kind = hwloc_cpukinds_get_by_cpuset(topo, pu->cpuset, 0);

	c->os = (int)pu->os_index;
	c->core = ancestor_index(topo, pu, HWLOC_OBJ_CORE, i);
	c->package = ancestor_index(topo, pu, HWLOC_OBJ_PACKAGE, 0);
	c->own_node = node_of(t, sets, pu);
	c->node = nearest_with_memory(t, c->own_node);
	c->kind = kind > 0 ? kind : 0;
	if (c->own_node >= 0)
		t->node[c->own_node].cpus++;
}

/* Counts the threads of each core. hwloc lists the threads of a core one after the other. */
static void rank_threads(struct lp_topology *t)
{
	for (int i = 0, smt = 0, turn = 0; i < t->ncpus; i++) {
		struct lp_topology_cpu *c = &t->cpu[i];

		if (i && c->core != c[-1].core)
			smt = turn = 0;
		c->smt = smt++;
		c->turn = turn;
		turn += c->allowed;
	}
}

/* The affinity mask may be narrower than the cpuset (taskset). The calling thread's is what its
 * new threads inherit; the process's would need /proc, and is the union of all threads' masks, of
 * which a sanitizer's own thread may have any. */
static void read_mask(const struct lp_topology *t, hwloc_topology_t topo, hwloc_bitmap_t mine)
{
	if (!t->live || hwloc_get_cpubind(topo, mine, HWLOC_CPUBIND_THREAD))
		hwloc_bitmap_fill(mine);
}

static int mark_allowed(struct lp_topology *t, hwloc_topology_t topo, struct lp_error *err)
{
	hwloc_const_cpuset_t cpuset = hwloc_topology_get_allowed_cpuset(topo);
	hwloc_bitmap_t mine = hwloc_bitmap_alloc();

	if (!mine)
		return lp_fail(err, ENOMEM, "no memory for the allowed CPUs");
	read_mask(t, topo, mine);
	for (int i = 0; i < t->ncpus; i++)
		t->cpu[i].allowed = hwloc_bitmap_isset(cpuset, (unsigned)t->cpu[i].os) &&
				    hwloc_bitmap_isset(mine, (unsigned)t->cpu[i].os);
	hwloc_bitmap_free(mine);
	return 0;
}

static int fill_cpus(struct lp_topology *t, hwloc_topology_t topo, struct lp_error *err)
{
	struct node_sets sets;
	int rc = read_node_sets(t, topo, &sets, err);

	if (rc)
		return rc;
	t->ncpus = hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_PU);
	t->cpu = calloc((size_t)t->ncpus, sizeof(*t->cpu));
	for (int i = 0; t->cpu && i < t->ncpus; i++)
		fill_cpu(t, topo, &sets, i);
	free_node_sets(&sets);
	if (!t->cpu)
		return lp_fail(err, ENOMEM, "no memory for %d CPUs", t->ncpus);
	rc = mark_allowed(t, topo, err);
	rank_threads(t);
	return rc;
}

/* How many objects of @type; @otherwise where the source tells nothing of them. */
static int count_of(hwloc_topology_t topo, hwloc_obj_type_t type, int otherwise)
{
	int n = hwloc_get_nbobjs_by_type(topo, type);

	return n > 0 ? n : otherwise;
}

int lp_topology_load(struct lp_topology *t, const char *xml, struct lp_error *err)
{
	hwloc_topology_t topo;
	int rc;

	memset(t, 0, sizeof(*t));
	rc = lp_topology_open(&topo, xml, err);
	if (rc)
		return rc;
	t->live = hwloc_topology_is_thissystem(topo);
	rc = fill_nodes(t, topo, err);
	if (!rc)
		rc = fill_distances(t, topo, err);
	if (!rc)
		rc = fill_cpus(t, topo, err);
	t->packages = count_of(topo, HWLOC_OBJ_PACKAGE, 1);
	t->cores = count_of(topo, HWLOC_OBJ_CORE, t->ncpus);
	t->kinds = hwloc_cpukinds_get_nr(topo, 0);
	if (t->kinds < 1)
		t->kinds = 1;
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
