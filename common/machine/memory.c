// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Placing memory and asking the kernel where it went.
 *
 * The policy is the mapping's own (mbind), not the thread's, so that it binds whoever touches a
 * page first. Transparent huge pages are declined: whether one is to be had changes from run to run
 * with the fragmentation of the machine, and TLB misses and the colours of cache lines change with
 * it. Pages of one size make layouts comparable, at the price of more TLB misses than a kernel has
 * in its own linear map of large pages.
 *
 * A page that is moved or swapped out later shows only in the next lp_memory_verify().
 */
#include "common/machine/memory.h"

#include <errno.h>
#include <limits.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/machine/memory_nodes.h"

enum {
	LARGEST_NODE = 1 << 16, /* beyond any kernel's MAX_NUMNODES */
	SAMPLE_PAGES = 4096,	/* more pages than this are sampled, evenly */
	CHUNK_PAGES = 512,	/* asked about at a time */
	WORD_BITS = sizeof(unsigned long) * CHAR_BIT,
};

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* What is mapped: an area of no bytes has a base, too. */
static size_t mapped_bytes(const struct lp_memory *m)
{
	return m->bytes ? m->bytes : 1;
}

/* Return: 0 or -errno. */
static int bind_mapping(const struct lp_memory *m)
{
	size_t words = (size_t)m->node / WORD_BITS + 1;
	unsigned long *mask = calloc(words, sizeof(*mask));
	int rc;

	if (!mask)
		return -ENOMEM;
	mask[(size_t)m->node / WORD_BITS] = 1UL << ((size_t)m->node % WORD_BITS);
	/* The kernel takes one bit fewer than it is told of (Linux 6.1, mm/mempolicy.c,
	 * get_nodes()). */
	rc = mbind(m->base, mapped_bytes(m), MPOL_BIND, mask, words * WORD_BITS + 1, 0) ? -errno
											: 0;
	free(mask);
	return rc;
}

/* Return: 0, also when the machine forbids binding (then `why` says so), or -EINVAL. */
static int bind_to_node(struct lp_memory *m, struct lp_error *err)
{
	int rc = m->node > LARGEST_NODE ? -EINVAL : bind_mapping(m);
	char nodes[128];

	m->bound = !rc;
	if (!rc)
		return 0;
	if (rc == -EINVAL || !lp_memory_node_exists(m->node)) {
		lp_memory_nodes_text(nodes, sizeof(nodes));
		return lp_fail(err, EINVAL,
			"memory cannot be placed on node %d; nodes where it can: %s", m->node,
			nodes);
	}
	snprintf(m->why, sizeof(m->why), "mbind to node %d: %s%s", m->node, strerror(-rc),
		rc == -EPERM ? " (containers may need the capability SYS_NICE)" : "");
	return 0;
}

static void touch(struct lp_memory *m)
{
	size_t step = page_bytes();

	for (size_t at = 0; at < mapped_bytes(m); at += step)
		((volatile char *)m->base)[at] = 0;
}

int lp_memory_alloc(struct lp_memory *m, size_t bytes, int node, struct lp_error *err)
{
	int rc = 0;

	*m = (struct lp_memory){.bytes = bytes, .node = node};
	m->base = mmap(
		NULL, mapped_bytes(m), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->base == MAP_FAILED) {
		rc = errno;
		m->base = NULL;
		return lp_fail(err, rc, "no memory for %zu bytes: %s", bytes, strerror(rc));
	}
	/* A kernel without huge pages refuses the advice, and needs none. */
	madvise(m->base, mapped_bytes(m), MADV_NOHUGEPAGE);
	if (node >= 0)
		rc = bind_to_node(m, err);
	if (rc)
		lp_memory_free(m);
	else
		touch(m);
	return rc;
}

void lp_memory_free(struct lp_memory *m)
{
	if (m->base)
		munmap(m->base, mapped_bytes(m));
	m->base = NULL;
}

/* Looks at @count ≤ CHUNK_PAGES pages: @first, @first + @step, …. Return: 0 or -errno. */
static int verify_chunk(struct lp_memory *m, size_t first, size_t step, size_t count)
{
	void *page[CHUNK_PAGES];
	int status[CHUNK_PAGES];

	for (size_t i = 0; i < count; i++)
		page[i] = (char *)m->base + (first + i * step) * page_bytes();
	/* No nodes to move to: the pages stay, and their nodes are told. */
	if (move_pages(0, count, page, NULL, status, 0) < 0)
		return -errno;
	for (size_t i = 0; i < count; i++) {
		if (status[i] < 0)
			return status[i];
		m->elsewhere += m->node >= 0 && status[i] != m->node;
	}
	m->pages += count;
	return 0;
}

static int verify_sample(struct lp_memory *m)
{
	size_t all = (mapped_bytes(m) + page_bytes() - 1) / page_bytes();
	size_t step = (all + SAMPLE_PAGES - 1) / SAMPLE_PAGES;
	size_t wanted = (all + step - 1) / step;
	int rc = 0;

	for (size_t done = 0; !rc && done < wanted; done += CHUNK_PAGES)
		rc = verify_chunk(m, done * step, step,
			wanted - done < CHUNK_PAGES ? wanted - done : CHUNK_PAGES);
	return rc;
}

bool lp_memory_verify(struct lp_memory *m)
{
	bool refused = m->node >= 0 && !m->bound;
	int rc;

	m->pages = 0;
	m->elsewhere = 0;
	rc = verify_sample(m);
	/* Why it was not bound is the first cause, and stays. */
	if (!refused)
		m->why[0] = '\0';
	if (rc && !refused)
		snprintf(m->why, sizeof(m->why), "reading back where pages are: %s", strerror(-rc));
	return !rc && !m->elsewhere;
}
