// SPDX-License-Identifier: GPL-2.0-or-later
/* The suite's table: parameters, generations, cases, columns and published claims. */
#include "suites/dirty_throttle/dirty_throttle.h"
#include "suites/lister.h"

static const char *const load_words[] = {"stream", "late", "iozone", NULL};

static const struct lp_param params[DT_PARAMS] = {
	[DT_LOCK] = {.name = "lock",
		.help = "of the counters: unfair (to 2.6.24), ticket (2.6.25) or queued (4.2)",
		.words = lp_lock_kind_names,
		.default_value = LP_LOCK_TICKET,
		.always_named = true},
	[DT_LOAD] = {.name = "load",
		.help = "stream (endless sequential writes) or iozone (three runs of write, "
			"rewrite)",
		.words = load_words,
		.default_value = DT_LOAD_STREAM,
		.always_named = true},
	[DT_WRITERS] = {.name = "writers",
		.help = "of each device, 1 to 4096; they share the CPUs there are",
		.min = 1,
		.max = DT_WRITERS_MAX,
		.default_value = 8,
		.always_named = true},
	[DT_BANDWIDTH] = {.name = "bandwidth",
		.help = "of the device in MiB/s, 1 to 100000; 0: it costs nothing",
		.min = 0,
		.max = 100000,
		.default_value = 60,
		.always_named = true},
	[DT_SLOW] = {.name = "slow",
		.help = "bandwidth of a second device in MiB/s, 1 to 100000; 0: there is none",
		.min = 0,
		.max = 100000,
		.default_value = 0},
	[DT_COST] = {.name = "cost",
		.help = "of a request in the device in µs, 0 to 100000",
		.min = 0,
		.max = 100000,
		.default_value = 500},
	[DT_SCALE] = {.name = "scale",
		.help = "divides memory (8 GiB), file (512 MiB) and bandwidths, 1 to 1024",
		.min = 1,
		.max = 1024,
		.default_value = 1},
	[DT_DIRTY_RATIO] = {.name = "dirty_ratio",
		.help = "percent of memory, 5 to 100; the background ratio is half of it",
		.min = 5,
		.max = 100,
		.default_value = 10},
	[DT_MAPPED] = {.name = "mapped",
		.help = "percent of memory, 0 to 100",
		.min = 0,
		.max = 100,
		.default_value = 0},
	[DT_PAGE_NS] = {.name = "page_ns",
		.help = "ns that a writer's CPU spends on a page, in virtual time only",
		.min = 100,
		.max = 1000000,
		.default_value = 4000},
	[DT_SECONDS] = {.name = "seconds",
		.help = "virtual seconds of a stream, 2 to 3600",
		.min = 2,
		.max = 3600,
		.default_value = 60},
	[DT_CPUS] = {.name = "cpus",
		.help = "played in virtual time, 1 to 256",
		.min = 1,
		.max = 256,
		.default_value = 8},
};

static const struct lp_variant *const variants[] = {
	&dirty_throttle_global,
	&dirty_throttle_bdi_strict,
	&dirty_throttle_bdi_freerun,
	&dirty_throttle_paced,
};

static const struct lp_column columns[] = {
	{"write_mib_per_s", "MiB/s", LP_MODE_EXACT, 4},
	{"write_to_global", "÷ global", LP_MODE_EXACT, 3},
	{"first_to_later", "first ÷ later", LP_MODE_EXACT, 3},
	{"ramp_s", "ramp s", LP_MODE_EXACT, 3},
	{"throttled_share", "throttled", LP_MODE_EXACT, 3},
	{"pause_max_ms", "pause max ms", LP_MODE_EXACT, 4},
	{"stall_max_ms", "stall max ms", LP_MODE_EXACT, 4},
	{"overshoot_pages", "overshoot pages", LP_MODE_EXACT, 4},
	{"writer_jain", "fairness", LP_MODE_EXACT, 3},
	{"fast_to_alone", "fast ÷ alone", LP_MODE_EXACT, 3},
	{"idle_dirty_share", "idle while dirty", LP_MODE_EXACT, 3},
	{"writeout_pages_mean", "pages/writeout", LP_MODE_EXACT, 3},
	{"locks_per_1000", "locks/1000 pages", LP_MODE_EXACT, 4},
	{"lock_contended_share", "contended", LP_MODE_OBSERVED, 2},
	{"counter_lock_wait_p99_ns", "counter wait p99 ns", LP_MODE_OBSERVED, 3},
	{"prop_lock_wait_p99_ns", "share wait p99 ns", LP_MODE_OBSERVED, 3},
};

/* ---- cases ---- */

static struct lp_case base_case(const struct lp_variant *v, enum lp_mode mode)
{
	struct lp_case c;

	lp_case_init(&c, &lp_suite_dirty_throttle, v);
	c.mode = mode;
	return c;
}

/* Nothing but counters, proportions and checks: a device that costs nothing, and little memory,
 * so that the limits are reached within milliseconds. */
static void list_contention(struct lp_lister *l, const struct lp_variant *v)
{
	struct lp_case c = lp_case_with(
		lp_case_with(base_case(v, LP_MODE_TIMING), "bandwidth", 0), "scale", 16);

	lp_emit_threads(l, c);
	c.mode = LP_MODE_OBSERVED;
	c.threads = l->plan->threads[l->plan->nthreads - 1];
	lp_emit(l, c);
}

static void list_exact(struct lp_lister *l, const struct lp_variant *v)
{
	struct lp_case c = base_case(v, LP_MODE_EXACT);
	struct lp_case cold = lp_case_with(c, "load", DT_LOAD_IOZONE);

	lp_emit(l, lp_case_with(cold, "writers", 1));
	lp_emit(l, cold);
	lp_emit(l, c);
	lp_emit(l, lp_case_with(c, "slow", 6));
	lp_emit(l, lp_case_with(lp_case_with(c, "slow", 6), "load", DT_LOAD_LATE));
	lp_emit(l, lp_case_with(lp_case_with(c, "bandwidth", 10), "writers", 512));
	if (v == &dirty_throttle_paced)
		lp_emit(l, lp_case_with(lp_case_with(c, "bandwidth", 10), "writers", 1));
	if (v == &dirty_throttle_bdi_strict)
		lp_emit(l, lp_case_with(lp_case_with(cold, "writers", 1), "dirty_ratio", 40));
}

static void list_full(struct lp_lister *l, const struct lp_variant *v)
{
	static const long counts[] = {1, 64, 1024};
	struct lp_case c = base_case(v, LP_MODE_TIMING);

	for (long lock = 0; lock < LP_LOCK_KINDS; lock++)
		if (lock != LP_LOCK_TICKET)
			lp_emit_threads(l,
				lp_case_with(
					lp_case_with(lp_case_with(c, "bandwidth", 0), "scale", 16),
					"lock", lock));
	lp_emit_threads(l, lp_case_with(lp_case_with(lp_case_with(c, "bandwidth", 0), "scale", 16),
				   "writers", 64));
	c.mode = LP_MODE_EXACT;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		lp_emit(l, lp_case_with(lp_case_with(c, "writers", counts[i]), "seconds", 300));
	lp_emit(l, lp_case_with(lp_case_with(c, "slow", 6), "seconds", 300));
	lp_emit(l, lp_case_with(lp_case_with(lp_case_with(c, "bandwidth", 10), "writers", 512),
			   "seconds", 600));
	lp_emit(l, lp_case_with(lp_case_with(lp_case_with(c, "bandwidth", 10), "writers", 1024),
			   "seconds", 600));
	lp_emit(l, lp_case_with(lp_case_with(c, "load", DT_LOAD_IOZONE), "scale", 16));
	lp_emit(l, lp_case_with(c, "mapped", 90));
}

static int cases(const struct lp_plan *plan, lp_case_sink sink, void *context)
{
	struct lp_lister l = {.plan = plan, .sink = sink, .context = context};

	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		list_contention(&l, variants[i]);
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		list_exact(&l, variants[i]);
	for (size_t i = 0; plan->profile == LP_PROFILE_FULL && i < ARRAY_SIZE(variants); i++)
		list_full(&l, variants[i]);
	return l.rc;
}

/* ---- published results ---- */

#define REPORT                                                                                     \
	"report of November 2007 against 2.6.24-rc1 and -rc2: 8 cores, 8 GB, iozone write and "    \
	"rewrite of 512 MB"
#define COLD(variant) "dirty_throttle/" variant "/lock:ticket/load:iozone/writers:1/bandwidth:60/"
#define EXACT "mode:exact/*"

static const struct lp_claim claims[] = {
	{"iozone-halved", "per-device limits halve iozone's write throughput in the later runs",
		REPORT, "write_mib_per_s", COLD("global") EXACT, COLD("bdi_strict") EXACT, 0.5, 1,
		1,
		"virtual time; how much is lost depends on memory speed against disk speed, which "
		"the report does not give"},
	{"iozone-first-run",
		"the first run has a quarter of the later ones; 2.6.23's runs are alike", REPORT,
		"first_to_later", COLD("global") EXACT, COLD("bdi_strict") EXACT, 0.25, 1, 1,
		"virtual time; the later runs are the second and third"},
	{"iozone-ratios", "changing the dirty ratios did not help", REPORT, "write_mib_per_s",
		COLD("bdi_strict") EXACT, COLD("bdi_strict") "dirty_ratio:40/" EXACT, 1.0, 1, 1,
		"the report does not say which ratios; here 20 and 40 %, written after the first "
		"run, "
		"instead of 5 and 10 %"},
	{"paced-floor",
		"a pause of at most 200 ms holds no writer below 20 KB/s: 512 writers have "
		"all of a 10 MB/s device",
		"description of the patches that became 3.2", "writer_kib_per_s",
		"dirty_throttle/paced/lock:ticket/load:stream/writers:1/bandwidth:10/" EXACT,
		"dirty_throttle/paced/lock:ticket/load:stream/writers:512/bandwidth:10/" EXACT,
		1.0 / 512, 1, 1, "virtual time; the second half of a minute"},
};

const struct lp_suite lp_suite_dirty_throttle = {
	.name = "dirty_throttle",
	.summary = "holding back writers: one dirty limit, a limit per device, or computed pauses",
	.story = "A task that dirties page cache is checked every so many pages, and above the "
		 "threshold made to write back or to sleep. 2.6.24-rc1 gave each device its own "
		 "share "
		 "of the threshold by its recent completions; a device that had been idle had "
		 "none, so "
		 "its first writers were throttled at once though memory was almost clean. 2.6.24 "
		 "leaves writers alone below half-way between the two thresholds; since 3.2 they "
		 "never "
		 "write back themselves but sleep a computed pause.",
	.unit = "page",
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
