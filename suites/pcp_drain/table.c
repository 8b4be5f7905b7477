// SPDX-License-Identifier: GPL-2.0-or-later
/* The suite's table: parameters, generations, cases, columns and published claims. */
#include "suites/pcp_drain/pcp_drain.h"
#include "suites/lister.h"

static const char *const case_words[] = {"normal", "storm", NULL};
static const char *const actors_words[] = {"mixed", "reclaimers", "victims", NULL};
static const char *const ipi_words[] = {"signal", "membarrier", NULL};
static const struct lp_param params[PCP_PARAMS] = {
	[PCP_CASE] = {.name = "case",
		.help = "normal (room for the page cache, few high orders) or storm (none, many)",
		.words = case_words,
		.default_value = PCP_CASE_STORM,
		.always_named = true},
	[PCP_ACTORS] = {.name = "actors",
		.help = "mixed (allocator, freer, allocator, victim, …), all reclaimers or all "
			"victims",
		.words = actors_words,
		.default_value = PCP_ACTORS_MIXED},
	[PCP_IPI] = {.name = "ipi",
		.help = "how other CPUs are interrupted: signal, or membarrier (function call)",
		.words = ipi_words,
		.default_value = PCP_IPI_SIGNAL,
		.always_named = true},
	[PCP_LOCK] = {.name = "lock",
		.help = "unfair (to 2.6.24), ticket (2.6.25) or queued (4.2)",
		.words = lp_lock_kind_names,
		.default_value = LP_LOCK_TICKET,
		.always_named = true},
	[PCP_BATCH] = {.name = "batch",
		.help = "pages moved at once; 31 to 4.18, 63 from 4.19 on",
		.min = 1,
		.max = 1024,
		.default_value = 31},
	[PCP_HIGH] = {.name = "high",
		.help = "pages on a list at which a batch is freed; 6 × batch",
		.min = 1,
		.max = 8192,
		.default_value = 186},
	[PCP_BLOCKS] = {.name = "blocks",
		.help = "blocks of 1024 pages a CPU in the zone",
		.min = 1,
		.max = 1024,
		.default_value = 4},
	[PCP_HIGH_ORDERS] = {.name = "high_orders",
		.help = "allocations of order 1 to 3 in 1000; 0: the case's (100 or 500)",
		.min = 0,
		.max = 1000,
		.default_value = 0},
	[PCP_RECLAIM] = {.name = "reclaim",
		.help = "µs that a direct reclaim takes",
		.min = 0,
		.max = 100000,
		.default_value = 20},
	[PCP_CPUS] = {.name = "cpus",
		.help = "CPUs played in exact mode",
		.min = 1,
		.max = 64,
		.default_value = 4},
};

static const struct lp_variant *const variants[] = {
	&pcp_drain_ipi_always,
	&pcp_drain_ipi_on_fail,
	&pcp_drain_local_only,
	&pcp_drain_ipi_masked,
	&pcp_drain_workqueue,
	&pcp_drain_remote_lock,
};

static const struct lp_column columns[] = {
	{"ipis_per_drain", "IPIs/drain", LP_MODE_EXACT, 3},
	{"ipis_per_alloc", "IPIs/alloc", LP_MODE_EXACT, 3},
	{"useful_ipi_share", "useful", LP_MODE_EXACT, 3},
	{"masked_ipi_share", "masked", LP_MODE_EXACT, 3},
	{"drained_pages_per_drain", "pages/drain", LP_MODE_EXACT, 3},
	{"order3_success_share", "order-3 success", LP_MODE_EXACT, 3},
	{"retry_success_share", "retry success", LP_MODE_EXACT, 3},
	{"livelock_windows", "livelocks", LP_MODE_EXACT, 3},
	{"ipis_per_cpu_per_s", "IPIs/CPU/s", LP_MODE_OBSERVED, 3},
	{"drain_wait_p99_ns", "drain wait p99 ns", LP_MODE_OBSERVED, 3},
	{"alloc_latency_p99_ns", "alloc p99 ns", LP_MODE_OBSERVED, 3},
	{"victim_lost_ns_per_s", "victim lost ns/s", LP_MODE_OBSERVED, 3},
	{"stranded_pages_mean", "stranded", LP_MODE_OBSERVED, 3},
};

/* ---- cases ---- */

static struct lp_case base_case(const struct lp_variant *v, enum lp_mode mode)
{
	struct lp_case c;

	lp_case_init(&c, &lp_suite_pcp_drain, v);
	c.mode = mode;
	return c;
}

static struct lp_case by_membarrier(struct lp_case c)
{
	return lp_case_with(c, "ipi", PCP_IPI_MEMBARRIER);
}

static bool sends_ipis(const struct lp_variant *v)
{
	return v->params & 1u << PCP_IPI;
}

static void list_timing(struct lp_lister *l)
{
	static const struct lp_variant *const fast[] = {
		&pcp_drain_ipi_masked, &pcp_drain_remote_lock};

	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		lp_emit_widest(l, base_case(variants[i], LP_MODE_TIMING));
	/* The fast path with interrupts off, and with a lock of the list. */
	for (size_t i = 0; i < ARRAY_SIZE(fast); i++)
		lp_emit_at(l,
			lp_case_with(
				base_case(fast[i], LP_MODE_TIMING), "actors", PCP_ACTORS_VICTIMS),
			1);
	for (long batch = 31; batch <= 63; batch += 32) {
		struct lp_case c =
			lp_case_with(base_case(fast[0], LP_MODE_TIMING), "case", PCP_CASE_NORMAL);

		c = lp_case_with(lp_case_with(c, "batch", batch), "high", 6 * batch);
		lp_emit_widest(l, lp_case_with(c, "actors", PCP_ACTORS_RECLAIMERS));
	}
}

static void list_observed(struct lp_lister *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		lp_emit_widest(l, base_case(variants[i], LP_MODE_OBSERVED));
	lp_emit_widest(l, by_membarrier(base_case(&pcp_drain_ipi_always, LP_MODE_OBSERVED)));
	lp_emit_widest(l, by_membarrier(base_case(&pcp_drain_ipi_masked, LP_MODE_OBSERVED)));
}

static struct lp_case on_8_cpus(const struct lp_variant *v)
{
	return lp_case_with(base_case(v, LP_MODE_EXACT), "cpus", 8);
}

static void list_exact(struct lp_lister *l)
{
	static const struct lp_variant *const ipis[] = {
		&pcp_drain_ipi_always, &pcp_drain_ipi_on_fail, &pcp_drain_ipi_masked};

	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		lp_emit_at(l, base_case(variants[i], LP_MODE_EXACT), 1);
	/* As published: 8 CPUs, in the normal case and with every one of them in reclaim. */
	for (size_t i = 0; i < 2; i++)
		lp_emit_at(l, lp_case_with(on_8_cpus(ipis[i]), "case", PCP_CASE_NORMAL), 1);
	for (size_t i = 0; i < ARRAY_SIZE(ipis); i++)
		lp_emit_at(l, lp_case_with(on_8_cpus(ipis[i]), "actors", PCP_ACTORS_RECLAIMERS), 1);
	/* Near out-of-memory: so little of it that the lists are empty most of the time. */
	for (size_t i = 1; i < ARRAY_SIZE(ipis); i++) {
		struct lp_case c =
			lp_case_with(on_8_cpus(ipis[i]), "actors", PCP_ACTORS_RECLAIMERS);

		lp_emit_at(l, lp_case_with(c, "blocks", 1), 1);
	}
}

/* What only the full profile has time for. */
static void list_full(struct lp_lister *l, const struct lp_variant *v)
{
	struct lp_case timing = base_case(v, LP_MODE_TIMING);
	struct lp_case observed = base_case(v, LP_MODE_OBSERVED);
	struct lp_case exact = base_case(v, LP_MODE_EXACT);

	for (long which = PCP_CASE_NORMAL; which <= PCP_CASE_STORM; which++)
		for (long lock = 0; lock < LP_LOCK_KINDS; lock++)
			if (which != PCP_CASE_STORM || lock != LP_LOCK_TICKET)
				lp_emit_threads(l, lp_case_with(lp_case_with(timing, "case", which),
							   "lock", lock));
	lp_emit_widest(l, lp_case_with(timing, "actors", PCP_ACTORS_RECLAIMERS));
	lp_emit_widest(l, lp_case_with(timing, "actors", PCP_ACTORS_VICTIMS));
	lp_emit_widest(l, lp_case_with(observed, "case", PCP_CASE_NORMAL));
	lp_emit_widest(l, lp_case_with(observed, "actors", PCP_ACTORS_RECLAIMERS));
	if (sends_ipis(v))
		lp_emit_widest(l, by_membarrier(timing));
	lp_emit_widest(l, lp_case_with(lp_case_with(observed, "batch", 63), "high", 378));
	lp_emit_at(l, lp_case_with(exact, "case", PCP_CASE_NORMAL), 1);
	for (long cpus = 2; cpus <= 64; cpus *= 2)
		if (cpus != lp_case_get(&exact, "cpus"))
			lp_emit_at(l, lp_case_with(exact, "cpus", cpus), 1);
	lp_emit_at(l, lp_case_with(lp_case_with(exact, "batch", 63), "high", 378), 1);
}

static int cases(const struct lp_plan *plan, lp_case_sink sink, void *context)
{
	struct lp_lister l = {.plan = plan, .sink = sink, .context = context};

	list_timing(&l);
	list_observed(&l);
	list_exact(&l);
	for (size_t i = 0; plan->profile == LP_PROFILE_FULL && i < ARRAY_SIZE(variants); i++)
		list_full(&l, variants[i]);
	return l.rc;
}

/* ---- published results ---- */

#define INODES "2.6.37 development: 8 CPUs, creating 50M inodes, function-call interrupts per CPU"
#define NORMAL(variant)                                                                            \
	"pcp_drain/" variant "/case:normal/ipi:signal/lock:ticket/cpus:8/mode:exact/threads:1"
#define STORM(variant, more)                                                                       \
	"pcp_drain/" variant "/case:storm/actors:reclaimers/ipi:signal/lock:ticket/" more          \
	"cpus:8/mode:exact/threads:1"
#define MASK "3.4 development: on_each_cpu_mask(), near out-of-memory"

static const struct lp_claim claims[] = {
	{"normal-ipis", "trying the free list first: 8 660 interrupts per CPU, not 9 940", INODES,
		"ipis_per_alloc", NORMAL("ipi_always"), NORMAL("ipi_on_fail"), 8660.0 / 9940.0, 1,
		1, "the machine's count held other function calls as well"},
	{"storm-ipis", "in the livelock 58 000-59 500 interrupts per CPU, not about 18 500", INODES,
		"ipis_per_alloc", STORM("ipi_always", ""), STORM("ipi_on_fail", ""),
		18750.0 / 58750.0, 1, 1, "published: some 40 000 more per CPU in five minutes"},
	{"mask-ipis", "more than 85 % of the interrupts are saved by the mask", MASK,
		"ipis_per_drain", STORM("ipi_on_fail", "blocks:1/"),
		STORM("ipi_masked", "blocks:1/"), 0.15, 1, 1,
		"published as a bound: a smaller ratio reproduces it as well"},
	{"mask-latency", "direct reclaim is faster by an order of magnitude with the mask", MASK,
		"alloc_latency_p99_ns",
		"pcp_drain/ipi_on_fail/case:storm/ipi:signal/lock:ticket/mode:observed/*",
		"pcp_drain/ipi_masked/case:storm/ipi:signal/lock:ticket/mode:observed/*", 0.1, 8, 1,
		"published for machines with many CPUs and busy victims"},
	{"pcp-lock-cost", "the lock of the list costs the fast path 0 to 0.6 % on x86",
		"6.0 development, page allocation microbenchmark", "ns_per_op",
		"pcp_drain/ipi_masked/case:storm/actors:victims/ipi:signal/lock:ticket/threads:1",
		"pcp_drain/remote_lock/case:storm/actors:victims/lock:ticket/threads:1", 1.003, 1,
		1, "the whole allocation was timed there, this is the list alone"},
	{"batch-63", "a batch of 63 instead of 31: page faults 10 to 18 % faster",
		"4.19 development: page-fault benchmark on four sockets", "ops_per_s",
		"pcp_drain/ipi_masked/case:normal/actors:reclaimers/ipi:signal/lock:ticket/"
		"threads:*",
		"pcp_drain/ipi_masked/case:normal/actors:reclaimers/ipi:signal/lock:ticket/"
		"batch:63/"
		"high:378/threads:*",
		1.14, 32, 2, "zeroing of pages and the page tables are not here"},
};

const struct lp_suite lp_suite_pcp_drain = {
	.name = "pcp_drain",
	.summary = "draining per-CPU page lists: interrupting every CPU, some, or none",
	.story = "Free pages wait on per-CPU lists in front of the zone. When an allocation fails "
		 "after direct reclaim, the missing pages may be on other CPUs' lists, and up to "
		 "2.6.36 every CPU was interrupted to give them back before anyone looked whether "
		 "that was needed: with many CPUs in reclaim a storm of interrupts, near a "
		 "livelock. "
		 "Later kernels look first, interrupt only CPUs that hold pages, queue work to "
		 "them, "
		 "or take the pages themselves under a lock of the list.",
	.unit = "allocation",
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
