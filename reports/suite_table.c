// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A suite's table: what each cell says. The time is that of the timing mode only, as the other
 * modes observe, and observing costs time; a suite's own column takes its figure from the mode it
 * names.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/format.h"
#include "reports/line_notes.h"
#include "reports/lines.h"
#include "reports/report_parts.h"

enum { TIME_DIGITS = 3, RATIO_DIGITS = 3 };

struct maker {
	struct lp_results *r;
	struct lp_strings *s; /* the results' */
	const struct lp_suite_info *info;
	struct lp_lines lines;
	struct lp_table table;
	struct lp_line_notes notes;
	const struct lp_time_unit *unit;      /* of the time */
	const struct lp_time_unit **own_unit; /* [info->columns]; NULL: no time, as it is */
	uint32_t ns_per_op;
	/* Where columns are in the table. */
	size_t variant, threads, time, ratio, repetitions, marks, first_own;
};

static uint32_t handle(struct maker *m, const char *text)
{
	return lp_strings_add(m->s, text, strlen(text));
}

/* One unit for a whole column of times, from its smallest. */
static int choose_unit(
	struct maker *m, enum lp_row_mode mode, uint32_t metric, const struct lp_time_unit **unit)
{
	double least = INFINITY;
	struct lp_figure f;

	for (size_t i = 0; i < m->lines.count; i++) {
		const struct lp_item *item = m->lines.line[i].item[mode];

		if (!item)
			continue;
		if (lp_figure(m->r, item, metric, &f))
			return -ENOMEM;
		if (f.quality && f.median > 0 && f.median < least)
			least = f.median;
	}
	*unit = lp_time_unit(isfinite(least) ? least : 1);
	return 0;
}

/* Where the word ns stands in a head: "wait p99 ns", "soaked ns/page"; NULL when nowhere. */
static const char *find_ns(const char *head)
{
	for (const char *at = strstr(head, "ns"); at; at = strstr(at + 1, "ns"))
		if ((at == head || at[-1] == ' ') && (!at[2] || at[2] == ' ' || at[2] == '/'))
			return at;
	return NULL;
}

static int choose_units(struct maker *m)
{
	size_t columns = m->info ? m->info->columns : 0;
	int rc = choose_unit(m, LP_ROW_TIMING, m->ns_per_op, &m->unit);

	m->own_unit = calloc(columns + 1, sizeof(*m->own_unit));
	if (!m->own_unit)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < columns; i++) {
		const struct lp_suite_column *c = &m->info->column[i];

		if (find_ns(c->head))
			rc = choose_unit(m, c->mode, handle(m, c->metric), &m->own_unit[i]);
	}
	return rc;
}

static const char *own_head(struct maker *m, size_t column)
{
	const char *head = m->info->column[column].head, *ns = find_ns(head);

	if (!ns)
		return head;
	return lp_strings_format(
		m->s, "%.*s%s%s", (int)(ns - head), head, m->own_unit[column]->name, ns + 2);
}

static void add_columns(struct maker *m)
{
	struct lp_table *t = &m->table;

	m->variant = lp_table_add_column(t, m->r->foreign ? "benchmark" : "variant", LP_LEFT);
	for (size_t i = 0; i < m->lines.keys; i++)
		if (m->lines.key[i].varies && !m->lines.key[i].common)
			lp_table_add_column(
				t, lp_results_text(m->r, m->lines.key[i].key), LP_RIGHT);
	m->threads = lp_table_add_column(t, "threads", LP_RIGHT);
	t->keys = t->columns;
	m->time = lp_table_add_column(t,
		lp_strings_format(m->s, "%s/%s (95 %% interval)", m->unit->name,
			m->info ? m->info->unit : "op"),
		LP_RIGHT);
	m->ratio = lp_table_add_column(t, "ratio", LP_RIGHT);
	m->repetitions = lp_table_add_column(t, "n", LP_RIGHT);
	m->marks = lp_table_add_column(t, "notes", LP_LEFT);
	m->first_own = t->columns;
	for (size_t i = 0; m->info && i < m->info->columns; i++)
		lp_table_add_column(t, own_head(m, i), LP_RIGHT);
}

/* A figure of disturbed repetitions is marked where it stands. */
static const char *qualified(struct maker *m, const struct lp_figure *f, const char *text)
{
	return f->quality == LP_QUALITY_DISTURBED ? lp_strings_format(m->s, "≈%s", text) : text;
}

static int set_time(struct maker *m, const struct lp_line *line, size_t row)
{
	const struct lp_item *item = line->item[LP_ROW_TIMING];
	double unit = m->unit->ns;
	struct lp_figure f;
	const char *text;

	if (!item)
		return 0;
	if (lp_figure_with_interval(m->r, item, m->ns_per_op, &f))
		return -ENOMEM;
	text = f.used > 1 ? lp_format_interval(
				    m->s, f.median / unit, f.low / unit, f.high / unit, TIME_DIGITS)
			  : lp_format_number(m->s, f.median / unit, TIME_DIGITS);
	lp_table_set(&m->table, row, m->time, qualified(m, &f, text));
	lp_line_notes_figure(&m->notes, m->r, &f);
	return 0;
}

static const char *ratio_text(struct maker *m, const struct lp_ratio *ratio)
{
	const struct lp_figure *worse =
		ratio->base.quality < ratio->subject.quality ? &ratio->base : &ratio->subject;

	if (ratio->why != LP_RATIO_OK)
		return LP_NO_FIGURE;
	return qualified(m, worse, lp_format_number(m->s, ratio->ratio, RATIO_DIGITS));
}

static int set_ratio(struct maker *m, const struct lp_line *line, size_t row)
{
	const struct lp_line *base = line->base == LP_NO_LINE ? NULL : &m->lines.line[line->base];
	struct lp_ratio ratio;

	if (!base || !line->item[LP_ROW_TIMING])
		return 0;
	if (line->base_is_not_first)
		lp_line_notes_base(&m->notes, lp_results_text(m->r, base->name.variant));
	if (base == line) {
		lp_table_set(&m->table, row, m->ratio, "1");
		return 0;
	}
	if (lp_ratio(m->r, base->item[LP_ROW_TIMING], line->item[LP_ROW_TIMING], m->ns_per_op,
		    &ratio))
		return -ENOMEM;
	lp_table_set(&m->table, row, m->ratio, ratio_text(m, &ratio));
	lp_line_notes_ratio(&m->notes, m->r, &ratio);
	return 0;
}

/* "5", or "3/5" when not all repetitions that were planned are in the figure. */
static void set_repetitions(struct maker *m, const struct lp_line *line, size_t row)
{
	const struct lp_item *item = NULL;
	size_t used = 0, planned;

	for (int mode = 0; mode < LP_ROW_MODES && !item; mode++)
		item = line->item[mode];
	for (size_t i = item->first; i < item->first + item->rows; i++)
		used += m->r->row[i].outcome == LP_OUTCOME_OK && m->r->row[i].verdict == LP_VALID;
	planned = (size_t)item->planned > item->rows ? (size_t)item->planned : item->rows;
	lp_table_set(&m->table, row, m->repetitions,
		used == planned ? lp_strings_format(m->s, "%zu", used)
				: lp_strings_format(m->s, "%zu/%zu", used, planned));
}

static int set_own(struct maker *m, const struct lp_line *line, size_t row, size_t column)
{
	const struct lp_suite_column *c = &m->info->column[column];
	const struct lp_item *item = line->item[c->mode];
	double unit = m->own_unit[column] ? m->own_unit[column]->ns : 1;
	struct lp_figure f;

	if (!item)
		return 0;
	if (lp_figure(m->r, item, handle(m, c->metric), &f))
		return -ENOMEM;
	lp_table_set(&m->table, row, m->first_own + column,
		qualified(m, &f, lp_format_number(m->s, f.median / unit, c->digits)));
	return 0;
}

static void set_keys(struct maker *m, const struct lp_line *line, size_t row)
{
	size_t column = m->variant;

	lp_table_set(&m->table, row, column++, lp_results_text(m->r, line->name.variant));
	for (size_t i = 0; i < m->lines.keys; i++)
		if (m->lines.key[i].varies && !m->lines.key[i].common)
			lp_table_set(&m->table, row, column++,
				lp_results_text(
					m->r, lp_name_value(&line->name, m->lines.key[i].key)));
	if (line->name.threads)
		lp_table_set(&m->table, row, m->threads,
			lp_strings_format(m->s, "%d", line->name.threads));
}

static int set_line(struct maker *m, const struct lp_line *line)
{
	size_t row = lp_table_add_row(&m->table);
	int rc;

	if (m->table.failed)
		return -ENOMEM;
	lp_line_notes_begin(&m->notes);
	set_keys(m, line, row);
	rc = set_time(m, line, row);
	if (!rc)
		rc = set_ratio(m, line, row);
	set_repetitions(m, line, row);
	for (size_t c = 0; !rc && m->info && c < m->info->columns; c++)
		rc = set_own(m, line, row, c);
	lp_line_notes_rows(&m->notes, m->r, line);
	lp_table_set(&m->table, row, m->marks, lp_line_notes_marks(&m->notes));
	return rc;
}

static int fill(struct maker *m)
{
	const struct lp_lines *l = &m->lines;
	int rc = 0;

	for (size_t i = 0; !rc && i < l->count; i++) {
		if (l->groups > 1 && (!i || l->line[i].group != l->line[i - 1].group)) {
			const char *heading = l->group[l->line[i].group];

			lp_table_add_group(&m->table, *heading ? heading : "defaults");
		}
		rc = set_line(m, &l->line[i]);
	}
	return rc;
}

/* Columns in which no line has a figure say nothing; they are named below instead. */
static const char *drop_unmeasured(struct maker *m)
{
	struct lp_table *t = &m->table;
	const char *dropped = "";

	for (size_t c = m->first_own; c < t->columns; c++) {
		bool any = false;

		for (size_t row = 0; row < t->rows; row++) {
			const char *text = lp_table_get(t, row, c);

			any |= *text && strcmp(text, LP_NO_FIGURE);
		}
		if (any)
			continue;
		dropped = lp_strings_format(
			m->s, "%s%s%s", dropped, *dropped ? ", " : "", t->column[c].head);
		for (size_t row = 0; row < t->rows; row++)
			lp_table_set(t, row, c, "");
	}
	lp_table_drop_empty(t, 1);
	return dropped;
}

/* "All rows: lock:ticket, nodes:1", the parameters that do not vary. */
static void write_constants(struct maker *m, struct lp_document *d)
{
	const char *text = "";

	for (size_t i = 0; i < m->lines.keys; i++) {
		const struct lp_line_key *k = &m->lines.key[i];

		if (!k->varies)
			text = lp_strings_format(m->s, "%s%s%s%s%s%s", text, *text ? ", " : "",
				lp_results_text(m->r, k->key), k->key ? ":" : "",
				lp_results_text(m->r, k->value),
				k->common ? "" : " (where it applies)");
	}
	if (*text)
		d->form->paragraph(d->out, lp_strings_format(m->s, "All rows: %s.", text));
}

static void write_table(struct maker *m, struct lp_document *d)
{
	const char *dropped = drop_unmeasured(m);

	write_constants(m, d);
	d->form->table(d->out, &m->table);
	for (size_t i = 1; i <= m->notes.all.count; i++)
		d->form->item(d->out, m->notes.all.count > 9 ? 2 : 1,
			lp_strings_format(m->s, "%zu", i), lp_notes_text(&m->notes.all, i));
	if (*dropped)
		d->form->item(d->out, 0, "",
			lp_strings_format(m->s, "Without a figure in this run: %s.", dropped));
	if (*dropped || m->notes.all.count)
		d->form->end_items(d->out);
}

int lp_report_suite_table(struct lp_results *r, struct lp_document *d, uint32_t suite,
	const struct lp_suite_info *info)
{
	struct maker m = {.r = r, .s = &r->strings, .info = info};
	int rc = lp_lines_build(&m.lines, r, suite, info);

	m.ns_per_op = handle(&m, "ns_per_op");
	lp_table_init(&m.table);
	lp_line_notes_init(&m.notes, &r->strings);
	if (!rc)
		rc = choose_units(&m);
	if (!rc) {
		add_columns(&m);
		rc = fill(&m);
	}
	if (m.table.failed || m.notes.all.failed || r->strings.failed)
		rc = -ENOMEM;
	if (!rc && m.lines.count)
		write_table(&m, d);
	free(m.own_unit);
	lp_line_notes_destroy(&m.notes);
	lp_table_destroy(&m.table);
	lp_lines_destroy(&m.lines);
	return rc;
}
