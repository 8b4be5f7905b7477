/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a suite is: a table of variants (the generations of one path), a table of parameters, the
 * cases it measures, the columns it reports and the published claims it stands against.
 *
 * A new generation is one file with one `struct lp_variant` and one row in its suite's table.
 * suites/skeleton.c shows every hook. The drivers call the hooks; a suite never sees a driver, a
 * report or (lru_deactivate's use of the rotation apart) another suite.
 */
#ifndef LP_SUITES_SUITE_H
#define LP_SUITES_SUITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/error.h"
#include "common/kernel/spinlock.h"
#include "common/machine/memory.h"
#include "common/machine/topology.h"
#include "common/measure/metrics.h"

enum { LP_PARAMS_MAX = 12, LP_NAME_MAX = 256 };

/* What a row measures. */
enum lp_mode {
	LP_MODE_TIMING,	  /* throughput; nothing observed that costs time */
	LP_MODE_OBSERVED, /* lock statistics, probe, histograms; its speed is not reported */
	LP_MODE_EXACT,	  /* seeded, one thread plays all CPUs: the same counts on every machine */
	LP_MODE_SOAK,	  /* workers at a fixed pace, the soaker takes the rest: CPU cost */
	LP_MODES
};

/** lp_mode_name() - "timing", "observed", "exact" or "soak". */
const char *lp_mode_name(enum lp_mode mode);

enum lp_profile { LP_PROFILE_QUICK, LP_PROFILE_FULL };

/** lp_profile_window_s() - how long a repetition of @profile works unless told otherwise. */
double lp_profile_window_s(enum lp_profile profile);

/* One parameter of a suite; its order in the table is its order in a case's name. */
struct lp_param {
	const char *name;
	const char *help;
	/* NULL-terminated words, the value is an index into them; NULL: a whole number. */
	const char *const *words;
	long min, max;	    /* of a number, inclusive */
	long default_value; /* what a case has that does not say */
	bool always_named;  /* in a name even at its default */
};

struct lp_case {
	const struct lp_suite *suite;
	const struct lp_variant *variant;
	long value[LP_PARAMS_MAX]; /* by index into suite->params */
	int threads;		   /* workers; 1 in exact mode */
	enum lp_mode mode;
};

/* One repetition of one case, from setup to teardown. */
struct lp_run {
	const struct lp_case *spec;
	const struct lp_topology *topology;
	int cpus;	   /* CPUs of the run: workers, or the CPUs played in exact mode */
	const int *os_cpu; /* [cpus], the kernel's numbers; NULL in exact mode */
	const int *node; /* [cpus], the kernel's node of each, −1 not known; NULL in exact mode */
	const int *nodes; /* [nnodes], the kernel's nodes that memory may be placed on */
	int nnodes;	  /* at least 1 */
	lp_lock_flavour
		flavour; /* what a `lock` parameter said, with LP_LOCK_OBSERVED if observed */
	bool observed;
	uint64_t seed;
	void *state;		   /* the suite's own, made by setup */
	struct lp_metrics metrics; /* the report hook fills it */
	struct lp_worker *worker;  /* [cpus] */
	/* Memory handed out by lp_run_alloc(): read back after the run, freed by the driver. */
	struct lp_memory *memory;
	size_t memory_count;
};

/* One thread's view of a run. */
struct lp_worker {
	struct lp_run *run;
	int cpu;		  /* of the run, 0..cpus-1; lp_this_cpu is set to it */
	const _Atomic bool *stop; /* raised by the leader; relaxed, joining the thread orders */
	uint64_t ops;		  /* operations done; the variant counts them */
	uint64_t random;	  /* state of lp_random(), seeded from the run and the CPU */
	uint64_t pace_ops_per_s;  /* soak mode: at most this; 0: unlimited */
	uint64_t pace_from_ns;	  /* when the window began */
	pthread_t thread;	  /* for lp_irq_send() */
	_Atomic bool running;	  /* between its first and its last operation: interrupts arrive */
} LP_ALIGNED(LP_CACHE_PAIR);

struct lp_variant {
	const char *name;    /* field's or kernel's name, lower case, [a-z0-9_] */
	const char *kernel;  /* versions it was in, or what stands for one: "2.6.24" */
	const char *summary; /* one line: the algorithm */
	unsigned params;     /* bit i: suite->params[i] applies; others are not in its names */

	/* Why it cannot run here with this case; NULL when it can. Not required. */
	const char *(*unavailable)(const struct lp_case *c, const struct lp_topology *t);
	/* The kernel's numbers of the CPUs that this very case is about, c->threads of them, into
	 * @os_cpu. Not required: workers then take the CPUs in the order of the run. */
	void (*placement)(const struct lp_case *c, int *os_cpu);
	/* Make run->state. Required. Return: 0, or -errno with @err; then teardown is called too.
	 */
	int (*setup)(struct lp_run *run, struct lp_error *err);
	/* The hot loop of one worker, until lp_worker_stopped(); counts w->ops. Required unless the
	 * variant has only exact cases. */
	void (*run)(struct lp_worker *w);
	/* Exact mode: play the whole seeded scenario on one thread; Return: operations done.
	 * Not required. */
	uint64_t (*play)(struct lp_run *run);
	/* After all workers have stopped, on one thread: flush what is batched. Not required. */
	void (*drain)(struct lp_run *run);
	/* Every invariant of the path, after drain. Return: 0, or -errno with @err. Required. */
	int (*check)(struct lp_run *run, struct lp_error *err);
	/* Fill run->metrics. @ops: all workers' operations, @seconds: the window. Required. */
	void (*report)(struct lp_run *run, uint64_t ops, double seconds);
	/* Free run->state, which may be NULL or half made. Required. */
	void (*teardown)(struct lp_run *run);
	/* Anything else a suite's shared hooks need to know of a variant. Not required. */
	const void *algorithm;
};

/* A column of the suite's table in reports. */
struct lp_column {
	const char *metric; /* name in the results */
	const char *head;   /* as printed, unit included */
	enum lp_mode mode;  /* the rows that carry it */
	int digits;	    /* significant ones */
};

/* What a published claim needs and compares. Patterns are case names with `*` for any text. */
struct lp_claim {
	const char *id;		 /* "holdoff-max-batched" */
	const char *text;	 /* one sentence: what was claimed */
	const char *source;	 /* who, when, machine */
	const char *metric;	 /* the figure compared */
	const char *base;	 /* pattern of the rows claimed against */
	const char *subject;	 /* pattern of the rows the claim is about */
	double published;	 /* subject ÷ base as published */
	int min_cpus, min_nodes; /* what the machine needs for a fair try */
	const char *note;	 /* what to bear in mind; NULL */
};

/* Receives one case after another. Return: 0 to go on, anything else ends the listing with it. */
typedef int (*lp_case_sink)(const struct lp_case *c, void *context);

/* What cases() may choose from. */
struct lp_plan {
	enum lp_profile profile;
	const struct lp_topology *topology;
	const int *threads; /* thread counts to measure, rising */
	int nthreads;
	int usable_cpus;   /* lp_topology_usable() */
	const int *os_cpu; /* [usable_cpus], the order in which workers take them */
};

struct lp_suite {
	const char *name;
	const char *summary; /* one line */
	const char *story;   /* a short paragraph for reports: what the kernel does, what changed */
	const char *unit;    /* what one operation is: "page", "lock" */
	const struct lp_param *params;
	size_t nparams;
	const struct lp_variant *const *variants; /* the first is the one others are compared to */
	size_t nvariants;
	const struct lp_column *columns;
	size_t ncolumns;
	const struct lp_claim *claims;
	size_t nclaims;
	/* Every case of the profile, in a sensible reading order, unavailable ones included. */
	int (*cases)(const struct lp_plan *plan, lp_case_sink sink, void *context);
};

/* All suites of this build. */
extern const struct lp_suite *const lp_suites[];
extern const size_t lp_suites_count;

/* ---- cases and names (suites/case.c) ---- */

/** lp_case_init() - a case of @variant with every parameter at its default, 1 thread, timing. */
void lp_case_init(struct lp_case *c, const struct lp_suite *s, const struct lp_variant *v);

/** lp_case_set() - set parameter @name of @c to the number or index @value. Aborts if the suite
 * has no such parameter or the value is out of range: cases are written by programmers. */
void lp_case_set(struct lp_case *c, const char *name, long value);

/** lp_case_get() - the number or word index of parameter @name; aborts if there is none. */
long lp_case_get(const struct lp_case *c, const char *name);

/** lp_case_name() - "suite/variant/param:value/…[/mode:exact]/threads:N" into @name. */
void lp_case_name(const struct lp_case *c, char name[LP_NAME_MAX]);

/** lp_case_parse() - the case that @name names; any legal values, not only those of a profile.
 * Return: 0, or -EINVAL with @err saying which part is wrong and what is legal there. */
int lp_case_parse(struct lp_case *c, const char *name, struct lp_error *err);

/** lp_case_unavailable() - why @c cannot run on @t: the variant's own reason, more threads than
 * usable CPUs, or NULL when it can. The text may live in @buffer. */
const char *lp_case_unavailable(
	const struct lp_case *c, const struct lp_topology *t, char *buffer, size_t size);

/** lp_suite_find() - the suite called @name, or NULL. */
const struct lp_suite *lp_suite_find(const char *name);

/** lp_plan_threads() - the default thread counts for @cpus usable CPUs into @threads (room 16).
 * quick: 1, 2, half, all; full: every power of two, and all. Return: how many. */
int lp_plan_threads(enum lp_profile profile, int cpus, int threads[16]);

/* ---- helpers for hooks (suites/run.c) ---- */

/** lp_run_alloc() - @bytes of zeroed memory on the run's node index @node (0..nnodes-1, −1:
 * anywhere). Freed by the driver after teardown. Return: NULL with @err when there is none. */
void *lp_run_alloc(struct lp_run *run, size_t bytes, int node, struct lp_error *err);

/** lp_run_cpu_node() - index into run->nodes of the node of CPU @cpu; spread evenly over the nodes
 * where the machine's own are not known or in exact mode. */
int lp_run_cpu_node(const struct lp_run *run, int cpu);

/** lp_worker_stopped() - whether the window is over. Look once per batch, not per operation. */
static LP_ALWAYS_INLINE bool lp_worker_stopped(const struct lp_worker *w)
{
	return atomic_load_explicit(w->stop, memory_order_relaxed);
}

/* Out of line: sleeps until the pace allows more; takes interrupts meanwhile. */
void lp_worker_wait_for_pace(struct lp_worker *w);

/** lp_worker_batch_done() - count @n operations; in soak mode also keep to the pace. */
static LP_ALWAYS_INLINE void lp_worker_batch_done(struct lp_worker *w, uint64_t n)
{
	w->ops += n;
	if (unlikely(w->pace_ops_per_s))
		lp_worker_wait_for_pace(w);
}

/** lp_random() - the next of a stream of 64-bit numbers (SplitMix64, Steele et al. 2014). */
static inline uint64_t lp_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/** lp_random_below() - 0..@n-1, evenly (multiply-shift; bias below n ÷ 2^32). */
static inline uint32_t lp_random_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)(((lp_random(state) >> 32) * n) >> 32);
}

#endif
