/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cases as benchmarks of Google Benchmark: one window of a case is one row.
 */
#ifndef LP_BENCH_ROWS_H
#define LP_BENCH_ROWS_H

#include <jansson.h>

#include "drivers/bench/measure.h"

struct lp_row {
	struct lp_row *next;
	struct lp_case spec;
	const struct lp_measure_options *options;
	json_t *details; /* of its last repetition; NULL before one, or when it failed */
};

struct lp_rows {
	const struct lp_measure_options *options; /* outlives the rows */
	struct lp_row *first;
};

/** lp_rows_add() - register @c under its name. Return: 0, or -errno with @err set. */
int lp_rows_add(struct lp_rows *rows, const struct lp_case *c, struct lp_error *err);

/** lp_rows_free() - after lp_gb_shutdown(). */
void lp_rows_free(struct lp_rows *rows);

/** lp_details_to_json() - the `lockpath` object of a row, as reports/README.md describes it.
 * Return: a new object. */
json_t *lp_details_to_json(const struct lp_measurement *m);

#endif
