// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop over a plan's attempts; what one attempt is stands in attempt.c. */
#include "drivers/schedule/supervise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/measure/disturbance.h"
#include "drivers/schedule/attempt.h"
#include "drivers/schedule/child.h"
#include "drivers/schedule/order.h"
#include "drivers/schedule/progress.h"

/* Attempts beyond the plan: a share of it, so that a noisy machine cannot double the time. */
static size_t extra_attempts(const struct lp_run_plan *plan, size_t planned)
{
	return plan->profile == LP_PROFILE_FULL ? planned / 2 + 5 : planned * 15 / 100 + 5;
}

struct queue {
	struct lp_work *work;
	size_t count, room, extra; /* extra: attempts that may still be added */
};

static int push(struct queue *q, struct lp_work work)
{
	if (q->count == q->room) {
		struct lp_work *grown = realloc(q->work, 2 * (q->room + 1) * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		q->work = grown;
		q->room = 2 * (q->room + 1);
	}
	q->work[q->count++] = work;
	return 0;
}

static bool line_is_about(const json_t *line, const char *name, int repetition)
{
	const char *line_name = json_string_value(json_object_get(line, "name"));

	return line_name && !strcmp(line_name, name) &&
	       json_integer_value(json_object_get(line, "repetition")) == repetition;
}

/* Whether the journal has an attempt at @work already, from before it was interrupted. */
static bool already_done(const struct lp_supervision *s, const struct lp_work *work)
{
	const json_t *line;
	size_t i;

	json_array_foreach (s->lines, i, line)
		if (line_is_about(line, s->plan->entry[work->entry].name, work->repetition))
			return true;
	return false;
}

static int fill_queue(const struct lp_supervision *s, struct queue *q, struct lp_error *err)
{
	size_t kept = 0;

	q->work = lp_order_make(s->plan, &q->count);
	if (!q->work)
		return lp_fail(err, ENOMEM, "no memory for the order of the run");
	q->room = q->count;
	q->extra = extra_attempts(s->plan, q->count);
	for (size_t i = 0; i < q->count; i++)
		if (json_array_size(s->lines) == 1 || !already_done(s, &q->work[i]))
			q->work[kept++] = q->work[i];
	q->count = kept;
	return 0;
}

/* A line for the user about an attempt that did not go well; NULL: nothing to say. */
static const char *note_about(const json_t *line)
{
	const char *message = json_string_value(json_object_get(line, "message"));
	const json_t *row = json_object_get(line, "row");

	if (message)
		return message;
	if (json_integer_value(json_object_get(row, "verdict")) == LP_INVALID)
		return json_string_value(json_object_get(row, "label"));
	return NULL;
}

static bool was_disturbed(const json_t *line)
{
	const json_t *row = json_object_get(line, "row");

	return json_is_object(row) &&
	       json_integer_value(json_object_get(row, "verdict")) == LP_DISTURBED;
}

static int run_one(struct lp_supervision *s, struct queue *q, size_t i, struct lp_progress *p,
	struct lp_error *err)
{
	struct lp_work work = q->work[i];
	const char *name = s->plan->entry[work.entry].name;
	json_t *line;
	int rc;

	lp_progress_begin(p, name);
	rc = lp_attempt_run(s, &work, &line, err);
	if (rc)
		return rc;
	rc = lp_journal_append(s->journal, line, err);
	lp_progress_end(
		p, json_number_value(json_object_get(line, "wall_s")), name, note_about(line));
	if (!rc && was_disturbed(line) && work.attempt < LP_EXTRA_ATTEMPTS && q->extra) {
		work.attempt++;
		q->extra--;
		p->total++;
		if (push(q, work))
			rc = lp_fail(err, ENOMEM, "no memory for another attempt");
	}
	json_array_append_new(s->lines, line);
	return rc;
}

int lp_supervise(struct lp_supervision *s, struct lp_error *err)
{
	struct lp_progress progress;
	struct queue q = {0};
	int rc = fill_queue(s, &q, err);

	lp_child_prepare();
	lp_progress_init(&progress, q.count, s->plan->min_time_s + 0.1);
	for (size_t i = 0; !rc && i < q.count; i++)
		rc = run_one(s, &q, i, &progress, err);
	lp_progress_finish(&progress);
	free(q.work);
	return rc;
}
