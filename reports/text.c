// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A report for a terminal or a mail: plain UTF-8, 100 columns. A table that is wider is continued
 * below with its first columns repeated, as a wrapped row cannot be read; only a single cell that
 * is wider by itself exceeds the width.
 */
#include <string.h>

#include "reports/document.h"
#include "reports/utf8.h"

enum { WIDTH = 100, GAP = 2, COLUMNS_MAX = 96, LABEL_MAX = 24 };

static size_t width_of(const char *text)
{
	return lp_utf8_width(text, strlen(text));
}

/* Write @text wrapped, the first line from column @at on, the others indented by @indent. */
static void wrap(struct lp_sink *out, const char *text, size_t at, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t n = strcspn(text, " "), width = lp_utf8_width(text, n);

		if (!first && at + 1 + width > WIDTH) {
			lp_sink_text(out, "\n");
			lp_sink_repeat(out, " ", indent);
			at = indent;
		} else if (!first) {
			lp_sink_text(out, " ");
			at++;
		}
		lp_utf8_write(out, text, n);
		at += width;
		first = false;
		text += n;
		text += strspn(text, " ");
	}
	lp_sink_text(out, "\n");
}

static void heading(struct lp_sink *out, int level, const char *text)
{
	size_t width = width_of(text);

	if (level > 1)
		lp_sink_text(out, "\n");
	wrap(out, text, 0, 0);
	if (level < 3)
		lp_sink_repeat(out, level == 1 ? "═" : "─", width < WIDTH ? width : WIDTH);
	if (level < 3)
		lp_sink_text(out, "\n");
}

static void paragraph(struct lp_sink *out, const char *text)
{
	wrap(out, text, 0, 0);
	lp_sink_text(out, "\n");
}

static void item(struct lp_sink *out, size_t width, const char *label, const char *text)
{
	size_t own = width_of(label), indent;

	width = width < LABEL_MAX ? width : LABEL_MAX;
	indent = width ? width + 4 : 2;
	lp_sink_text(out, "  ");
	lp_utf8_write(out, label, strlen(label));
	if (width)
		lp_sink_repeat(out, " ", own < width ? width - own + 2 : 2);
	wrap(out, text, own > width ? own + 4 : indent, indent);
}

static void end_items(struct lp_sink *out)
{
	lp_sink_text(out, "\n");
}

/* ---- tables ---- */

/* The word that begins at or after *@text; its length. *@text is moved to it. */
static size_t word(const char **text)
{
	*text += strspn(*text, " ");
	return strcspn(*text, " ");
}

static size_t longest_word(const char *text)
{
	size_t longest = 0, n;

	while ((n = word(&text))) {
		size_t width = lp_utf8_width(text, n);

		longest = width > longest ? width : longest;
		text += n;
	}
	return longest;
}

/* The next line of a head wrapped to @width: its bytes from *@text on, which is moved past it. */
static size_t head_line(const char **text, size_t width, const char **line)
{
	size_t n = word(text), bytes = 0;

	*line = *text;
	while (n && (!bytes || lp_utf8_width(*line, (size_t)(*text + n - *line)) <= width)) {
		bytes = (size_t)(*text + n - *line);
		*text += n;
		n = word(text);
	}
	return bytes;
}

struct layout {
	const struct lp_table *table;
	size_t width[COLUMNS_MAX];
	const char *head[COLUMNS_MAX]; /* what of the head is still to be written */
	size_t columns;
};

static void measure(struct layout *l, const struct lp_table *t)
{
	l->table = t;
	l->columns = t->columns < COLUMNS_MAX ? t->columns : COLUMNS_MAX;
	for (size_t c = 0; c < l->columns; c++) {
		l->width[c] = longest_word(t->column[c].head);
		for (size_t r = 0; r < t->rows; r++) {
			size_t width = t->row[r].group ? 0 : width_of(lp_table_get(t, r, c));

			l->width[c] = width > l->width[c] ? width : l->width[c];
		}
	}
}

static void cell(struct lp_sink *out, const struct layout *l, size_t c, const char *text, size_t n,
	size_t *pending)
{
	size_t width = lp_utf8_width(text, n), pad = l->width[c] > width ? l->width[c] - width : 0;
	bool right = l->table->column[c].align == LP_RIGHT;

	/* Blanks are written only before something, so that no line ends in them. */
	*pending += right ? pad : 0;
	if (n) {
		lp_sink_repeat(out, " ", *pending);
		lp_utf8_write(out, text, n);
		*pending = 0;
	}
	*pending += (right ? 0 : pad) + (n ? 0 : width) + GAP;
}

/* Whether column @c is part of the piece @from..@to: the keys are part of every one. */
static bool in_piece(const struct layout *l, size_t c, size_t from, size_t to)
{
	return c < l->table->keys || (c >= from && c < to);
}

/* One line of the heads; false when nothing was left to write. */
static bool head_row(struct lp_sink *out, struct layout *l, size_t from, size_t to)
{
	size_t pending = 0;
	bool any = false;

	for (size_t c = 0; c < l->columns; c++)
		any |= in_piece(l, c, from, to) && word(&l->head[c]);
	for (size_t c = 0; any && c < l->columns; c++) {
		const char *line;
		size_t n;

		if (!in_piece(l, c, from, to))
			continue;
		n = head_line(&l->head[c], l->width[c], &line);
		cell(out, l, c, line, n, &pending);
	}
	if (any)
		lp_sink_text(out, "\n");
	return any;
}

static void rule(struct lp_sink *out, const struct layout *l, size_t from, size_t to)
{
	size_t width = 0;

	for (size_t c = 0; c < l->columns; c++)
		if (in_piece(l, c, from, to))
			width += l->width[c] + GAP;
	lp_sink_repeat(out, "─", width > GAP ? width - GAP : 0);
	lp_sink_text(out, "\n");
}

/* Whether the row says anything in this piece beyond its keys; a group does when one of its rows
 * does. */
static bool says_something(const struct layout *l, size_t row, size_t from, size_t to)
{
	const struct lp_table *t = l->table;

	if (t->row[row].group) {
		while (++row < t->rows && !t->row[row].group)
			if (says_something(l, row, from, to))
				return true;
		return false;
	}
	for (size_t c = from; c < to; c++)
		if (*lp_table_get(t, row, c))
			return true;
	return from == to;
}

static void body_row(
	struct lp_sink *out, const struct layout *l, size_t row, size_t from, size_t to)
{
	const struct lp_table *t = l->table;
	size_t pending = 0;

	for (size_t c = 0; c < l->columns; c++) {
		const char *text = lp_table_get(t, row, c);

		if (t->row[row].group ? c == 0 : in_piece(l, c, from, to))
			cell(out, l, c, text, strlen(text), &pending);
	}
	lp_sink_text(out, "\n");
}

static void piece(struct lp_sink *out, struct layout *l, size_t from, size_t to)
{
	const struct lp_table *t = l->table;
	bool any = false;

	for (size_t c = 0; c < l->columns; c++)
		l->head[c] = t->column[c].head;
	while (head_row(out, l, from, to))
		;
	rule(out, l, from, to);
	for (size_t r = 0; r < t->rows; r++) {
		if (!says_something(l, r, from, to))
			continue;
		if (t->row[r].group && any)
			lp_sink_text(out, "\n");
		body_row(out, l, r, from, to);
		any = true;
	}
	lp_sink_text(out, "\n");
}

static void table(struct lp_sink *out, const struct lp_table *t)
{
	struct layout l;
	size_t keys = 0, from = t->keys;

	measure(&l, t);
	for (size_t c = 0; c < l.columns && c < t->keys; c++)
		keys += l.width[c] + GAP;
	do {
		size_t to = from, width = keys;

		while (to < l.columns && (to == from || width + l.width[to] <= WIDTH))
			width += l.width[to++] + GAP;
		piece(out, &l, from, to);
		from = to;
	} while (from < l.columns);
}

const struct lp_form lp_form_text = {
	.name = "text",
	.heading = heading,
	.paragraph = paragraph,
	.item = item,
	.end_items = end_items,
	.table = table,
};
