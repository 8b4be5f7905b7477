/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines that are not here: hwloc makes them from a description and writes them to a file, and
 * the file is read as a user's would be.
 */
#ifndef LP_TESTS_TOPOLOGY_MAKE_H
#define LP_TESTS_TOPOLOGY_MAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/machine/topology.h"

/* Loads @xml, which must be right. */
static inline void load_file(struct lp_topology *t, const char *xml)
{
	struct lp_error err = {0};

	if (lp_topology_load(t, xml, &err))
		fail_msg("not loaded: %s", err.message);
}

/* A file for one test; the caller unlinks and frees it. */
static inline char *temporary_file(void)
{
	char *path = strdup("/tmp/lp-topology-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	return path;
}

/* Loads the machine that @description makes, after @change, if any, changed it. */
static inline void load_synthetic(
	struct lp_topology *t, const char *description, void (*change)(hwloc_topology_t))
{
	char *path = temporary_file();
	hwloc_topology_t topo;

	assert_int_equal(hwloc_topology_init(&topo), 0);
	hwloc_topology_set_flags(topo, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	assert_int_equal(hwloc_topology_set_synthetic(topo, description), 0);
	assert_int_equal(hwloc_topology_load(topo), 0);
	if (change)
		change(topo);
	assert_int_equal(hwloc_topology_export_xml(topo, path, 0), 0);
	hwloc_topology_destroy(topo);
	load_file(t, path);
	unlink(path);
	free(path);
}

/* Compares what a run would use, in its order, with @wanted, which ends with -1. */
static inline void assert_usable(const struct lp_topology *t, const int *wanted)
{
	int *os_cpu = calloc((size_t)t->ncpus, sizeof(*os_cpu)), n;

	n = lp_topology_usable(t, os_cpu);
	for (int i = 0; i < n && wanted[i] >= 0; i++)
		if (os_cpu[i] != wanted[i])
			fail_msg("CPU %d at place %d, wanted %d", os_cpu[i], i, wanted[i]);
	for (int i = 0; i <= n; i++)
		if ((wanted[i] < 0) != (i == n))
			fail_msg("%d CPUs are usable, %s wanted", n, i < n ? "fewer" : "more");
	free(os_cpu);
}

#define ASSERT_USABLE(t, ...) assert_usable(t, (const int[]){__VA_ARGS__, -1})

#endif
