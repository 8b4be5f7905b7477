// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which CPUs to use and in what order: from the topology, never from the CPUs' numbers.
 *
 * Nothing is allocated, so nothing can fail: sorting is done in the caller's array.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine/topology.h"

/* The kind of core that most allowed CPUs are of; of equals the higher (faster) class. */
static int most_common_kind(const struct lp_topology *t)
{
	int best = 0, best_count = 0;

	for (int kind = 0; kind < t->kinds; kind++) {
		int count = 0;

		for (int i = 0; i < t->ncpus; i++)
			count += t->cpu[i].allowed && t->cpu[i].kind == kind;
		if (count && count >= best_count) {
			best = kind;
			best_count = count;
		}
	}
	return best;
}

/* CPUs with memory of their own, then by node, by hardware thread of the core, and in the order in
 * which hwloc found the cores. */
static int compact_first(const void *a, const void *b, void *topology)
{
	const struct lp_topology *t = topology;
	const struct lp_topology_cpu *x = &t->cpu[*(const int *)a], *y = &t->cpu[*(const int *)b];

	if ((x->own_node != x->node) != (y->own_node != y->node))
		return x->own_node != x->node ? 1 : -1;
	if (x->node != y->node)
		return x->node - y->node;
	if (x->own_node != y->own_node)
		return x->own_node - y->own_node;
	if (x->turn != y->turn)
		return x->turn - y->turn;
	return *(const int *)a - *(const int *)b;
}

int lp_topology_usable(const struct lp_topology *t, int *os_cpu)
{
	int kind = most_common_kind(t), n = 0;

	/* Sorted as indices into the table of CPUs, named afterwards. */
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpu[i].allowed && t->cpu[i].kind == kind)
			os_cpu[n++] = i;
	qsort_r(os_cpu, (size_t)n, sizeof(*os_cpu), compact_first, (void *)t);
	for (int i = 0; i < n; i++)
		os_cpu[i] = t->cpu[os_cpu[i]].os;
	return n;
}

const struct lp_topology_cpu *lp_topology_find(const struct lp_topology *t, int os)
{
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpu[i].os == os)
			return &t->cpu[i];
	return NULL;
}

/* The lowest number above @os of an allowed CPU; INT_MAX: there is none. */
static int next_allowed(const struct lp_topology *t, int os)
{
	int next = INT_MAX;

	for (int i = 0; i < t->ncpus; i++)
		if (t->cpu[i].allowed && t->cpu[i].os > os && t->cpu[i].os < next)
			next = t->cpu[i].os;
	return next;
}

/* Appends "7" or "3-5". Return: false when it does not fit with a "…" behind it. */
static bool append_range(char *text, size_t size, int first, int last)
{
	size_t used = strlen(text);
	char range[32];

	if (first == last)
		snprintf(range, sizeof(range), "%s%d", used ? "," : "", first);
	else
		snprintf(range, sizeof(range), "%s%d-%d", used ? "," : "", first, last);
	if (used + strlen(range) + sizeof("…") > size)
		return false;
	strcpy(text + used, range);
	return true;
}

void lp_topology_allowed_text(const struct lp_topology *t, char *text, size_t size)
{
	int first = next_allowed(t, -1);

	text[0] = '\0';
	while (first != INT_MAX) {
		int last = first, next;

		while ((next = next_allowed(t, last)) == last + 1)
			last = next;
		if (!append_range(text, size, first, last)) {
			strcpy(text + strlen(text), "…");
			break;
		}
		first = next;
	}
}
