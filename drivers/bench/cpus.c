// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPUs are named by the kernel's numbers, as taskset and /proc/interrupts name them, and their
 * order is kept: it decides who is whose neighbour.
 */
#include "drivers/bench/cpus.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static bool contains(const int *numbers, int n, int number)
{
	for (int i = 0; i < n; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

static int add_cpu(const struct lp_topology *t, int os, int *os_cpu, int n, struct lp_error *err)
{
	const struct lp_topology_cpu *cpu = lp_topology_find(t, os);
	char allowed[128];

	if (contains(os_cpu, n, os))
		return lp_fail(err, EINVAL, "--cpus: CPU %d is named twice", os);
	if (cpu && cpu->allowed) {
		os_cpu[n] = os;
		return 0;
	}
	lp_topology_allowed_text(t, allowed, sizeof(allowed));
	return lp_fail(err, EINVAL, "--cpus: CPU %d %s; CPUs %s are", os,
		cpu ? "may not be used by this process" : "does not exist or is not online",
		allowed);
}

/* One "3" or "0-3" at *@text, which is moved behind it. Return: 0, or -EINVAL. */
static int parse_range(const char **text, long *first, long *last)
{
	char *end;

	/* strtol() would take a sign and blanks. */
	if (**text < '0' || **text > '9')
		return -EINVAL;
	*first = *last = strtol(*text, &end, 10);
	if (*end == '-') {
		if (end[1] < '0' || end[1] > '9')
			return -EINVAL;
		*last = strtol(end + 1, &end, 10);
	}
	if ((*end && *end != ',') || *first > *last || *last > 1 << 20)
		return -EINVAL;
	/* A comma is followed by another one of these. */
	*text = *end ? end + 1 : end;
	return *end && !**text ? -EINVAL : 0;
}

static int parse_list(
	const struct lp_topology *t, const char *list, int *os_cpu, struct lp_error *err)
{
	const char *rest = list;
	long first, last;
	int n = 0;

	do {
		if (parse_range(&rest, &first, &last))
			return lp_fail(err, EINVAL,
				"--cpus: '%s' is no list of CPU numbers like 0-3,8", list);
		for (long os = first; os <= last; os++) {
			int rc = add_cpu(t, (int)os, os_cpu, n, err);

			if (rc)
				return rc;
			n++;
		}
	} while (*rest);
	return n;
}

int lp_cpus_choose(const struct lp_topology *t, const char *list, int *os_cpu, struct lp_error *err)
{
	if (list)
		return parse_list(t, list, os_cpu, err);
	return lp_topology_usable(t, os_cpu);
}

void lp_cpus_nodes(const struct lp_topology *t, const int *os_cpu, int n, int *node)
{
	for (int i = 0; i < n; i++) {
		const struct lp_topology_cpu *cpu = lp_topology_find(t, os_cpu[i]);

		node[i] = cpu && cpu->node >= 0 ? t->node[cpu->node].os : -1;
	}
}

int lp_cpus_memory_nodes(const struct lp_topology *t, const int *node, int n, int *nodes)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < t->nnodes; j++)
			if (t->node[j].os == node[i] && t->node[j].allowed &&
				!contains(nodes, count, node[i]))
				nodes[count++] = node[i];
	for (int j = 0; j < t->nnodes; j++)
		if (t->node[j].allowed && t->node[j].memory_bytes &&
			!contains(nodes, count, t->node[j].os))
			nodes[count++] = t->node[j].os;
	return count;
}
