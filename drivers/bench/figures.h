/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the driver itself adds to a suite's figures: time per operation, evidence, counters.
 */
#ifndef LP_BENCH_FIGURES_H
#define LP_BENCH_FIGURES_H

#include "common/measure/interrupts.h"
#include "common/measure/metrics.h"
#include "drivers/team/team.h"
#include "suites/suite.h"

enum { LP_PROBE_RATE_PER_S = 1000 };

/** lp_figures_speed() - ns_per_op, cpu_ns_per_op, ops_per_s, jain. */
void lp_figures_speed(struct lp_metrics *m, const struct lp_team_result *r);

/** lp_figures_evidence() - window_s, overlap, lost_share, involuntary_switches, steal_ms and the
 * cache-line round trips, which are absent with one CPU. */
void lp_figures_evidence(struct lp_metrics *m, const struct lp_evidence *e);

/** lp_figures_placement() - cores_used, packages_used and nodes_used by the @n CPUs @os_cpu: fewer
 * cores than threads means that siblings share one. */
void lp_figures_placement(
	struct lp_metrics *m, const struct lp_topology *t, const int *os_cpu, int n);

/** lp_figures_memory() - read the pages of @run back; memory_elsewhere_pages. Fills memory_holds
 * and memory_why of @e. */
void lp_figures_memory(struct lp_run *run, struct lp_metrics *m, struct lp_evidence *e);

/** lp_figures_pmu() - each event's metric, or why it is absent. A metric X that shared its counter
 * comes with X_enabled_ns and X_running_ns, one of user space alone with X_user_only = 1. */
void lp_figures_pmu(struct lp_metrics *m, const struct lp_pmu *pmu, uint64_t ops);

/** lp_figures_interrupts() - kernel_cal_delta: the kernel's own function-call interrupts on the
 * @n CPUs @os_cpu, from the difference @i; absent because of @error if that has a code. */
void lp_figures_interrupts(struct lp_metrics *m, const struct lp_interrupts *i,
	const struct lp_error *error, const int *os_cpu, int n);

#endif
