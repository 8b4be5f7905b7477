/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts a report is made of, and the forms that can be given to them. Whoever composes a report
 * knows no form; a new form is one more `struct lp_form`.
 */
#ifndef LP_REPORTS_DOCUMENT_H
#define LP_REPORTS_DOCUMENT_H

#include "reports/sink.h"
#include "reports/table.h"

/* All texts are UTF-8 of one line. Control characters in them are shown as U+FFFD: what stands in a
 * results file must not drive a terminal. */
struct lp_form {
	const char *name;
	/* @level 1: the report, 2: a suite, 3: a part of it. */
	void (*heading)(struct lp_sink *out, int level, const char *text);
	void (*paragraph)(struct lp_sink *out, const char *text);
	/* An entry of a list under @label, which may be "": a footnote's mark, a fact's name.
	 * @width: of the list's widest label; texts begin behind it. */
	void (*item)(struct lp_sink *out, size_t width, const char *label, const char *text);
	void (*end_items)(struct lp_sink *out);
	void (*table)(struct lp_sink *out, const struct lp_table *t);
};

extern const struct lp_form lp_form_text, lp_form_markdown;

/** lp_form_find() - the form called @name, NULL when there is none. */
const struct lp_form *lp_form_find(const char *name);

struct lp_document {
	const struct lp_form *form;
	struct lp_sink *out;
};

#endif
