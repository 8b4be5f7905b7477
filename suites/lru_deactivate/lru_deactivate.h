/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_deactivate: what becomes of pages that were used once and cannot be dropped on advice.
 *
 * A small machine: a page cache, active and inactive lists, reclaim between watermarks, a device
 * that writes, and actors that use them (a backup stream, a working set, an allocator that keeps
 * memory short). A generation is one file: what POSIX_FADV_DONTNEED does with a range of pages.
 * The rotation of pages whose writeback ends with PG_reclaim is lru_rotate's.
 */
#ifndef LP_SUITES_LRU_DEACTIVATE_H
#define LP_SUITES_LRU_DEACTIVATE_H

#include <string.h>

#include "suites/lru_rotate/lru_rotate.h"

enum {
	LOOKUP = 14,	    /* pages looked up at a time; mm/truncate.c, PAGEVEC_SIZE */
	CHUNK = 4 * LOOKUP, /* pages of the stream between two pieces of advice */
	LD_EXACT_CPUS = 4,
	STREAM_TIMES_MEMORY = 8,    /* the source: 16 GB through 2 GB */
	FREE_BATCH = 31,	    /* pages moved between a CPU's free pages and the zone's */
	DEVICE_PAGES_PER_STEP = 72, /* a little more than the stream dirties: CHUNK a step */
	LD_DRAIN_VECTOR = 4,
};

enum mapping_id { MAP_NONE, MAP_SOURCE, MAP_COPY, MAP_WORKING_SET, MAP_STRESS, MAPPINGS };

/* A file's part of the page cache: a page or NULL for every page of the file. */
struct mapping {
	_Atomic(struct page *) *slot; /* acquire on lookup, release on insertion */
	uint64_t pages;
};

struct ld_cpu {
	struct pagevec add LP_ALIGNED(LP_CACHE_PAIR);
	struct pagevec activate, deactivate;
	struct lru_cpu *rotation; /* this CPU's part of lru_rotate's state */
	/* This CPU's free pages, a stack of at most 2 × FREE_BATCH. */
	unsigned nr_free;
	struct page *free[2 * FREE_BATCH];
	uint64_t random;
	uint64_t next_page; /* of the stream */
	/* Pages on their way to the device, oldest first, a ring of `memory` entries. */
	struct page **writing;
	unsigned writing_head, writing_tail;
	/* Counts. */
	uint64_t locks, advice_locks, invalidate_locks, advised, invalidated, failed,
		single_writeouts;
	uint64_t wrong_deactivations, drains, drain_steps, set_faults, stress_faults, accesses;
	uint64_t elapsed_ns; /* virtual, exact mode */
	unsigned stranded_max;
	_Atomic int drain_acks;
} LP_ALIGNED(LP_CACHE_PAIR);

struct deactivate {
	struct lp_run *run;
	const struct deactivate_algorithm *algorithm;
	lp_lock_flavour flavour;
	int cpus;
	bool exact, stress, zipf;
	unsigned memory;		  /* pages in all */
	unsigned min, low, high;	  /* watermarks, pages */
	unsigned working_set, stress_set; /* pages */
	uint64_t stream_pages;
	struct page *pages; /* [memory] */
	struct lruvec *lruvec;
	/* The zone's free pages, a stack. */
	struct lp_spinlock free_lock;
	struct page **free;
	_Atomic unsigned nr_free; /* changed under free_lock, read without it for the watermarks */
	/* Pages on each list as of the last unlock; relaxed, for decisions without the lock. */
	_Atomic unsigned long nr_listed[NR_LRU_LISTS];
	_Atomic int nr_dirty;	  /* dirty or under writeback; relaxed */
	_Atomic bool kswapd_runs; /* one at a time; acquire and release around its run */
	struct mapping *map;	  /* [cpus][MAPPINGS]: streams are private, see mapping_of() */
	double *zipf_share;	  /* [working_set], cumulative */
	struct ld_cpu **cpu;
	struct lru_rotate rotation;
	struct lp_lockstat stat;
};

struct deactivate_algorithm {
	/* POSIX_FADV_DONTNEED on @n pages from @start of mapping @id; NULL: no advice is given. */
	void (*advise)(struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start,
		unsigned n);
	/* The stream's accesses carry no recency (POSIX_FADV_NOREUSE). */
	bool noreuse;
};

/* Streams and stress belong to a CPU; the working set is everybody's (the first CPU's). */
struct mapping *mapping_of(struct deactivate *s, struct ld_cpu *c, enum mapping_id id);

/* ---- cache.c: free pages and the page cache ---- */
struct page *ld_alloc_page(struct deactivate *s, struct ld_cpu *c);
void ld_free_page(struct deactivate *s, struct ld_cpu *c, struct page *page);
/* Gives pages that the rotation freed, and what is over a batch, back to the zone. */
void ld_collect_free(struct deactivate *s, struct ld_cpu *c);
void ld_return_free(struct deactivate *s, struct ld_cpu *c, unsigned keep);
/* The page at @index with a reference, or NULL. */
struct page *find_get_page(
	struct deactivate *s, struct ld_cpu *c, struct mapping *m, uint64_t index);
/* Return: false if somebody else has put a page there meanwhile; @page is then free again. */
bool add_to_page_cache(struct deactivate *s, struct ld_cpu *c, struct page *page,
	enum mapping_id id, uint64_t index);
/* Takes a page that only the cache and the caller hold out of the cache; the caller has PG_locked.
 * Return: false if somebody else holds it. The caller's reference is gone with it. */
bool ld_remove_mapping(struct deactivate *s, struct ld_cpu *c, struct page *page);
/* Drops references; frees those that were the last, off the LRU under one hold of the lock. */
void ld_release_pages(struct deactivate *s, struct ld_cpu *c, struct page **pages, unsigned n);

/* ---- lists.c: batches and lists ---- */
/* lru_lock with interrupts off; the state before goes to ld_unlock(). */
unsigned long ld_lock(struct deactivate *s, struct ld_cpu *c);
void ld_unlock(struct deactivate *s, unsigned long flags);
void ld_add_to_lru(struct deactivate *s, struct ld_cpu *c, struct page *page);
void mark_page_accessed(struct deactivate *s, struct ld_cpu *c, struct page *page);
/* Moves one page that could not be invalidated; the lock is held. */
void lru_deactivate_fn(struct deactivate *s, struct ld_cpu *c, struct page *page);
void deactivate_page(struct deactivate *s, struct ld_cpu *c, struct page *page);
void ld_drain(struct deactivate *s, struct ld_cpu *c);
void ld_drain_all(struct deactivate *s, struct ld_cpu *c);
int ld_register_interrupts(struct deactivate *s, struct lp_error *err);
unsigned ld_batched(struct ld_cpu *c);

/* ---- invalidate.c ---- */
typedef void (*ld_failed)(struct deactivate *s, struct ld_cpu *c, struct page *page);
/* One pass over a range in lookups of 14. @failed is called for what could not be dropped, NULL:
 * left alone. Return: how many could not. */
unsigned invalidate_mapping_pages(struct deactivate *s, struct ld_cpu *c, enum mapping_id id,
	uint64_t start, unsigned n, ld_failed failed);

/* ---- deactivate_drain_all.c: 6.x, used by noreuse too ---- */
void ld_advise_and_drain_all(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start, unsigned n);

/* ---- reclaim.c ---- */
void ld_balance(struct deactivate *s, struct ld_cpu *c); /* kswapd, if it is due */
/* One direct reclaim. Return: how many pages it freed. */
unsigned ld_direct_reclaim(struct deactivate *s, struct ld_cpu *c);

/* ---- writeback.c ---- */
bool ld_start_writeback(struct deactivate *s, struct ld_cpu *c, struct page *page);
void ld_set_dirty(struct deactivate *s, struct page *page);
/* The device finishes @n of this CPU's pages at most; completion with interrupts off. */
void ld_device_run(struct deactivate *s, struct ld_cpu *c, unsigned n);
void ld_flush_range(
	struct deactivate *s, struct ld_cpu *c, enum mapping_id id, uint64_t start, unsigned n);
void ld_throttle(struct deactivate *s, struct ld_cpu *c);

/* ---- actors.c ---- */
void ld_stream_step(struct deactivate *s, struct ld_cpu *c);
void ld_working_set_step(struct deactivate *s, struct ld_cpu *c, unsigned accesses);
void ld_stress_step(struct deactivate *s, struct ld_cpu *c, unsigned accesses);
void lru_deactivate_run(struct lp_worker *w);
uint64_t lru_deactivate_play(struct lp_run *run);

/* ---- state.c, check.c, report.c ---- */
int lru_deactivate_setup(struct lp_run *run, struct lp_error *err);
void lru_deactivate_drain(struct lp_run *run);
void lru_deactivate_teardown(struct lp_run *run);
int lru_deactivate_check(struct lp_run *run, struct lp_error *err);
void lru_deactivate_report(struct lp_run *run, uint64_t ops, double seconds);

enum ld_param { LD_LOCK, LD_STRESS, LD_SET, LD_MEMORY, LD_SET_SHARE, LD_PARAMS };
#define LD_PARAMS_ALL ((1u << LD_PARAMS) - 1)

#define LRU_DEACTIVATE_HOOKS(algo)                                                                 \
	.params = LD_PARAMS_ALL, .setup = lru_deactivate_setup, .run = lru_deactivate_run,         \
	.play = lru_deactivate_play, .drain = lru_deactivate_drain, .check = lru_deactivate_check, \
	.report = lru_deactivate_report, .teardown = lru_deactivate_teardown, .algorithm = &(algo)

extern const struct lp_variant lru_deactivate_no_advice;
extern const struct lp_variant lru_deactivate_invalidate_only;
extern const struct lp_variant lru_deactivate_deactivate;
extern const struct lp_variant lru_deactivate_deactivate_per_page;
extern const struct lp_variant lru_deactivate_deactivate_drain_all;
extern const struct lp_variant lru_deactivate_noreuse;
extern const struct lp_suite lp_suite_lru_deactivate;

#endif
