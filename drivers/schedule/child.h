/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One repetition in a process of its own, with a time limit. */
#ifndef LP_DRIVERS_CHILD_H
#define LP_DRIVERS_CHILD_H

#include <stdint.h>

#include "common/error.h"

enum lp_child_outcome {
	LP_CHILD_EXITED,      /* `status` is its exit status */
	LP_CHILD_CRASHED,     /* `status` is the signal */
	LP_CHILD_TIMEOUT,     /* killed at the limit */
	LP_CHILD_INTERRUPTED, /* this process was told to stop (`status`: the signal); killed */
};

struct lp_child {
	enum lp_child_outcome outcome;
	int status;
	char last_line[256]; /* of what it wrote to standard error, "" if nothing */
	double wall_s;
};

/** lp_child_prepare() - block the signals that lp_child_run() waits for; once, before any child. */
void lp_child_prepare(void);

/** lp_child_release() - undo it, when no child will follow: the next signal ends this process. */
void lp_child_release(void);

/**
 * lp_child_run() - run @argv, wait for it at most @limit_s.
 *
 * The child is the leader of its own process group, dies with this process, and is killed with its
 * group at the limit or when this process gets SIGINT, SIGTERM or SIGHUP. Return: 0, or -errno with
 * @err if it could not even be started.
 */
int lp_child_run(struct lp_child *c, char *const argv[], double limit_s, struct lp_error *err);

#endif
