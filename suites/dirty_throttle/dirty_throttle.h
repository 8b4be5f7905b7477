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

#include "suites/dirty_throttle/counters.h"
#include "suites/dirty_throttle/device.h"
#include "suites/dirty_throttle/events.h"
#include "suites/suite.h"

enum {
	DT_PAGES_PER_MIB = 256,
	DT_MEMORY_MIB = 8192, /* of the report this path is about, and its file */
	DT_FILE_MIB = 512,
	DT_BOOT_RATIO = 10,
	DT_RUNS = 3,   /* its later runs are the second and third */
	DT_PHASES = 2, /* write, rewrite */
	DT_DEVICES_MAX = 2,
	DT_WRITERS_MAX = 4096,	       /* of a device */
	DT_STEP_PAGES = 64,	       /* that a writer dirties before others have their turn */
	DT_MAX_WRITEBACK_PAGES = 1024, /* mm/page-writeback.c, 2.6.24; fs/fs-writeback.c, 3.2 */
	DT_EXCEEDED_RATELIMIT = 8,     /* mm/page-writeback.c, 2.6.23 and 2.6.24 */
	DT_SAMPLES = 512,	       /* of a time series; more are thinned out */
};

/* congestion_wait(WRITE, HZ/10) */
#define DT_CONGESTION_WAIT_NS (100 * DT_MS)
#define DT_LONG_PAUSE_NS (200 * DT_MS)

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
	uint64_t pages, marked_pages; /* newly dirtied, and the same at the mark */
	uint64_t throttled_ns, checks;
	double slowest_kib_per_s; /* that a pause held it to; 0: none has. paced only */
} LP_ALIGNED(LP_CACHE_PAIR);

/** dt_writer_step() - an actor: a writer. */
void dt_writer_step(struct dt *s, struct dt_actor *a);
/** dt_writer_end() - the window is over: count the sleep that goes on. */
void dt_writer_end(struct dt *s, struct dt_writer *w);

/* ---- load.c ---- */
/** dt_iozone_step() - the runs of a benchmark: write, fsync, rewrite, fsync, and again. */
void dt_iozone_step(struct dt *s, struct dt_actor *a);
/** dt_marked_s() - from when on a stream's speed is reported, in virtual seconds. */
double dt_marked_s(const struct dt *s);
/** dt_stream_step() - marks what has been dirtied until then. */
void dt_stream_step(struct dt *s, struct dt_actor *a);
/** dt_mib_per_s() - of the writers of @device: a stream since its mark, a benchmark's later runs.
 */
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
	bool virtual_time, stream, late, done;
	int cpus, devices, writers; /* writers in all */
	uint64_t seconds, page_ns;
	long dirty_ratio, mapped; /* percent */
	struct dt_limits limits;
	int32_t bdi_batch;
	struct dt_bdi *bdi;
	struct dt_writer *writer;
	struct dt_cpu **cpu;
	struct dt_loop *loop; /* one in virtual time, else one a CPU */
	int loops;
	/* What CPUs write to, apart from what they only read. */
	struct dt_stat nr_dirty, nr_writeback;
	struct dt_prop completions LP_ALIGNED(LP_CACHE_PAIR);
	struct dt_prop dirties LP_ALIGNED(LP_CACHE_PAIR);
	_Atomic bool dirty_exceeded LP_ALIGNED(LP_CACHE_PAIR); /* 2.6.23's only one; relaxed hint */
	/* Every event raised, so that loops look at their own. */
	_Atomic uint32_t wakes LP_ALIGNED(LP_CACHE_PAIR);
	_Atomic uint32_t congestion_event, phase_event;
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
	bool rates;	   /* estimates rates: the flusher waits for requests */
	uint64_t (*ratelimit_pages)(const struct dt_limits *limits, int cpus);
};

/* ---- account.c ---- */
/** dt_account_dirtied() and the other two - count one page of @b that was dirtied, handed to the
 * device, written; on this CPU. */
void dt_account_dirtied(struct dt *s, struct dt_bdi *b);
void dt_account_submitted(struct dt *s, struct dt_bdi *b);
void dt_account_completed(struct dt *s, struct dt_bdi *b);
/** dt_vmstat_step() - an actor: folds its CPU's differences once a second. */
void dt_vmstat_step(struct dt *s, struct dt_actor *a);

/* ---- limits.c ---- */
/** dt_limits_init() - @mapped: percent of memory that is mapped or anonymous. */
void dt_limits_init(struct dt_limits *l, uint64_t memory_pages, long dirty_ratio, long mapped);
/** dt_set_dirty_ratio() - as a write to vm.dirty_ratio, dirty_background_ratio along with it. */
void dt_set_dirty_ratio(struct dt *s, long ratio);
/** dt_ratelimit_of_memory() - pages a CPU may dirty between two checks: memory ÷ (cpus × 32), 16
 * to 1024. */
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
/** dt_ratelimited() - count a page on this CPU; @exceeded: the limit has been, so 8 are the most.
 * Return: whether to check now. */
bool dt_ratelimited(struct dt *s, bool exceeded);
/** dt_over_background(), dt_flusher_pages() - before 3.2: 1024 pages at a time while the machine
 * is over the background limit. */
bool dt_over_background(struct dt *s, struct dt_bdi *b);
uint32_t dt_flusher_pages(struct dt *s, struct dt_bdi *b);

/* ---- bdi_limit.c: what 2.6.24-rc1 and 2.6.24 share ---- */
/** dt_bdi_page_dirtied(), dt_bdi_balance() - see struct dt_algorithm. @freerun: leave writers alone
 * below half-way between the machine's two limits. */
bool dt_bdi_page_dirtied(struct dt *s, struct dt_writer *w, bool newly);
struct dt_action dt_bdi_balance(struct dt *s, struct dt_writer *w, bool freerun);

/* ---- rates.c: the control loop of 3.2 ---- */
struct dt_position {
	uint64_t dirty, bdi_dirty, bdi_limit; /* pages */
};
/** dt_rates_init() - 100 MiB/s all over, as the kernel begins. */
void dt_rates_init(struct dt_rates *r);
/** dt_rates_update() - at most once in 200 ms; @position NULL: only the write bandwidth. */
void dt_rates_update(struct dt *s, struct dt_bdi *b, const struct dt_position *position,
	uint64_t start_jiffies, uint64_t now_jiffies);
/** dt_position_ratio() - how much faster than balanced a task may dirty, in 1024ths. */
uint64_t dt_position_ratio(struct dt *s, struct dt_bdi *b, const struct dt_position *position);
/** dt_jiffies() - of 1 ms. */
static inline uint64_t dt_jiffies(uint64_t now_ns)
{
	return 1000 + now_ns / DT_MS; /* never 0, which means "not set" */
}

/* ---- play.c, run.c, sample.c, state.c ---- */
/** dt_play() - virtual time, from the beginning to the end of @s. */
void dt_play(struct dt *s);
/** dt_sampler_step() - an actor: takes a sample of the time series. */
void dt_sampler_step(struct dt *s, struct dt_actor *a);
/** dt_new() - a world for the case of @run, with @algorithm and @devices instead of its own; @err
 * may be NULL. Return: NULL when there is no memory for it. The caller frees with dt_free(). */
struct dt *dt_new(struct lp_run *run, const struct dt_algorithm *algorithm, int devices,
	struct lp_error *err);
void dt_free(struct dt *s);
/** dt_ramp_s() - when the share of device 0 came to stay within a tenth of its last value. */
double dt_ramp_s(const struct dt *s);
/** dt_sample_series() - the samples as series of @m. */
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

enum dt_load { DT_LOAD_STREAM, DT_LOAD_LATE, DT_LOAD_IOZONE };

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
