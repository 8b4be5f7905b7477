/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_plug: handing bios to a block queue one by one, or gathered on the submitter's own plug.
 *
 * A generation is one file with a `struct block_algorithm`: how a bio is submitted and how a scan
 * begins and ends. Queue, elevator, device and submitters are the same code for all of them.
 *
 * Two clocks run the same code: real time, in which the device's completions are timer interrupts
 * on the submitting CPU's thread, and the virtual time of exact mode, in which one thread plays
 * submitters and device event by event.
 */
#ifndef LP_SUITES_BLOCK_PLUG_H
#define LP_SUITES_BLOCK_PLUG_H

#include <time.h>

#include <bsd/sys/tree.h>

#include "common/kernel/list.h"
#include "common/measure/clock.h"
#include "suites/suite.h"

enum {
	SECTORS_PER_PAGE = 8,
	SCAN_PAGES = 32, /* reclaim plugs a scan of SWAP_CLUSTER_MAX pages: mm/vmscan.c, 2.6.39 */
	QUEUE_REQUESTS = 128,	   /* BLKDEV_MAX_RQ; include/linux/blkdev.h */
	WAKE_BATCH = 32,	   /* BLK_BATCH_REQ; block/blk.h */
	MAX_SEGMENTS = 128,	   /* BLK_MAX_SEGMENTS; include/linux/blkdev.h */
	ELEVATOR_HASH = 64,	   /* ELV_HASH_ENTRIES; block/elevator.c */
	UNPLUG_REQUESTS = 4,	   /* q->unplug_thresh; block/blk-settings.c, 2.6.38 */
	UNPLUG_DELAY_NS = 3000000, /* q->unplug_delay; the same */
	DEVICE_SLOTS = 4,	   /* requests in the device at a time: its bandwidth never idles */
	MAX_QUEUES = 8,
	BIO_RING = 8192,  /* bios of one CPU on their way */
	BLOCK_VECTOR = 3, /* the device's interrupt */
	EXACT_CPUS = 4,
};

/* Where a bio found its request. */
enum merge_place {
	MERGE_PLUG, /* in the submitter's plug, without a lock */
	MERGE_LAST, /* the queue's last merged request */
	MERGE_HASH, /* by its end sector: back merge */
	MERGE_TREE, /* by its start sector: front merge */
	MERGE_NONE, /* a new request */
	MERGE_PLACES
};

enum flush_reason { FLUSH_FINISH, FLUSH_COUNT, FLUSH_SIZE, FLUSH_SLEEP, FLUSH_REASONS };

struct bio {
	struct bio *next; /* in its request, rising sectors */
	uint64_t sector;
	uint64_t submitted_ns;
	unsigned sectors;
	int queue;
	_Atomic bool in_flight; /* release at completion, acquire by the ring's owner */
	uint8_t completions;	/* must become 1 */
};

struct request {
	struct list_head list;	/* free, plug, software queue or device */
	struct list_head hash;	/* bucket of its end sector, while in the elevator */
	RB_ENTRY(request) node; /* by start sector, while in the elevator */
	uint64_t sector;
	unsigned sectors, segments;
	struct bio *head, *tail;
	int cpu; /* that submitted its first bio: completions go there */
	int queue;
	uint64_t finish_ns;
};

RB_HEAD(request_tree, request);

struct device_slot {
	struct block_queue *queue;
	struct request *rq; /* guarded by the queue's lock */
	timer_t timer[];    /* [cpus], real time only */
};

struct block_queue {
	struct lp_spinlock lock LP_ALIGNED(LP_CACHE_PAIR);
	struct request_tree tree; /* sorted, not yet dispatched */
	struct list_head hash[ELEVATOR_HASH];
	struct request *last_merge;
	struct list_head dispatch; /* mq: handed to the driver, in order */
	unsigned queued;	   /* in tree or dispatch */
	unsigned allocated;
	struct list_head free;
	struct request *pool; /* [QUEUE_REQUESTS] */
	/* Queue-wide plugging, up to 2.6.38. */
	bool plugged;
	uint64_t plugged_ns;
	/* Device. */
	struct device_slot *slot[DEVICE_SLOTS];
	unsigned busy_slots;
	uint64_t head_sector, free_at_ns;
	_Atomic bool run_wanted; /* relaxed hint: a worker is to run the queue */
	/* Submitters that wait for a request. */
	unsigned waiters, freed_since_wake;
	_Atomic uint32_t wake_seq; /* futex; changed under the lock */
	int id;
	/* Counts; guarded by the lock. */
	uint64_t requests, request_pages, completed_pages, insert_merges, over_limit;
	double request_pages_square;
	uint64_t first_start_ns, last_finish_ns;
};

/* struct blk_plug, on the stack of its task in the kernel. */
struct blk_plug {
	struct list_head list;
	unsigned count;
	bool several_queues;
	struct list_head cached; /* mq_plug: requests allocated ahead */
	unsigned cached_count;
};

/* A CPU's software queue of the multi-queue layer. */
struct software_queue {
	struct lp_spinlock lock LP_ALIGNED(LP_CACHE_PAIR);
	struct list_head list;
	_Atomic int count; /* relaxed; changed under the lock, a hint without it */
};

struct block_cpu {
	struct blk_plug plug LP_ALIGNED(LP_CACHE_PAIR);
	struct software_queue ctx;
	int id;
	uint64_t random;
	/* The write pattern. */
	uint64_t extent, next_sector;
	unsigned run_left;
	int run_queue;
	/* Counts of this CPU. */
	uint64_t bios, locks, waits, handovers, interrupts;
	uint64_t merges[MERGE_PLACES], flushes[FLUSH_REASONS];
	uint64_t plug_scanned; /* requests looked at in plug merge searches */
	uint64_t cpu_ns, wall_ns;
	struct lp_histogram added_latency_ns, flush_off_ns;
	/* Exact mode. */
	uint64_t ready_ns;
	int waiting_for;
	bool waits_for_own; /* for its own pages, not for a request */
	unsigned left_in_scan;
	uint64_t ring_head;
	struct bio *ring; /* [BIO_RING] */
};

struct block_plug {
	struct lp_run *run;
	const struct block_algorithm *algorithm;
	lp_lock_flavour flavour;
	int cpus, queues;
	unsigned max_sectors, run_pages, sequential, plug_requests, window;
	double ns_per_sector;
	uint64_t cost_ns, think_ns;
	bool zero_cost, virtual_time, measure_latency, draining;
	uint64_t now_ns; /* exact mode */
	struct block_queue *queue[MAX_QUEUES];
	struct block_cpu **cpu;
	struct lp_lockstat stat;
};

struct block_algorithm {
	/* Submit @bio. Return: 0, or -EAGAIN with nothing changed when no request is to be had;
	 * the caller sleeps (see before_sleep) and tries again. */
	int (*submit)(struct block_plug *s, struct block_cpu *c, struct bio *bio);
	/* Start and end of a scan; NULL: nothing. */
	void (*start)(struct block_plug *s, struct block_cpu *c);
	void (*finish)(struct block_plug *s, struct block_cpu *c);
	/* The task is about to sleep for a request of @q. */
	void (*before_sleep)(struct block_plug *s, struct block_cpu *c, struct block_queue *q);
	/* Give the device work, the queue's lock held: room has come up. */
	void (*run_queue)(struct block_plug *s, struct block_cpu *c, struct block_queue *q);
	unsigned max_kib;      /* largest request */
	unsigned max_plugged;  /* requests that flush a plug; 0: no such limit */
	unsigned max_last_kib; /* size of the last request that flushes a plug; 0: no limit */
	bool sort_by_sector;   /* a flush sorts by queue and sector, not by queue alone */
	bool multi_queue;
};

/* ---- elevator.c: requests and merging; all want the queue's lock held ---- */
bool bio_merge_into(struct block_plug *s, struct request *rq, struct bio *bio);
enum merge_place elevator_merge(struct block_plug *s, struct block_queue *q, struct bio *bio);
void elevator_insert(struct block_queue *q, struct request *rq);
/* Sort-merge: joins @rq to a queued request that ends where it starts; else inserts it. */
void elevator_insert_merge(struct block_plug *s, struct block_queue *q, struct request *rq);
/* The next request in one direction from the device's position; NULL: none queued. */
struct request *elevator_next(struct block_queue *q);
void elevator_init(struct block_queue *q);

/* ---- queue.c: locks, requests, waiting ---- */
void queue_lock(struct block_plug *s, struct block_cpu *c, struct block_queue *q);
void queue_unlock(struct block_plug *s, struct block_queue *q);
/* A request for @bio, NULL when all are in use. Wants the lock. */
struct request *request_alloc(struct block_queue *q);
void request_set_bio(struct request *rq, struct block_cpu *c, struct bio *bio);
void request_free(struct block_plug *s, struct block_queue *q, struct request *rq);
void queue_wait(struct block_plug *s, struct block_cpu *c, struct block_queue *q);
uint64_t block_now_ns(const struct block_plug *s);

/* ---- device.c ---- */
int device_init(struct block_plug *s, struct block_queue *q, int node, struct lp_error *err);
int device_register(struct block_plug *s, struct lp_error *err);
/* Creates this CPU's timers; called on its own thread. */
void device_attach_cpu(struct block_plug *s, int cpu);
void device_detach_cpu(struct block_plug *s, int cpu);
/* Gives the device what it has room for; wants the lock, which it keeps. */
void device_run(struct block_plug *s, struct block_cpu *c, struct block_queue *q);
/* Completes the slot's request on CPU @c: bios, request, then the next one; takes the lock. */
void device_complete(struct block_plug *s, struct block_cpu *c, struct device_slot *slot);

/* ---- plug_list.c: what all plugging generations share ---- */
void plug_start(struct block_plug *s, struct block_cpu *c);
void plug_finish(struct block_plug *s, struct block_cpu *c);
void plug_before_sleep(struct block_plug *s, struct block_cpu *c, struct block_queue *q);
void plug_flush(struct block_plug *s, struct block_cpu *c, enum flush_reason reason);
int plug_submit(struct block_plug *s, struct block_cpu *c, struct bio *bio);

/* ---- submitter.c ---- */
/* Whether CPU @c may start a scan: its window has room. */
bool submitter_may_scan(struct block_plug *s, struct block_cpu *c);
/* The next bio of the CPU's pattern, to be followed by submitter_advance() or _give_up(); NULL when
 * its ring is full. */
struct bio *submitter_next(struct block_plug *s, struct block_cpu *c);
void submitter_advance(struct block_plug *s, struct block_cpu *c);
/* @bio could not be submitted: gives it back. */
void submitter_give_up(struct bio *bio);

/* ---- the hooks that all generations share ---- */
int block_plug_setup(struct lp_run *run, struct lp_error *err);
void block_plug_run(struct lp_worker *w);
uint64_t block_plug_play(struct lp_run *run);
void block_plug_drain(struct lp_run *run);
int block_plug_check(struct lp_run *run, struct lp_error *err);
void block_plug_report(struct lp_run *run, uint64_t ops, double seconds);
void block_plug_teardown(struct lp_run *run);

/* Bits of the parameters, for struct lp_variant.params. */
enum block_plug_param {
	BP_LOCK,
	BP_QUEUES,
	BP_RUN,
	BP_SEQUENTIAL,
	BP_BANDWIDTH,
	BP_COST,
	BP_WINDOW,
	BP_THINK,
	BP_PLUG_REQUESTS,
	BP_PARAMS
};
#define BP_PARAMS_COMMON                                                                           \
	(1u << BP_LOCK | 1u << BP_QUEUES | 1u << BP_RUN | 1u << BP_SEQUENTIAL |                    \
		1u << BP_BANDWIDTH | 1u << BP_COST | 1u << BP_WINDOW | 1u << BP_THINK)

#define BLOCK_PLUG_HOOKS(algo)                                                                     \
	.setup = block_plug_setup, .run = block_plug_run, .play = block_plug_play,                 \
	.drain = block_plug_drain, .check = block_plug_check, .report = block_plug_report,         \
	.teardown = block_plug_teardown, .algorithm = &(algo)

extern const struct lp_variant block_plug_no_plug;
extern const struct lp_variant block_plug_plug;
extern const struct lp_variant block_plug_plug_limit;
extern const struct lp_variant block_plug_plug_size;
extern const struct lp_variant block_plug_mq_direct;
extern const struct lp_variant block_plug_mq_plug;
extern const struct lp_suite lp_suite_block_plug;

#endif
