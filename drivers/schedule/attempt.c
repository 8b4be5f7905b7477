// SPDX-License-Identifier: GPL-2.0-or-later
/* See attempt.h. A result file that is missing or malformed is an error of that repetition alone.
 */
#include "drivers/schedule/attempt.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/measure/disturbance.h"
#include "drivers/schedule/child.h"

enum { ARG_BYTES = 64 };
#define ATTEMPT_FILE "attempt.json"
/* Histograms and series make some 60 KiB; a document beyond this is a runaway, and would take many
 * times its size to parse. */
#define LARGEST_DOCUMENT_BYTES (8ll << 20)

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
	char message[384];		 /* "" when all went well */
	json_t *row, *details, *context; /* borrowed from the document */
};

/* Cutting may have left half of one, which is no UTF-8 and so no JSON. */
static void drop_last_character(char *text)
{
	size_t n = strlen(text);

	while (n > 1 && (text[n - 1] & 0xc0) == 0x80)
		n--;
	text[n - 1] = '\0';
}

static void fail(struct outcome *o, const char *word, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void fail(struct outcome *o, const char *word, const char *format, ...)
{
	va_list args;
	int n;

	o->word = word;
	va_start(args, format);
	n = vsnprintf(o->message, sizeof(o->message), format, args);
	va_end(args);
	if (n >= (int)sizeof(o->message))
		drop_last_character(o->message);
	for (char *c = o->message; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
}

static json_t *only_row(const json_t *document)
{
	return json_array_get(json_object_get(document, "benchmarks"), 0);
}

static bool row_failed(const json_t *document)
{
	return json_is_true(json_object_get(only_row(document), "error_occurred"));
}

static bool has_verdict(const json_t *row)
{
	const json_t *verdict = json_object_get(row, "verdict");

	return json_is_integer(verdict) && json_integer_value(verdict) >= LP_VALID &&
	       json_integer_value(verdict) <= LP_INVALID;
}

static void judge_document(struct outcome *o, const json_t *document, const char *name)
{
	json_t *row = only_row(document);
	const char *row_name = json_string_value(json_object_get(row, "name"));

	if (!row_name || strcmp(row_name, name)) {
		fail(o, "error", "the result file holds no row of this case");
		return;
	}
	if (row_failed(document)) {
		const char *why = json_string_value(json_object_get(row, "error_message"));

		fail(o, "error", "%s", why ? why : "failed without a message");
	} else if (!has_verdict(row)) {
		fail(o, "error", "the row in the result file has no verdict");
		return;
	}
	o->row = row;
	o->details = json_object_get(document, "lockpath");
	o->context = json_object_get(document, "context");
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
	else if (document && (!child->status || row_failed(document)))
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

/* Results are passed around: they name no host, as machine.json does not. */
static json_t *without_identity(const json_t *context)
{
	json_t *copy = json_copy((json_t *)context);

	json_object_del(copy, "host_name");
	json_object_del(copy, "executable");
	json_object_del(copy, "lockpath"); /* the header has it */
	return copy;
}

static json_t *line_to_json(const struct lp_plan_entry *e, const struct lp_work *work,
	const struct outcome *o, double wall_s)
{
	json_t *line;
	char at[32];
	time_t now = time(NULL);
	struct tm utc;

	strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	line = json_pack("{s:s, s:i, s:i, s:s, s:o, s:o, s:o, s:f, s:s}", "name", e->name,
		"repetition", work->repetition, "attempt", work->attempt, "outcome", o->word,
		"message", o->message[0] ? json_string(o->message) : json_null(), "row",
		or_null(o->row), "lockpath", or_null(o->details), "wall_s", wall_s, "at", at);
	if (line && o->context)
		json_object_set_new(line, "context", without_identity(o->context));
	return line;
}

/* Return: the document in @path, NULL with @why. */
static json_t *load_document(const char *path, json_error_t *why)
{
	struct stat st;

	if (!stat(path, &st) && st.st_size > LARGEST_DOCUMENT_BYTES) {
		snprintf(why->text, sizeof(why->text), "%lld MiB, where at most %lld are expected",
			(long long)st.st_size >> 20, LARGEST_DOCUMENT_BYTES >> 20);
		return NULL;
	}
	return json_load_file(path, JSON_REJECT_DUPLICATES, why);
}

/* Removes what an attempt wrote, and what one that was killed while writing left beside it. */
static void sweep(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, ATTEMPT_FILE, strlen(ATTEMPT_FILE)))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
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

	snprintf(out, sizeof(out), "%s/" ATTEMPT_FILE, s->journal->folder);
	sweep(s->journal->folder);
	rc = run_child(s, work, out, &child, err);
	if (rc)
		return rc;
	if (child.outcome == LP_CHILD_INTERRUPTED) {
		sweep(s->journal->folder);
		return child.status;
	}
	document = load_document(out, &why);
	judge(&o, &child, document, &why, e->name);
	sweep(s->journal->folder);
	/* A result that is missing because nothing more can be written is not the case's fault. */
	rc = document ? 0 : lp_journal_probe(s->journal, err);
	if (!rc && !(*line = line_to_json(e, work, &o, child.wall_s)))
		rc = lp_fail(err, ENOMEM, "no memory for a result");
	json_decref(document);
	return rc;
}
