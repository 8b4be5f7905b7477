/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of a run: its plan and every finished attempt, one JSON object a line, on disk before
 * the next attempt begins. reports/README.md gives the format.
 */
#ifndef LP_DRIVERS_JOURNAL_H
#define LP_DRIVERS_JOURNAL_H

#include <jansson.h>

#include "common/error.h"
#include "drivers/schedule/plan.h"

struct lp_journal {
	int fd;
	char *folder; /* of the results */
};

/**
 * lp_journal_create() - make @folder and begin its journal with @plan.
 *
 * Holds a lock on the folder until closed. Return: 0, or -errno with @err; an existing folder is
 * -EEXIST. After a failure there is no folder that was not there before.
 */
int lp_journal_create(struct lp_journal *j, const char *folder, const struct lp_run_plan *plan,
	struct lp_error *err);

/**
 * lp_journal_reopen() - go on with the journal in @folder.
 * @lines: receives all its lines but a torn last one, which is cut off; a new reference.
 *
 * Return: 0, or -errno with @err; -EBUSY when another run is writing to the folder.
 */
int lp_journal_reopen(
	struct lp_journal *j, const char *folder, json_t **lines, struct lp_error *err);

/** lp_journal_append() - write @line (a reference is not taken) and wait until it is on disk.
 * A line that does not fit on the disk is taken back. Return: 0, or -errno with @err. */
int lp_journal_append(struct lp_journal *j, const json_t *line, struct lp_error *err);

/** lp_journal_probe() - whether the journal's disk still takes as much as a large result needs.
 * Return: 0, -ENOSPC or -EDQUOT with @err. */
int lp_journal_probe(struct lp_journal *j, struct lp_error *err);

void lp_journal_close(struct lp_journal *j);

/** lp_journal_read() - all lines of the journal in @folder as an array, without locking it.
 * Return: a new reference, NULL with @err naming file, line and reason. */
json_t *lp_journal_read(const char *folder, struct lp_error *err);

/** lp_journal_plan() - the plan of header line @header into @plan, cases checked against this
 * build. Return: 0, or -EINVAL with @err. On success free with lp_plan_free(). */
int lp_journal_plan(const json_t *header, struct lp_run_plan *plan, struct lp_error *err);

#endif
