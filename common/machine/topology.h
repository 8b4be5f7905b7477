/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What CPUs and memory nodes there are, which of them this process may use, and in what order to
 * use them. Read once through hwloc, from the running machine or from an hwloc XML file; all
 * numbers called `os` are the operating system's own and may have gaps. The tables are in hwloc's
 * order, which follows locality: no arithmetic on `os` numbers says anything.
 */
#ifndef LP_MACHINE_TOPOLOGY_H
#define LP_MACHINE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct lp_topology_cpu {
	int os;	      /* the kernel's number of the CPU */
	int core;     /* logical index of its core, machine-wide */
	int package;  /* logical index of its package */
	int node;     /* index into lp_topology.node of the nearest node with memory, one that may
		       * be used before any that may not, −1: none */
	int own_node; /* index of the node the kernel says it is on (may be memory-less), −1 */
	int smt;      /* 0: first hardware thread of its core, 1: second, … */
	int turn;     /* as smt, of the allowed threads of its core */
	int kind;     /* efficiency class, 0 upwards; all 0 unless the cores differ */
	bool allowed; /* in the loading thread's affinity mask and its cpuset */
};

struct lp_topology_node {
	int os;
	uint64_t memory_bytes; /* 0: memory-less */
	int cpus;	       /* CPUs on it, allowed or not; 0: CPU-less */
	bool allowed;	       /* memory may be placed here (cpuset.mems) */
};

struct lp_topology {
	int ncpus; /* online CPUs */
	struct lp_topology_cpu *cpu;
	int nnodes;
	struct lp_topology_node *node;
	unsigned *distance;	    /* [nnodes × nnodes], SLIT (10: local); 0: not known */
	int packages, cores, kinds; /* at least 1 each; kinds: of cores */
	bool live;		    /* of this machine, so threads may be pinned by it */
};

/**
 * lp_topology_load() - read the topology.
 * @xml: an hwloc XML file, or NULL for the running machine.
 *
 * To be called before the calling thread is pinned: its mask says which CPUs are allowed.
 * hwloc's own environment variables hold (HWLOC_XMLFILE, HWLOC_SYNTHETIC, HWLOC_FSROOT).
 *
 * Return: 0, or -errno with @err set (EINVAL: not a topology; ENOENT, EACCES, …: @xml cannot be
 * read; ENOMEM). On success the caller frees with lp_topology_free().
 */
int lp_topology_load(struct lp_topology *t, const char *xml, struct lp_error *err);
void lp_topology_free(struct lp_topology *t);

/**
 * lp_topology_usable() - the CPUs a run may pin threads to, best first.
 * @os_cpu: room for t->ncpus numbers; receives the kernel's CPU numbers.
 *
 * Allowed CPUs only. Order: node by node from the first one with memory, nodes without usable
 * memory of their own last; one allowed thread of every core of a node before any second thread;
 * the kind of core with the most CPUs only (never mixed).
 * Return: how many.
 */
int lp_topology_usable(const struct lp_topology *t, int *os_cpu);

/** lp_topology_find() - the entry of CPU @os, NULL if it does not exist. */
const struct lp_topology_cpu *lp_topology_find(const struct lp_topology *t, int os);

/** lp_topology_allowed_text() - "0-3,8" of the allowed CPUs into @text (@size ≥ 8 bytes); cut
 * with "…" when too long. */
void lp_topology_allowed_text(const struct lp_topology *t, char *text, size_t size);

#endif
