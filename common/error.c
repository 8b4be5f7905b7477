// SPDX-License-Identifier: GPL-2.0-or-later
/* The one place where an error's text is made, so that no caller can overrun it. */
#include "common/error.h"

#include <stdarg.h>
#include <stdio.h>

int lp_fail(struct lp_error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return -code;
	err->code = code;
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return -code;
}
