/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the soaker counted, and the arithmetic on it, without threads.
 */
#ifndef LP_DRIVERS_SOAK_RECORD_H
#define LP_DRIVERS_SOAK_RECORD_H

#include <stdint.h>

#include "common/measure/metrics.h"

/* One interval: each CPU's loops, and how long it lasted. */
struct lp_soak_interval {
	uint64_t wall_ns; /* 0: it did not take place */
	uint64_t *loops;  /* [cpus] */
};

enum { LP_SOAK_BEFORE, LP_SOAK_DURING, LP_SOAK_AFTER, LP_SOAK_INTERVALS };

struct lp_soak_record {
	int cpus;
	struct lp_soak_interval interval[LP_SOAK_INTERVALS];
	int not_idle_error; /* errno with which SCHED_IDLE was refused to a thread, 0 */
};

/** lp_soak_drift() - calibrated rate after ÷ before − 1, over all CPUs; NaN if one is missing. */
double lp_soak_drift(const struct lp_soak_record *r);

/** lp_soak_share() - the mean over the CPUs of 1 − rate during ÷ mean calibrated rate. A CPU that
 * lost nothing may come out slightly below 0; NaN if a CPU was never calibrated. */
double lp_soak_share(const struct lp_soak_record *r);

/** lp_soak_evaluate() - the figures of lp_soak_report(), absent where @r cannot carry them. */
void lp_soak_evaluate(const struct lp_soak_record *r, uint64_t ops, struct lp_metrics *metrics);

#endif
