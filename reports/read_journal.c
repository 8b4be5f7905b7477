// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * journal.jsonl, line by line. The writer appends and syncs a line at a time, so only the last one
 * can be cut off; it is then left out with a note, and any other malformed line is an error.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "reports/read_parts.h"

enum { JOURNAL_VERSION = 1 };

/* One finished attempt, as its line says. */
struct attempt {
	uint32_t name, message;
	long repetition, number;
	bool outcome_said, has_row;
	enum lp_outcome outcome;
	struct lp_entry entry;
};

static int read_outcome(struct lp_json *j, struct attempt *a)
{
	static const char *const words[] = {"ok", "error", "crashed", "timeout"};
	bool is_null;
	int rc = lp_json_string(j, &is_null);

	if (rc)
		return rc;
	for (int i = 0; i < 4; i++) {
		if (!strcmp(j->text, words[i])) {
			a->outcome = (enum lp_outcome)i;
			a->outcome_said = true;
			return 0;
		}
	}
	return lp_json_fail(
		j, "the outcome \"%.32s\" is none of ok, error, crashed and timeout", j->text);
}

static int read_row(struct lp_reader *rd, struct attempt *a)
{
	if (lp_json_peek(&rd->json) == 'n')
		return lp_json_skip(&rd->json);
	a->has_row = true;
	return lp_read_entry(rd, &a->entry);
}

/* Of the details only the reasons of absent figures are read. */
static int read_details(struct lp_reader *rd)
{
	struct lp_json *j = &rd->json;
	int rc;

	if (lp_json_peek(j) == 'n')
		return lp_json_skip(j);
	rc = lp_json_enter(j, '{');
	if (rc)
		return rc;
	while ((rc = lp_json_next(j)) > 0) {
		rc = !strcmp(j->text, "absent") ? lp_read_absent(rd) : lp_json_skip(j);
		if (rc)
			return rc;
	}
	return rc;
}

static int read_attempt_member(struct lp_reader *rd, struct attempt *a)
{
	struct lp_json *j = &rd->json;

	if (!strcmp(j->text, "name"))
		return lp_read_name(rd, &a->name);
	if (!strcmp(j->text, "repetition"))
		return lp_json_whole(j, 0, INT_MAX, &a->repetition);
	if (!strcmp(j->text, "attempt"))
		return lp_json_whole(j, 0, INT_MAX, &a->number);
	if (!strcmp(j->text, "outcome"))
		return read_outcome(j, a);
	if (!strcmp(j->text, "message"))
		return lp_read_text(rd, &a->message);
	if (!strcmp(j->text, "row"))
		return read_row(rd, a);
	if (!strcmp(j->text, "lockpath"))
		return read_details(rd);
	return lp_json_skip(j);
}

static int read_attempt(struct lp_reader *rd, struct attempt *a)
{
	struct lp_json *j = &rd->json;
	int rc;

	*a = (struct attempt){.repetition = -1, .number = -1};
	rd->absents = 0;
	rc = lp_json_enter(j, '{');
	if (rc)
		return rc;
	while ((rc = lp_json_next(j)) > 0) {
		rc = read_attempt_member(rd, a);
		if (rc)
			return rc;
	}
	if (rc)
		return rc;
	if (!a->name || a->repetition < 0 || a->number < 0 || !a->outcome_said)
		return lp_json_fail(
			j, "an attempt needs a name, a repetition, an attempt and an outcome");
	if (a->outcome == LP_OUTCOME_OK && !a->has_row)
		return lp_json_fail(j, "an attempt that went well has no row");
	return lp_json_finish(j);
}

static int keep_attempt(struct lp_reader *rd, const struct attempt *a)
{
	struct lp_results *r = rd->results;
	struct lp_row row = {.repetition = (int)a->repetition, .attempt = (int)a->number};
	long item = lp_results_item(r, a->name);
	int rc = 0;

	if (item < 0)
		return lp_read_out_of_memory(rd);
	row.item = (uint32_t)item;
	if (a->outcome == LP_OUTCOME_OK) {
		rc = lp_read_entry_row(rd, &a->entry, &row);
	} else {
		r->values = a->has_row ? a->entry.first : r->values;
		row.outcome = a->outcome;
	}
	if (rc)
		return rc;
	if (row.outcome != LP_OUTCOME_OK && a->message)
		row.reason = a->message;
	for (size_t i = 0; !rc && i < rd->absents; i++)
		rc = lp_results_add_absent(r, rd->absent[i].metric, rd->absent[i].reason, false);
	if (rc || lp_results_add_row(r, &row))
		return lp_read_out_of_memory(rd);
	return 0;
}

/* {"name": …, "repetitions": 5} or {"name": …, "reason": …} */
static int read_planned(struct lp_reader *rd, bool skipped)
{
	struct lp_json *j = &rd->json;
	uint32_t name = LP_STRING_NONE, reason = LP_STRING_NONE;
	long repetitions = 0, item;
	int rc = lp_json_enter(j, '{');

	if (rc)
		return rc;
	while ((rc = lp_json_next(j)) > 0) {
		if (!strcmp(j->text, "name"))
			rc = lp_read_name(rd, &name);
		else if (!strcmp(j->text, "reason"))
			rc = lp_read_text(rd, &reason);
		else if (!strcmp(j->text, "repetitions"))
			rc = lp_json_whole(j, 0, 1 << 20, &repetitions);
		else
			rc = lp_json_skip(j);
		if (rc)
			return rc;
	}
	if (rc)
		return rc;
	if (!name)
		return lp_json_fail(j, "a planned row without a name");
	if (skipped)
		return lp_results_add_skipped(rd->results, name, reason) ? lp_read_out_of_memory(rd)
									 : 0;
	item = lp_results_item(rd->results, name);
	if (item < 0)
		return lp_read_out_of_memory(rd);
	rd->results->item[item].planned = (int)repetitions;
	return 0;
}

static int read_plan(struct lp_reader *rd, bool skipped)
{
	struct lp_json *j = &rd->json;
	int rc = lp_json_enter(j, '[');

	while (!rc && (rc = lp_json_next(j)) > 0)
		rc = read_planned(rd, skipped);
	return rc;
}

static int read_cpus(struct lp_reader *rd)
{
	struct lp_json *j = &rd->json;
	long cpu;
	int rc;

	if (lp_json_peek(j) == 'n')
		return lp_json_skip(j);
	rc = lp_json_enter(j, '[');
	while (!rc && (rc = lp_json_next(j)) > 0) {
		rc = lp_json_whole(j, 0, INT_MAX, &cpu);
		rd->results->cpus++;
	}
	return rc;
}

/* The seed as it is written: it may need more bits than a double has. */
static int read_seed(struct lp_reader *rd)
{
	struct lp_json *j = &rd->json;
	double value;
	int rc = lp_json_number(j, &value);

	if (!rc && value == value)
		rd->results->seed = lp_strings_add(&rd->results->strings, j->text, j->length);
	return rc;
}

static int read_header_member(struct lp_reader *rd, long *version)
{
	struct lp_json *j = &rd->json;
	struct lp_results *r = rd->results;

	if (!strcmp(j->text, "lockpath_journal"))
		return lp_json_whole(j, 0, INT_MAX, version);
	if (!strcmp(j->text, "version"))
		return lp_read_text(rd, &r->version);
	if (!strcmp(j->text, "started"))
		return lp_read_text(rd, &r->started);
	if (!strcmp(j->text, "profile"))
		return lp_read_text(rd, &r->profile);
	if (!strcmp(j->text, "seed"))
		return read_seed(rd);
	if (!strcmp(j->text, "min_time_s"))
		return lp_json_number(j, &r->min_time_s);
	if (!strcmp(j->text, "cpus"))
		return read_cpus(rd);
	if (!strcmp(j->text, "plan"))
		return read_plan(rd, false);
	if (!strcmp(j->text, "skipped"))
		return read_plan(rd, true);
	return lp_json_skip(j);
}

static int read_header(struct lp_reader *rd)
{
	struct lp_json *j = &rd->json;
	long version = 0;
	int rc;

	if (lp_json_peek(j) < 0)
		return lp_json_fail(j, "the file is empty");
	rc = lp_json_enter(j, '{');
	while (!rc && (rc = lp_json_next(j)) > 0)
		rc = read_header_member(rd, &version);
	if (rc)
		return rc;
	if (!version)
		return lp_json_fail(j, "no \"lockpath_journal\" in the first line: not a journal");
	if (version != JOURNAL_VERSION)
		return lp_json_fail(j, "a journal of version %ld; this program reads version %d",
			version, JOURNAL_VERSION);
	return lp_json_finish(j);
}

int lp_read_journal(struct lp_reader *rd)
{
	struct lp_json *j = &rd->json;
	struct attempt a;
	int rc;

	j->lines = true;
	rc = read_header(rd);
	while (!rc && lp_json_peek(j) >= 0) {
		size_t values = rd->results->values;

		rc = read_attempt(rd, &a);
		if (!rc) {
			rc = keep_attempt(rd, &a);
			continue;
		}
		if (rc != -EINVAL || lp_json_end_of_line(j))
			return rc;
		rd->results->values = values;
		rc = lp_results_add_note(rd->results,
			"The last line of the journal was cut off and is left out: the run was "
			"killed while writing it.");
		if (rc)
			return lp_read_out_of_memory(rd);
	}
	if (!rc && j->read_error)
		return lp_json_fail(j, "unreadable");
	return rc;
}
