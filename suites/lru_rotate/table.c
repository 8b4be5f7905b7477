// SPDX-License-Identifier: GPL-2.0-or-later
/* The suite's table: parameters, generations, cases, columns and published claims. */
#include "suites/lru_rotate/lru_rotate.h"
#include "suites/lister.h"

static const char *const interleave_words[] = {"alternate", "bio", NULL};
static const char *const actors_words[] = {"completers", "swapout", NULL};

static const struct lp_param params[LRU_PARAMS] = {
	[LRU_BATCH] = {.name = "batch",
		.help = "pages in a per-CPU batch, 1 to 63",
		.min = 1,
		.max = PAGEVEC_MAX,
		.default_value = 14,
		.always_named = true},
	[LRU_LOCK] = {.name = "lock",
		.help = "unfair (to 2.6.24), ticket (2.6.25) or queued (4.2)",
		.words = lp_lock_kind_names,
		.default_value = LP_LOCK_TICKET,
		.always_named = true},
	[LRU_NODES] = {.name = "nodes",
		.help = "zones (nodes) the pages belong to, 1 to 4",
		.min = 1,
		.max = 4,
		.default_value = 1,
		.always_named = true},
	[LRU_INTERLEAVE] = {.name = "interleave",
		.help = "zones change with every page (alternate) or every bio (bio)",
		.words = interleave_words,
		.default_value = LRU_INTERLEAVE_ALTERNATE},
	[LRU_MEMCGS] = {.name = "memcgs",
		.help = "memory control groups, 1 to 64",
		.min = 1,
		.max = 64,
		.default_value = 1},
	[LRU_ACTORS] = {.name = "actors",
		.help = "completers (completions alone) or swapout (reclaim, adders, real "
			"interrupts)",
		.words = actors_words,
		.default_value = LRU_ACTORS_COMPLETERS},
	[LRU_PAGES] = {.name = "pages",
		.help = "pages a CPU, 64 to 1048576",
		.min = 64,
		.max = 1 << 20,
		.default_value = 4096},
	[LRU_BIO] = {.name = "bio",
		.help = "pages in a bio, 1 to 32",
		.min = 1,
		.max = SWAP_CLUSTER_MAX,
		.default_value = SWAP_CLUSTER_MAX},
	[LRU_DRAIN_ALL] = {.name = "drain_all",
		.help = "swapout steps between two drains of all CPUs, 0: none",
		.min = 0,
		.max = 1000000,
		.default_value = 0},
	[LRU_NOOP_ON_ONE_CPU] = {.name = "noop_on_one_cpu",
		.help = "1: do not batch where there is only one CPU",
		.min = 0,
		.max = 1,
		.default_value = 0},
};

static const struct lp_variant *const variants[] = {
	&lru_rotate_per_page,
	&lru_rotate_pagevec_noref,
	&lru_rotate_pagevec_ref,
	&lru_rotate_pagevec_irq,
	&lru_rotate_lruvec_batch,
};

static const struct lp_column columns[] = {
	{"pages_per_lock", "pages/lock", LP_MODE_EXACT, 4},
	{"lock_contended_share", "contended", LP_MODE_OBSERVED, 2},
	{"lock_wait_p99_ns", "wait p99 ns", LP_MODE_OBSERVED, 3},
	{"lock_hold_p50_ns", "hold p50 ns", LP_MODE_OBSERVED, 3},
	{"holdoff_p99_ns", "hold-off p99 ns", LP_MODE_OBSERVED, 3},
	{"holdoff_max_ns", "hold-off max ns", LP_MODE_OBSERVED, 3},
	{"stalls_over_1ms", "stalls > 1 ms", LP_MODE_OBSERVED, 3},
	{"probe_max_ms", "probe max ms", LP_MODE_OBSERVED, 3},
	{"stranded_pages_max", "stranded max", LP_MODE_OBSERVED, 3},
	{"stale_touches", "stale touches", LP_MODE_OBSERVED, 3},
	{"soak_cpu_ns_per_op", "soaked ns/page", LP_MODE_SOAK, 3},
};

/* ---- cases ---- */

static struct lp_case base_case(const struct lp_variant *v)
{
	struct lp_case c;

	lp_case_init(&c, &lp_suite_lru_rotate, v);
	if (v == &lru_rotate_lruvec_batch)
		lp_case_set(&c, "batch", 15); /* 5.15 */
	return c;
}

static struct lp_case in_mode(struct lp_case c, enum lp_mode mode)
{
	c.mode = mode;
	c.threads = 1;
	return c;
}

/* The lock that the kernel of a generation had. */
static long lock_of_its_time(const struct lp_variant *v)
{
	return v == &lru_rotate_lruvec_batch ? LP_LOCK_QUEUED : LP_LOCK_UNFAIR;
}

static void list_timing(struct lp_lister *l, const struct lp_variant *v)
{
	struct lp_case c = base_case(v);

	lp_emit_threads(l, c);
	lp_emit_widest(l, lp_case_with(c, "lock", lock_of_its_time(v)));
	lp_emit_widest(l, lp_case_with(c, "nodes", 2));
	lp_emit_widest(l, lp_case_with(c, "actors", LRU_ACTORS_SWAPOUT));
}

static void list_observed(struct lp_lister *l, const struct lp_variant *v)
{
	struct lp_case c = in_mode(base_case(v), LP_MODE_OBSERVED);

	lp_emit_threads(l, c);
	c = lp_case_with(c, "actors", LRU_ACTORS_SWAPOUT);
	lp_emit_widest(l, c);
	lp_emit_widest(l, lp_case_with(c, "lock", lock_of_its_time(v)));
}

static void list_exact(struct lp_lister *l, const struct lp_variant *v)
{
	struct lp_case c = in_mode(base_case(v), LP_MODE_EXACT);

	lp_emit(l, c);
	c = lp_case_with(c, "nodes", 2);
	lp_emit(l, c);
	c = lp_case_with(lp_case_with(c, "nodes", 1), "actors", LRU_ACTORS_SWAPOUT);
	lp_emit(l, c);
}

/* What only the full profile has time for. */
static void list_full(struct lp_lister *l, const struct lp_variant *v)
{
	static const long batches[] = {1, 7, 14, 15, 31, 63};
	struct lp_case c = base_case(v);

	for (long lock = 0; lock < LP_LOCK_KINDS; lock++)
		if (lock != LP_LOCK_TICKET)
			lp_emit_threads(l, lp_case_with(c, "lock", lock));
	for (long nodes = 2; nodes <= 4; nodes++)
		lp_emit_threads(l, lp_case_with(lp_case_with(c, "nodes", nodes), "interleave",
					   LRU_INTERLEAVE_BIO));
	lp_emit_widest(
		l, lp_case_with(lp_case_with(c, "actors", LRU_ACTORS_SWAPOUT), "drain_all", 100));
	if (v->params & 1u << LRU_MEMCGS)
		lp_emit_threads(l, lp_case_with(lp_case_with(c, "memcgs", 16), "interleave",
					   LRU_INTERLEAVE_BIO));
	if (!(v->params & 1u << LRU_BATCH))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(batches); i++)
		if (batches[i] != lp_case_get(&c, "batch"))
			lp_emit_threads(l, lp_case_with(c, "batch", batches[i]));
	c = lp_case_with(c, "noop_on_one_cpu", 1);
	lp_emit(l, c);
}

static int cases(const struct lp_plan *plan, lp_case_sink sink, void *context)
{
	struct lp_lister l = {.plan = plan, .sink = sink, .context = context};

	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		list_timing(&l, variants[i]);
	/* The published patch against the batch of later kernels, everything else equal. */
	lp_emit_threads(&l, lp_case_with(base_case(&lru_rotate_pagevec_ref), "batch", 15));
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		list_observed(&l, variants[i]);
	for (size_t i = 0; i < 3; i++) /* the generations that the published figures compare */
		lp_emit_widest(&l, in_mode(base_case(variants[i]), LP_MODE_SOAK));
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		list_exact(&l, variants[i]);
	for (size_t i = 0; plan->profile == LP_PROFILE_FULL && i < ARRAY_SIZE(variants); i++)
		list_full(&l, variants[i]);
	return l.rc;
}

/* ---- published results ---- */

#define PING_SOURCE                                                                                \
	"patch of September 2007 against 2.6.23-rc5: 4 CPUs at 3.16 GHz with hyper-threading, "    \
	"8 GB of memory, 3000 flood pings under swap-out"
#define SWAPOUT(variant) "lru_rotate/" variant "lock:unfair/nodes:1/actors:swapout/mode:observed/*"

static const struct lp_claim claims[] = {
	{"ping-max-noref", "the longest ping falls from 172.2 to 3.9 ms with the first patch",
		PING_SOURCE, "probe_max_ms", SWAPOUT("per_page/"),
		SWAPOUT("pagevec_noref/batch:14/"), 3.884 / 172.228, 4, 1,
		"a single maximum: look at stalls and at the repetitions"},
	{"ping-max-ref", "the longest ping falls from 172.2 to 4.7 ms with the reference",
		PING_SOURCE, "probe_max_ms", SWAPOUT("per_page/"), SWAPOUT("pagevec_ref/batch:14/"),
		4.716 / 172.228, 4, 1, "a single maximum: look at stalls and at the repetitions"},
	{"ping-avg-noref", "the mean ping falls from 0.652 to 0.108 ms with the first patch",
		PING_SOURCE, "probe_avg_ms", SWAPOUT("per_page/"),
		SWAPOUT("pagevec_noref/batch:14/"), 0.108 / 0.652, 4, 1, NULL},
	{"ping-avg-ref", "the mean ping falls from 0.652 to 0.110 ms with the reference",
		PING_SOURCE, "probe_avg_ms", SWAPOUT("per_page/"), SWAPOUT("pagevec_ref/batch:14/"),
		0.110 / 0.652, 4, 1, NULL},
	{"ping-mdev-noref", "the pings' mdev falls from 7.176 to 0.114 ms with the first patch",
		PING_SOURCE, "probe_mdev_ms", SWAPOUT("per_page/"),
		SWAPOUT("pagevec_noref/batch:14/"), 0.114 / 7.176, 4, 1, NULL},
	{"ping-mdev-ref", "the pings' mdev falls from 7.176 to 0.147 ms with the reference",
		PING_SOURCE, "probe_mdev_ms", SWAPOUT("per_page/"),
		SWAPOUT("pagevec_ref/batch:14/"), 0.147 / 7.176, 4, 1, NULL},
	{"ping-ewma-ref", "the pings' ewma rises from 0.092 to 0.129 ms with the reference",
		PING_SOURCE, "probe_ewma_ms", SWAPOUT("per_page/"),
		SWAPOUT("pagevec_ref/batch:14/"), 0.129 / 0.092, 4, 1,
		"the state of the last few pings only"},
	{"reference-cost-avg", "the reference costs the mean ping 2 %", PING_SOURCE, "probe_avg_ms",
		SWAPOUT("pagevec_noref/batch:14/"), SWAPOUT("pagevec_ref/batch:14/"), 0.110 / 0.108,
		4, 1, NULL},
	{"reference-cost-max", "the reference costs the longest ping 21 %", PING_SOURCE,
		"probe_max_ms", SWAPOUT("pagevec_noref/batch:14/"),
		SWAPOUT("pagevec_ref/batch:14/"), 4.716 / 3.884, 4, 1, "a single maximum"},
	{"activate-batching", "batching page activation cut a mmap-read benchmark's time by 58 %",
		"2.6.38 development: 4 sockets, 64 CPUs; another list move under the same lock",
		"ns_per_op", "lru_rotate/per_page/lock:ticket/nodes:1/threads:*",
		"lru_rotate/pagevec_irq/batch:14/lock:ticket/nodes:1/threads:*", 0.42, 64, 4,
		"the benchmark did more than move pages"},
	{"memcg-lock", "a lock per memory control group: readtwice 62 to 80 % faster",
		"5.11 development: two-socket machines", "ops_per_s",
		"lru_rotate/lruvec_batch/batch:15/lock:queued/nodes:1/threads:*",
		"lru_rotate/lruvec_batch/batch:15/lock:queued/nodes:1/interleave:bio/memcgs:16/"
		"threads:*",
		1.71, 32, 2, "measured in the full profile; the rotation alone, not readtwice"},
};

const struct lp_suite lp_suite_lru_rotate = {
	.name = "lru_rotate",
	.summary =
		"rotating reclaimable pages at the end of writeback: a lock per page or per batch",
	.story =
		"A page marked for reclaim finishes writeback in the disk's completion interrupt "
		"and "
		"is moved to the tail of the inactive list, where reclaim finds it next. In 2.6.23 "
		"every such page took zone->lru_lock, and under swap-out the completion interrupts "
		"of "
		"all CPUs fought the reclaimers for it while other interrupts waited. Since 2.6.24 "
		"a "
		"per-CPU batch collects 14 pages and takes the lock once.",
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
