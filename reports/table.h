/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table before it has a form: heads, alignments, rows of texts. text.c and markdown.c give it
 * one.
 */
#ifndef LP_REPORTS_TABLE_H
#define LP_REPORTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum lp_align { LP_LEFT, LP_RIGHT };

struct lp_table_column {
	const char *head;
	enum lp_align align;
};

struct lp_table_row {
	bool group;    /* cell 0 is a heading for the rows that follow, the others are empty */
	size_t number; /* of its first cell */
};

struct lp_table {
	bool failed; /* out of memory; sticks, look once at the end */
	size_t columns, rows;
	size_t keys; /* the first columns, which say what a row is; repeated when a table is split
		      */
	struct lp_table_column *column;
	struct lp_table_row *row;
	const char **cell; /* texts are not copied: they live as long as the caller's strings */
	/* private */
	size_t column_room, row_room, cell_room, cells;
};

void lp_table_init(struct lp_table *t);
void lp_table_destroy(struct lp_table *t);

/** lp_table_add_column() - before the first row. Return: its index. */
size_t lp_table_add_column(struct lp_table *t, const char *head, enum lp_align align);

/** lp_table_add_row() - a row of empty cells. Return: its index. */
size_t lp_table_add_row(struct lp_table *t);
void lp_table_add_group(struct lp_table *t, const char *heading);

void lp_table_set(struct lp_table *t, size_t row, size_t column, const char *text);
const char *lp_table_get(const struct lp_table *t, size_t row, size_t column);

/** lp_table_drop_empty() - take away the columns from @from on that are empty in every row. */
void lp_table_drop_empty(struct lp_table *t, size_t from);

#endif
