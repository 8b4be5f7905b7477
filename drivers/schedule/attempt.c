// SPDX-License-Identifier: GPL-2.0-or-later
/* See attempt.h. A result file that is missing or malformed is an error of that repetition alone.
 */
#include "drivers/schedule/attempt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "drivers/schedule/child.h"

enum { ARG_BYTES = 64 };

/* An exact play is as long as it is; a hung repetition must not hold up the rest for long. */
static double time_limit_s(const struct lp_run_plan *plan)
{
	return 20 + 10 * plan->min_time_s;
}

static char *cpu_list(const struct lp_run_plan *plan)
{
	char *list = calloc((size_t)plan->cpus + 1, 12), *at = list;

	for (int i = 0; list && i < plan->cpus; i++)
		at += sprintf(at, "%s%d", i ? "," : "", plan->os_cpu[i]);
	return list;
}

static int run_child(const struct lp_supervision *s, const struct lp_work *work, const char *out,
	struct lp_child *child, struct lp_error *err)
{
	const struct lp_plan_entry *e = &s->plan->entry[work->entry];
	char repetition[ARG_BYTES], repetitions[ARG_BYTES], min_time[ARG_BYTES], seed[ARG_BYTES];
	char *cpus = cpu_list(s->plan);
	int rc;

	snprintf(repetition, sizeof(repetition), "%d", work->repetition);
	snprintf(repetitions, sizeof(repetitions), "%d", e->repetitions);
	snprintf(min_time, sizeof(min_time), "%.9g", s->plan->min_time_s);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)s->plan->seed);
	if (!cpus)
		return lp_fail(err, ENOMEM, "no memory for the list of CPUs");
	rc = lp_child_run(child,
		(char *[]){(char *)s->bench, "--case", (char *)e->name, "--repetition", repetition,
			"--repetitions", repetitions, "--min-time", min_time, "--seed", seed,
			"--cpus", cpus, "--out", (char *)out, NULL},
		time_limit_s(s->plan), err);
	free(cpus);
	return rc;
}

/* ---- judging ---- */

struct outcome {
	const char *word;
	char message[384];     /* "" when all went well */
	json_t *row, *details; /* borrowed from the document */
};

static void fail(struct outcome *o, const char *word, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void fail(struct outcome *o, const char *word, const char *format, ...)
{
	va_list args;

	o->word = word;
	va_start(args, format);
	vsnprintf(o->message, sizeof(o->message), format, args);
	va_end(args);
}

static void judge_document(struct outcome *o, const json_t *document, const char *name)
{
	json_t *row = json_array_get(json_object_get(document, "benchmarks"), 0);
	const char *row_name = json_string_value(json_object_get(row, "name"));

	if (!row_name || strcmp(row_name, name)) {
		fail(o, "error", "the result file holds no row of this case");
		return;
	}
	o->row = row;
	o->details = json_object_get(document, "lockpath");
	if (json_is_true(json_object_get(row, "error_occurred"))) {
		const char *why = json_string_value(json_object_get(row, "error_message"));

		fail(o, "error", "%s", why ? why : "failed without a message");
	}
}

static void judge(struct outcome *o, const struct lp_child *child, const json_t *document,
	const json_error_t *why, const char *name)
{
	o->word = "ok";
	if (child->outcome == LP_CHILD_TIMEOUT)
		fail(o, "timeout", "killed: it had not ended after %.0f s", child->wall_s);
	else if (child->outcome == LP_CHILD_CRASHED)
		fail(o, "crashed", "killed by signal %d (%s)%s%s", child->status,
			strsignal(child->status), child->last_line[0] ? "; its last words: " : "",
			child->last_line);
	else if (document)
		judge_document(o, document, name);
	else if (child->status)
		fail(o, "error", "%s",
			child->last_line[0] ? child->last_line : "failed without a message");
	else
		fail(o, "error", "its result file: %s", why->text);
}

static json_t *or_null(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

static json_t *line_to_json(const struct lp_plan_entry *e, const struct lp_work *work,
	const struct outcome *o, double wall_s)
{
	char at[32];
	time_t now = time(NULL);
	struct tm utc;

	strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	return json_pack("{s:s, s:i, s:i, s:s, s:o, s:o, s:o, s:f, s:s}", "name", e->name,
		"repetition", work->repetition, "attempt", work->attempt, "outcome", o->word,
		"message", o->message[0] ? json_string(o->message) : json_null(), "row",
		or_null(o->row), "lockpath", or_null(o->details), "wall_s", wall_s, "at", at);
}

int lp_attempt_run(const struct lp_supervision *s, const struct lp_work *work, json_t **line,
	struct lp_error *err)
{
	const struct lp_plan_entry *e = &s->plan->entry[work->entry];
	struct outcome o = {0};
	struct lp_child child;
	json_error_t why;
	json_t *document;
	char out[4096];
	int rc;

	snprintf(out, sizeof(out), "%s/attempt.json", s->journal->folder);
	unlink(out);
	rc = run_child(s, work, out, &child, err);
	if (rc)
		return rc;
	if (child.outcome == LP_CHILD_INTERRUPTED) {
		unlink(out);
		return child.status;
	}
	document = json_load_file(out, JSON_REJECT_DUPLICATES, &why);
	judge(&o, &child, document, &why, e->name);
	*line = line_to_json(e, work, &o, child.wall_s);
	json_decref(document);
	unlink(out);
	return *line ? 0 : lp_fail(err, ENOMEM, "no memory for a result");
}
