/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of one run.
 */
#ifndef LP_REPORTS_REPORT_H
#define LP_REPORTS_REPORT_H

#include "common/error.h"
#include "reports/document.h"
#include "reports/results.h"

/**
 * lp_report_run() - write the report of @r: what was measured where, what a reader must bear in
 * mind, then each suite's table, its skipped cases and its claims.
 *
 * @r gains texts and nothing else. Return: 0, or -ENOMEM with @err; whether the text could be
 * written is what lp_sink_finish() says.
 */
int lp_report_run(struct lp_results *r, struct lp_document *d, struct lp_error *err);

/** lp_report_claims() - write every claim of every suite with its verdict. As lp_report_run(). */
int lp_report_claims(struct lp_results *r, struct lp_document *d, struct lp_error *err);

#endif
