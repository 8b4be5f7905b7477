// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The nodes with memory, less those that the cpuset forbids.
 *
 * Read from files, not by get_mempolicy(): where a container forbids the NUMA system calls, the
 * files still tell a wrong node from a forbidden binding. A kernel without NUMA has no folder of
 * nodes, and its one node counts as 0.
 */
#include "common/machine/memory_nodes.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The list behind @prefix on a line of @path, the first line when @prefix is "". Return: true if
 * there is one. */
static bool read_list(const char *path, const char *prefix, hwloc_bitmap_t set)
{
	FILE *file = fopen(path, "re");
	bool found = false;
	char *line = NULL;
	size_t room = 0;

	while (file && !found && getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		found = !strncmp(line, prefix, strlen(prefix)) &&
			!hwloc_bitmap_list_sscanf(
				set, line + strlen(prefix) + strspn(line + strlen(prefix), "\t "));
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

/* Return: a new set, NULL when out of memory. */
static hwloc_bitmap_t usable_nodes(void)
{
	hwloc_bitmap_t nodes = hwloc_bitmap_alloc(), allowed = hwloc_bitmap_alloc();

	if (nodes && allowed) {
		if (!read_list("/sys/devices/system/node/has_memory", "", nodes))
			hwloc_bitmap_only(nodes, 0);
		if (read_list("/proc/self/status", "Mems_allowed_list:", allowed))
			hwloc_bitmap_and(nodes, nodes, allowed);
	} else {
		hwloc_bitmap_free(nodes);
		nodes = NULL;
	}
	hwloc_bitmap_free(allowed);
	return nodes;
}

bool lp_memory_node_exists(int os)
{
	hwloc_bitmap_t nodes = usable_nodes();
	bool exists = nodes && os >= 0 && hwloc_bitmap_isset(nodes, (unsigned)os);

	hwloc_bitmap_free(nodes);
	return exists;
}

void lp_memory_nodes_text(char *text, size_t size)
{
	hwloc_bitmap_t nodes = usable_nodes();

	if (nodes)
		hwloc_bitmap_list_snprintf(text, size, nodes);
	else
		snprintf(text, size, "unknown");
	hwloc_bitmap_free(nodes);
}
