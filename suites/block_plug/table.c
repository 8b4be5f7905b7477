// SPDX-License-Identifier: GPL-2.0-or-later
/* The suite's table: parameters, generations, cases, columns and published claims. */
#include "suites/block_plug/block_plug.h"
#include "suites/lister.h"

static const struct lp_param params[BP_PARAMS] = {
	[BP_LOCK] = {.name = "lock",
		.help = "unfair (to 2.6.24), ticket (2.6.25) or queued (4.2)",
		.words = lp_lock_kind_names,
		.default_value = LP_LOCK_TICKET,
		.always_named = true},
	[BP_QUEUES] = {.name = "queues",
		.help = "block devices, or hardware queues of one, 1 to 8; they share the "
			"bandwidth",
		.min = 1,
		.max = MAX_QUEUES,
		.default_value = 1,
		.always_named = true},
	[BP_RUN] = {.name = "run",
		.help = "mean length of a sequential run in pages, 1 to 512",
		.min = 1,
		.max = 512,
		.default_value = 64},
	[BP_SEQUENTIAL] = {.name = "sequential",
		.help = "pages in 1000 after which a run goes on, 0 to 1000",
		.min = 0,
		.max = 1000,
		.default_value = 990},
	[BP_BANDWIDTH] = {.name = "bandwidth",
		.help = "of the device in MiB/s, 1 to 100000; 0: it costs nothing",
		.min = 0,
		.max = 100000,
		.default_value = 400,
		.always_named = true},
	[BP_COST] = {.name = "cost",
		.help = "of a request in the device in µs, 0 to 100000",
		.min = 0,
		.max = 100000,
		.default_value = 10},
	[BP_WINDOW] = {.name = "window",
		.help = "pages a CPU may have on their way before reclaim waits for them, 32 to "
			"8192",
		.min = SCAN_PAGES,
		.max = BIO_RING,
		.default_value = 64},
	[BP_THINK] = {.name = "think",
		.help = "ns that reclaim spends to find and unmap a page, in virtual time only",
		.min = 100,
		.max = 1000000,
		.default_value = 5000},
	[BP_PLUG_REQUESTS] = {.name = "plug_requests",
		.help = "requests that flush a plug, 1 to 64; 0: the kernel's number",
		.min = 0,
		.max = 64,
		.default_value = 0},
};

static const struct lp_variant *const variants[] = {
	&block_plug_no_plug,
	&block_plug_plug,
	&block_plug_plug_limit,
	&block_plug_plug_size,
	&block_plug_mq_direct,
	&block_plug_mq_plug,
};

static const struct lp_column columns[] = {
	{"request_kib_mean", "request KiB", LP_MODE_EXACT, 4},
	{"request_kib_cv", "cv", LP_MODE_EXACT, 3},
	{"locks_per_mib", "locks/MiB", LP_MODE_EXACT, 3},
	{"merge_share", "merged", LP_MODE_EXACT, 3},
	{"submitter_cpu_share", "submitter CPU", LP_MODE_TIMING, 3},
	{"device_mib_per_s", "device MiB/s", LP_MODE_TIMING, 4},
	{"added_latency_p99_ns", "added p99 ns", LP_MODE_OBSERVED, 3},
	{"flush_irqs_off_max_ns", "flush irqs-off max ns", LP_MODE_OBSERVED, 3},
	{"lock_contended_share", "contended", LP_MODE_OBSERVED, 2},
};

static struct lp_case base_case(const struct lp_variant *v, enum lp_mode mode)
{
	struct lp_case c;

	lp_case_init(&c, &lp_suite_block_plug, v);
	c.mode = mode;
	return c;
}

static void list_variant(struct lp_lister *l, const struct lp_variant *v)
{
	int widest = l->plan->threads[l->plan->nthreads - 1];
	struct lp_case c = base_case(v, LP_MODE_TIMING);

	c.threads = widest;
	lp_emit(l, c);
	lp_emit_threads(l, lp_case_with(c, "bandwidth", 0));
	c = base_case(v, LP_MODE_OBSERVED);
	c.threads = widest;
	lp_emit(l, c);
	lp_emit(l, lp_case_with(c, "bandwidth", 0));
	c = base_case(v, LP_MODE_EXACT);
	lp_emit(l, c);
	lp_emit(l, lp_case_with(c, "queues", 2));
}

static void list_full(struct lp_lister *l, const struct lp_variant *v)
{
	struct lp_case c = base_case(v, LP_MODE_TIMING);

	for (long lock = 0; lock < LP_LOCK_KINDS; lock++)
		if (lock != LP_LOCK_TICKET)
			lp_emit_threads(
				l, lp_case_with(lp_case_with(c, "lock", lock), "bandwidth", 0));
	for (long queues = 2; queues <= MAX_QUEUES; queues *= 2)
		lp_emit_threads(l, lp_case_with(lp_case_with(c, "queues", queues), "bandwidth", 0));
	c = base_case(v, LP_MODE_EXACT);
	for (long run = 1; run <= 256; run *= 4)
		lp_emit(l, lp_case_with(c, "run", run));
	lp_emit(l, lp_case_with(c, "sequential", 500));
	for (long window = 32; window <= BIO_RING; window *= 4)
		lp_emit(l, lp_case_with(c, "window", window));
	for (long think = 500; think <= 50000; think *= 10)
		lp_emit(l, lp_case_with(c, "think", think));
	if (v->params & 1u << BP_PLUG_REQUESTS)
		lp_emit(l, lp_case_with(c, "plug_requests", 32));
}

static int cases(const struct lp_plan *plan, lp_case_sink sink, void *context)
{
	struct lp_lister l = {.plan = plan, .sink = sink, .context = context};

	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		list_variant(&l, variants[i]);
	for (size_t i = 0; plan->profile == LP_PROFILE_FULL && i < ARRAY_SIZE(variants); i++)
		list_full(&l, variants[i]);
	return l.rc;
}

#define SOURCE "on-stack plugging, 2011: 4-node machine, heavy swap, every CPU in direct reclaim"
#define TIMED(variant) "block_plug/" variant "/lock:ticket/queues:1/bandwidth:400/threads:*"
#define COUNTED(variant) "block_plug/" variant "/lock:ticket/queues:1/bandwidth:400/mode:exact/*"

static const struct lp_claim claims[] = {
	{"request-size", "the mean request grows from about 90k to about 100k", SOURCE,
		"request_kib_mean", COUNTED("no_plug"), COUNTED("plug"), 100.0 / 90.0, 1, 1, NULL},
	{"request-variation", "the variation of the request size falls from big to small", SOURCE,
		"request_kib_cv", COUNTED("no_plug"), COUNTED("plug"), 0.5, 1, 1,
		"published without a figure; 0.5 stands for `big` to `small`"},
	{"submitter-cpu", "the submitters' CPU use falls from 2-7 % to 1-3 %", SOURCE,
		"submitter_cpu_share", TIMED("no_plug"), TIMED("plug"), 2.0 / 4.5, 2, 1,
		"the middles of both ranges"},
	{"throughput", "the disk's throughput stays the same", SOURCE, "device_mib_per_s",
		TIMED("no_plug"), TIMED("plug"), 1.0, 1, 1, NULL},
	{"cached-requests", "cached requests take a core from 5.8M to 6.1M requests/s",
		"5.16 development, one core", "ops_per_s",
		"block_plug/mq_direct/lock:ticket/queues:1/bandwidth:0/threads:1",
		"block_plug/mq_plug/lock:ticket/queues:1/bandwidth:0/threads:1", 6.1 / 5.8, 1, 1,
		"the source compared plugs with and without the cache; here the plug is new as "
		"well"},
};

const struct lp_suite lp_suite_block_plug = {
	.name = "block_plug",
	.summary =
		"handing bios to a block queue: one by one under its lock, or gathered on a plug",
	.story = "Every bio that reclaim wrote took queue_lock, looked for a request to merge with "
		 "and was inserted. Since 2.6.39 a task gathers requests on a plug of its own, "
		 "merges "
		 "there without any lock, and hands all over at once; later generations bound the "
		 "plug, and the multi-queue layer allocates its requests ahead.",
	.unit = "bio",
	.params = params,
	.nparams = ARRAY_SIZE(params),
	.variants = variants,
	.nvariants = ARRAY_SIZE(variants),
	.columns = columns,
	.ncolumns = ARRAY_SIZE(columns),
	.claims = claims,
	.nclaims = ARRAY_SIZE(claims),
	.cases = cases,
};
