/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a plan: a process per repetition, every attempt in the journal. */
#ifndef LP_DRIVERS_SUPERVISE_H
#define LP_DRIVERS_SUPERVISE_H

#include <jansson.h>

#include "drivers/schedule/journal.h"
#include "drivers/schedule/plan.h"

struct lp_supervision {
	const struct lp_run_plan *plan;
	struct lp_journal *journal;
	json_t *lines;	   /* of the journal so far, header first; grows */
	const char *bench; /* path of the measuring program */
};

/**
 * lp_supervise() - measure what the journal does not have yet.
 *
 * Order: round by round, every case once in each, shuffled anew by the plan's seed, so that drift
 * of the machine meets all cases alike. A repetition that was disturbed or invalid is run again at
 * the end, at most LP_EXTRA_ATTEMPTS times and within a share of the whole; a valid one never, for
 * the last attempt counts. Crashes, time-outs and failures become lines of the journal, and the
 * rest goes on.
 *
 * Return: 0, the signal that asked to stop (SIGINT, SIGTERM), or -errno with @err when the journal
 * cannot be written or a process cannot be started.
 */
int lp_supervise(struct lp_supervision *s, struct lp_error *err);

enum { LP_EXTRA_ATTEMPTS = 2 };

#endif
