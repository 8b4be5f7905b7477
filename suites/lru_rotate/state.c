// SPDX-License-Identifier: GPL-2.0-or-later
/* Making and unmaking a run: pages and CPUs on their nodes, every page on an LRU list. */
#include "suites/lru_rotate/lru_rotate.h"

#include <errno.h>
#include <stdlib.h>

static void read_params(struct lru_rotate *s, const struct lp_case *c)
{
	bool batched = c->variant->params & 1u << LRU_BATCH;

	s->batch = batched ? (unsigned)lp_case_get(c, "batch") : 1;
	s->add_batch = c->variant->params & 1u << LRU_MEMCGS ? s->batch : PAGEVEC_SIZE;
	s->bio_pages = (unsigned)lp_case_get(c, "bio");
	s->pages_per_cpu = (unsigned)lp_case_get(c, "pages");
	/* A CPU's pages are whole bios. */
	s->pages_per_cpu -= s->pages_per_cpu % s->bio_pages;
	s->nodes = (int)lp_case_get(c, "nodes");
	s->memcgs = (int)lp_case_get(c, "memcgs");
	s->drain_all_every = (unsigned)lp_case_get(c, "drain_all");
	s->direct = batched && s->cpus == 1 && lp_case_get(c, "noop_on_one_cpu");
}

/* The node of page @k of a CPU. */
static unsigned node_of(const struct lru_rotate *s, unsigned k)
{
	if (lp_case_get(s->run->spec, "interleave") == LRU_INTERLEAVE_BIO)
		k /= s->bio_pages;
	return k % (unsigned)s->nodes;
}

static unsigned memcg_of(const struct lru_rotate *s, unsigned k)
{
	if (lp_case_get(s->run->spec, "interleave") == LRU_INTERLEAVE_BIO)
		k /= s->bio_pages;
	return k / (unsigned)s->nodes % (unsigned)s->memcgs;
}

static int alloc_pages(struct lru_rotate *s, struct lp_error *err)
{
	unsigned count[4] = {0};

	for (unsigned k = 0; k < s->pages_per_cpu; k++)
		count[node_of(s, k)] += (unsigned)s->cpus;
	for (int n = 0; n < s->nodes; n++) {
		if (!count[n])
			continue;
		s->pages[n] = lp_run_alloc(s->run, count[n] * sizeof(struct page), n, err);
		if (!s->pages[n])
			return -err->code;
	}
	return 0;
}

static int alloc_lruvecs(struct lru_rotate *s, struct lp_error *err)
{
	/* One area a node would waste most of a page each; the lock's line migrates anyhow. */
	size_t n = (size_t)(s->nodes * s->memcgs);

	s->lruvec = lp_run_alloc(s->run, n * sizeof(*s->lruvec), 0, err);
	if (!s->lruvec)
		return -err->code;
	for (size_t i = 0; i < n; i++)
		lruvec_init(&s->lruvec[i], (int)i / s->memcgs, (int)i % s->memcgs, s->flavour,
			s->flavour & LP_LOCK_OBSERVED ? &s->stat : NULL);
	return 0;
}

static int alloc_cpu(struct lru_rotate *s, int i, struct lp_error *err)
{
	size_t all = (size_t)s->pages_per_cpu * (size_t)s->cpus;
	int node = lp_run_cpu_node(s->run, i);
	struct lru_cpu *c = lp_run_alloc(s->run, sizeof(*c), node, err);

	if (!c)
		return -err->code;
	s->cpu[i] = c;
	c->free = lp_run_alloc(s->run, all * sizeof(*c->free), node, err);
	c->mine = lp_run_alloc(s->run, s->pages_per_cpu * sizeof(*c->mine), node, err);
	if (!c->free || !c->mine)
		return -err->code;
	c->random = s->run->seed + (uint64_t)i * 0x632be59bd9b4e019ull;
	c->next_lruvec = (unsigned)(node * s->memcgs);
	lp_histogram_init(&c->rotation_delay_ticks);
	return 0;
}

/* A page of CPU @i on the LRU: one reference, its owner's. */
static void place_page(struct lru_rotate *s, int i, unsigned k, bool dirty)
{
	unsigned node = node_of(s, k);
	struct page *page = &s->pages[node][s->pages_on_node[node]++];
	struct lru_cpu *c = s->cpu[i];

	atomic_init(&page->_refcount, 1);
	atomic_init(&page->_mapcount, -1);
	atomic_init(&page->flags, 1ul << PG_lru | (dirty ? 1ul << PG_dirty : 0));
	page->node = (uint16_t)node;
	page->memcg = (uint16_t)memcg_of(s, k);
	page->owner = (uint32_t)i + 1;
	page->index = c->next_index++;
	lruvec_add_page(page_lruvec(s, page), page);
	c->mine[k] = page;
}

/* Bio by bio in turn, as CPUs that fault at the same rate leave the lists. */
static void place_pages(struct lru_rotate *s)
{
	bool dirty = lp_case_get(s->run->spec, "actors") == LRU_ACTORS_SWAPOUT;

	for (unsigned from = 0; from < s->pages_per_cpu; from += s->bio_pages)
		for (int i = 0; i < s->cpus; i++)
			for (unsigned k = from; k < from + s->bio_pages; k++)
				place_page(s, i, k, dirty);
}

int lru_rotate_setup(struct lp_run *run, struct lp_error *err)
{
	struct lru_rotate *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return lp_fail(err, ENOMEM, "no memory for the state of lru_rotate");
	run->state = s;
	s->run = run;
	s->cpus = run->cpus;
	s->algorithm = run->spec->variant->algorithm;
	s->flavour = run->flavour;
	/* Exact mode has no speed to spoil: it observes as well. */
	if (run->spec->mode == LP_MODE_EXACT)
		s->flavour |= LP_LOCK_OBSERVED;
	read_params(s, run->spec);
	s->cpu = calloc((size_t)s->cpus, sizeof(struct lru_cpu *));
	if (!s->cpu)
		return lp_fail(err, ENOMEM, "no memory for %d CPUs", s->cpus);
	rc = lp_lockstat_init(&s->stat, s->cpus, err);
	if (!rc)
		rc = alloc_lruvecs(s, err);
	if (!rc)
		rc = alloc_pages(s, err);
	for (int i = 0; !rc && i < s->cpus; i++)
		rc = alloc_cpu(s, i, err);
	if (!rc)
		rc = lru_rotate_interrupts(s, err);
	if (!rc)
		place_pages(s);
	return rc;
}

void lru_rotate_drain(struct lp_run *run)
{
	struct lru_rotate *s = run->state;

	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		lru_device_finish(s, s->cpu[i]);
	}
	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		lru_add_drain(s, s->cpu[i]);
	}
	lp_cpu_enter(0);
}

void lru_rotate_teardown(struct lp_run *run)
{
	struct lru_rotate *s = run->state;

	if (!s)
		return;
	lp_lockstat_destroy(&s->stat);
	free(s->cpu);
	free(s);
	run->state = NULL;
}
