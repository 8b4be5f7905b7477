// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Claims as a reader needs them: the verdict, both ratios, and the two rows with their figures, so
 * that the verdict can be checked by hand.
 */
#include <errno.h>
#include <math.h>

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

static void write_details(struct lp_results *r, struct lp_document *d,
	const struct lp_suite_claim *claim, const struct lp_claim_result *result)
{
	struct lp_strings *s = &r->strings;
	const char *text = lp_strings_format(s, "%s (%s).", claim->text, claim->source);

	if (result->ratio.why == LP_RATIO_OK)
		text = lp_strings_format(s, "%s %s: %s against %s.", text, claim->metric,
			side_text(r, result->subject, &result->ratio.subject),
			side_text(r, result->base, &result->ratio.base));
	if (*result->reason)
		text = lp_strings_format(s, "%s %s: %s.", text,
			lp_claim_verdict_text(result->verdict), result->reason);
	if (claim->note)
		text = lp_strings_format(s, "%s Bear in mind: %s.", text, claim->note);
	d->form->item(d->out, claim->id, text);
}

static void add_columns(struct lp_table *t)
{
	lp_table_add_column(t, "claim", LP_LEFT);
	lp_table_add_column(t, "published ratio", LP_RIGHT);
	lp_table_add_column(t, "measured ratio", LP_RIGHT);
	lp_table_add_column(t, "verdict", LP_LEFT);
	t->keys = 1;
}

static void add_claim(struct lp_results *r, struct lp_table *t, const struct lp_suite_claim *claim,
	const struct lp_claim_result *result)
{
	size_t row = lp_table_add_row(t);

	lp_table_set(t, row, 0, claim->id);
	lp_table_set(t, row, 1, ratio_text(&r->strings, claim->published));
	lp_table_set(t, row, 2, measured_text(&r->strings, result));
	lp_table_set(t, row, 3, lp_claim_verdict_text(result->verdict));
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
		for (size_t i = 0; i < info->claims; i++)
			write_details(r, d, &info->claim[i], &result[i]);
		d->form->end_items(d->out);
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
