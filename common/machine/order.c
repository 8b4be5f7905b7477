// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs to use and in what order: from the topology, never from the CPUs' numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine/topology.h"

/* The kind of core that most allowed CPUs are of; of equals the higher (faster) class. */
static int most_common_kind(const struct lp_topology *t)
{
	int best = 0, best_count = 0;

	for (int kind = 0; kind <= t->kinds; kind++) {
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

/* Node, then hardware thread of the core, then the order in which hwloc found the cores. */
static int compact_first(const void *a, const void *b)
{
	const struct lp_topology_cpu *x = *(const struct lp_topology_cpu *const *)a;
	const struct lp_topology_cpu *y = *(const struct lp_topology_cpu *const *)b;

	if (x->own_node != y->own_node)
		return x->own_node - y->own_node;
	if (x->smt != y->smt)
		return x->smt - y->smt;
	if (x->core != y->core)
		return x->core - y->core;
	return x->os - y->os;
}

int lp_topology_usable(const struct lp_topology *t, int *os_cpu)
{
	const struct lp_topology_cpu **list = calloc((size_t)t->ncpus + 1, sizeof(*list));
	int kind = most_common_kind(t), n = 0;

	if (!list)
		abort();
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpu[i].allowed && t->cpu[i].kind == kind)
			list[n++] = &t->cpu[i];
	qsort(list, (size_t)n, sizeof(*list), compact_first);
	for (int i = 0; i < n; i++)
		os_cpu[i] = list[i]->os;
	free(list);
	return n;
}

const struct lp_topology_cpu *lp_topology_find(const struct lp_topology *t, int os)
{
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpu[i].os == os)
			return &t->cpu[i];
	return NULL;
}

static int rising(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Appends "7" or "3-5". Return: false when it does not fit. */
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
	int *os = calloc((size_t)t->ncpus + 1, sizeof(*os)), n = 0;

	if (!os)
		abort();
	text[0] = '\0';
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpu[i].allowed)
			os[n++] = t->cpu[i].os;
	qsort(os, (size_t)n, sizeof(*os), rising);
	for (int i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && os[j] == os[j - 1] + 1;)
			j++;
		if (!append_range(text, size, os[i], os[j - 1])) {
			strcpy(text + strlen(text), "…");
			break;
		}
	}
	free(os);
}
