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

enum { KEY_BYTES = LP_NAME_MAX + 16 };

static const char *key_of(char key[KEY_BYTES], const char *name, int repetition)
{
	snprintf(key, KEY_BYTES, "%.*s#%d", LP_NAME_MAX, name, repetition);
	return key;
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

/* The repetitions that the journal has already, from before the run was interrupted. */
static json_t *attempted(const json_t *lines)
{
	json_t *set = json_object(), *line;
	char key[KEY_BYTES];
	size_t i;

	json_array_foreach (lines, i, line) {
		const char *name = json_string_value(json_object_get(line, "name"));

		if (name)
			json_object_set_new(set,
				key_of(key, name,
					(int)json_integer_value(
						json_object_get(line, "repetition"))),
				json_true());
	}
	return set;
}

static int fill_queue(const struct lp_supervision *s, struct queue *q, struct lp_error *err)
{
	json_t *done = attempted(s->lines);
	char key[KEY_BYTES];
	size_t kept = 0;

	q->work = lp_order_make(s->plan, &q->count);
	if (!q->work || !done) {
		json_decref(done);
		return lp_fail(err, ENOMEM, "no memory for the order of the run");
	}
	q->room = q->count;
	q->extra = extra_attempts(s->plan, q->count);
	for (size_t i = 0; i < q->count; i++)
		if (!json_object_get(done, key_of(key, s->plan->entry[q->work[i].entry].name,
						   q->work[i].repetition)))
			q->work[kept++] = q->work[i];
	q->count = kept;
	json_decref(done);
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

/* Disturbed or invalid: another attempt may do better. An error would only come again. */
static bool worth_repeating(const json_t *line)
{
	const char *outcome = json_string_value(json_object_get(line, "outcome"));
	const json_t *row = json_object_get(line, "row");

	return outcome && !strcmp(outcome, "ok") &&
	       json_integer_value(json_object_get(row, "verdict")) != LP_VALID;
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
	if (!rc && worth_repeating(line) && work.attempt < LP_EXTRA_ATTEMPTS && q->extra) {
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
