// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report of one run, part after part. Suites stand in the order of suites.json; those that it
 * does not know, which happens with a folder of another version, behind them.
 */
#include "reports/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/report_parts.h"

/* One line a generation: since when, and what it does. */
static void write_generations(
	struct lp_results *r, struct lp_document *d, const struct lp_suite_info *info)
{
	size_t width = 0;

	for (size_t i = 0; i < info->variants; i++) {
		size_t own = strlen(info->variant[i].name);

		width = own > width ? own : width;
	}
	for (size_t i = 0; i < info->variants; i++) {
		const struct lp_suite_variant *v = &info->variant[i];

		d->form->item(d->out, width, v->name,
			lp_strings_format(&r->strings, "%s%s%s", v->kernel ? v->kernel : "",
				v->kernel && v->summary ? ": " : "", v->summary ? v->summary : ""));
	}
	if (info->variants)
		d->form->end_items(d->out);
}

static void write_introduction(struct lp_results *r, struct lp_document *d, const char *name,
	const struct lp_suite_info *info)
{
	if (!info) {
		d->form->heading(d->out, 2, *name ? name : "benchmarks");
		return;
	}
	d->form->heading(
		d->out, 2, lp_strings_format(&r->strings, "%s: %s", info->name, info->summary));
	if (info->story)
		d->form->paragraph(d->out, info->story);
	write_generations(r, d, info);
}

static int write_suite(struct lp_results *r, struct lp_document *d, uint32_t suite)
{
	const char *name = lp_results_text(r, suite);
	const struct lp_suite_info *info = lp_suites_find(&r->suites, name);
	int rc;

	write_introduction(r, d, name, info);
	rc = lp_report_suite_table(r, d, suite, info);
	if (!rc)
		rc = lp_report_skipped(r, d, suite);
	if (rc || !info || !info->claims)
		return rc;
	d->form->heading(d->out, 3, "Claims");
	return lp_report_suite_claims(r, d, info);
}

/* Suites by handle: 1 when the run has cases of it, 2 when it is written. */
static unsigned char *find_suites(const struct lp_results *r)
{
	unsigned char *there = calloc((size_t)r->strings.count + 1, 1);

	for (size_t i = 0; there && i < r->items; i++)
		there[r->item[i].name.suite] = 1;
	for (size_t i = 0; there && i < r->skips; i++)
		there[r->skipped[i].name.suite] = 1;
	return there;
}

static int write_once(
	struct lp_results *r, struct lp_document *d, unsigned char *there, uint32_t suite)
{
	if (there[suite] != 1)
		return 0;
	there[suite] = 2;
	return write_suite(r, d, suite);
}

static int write_suites(struct lp_results *r, struct lp_document *d)
{
	unsigned char *there = find_suites(r);
	int rc = there ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < r->suites.count; i++) {
		uint32_t suite = lp_strings_find(&r->strings, r->suites.suite[i].name);

		/* Texts that came later are no names of suites with cases. */
		if (suite != LP_STRING_NONE)
			rc = write_once(r, d, there, suite);
	}
	for (size_t i = 0; !rc && i < r->items; i++)
		rc = write_once(r, d, there, r->item[i].name.suite);
	for (size_t i = 0; !rc && i < r->skips; i++)
		rc = write_once(r, d, there, r->skipped[i].name.suite);
	free(there);
	return rc;
}

int lp_report_run(struct lp_results *r, struct lp_document *d, struct lp_error *err)
{
	int rc = lp_report_head(r, d);

	if (!rc)
		rc = write_suites(r, d);
	if (!rc)
		rc = lp_report_absent(r, d);
	return rc || r->strings.failed ? lp_fail(err, ENOMEM, "out of memory") : 0;
}
