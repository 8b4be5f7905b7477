/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The marks of one line of a suite's table, and the footnotes they point to.
 */
#ifndef LP_REPORTS_LINE_NOTES_H
#define LP_REPORTS_LINE_NOTES_H

#include "reports/figure.h"
#include "reports/lines.h"
#include "reports/notes.h"

struct lp_line_notes {
	struct lp_notes all; /* of the whole table */
	/* of the line being made: numbers of notes, rising and each once */
	size_t count, mark[LP_NOTES_MAX];
};

void lp_line_notes_init(struct lp_line_notes *n, struct lp_strings *s);
void lp_line_notes_destroy(struct lp_line_notes *n);
void lp_line_notes_begin(struct lp_line_notes *n);

/** lp_line_notes_figure() - what is to be said of the time @f: that it is of disturbed repetitions,
 * that others had another placement. */
void lp_line_notes_figure(
	struct lp_line_notes *n, const struct lp_results *r, const struct lp_figure *f);

/** lp_line_notes_base() - that the line is compared to @variant, which is not the first. */
void lp_line_notes_base(struct lp_line_notes *n, const char *variant);

/** lp_line_notes_ratio() - why there is no ratio, or what it is of. */
void lp_line_notes_ratio(
	struct lp_line_notes *n, const struct lp_results *r, const struct lp_ratio *ratio);

/** lp_line_notes_rows() - disturbed, invalid, failed and missing repetitions of all modes of
 * @line; an unfair lock. */
void lp_line_notes_rows(
	struct lp_line_notes *n, const struct lp_results *r, const struct lp_line *line);

/** lp_line_notes_marks() - "1 4". */
const char *lp_line_notes_marks(struct lp_line_notes *n);

#endif
