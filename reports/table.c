// SPDX-License-Identifier: GPL-2.0-or-later
/* The table model: cells in one array, row after row. */
#include "reports/table.h"

#include "reports/grow.h"

void lp_table_init(struct lp_table *t)
{
	memset(t, 0, sizeof(*t));
}

void lp_table_destroy(struct lp_table *t)
{
	free(t->column);
	free(t->row);
	free(t->cell);
	memset(t, 0, sizeof(*t));
}

size_t lp_table_add_column(struct lp_table *t, const char *head, enum lp_align align)
{
	if (lp_grow(&t->column, &t->column_room, t->columns + 1, sizeof(*t->column))) {
		t->failed = true;
		return 0;
	}
	t->column[t->columns] = (struct lp_table_column){.head = head, .align = align};
	return t->columns++;
}

size_t lp_table_add_row(struct lp_table *t)
{
	if (lp_grow(&t->row, &t->row_room, t->rows + 1, sizeof(*t->row)) ||
		lp_grow(&t->cell, &t->cell_room, t->cells + t->columns, sizeof(*t->cell))) {
		t->failed = true;
		return 0;
	}
	t->row[t->rows] = (struct lp_table_row){.number = t->cells};
	for (size_t i = 0; i < t->columns; i++)
		t->cell[t->cells++] = "";
	return t->rows++;
}

void lp_table_add_group(struct lp_table *t, const char *heading)
{
	size_t row = lp_table_add_row(t);

	if (t->failed)
		return;
	t->row[row].group = true;
	lp_table_set(t, row, 0, heading);
}

void lp_table_set(struct lp_table *t, size_t row, size_t column, const char *text)
{
	if (row < t->rows && column < t->columns)
		t->cell[t->row[row].number + column] = text;
}

const char *lp_table_get(const struct lp_table *t, size_t row, size_t column)
{
	return t->cell[t->row[row].number + column];
}

static bool empty(const struct lp_table *t, size_t column)
{
	for (size_t row = 0; row < t->rows; row++)
		if (*lp_table_get(t, row, column))
			return false;
	return true;
}

static void drop(struct lp_table *t, size_t column)
{
	for (size_t row = 0; row < t->rows; row++) {
		const char **cell = t->cell + t->row[row].number;

		memmove(cell + column, cell + column + 1,
			(t->columns - column - 1) * sizeof(*cell));
	}
	memmove(t->column + column, t->column + column + 1,
		(t->columns - column - 1) * sizeof(*t->column));
	t->columns--;
	if (column < t->keys)
		t->keys--;
}

void lp_table_drop_empty(struct lp_table *t, size_t from)
{
	for (size_t column = t->columns; column-- > from;)
		if (empty(t, column))
			drop(t, column);
}
