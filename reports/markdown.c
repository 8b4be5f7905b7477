// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A report as GitHub-flavoured Markdown, for a change log, a review or an issue. What stands in a
 * results file is text: every character that Markdown or HTML would take as markup is escaped.
 */
#include <ctype.h>
#include <string.h>

#include "reports/document.h"
#include "reports/utf8.h"

const struct lp_form *lp_form_find(const char *name)
{
	static const struct lp_form *const forms[] = {&lp_form_text, &lp_form_markdown};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(forms[i]->name, name))
			return forms[i];
	return NULL;
}

/* An underscore inside a word is no markup, and names are full of them. */
static bool is_markup(const char *text, size_t at)
{
	unsigned char c = (unsigned char)text[at];

	if (c == '_')
		return !at || !isalnum((unsigned char)text[at - 1]) ||
		       !isalnum((unsigned char)text[at + 1]);
	return c && strchr("\\`*[]|~", c);
}

static void escaped(struct lp_sink *out, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		size_t n = strcspn(text + i, "\\`*_[]|~<>&");

		lp_utf8_write(out, text + i, n);
		i += n;
		if (!text[i])
			return;
		if (text[i] == '<')
			lp_sink_text(out, "&lt;");
		else if (text[i] == '>')
			lp_sink_text(out, "&gt;");
		else if (text[i] == '&')
			lp_sink_text(out, "&amp;");
		else if (is_markup(text, i))
			lp_sink_text(out, "\\");
		if (!strchr("<>&", text[i]))
			lp_sink_write(out, text + i, 1);
	}
}

/* A line that begins like a heading, a list or a rule. */
static void line_start(struct lp_sink *out, const char *text)
{
	size_t number = strspn(text, "0123456789");

	if (*text && strchr("#+-=", *text))
		lp_sink_text(out, "\\");
	if (number && (text[number] == '.' || text[number] == ')')) {
		lp_sink_write(out, text, number);
		lp_sink_text(out, "\\");
		text += number;
	}
	escaped(out, text);
}

static void heading(struct lp_sink *out, int level, const char *text)
{
	lp_sink_repeat(out, "#", (size_t)level);
	lp_sink_text(out, " ");
	escaped(out, text);
	lp_sink_text(out, "\n\n");
}

static void paragraph(struct lp_sink *out, const char *text)
{
	line_start(out, text);
	lp_sink_text(out, "\n\n");
}

static void item(struct lp_sink *out, size_t width, const char *label, const char *text)
{
	lp_sink_text(out, "* ");
	if (*label) {
		lp_sink_text(out, "**");
		escaped(out, label);
		lp_sink_text(out, "** ");
		escaped(out, text);
	} else {
		line_start(out, text);
	}
	lp_sink_text(out, "\n");
}

static void end_items(struct lp_sink *out)
{
	lp_sink_text(out, "\n");
}

static void table(struct lp_sink *out, const struct lp_table *t)
{
	for (size_t c = 0; c < t->columns; c++) {
		lp_sink_text(out, c ? " | " : "| ");
		escaped(out, t->column[c].head);
	}
	lp_sink_text(out, " |\n");
	for (size_t c = 0; c < t->columns; c++)
		lp_sink_text(out, t->column[c].align == LP_RIGHT ? "|---:" : "|---");
	lp_sink_text(out, "|\n");
	for (size_t r = 0; r < t->rows; r++) {
		const char *mark = t->row[r].group ? "**" : "";

		for (size_t c = 0; c < t->columns; c++) {
			lp_sink_text(out, c ? " | " : "| ");
			lp_sink_text(out, c ? "" : mark);
			escaped(out, lp_table_get(t, r, c));
			lp_sink_text(out, c ? "" : mark);
		}
		lp_sink_text(out, " |\n");
	}
	lp_sink_text(out, "\n");
}

const struct lp_form lp_form_markdown = {
	.name = "markdown",
	.heading = heading,
	.paragraph = paragraph,
	.item = item,
	.end_items = end_items,
	.table = table,
};
