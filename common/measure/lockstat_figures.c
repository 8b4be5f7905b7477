// SPDX-License-Identifier: GPL-2.0-or-later
/* See lockstat_figures.h; lockstat.h defines what is counted. */
#include "common/measure/lockstat_figures.h"

#include "common/measure/clock.h"

void lp_lockstat_figures(
	struct lp_metrics *m, const struct lp_lockstat *stat, struct lp_lockstat_cpu *sum)
{
	struct lp_lockstat_cpu own;
	double ns = lp_ticks_to_ns(1);

	if (!sum)
		sum = &own;
	lp_lockstat_sum(stat, sum);
	lp_metrics_ratio(m, "lock_contended_share", (double)sum->contentions,
		(double)sum->acquisitions, "locks");
	lp_metrics_histogram(m, "lock_wait", "ns", &sum->wait_ticks, ns);
	lp_metrics_histogram(m, "lock_hold", "ns", &sum->hold_ticks, ns);
}
