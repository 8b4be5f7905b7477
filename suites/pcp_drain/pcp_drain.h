/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pcp_drain: emptying the per-CPU page lists in front of a zone when an allocation fails.
 *
 * What all generations share: the zone, the per-CPU lists, the actors that allocate, free and
 * reclaim, the ways to reach another CPU, and the counts. A generation is one file: what an
 * allocation does after direct reclaim, and how it drains (struct pcp_algorithm).
 */
#ifndef LP_SUITES_PCP_DRAIN_H
#define LP_SUITES_PCP_DRAIN_H

#include "common/measure/clock.h"
#include "suites/pcp_drain/zone.h"
#include "suites/suite.h"

enum {
	PCP_ORDERS = 4,		 /* orders 0..3 are allocated: those that the kernel retries */
	SWAP_CLUSTER_MAX = 32,	 /* pages that one direct reclaim frees; include/linux/swap.h */
	PCP_RECLAIM_ROUNDS = 16, /* after that many an allocation is given up */
	PCP_BATCH_SCALE = 5,	 /* a remote drain frees batch << 5 pages a hold; 6.x */
	PCP_DRAIN_VECTOR = 2,
	PCP_WINDOWS = 4096, /* of the livelock detector, in a ring as long as any run */
	PCP_WINDOW_NS = 10000000,
	PCP_TURN_NS = 2000, /* that a turn stands for, in exact mode */
	PCP_WINDOW_TURNS = PCP_WINDOW_NS / PCP_TURN_NS,
	PCP_HOLD_CLASSES = 5, /* holds of zone->lock by pages freed: 1, -31, -63, -127, more */
};

struct per_cpu_pages {
	struct lp_spinlock lock; /* remote_lock only */
	_Atomic unsigned count;	 /* relaxed: whoever may touch the lists writes, anyone looks */
	volatile bool busy;	 /* the owner is at it with interrupts off: none may run now */
	struct list_head lists[MIGRATE_PCPTYPES];
} LP_ALIGNED(LP_CACHE_PAIR);

/* A FIFO of blocks that an actor holds; ring of a power of two. */
struct pcp_held {
	struct page **page;
	unsigned head, tail, mask;
	unsigned long pages; /* in all blocks */
};

enum pcp_role { PCP_ALLOCATOR, PCP_FREER, PCP_VICTIM };
enum pcp_stage { PCP_STAGE_TRY, PCP_STAGE_RECLAIM, PCP_STAGE_RETRY };

/* What one CPU counts; only its own thread and its interrupts write, never at a time. */
struct pcp_counts {
	uint64_t allocs, fast_failures;		     /* of all roles; the first try only */
	uint64_t asked[PCP_ORDERS], got[PCP_ORDERS]; /* by allocators, in the end */
	uint64_t reclaims, retries, retry_successes, gave_up_allocs;
	uint64_t drains, drains_skipped;  /* asked for by this CPU; skipped: one was under way */
	uint64_t drain_pages;		  /* that its drains put into the zone */
	uint64_t drain_remote_pages;	  /* of those, from other CPUs' lists */
	uint64_t ipis, works, masked_off; /* sent; queued; spared by the mask */
	uint64_t ipis_failed;		  /* the machine would not take the signal */
	uint64_t requests, answers, offline_answers; /* to CPUs, awaited by this one */
	uint64_t handled, useful;		   /* requests answered here; with pages to give */
	uint64_t given_pages;			   /* answering requests in task context */
	uint64_t interruptions, interrupted_ticks; /* of this CPU, for others' drains */
	uint64_t ran_masked;			   /* interrupts in a masked section: must be 0 */
	uint64_t zone_locks, trylock_failures;
	uint64_t hold_count[PCP_HOLD_CLASSES], hold_ticks[PCP_HOLD_CLASSES];
	uint64_t stranded_samples, stranded_sum, stranded_max;
};

struct pcp_window {
	uint32_t drains, successes;
};

struct pcp_cpu {
	struct per_cpu_pages pcp;
	/* Requests to this CPU that it answers when it next looks (pcp_poll()). */
	_Atomic unsigned long requested LP_ALIGNED(LP_CACHE_PAIR);
	_Atomic unsigned long answered; /* release; pairs with the initiator that waits */
	_Atomic bool online; /* it still looks; seq_cst, with requested: see pcp_leave() */
	/* Answers by interrupt to this CPU's own drain. */
	_Atomic int acks LP_ALIGNED(LP_CACHE_PAIR); /* release by the handler, acquire here */
	_Atomic unsigned long acked_pages;
	struct pcp_counts n LP_ALIGNED(LP_CACHE_PAIR);
	int id;
	enum pcp_role role;
	uint64_t random;
	unsigned long *ticket; /* [cpus]: of this CPU's request to each, 0: none */
	/* The allocation at hand. */
	enum pcp_stage stage;
	unsigned order, rounds, reclaim_turns;
	int type;
	uint64_t from_ticks;
	struct pcp_held lru;	/* single pages: what reclaim can free */
	struct pcp_held blocks; /* of higher orders */
	struct lp_histogram latency_ticks, wait_ticks;
	struct pcp_window window[PCP_WINDOWS]; /* [the run's window] */
} LP_ALIGNED(LP_CACHE_PAIR);

struct pcp_drain {
	struct lp_run *run;
	const struct pcp_algorithm *algorithm;
	lp_lock_flavour flavour;
	unsigned batch, high, high_orders;
	bool storm, membarrier, exact, observed;
	bool membarrier_one; /* the kernel can interrupt one CPU alone */
	int cpus;
	unsigned long lru_cap;	 /* pages of page cache an allocator keeps; 0: all it can get */
	unsigned long block_cap; /* pages in blocks of higher orders that it keeps */
	unsigned long freer_cap;
	uint64_t reclaim_ns;	/* that a direct reclaim takes */
	unsigned reclaim_turns; /* the same in exact mode */
	uint64_t begun_ns;
	uint64_t turn;		 /* exact mode: the clock of the livelock detector */
	double idle_calls_per_s; /* function-call interrupts of others; NaN: not known */
	double calls;		 /* in the window; NaN: not known */
	double calls_seconds;
	uint64_t calls_from_ns;
	struct lp_error audit; /* of the places of all pages, as the actors left them */
	struct zone *zone;
	struct pcp_cpu **cpu;	 /* [cpus], each on its own node */
	struct lp_lockstat stat; /* zone->lock */
	struct lp_lockstat pcp_stat;
	_Atomic bool draining LP_ALIGNED(LP_CACHE_PAIR); /* pcpu_drain_mutex, tried only */
};

/* The lists' operations, compiled per lock flavour: with interrupts off, or with a lock each. */
struct pcp_lists {
	struct page *(*alloc)(struct pcp_drain *s, struct pcp_cpu *c, unsigned order, int type);
	void (*free)(struct pcp_drain *s, struct pcp_cpu *c, struct page *page, unsigned order);
	/* Empty @of's lists into the zone, @c pays. Return: pages. */
	unsigned (*drain)(struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of);
	/* Up to @n steps of an allocator, until one needs more than the free lists. */
	void (*allocate)(struct pcp_drain *s, struct pcp_cpu *c, unsigned n);
	/* Allocate up to @n single pages, keep them in c->lru. Return: how many. */
	unsigned (*take)(struct pcp_drain *s, struct pcp_cpu *c, unsigned n);
	/* Free the @n oldest of c->lru, or all. */
	void (*give)(struct pcp_drain *s, struct pcp_cpu *c, unsigned n);
};
extern const struct pcp_lists pcp_plain, pcp_locked;

/* What a generation is. */
struct pcp_algorithm {
	const struct pcp_lists *lists;
	/* The try after direct reclaim, drains included. Return: NULL if it failed. */
	struct page *(*retry)(struct pcp_drain *s, struct pcp_cpu *c, unsigned order, int type);
	/* Bring pages of per-CPU lists back to the zone. Return: false if it was left to another.
	 */
	bool (*drain_all)(struct pcp_drain *s, struct pcp_cpu *c);
};

/* ---- reaching other CPUs: ipi.c, request.c ---- */

/* Why @c cannot run here: the kernel lacks the interrupt it asks for. */
const char *pcp_drain_unavailable(const struct lp_case *c, const struct lp_topology *t);
int pcp_ipi_register(struct pcp_drain *s, struct lp_error *err);
/* Interrupt every other CPU, or every one that seems to hold pages, and wait for all; the own
 * list is drained meanwhile. */
void pcp_ipi_drain(struct pcp_drain *s, struct pcp_cpu *c, bool masked);
/* Whether @of seems to hold pages; racy. */
static LP_ALWAYS_INLINE bool pcp_holds(const struct pcp_cpu *of)
{
	return atomic_load_explicit(&of->pcp.count, memory_order_relaxed) != 0;
}
/* Ask @of to drain at its next look. Return: false if it has left. */
bool pcp_request(struct pcp_drain *s, struct pcp_cpu *c, struct pcp_cpu *of);
/* Wait until every CPU asked by pcp_request() has answered or left; answers others meanwhile. */
void pcp_request_wait(struct pcp_drain *s, struct pcp_cpu *c);
LP_NOINLINE void pcp_answer(struct pcp_drain *s, struct pcp_cpu *c);
/* This CPU looks no more: answers what has been asked up to now. */
void pcp_leave(struct pcp_drain *s, struct pcp_cpu *c);
/* Answers requests, if there are any: once a batch, and wherever a CPU waits. */
static LP_ALWAYS_INLINE void pcp_poll(struct pcp_drain *s, struct pcp_cpu *c)
{
	unsigned long answered = atomic_load_explicit(&c->answered, memory_order_relaxed);

	if (unlikely(atomic_load_explicit(&c->requested, memory_order_relaxed) != answered))
		pcp_answer(s, c);
}
/* One request answered on its own CPU, or on the player of it. Return: pages. */
unsigned pcp_answer_one(struct pcp_drain *s, struct pcp_cpu *c);
/* Drain the own list in the course of a drain. */
void pcp_drain_local(struct pcp_drain *s, struct pcp_cpu *c);

/* ---- retry.c: what several generations do alike ---- */

/* Try; on failure drain once and try again: 2.6.37 on. */
struct page *pcp_retry_then_drain(struct pcp_drain *s, struct pcp_cpu *c, unsigned order, int type);
/* drain_all() with its counts and the initiator's wait. */
void pcp_drain_pages(struct pcp_drain *s, struct pcp_cpu *c);

/* ---- actors.c, livelock.c, exact.c, state.c, check.c, report.c ---- */

void pcp_drain_run(struct lp_worker *w);
/* One turn of the CPU's role. */
void pcp_turn(struct pcp_drain *s, struct pcp_cpu *c);
/* The allocation at hand needs direct reclaim: one stage of it. */
void pcp_slow_stage(struct pcp_drain *s, struct pcp_cpu *c);
/* The allocation at hand ended with @page, or NULL. */
void pcp_alloc_done(struct pcp_drain *s, struct pcp_cpu *c, struct page *page);
uint64_t pcp_drain_play(struct lp_run *run);
/* Tell the livelock detector. */
void pcp_note_window(struct pcp_drain *s, struct pcp_cpu *c, unsigned drains, unsigned successes);
/* Windows with drains and without any success, and windows with drains. */
void pcp_livelocks(const struct pcp_drain *s, uint64_t *livelocked, uint64_t *drained);
int pcp_drain_setup(struct lp_run *run, struct lp_error *err);
void pcp_drain_drain(struct lp_run *run);
void pcp_drain_teardown(struct lp_run *run);
/* Every page is in exactly one place. Return: 0, or -EUCLEAN with @err. */
int pcp_audit(struct pcp_drain *s, struct lp_error *err);
int pcp_drain_check(struct lp_run *run, struct lp_error *err);
void pcp_drain_report(struct lp_run *run, uint64_t ops, double seconds);

/* ---- calls.c: function-call interrupts by the kernel's count, observed rows only ---- */

/* Those so far on the run's CPUs; NaN: not known. */
double pcp_kernel_calls(const struct lp_run *run);
/* The rate of others; sleeps meanwhile. */
void pcp_calls_idle(struct pcp_drain *s);
/* Around the work of each CPU; the first one reads. */
void pcp_calls_begin(struct pcp_drain *s, struct pcp_cpu *c);
void pcp_calls_end(struct pcp_drain *s, struct pcp_cpu *c);

static LP_ALWAYS_INLINE unsigned pcp_held_count(const struct pcp_held *h)
{
	return h->head - h->tail;
}

static LP_ALWAYS_INLINE void pcp_hold(struct pcp_held *h, struct page *page, unsigned order)
{
	h->page[h->head++ & h->mask] = page;
	h->pages += 1ul << order;
}

static LP_ALWAYS_INLINE struct page *pcp_oldest(struct pcp_held *h, unsigned order)
{
	struct page *page = h->page[h->tail++ & h->mask];

	h->pages -= 1ul << order;
	return page;
}

/* Bits of the parameters in the suite's table, for struct lp_variant.params. */
enum pcp_drain_param {
	PCP_CASE,
	PCP_ACTORS,
	PCP_IPI,
	PCP_LOCK,
	PCP_BATCH,
	PCP_HIGH,
	PCP_BLOCKS,
	PCP_HIGH_ORDERS,
	PCP_RECLAIM,
	PCP_CPUS,
	PCP_PARAMS
};
#define PCP_PARAMS_COMMON ((1u << PCP_PARAMS) - 1 - (1u << PCP_IPI))
#define PCP_PARAMS_IPI (PCP_PARAMS_COMMON | 1u << PCP_IPI)

enum { PCP_CASE_NORMAL, PCP_CASE_STORM };
enum { PCP_ACTORS_MIXED, PCP_ACTORS_RECLAIMERS, PCP_ACTORS_VICTIMS };
enum { PCP_IPI_SIGNAL, PCP_IPI_MEMBARRIER };

/* The hooks of a generation. */
#define PCP_DRAIN_HOOKS(name)                                                                      \
	.unavailable = pcp_drain_unavailable, .setup = pcp_drain_setup, .run = pcp_drain_run,      \
	.play = pcp_drain_play, .drain = pcp_drain_drain, .check = pcp_drain_check,                \
	.report = pcp_drain_report, .teardown = pcp_drain_teardown, .algorithm = &name

extern const struct lp_variant pcp_drain_ipi_always;
extern const struct lp_variant pcp_drain_ipi_on_fail;
extern const struct lp_variant pcp_drain_local_only;
extern const struct lp_variant pcp_drain_ipi_masked;
extern const struct lp_variant pcp_drain_workqueue;
extern const struct lp_variant pcp_drain_remote_lock;
extern const struct lp_suite lp_suite_pcp_drain;

#endif
