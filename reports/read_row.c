// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One entry of Google Benchmark's `benchmarks`. Any member that this does not know and that is a
 * number or null is a figure. Keys are compared by handle, as a run has millions of them.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "reports/read_parts.h"

/* The handles of the keys that have a meaning are those of this order. */
enum key {
	KEY_NONE,
	KEY_NAME,
	KEY_RUN_NAME,
	KEY_RUN_TYPE,
	KEY_REPETITIONS,
	KEY_REPETITION_INDEX,
	KEY_THREADS,
	KEY_FAMILY_INDEX,
	KEY_INSTANCE_INDEX,
	KEY_REAL_TIME,
	KEY_CPU_TIME,
	KEY_TIME_UNIT,
	KEY_LABEL,
	KEY_VERDICT,
	KEY_ERROR_OCCURRED,
	KEY_ERROR_MESSAGE,
	KEY_SKIPPED,
	KEY_SKIP_MESSAGE,
	KEY_NS_PER_OP,
	KEY_CPU_NS_PER_OP,
	KEYS
};

static const char *const key_names[KEYS] = {
	[KEY_NONE] = "",
	[KEY_NAME] = "name",
	[KEY_RUN_NAME] = "run_name",
	[KEY_RUN_TYPE] = "run_type",
	[KEY_REPETITIONS] = "repetitions",
	[KEY_REPETITION_INDEX] = "repetition_index",
	[KEY_THREADS] = "threads",
	[KEY_FAMILY_INDEX] = "family_index",
	[KEY_INSTANCE_INDEX] = "per_family_instance_index",
	[KEY_REAL_TIME] = "real_time",
	[KEY_CPU_TIME] = "cpu_time",
	[KEY_TIME_UNIT] = "time_unit",
	[KEY_LABEL] = "label",
	[KEY_VERDICT] = "verdict",
	[KEY_ERROR_OCCURRED] = "error_occurred",
	[KEY_ERROR_MESSAGE] = "error_message",
	[KEY_SKIPPED] = "skipped",
	[KEY_SKIP_MESSAGE] = "skip_message",
	[KEY_NS_PER_OP] = "ns_per_op",
	[KEY_CPU_NS_PER_OP] = "cpu_ns_per_op",
};

void lp_read_keys_init(struct lp_strings *s)
{
	for (uint32_t key = 0; key < KEYS; key++)
		lp_strings_add(s, key_names[key], strlen(key_names[key]));
}

int lp_read_out_of_memory(struct lp_reader *rd)
{
	return lp_fail(rd->err, ENOMEM, "%s: out of memory", rd->json.name);
}

/* Cut where a character begins, so that the rest is still UTF-8. */
static size_t cut(const char *text, size_t length, size_t most)
{
	if (length <= most)
		return length;
	while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	return most;
}

int lp_read_text(struct lp_reader *rd, uint32_t *text)
{
	struct lp_json *j = &rd->json;
	bool is_null;
	int rc = lp_json_string(j, &is_null);

	if (rc)
		return rc;
	*text = lp_strings_add(
		&rd->results->strings, j->text, cut(j->text, j->length, LP_READ_REASON_MAX));
	return 0;
}

int lp_read_name(struct lp_reader *rd, uint32_t *name)
{
	struct lp_json *j = &rd->json;
	bool is_null;
	int rc = lp_json_string(j, &is_null);

	if (rc)
		return rc;
	if (!j->length)
		return lp_json_fail(j, "an empty name");
	if (j->length > LP_READ_NAME_MAX)
		return lp_json_fail(
			j, "a name of %zu bytes; at most %d are read", j->length, LP_READ_NAME_MAX);
	*name = lp_strings_add(&rd->results->strings, j->text, j->length);
	return 0;
}

static int read_time_unit(struct lp_json *j, double *unit_ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	bool is_null;
	int rc = lp_json_string(j, &is_null);

	if (rc)
		return rc;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(j->text, units[i].name)) {
			*unit_ns = units[i].ns;
			return 0;
		}
	}
	return lp_json_fail(j, "the time unit \"%.32s\" is none of ns, us, ms and s", j->text);
}

static int read_run_type(struct lp_json *j, bool *aggregate)
{
	bool is_null;
	int rc = lp_json_string(j, &is_null);

	*aggregate = !rc && !strcmp(j->text, "aggregate");
	return rc;
}

/* Errors are marked in two ways, by version 1.7 and by later ones; either counts. */
static int read_failed(struct lp_json *j, bool *failed)
{
	bool value;
	int rc = lp_json_bool(j, &value);

	*failed |= !rc && value;
	return rc;
}

/* A member that is a figure: a number, or null. What has another type is no figure. */
static int read_figure(struct lp_reader *rd, uint32_t metric)
{
	struct lp_json *j = &rd->json;
	int c = lp_json_peek(j), rc;
	double value;

	if (c == '"' || c == '{' || c == '[' || c == 't' || c == 'f')
		return lp_json_skip(j);
	rc = lp_json_number(j, &value);
	if (rc)
		return rc;
	if (lp_results_add_value(rd->results, metric, value))
		return lp_read_out_of_memory(rd);
	return 0;
}

static int read_text_member(struct lp_reader *rd, struct lp_entry *e, uint32_t key)
{
	switch (key) {
	case KEY_NAME:
		return lp_read_name(rd, &e->name);
	case KEY_RUN_NAME:
		return lp_read_name(rd, &e->run_name);
	case KEY_RUN_TYPE:
		return read_run_type(&rd->json, &e->aggregate);
	case KEY_TIME_UNIT:
		return read_time_unit(&rd->json, &e->unit_ns);
	case KEY_LABEL:
		return lp_read_text(rd, &e->label);
	default:
		return lp_read_text(rd, &e->message);
	}
}

static int read_member(struct lp_reader *rd, struct lp_entry *e, uint32_t key)
{
	struct lp_json *j = &rd->json;

	switch (key) {
	case KEY_NAME:
	case KEY_RUN_NAME:
	case KEY_RUN_TYPE:
	case KEY_TIME_UNIT:
	case KEY_LABEL:
	case KEY_ERROR_MESSAGE:
	case KEY_SKIP_MESSAGE:
		return read_text_member(rd, e, key);
	case KEY_REPETITION_INDEX:
		return lp_json_whole(j, 0, INT_MAX, &e->repetition);
	case KEY_VERDICT:
		return lp_json_whole(j, LP_VALID, LP_INVALID, &e->verdict);
	case KEY_ERROR_OCCURRED:
	case KEY_SKIPPED:
		return read_failed(j, &e->failed);
	case KEY_REAL_TIME:
		return lp_json_number(j, &e->real_time);
	case KEY_CPU_TIME:
		return lp_json_number(j, &e->cpu_time);
	case KEY_REPETITIONS:
	case KEY_THREADS:
	case KEY_FAMILY_INDEX:
	case KEY_INSTANCE_INDEX:
		return lp_json_skip(j);
	}
	e->ns_per_op |= key == KEY_NS_PER_OP;
	e->cpu_ns_per_op |= key == KEY_CPU_NS_PER_OP;
	return read_figure(rd, key);
}

int lp_read_entry(struct lp_reader *rd, struct lp_entry *e)
{
	struct lp_json *j = &rd->json;
	int rc;

	*e = (struct lp_entry){.verdict = -1,
		.real_time = NAN,
		.cpu_time = NAN,
		.unit_ns = 1,
		.first = rd->results->values};
	rc = lp_json_enter(j, '{');
	if (rc)
		return rc;
	while ((rc = lp_json_next(j)) > 0) {
		uint32_t key =
			lp_strings_add_hashed(&rd->results->strings, j->text, j->length, j->hash);

		rc = read_member(rd, e, key);
		if (rc)
			return rc;
	}
	return rc;
}

/* The verdict and its reason from "valid", "disturbed: why", "invalid: why". A foreign label says
 * something else and is no reason. */
static void judge(struct lp_strings *s, const struct lp_entry *e, struct lp_row *row)
{
	static const char *const words[] = {"valid", "disturbed", "invalid"};
	const char *label = lp_strings_text(s, e->label), *why = NULL;

	row->verdict = LP_VALID;
	for (int v = LP_VALID; v <= LP_INVALID; v++) {
		size_t n = strlen(words[v]);

		if (strncmp(label, words[v], n) || (label[n] && label[n] != ':'))
			continue;
		row->verdict = (enum lp_verdict)v;
		why = label[n] ? label + n + 1 + strspn(label + n + 1, " ") : NULL;
	}
	if (e->verdict >= 0)
		row->verdict = (enum lp_verdict)e->verdict;
	if (why && row->verdict != LP_VALID)
		row->reason = lp_strings_add(s, why, strlen(why));
}

static int add_time(struct lp_reader *rd, bool there, uint32_t metric, double value)
{
	if (there || isnan(value))
		return 0;
	if (lp_results_add_value(rd->results, metric, value))
		return lp_read_out_of_memory(rd);
	return 0;
}

int lp_read_entry_row(struct lp_reader *rd, const struct lp_entry *e, struct lp_row *row)
{
	struct lp_results *r = rd->results;
	int rc;

	row->first = e->first;
	if (e->failed) {
		r->values = e->first;
		row->values = 0;
		row->outcome = LP_OUTCOME_ERROR;
		row->reason = e->message;
		return 0;
	}
	rc = add_time(rd, e->ns_per_op, KEY_NS_PER_OP, e->real_time * e->unit_ns);
	if (!rc)
		rc = add_time(rd, e->cpu_ns_per_op, KEY_CPU_NS_PER_OP, e->cpu_time * e->unit_ns);
	if (rc)
		return rc;
	row->values = r->values - e->first;
	row->outcome = LP_OUTCOME_OK;
	judge(&r->strings, e, row);
	return 0;
}

int lp_read_absent(struct lp_reader *rd)
{
	struct lp_json *j = &rd->json;
	struct lp_strings *s = &rd->results->strings;
	size_t most = sizeof(rd->absent) / sizeof(rd->absent[0]);
	int rc = lp_json_enter(j, '{');

	if (rc)
		return rc;
	while ((rc = lp_json_next(j)) > 0) {
		uint32_t reason, metric = lp_strings_add(
					 s, j->text, cut(j->text, j->length, LP_READ_REASON_MAX));

		rc = lp_read_text(rd, &reason);
		if (rc)
			return rc;
		if (rd->absents == most)
			continue;
		rd->absent[rd->absents].metric = metric;
		rd->absent[rd->absents++].reason = reason;
	}
	return rc;
}
