// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as texts. The process runs in the C locale, so that the point is a point. */
#include "reports/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decimals that leave @digits significant ones; of the rounded value, as 0.999 may round to 1.0. */
static int decimals(double value, int digits)
{
	char text[64];
	int exponent;

	snprintf(text, sizeof(text), "%.*e", digits - 1, value);
	exponent = atoi(strchr(text, 'e') + 1);
	return digits > exponent + 1 ? digits - exponent - 1 : 0;
}

static const char *scaled(struct lp_strings *s, double value, int digits)
{
	static const struct {
		double size;
		char letter;
	} steps[] = {{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}};
	size_t i = 0;

	if (fabs(value) >= 1e15)
		return lp_strings_format(s, "%.*e", digits - 1, value);
	while (fabs(value) < steps[i].size)
		i++;
	value /= steps[i].size;
	return lp_strings_format(s, "%.*f%c", decimals(value, digits), value, steps[i].letter);
}

const char *lp_format_number(struct lp_strings *s, double value, int digits)
{
	if (!isfinite(value))
		return LP_NO_FIGURE;
	if (fabs(value) >= 1e6)
		return scaled(s, value, digits);
	if (value == floor(value))
		return lp_strings_format(s, "%.0f", value + 0.0);
	if (fabs(value) < 1e-4)
		return lp_strings_format(s, "%.*e", digits - 1, value);
	return lp_strings_format(s, "%.*f", decimals(value, digits), value);
}

const char *lp_format_interval(
	struct lp_strings *s, double value, double low, double high, int digits)
{
	int places;

	if (!isfinite(value))
		return LP_NO_FIGURE;
	places = decimals(value, digits);
	return lp_strings_format(s, "%.*f (%.*f–%.*f)", places, value, places, low, places, high);
}

const struct lp_time_unit *lp_time_unit(double least_ns)
{
	static const struct lp_time_unit units[] = {
		{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}};
	size_t i = 0;

	while (i < 3 && !(least_ns >= units[i].ns))
		i++;
	return &units[i];
}
