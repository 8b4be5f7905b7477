/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published claims against what was measured.
 */
#ifndef LP_REPORTS_CLAIMS_H
#define LP_REPORTS_CLAIMS_H

#include "reports/figure.h"
#include "reports/results.h"

enum lp_claim_verdict {
	LP_CLAIM_REPRODUCED,	 /* same direction, and within a factor of two of the ratio */
	LP_CLAIM_DIRECTION_ONLY, /* same direction, another size */
	LP_CLAIM_NOT_REPRODUCED, /* no change, or the other direction */
	LP_CLAIM_NEEDS_CPUS,	 /* this machine is too small for a fair try */
	LP_CLAIM_NEEDS_NODES,
	LP_CLAIM_NOT_MEASURED /* no ratio; reason says why */
};

/** lp_claim_verdict_text() - as a report prints it: "reproduced", "direction only", … */
const char *lp_claim_verdict_text(enum lp_claim_verdict v);

struct lp_claim_result {
	enum lp_claim_verdict verdict;
	const struct lp_item *base, *subject; /* the pair compared; NULL when there is none */
	struct lp_ratio ratio;		      /* of that pair, also when the machine is too small */
	const char *reason;		      /* why not measured or what is needed; "" */
};

/**
 * lp_claim_compare() - the verdict on a ratio alone.
 *
 * @published 1 claims that nothing changes: reproduced within a factor of two, else not. Published
 * 0 claims that the subject is 0: reproduced only by 0. A measured 0 or infinity (one side is 0)
 * has a direction, and is within a factor of two of nothing else.
 */
enum lp_claim_verdict lp_claim_compare(double published, double measured);

/**
 * lp_claim_judge() - find the pair that @claim is about and judge it.
 *
 * Cases matching base and subject form a pair when the stars of both patterns stand for the same
 * texts; with different numbers of stars, any two do. Of several pairs the one counts that has the
 * figure, then the one with the most threads, then the first of the plan. A machine whose counts
 * are not known is taken to be large enough. Return: 0 or -ENOMEM.
 */
int lp_claim_judge(
	struct lp_results *r, const struct lp_suite_claim *claim, struct lp_claim_result *result);

#endif
