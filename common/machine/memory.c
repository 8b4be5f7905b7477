// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Placing memory and asking the kernel where it went.
 *
 * Transparent huge pages are declined: whether one is to be had changes from run to run with the
 * fragmentation of the machine, and would change TLB misses with it.
 */
#include "common/machine/memory.h"

#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	SAMPLE_PAGES = 4096, /* more pages than this are sampled, evenly */
	CHUNK_PAGES = 512,   /* asked about at a time */
};

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* "0, 2" of the nodes that memory may be placed on. */
static void list_nodes(char *text, size_t size)
{
	struct bitmask *allowed = numa_get_mems_allowed();
	size_t used = 0;

	text[0] = '\0';
	for (unsigned n = 0; n < allowed->size && used + 8 < size; n++)
		if (numa_bitmask_isbitset(allowed, n))
			used += (size_t)snprintf(
				text + used, size - used, "%s%u", used ? ", " : "", n);
	numa_bitmask_free(allowed);
}

static int refuse_node(int node, struct lp_error *err)
{
	char nodes[128];

	list_nodes(nodes, sizeof(nodes));
	return lp_fail(err, EINVAL, "node %d has no memory that may be used here; nodes that do: %s",
		node, nodes);
}

/* Return: 0, also when the machine forbids binding (then `why` says so), or -EINVAL. */
static int bind_to_node(struct lp_memory *m, size_t bytes, struct lp_error *err)
{
	struct bitmask *mask;
	long rc;

	if (numa_available() < 0) {
		snprintf(m->why, sizeof(m->why), "this kernel has no NUMA policy");
		return m->node == 0 ? 0 : refuse_node(m->node, err);
	}
	if (m->node > numa_max_node())
		return refuse_node(m->node, err);
	mask = numa_allocate_nodemask();
	numa_bitmask_setbit(mask, (unsigned)m->node);
	rc = mbind(m->base, bytes, MPOL_BIND, mask->maskp, mask->size + 1, 0);
	numa_bitmask_free(mask);
	if (rc && errno == EINVAL)
		return refuse_node(m->node, err);
	m->bound = !rc;
	if (rc)
		snprintf(m->why, sizeof(m->why), "mbind to node %d: %s", m->node, strerror(errno));
	return 0;
}

static void touch(struct lp_memory *m)
{
	for (size_t at = 0; at < m->bytes; at += page_bytes())
		((volatile char *)m->base)[at] = 0;
}

int lp_memory_alloc(struct lp_memory *m, size_t bytes, int node, struct lp_error *err)
{
	int rc = 0;

	memset(m, 0, sizeof(*m));
	m->bytes = bytes ? bytes : 1;
	m->node = node;
	m->base = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->base == MAP_FAILED) {
		m->base = NULL;
		return lp_fail(err, errno, "no memory for %zu bytes: %s", bytes, strerror(errno));
	}
	madvise(m->base, m->bytes, MADV_NOHUGEPAGE);
	if (node >= 0)
		rc = bind_to_node(m, m->bytes, err);
	if (rc) {
		lp_memory_free(m);
		return rc;
	}
	touch(m);
	return 0;
}

void lp_memory_free(struct lp_memory *m)
{
	if (m->base)
		munmap(m->base, m->bytes);
	m->base = NULL;
}

/* Looks at pages @first, @first + @step, …; at most CHUNK_PAGES of them. Return: 0 or -errno. */
static int verify_chunk(struct lp_memory *m, size_t first, size_t step, size_t count)
{
	void *page[CHUNK_PAGES];
	int status[CHUNK_PAGES];

	for (size_t i = 0; i < count; i++)
		page[i] = (char *)m->base + (first + i * step) * page_bytes();
	if (move_pages(0, count, page, NULL, status, 0))
		return -errno;
	for (size_t i = 0; i < count; i++) {
		if (status[i] < 0)
			return status[i];
		m->elsewhere += m->node >= 0 && status[i] != m->node;
	}
	m->pages += count;
	return 0;
}

bool lp_memory_verify(struct lp_memory *m)
{
	size_t all = (m->bytes + page_bytes() - 1) / page_bytes();
	size_t step = (all + SAMPLE_PAGES - 1) / SAMPLE_PAGES;
	size_t looked_at = (all + step - 1) / step;

	m->pages = 0;
	m->elsewhere = 0;
	for (size_t done = 0; done < looked_at;) {
		size_t n = looked_at - done < CHUNK_PAGES ? looked_at - done : CHUNK_PAGES;
		int rc = verify_chunk(m, done * step, step, n);

		if (rc) {
			snprintf(m->why, sizeof(m->why), "reading back where pages are: %s",
				strerror(-rc));
			return false;
		}
		done += n;
	}
	return !m->elsewhere;
}
