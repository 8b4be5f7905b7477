/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory on a chosen node, touched before use and read back: where the pages really are.
 */
#ifndef LP_MACHINE_MEMORY_H
#define LP_MACHINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct lp_memory {
	void *base;	  /* zeroed, aligned to a page of the machine */
	size_t bytes;	  /* as asked for */
	int node;	  /* the kernel's number of the node asked for, −1: anywhere */
	bool bound;	  /* the kernel accepted the binding */
	size_t pages;	  /* pages looked at by the last lp_memory_verify() */
	size_t elsewhere; /* of those, how many are on another node than asked for */
	char why[160];	  /* why binding or reading back was impossible; "" when possible */
};

/**
 * lp_memory_alloc() - @bytes of zeroed memory, every page touched.
 * @node: the kernel's node number, or −1 for no binding.
 *
 * A binding that the machine forbids (containers) is no error: `bound` is false and `why` says so.
 * Return: 0, or -errno with @err set (ENOMEM; EINVAL: no such node, the message lists the nodes).
 */
int lp_memory_alloc(struct lp_memory *m, size_t bytes, int node, struct lp_error *err);
void lp_memory_free(struct lp_memory *m);

/** lp_memory_verify() - ask the kernel where the pages are; fills `pages`, `elsewhere` and, unless
 * it says already why binding was impossible, `why`.
 * Return: true if the kernel answered and every page is where it was asked to be. Large areas are
 * sampled, at least 1024 pages evenly spread. */
bool lp_memory_verify(struct lp_memory *m);

#endif
