// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole suite in one file, to copy from: workers add to one counter under a lock.
 *
 * It is built and tested with the others but stands in no table, so it is never measured. A real
 * suite has one file a generation; a generation added to an existing suite needs only the variant
 * (the part between the two rulers) and a row in that suite's table of variants.
 */
#include "suites/suite.h"

#include <errno.h>
#include <stdlib.h>

extern const struct lp_suite lp_suite_skeleton;

/* What one repetition needs. */
struct skeleton {
	struct lp_spinlock lock LP_ALIGNED(LP_CACHE_PAIR);
	uint64_t counter; /* guarded by lock */
};

/* -------------------------------------------------------------------------------------------- */

/* Can this case run on this machine? NULL, or the reason that `list` shows. Not required. */
static const char *skeleton_unavailable(const struct lp_case *c, const struct lp_topology *t)
{
	return t->ncpus > 4096 ? "the skeleton has never been tried on more than 4096 CPUs" : NULL;
}

/* Allocate on a node with lp_run_alloc(): it is read back and freed for you. Required. */
static int skeleton_setup(struct lp_run *run, struct lp_error *err)
{
	struct skeleton *s = lp_run_alloc(run, sizeof(*s), 0, err);

	if (!s)
		return -err->code;
	spin_lock_init(&s->lock, run->flavour, NULL);
	run->state = s;
	return 0;
}

enum { BATCH = 64 }; /* operations between two looks at the stop flag */

/* The hot loop, compiled once per flavour of the lock: nothing is dispatched inside it. */
static LP_ALWAYS_INLINE void skeleton_loop(
	struct lp_worker *w, struct skeleton *s, lp_lock_flavour f)
{
	while (!lp_worker_stopped(w)) {
		for (int i = 0; i < BATCH; i++) {
			spin_lock(&s->lock, f);
			s->counter++;
			spin_unlock(&s->lock, f);
		}
		lp_worker_batch_done(w, BATCH);
	}
}

/* One worker's work until the stop; counts its operations. Required. */
static void skeleton_run(struct lp_worker *w)
{
	struct skeleton *s = w->run->state;

	LP_FOR_FLAVOUR(w->run->flavour & 3, skeleton_loop, w, s);
}

/* Exact mode: the same counts on every machine, on one thread. Not required. */
static uint64_t skeleton_play(struct lp_run *run)
{
	struct skeleton *s = run->state;

	s->counter = 1000;
	return 1000;
}

/* Flush what is batched; the skeleton batches nothing. Not required. */
static void skeleton_drain(struct lp_run *run)
{
}

/* Every invariant; a repetition that breaks one is an error. Required. */
static int skeleton_check(struct lp_run *run, struct lp_error *err)
{
	struct skeleton *s = run->state;
	uint64_t expected = 0;

	for (int i = 0; run->worker && i < run->cpus; i++)
		expected += run->worker[i].ops;
	if (run->spec->mode != LP_MODE_EXACT && s->counter != expected)
		return lp_fail(err, EUCLEAN, "%lu additions were made, the counter says %lu",
			(unsigned long)expected, (unsigned long)s->counter);
	return 0;
}

/* The suite's own figures; time per operation and the like are the driver's. Required. */
static void skeleton_report(struct lp_run *run, uint64_t ops, double seconds)
{
	lp_metrics_set(&run->metrics, "locks_per_add", 1);
}

/* Free run->state, which may be NULL; lp_run_alloc()'s memory goes by itself. Required. */
static void skeleton_teardown(struct lp_run *run)
{
	run->state = NULL;
}

static const struct lp_variant skeleton_locked = {
	.name = "locked",
	.kernel = "none",
	.summary = "add to a counter under a spinlock",
	.params = 1u << 0, /* bit i: params[i] applies to it */
	.unavailable = skeleton_unavailable,
	.setup = skeleton_setup,
	.run = skeleton_run,
	.play = skeleton_play,
	.drain = skeleton_drain,
	.check = skeleton_check,
	.report = skeleton_report,
	.teardown = skeleton_teardown,
};

/* -------------------------------------------------------------------------------------------- */

/* A parameter called `lock` with these words sets run->flavour. */
static const struct lp_param params[] = {
	{.name = "lock",
		.help = "unfair, ticket or queued",
		.words = lp_lock_kind_names,
		.default_value = LP_LOCK_TICKET,
		.always_named = true},
};

static const struct lp_variant *const variants[] = {
	&skeleton_locked,
	/* the next generation's row */
};

/* Columns of the text report: name in the results, head, the mode whose rows carry it, digits. */
static const struct lp_column columns[] = {
	{"locks_per_add", "locks/add", LP_MODE_TIMING, 3},
};

/* Every case of the profile; the scheduler repeats and shuffles them. */
static int cases(const struct lp_plan *plan, lp_case_sink sink, void *context)
{
	struct lp_case c;

	lp_case_init(&c, &lp_suite_skeleton, &skeleton_locked);
	for (int t = 0; t < plan->nthreads; t++) {
		int rc;

		c.threads = plan->threads[t];
		rc = sink(&c, context);
		if (rc)
			return rc;
	}
	return 0;
}

const struct lp_suite lp_suite_skeleton = {
	.name = "skeleton",
	.summary = "the hooks of a suite, each with what it is for",
	.story = "Not a path of the kernel: a suite to copy from.",
	.unit = "add",
	.params = params,
	.nparams = ARRAY_SIZE(params),
	.variants = variants,
	.nvariants = ARRAY_SIZE(variants),
	.columns = columns,
	.ncolumns = ARRAY_SIZE(columns),
	.cases = cases,
};
