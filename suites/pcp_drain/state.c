// SPDX-License-Identifier: GPL-2.0-or-later
/* Making and unmaking a run: a zone, and CPUs with their lists, roles and rings of held pages. */
#include "suites/pcp_drain/pcp_drain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* What a case leaves to an allocator: see README.md. */
enum {
	NORMAL_HIGH_ORDERS = 100, /* in 1000 allocations */
	STORM_HIGH_ORDERS = 500,
	WATERMARK_SHARE = 32, /* one page in so many is kept free */
	BLOCK_SHARE = 8,      /* and as many may be in blocks of higher orders, per allocator */
};

static int count_roles(const struct pcp_drain *s, enum pcp_role role)
{
	int n = 0;

	for (int i = 0; i < s->cpus; i++)
		n += s->cpu[i]->role == role;
	return n;
}

/* Allocator, freer, allocator, victim, and again; a CPU alone allocates. */
static enum pcp_role role_of(const struct lp_case *c, int cpu)
{
	static const enum pcp_role mixed[] = {PCP_ALLOCATOR, PCP_FREER, PCP_ALLOCATOR, PCP_VICTIM};

	switch (lp_case_get(c, "actors")) {
	case PCP_ACTORS_RECLAIMERS:
		return PCP_ALLOCATOR;
	case PCP_ACTORS_VICTIMS:
		return PCP_VICTIM;
	default:
		return mixed[cpu % (int)ARRAY_SIZE(mixed)];
	}
}

static void read_params(struct pcp_drain *s, const struct lp_case *c)
{
	s->batch = (unsigned)lp_case_get(c, "batch");
	s->high = (unsigned)lp_case_get(c, "high");
	if (s->high < s->batch)
		s->high = s->batch; /* a bulk cannot be larger than the list */
	s->storm = lp_case_get(c, "case") == PCP_CASE_STORM;
	s->high_orders = (unsigned)lp_case_get(c, "high_orders");
	if (!s->high_orders)
		s->high_orders = s->storm ? STORM_HIGH_ORDERS : NORMAL_HIGH_ORDERS;
	s->membarrier =
		(c->variant->params & 1u << PCP_IPI) && lp_case_get(c, "ipi") == PCP_IPI_MEMBARRIER;
	s->reclaim_ns = (uint64_t)lp_case_get(c, "reclaim") * 1000;
	s->reclaim_turns = (unsigned)(s->reclaim_ns / PCP_TURN_NS);
}

/* How much each actor keeps: in the normal case, all together a little more than there is. */
static void share_zone(struct pcp_drain *s)
{
	unsigned long pages = s->zone->nr_pages;
	unsigned long allocators = (unsigned long)count_roles(s, PCP_ALLOCATOR);

	s->zone->watermark = (long)(pages / WATERMARK_SHARE);
	s->freer_cap = pages / 8 / (unsigned long)s->cpus;
	if (!allocators)
		return;
	s->block_cap = pages / BLOCK_SHARE / allocators;
	if (!s->storm)
		s->lru_cap = pages * 13 / 16 / allocators;
}

static int alloc_zone(struct pcp_drain *s, struct lp_error *err)
{
	unsigned long blocks =
		(unsigned long)lp_case_get(s->run->spec, "blocks") * (unsigned long)s->cpus;
	size_t bytes = (blocks << PAGEBLOCK_ORDER) * sizeof(struct page);
	struct page *pages;

	s->zone = lp_run_alloc(s->run, sizeof(*s->zone), 0, err);
	if (!s->zone)
		return -err->code;
	pages = lp_run_alloc(s->run, bytes, 0, err);
	if (!pages)
		return -err->code;
	zone_init(s->zone, pages, blocks, s->flavour,
		s->flavour & LP_LOCK_OBSERVED ? &s->stat : NULL);
	return 0;
}

static int alloc_held(struct pcp_drain *s, struct pcp_held *h, int node, struct lp_error *err)
{
	unsigned room = 1;

	while (room < s->zone->nr_pages)
		room *= 2;
	h->mask = room - 1;
	h->page = lp_run_alloc(s->run, room * sizeof(struct page *), node, err);
	return h->page ? 0 : -err->code;
}

static int alloc_cpu(struct pcp_drain *s, int i, struct lp_error *err)
{
	int node = lp_run_cpu_node(s->run, i);
	struct pcp_cpu *c = lp_run_alloc(s->run, sizeof(*c), node, err);

	if (!c)
		return -err->code;
	s->cpu[i] = c;
	c->id = i;
	c->role = role_of(s->run->spec, i);
	c->random = s->run->seed + (uint64_t)i * 0x632be59bd9b4e019ull;
	atomic_init(&c->online, true);
	spin_lock_init(
		&c->pcp.lock, s->flavour, s->flavour & LP_LOCK_OBSERVED ? &s->pcp_stat : NULL);
	for (int type = 0; type < MIGRATE_PCPTYPES; type++)
		INIT_LIST_HEAD(&c->pcp.lists[type]);
	lp_histogram_init(&c->latency_ticks);
	lp_histogram_init(&c->wait_ticks);
	c->ticket = lp_run_alloc(s->run, (size_t)s->cpus * sizeof(*c->ticket), node, err);
	if (!c->ticket || alloc_held(s, &c->lru, node, err))
		return -err->code;
	return alloc_held(s, &c->blocks, node, err);
}

static int make(struct pcp_drain *s, struct lp_error *err)
{
	int rc = lp_lockstat_init(&s->stat, s->cpus, err);

	if (!rc)
		rc = lp_lockstat_init(&s->pcp_stat, s->cpus, err);
	if (!rc)
		rc = alloc_zone(s, err);
	for (int i = 0; !rc && i < s->cpus; i++)
		rc = alloc_cpu(s, i, err);
	if (!rc)
		rc = pcp_ipi_register(s, err);
	return rc;
}

int pcp_drain_setup(struct lp_run *run, struct lp_error *err)
{
	struct pcp_drain *s = aligned_alloc(LP_CACHE_PAIR, sizeof(*s));
	int rc;

	if (!s)
		return lp_fail(err, ENOMEM, "no memory for the state of pcp_drain");
	*s = (struct pcp_drain){
		.run = run,
		.cpus = run->cpus,
		.algorithm = run->spec->variant->algorithm,
		.flavour = run->flavour,
		.exact = run->spec->mode == LP_MODE_EXACT,
		.observed = run->observed,
		.idle_calls_per_s = NAN,
		.calls = NAN,
	};
	run->state = s;
	read_params(s, run->spec);
	s->cpu = calloc((size_t)s->cpus, sizeof(struct pcp_cpu *));
	if (!s->cpu)
		return lp_fail(err, ENOMEM, "no memory for %d CPUs", s->cpus);
	rc = make(s, err);
	if (rc)
		return rc;
	share_zone(s);
	pcp_calls_idle(s);
	s->begun_ns = lp_clock_ns();
	return 0;
}

static void free_held(struct pcp_drain *s, struct pcp_cpu *c)
{
	const struct pcp_lists *lists = s->algorithm->lists;

	lists->give(s, c, pcp_held_count(&c->lru));
	while (pcp_held_count(&c->blocks)) {
		unsigned order = c->blocks.page[c->blocks.tail & c->blocks.mask]->order;

		lists->free(s, c, pcp_oldest(&c->blocks, order), order);
	}
}

/* All is freed, so that whatever was lost or doubled keeps some block from being whole again. */
void pcp_drain_drain(struct lp_run *run)
{
	struct pcp_drain *s = run->state;

	pcp_audit(s, &s->audit);
	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		free_held(s, s->cpu[i]);
		s->algorithm->lists->drain(s, s->cpu[i], s->cpu[i]);
	}
	lp_cpu_enter(0);
}

void pcp_drain_teardown(struct lp_run *run)
{
	struct pcp_drain *s = run->state;

	if (!s)
		return;
	lp_lockstat_destroy(&s->stat);
	lp_lockstat_destroy(&s->pcp_stat);
	free(s->cpu);
	free(s);
	run->state = NULL;
}
