/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user sees while a run goes on. */
#ifndef LP_DRIVERS_PROGRESS_H
#define LP_DRIVERS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct lp_progress {
	bool terminal;
	size_t done, total; /* attempts */
	double spent_s;	    /* in the attempts done */
	double guess_s;	    /* of one attempt, before any is done */
};

/** lp_progress_init() - @total attempts ahead, about @guess_s each. */
void lp_progress_init(struct lp_progress *p, size_t total, double guess_s);

/** lp_progress_begin() - "[12/48] name … 0:40 left": one line rewritten on a terminal, plain lines
 * elsewhere; both on standard error. */
void lp_progress_begin(struct lp_progress *p, const char *name);

/** lp_progress_end() - the attempt took @wall_s; @note is printed on a line of its own, NULL: none.
 */
void lp_progress_end(struct lp_progress *p, double wall_s, const char *name, const char *note);

/** lp_progress_finish() - leave the line. */
void lp_progress_finish(struct lp_progress *p);

#endif
