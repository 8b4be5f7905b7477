// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The document appears under its name only when all of it is on the disk, so that a reader never
 * takes a torn one for a result, whenever this process is killed.
 */
#include "drivers/bench/document.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int number_row(
	const json_t *report, const struct lp_document_facts *facts, struct lp_error *err)
{
	json_t *rows = json_object_get(report, "benchmarks");
	json_t *row = json_array_get(rows, 0);

	if (json_array_size(rows) != 1)
		return lp_fail(err, EINVAL,
			"--out holds one row, and %zu were made; leave out --benchmark_repetitions",
			json_array_size(rows));
	json_object_set_new(row, "repetition_index", json_integer(facts->repetition));
	json_object_set_new(row, "repetitions", json_integer(facts->repetitions));
	return 0;
}

int lp_document_compose(const char *report, json_t *details, const struct lp_document_facts *facts,
	json_t **document, struct lp_error *err)
{
	json_error_t why;
	json_t *d = json_loads(report, JSON_REJECT_DUPLICATES, &why);
	int rc;

	*document = NULL;
	if (!d)
		return lp_fail(
			err, EINVAL, "the report is not JSON: line %d: %s", why.line, why.text);
	rc = number_row(d, facts, err);
	if (rc) {
		json_decref(d);
		return rc;
	}
	json_object_set_new(json_object_get(d, "context"), "lockpath",
		json_pack("{s:s, s:I, s:s}", "version", LOCKPATH_VERSION, "seed",
			(json_int_t)facts->seed, "profile", facts->profile));
	json_object_set_new(d, "lockpath", details ? json_incref(details) : json_null());
	*document = d;
	return 0;
}

/* Return: 0, or a positive errno. */
static int write_and_sync(const json_t *document, FILE *file, bool to_disk)
{
	if (json_dumpf(document, file, JSON_INDENT(1)) || fputc('\n', file) == EOF || fflush(file))
		return errno ? errno : EIO;
	return to_disk && fsync(fileno(file)) ? errno : 0;
}

/* Return: an open temporary file beside @path, its name in *@name; NULL with errno set. */
static FILE *open_beside(const char *path, char **name)
{
	mode_t mask = umask(0);
	FILE *file;
	int fd;

	umask(mask);
	if (asprintf(name, "%s.XXXXXX", path) < 0) {
		*name = NULL;
		return NULL;
	}
	fd = mkstemp(*name);
	if (fd < 0)
		return NULL;
	/* mkstemp() keeps others out, which results need not. */
	fchmod(fd, 0666 & ~mask);
	file = fdopen(fd, "w");
	if (!file) {
		close(fd);
		unlink(*name);
	}
	return file;
}

static int write_file(const json_t *document, const char *path)
{
	char *name = NULL;
	FILE *file = open_beside(path, &name);
	int error;

	if (!file) {
		error = errno;
		free(name);
		return error;
	}
	error = write_and_sync(document, file, true);
	if (fclose(file) && !error)
		error = errno;
	if (!error && rename(name, path))
		error = errno;
	if (error)
		unlink(name);
	free(name);
	return error;
}

int lp_document_write(const json_t *document, const char *path, struct lp_error *err)
{
	int error;

	errno = 0;
	error = strcmp(path, "-") ? write_file(document, path)
				  : write_and_sync(document, stdout, false);
	return error ? lp_fail(err, error, "cannot write %s: %s",
			       strcmp(path, "-") ? path : "to stdout", strerror(error))
		     : 0;
}
