/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as people read them: to significant digits, with a unit chosen once for a column.
 */
#ifndef LP_REPORTS_FORMAT_H
#define LP_REPORTS_FORMAT_H

#include <stddef.h>

#include "reports/strings.h"

/* What stands where a figure should be and is not. */
#define LP_NO_FIGURE "—"

/**
 * lp_format_number() - @value to @digits significant digits.
 *
 * Whole numbers below a million stand as they are; digits before the point are never rounded away.
 * From a million on with M, G or T, below 1/10000 with an exponent. Not finite: LP_NO_FIGURE.
 */
const char *lp_format_number(struct lp_strings *s, double value, int digits);

/** lp_format_interval() - "12.5 (12.1–13.0)": @value to @digits, and its interval to the same
 * decimals. An interval and no ±: of a few repetitions it is hardly ever symmetric. */
const char *lp_format_interval(
	struct lp_strings *s, double value, double low, double high, int digits);

struct lp_time_unit {
	const char *name;
	double ns;
};

/** lp_time_unit() - ns, µs, ms or s: the largest in which the smallest time of a column, @least_ns,
 * is at least 1. */
const struct lp_time_unit *lp_time_unit(double least_ns);

#endif
