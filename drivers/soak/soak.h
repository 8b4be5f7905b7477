/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The soaker: CPU cost by subtraction. One thread of the lowest priority on each CPU counts loops;
 * what it loses while the workers run at a fixed pace is what they, and everything they cause
 * (interrupts, switches), cost.
 *
 * Calibrated before and after, and the two must agree. On a machine whose workers fill every CPU
 * the soaker gets nothing, so the pace must leave room; the README of this folder says how to read
 * it on two CPUs.
 */
#ifndef LP_DRIVERS_SOAK_H
#define LP_DRIVERS_SOAK_H

#include <stdint.h>

#include "common/error.h"
#include "common/measure/metrics.h"
#include "suites/suite.h"

struct lp_soak;

/** lp_soak_start() - one SCHED_IDLE thread on each of the @n CPUs @os_cpu, soaking at once. */
struct lp_soak *lp_soak_start(const int *os_cpu, int n, struct lp_error *err);

/** lp_soak_calibrate() - let them soak alone for @ns; the first and the last call are the two
 * calibrations. */
void lp_soak_calibrate(struct lp_soak *s, uint64_t ns);

/** lp_soak_begin() / lp_soak_end() - around the paced workers' window. */
void lp_soak_begin(struct lp_soak *s);
void lp_soak_end(struct lp_soak *s);

/** lp_soak_worker_begin() / lp_soak_worker_end() - the same as lp_team_options.worker_begin and
 * _end with the soaker as context: worker 0 marks the window. Better than marking it around
 * lp_team_run(), which would count the round trips before and after as the workers' cost. */
void lp_soak_worker_begin(struct lp_worker *w, void *soak);
void lp_soak_worker_end(struct lp_worker *w, void *soak);

/** lp_soak_report() - soak_cpu_share (0..1, of all CPUs), soak_cpu_ns_per_op,
 * soak_calibration_drift (after ÷ before − 1). The first two are absent with the reason when the
 * drift is above 5 % or the soaker got nothing; the drift only if a calibration is missing. Where
 * SCHED_IDLE was refused, soak_idle_class is absent with what that means. */
void lp_soak_report(const struct lp_soak *s, uint64_t ops, struct lp_metrics *metrics);

/** lp_soak_stop() - end the threads and free. NULL is fine. */
void lp_soak_stop(struct lp_soak *s);

#endif
