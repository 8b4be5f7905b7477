/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `lockpath run` from its options to its results folder. */
#ifndef LP_DRIVERS_SCHEDULE_SESSION_H
#define LP_DRIVERS_SCHEDULE_SESSION_H

#include "drivers/schedule/options.h"

/**
 * lp_session_run_plan() - measure, or go on measuring, and write the results.
 * @bench: path of the measuring program.
 *
 * Return: the exit status: 0 all went well, 1 some repetition ended in an error, 2 unusable options
 * or environment, 128 + signal when interrupted. Messages go to standard error, the path of the
 * results folder, alone on the last line, to standard output.
 */
int lp_session_run_plan(const struct lp_options *o, const char *bench);

/** lp_session_finish() - make the files of @folder again from its journal. Return: exit status. */
int lp_session_finish(const char *folder);

#endif
