/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware and software event counters of single threads, named as libpfm4 names them.
 *
 * Each thread opens its own set on itself and starts and stops it once, around its window. An event
 * that cannot be opened, that was opened and never scheduled, or whose 0 cannot be true has no
 * value but a reason. Values of an event that shared the counter with others are scaled by enabled
 * ÷ running time and flagged.
 */
#ifndef LP_MEASURE_PMU_H
#define LP_MEASURE_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

enum { LP_PMU_EVENTS_MAX = 16 };

struct lp_pmu_event {
	char name[64];	 /* libpfm4's name, e.g. "PERF_COUNT_SW_CONTEXT_SWITCHES" */
	char metric[48]; /* the figure it becomes, e.g. "cycles_per_op", "context_switches" */
	bool per_op;	 /* divided by operations when reported */
	int fd;		 /* −1: not open */
	int error;	 /* errno of the failed step, 0 */
	bool counted;	 /* the value is one */
	bool user_only; /* user space alone: perf_event_paranoid allows no more; what happens in the
			 * kernel alone (context switches, migrations) is not counted then */
	uint64_t value; /* scaled when multiplexed */
	uint64_t enabled_ns, running_ns;
	bool multiplexed;
};

struct lp_pmu {
	int count;
	struct lp_pmu_event event[LP_PMU_EVENTS_MAX];
};

/**
 * lp_pmu_open() - open the default events on the calling thread, stopped:
 * context switches, CPU migrations, page faults, task clock (software, on any machine); cycles,
 * instructions, last-level-cache misses (hardware). Never fails as a whole: each event carries
 * its own error.
 */
void lp_pmu_open(struct lp_pmu *pmu);
void lp_pmu_start(struct lp_pmu *pmu);
void lp_pmu_stop(struct lp_pmu *pmu); /* reads every event */
void lp_pmu_close(struct lp_pmu *pmu);

/** lp_pmu_add() - add @from's values to @into, event by event; an event counts in the sum only if
 * it counted in both. @into may be all zeroes: it then becomes @from. */
void lp_pmu_add(struct lp_pmu *into, const struct lp_pmu *from);

/** lp_pmu_why() - one line why @event has no value: event, PMU, errno, perf_event_paranoid and the
 * remedy. */
void lp_pmu_why(const struct lp_pmu_event *event, char *text, unsigned long size);

#endif
