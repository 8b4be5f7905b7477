/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a suite's table: cases that differ only in their mode are one line, lines of equal
 * parameters stand together, and each knows the line it is compared to.
 *
 * A parameter is *constant* when every line that has it has the same value. Of those that vary, the
 * ones that every variant has make the groups (a heading each); the others, like the batch size
 * that only batching variants have, are columns. Whether a variant has a parameter is taken from
 * suites.json where a variant lists its "params", else from all its names in the run: a variant
 * that names it anywhere has it, and where it does not name it it is at its default.
 */
#ifndef LP_REPORTS_LINES_H
#define LP_REPORTS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "reports/results.h"

enum { LP_LINES_KEYS = 32 };
#define LP_NO_LINE ((size_t)-1)

struct lp_line {
	struct lp_name name;
	const struct lp_item *item[LP_ROW_MODES]; /* NULL: not measured in that mode */
	size_t rank;  /* of its variant: the place in suites.json, others behind in plan order */
	size_t group; /* index of its group */
	size_t base;  /* the line it is compared to, itself if it is the first; LP_NO_LINE */
	bool base_is_not_first; /* an earlier generation stands here, without a time */
	size_t order;		/* in the plan */
};

struct lp_line_key {
	uint32_t key, value; /* value: of the first line that names it */
	bool varies, common;
};

struct lp_lines {
	size_t count, groups, keys;
	struct lp_line *line; /* by group, threads, variant, plan */
	const char **group;   /* headings; "" when the one group has none */
	struct lp_line_key key[LP_LINES_KEYS];
};

/**
 * lp_lines_build() - the lines of suite @suite (a handle).
 * @info: what suites.json says of it, NULL when nothing.
 *
 * The base of a line is the first of its group and thread count, in the order of the variants,
 * that has a time and whose own parameters agree with the line's. A line that stands alone has
 * none. A case that names the CPUs it measures (`cpu:0`) is compared to nothing, and no case of a
 * foreign file is. Return: 0 or -ENOMEM.
 */
int lp_lines_build(
	struct lp_lines *l, struct lp_results *r, uint32_t suite, const struct lp_suite_info *info);
void lp_lines_destroy(struct lp_lines *l);

/** lp_line_has_time() - whether a repetition that may be used timed this line. */
bool lp_line_has_time(const struct lp_results *r, const struct lp_line *line);

#endif
