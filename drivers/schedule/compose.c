// SPDX-License-Identifier: GPL-2.0-or-later
/* From the journal to the files that other tools read; compose.h says what counts. */
#include "drivers/schedule/compose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/measure/disturbance.h"
#include "drivers/schedule/describe.h"

/* Whether an attempt gave a row to use, whatever its verdict. */
static bool measured(const json_t *line)
{
	const char *outcome = json_string_value(json_object_get(line, "outcome"));

	return outcome && !strcmp(outcome, "ok") && json_is_object(json_object_get(line, "row"));
}

static json_t *repetition_key(const char *name, json_int_t repetition)
{
	return json_sprintf("%s#%lld", name, (long long)repetition);
}

/* The last attempt at every repetition, by "name#repetition"; values are borrowed lines. */
static json_t *last_attempts(const json_t *lines)
{
	json_t *last = json_object();
	json_t *line, *key;
	size_t i;

	json_array_foreach (lines, i, line) {
		const char *name = json_string_value(json_object_get(line, "name"));

		if (!name)
			continue;
		key = repetition_key(name, json_integer_value(json_object_get(line, "repetition")));
		json_object_set(last, json_string_value(key), line);
		json_decref(key);
	}
	return last;
}

/* ---- rows ---- */

static json_t *error_row(
	const char *name, json_int_t repetitions, json_int_t repetition, const json_t *line)
{
	const char *outcome = json_string_value(json_object_get(line, "outcome"));
	const char *message = json_string_value(json_object_get(line, "message"));
	const char *threads = strstr(name, "/threads:");

	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:i, s:b, s:o, s:s}", "name", name, "run_name",
		name, "run_type", "iteration", "repetitions", repetitions, "repetition_index",
		repetition, "threads", threads ? atoi(threads + 9) : 1, "error_occurred", 1,
		"error_message",
		json_sprintf("%s%s%s", outcome ? outcome : "error", message ? ": " : "",
			message ? message : ""),
		"time_unit", "ns");
}

static void count(struct lp_tally *t, const json_t *line)
{
	if (!measured(line)) {
		t->errors++;
		return;
	}
	switch (json_integer_value(json_object_get(json_object_get(line, "row"), "verdict"))) {
	case LP_VALID:
		t->valid++;
		break;
	case LP_DISTURBED:
		t->disturbed++;
		break;
	default:
		t->invalid++;
	}
}

struct composition {
	json_t *last, *rows, *details;
	struct lp_tally *tally;
};

static void add_repetition(
	struct composition *c, const char *name, json_int_t repetitions, json_int_t repetition)
{
	json_t *key = repetition_key(name, repetition);
	json_t *line = json_object_get(c->last, json_string_value(key)), *details;

	json_decref(key);
	c->tally->planned++;
	if (!line) {
		c->tally->missing++;
		return;
	}
	count(c->tally, line);
	if (measured(line))
		json_array_append(c->rows, json_object_get(line, "row"));
	else
		json_array_append_new(c->rows, error_row(name, repetitions, repetition, line));
	details = json_object_get(line, "lockpath");
	if (json_is_object(details)) {
		details = json_copy(details);
		json_object_set_new(details, "name", json_string(name));
		json_object_set_new(details, "repetition", json_integer(repetition));
		json_array_append_new(c->details, details);
	}
}

static void add_planned(struct composition *c, const json_t *header)
{
	const json_t *item;
	size_t i;

	json_array_foreach (json_object_get(header, "plan"), i, item) {
		const char *name = json_string_value(json_object_get(item, "name"));
		json_int_t n = json_integer_value(json_object_get(item, "repetitions"));

		for (json_int_t r = 0; name && r < n; r++)
			add_repetition(c, name, n, r);
	}
}

/* ---- context ---- */

static bool any_row_has(const json_t *rows, const char *metric)
{
	const json_t *row;
	size_t i;

	json_array_foreach (rows, i, row)
		if (json_is_number(json_object_get(row, metric)))
			return true;
	return false;
}

/* What the run lacks altogether, with the first reason given; each row's own stand in details.json.
 */
static json_t *absences(const struct composition *c)
{
	json_t *all = json_object(), *reason;
	const json_t *row;
	const char *metric;
	size_t i;

	json_array_foreach (c->details, i, row)
		json_object_foreach (json_object_get(row, "absent"), metric, reason)
			if (!json_object_get(all, metric) && !any_row_has(c->rows, metric))
				json_object_set(all, metric, reason);
	return all;
}

/* What the measuring program said of its machine, the first time that it said anything. */
static json_t *first_context(const json_t *lines)
{
	const json_t *line;
	size_t i;

	json_array_foreach (lines, i, line) {
		json_t *found = json_object_get(line, "context");

		if (json_is_object(found))
			return json_copy(found);
	}
	return json_pack("{s:s}", "library_build_type", "release");
}

/* Tools expect a host's name; none is given away. */
static json_t *context(const struct composition *composition, const json_t *lines)
{
	json_t *header = json_array_get(lines, 0), *c = first_context(lines);

	json_object_update_new(c,
		json_pack("{s:O?, s:s, s:s, s:{s:O?, s:O?, s:O?, s:O?, s:o}}", "date",
			json_object_get(header, "started"), "host_name", "", "executable",
			"lockpath-bench", "lockpath", "version", json_object_get(header, "version"),
			"seed", json_object_get(header, "seed"), "profile",
			json_object_get(header, "profile"), "min_time_s",
			json_object_get(header, "min_time_s"), "absent", absences(composition)));
	return c;
}

/* ---- files ---- */

static int sync_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;

	if (fd < 0)
		return -errno;
	rc = fsync(fd) ? -errno : 0;
	close(fd);
	return rc;
}

int lp_compose_write(
	const char *folder, const char *name, const json_t *value, struct lp_error *err)
{
	char path[4096], whole[4096];
	int rc = 0;

	snprintf(path, sizeof(path), "%s/.%s.new", folder, name);
	snprintf(whole, sizeof(whole), "%s/%s", folder, name);
	errno = 0;
	if (json_dump_file(value, path, JSON_INDENT(1)))
		rc = errno ? -errno : -EIO;
	if (!rc)
		rc = sync_file(path);
	if (!rc && rename(path, whole))
		rc = -errno;
	if (!rc)
		return 0;
	unlink(path);
	return lp_fail(err, -rc, "%s: %s", whole, strerror(-rc));
}

static int write_files(
	const char *folder, const struct composition *c, const json_t *lines, struct lp_error *err)
{
	json_t *benchmark =
		json_pack("{s:o, s:O}", "context", context(c, lines), "benchmarks", c->rows);
	json_t *details = json_pack("{s:O}", "rows", c->details);
	json_t *suites = lp_describe_suites();
	int rc = lp_compose_write(folder, "benchmark.json", benchmark, err);

	if (!rc)
		rc = lp_compose_write(folder, "details.json", details, err);
	if (!rc)
		rc = lp_compose_write(folder, "suites.json", suites, err);
	json_decref(benchmark);
	json_decref(details);
	json_decref(suites);
	return rc;
}

int lp_compose(
	const char *folder, const json_t *lines, struct lp_tally *tally, struct lp_error *err)
{
	const json_t *header = json_array_get(lines, 0);
	struct composition c = {.last = last_attempts(lines),
		.rows = json_array(),
		.details = json_array(),
		.tally = tally};
	int rc;

	memset(tally, 0, sizeof(*tally));
	tally->skipped = json_array_size(json_object_get(header, "skipped"));
	add_planned(&c, header);
	rc = write_files(folder, &c, lines, err);
	json_decref(c.last);
	json_decref(c.rows);
	json_decref(c.details);
	return rc;
}
