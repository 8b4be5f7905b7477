/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `lockpath list` prints. */
#ifndef LP_DRIVERS_LIST_H
#define LP_DRIVERS_LIST_H

#include "drivers/schedule/plan.h"

/** lp_list_print() - suites, variants, parameters, the cases of @plan with their repetitions, and
 * those that cannot run here with the reason; on standard output. */
void lp_list_print(const struct lp_run_plan *plan);

#endif
