// SPDX-License-Identifier: GPL-2.0-or-later
/* The suite's table: parameters, generations, the four cells, columns and published claims. */
#include "suites/lru_deactivate/lru_deactivate.h"
#include "suites/lister.h"

static const char *const set_words[] = {"uniform", "zipf", NULL};

static const struct lp_param params[LD_PARAMS] = {
	[LD_LOCK] = {.name = "lock",
		.help = "unfair (to 2.6.24), ticket (2.6.25) or queued (4.2)",
		.words = lp_lock_kind_names,
		.default_value = LP_LOCK_TICKET,
		.always_named = true},
	[LD_STRESS] = {.name = "stress",
		.help = "1: an allocator keeps memory short",
		.min = 0,
		.max = 1,
		.default_value = 0,
		.always_named = true},
	[LD_SET] = {.name = "set",
		.help = "how the working set is used: uniform or zipf",
		.words = set_words,
		.default_value = 0},
	[LD_MEMORY] = {.name = "memory",
		.help = "pages of the machine, 4096 to 1048576",
		.min = 4096,
		.max = 1 << 20,
		.default_value = 16384},
	[LD_SET_SHARE] = {.name = "set_share",
		.help = "the working set in % of memory, 5 to 80",
		.min = 5,
		.max = 80,
		.default_value = 50},
};

static const struct lp_variant *const variants[] = {
	&lru_deactivate_no_advice,
	&lru_deactivate_invalidate_only,
	&lru_deactivate_deactivate,
	&lru_deactivate_deactivate_per_page,
	&lru_deactivate_deactivate_drain_all,
	&lru_deactivate_noreuse,
};

static const struct lp_column columns[] = {
	{"pgsteal", "pgsteal", LP_MODE_EXACT, 6},
	{"pgscan", "pgscan", LP_MODE_EXACT, 6},
	{"pgmajfault", "pgmajfault", LP_MODE_EXACT, 6},
	{"pageoutrun", "pageoutrun", LP_MODE_EXACT, 6},
	{"pgrotated", "pgrotated", LP_MODE_EXACT, 6},
	{"reclaim_flag_share", "PG_reclaim", LP_MODE_EXACT, 3},
	{"steal_per_scan", "steal/scan", LP_MODE_EXACT, 3},
	{"locks_per_1000", "locks/1000", LP_MODE_EXACT, 4},
	{"elapsed_s", "elapsed s", LP_MODE_EXACT, 4},
	{"lock_contended_share", "contended", LP_MODE_OBSERVED, 2},
};

static struct lp_case in_mode(struct lp_case c, enum lp_mode mode, int threads)
{
	c.mode = mode;
	c.threads = threads;
	return c;
}

static void list_variant(struct lp_lister *l, const struct lp_variant *v)
{
	int widest = l->plan->threads[l->plan->nthreads - 1];
	struct lp_case c;

	lp_case_init(&c, &lp_suite_lru_deactivate, v);
	/* The four cells: this generation against the unpatched one, without and with stress. */
	for (long stress = 0; stress <= 1; stress++)
		lp_emit(l, in_mode(lp_case_with(c, "stress", stress), LP_MODE_EXACT, 1));
	lp_emit(l, in_mode(c, LP_MODE_TIMING, widest));
	lp_emit(l, in_mode(c, LP_MODE_OBSERVED, widest));
	if (l->plan->profile != LP_PROFILE_FULL)
		return;
	for (int t = 0; t < l->plan->nthreads; t++)
		for (long stress = 0; stress <= 1; stress++)
			lp_emit(l, in_mode(lp_case_with(c, "stress", stress), LP_MODE_TIMING,
					   l->plan->threads[t]));
	for (long share = 20; share <= 80; share += 20)
		lp_emit(l, in_mode(lp_case_with(c, "set_share", share), LP_MODE_EXACT, 1));
	for (long stress = 0; stress <= 1; stress++)
		lp_emit(l, in_mode(lp_case_with(lp_case_with(c, "stress", stress), "set", 1),
				   LP_MODE_EXACT, 1));
	lp_emit(l, in_mode(lp_case_with(c, "memory", 1 << 17), LP_MODE_EXACT, 1));
}

static int cases(const struct lp_plan *plan, lp_case_sink sink, void *context)
{
	struct lp_lister l = {.plan = plan, .sink = sink, .context = context};

	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		list_variant(&l, variants[i]);
	return l.rc;
}

/* The unpatched cell stole 7.81M pages, nearly all that 16 GB read and 16 GB written come to: its
 * rsync gave no advice that had an effect. The base is therefore the stream without advice. */
#define SOURCE "patch of 2.6.39, 2011: 2 GB of memory, an rsync of 16 GB"
#define CELL(variant, stress)                                                                      \
	"lru_deactivate/" variant "/lock:ticket/stress:" stress "/mode:exact/*"
#define CLAIM(id, text, metric, stress, ratio, note)                                               \
	{                                                                                          \
		id, text, SOURCE, metric, CELL("no_advice", stress), CELL("deactivate", stress),   \
			ratio, 1, 1, note                                                          \
	}

static const struct lp_claim claims[] = {
	CLAIM("elapsed", "the backup takes 3 % longer", "elapsed_s", "0", 1.03, NULL),
	CLAIM("elapsed-stress", "under stress it is 2 % faster", "elapsed_s", "1", 0.98, NULL),
	CLAIM("steal", "7.81M pages stolen become 4.11M", "pgsteal", "0", 4.11 / 7.81, NULL),
	CLAIM("steal-stress", "under stress 8.60M become 4.72M", "pgsteal", "1", 4.72 / 8.60, NULL),
	CLAIM("scan", "pages scanned fall to 0.53", "pgscan", "0", 0.53, NULL),
	CLAIM("scan-stress", "under stress to 0.55", "pgscan", "1", 0.55, NULL),
	CLAIM("majfault", "major faults rise from 212 to 334", "pgmajfault", "0", 334.0 / 212,
		NULL),
	CLAIM("majfault-stress", "under stress they fall from 5149 to 3688", "pgmajfault", "1",
		3688.0 / 5149, NULL),
	CLAIM("pageoutrun", "runs of kswapd fall to 0.52", "pageoutrun", "0", 0.52, NULL),
	CLAIM("pageoutrun-stress", "under stress to 0.49", "pageoutrun", "1", 0.49, NULL),
	CLAIM("rotated-stress", "pages rotated rise from 2.9k to 1.77M under stress", "pgrotated",
		"1", 1.77e6 / 2.9e3, "without stress from 0, which has no ratio"),
};

const struct lp_suite lp_suite_lru_deactivate = {
	.name = "lru_deactivate",
	.summary =
		"pages invalidated by use-once I/O: dropped, left where they are, or deactivated",
	.story = "A backup asks the kernel to drop the pages it has used once. Pages that are "
		 "dirty or "
		 "under writeback cannot be dropped; they used to stay, were promoted by their "
		 "second "
		 "use, and pushed the working set out. Since 2.6.39 they are moved to the inactive "
		 "list in per-CPU batches, and rotated to its tail when their writeback ends.",
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
