// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Judging claims. "Within a factor of two" because the published figures are of other machines, of
 * whole systems and mostly of one run: their direction and order of size can be expected to hold,
 * their digits cannot.
 */
#include "reports/claims.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/grow.h"

static const double factor = 2;

const char *lp_claim_verdict_text(enum lp_claim_verdict v)
{
	static const char *const texts[] = {"reproduced", "direction only", "not reproduced",
		"needs more CPUs", "needs more nodes", "not measured"};

	return texts[v];
}

static int direction(double ratio)
{
	return (ratio > 1) - (ratio < 1);
}

enum lp_claim_verdict lp_claim_compare(double published, double measured)
{
	bool near = published == 0
			    ? measured == 0
			    : measured >= published / factor && measured <= published * factor;

	if (published != 1 && direction(published) != direction(measured))
		return LP_CLAIM_NOT_REPRODUCED;
	if (near)
		return LP_CLAIM_REPRODUCED;
	return published == 1 ? LP_CLAIM_NOT_REPRODUCED : LP_CLAIM_DIRECTION_ONLY;
}

/* A case that matches a pattern. */
struct match {
	const struct lp_item *item;
	struct lp_captures captures;
	bool has_figure;
};

struct matches {
	size_t count, room;
	struct match *at;
};

static int find_matches(
	const struct lp_results *r, const char *pattern, uint32_t metric, struct matches *m)
{
	for (size_t i = 0; i < r->items; i++) {
		struct match match = {.item = &r->item[i]};
		struct lp_figure f;

		if (!lp_pattern_match(
			    pattern, lp_results_text(r, r->item[i].text), &match.captures))
			continue;
		if (lp_figure(r, match.item, metric, &f) ||
			lp_grow(&m->at, &m->room, m->count + 1, sizeof(*m->at)))
			return -ENOMEM;
		match.has_figure = f.quality != LP_QUALITY_NONE;
		m->at[m->count++] = match;
	}
	return 0;
}

/* How much a pair is to be preferred: having the figure, then threads. */
static long worth(const struct match *base, const struct match *subject)
{
	long threads = base->item->name.threads < subject->item->name.threads
			       ? base->item->name.threads
			       : subject->item->name.threads;

	return threads + (base->has_figure && subject->has_figure ? 1L << 30 : 0);
}

static void choose_pair(
	const struct matches *base, const struct matches *subject, struct lp_claim_result *result)
{
	long best = -1;

	for (size_t b = 0; b < base->count; b++) {
		for (size_t s = 0; s < subject->count; s++) {
			const struct match *x = &base->at[b], *y = &subject->at[s];

			if (x->captures.count == y->captures.count &&
				!lp_captures_equal(&x->captures, &y->captures))
				continue;
			if (worth(x, y) <= best)
				continue;
			best = worth(x, y);
			result->base = x->item;
			result->subject = y->item;
		}
	}
}

/* Why no case matches @pattern: it was skipped here, or nobody asked for it. */
static const char *why_no_match(struct lp_results *r, const char *pattern)
{
	struct lp_captures c;

	for (size_t i = 0; i < r->skips; i++)
		if (lp_pattern_match(pattern, lp_results_text(r, r->skipped[i].text), &c))
			return lp_strings_format(&r->strings, "%s was skipped: %s",
				lp_results_text(r, r->skipped[i].text),
				lp_results_text(r, r->skipped[i].reason));
	return lp_strings_format(&r->strings, "no row %s", pattern);
}

static const char *why_no_figure(
	struct lp_results *r, const struct lp_item *item, const char *metric)
{
	const char *name = lp_results_text(r, item->text);
	uint32_t handle = lp_strings_find(&r->strings, metric);

	if (!item->rows)
		return lp_strings_format(&r->strings, "%s was not finished", name);
	for (size_t i = 0; handle && i < r->absents; i++)
		if (r->absent[i].metric == handle)
			return lp_strings_format(&r->strings, "%s has no %s: %s", name, metric,
				lp_results_text(r, r->absent[i].reason));
	return lp_strings_format(
		&r->strings, "%s has no %s in a repetition that may be used", name, metric);
}

static void judge_pair(
	struct lp_results *r, const struct lp_suite_claim *claim, struct lp_claim_result *result)
{
	const struct lp_ratio *ratio = &result->ratio;

	result->verdict = LP_CLAIM_NOT_MEASURED;
	switch (ratio->why) {
	case LP_RATIO_OK:
		result->verdict = lp_claim_compare(claim->published, ratio->ratio);
		return;
	case LP_RATIO_ABSENT:
		result->reason = why_no_figure(
			r, ratio->base.quality ? result->subject : result->base, claim->metric);
		return;
	case LP_RATIO_PLACEMENT:
		result->reason = "the two rows were never measured with the CPUs equally far apart";
		return;
	case LP_RATIO_NEGATIVE:
		result->reason = "a figure below 0 has no ratio";
		return;
	}
}

/* CPUs that may be used, 0 when not known. */
static int machine_cpus(const struct lp_results *r)
{
	const json_t *cpus = json_object_get(r->machine, "cpus_allowed");

	return json_is_integer(cpus) ? (int)json_integer_value(cpus) : r->cpus;
}

/* Nodes whose memory may be used, 0 when not known. */
static int machine_nodes(const struct lp_results *r)
{
	const json_t *nodes = json_object_get(r->machine, "nodes"), *node;
	int usable = 0;
	size_t i;

	json_array_foreach (nodes, i, node)
		usable += !json_is_false(json_object_get(node, "allowed"));
	return usable;
}

/* A machine below what the claim needs has not refuted it, whatever was measured. */
static void judge_machine(
	struct lp_results *r, const struct lp_suite_claim *claim, struct lp_claim_result *result)
{
	int cpus = machine_cpus(r), nodes = machine_nodes(r);

	if (cpus && cpus < claim->min_cpus) {
		result->verdict = LP_CLAIM_NEEDS_CPUS;
		result->reason = lp_strings_format(
			&r->strings, "%d are needed, %d may be used", claim->min_cpus, cpus);
	} else if (nodes && nodes < claim->min_nodes) {
		result->verdict = LP_CLAIM_NEEDS_NODES;
		result->reason = lp_strings_format(
			&r->strings, "%d are needed, %d may be used", claim->min_nodes, nodes);
	}
}

static int judge(struct lp_results *r, const struct lp_suite_claim *claim, struct matches *base,
	struct matches *subject, struct lp_claim_result *result)
{
	uint32_t metric = lp_strings_find(&r->strings, claim->metric);

	if (find_matches(r, claim->base, metric, base) ||
		find_matches(r, claim->subject, metric, subject))
		return -ENOMEM;
	choose_pair(base, subject, result);
	if (!base->count || !subject->count)
		result->reason = why_no_match(r, base->count ? claim->subject : claim->base);
	else if (!result->base)
		result->reason = "no two rows agree in what the patterns leave open";
	else if (lp_ratio(r, result->base, result->subject, metric, &result->ratio))
		return -ENOMEM;
	else
		judge_pair(r, claim, result);
	judge_machine(r, claim, result);
	return 0;
}

int lp_claim_judge(
	struct lp_results *r, const struct lp_suite_claim *claim, struct lp_claim_result *result)
{
	struct matches base = {0}, subject = {0};
	int rc;

	*result = (struct lp_claim_result){.verdict = LP_CLAIM_NOT_MEASURED, .reason = ""};
	result->ratio.why = LP_RATIO_ABSENT;
	result->ratio.ratio = NAN;
	rc = judge(r, claim, &base, &subject, result);
	free(base.at);
	free(subject.at);
	return rc;
}
