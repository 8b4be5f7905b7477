/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lock statistics as figures of a repetition. */
#ifndef LP_MEASURE_LOCKSTAT_FIGURES_H
#define LP_MEASURE_LOCKSTAT_FIGURES_H

#include "common/measure/lockstat.h"
#include "common/measure/metrics.h"

/**
 * lp_lockstat_figures() - lock_contended_share and the histograms lock_wait and lock_hold in ns.
 * @sum: receives the sums over the CPUs, for figures beyond these; NULL: not wanted.
 */
void lp_lockstat_figures(
	struct lp_metrics *m, const struct lp_lockstat *stat, struct lp_lockstat_cpu *sum);

#endif
