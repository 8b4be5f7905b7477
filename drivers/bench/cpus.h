/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs the workers of a run take, in which order, and the memory nodes that belong to them.
 */
#ifndef LP_BENCH_CPUS_H
#define LP_BENCH_CPUS_H

#include "common/error.h"
#include "common/machine/topology.h"

/**
 * lp_cpus_choose() - the CPUs that workers take in order.
 * @list: the kernel's CPU numbers, "1,0" or "0-3,8"; NULL: lp_topology_usable()'s order.
 * @os_cpu: room for t->ncpus numbers.
 *
 * Return: how many, or -EINVAL with @err set: not a list, a CPU that does not exist or may not be
 * used by this process, or one named twice.
 */
int lp_cpus_choose(
	const struct lp_topology *t, const char *list, int *os_cpu, struct lp_error *err);

/** lp_cpus_nodes() - the kernel's node of each of the @n CPUs @os_cpu into @node, −1 where none is
 * known. */
void lp_cpus_nodes(const struct lp_topology *t, const int *os_cpu, int n, int *node);

/** lp_cpus_memory_nodes() - the kernel's nodes that memory may be placed on into @nodes (room for
 * t->nnodes, at least 1), the workers' own nodes @node first. Return: how many; 0 if not known. */
int lp_cpus_memory_nodes(const struct lp_topology *t, const int *node, int n, int *nodes);

#endif
