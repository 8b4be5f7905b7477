/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which a plan's repetitions are run. */
#ifndef LP_DRIVERS_ORDER_H
#define LP_DRIVERS_ORDER_H

#include <stddef.h>

#include "drivers/schedule/plan.h"

struct lp_work {
	size_t entry; /* index into plan->entry */
	int repetition, attempt;
};

/** lp_order_make() - all repetitions of @plan's runnable entries, round by round, shuffled within a
 * round by plan->seed. Return: an array to free() of *@count entries, NULL when out of memory. */
struct lp_work *lp_order_make(const struct lp_run_plan *plan, size_t *count);

#endif
