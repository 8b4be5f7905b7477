/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One attempt at one repetition: the measuring program's call, and what came of it as JSON. */
#ifndef LP_DRIVERS_ATTEMPT_H
#define LP_DRIVERS_ATTEMPT_H

#include <jansson.h>

#include "drivers/schedule/order.h"
#include "drivers/schedule/supervise.h"

/**
 * lp_attempt_run() - run @work.
 * @line: receives the journal's line, a new reference; not set unless 0 is returned.
 *
 * Return: 0, a signal number when this process was told to stop, or -errno with @err.
 */
int lp_attempt_run(const struct lp_supervision *s, const struct lp_work *work, json_t **line,
	struct lp_error *err);

#endif
