/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where dirty pages are and where they go: files, devices with their queues, writeouts.
 */
#ifndef LP_SUITES_DIRTY_THROTTLE_DEVICE_H
#define LP_SUITES_DIRTY_THROTTLE_DEVICE_H

#include <stdbool.h>

#include "suites/dirty_throttle/counters.h"
#include "suites/dirty_throttle/events.h"

enum {
	DT_REQUESTS = 128,	/* BLKDEV_MAX_RQ: include/linux/blkdev.h, 2.6.24 */
	DT_CONGESTION_ON = 113, /* blk_queue_congestion_threshold(): block/ll_rw_blk.c, 2.6.24 */
	DT_CONGESTION_OFF = 103,
	DT_REQUEST_PAGES = 128, /* BLK_DEF_MAX_SECTORS: include/linux/blkdev.h, 2.6.24 */
	DT_SMALL_PAGES = 32,	/* a writeout below this counts as a small one */
};

/* ---- file.c: the pages of a file, by tags ---- */

struct dt_bdi;

struct dt_file {
	struct lp_spinlock tree_lock LP_ALIGNED(LP_CACHE_PAIR);
	struct dt_bdi *bdi;
	uint32_t pages;
	uint32_t write_index; /* where writeback goes on; guarded by the lock, as all below */
	uint64_t *dirty_tag, *writeback_tag; /* a bit a page */
	_Atomic uint32_t dirty;		     /* relaxed hint without the lock */
	uint32_t writeback;
	uint64_t dirtied, submitted, completed; /* pages, over all time */
	uint64_t faults; /* completed without writeback, submitted with it: must stay 0 */
};

struct dt_run_of_pages {
	uint32_t first, pages;
};

/** dt_file_init() - @pages clean ones. Return: 0, or -ENOMEM with @err; destroy it either way. */
int dt_file_init(struct dt_file *f, struct dt_bdi *bdi, uint32_t pages, struct lp_error *err);
void dt_file_destroy(struct dt_file *f);
/** dt_file_dirty() - tag @page dirty. Return: whether it was not. */
bool dt_file_dirty(struct dt *s, struct dt_file *f, uint32_t page);
/** dt_file_take() - the next contiguous dirty pages, at most @most: now under writeback. */
struct dt_run_of_pages dt_file_take(struct dt *s, struct dt_file *f, uint32_t most);
/** dt_file_complete() - @run has been written. */
void dt_file_complete(struct dt *s, struct dt_file *f, struct dt_run_of_pages run);

/* ---- device.c ---- */

struct dt_request {
	struct dt_file *file;
	struct dt_run_of_pages run;
};

/* What 3.2 on knows of a device's and its writers' speed; pages a second, jiffies of 1 ms. */
struct dt_rates {
	struct lp_spinlock lock LP_ALIGNED(LP_CACHE_PAIR);
	/* Guarded by the lock; relaxed where read without it. */
	_Atomic uint64_t stamp_jiffies, write_bandwidth, avg_write_bandwidth;
	_Atomic uint64_t dirty_ratelimit, balanced_dirty_ratelimit;
	uint64_t dirtied_stamp, written_stamp;
};

struct dt_writeout {
	uint32_t left;	  /* pages still to write */
	uint32_t written; /* pages handed to the device */
	uint32_t seen;	  /* of request_event, if full */
	bool full;	  /* ended because the device had no request to give */
	bool nonblocking; /* end at congestion instead */
};

struct dt_bdi {
	struct dt_actor device; /* first: found from its actor */
	struct dt_actor flusher;
	int id;
	struct dt_file *file; /* [files] */
	int files;
	_Atomic uint32_t next_file; /* relaxed: where a writeout begins, any file will do */
	double ns_per_page;	    /* 0: a write costs nothing and is done at once */
	uint64_t cost_ns;
	/* Counters of a device; 2.6.23 has none. */
	struct percpu_counter reclaimable LP_ALIGNED(LP_CACHE_PAIR);
	struct percpu_counter writeback, dirtied, written;
	struct dt_prop_percpu completions LP_ALIGNED(LP_CACHE_PAIR);
	_Atomic bool dirty_exceeded LP_ALIGNED(LP_CACHE_PAIR);
	_Atomic bool flushing; /* relaxed, both: hints, as in the kernel */
	_Atomic uint32_t request_event, work_event, flush_event;
	struct dt_rates rates;
	/* Of the flusher alone. */
	struct dt_writeout flush;
	uint64_t flush_started;
	/* The queue, its counts too: guarded by its lock. */
	struct lp_spinlock queue_lock LP_ALIGNED(LP_CACHE_PAIR);
	struct dt_request request[DT_REQUESTS]; /* a ring: active first, then queued */
	unsigned head;
	_Atomic unsigned queued; /* relaxed hint without the lock */
	unsigned reserved;
	bool active;
	uint64_t writeouts, writeout_pages, writeouts_small;
	/* Virtual time only: plain numbers, exact at any time. */
	int64_t exact_dirty, exact_writeback;
	uint64_t dirty_since_ns, idle_dirty_ns, dirty_ns;
};

/** dt_device_reserve() - get_request(): false when all of them are in use. */
bool dt_device_reserve(struct dt *s, struct dt_bdi *b);
/** dt_device_submit() - hand @run to the device on a reserved request; an empty run gives the
 * request back. */
void dt_device_submit(struct dt *s, struct dt_file *f, struct dt_run_of_pages run);
/** dt_device_congested() - bdi_write_congested(). */
static inline bool dt_device_congested(const struct dt_bdi *b)
{
	return atomic_load_explicit(&b->queued, memory_order_relaxed) >= DT_CONGESTION_ON;
}
/** dt_device_step() - an actor: a request has been served, or there is work. */
void dt_device_step(struct dt *s, struct dt_actor *a);
/** dt_device_settle() - charge the time up to @now_ns to idleness with dirty pages. */
void dt_device_settle(struct dt_bdi *b, uint64_t now_ns);

/* ---- writeback.c ---- */

/** dt_writeout() - writeback_inodes(): write up to @o->left pages of @b, file after file. */
void dt_writeout(struct dt *s, struct dt_bdi *b, struct dt_writeout *o);
/** dt_flusher_step() - an actor: background writeback of one device. */
void dt_flusher_step(struct dt *s, struct dt_actor *a);
/** dt_flusher_kick() - start background writeback of @b unless it is going on. */
void dt_flusher_kick(struct dt *s, struct dt_bdi *b);

#endif
