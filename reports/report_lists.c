// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is not there, and why: cases that cannot run on this machine and figures that rows lack.
 * Both are long lists with few different reasons, so they stand by reason.
 */
#include <errno.h>

#include "reports/notes.h"
#include "reports/report_parts.h"

enum { NAMED = 3, METRICS_NAMED = 12 }; /* named of each reason; the rest is counted */

/* The entries of one reason. */
struct by_reason {
	size_t count;
	const char *names;
};

static void name_one(struct lp_strings *s, struct by_reason *b, const char *name, size_t most)
{
	if (b->count++ < most)
		b->names = lp_strings_format(
			s, "%s%s%s", b->names ? b->names : "", b->names ? ", " : "", name);
}

static const char *names_of(struct lp_strings *s, const struct by_reason *b, size_t most)
{
	if (b->count <= most)
		return b->names;
	return lp_strings_format(s, "%s and %zu more", b->names, b->count - most);
}

int lp_report_skipped(struct lp_results *r, struct lp_document *d, uint32_t suite)
{
	struct by_reason by[LP_NOTES_MAX + 1] = {0};
	struct lp_notes notes;
	int rc;

	lp_notes_init(&notes, &r->strings);
	for (size_t i = 0; i < r->skips; i++) {
		const struct lp_skipped *s = &r->skipped[i];

		if (s->name.suite == suite)
			name_one(&r->strings,
				&by[lp_notes_add(&notes, lp_results_text(r, s->reason))],
				lp_results_text(r, s->text), NAMED);
	}
	if (notes.count)
		d->form->heading(d->out, 3, "Cannot run here");
	for (size_t i = 1; i <= notes.count; i++)
		d->form->item(d->out, 0, "",
			lp_strings_format(&r->strings, "%s: %s", lp_notes_text(&notes, i),
				names_of(&r->strings, &by[i], NAMED)));
	if (notes.count)
		d->form->end_items(d->out);
	rc = notes.failed || r->strings.failed ? -ENOMEM : 0;
	lp_notes_destroy(&notes);
	return rc;
}

/* Whether the figure was named under this reason already: reasons that differ in a number only are
 * one. */
static bool named_before(const struct lp_results *r, struct lp_notes *notes, size_t at, size_t note)
{
	struct lp_notes copy = *notes;

	for (size_t i = 0; i < at; i++)
		if (r->absent[i].metric == r->absent[at].metric &&
			lp_notes_add(&copy, lp_results_text(r, r->absent[i].reason)) == note)
			return true;
	return false;
}

int lp_report_absent(struct lp_results *r, struct lp_document *d)
{
	struct by_reason by[LP_NOTES_MAX + 1] = {0};
	struct lp_notes notes;
	int rc;

	lp_notes_init(&notes, &r->strings);
	for (size_t i = 0; i < r->absents; i++) {
		size_t note = lp_notes_add(&notes, lp_results_text(r, r->absent[i].reason));

		if (!named_before(r, &notes, i, note))
			name_one(&r->strings, &by[note], lp_results_text(r, r->absent[i].metric),
				METRICS_NAMED);
	}
	if (notes.count)
		d->form->heading(d->out, 2, "Figures that are absent, and why");
	for (size_t i = 1; i <= notes.count; i++)
		d->form->item(d->out, 0, "",
			lp_strings_format(&r->strings, "%s: %s",
				names_of(&r->strings, &by[i], METRICS_NAMED),
				lp_notes_text(&notes, i)));
	if (notes.count)
		d->form->end_items(d->out);
	rc = notes.failed || r->strings.failed ? -ENOMEM : 0;
	lp_notes_destroy(&notes);
	return rc;
}
