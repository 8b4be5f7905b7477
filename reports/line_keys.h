/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parameters the lines of a suite have, which of them vary, and which lines may be compared.
 * For lines.c only.
 */
#ifndef LP_REPORTS_LINE_KEYS_H
#define LP_REPORTS_LINE_KEYS_H

#include "reports/lines.h"

/* What is known of the variants. A mask has bit i for lines->key[i]. */
struct lp_line_knowledge {
	struct lp_lines *lines;
	size_t variants;
	uint32_t *has; /* [variants] by rank: parameters that the variant has */
	size_t *rank;  /* [handles] of a variant's name, plus 1 */
};

/** lp_line_keys_find() - set keys, groups and ranks of @l. Return: 0 or -ENOMEM. */
int lp_line_keys_find(struct lp_line_knowledge *k, struct lp_lines *l, struct lp_results *r,
	uint32_t suite, const struct lp_suite_info *info);

/** lp_line_keys_agree() - whether two lines differ in no parameter that both variants have. */
bool lp_line_keys_agree(
	const struct lp_line_knowledge *k, const struct lp_line *a, const struct lp_line *b);

void lp_line_knowledge_destroy(struct lp_line_knowledge *k);

#endif
