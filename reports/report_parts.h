/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a run's report, for reports/report*.c and suite_table.c only. All return 0 or
 * -ENOMEM.
 */
#ifndef LP_REPORTS_REPORT_PARTS_H
#define LP_REPORTS_REPORT_PARTS_H

#include "reports/document.h"
#include "reports/results.h"

/* Machine, run, seed; then what a reader must bear in mind. */
int lp_report_head(struct lp_results *r, struct lp_document *d);

/* The table of suite @suite and its footnotes. @info may be NULL. */
int lp_report_suite_table(struct lp_results *r, struct lp_document *d, uint32_t suite,
	const struct lp_suite_info *info);

/* The cases of the suite that could not run here, by reason. */
int lp_report_skipped(struct lp_results *r, struct lp_document *d, uint32_t suite);

/* The claims of the suite, each with its verdict. */
int lp_report_suite_claims(
	struct lp_results *r, struct lp_document *d, const struct lp_suite_info *info);

/* The figures that rows lack, by reason. */
int lp_report_absent(struct lp_results *r, struct lp_document *d);

#endif
