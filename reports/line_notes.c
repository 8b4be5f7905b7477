// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is to be said of a line. A verdict has several reasons, separated by "; ": each is a note of
 * its own, so that the same reason is the same note whatever stood beside it.
 */
#include "reports/line_notes.h"

#include <stdio.h>
#include <string.h>

void lp_line_notes_init(struct lp_line_notes *n, struct lp_strings *s)
{
	n->count = 0;
	lp_notes_init(&n->all, s);
}

void lp_line_notes_destroy(struct lp_line_notes *n)
{
	lp_notes_destroy(&n->all);
}

void lp_line_notes_begin(struct lp_line_notes *n)
{
	n->count = 0;
}

static void mark(struct lp_line_notes *n, size_t number)
{
	size_t at = n->count;

	for (size_t i = 0; i < n->count; i++)
		if (n->mark[i] == number)
			return;
	for (; at && n->mark[at - 1] > number; at--)
		n->mark[at] = n->mark[at - 1];
	n->mark[at] = number;
	n->count++;
}

static void add(struct lp_line_notes *n, const char *text)
{
	mark(n, lp_notes_add(&n->all, text));
}

/* Two round trips that belong together: not to be merged with those of another class. */
static void add_placement(struct lp_line_notes *n, const struct lp_results *r, uint32_t placement,
	const char *before, const char *after)
{
	const struct lp_placement *p = &r->placement[placement];

	mark(n, lp_notes_add_exactly(
			&n->all, lp_strings_format(n->all.strings, "%s %.0f to %.0f ns%s", before,
					 p->low_ns, p->high_ns, after)));
}

void lp_line_notes_figure(
	struct lp_line_notes *n, const struct lp_results *r, const struct lp_figure *f)
{
	if (f->quality == LP_QUALITY_DISTURBED)
		add(n, "no repetition was valid: the figure is of disturbed ones (≈)");
	if (!f->elsewhere)
		return;
	if (f->placement == LP_PLACEMENT_NONE)
		add(n, "some repetitions measured a cache-line round trip and are not in the time");
	else
		add_placement(n, r, f->placement,
			"the time is of the repetitions with a cache-line round trip of",
			"; others had another one");
}

void lp_line_notes_base(struct lp_line_notes *n, const char *variant)
{
	add(n, lp_strings_format(n->all.strings,
		       "the ratio is to %s, as no earlier generation has a time here", variant));
}

void lp_line_notes_ratio(
	struct lp_line_notes *n, const struct lp_results *r, const struct lp_ratio *ratio)
{
	if (ratio->why == LP_RATIO_PLACEMENT)
		add(n, "no ratio: this row and the first generation were never measured with the "
		       "CPUs equally far apart");
	else if (ratio->why == LP_RATIO_NEGATIVE)
		add(n, "no ratio: a time below 0");
	else if (ratio->differs && ratio->base.placement != LP_PLACEMENT_NONE)
		add_placement(n, r, ratio->base.placement,
			"the ratio is of the repetitions with a cache-line round trip of",
			", which both rows have");
}

/* One note for each of the reasons in @text. */
static void add_reasons(
	struct lp_line_notes *n, const char *mode, const char *kind, const char *text)
{
	do {
		const char *end = strstr(text, "; ");
		size_t length = end ? (size_t)(end - text) : strlen(text);

		add(n, lp_strings_format(n->all.strings, "%s%s%s%.*s", mode, kind,
			       length ? ": " : "", (int)length, text));
		text = end ? end + 2 : NULL;
	} while (text);
}

static void add_row(struct lp_line_notes *n, const struct lp_results *r, const char *mode,
	const struct lp_row *row)
{
	static const char *const failed[] = {"", "failed", "crashed", "took too long"};
	static const char *const judged[] = {"", "disturbed", "invalid"};
	const char *reason = lp_results_text(r, row->reason);

	if (row->outcome != LP_OUTCOME_OK)
		add(n, lp_strings_format(n->all.strings, "%s%s%s%s", mode, failed[row->outcome],
			       *reason ? ": " : "", reason));
	else if (row->verdict != LP_VALID)
		add_reasons(n, mode, judged[row->verdict], reason);
}

static bool unfair(const struct lp_results *r, const struct lp_line *line)
{
	uint32_t lock = lp_strings_find(&r->strings, "lock");

	return line->name.threads > 1 &&
	       (!strcmp(lp_results_text(r, line->name.variant), "unfair") ||
		       (lock && !strcmp(lp_results_text(r, lp_name_value(&line->name, lock)),
					"unfair")));
}

void lp_line_notes_rows(
	struct lp_line_notes *n, const struct lp_results *r, const struct lp_line *line)
{
	for (int m = 0; m < LP_ROW_MODES; m++) {
		const struct lp_item *item = line->item[m];
		const char *mode = "";

		if (!item)
			continue;
		if (m != LP_ROW_TIMING)
			mode = lp_strings_format(
				n->all.strings, "%s mode: ", lp_row_mode_name((enum lp_row_mode)m));
		for (size_t i = item->first; i < item->first + item->rows; i++)
			add_row(n, r, mode, &r->row[i]);
		if ((size_t)item->planned > item->rows)
			add(n, lp_strings_format(n->all.strings,
				       "%snot finished: %zu of %d repetitions are there", mode,
				       item->rows, item->planned));
	}
	if (unfair(r, line))
		add(n, "an unfair lock: its throughput is no steady function of anything; shown, "
		       "and "
		       "never to be gated");
}

const char *lp_line_notes_marks(struct lp_line_notes *n)
{
	const char *text = "";

	for (size_t i = 0; i < n->count; i++)
		text = lp_strings_format(
			n->all.strings, "%s%s%zu", text, *text ? " " : "", n->mark[i]);
	return text;
}
