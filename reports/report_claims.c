// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Claims as a reader needs them: the verdict, both ratios, and the two rows with their figures, so
 * that the verdict can be checked by hand.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/claims.h"
#include "reports/format.h"
#include "reports/report.h"
#include "reports/report_parts.h"

enum { DIGITS = 3 };

static const char *ratio_text(struct lp_strings *s, double ratio)
{
	return isinf(ratio) ? "∞" : lp_format_number(s, ratio, DIGITS);
}

static const char *measured_text(struct lp_strings *s, const struct lp_claim_result *result)
{
	const struct lp_ratio *ratio = &result->ratio;
	bool disturbed = ratio->base.quality == LP_QUALITY_DISTURBED ||
			 ratio->subject.quality == LP_QUALITY_DISTURBED;

	if (ratio->why != LP_RATIO_OK)
		return LP_NO_FIGURE;
	return lp_strings_format(s, "%s%s", disturbed ? "≈" : "", ratio_text(s, ratio->ratio));
}

/* "NAME = 0.41 (5 repetitions)" */
static const char *side_text(
	struct lp_results *r, const struct lp_item *item, const struct lp_figure *f)
{
	return lp_strings_format(&r->strings, "%s = %s (%zu %srepetition%s)",
		lp_results_text(r, item->text), lp_format_number(&r->strings, f->median, DIGITS),
		f->used, f->quality == LP_QUALITY_DISTURBED ? "disturbed " : "",
		f->used == 1 ? "" : "s");
}

static void write_details(struct lp_results *r, struct lp_document *d, size_t width,
	const struct lp_suite_claim *claim, const struct lp_claim_result *result)
{
	struct lp_strings *s = &r->strings;
	const char *text = lp_strings_format(s, "%s.", claim->text);

	if (result->ratio.why == LP_RATIO_OK)
		text = lp_strings_format(s, "%s %s: %s against %s.", text, claim->metric,
			side_text(r, result->subject, &result->ratio.subject),
			side_text(r, result->base, &result->ratio.base));
	if (*result->reason && result->verdict == LP_CLAIM_NOT_MEASURED)
		text = lp_strings_format(s, "%s %s: %s.", text,
			lp_claim_verdict_text(result->verdict), result->reason);
	if (claim->note)
		text = lp_strings_format(s, "%s Bear in mind: %s.", text, claim->note);
	d->form->item(d->out, width, claim->id, text);
}

/* All claims in turn, under their source wherever it changes. */
static void write_list(struct lp_results *r, struct lp_document *d,
	const struct lp_suite_info *info, const struct lp_claim_result *result)
{
	size_t width = 0;

	for (size_t i = 0; i < info->claims; i++) {
		size_t own = strlen(info->claim[i].id);

		width = own > width ? own : width;
	}
	for (size_t i = 0; i < info->claims; i++) {
		const char *source = info->claim[i].source;

		if (!i || strcmp(source, info->claim[i - 1].source)) {
			if (i)
				d->form->end_items(d->out);
			d->form->paragraph(
				d->out, lp_strings_format(&r->strings, "Source: %s.", source));
		}
		write_details(r, d, width, &info->claim[i], &result[i]);
	}
	d->form->end_items(d->out);
}

static void add_columns(struct lp_table *t)
{
	lp_table_add_column(t, "claim", LP_LEFT);
	lp_table_add_column(t, "published ratio", LP_RIGHT);
	lp_table_add_column(t, "measured ratio", LP_RIGHT);
	lp_table_add_column(t, "verdict", LP_LEFT);
	t->keys = 1;
}

/* "needs more CPUs (4 are needed, 2 may be used)" */
static const char *verdict_text(struct lp_strings *s, const struct lp_claim_result *result)
{
	const char *text = lp_claim_verdict_text(result->verdict);

	if (result->verdict != LP_CLAIM_NEEDS_CPUS && result->verdict != LP_CLAIM_NEEDS_NODES)
		return text;
	return lp_strings_format(s, "%s (%s)", text, result->reason);
}

static void add_claim(struct lp_results *r, struct lp_table *t, const struct lp_suite_claim *claim,
	const struct lp_claim_result *result)
{
	size_t row = lp_table_add_row(t);

	lp_table_set(t, row, 0, claim->id);
	lp_table_set(t, row, 1, ratio_text(&r->strings, claim->published));
	lp_table_set(t, row, 2, measured_text(&r->strings, result));
	lp_table_set(t, row, 3, verdict_text(&r->strings, result));
}

static int write_claims(struct lp_results *r, struct lp_document *d,
	const struct lp_suite_info *info, struct lp_claim_result *result)
{
	struct lp_table t;
	int rc = 0;

	lp_table_init(&t);
	add_columns(&t);
	for (size_t i = 0; !rc && i < info->claims; i++) {
		rc = lp_claim_judge(r, &info->claim[i], &result[i]);
		if (!rc)
			add_claim(r, &t, &info->claim[i], &result[i]);
	}
	if (t.failed || r->strings.failed)
		rc = -ENOMEM;
	if (!rc) {
		d->form->table(d->out, &t);
		write_list(r, d, info, result);
	}
	lp_table_destroy(&t);
	return rc;
}

int lp_report_suite_claims(
	struct lp_results *r, struct lp_document *d, const struct lp_suite_info *info)
{
	struct lp_claim_result *result;
	int rc;

	if (!info || !info->claims)
		return 0;
	result = calloc(info->claims, sizeof(*result));
	if (!result)
		return -ENOMEM;
	rc = write_claims(r, d, info, result);
	free(result);
	return rc;
}

int lp_report_claims(struct lp_results *r, struct lp_document *d, struct lp_error *err)
{
	size_t claims = 0;
	int rc = 0;

	d->form->heading(d->out, 1, "Published claims and what this machine measured");
	d->form->paragraph(d->out,
		"A ratio is the figure of the row claimed about ÷ that of the row claimed against. "
		"Reproduced: same direction and within a factor of two.");
	for (size_t i = 0; !rc && i < r->suites.count; i++) {
		const struct lp_suite_info *info = &r->suites.suite[i];

		claims += info->claims;
		if (info->claims)
			d->form->heading(d->out, 2, info->name);
		rc = lp_report_suite_claims(r, d, info);
	}
	if (!claims)
		d->form->paragraph(d->out, r->suites.json
						   ? "No suite of this run has a claim."
						   : "Not known: there is no suites.json here.");
	return rc || r->strings.failed ? lp_fail(err, ENOMEM, "out of memory") : 0;
}
