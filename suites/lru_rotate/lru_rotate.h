/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_rotate: moving pages whose writeback has ended to the tail of the inactive list.
 *
 * What all generations share: the pages, the LRU lists, the per-CPU batches and the counts. A
 * generation is one file: how the end of one page's writeback is handled, and how the CPU's batch
 * is flushed (see LRU_ROTATE_ALGORITHM). Everything around it (the bio completions that call it,
 * reclaim, the adders, the device) is the same code for all of them.
 */
#ifndef LP_SUITES_LRU_ROTATE_H
#define LP_SUITES_LRU_ROTATE_H

#include "common/kernel/zone.h"
#include "common/measure/clock.h"
#include "suites/suite.h"

enum {
	PAGEVEC_MAX = 63,
	PAGEVEC_SIZE = 14,     /* to 4.14; include/linux/pagevec.h */
	SWAP_CLUSTER_MAX = 32, /* pages isolated per hold of the lock; include/linux/swap.h */
	BIO_RING = 64,	       /* bios of one CPU */
	DEVICE_DEPTH = 8,      /* bios in the device before the oldest completes */
	EXACT_CPUS = 4,	       /* CPUs played in exact mode */
	LRU_COMPLETION_VECTOR = 1,
	LRU_DRAIN_VECTOR = 2,
};

/* A CPU's batch of pages that wait to be moved under one hold of the lock. */
struct pagevec {
	_Atomic unsigned nr; /* relaxed; only its own CPU writes, samplers read */
	struct page *pages[PAGEVEC_MAX];
	/* Filled by observed flavours only: what the page was, and when its writeback ended. */
	uint32_t identity[PAGEVEC_MAX];
	uint64_t queued_ticks[PAGEVEC_MAX];
};

struct lru_bio {
	struct lru_bio *next;	/* in the completion queue of a CPU */
	_Atomic bool in_flight; /* release by the completion, acquire by the next submitter */
	int n;
	struct page *pages[SWAP_CLUSTER_MAX];
};

/* What one CPU owns. Only its own thread touches it, stranded-page samplers apart. */
struct lru_cpu {
	struct pagevec rotate LP_ALIGNED(LP_CACHE_PAIR); /* lru_rotate_pvecs */
	struct pagevec add LP_ALIGNED(LP_CACHE_PAIR);	 /* lru_add_pvecs */
	/* Counts of the rotation. */
	uint64_t rotate_locks LP_ALIGNED(LP_CACHE_PAIR); /* lru_lock taken in order to rotate */
	uint64_t completed;				 /* pages whose writeback ended here */
	uint64_t moved;					 /* moved to the tail */
	uint64_t not_rotated;	/* not moved: not reclaimable any more, or off the LRU */
	uint64_t stale_touches; /* of a page that has become another one in the batch */
	/* The rest of the CPU's work. */
	uint64_t other_locks, steps, added, freed, written, congested;
	uint64_t runs, singletons, run_length; /* of contiguous pages given to the device */
	uint64_t last_index;
	uint32_t last_owner;
	uint64_t next_index;
	uint64_t random;
	unsigned next_page, next_lruvec;
	/* Samples of pages stranded on other CPUs, taken by this one. */
	uint64_t stranded_max, stranded_samples;
	double stranded_sum;
	uint64_t stranded_pages_ns, sampled_from_ns, sampled_to_ns;
	unsigned stranded_last;
	struct lp_histogram rotation_delay_ticks;
	/* Bios that the device has finished and this CPU is to complete, newest first. Posted by
	 * any CPU (release), taken as a whole by this one (acquire); the interrupt is the doorbell.
	 */
	_Atomic(struct lru_bio *) finished LP_ALIGNED(LP_CACHE_PAIR);
	_Atomic int drain_acks LP_ALIGNED(LP_CACHE_PAIR); /* of the drain this CPU asked for */
	unsigned nr_free;
	struct page **free; /* [all pages]: this CPU's free pages, a stack */
	struct page **mine; /* [pages_per_cpu]: the pages it completes, in bio order */
	unsigned bio_head, bio_tail;
	struct lru_bio bio[BIO_RING];
};

struct lru_rotate {
	struct lp_run *run;
	const struct lru_rotate_algorithm *algorithm;
	lp_lock_flavour flavour;
	unsigned batch, add_batch, bio_pages, pages_per_cpu, drain_all_every;
	int cpus, nodes, memcgs;
	bool direct; /* no batch at all: one CPU, and the caller asked for it */
	bool offline[EXACT_CPUS];
	uint64_t offline_left; /* entries still batched on a CPU after it went offline */
	struct lruvec *lruvec; /* [nodes × memcgs] */
	struct page *pages[4]; /* by node, [pages_on_node] */
	unsigned pages_on_node[4];
	struct lru_cpu **cpu; /* [cpus], each on its own node */
	struct lp_lockstat stat;
};

/* Frees a page whose last reference is gone; takes it off the LRU first. In reclaim.c. */
LP_NOINLINE void __put_page(struct lru_rotate *s, struct lru_cpu *c, struct page *page);

static LP_ALWAYS_INLINE void put_page(struct lru_rotate *s, struct lru_cpu *c, struct page *page)
{
	if (unlikely(put_page_testzero(page)))
		__put_page(s, c, page);
}

/* Drops a batch's references together. */
static LP_ALWAYS_INLINE void release_pages(
	struct lru_rotate *s, struct lru_cpu *c, struct page **pages, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put_page(s, c, pages[i]);
}

/* What a generation is; both run with its lock inlined, and cross the table once a bio. */
struct lru_rotate_algorithm {
	/* Handle the completion of a bio of @n pages; interrupts are off. */
	void (*complete)(struct lru_rotate *s, struct lru_cpu *c, struct page **pages, int n);
	/* Flush this CPU's rotation batch from task or interrupt context. */
	void (*drain)(struct lru_rotate *s, struct lru_cpu *c);
};

static LP_ALWAYS_INLINE struct lruvec *page_lruvec(struct lru_rotate *s, struct page *page)
{
	return &s->lruvec[page->node * s->memcgs + page->memcg];
}

static LP_ALWAYS_INLINE unsigned pagevec_count(struct pagevec *pv)
{
	return atomic_load_explicit(&pv->nr, memory_order_relaxed);
}

static LP_ALWAYS_INLINE void pagevec_reinit(struct pagevec *pv)
{
	atomic_store_explicit(&pv->nr, 0, memory_order_relaxed);
}

/* Return: whether a slot is left, as the kernel's pagevec_add(); if not, the caller flushes. */
static LP_ALWAYS_INLINE bool pagevec_add(
	struct pagevec *pv, unsigned batch, struct page *page, lp_lock_flavour f)
{
	unsigned nr = pagevec_count(pv);

	pv->pages[nr] = page;
	if (f & LP_LOCK_OBSERVED) {
		pv->identity[nr] = atomic_load_explicit(&page->identity, memory_order_relaxed);
		pv->queued_ticks[nr] = lp_ticks();
	}
	atomic_store_explicit(&pv->nr, nr + 1, memory_order_relaxed);
	return nr + 1 < batch;
}

/* Whether rotating @page makes sense at all (2.6.23 on: mm/swap.c, rotate_reclaimable_page()). */
static LP_ALWAYS_INLINE bool page_rotatable(struct page *page)
{
	unsigned long flags = atomic_load_explicit(&page->flags, memory_order_relaxed);
	unsigned long unfit = 1ul << PG_locked | 1ul << PG_dirty | 1ul << PG_active;

	return !(flags & unfit) && (flags & 1ul << PG_lru);
}

/* Under lru_lock: to the tail, if it is still there and inactive. Return: whether it moved. */
static LP_ALWAYS_INLINE bool rotate_under_lock(
	struct lruvec *lruvec, struct lru_cpu *c, struct page *page)
{
	if (!page_test(page, PG_lru) || page_test(page, PG_active)) {
		c->not_rotated++;
		return false;
	}
	list_move_tail(&page->lru, &lruvec->lists[LRU_INACTIVE]);
	c->moved++;
	return true;
}

/* Observed flavours: how old entry @i of the batch is, and whether it is still the same page. */
static LP_ALWAYS_INLINE void observe_entry(
	struct lru_cpu *c, struct pagevec *pv, unsigned i, lp_lock_flavour f)
{
	if (!(f & LP_LOCK_OBSERVED))
		return;
	lp_histogram_record(&c->rotation_delay_ticks, lp_ticks() - pv->queued_ticks[i]);
	c->stale_touches += pv->identity[i] !=
			    atomic_load_explicit(&pv->pages[i]->identity, memory_order_relaxed);
}

/* The end of writeback without any batch, as 2.6.23 did it for every page: PG_writeback is cleared
 * inside the lock. Also what a batching generation does when told not to batch on one CPU. */
static LP_ALWAYS_INLINE void rotate_page_at_once(
	struct lru_rotate *s, struct lru_cpu *c, struct page *page, lp_lock_flavour f)
{
	struct lruvec *lruvec = page_lruvec(s, page);
	uint64_t from = f & LP_LOCK_OBSERVED ? lp_ticks() : 0;
	unsigned long flags;

	c->rotate_locks++;
	flags = spin_lock_irqsave(&lruvec->lru_lock, f);
	if (rotate_under_lock(lruvec, c, page))
		count_vm_event(PGROTATED);
	page_test_and_clear(page, PG_writeback);
	spin_unlock_irqrestore(&lruvec->lru_lock, flags, f);
	if (f & LP_LOCK_OBSERVED)
		lp_histogram_record(&c->rotation_delay_ticks, lp_ticks() - from);
}

/**
 * LRU_ROTATE_ALGORITHM() - turn a generation's two functions into its table entry.
 * @name: the generation; @end_page_writeback(s, c, page, f) handles one page with interrupts off;
 * @flush(s, c, f) empties the CPU's batch. Both LP_ALWAYS_INLINE, compiled once per flavour.
 */
#define LRU_ROTATE_ALGORITHM(name, end_page_writeback, flush)                                      \
	static LP_ALWAYS_INLINE void name##_complete_bio(struct lru_rotate *s, struct lru_cpu *c,  \
		struct page **pages, int n, lp_lock_flavour f)                                     \
	{                                                                                          \
		for (int i = 0; i < n; i++)                                                        \
			end_page_writeback(s, c, pages[i], f);                                     \
		c->completed += (unsigned)n;                                                       \
	}                                                                                          \
	static void name##_complete(                                                               \
		struct lru_rotate *s, struct lru_cpu *c, struct page **pages, int n)               \
	{                                                                                          \
		LP_FOR_FLAVOUR(s->flavour, name##_complete_bio, s, c, pages, n);                   \
	}                                                                                          \
	static void name##_drain(struct lru_rotate *s, struct lru_cpu *c)                          \
	{                                                                                          \
		LP_FOR_FLAVOUR(s->flavour, flush, s, c);                                           \
	}                                                                                          \
	static const struct lru_rotate_algorithm name##_algorithm = {                              \
		.complete = name##_complete,                                                       \
		.drain = name##_drain,                                                             \
	}

/* Bits of the parameters in the suite's table, for struct lp_variant.params. */
enum lru_rotate_param {
	LRU_BATCH,
	LRU_LOCK,
	LRU_NODES,
	LRU_INTERLEAVE,
	LRU_MEMCGS,
	LRU_ACTORS,
	LRU_PAGES,
	LRU_BIO,
	LRU_DRAIN_ALL,
	LRU_NOOP_ON_ONE_CPU,
	LRU_PARAMS
};
#define LRU_PARAMS_ALL                                                                             \
	(1u << LRU_LOCK | 1u << LRU_NODES | 1u << LRU_INTERLEAVE | 1u << LRU_ACTORS |              \
		1u << LRU_PAGES | 1u << LRU_BIO | 1u << LRU_DRAIN_ALL)
#define LRU_PARAMS_BATCHED (LRU_PARAMS_ALL | 1u << LRU_BATCH | 1u << LRU_NOOP_ON_ONE_CPU)

enum { LRU_ACTORS_COMPLETERS, LRU_ACTORS_SWAPOUT };
enum { LRU_INTERLEAVE_ALTERNATE, LRU_INTERLEAVE_BIO };

/* ---- state.c: the hooks that all generations share ---- */
int lru_rotate_setup(struct lp_run *run, struct lp_error *err);
void lru_rotate_drain(struct lp_run *run);
void lru_rotate_teardown(struct lp_run *run);
/* check.c, report.c */
int64_t lru_rotate_lost(const struct lru_rotate *s);
int lru_rotate_check(struct lp_run *run, struct lp_error *err);
void lru_rotate_report(struct lp_run *run, uint64_t ops, double seconds);
/* actors.c */
void lru_rotate_run(struct lp_worker *w);
void lru_rotate_sample_stranded(struct lru_rotate *s, struct lru_cpu *c);
/* Puts the next of CPU @c's own bios under writeback and completes it. */
void lru_complete_own_bio(struct lru_rotate *s, struct lru_cpu *c);
/* exact.c */
uint64_t lru_rotate_play(struct lp_run *run);

/* The generations, one file each. */
extern const struct lp_variant lru_rotate_per_page;
extern const struct lp_variant lru_rotate_pagevec_noref;
extern const struct lp_variant lru_rotate_pagevec_ref;
extern const struct lp_variant lru_rotate_pagevec_irq;
extern const struct lp_variant lru_rotate_lruvec_batch;
extern const struct lp_suite lp_suite_lru_rotate;

/* The hooks of a generation. */
#define LRU_ROTATE_HOOKS(name)                                                                     \
	.setup = lru_rotate_setup, .run = lru_rotate_run, .play = lru_rotate_play,                 \
	.drain = lru_rotate_drain, .check = lru_rotate_check, .report = lru_rotate_report,         \
	.teardown = lru_rotate_teardown, .algorithm = &name##_algorithm

/* ---- device.c ---- */

/** lru_device_register() - register the completion interrupt of @s. */
int lru_device_register(struct lru_rotate *s, struct lp_error *err);
/** lru_device_step() - if the device holds more than DEVICE_DEPTH bios of CPU @c the oldest
 * completes, on a CPU drawn at random. */
void lru_device_step(struct lru_rotate *s, struct lru_cpu *c);
/** lru_device_finish() - complete, on the CPU that this thread plays, every bio that CPU @c has in
 * the device or its completion queue. */
void lru_device_finish(struct lru_rotate *s, struct lru_cpu *c);

/* ---- reclaim.c: the task side ---- */

/** lru_rotate_interrupts() - register the completion and drain interrupts of @s. */
int lru_rotate_interrupts(struct lru_rotate *s, struct lp_error *err);

/** lru_add_drain() - flush both batches of CPU @c; start of every shrink of a list. */
void lru_add_drain(struct lru_rotate *s, struct lru_cpu *c);
/** lru_add_drain_all() - the same on every CPU, by a real interrupt to each that holds pages. */
void lru_add_drain_all(struct lru_rotate *s, struct lru_cpu *c);
/** lru_swapout_step() - add new pages, shrink one list, let the device complete its oldest bio. */
void lru_swapout_step(struct lru_rotate *s, struct lru_cpu *c);
#endif
