/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a report goes: a file descriptor through a buffer, or memory. The first error sticks, later
 * writes do nothing, and lp_sink_finish() tells: a report cut short by a full disk must not look
 * like a whole one.
 */
#ifndef LP_REPORTS_SINK_H
#define LP_REPORTS_SINK_H

#include <stddef.h>

#include "common/error.h"

struct lp_sink {
	int fd;	   /* -1: memory, everything stays in text */
	int error; /* the errno of what failed first, 0 */
	char *text;
	size_t length, room;
};

/** lp_sink_init() - write to @fd, which stays the caller's; -1: to memory. */
void lp_sink_init(struct lp_sink *s, int fd);

void lp_sink_write(struct lp_sink *s, const char *text, size_t n);
void lp_sink_text(struct lp_sink *s, const char *text);
void lp_sink_repeat(struct lp_sink *s, const char *text, size_t times);

/** lp_sink_finish() - flush. Return: 0, or -errno with @err when anything could not be written. */
int lp_sink_finish(struct lp_sink *s, struct lp_error *err);

void lp_sink_destroy(struct lp_sink *s);

#endif
