// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A results folder: which of its files are there, and the two small ones. machine.json and
 * suites.json are kilobytes, so that they may be read as trees; a report without them is poorer but
 * right, a report with a broken one would not be.
 */
#include "reports/read.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/read_parts.h"

/* Larger ones are none of ours. */
enum { SMALL_FILE_BYTES = 16 << 20 };

typedef int (*reading)(struct lp_reader *rd);

/* @read the file that @rd->json has open, and close it. */
static int read_and_group(struct lp_reader *rd, reading read_file)
{
	int rc;

	lp_read_keys_init(&rd->results->strings);
	rc = read_file(rd);
	if (!rc && lp_results_group(rd->results))
		rc = lp_read_out_of_memory(rd);
	/* Whatever else seems to be wrong: texts that could not be kept look like missing ones. */
	if (rd->results->strings.failed)
		rc = lp_read_out_of_memory(rd);
	return rc;
}

static int read_file(struct lp_results *r, const char *path, reading read, struct lp_error *err)
{
	struct lp_reader rd = {.results = r, .err = err};
	int rc = lp_json_open(&rd.json, path, err);

	if (!rc)
		rc = read_and_group(&rd, read);
	lp_json_close(&rd.json);
	return rc;
}

static int read_text(struct lp_results *r, const char *name, const void *text, size_t size,
	reading read, struct lp_error *err)
{
	struct lp_reader rd = {.results = r, .err = err};
	int rc = lp_json_memory(&rd.json, name, text, size, err);

	if (!rc)
		rc = read_and_group(&rd, read);
	lp_json_close(&rd.json);
	return rc;
}

int lp_read_journal_text(
	struct lp_results *r, const char *name, const void *text, size_t size, struct lp_error *err)
{
	return read_text(r, name, text, size, lp_read_journal, err);
}

int lp_read_benchmark_text(
	struct lp_results *r, const char *name, const void *text, size_t size, struct lp_error *err)
{
	return read_text(r, name, text, size, lp_read_benchmark, err);
}

/* The tree of the small file @path, NULL when there is none. */
static int load_small(const char *path, json_t **json, struct lp_error *err)
{
	json_error_t where;
	struct stat st;

	*json = NULL;
	if (stat(path, &st))
		return errno == ENOENT ? 0 : lp_fail(err, errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > SMALL_FILE_BYTES)
		return lp_fail(err, EINVAL, "%s: not a regular file of at most %d MiB", path,
			SMALL_FILE_BYTES >> 20);
	*json = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
	if (*json)
		return 0;
	if (where.line < 1)
		return lp_fail(err, EINVAL, "%s: %s", path, where.text);
	return lp_fail(err, EINVAL, "%s:%d: %s", path, where.line, where.text);
}

static int join(char path[PATH_MAX], const char *folder, const char *name, struct lp_error *err)
{
	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		return lp_fail(err, ENAMETOOLONG, "%.200s…: the path is too long", folder);
	return 0;
}

static int read_machine(struct lp_results *r, const char *folder, struct lp_error *err)
{
	char path[PATH_MAX];
	int rc = join(path, folder, "machine.json", err);

	if (!rc)
		rc = load_small(path, &r->machine, err);
	if (!rc && r->machine && !json_is_object(r->machine))
		rc = lp_fail(err, EINVAL, "%s: expected an object", path);
	return rc;
}

static int read_suites(struct lp_results *r, const char *folder, struct lp_error *err)
{
	char path[PATH_MAX];
	json_t *json;
	int rc = join(path, folder, "suites.json", err);

	if (!rc)
		rc = load_small(path, &json, err);
	if (!rc && json)
		rc = lp_suites_load(&r->suites, json, path, err);
	return rc;
}

static int read_folder(struct lp_results *r, const char *folder, struct lp_error *err)
{
	char path[PATH_MAX];
	int rc = join(path, folder, "journal.jsonl", err);

	if (rc)
		return rc;
	if (!access(path, F_OK)) {
		rc = read_file(r, path, lp_read_journal, err);
	} else {
		rc = join(path, folder, "benchmark.json", err);
		if (!rc && access(path, F_OK))
			rc = lp_fail(err, ENOENT,
				"%s: neither journal.jsonl nor benchmark.json can be found here; "
				"is it a results folder?",
				folder);
		if (!rc)
			rc = read_file(r, path, lp_read_benchmark, err);
	}
	if (!rc)
		rc = read_machine(r, folder, err);
	return rc ? rc : read_suites(r, folder, err);
}

int lp_read_results(struct lp_results *r, const char *path, struct lp_error *err)
{
	size_t length = strlen(path);
	struct stat st;

	r->path = path;
	if (stat(path, &st))
		return lp_fail(err, errno, "%.300s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return read_folder(r, path, err);
	if (length > 6 && !strcmp(path + length - 6, ".jsonl"))
		return read_file(r, path, lp_read_journal, err);
	return read_file(r, path, lp_read_benchmark, err);
}
