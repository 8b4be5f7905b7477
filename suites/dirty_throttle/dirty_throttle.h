/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dirty_throttle: holding back the tasks that dirty page cache faster than devices write it.
 *
 * A generation is one file with a `struct dt_algorithm`: after how many pages a writer is checked,
 * and what the check makes it do. Writers, flushers, devices and counters are the same code for
 * all of them. They are *actors*: state machines that do a little and then name the time or the
 * event they go on at. In real time each worker plays the actors of its CPU by the machine's
 * clock; in virtual time one thread plays all of them in order of time. No other line differs.
 *
 * What would invalidate it: an actor that blocks inside its step, or that looks at the clock
 * other than through its loop.
 */
#ifndef LP_SUITES_DIRTY_THROTTLE_H
#define LP_SUITES_DIRTY_THROTTLE_H

#include "common/kernel/percpu_counter.h"
#include "common/measure/clock.h"
#include "suites/suite.h"

#define DT_NEVER UINT64_MAX
#define DT_MS 1000000ull

enum {
	DT_PAGES_PER_MIB = 256,
	DT_MEMORY_MIB = 8192, /* of the report this path is about, and its file */
	DT_FILE_MIB = 512,
	DT_RUNS = 3,   /* its later runs are the second and third */
	DT_PHASES = 2, /* write, rewrite */
	DT_DEVICES_MAX = 2,
	DT_WRITERS_MAX = 4096,	/* of a device */
	DT_STEP_PAGES = 64,	/* that a writer dirties before others have their turn */
	DT_REQUESTS = 128,	/* BLKDEV_MAX_RQ: include/linux/blkdev.h, 2.6.24 */
	DT_CONGESTION_ON = 113, /* blk_queue_congestion_threshold(): block/ll_rw_blk.c, 2.6.24 */
	DT_CONGESTION_OFF = 103,
	DT_REQUEST_PAGES = 128,	       /* BLK_DEF_MAX_SECTORS: include/linux/blkdev.h, 2.6.24 */
	DT_MAX_WRITEBACK_PAGES = 1024, /* mm/page-writeback.c, 2.6.24; fs/fs-writeback.c, 3.2 */
	DT_SMALL_PAGES = 32,	       /* a writeout below this counts as a small one */
	DT_EXCEEDED_RATELIMIT = 8,     /* mm/page-writeback.c, 2.6.23 and 2.6.24 */
	DT_SAMPLES = 512,	       /* of a time series; more are thinned out */
};

/* congestion_wait(WRITE, HZ/10) */
#define DT_CONGESTION_WAIT_NS (100 * DT_MS)
#define DT_LONG_PAUSE_NS (200 * DT_MS)

struct dt;
struct dt_loop;

/* ---- events.c: actors and their loops ---- */

struct dt_actor {
	void (*step)(struct dt *s, struct dt_actor *a);
	struct dt_loop *loop;
	uint64_t due_ns, order;	 /* of equal times, who asked first */
	size_t place;		 /* in the loop's heap */
	_Atomic uint32_t *event; /* goes on as soon as it is not @seen; NULL: at due_ns only */
	uint32_t seen;
	int cpu;
};

struct dt_loop {
	struct dt *s;
	struct dt_actor **heap;
	size_t actors;
	uint64_t now_ns, orders;
	uint32_t wakes_seen;
} LP_ALIGNED(LP_CACHE_PAIR);

/** dt_actor_add() - let @a take part from @due_ns on. The heap has room for all actors. */
void dt_actor_add(struct dt_loop *l, struct dt_actor *a, uint64_t due_ns);
/** dt_at() - @a goes on at @due_ns. Every step ends with this or dt_wait(). */
void dt_at(struct dt_actor *a, uint64_t due_ns);
/** dt_wait() - @a goes on when @event is no longer @seen, at @due_ns at the latest. */
void dt_wait(struct dt_actor *a, _Atomic uint32_t *event, uint32_t seen, uint64_t due_ns);
/** dt_event_look() - what to give to dt_wait(); look before checking what one waits for. */
static inline uint32_t dt_event_look(_Atomic uint32_t *event)
{
	/* Acquire: pairs with dt_event_raise(). */
	return atomic_load_explicit(event, memory_order_acquire);
}
/** dt_event_raise() - all that wait for @event go on, on whatever loop. */
void dt_event_raise(struct dt *s, _Atomic uint32_t *event);
/** dt_loop_next() - the actor that is due first, after waking those whose events have come. */
struct dt_actor *dt_loop_next(struct dt_loop *l);

static inline uint64_t dt_now(const struct dt_actor *a)
{
	return a->loop->now_ns;
}

/* ---- stat.c: a zone counter with per-CPU differences (mm/vmstat.c, 2.6.24) ---- */

struct dt_stat_part {
	_Atomic int32_t value; /* written by its own CPU only; relaxed: read by exact sums */
	uint64_t folds;
} LP_ALIGNED(LP_CACHE_LINE);

struct dt_stat {
	_Atomic int64_t count LP_ALIGNED(LP_CACHE_PAIR); /* relaxed: a number, orders nothing */
	struct dt_stat_part *part;			 /* [cpus] */
	int32_t threshold;
	int cpus;
};

/** dt_stat_threshold() - 2 × fls(cpus) × (1 + fls(memory ÷ 128 MiB)), at most 125. */
int32_t dt_stat_threshold(int cpus, uint64_t memory_pages);
int dt_stat_init(struct dt_stat *c, int cpus, int32_t threshold, struct lp_error *err);
void dt_stat_destroy(struct dt_stat *c);
/** dt_stat_add() - add 1 or −1 on this CPU; folds half a threshold too much, as the kernel. */
void dt_stat_add(struct dt_stat *c, int one);
/** dt_stat_fold() - fold this CPU's part: what the kernel does once a second. */
void dt_stat_fold(struct dt_stat *c);
/** dt_stat_read() - off by at most cpus × threshold; negative only by that error, given as 0. */
int64_t dt_stat_read(const struct dt_stat *c);
/** dt_stat_sum() - exact while no CPU adds. */
int64_t dt_stat_sum(const struct dt_stat *c);

/* ---- proportions.c: floating proportions with lazy decay (lib/proportions.c, 2.6.24) ---- */

struct dt_prop {
	struct percpu_counter events;
	unsigned shift; /* the period is 2^shift events; halves of it are counted */
	lp_lock_flavour flavour;
};

/* Of a device: many CPUs count. */
struct dt_prop_percpu {
	struct percpu_counter events;
	_Atomic uint64_t period; /* changed under the lock; relaxed: a hint without it */
	struct lp_spinlock lock;
};

/* Of a task: only it counts. */
struct dt_prop_single {
	uint64_t events, period;
};

struct dt_fraction {
	uint64_t numerator, denominator;
};

void dt_prop_inc_percpu(struct dt_prop *p, struct dt_prop_percpu *local);
void dt_prop_inc_single(struct dt_prop *p, struct dt_prop_single *local);
struct dt_fraction dt_prop_fraction_percpu(struct dt_prop *p, struct dt_prop_percpu *local);
struct dt_fraction dt_prop_fraction_single(struct dt_prop *p, struct dt_prop_single *local);

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
	struct percpu_counter reclaimable, writeback, dirtied, written;
	struct dt_prop_percpu completions;
	_Atomic bool dirty_exceeded, flushing; /* relaxed flags: hints, as in the kernel */
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
static inline bool dt_device_congested(const struct dt_bdi *b)
{
	return atomic_load_explicit(&b->queued, memory_order_relaxed) >= DT_CONGESTION_ON;
}
void dt_device_step(struct dt *s, struct dt_actor *a);
/** dt_device_settle() - charge the time up to @now_ns to idleness with dirty pages. */
void dt_device_settle(struct dt_bdi *b, uint64_t now_ns);

/* ---- writeback.c ---- */

/** dt_writeout() - writeback_inodes(): write up to @o->left pages of @b, file after file. */
void dt_writeout(struct dt *s, struct dt_bdi *b, struct dt_writeout *o);
void dt_flusher_step(struct dt *s, struct dt_actor *a);
/** dt_flusher_kick() - start background writeback of @b unless it is going on. */
void dt_flusher_kick(struct dt *s, struct dt_bdi *b);

/* ---- writer.c ---- */

enum dt_action_kind {
	DT_LEAVE,	    /* go on dirtying */
	DT_WRITE,	    /* write @pages, then call balance again */
	DT_SLEEP,	    /* for @ns, then call balance again */
	DT_CONGESTION_WAIT, /* for @ns or until congestion ends, then call balance again */
};

struct dt_action {
	enum dt_action_kind kind;
	uint32_t pages;
	uint64_t ns;
};

enum dt_writer_state {
	DT_DIRTYING,
	DT_CHECK_DUE,
	DT_BALANCING,
	DT_WRITING,
	DT_WAITING_FOR_PHASE,
};

struct dt_writer {
	struct dt_actor actor; /* first: found from its actor */
	struct dt_bdi *bdi;
	struct dt_file *file;
	int id;
	enum dt_writer_state state;
	uint32_t position;
	uint64_t left; /* in this phase; unused by a stream */
	/* Of the check going on. */
	int step; /* the algorithm's; 0 at the first call */
	struct dt_writeout out;
	uint64_t pages_written, stall_from_ns, pause_from_ns;
	bool paused;
	bool on_cpu;		/* virtual time: has used the CPU until now */
	struct dt_writer *next; /* in the CPU's run queue */
	/* The task's own. */
	struct dt_prop_single dirties;
	uint64_t nr_dirtied, nr_dirtied_pause, paused_when; /* paced; jiffies */
	uint64_t started, pages_dirtied;		    /* of the check going on */
	uint64_t next_paused_when, next_dirtied_pause;	    /* after the pause going on */
	bool leaves_after_pause, exceeded;
	/* Results. */
	uint64_t pages, marked_pages; /* newly dirtied; the same when the first half was over */
	uint64_t throttled_ns, checks;
};

void dt_writer_step(struct dt *s, struct dt_actor *a);
/** dt_writer_end() - the window is over: count the sleep that goes on. */
void dt_writer_end(struct dt *s, struct dt_writer *w);

/* ---- load.c ---- */
/** dt_iozone_step() - the runs of a benchmark: write, fsync, rewrite, fsync, and again. */
void dt_iozone_step(struct dt *s, struct dt_actor *a);
/** dt_stream_step() - marks the second half of an endless stream, whose speed is reported. */
void dt_stream_step(struct dt *s, struct dt_actor *a);
/** dt_mib_per_s() - of the writers of @device: a stream's second half, a benchmark's later runs. */
double dt_mib_per_s(const struct dt *s, int device);
/** dt_run_mib_per_s() - of all writers in run @run, phases @from to @to. */
double dt_run_mib_per_s(const struct dt *s, int run, int from, int to);

/* ---- the whole ---- */

struct dt_cpu {
	uint64_t ratelimit; /* pages dirtied since a check: bdp_ratelimits */
	/* Virtual time: who has the CPU, and who waits for it. */
	struct dt_writer *holder, *first, *last;
	uint64_t ops; /* pages newly dirtied */
	uint64_t pauses_over_200ms, stalls_over_200ms;
	struct dt_actor vmstat; /* folds this CPU's parts once a second */
	struct lp_histogram pause_ns, stall_ns;
} LP_ALIGNED(LP_CACHE_PAIR);

struct dt_limits {
	uint64_t memory, background, dirty; /* pages */
	uint64_t ratelimit_pages;
};

struct dt_sample {
	double t_s, dirty, writeback;
	double share[DT_DEVICES_MAX], limit[DT_DEVICES_MAX], bdi_dirty[DT_DEVICES_MAX];
};

struct dt {
	struct lp_run *run;
	const struct dt_algorithm *algorithm;
	lp_lock_flavour flavour;
	bool virtual_time, stream, done;
	int cpus, devices, writers; /* writers in all */
	uint64_t seconds, page_ns;
	struct dt_limits limits;
	struct dt_stat nr_dirty, nr_writeback;
	struct dt_prop completions, dirties;
	int32_t bdi_batch;
	_Atomic bool dirty_exceeded; /* 2.6.23's only one; relaxed hint */
	_Atomic uint32_t wakes;	     /* every event raised, so that loops look at their own */
	_Atomic uint32_t congestion_event, phase_event;
	struct dt_bdi *bdi;
	struct dt_writer *writer;
	struct dt_cpu **cpu;
	struct dt_loop *loop; /* one in virtual time, else one a CPU */
	int loops;
	struct lp_lockstat counter_stat, prop_stat;
	/* The runs of a benchmark. */
	struct dt_actor conductor;
	int phase, running;
	uint64_t phase_from_ns, phase_end_ns, phase_ns[DT_RUNS * DT_PHASES];
	bool syncing;
	/* What the virtual clock can tell. */
	struct dt_actor sampler;
	struct dt_sample *sample; /* [DT_SAMPLES] */
	int samples;
	uint64_t sample_every_ns;
	int64_t exact_total, overshoot_pages;
	int64_t stat_error, bdi_error;		  /* the largest seen */
	double global_mib_per_s, alone_mib_per_s; /* of the reference plays; 0: none */
};

struct dt_algorithm {
	/* A page was written to; @newly: it was clean. Return: whether to check now. */
	bool (*page_dirtied)(struct dt *s, struct dt_writer *w, bool newly);
	/* What a check makes the writer do next; w->step is 0 at the first call of a check. */
	struct dt_action (*balance)(struct dt *s, struct dt_writer *w);
	/* Whether the flusher of @b has work. */
	bool (*over_background)(struct dt *s, struct dt_bdi *b);
	/* How much the flusher writes at a time. */
	uint32_t (*flusher_pages)(struct dt *s, struct dt_bdi *b);
	bool bdi_counters; /* keeps counters and proportions of devices */
	bool task_share;   /* keeps proportions of tasks */
	bool rates;	   /* estimates rates: the flusher waits for requests */
	uint64_t (*ratelimit_pages)(const struct dt_limits *limits, int cpus);
};

/* ---- account.c: what happens to the counters when a page changes state ---- */
void dt_account_dirtied(struct dt *s, struct dt_bdi *b);
void dt_account_submitted(struct dt *s, struct dt_bdi *b);
void dt_account_completed(struct dt *s, struct dt_bdi *b);
void dt_vmstat_step(struct dt *s, struct dt_actor *a);

/* ---- limits.c ---- */
/** dt_limits_init() - @mapped: percent of memory that is mapped or anonymous. */
void dt_limits_init(struct dt_limits *l, uint64_t memory_pages, long dirty_ratio, long mapped);
uint64_t dt_ratelimit_of_memory(const struct dt_limits *l, int cpus);
/** dt_prop_shift() - 2 + ilog2(limit − 1). */
unsigned dt_prop_shift(uint64_t limit_pages);
/** dt_bdi_share() - of all recent completions, 0..1; for reports. */
double dt_bdi_share(struct dt *s, struct dt_bdi *b);
/** dt_bdi_limit() - share × limit, before any clipping. */
uint64_t dt_bdi_limit(struct dt *s, struct dt_bdi *b, uint64_t limit_pages);
/** dt_bdi_error() - bdi_stat_error(): by how much a counter of a device can be off. */
static inline uint64_t dt_bdi_error(const struct dt *s)
{
	return (uint64_t)s->cpus * (uint64_t)s->bdi_batch;
}
/* What the percpu counters say, never below 0. */
uint64_t dt_counter_read(struct percpu_counter *c);
uint64_t dt_counter_sum(struct percpu_counter *c, lp_lock_flavour flavour);
/* The check of every CPU's count, and of 2.6.24's device flag. */
bool dt_ratelimited(struct dt *s, bool exceeded);
/* Before 3.2: the flusher works while the machine is over the background limit. */
bool dt_over_background(struct dt *s, struct dt_bdi *b);
uint32_t dt_flusher_pages(struct dt *s, struct dt_bdi *b);

/* ---- bdi_limit.c: what 2.6.24-rc1 and 2.6.24 share ---- */
bool dt_bdi_page_dirtied(struct dt *s, struct dt_writer *w, bool newly);
struct dt_action dt_bdi_balance(struct dt *s, struct dt_writer *w, bool freerun);

/* ---- rates.c: the control loop of 3.2 ---- */
struct dt_position {
	uint64_t dirty, bdi_dirty, bdi_limit; /* pages */
};
void dt_rates_init(struct dt_rates *r);
/** dt_rates_update() - at most once in 200 ms; @position NULL: only the write bandwidth. */
void dt_rates_update(struct dt *s, struct dt_bdi *b, const struct dt_position *position,
	uint64_t start_jiffies, uint64_t now_jiffies);
/** dt_position_ratio() - how much faster than balanced a task may dirty, in 1024ths. */
uint64_t dt_position_ratio(struct dt *s, struct dt_bdi *b, const struct dt_position *position);
static inline uint64_t dt_jiffies(uint64_t now_ns)
{
	return 1000 + now_ns / DT_MS; /* never 0, which means "not set" */
}

/* ---- play.c, run.c, sample.c, state.c ---- */
void dt_play(struct dt *s);
void dt_sampler_step(struct dt *s, struct dt_actor *a);
struct dt *dt_new(struct lp_run *run, const struct dt_algorithm *algorithm, int devices,
	struct lp_error *err);
void dt_free(struct dt *s);
/** dt_ramp_s() - when the share of device 0 came to stay within a tenth of its last value. */
double dt_ramp_s(const struct dt *s);
void dt_sample_series(const struct dt *s, struct lp_metrics *m);
/** dt_note_errors() - how far the counters are off now; remembers the most. */
void dt_note_errors(struct dt *s);

/* ---- hooks ---- */
const char *dirty_throttle_unavailable(const struct lp_case *c, const struct lp_topology *t);
int dirty_throttle_setup(struct lp_run *run, struct lp_error *err);
void dirty_throttle_run(struct lp_worker *w);
uint64_t dirty_throttle_play(struct lp_run *run);
void dirty_throttle_drain(struct lp_run *run);
int dirty_throttle_check(struct lp_run *run, struct lp_error *err);
void dirty_throttle_report(struct lp_run *run, uint64_t ops, double seconds);
void dirty_throttle_teardown(struct lp_run *run);

enum dt_load { DT_LOAD_STREAM, DT_LOAD_IOZONE };

enum dt_param {
	DT_LOCK,
	DT_LOAD,
	DT_WRITERS,
	DT_BANDWIDTH,
	DT_SLOW,
	DT_COST,
	DT_SCALE,
	DT_DIRTY_RATIO,
	DT_MAPPED,
	DT_PAGE_NS,
	DT_SECONDS,
	DT_CPUS,
	DT_PARAMS
};

#define DIRTY_THROTTLE_HOOKS(algo)                                                                 \
	.params = (1u << DT_PARAMS) - 1, .unavailable = dirty_throttle_unavailable,                \
	.setup = dirty_throttle_setup, .run = dirty_throttle_run, .play = dirty_throttle_play,     \
	.drain = dirty_throttle_drain, .check = dirty_throttle_check,                              \
	.report = dirty_throttle_report, .teardown = dirty_throttle_teardown, .algorithm = &(algo)

extern const struct dt_algorithm dt_global_algorithm;
extern const struct lp_variant dirty_throttle_global;
extern const struct lp_variant dirty_throttle_bdi_strict;
extern const struct lp_variant dirty_throttle_bdi_freerun;
extern const struct lp_variant dirty_throttle_paced;
extern const struct lp_suite lp_suite_dirty_throttle;

#endif
