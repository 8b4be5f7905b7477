/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suites.json: what the suites say of themselves. Data, so that a report can be made of suites
 * that this build does not have.
 */
#ifndef LP_REPORTS_SUITES_H
#define LP_REPORTS_SUITES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "reports/name.h"

enum { LP_SUITE_COLUMNS = 48 }; /* more than any page has room for */

struct lp_suite_variant {
	const char *name, *kernel, *summary;
	const json_t *params; /* names of the parameters that apply, NULL when not said */
};

struct lp_suite_column {
	const char *metric, *head;
	enum lp_row_mode mode;
	int digits;
};

struct lp_suite_claim {
	const char *id, *text, *source, *metric, *base, *subject, *note; /* note may be NULL */
	double published;
	int min_cpus, min_nodes;
};

struct lp_suite_info {
	const char *name, *summary, *story, *unit;
	size_t variants, columns, claims;
	struct lp_suite_variant *variant;
	struct lp_suite_column *column;
	struct lp_suite_claim *claim;
};

struct lp_suites {
	json_t *json; /* owns the texts */
	size_t count;
	struct lp_suite_info *suite;
};

/** lp_suites_load() - from the content of suites.json, which is taken over.
 * Return: 0; -EINVAL with @err naming the place and what is expected there; -ENOMEM. */
int lp_suites_load(struct lp_suites *s, json_t *json, const char *file, struct lp_error *err);
void lp_suites_destroy(struct lp_suites *s);

/** lp_suites_find() - the suite called @name, NULL when there is none. */
const struct lp_suite_info *lp_suites_find(const struct lp_suites *s, const char *name);

/** lp_suite_variant_find() - its variant called @name, NULL when there is none. */
const struct lp_suite_variant *lp_suite_variant_find(
	const struct lp_suite_info *s, const char *name);

#endif
