/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two halves of the JSON reader, structure and scalars, know of each other. For json.c
 * and json_scalar.c only.
 */
#ifndef LP_REPORTS_JSON_SCALAR_H
#define LP_REPORTS_JSON_SCALAR_H

#include "reports/json.h"
#include "reports/strings.h"

/* The next piece of the file into the buffer; false at its end. */
bool lp_json_refill(struct lp_json *j);

/* "expected @what, found …" */
int lp_json_expected(struct lp_json *j, const char *what);

/* The string at a '"', into text and length. */
int lp_json_read_text(struct lp_json *j);

/* Past a scalar, or into a container. */
int lp_json_skip_one(struct lp_json *j);

/* The next character without consuming it, −1 at the end. */
static inline int lp_json_char(struct lp_json *j)
{
	return j->at < j->end || lp_json_refill(j) ? *j->at : -1;
}

/* lp_json_peek() past any white space; most values have none before them. */
int lp_json_peek_space(struct lp_json *j);

static inline int lp_json_token(struct lp_json *j)
{
	return j->at<j->end && * j->at> ' ' ? *j->at : lp_json_peek_space(j);
}

static inline uint64_t lp_json_hash(const struct lp_json *j)
{
	return lp_string_hash(j->text, j->length);
}

#endif
