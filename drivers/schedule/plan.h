/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run measures: its cases, how often, and those that cannot run here with the reason. */
#ifndef LP_DRIVERS_PLAN_H
#define LP_DRIVERS_PLAN_H

#include <stddef.h>

#include "drivers/schedule/options.h"

struct lp_plan_entry {
	char name[LP_NAME_MAX];
	int repetitions;
	char *skipped; /* why it cannot run here; NULL when it can */
};

struct lp_run_plan {
	struct lp_plan_entry *entry;
	size_t count, room;
	size_t runnable; /* entries that are not skipped */
	enum lp_profile profile;
	uint64_t seed;
	double min_time_s;
	int *os_cpu; /* [cpus] in the order in which workers take them */
	int cpus;
};

/**
 * lp_plan_make() - every case that @o selects on a machine with topology @t.
 *
 * Thread counts are those of the CPUs this process may use; what the whole machine would allow on
 * top is listed as skipped. Return: 0, or -EINVAL with @err (a filter without a match, a thread
 * count that is not usable, …). On success free with lp_plan_free().
 */
int lp_plan_make(struct lp_run_plan *p, const struct lp_options *o, const struct lp_topology *t,
	struct lp_error *err);
void lp_plan_free(struct lp_run_plan *p);

/** lp_plan_add() - append an entry; @skipped is copied, NULL when it can run. A name that is there
 * already is left as it is. Return: 0 or -ENOMEM. */
int lp_plan_add(struct lp_run_plan *p, const char *name, int repetitions, const char *skipped);

/** lp_plan_repetitions() - how often a profile repeats rows of @mode. */
int lp_plan_repetitions(enum lp_profile profile, enum lp_mode mode);

#endif
