// SPDX-License-Identifier: GPL-2.0-or-later
/* Widths and safe output of UTF-8 that has been checked by whoever read it. */
#include "reports/utf8.h"

#include <stdbool.h>

size_t lp_utf8_width(const char *text, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

/* The length of the control character at @s: C1 controls are two bytes, 0xc2 0x80 to 0x9f. */
static size_t control(const unsigned char *s, size_t left)
{
	if (s[0] < ' ' || s[0] == 0x7f)
		return 1;
	return left > 1 && s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f ? 2 : 0;
}

void lp_utf8_write(struct lp_sink *out, const char *text, size_t n)
{
	size_t from = 0, at = 0;

	while (at < n) {
		size_t length = control((const unsigned char *)text + at, n - at);

		if (!length) {
			at++;
			continue;
		}
		lp_sink_write(out, text + from, at - from);
		lp_sink_text(out, "\xef\xbf\xbd");
		at += length;
		from = at;
	}
	lp_sink_write(out, text + from, n - from);
}
