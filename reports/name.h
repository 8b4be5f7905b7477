/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of cases, "suite/variant/key:value/…[/mode:exact]/threads:2", taken apart, and the
 * patterns of claims matched against them.
 */
#ifndef LP_REPORTS_NAME_H
#define LP_REPORTS_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/strings.h"

enum { LP_NAME_PARAMS = 16, LP_PATTERN_STARS = 8 };

/* What a row measures; a name without /mode: is timing. */
enum lp_row_mode { LP_ROW_TIMING, LP_ROW_OBSERVED, LP_ROW_EXACT, LP_ROW_SOAK, LP_ROW_MODES };

/** lp_row_mode_name() - "timing", "observed", "exact", "soak". */
const char *lp_row_mode_name(enum lp_row_mode mode);

/** lp_row_mode_find() - the mode called @word, LP_ROW_MODES when there is none. */
enum lp_row_mode lp_row_mode_find(const char *word);

struct lp_name_param {
	uint32_t key, value; /* handles; a part without a colon has the key LP_STRING_NONE */
};

struct lp_name {
	uint32_t suite, variant; /* handles; the suite of a foreign name is LP_STRING_NONE */
	enum lp_row_mode mode;
	int threads; /* 0: the name does not say */
	unsigned params;
	struct lp_name_param param[LP_NAME_PARAMS];
};

/**
 * lp_name_parse() - take @text apart.
 * @foreign: not a name of this project: the whole of it becomes the variant, threads apart. So does
 * a name with more than LP_NAME_PARAMS parameters.
 */
void lp_name_parse(struct lp_strings *s, const char *text, bool foreign, struct lp_name *n);

/** lp_name_value() - the value of parameter @key, LP_STRING_NONE when it is not named. */
uint32_t lp_name_value(const struct lp_name *n, uint32_t key);

/* What the stars of a pattern stood for. */
struct lp_captures {
	unsigned count;
	struct {
		const char *at;
		size_t length;
	} star[LP_PATTERN_STARS];
};

/**
 * lp_pattern_match() - whether @text as a whole matches @pattern, in which `*` is any text.
 *
 * Each star but the last takes as little as possible. A pattern of more than LP_PATTERN_STARS
 * stars matches nothing. Linear × linear, whatever the pattern.
 */
bool lp_pattern_match(const char *pattern, const char *text, struct lp_captures *c);

/** lp_captures_equal() - whether the stars stood for the same texts, one by one. */
bool lp_captures_equal(const struct lp_captures *a, const struct lp_captures *b);

#endif
