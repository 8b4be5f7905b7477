// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Appending durably: one write(2) and one fdatasync(2) a line. A killed writer can leave at most a
 * torn last line, which has no newline and is cut off when the journal is opened again.
 */
#include "drivers/schedule/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { JOURNAL_VERSION = 1, PROBE_BYTES = 64 << 10 };

static int open_journal(struct lp_journal *j, const char *folder, int flags, struct lp_error *err)
{
	char path[4096];

	j->folder = strdup(folder);
	if (!j->folder)
		return lp_fail(err, ENOMEM, "no memory");
	snprintf(path, sizeof(path), "%s/journal.jsonl", folder);
	j->fd = open(path, flags | O_RDWR | O_APPEND | O_CLOEXEC, 0666);
	if (j->fd < 0)
		return lp_fail(err, errno, "%s: %s", path, strerror(errno));
	if (flock(j->fd, LOCK_EX | LOCK_NB))
		return lp_fail(err, EBUSY, "%s: another run is writing to this folder", folder);
	return 0;
}

void lp_journal_close(struct lp_journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	free(j->folder);
	j->fd = -1;
	j->folder = NULL;
}

/* ---- writing ---- */

static int write_all(struct lp_journal *j, const char *text, size_t n, struct lp_error *err)
{
	off_t before = lseek(j->fd, 0, SEEK_END);
	ssize_t written = write(j->fd, text, n);
	int rc;

	if (written == (ssize_t)n && !fdatasync(j->fd))
		return 0;
	if (written >= 0 && written < (ssize_t)n)
		errno = ENOSPC;
	rc = lp_fail(err, errno, "%s/journal.jsonl: %s; what has finished is kept", j->folder,
		strerror(errno));
	/* Half a line is worth nothing. Where even this fails, opening it again cuts it off. */
	(void)!ftruncate(j->fd, before);
	return rc;
}

int lp_journal_append(struct lp_journal *j, const json_t *line, struct lp_error *err)
{
	char *text = json_dumps(line, JSON_COMPACT), *whole = NULL;
	int n = text ? asprintf(&whole, "%s\n", text) : -1;
	int rc;

	free(text);
	if (n < 0)
		return lp_fail(err, ENOMEM, "no memory for a line of the journal");
	rc = write_all(j, whole, (size_t)n, err);
	free(whole);
	return rc;
}

int lp_journal_probe(struct lp_journal *j, struct lp_error *err)
{
	static const char blank[PROBE_BYTES];
	int fd = open(j->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	ssize_t n;
	int error;

	if (fd < 0) /* this file system has no unnamed files; the next line will tell */
		return 0;
	n = write(fd, blank, sizeof(blank));
	error = n < 0 ? errno : fdatasync(fd) ? errno : 0;
	close(fd);
	if (n >= 0 && n < (ssize_t)sizeof(blank))
		error = ENOSPC;
	if (error != ENOSPC && error != EDQUOT)
		return 0;
	return lp_fail(err, error, "%s: %s; what has finished is kept", j->folder, strerror(error));
}

static json_t *plan_to_json(const struct lp_run_plan *p)
{
	json_t *plan = json_array(), *skipped = json_array(), *cpus = json_array();
	char started[32];
	time_t now = time(NULL);
	struct tm utc;

	for (size_t i = 0; i < p->count; i++) {
		const struct lp_plan_entry *e = &p->entry[i];

		if (e->skipped)
			json_array_append_new(skipped,
				json_pack("{s:s, s:s}", "name", e->name, "reason", e->skipped));
		else
			json_array_append_new(plan, json_pack("{s:s, s:i}", "name", e->name,
							    "repetitions", e->repetitions));
	}
	for (int i = 0; i < p->cpus; i++)
		json_array_append_new(cpus, json_integer(p->os_cpu[i]));
	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	return json_pack("{s:i, s:s, s:s, s:s, s:I, s:f, s:o, s:o, s:o}", "lockpath_journal",
		JOURNAL_VERSION, "version", LOCKPATH_VERSION, "started", started, "profile",
		p->profile == LP_PROFILE_FULL ? "full" : "quick", "seed", (json_int_t)p->seed,
		"min_time_s", p->min_time_s, "cpus", cpus, "plan", plan, "skipped", skipped);
}

/* A folder whose journal could not even be begun holds nothing that anyone could go on with. */
static void discard(struct lp_journal *j, const char *folder)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/journal.jsonl", folder);
	unlink(path);
	rmdir(folder);
	lp_journal_close(j);
}

int lp_journal_create(struct lp_journal *j, const char *folder, const struct lp_run_plan *plan,
	struct lp_error *err)
{
	json_t *header;
	int rc;

	*j = (struct lp_journal){.fd = -1};
	if (mkdir(folder, 0777))
		return lp_fail(err, errno, "%s: %s%s", folder, strerror(errno),
			errno == EEXIST ? "; --resume goes on with it" : "");
	rc = open_journal(j, folder, O_CREAT | O_EXCL, err);
	if (!rc) {
		header = plan_to_json(plan);
		rc = lp_journal_append(j, header, err);
		json_decref(header);
	}
	if (rc)
		discard(j, folder);
	return rc;
}

/* ---- reading ---- */

/* Adds one line of text. Return: 0, or -EINVAL with @err. */
static int add_line(
	json_t *lines, const char *path, const char *text, size_t n, struct lp_error *err)
{
	json_error_t why;
	json_t *line = json_loadb(text, n, JSON_REJECT_DUPLICATES, &why);

	if (!json_is_object(line)) {
		json_decref(line);
		return lp_fail(err, EINVAL, "%s:%zu: %s", path, json_array_size(lines) + 1,
			line ? "not an object" : why.text);
	}
	json_array_append_new(lines, line);
	return 0;
}

static int check_header(const json_t *header, const char *path, struct lp_error *err)
{
	json_int_t version = json_integer_value(json_object_get(header, "lockpath_journal"));

	if (!version)
		return lp_fail(err, EINVAL, "%s:1: not the header of a journal", path);
	if (version != JOURNAL_VERSION)
		return lp_fail(err, EINVAL,
			"%s:1: a journal of version %lld; this program knows %d", path,
			(long long)version, JOURNAL_VERSION);
	return 0;
}

/* Reads whole lines of @f. @good receives the length up to a torn last line. */
static int read_lines(FILE *f, const char *path, json_t *lines, off_t *good, struct lp_error *err)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t n;
	int rc = 0;

	*good = 0;
	while (!rc && (n = getline(&text, &room, f)) > 0) {
		if (text[n - 1] != '\n')
			break;
		rc = add_line(lines, path, text, (size_t)n, err);
		*good += n;
	}
	free(text);
	return rc ? rc : check_header(json_array_get(lines, 0), path, err);
}

static json_t *read_folder(const char *folder, off_t *good, struct lp_error *err)
{
	json_t *lines = json_array();
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/journal.jsonl", folder);
	f = fopen(path, "re");
	if (!f) {
		lp_fail(err, errno, "%s: %s", path, strerror(errno));
		json_decref(lines);
		return NULL;
	}
	if (read_lines(f, path, lines, good, err)) {
		json_decref(lines);
		lines = NULL;
	}
	fclose(f);
	return lines;
}

json_t *lp_journal_read(const char *folder, struct lp_error *err)
{
	off_t good;

	return read_folder(folder, &good, err);
}

int lp_journal_reopen(
	struct lp_journal *j, const char *folder, json_t **lines, struct lp_error *err)
{
	off_t good;
	int rc;

	*j = (struct lp_journal){.fd = -1};
	rc = open_journal(j, folder, 0, err);
	if (!rc) {
		*lines = read_folder(folder, &good, err);
		if (!*lines)
			rc = -err->code;
		else if (ftruncate(j->fd, good)) {
			json_decref(*lines);
			rc = lp_fail(err, errno, "%s/journal.jsonl: %s", folder, strerror(errno));
		}
	}
	if (rc)
		lp_journal_close(j);
	return rc;
}

/* ---- the plan in the header ---- */

static int add_planned(struct lp_run_plan *plan, const json_t *item, struct lp_error *err)
{
	const char *name = json_string_value(json_object_get(item, "name"));
	json_int_t repetitions = json_integer_value(json_object_get(item, "repetitions"));
	struct lp_case c;

	if (!name || repetitions < 1 || repetitions > 1000)
		return lp_fail(err, EINVAL, "the journal's plan is malformed");
	if (lp_case_parse(&c, name, err))
		return -EINVAL;
	if (lp_plan_add(plan, name, (int)repetitions, NULL))
		return lp_fail(err, ENOMEM, "no memory for the plan");
	return 0;
}

static int read_cpus(const json_t *header, struct lp_run_plan *plan, struct lp_error *err)
{
	const json_t *cpus = json_object_get(header, "cpus");
	size_t n = json_array_size(cpus);

	plan->os_cpu = calloc(n + 1, sizeof(*plan->os_cpu));
	if (!plan->os_cpu || !n)
		return lp_fail(err, EINVAL, "the journal names no CPUs");
	for (size_t i = 0; i < n; i++)
		plan->os_cpu[i] = (int)json_integer_value(json_array_get(cpus, i));
	plan->cpus = (int)n;
	return 0;
}

int lp_journal_plan(const json_t *header, struct lp_run_plan *plan, struct lp_error *err)
{
	const char *profile = json_string_value(json_object_get(header, "profile"));
	const json_t *items = json_object_get(header, "plan"), *item;
	size_t i;
	int rc;

	memset(plan, 0, sizeof(*plan));
	plan->profile = profile && !strcmp(profile, "full") ? LP_PROFILE_FULL : LP_PROFILE_QUICK;
	plan->seed = (uint64_t)json_integer_value(json_object_get(header, "seed"));
	plan->min_time_s = json_number_value(json_object_get(header, "min_time_s"));
	rc = read_cpus(header, plan, err);
	json_array_foreach (items, i, item)
		if (!rc)
			rc = add_planned(plan, item, err);
	if (!rc && (!plan->count || !(plan->min_time_s > 0)))
		rc = lp_fail(err, EINVAL, "the journal's plan is malformed");
	if (rc)
		lp_plan_free(plan);
	return rc;
}
