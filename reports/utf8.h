/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How wide a text is, and how it is written without control characters.
 *
 * A character is taken to be one column wide: East Asian wide characters are not expected in names
 * of locks, and would misalign a table, no more.
 */
#ifndef LP_REPORTS_UTF8_H
#define LP_REPORTS_UTF8_H

#include <stddef.h>

#include "reports/sink.h"

/** lp_utf8_width() - characters in the @n bytes at @text. */
size_t lp_utf8_width(const char *text, size_t n);

/** lp_utf8_write() - write @n bytes, control characters (C0, DEL, C1) as U+FFFD. */
void lp_utf8_write(struct lp_sink *out, const char *text, size_t n);

#endif
