/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decimal numbers to doubles, correctly rounded.
 */
#ifndef LP_REPORTS_DECIMAL_H
#define LP_REPORTS_DECIMAL_H

#include <stdbool.h>

/**
 * lp_decimal_fast() - the double nearest to the JSON number @text, if that is quickly found.
 *
 * Finds it for up to 19 digits with a decimal exponent of −19 to 0, and for whole numbers below
 * 2^64: nearly everything that stands in a results file. Return: false for the rest, which
 * strtod() must do.
 */
bool lp_decimal_fast(const char *text, double *value);

#endif
