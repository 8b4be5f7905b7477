// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The structure of JSON: characters, containers, errors. Scalars are in json_scalar.c.
 *
 * Repeated keys are found by their 64-bit hashes, kept for the open objects only. Two different
 * keys of one object with the same hash would be refused wrongly; with at most 4096 keys the odds
 * are below 10^-12, and nobody loses data by it.
 */
#include "reports/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/grow.h"
#include "reports/json_scalar.h"

enum { BUFFER_BYTES = 128 * 1024 };

static int start(struct lp_json *j, const char *name, struct lp_error *err)
{
	memset(j, 0, sizeof(*j));
	j->name = name;
	j->err = err;
	j->line = 1;
	j->fd = -1;
	if (lp_grow(&j->text, &j->room, 256, 1))
		return lp_fail(err, ENOMEM, "%s: out of memory", name);
	j->text[0] = '\0';
	return 0;
}

int lp_json_memory(
	struct lp_json *j, const char *name, const void *text, size_t n, struct lp_error *err)
{
	int rc = start(j, name, err);

	j->at = text;
	j->end = n ? j->at + n : j->at;
	return rc;
}

/* O_NONBLOCK, so that a FIFO with no writer is refused instead of waited for. */
static int open_regular(const char *path, struct lp_error *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	int code = 0;

	if (fd < 0)
		return lp_fail(err, errno, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st))
		code = errno;
	else if (!S_ISREG(st.st_mode))
		code = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	if (!code)
		return fd;
	close(fd);
	return lp_fail(
		err, code, "%s: %s", path, code == EINVAL ? "not a regular file" : strerror(code));
}

int lp_json_open(struct lp_json *j, const char *path, struct lp_error *err)
{
	int rc = start(j, path, err);

	if (rc)
		return rc;
	j->fd = open_regular(path, err);
	if (j->fd < 0)
		return j->fd;
	j->buffer = malloc(BUFFER_BYTES);
	if (!j->buffer)
		return lp_fail(err, ENOMEM, "%s: out of memory", path);
	return 0;
}

void lp_json_close(struct lp_json *j)
{
	if (j->fd >= 0)
		close(j->fd);
	free(j->buffer);
	free(j->text);
	free(j->key);
	memset(j, 0, sizeof(*j));
	j->fd = -1;
}

bool lp_json_refill(struct lp_json *j)
{
	ssize_t n;

	if (j->fd < 0 || j->read_error)
		return false;
	do {
		n = read(j->fd, j->buffer, BUFFER_BYTES);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		j->read_error = errno;
	j->at = j->buffer;
	j->end = j->buffer + (n > 0 ? n : 0);
	return n > 0;
}

int lp_json_fail(struct lp_json *j, const char *format, ...)
{
	char reason[320];
	va_list args;

	if (j->read_error)
		return lp_fail(j->err, j->read_error, "%s: %s", j->name, strerror(j->read_error));
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return lp_fail(j->err, EINVAL, "%s:%lu: %s", j->name, j->line, reason);
}

int lp_json_expected(struct lp_json *j, const char *what)
{
	int c = lp_json_char(j);

	switch (c) {
	case -1:
		return lp_json_fail(j, "expected %s, but the file ends here", what);
	case '"':
		return lp_json_fail(j, "expected %s, found a string", what);
	case '{':
		return lp_json_fail(j, "expected %s, found an object", what);
	case '[':
		return lp_json_fail(j, "expected %s, found an array", what);
	case '\n':
		return lp_json_fail(j, "expected %s, but the line ends here", what);
	}
	if (c == '-' || (c >= '0' && c <= '9'))
		return lp_json_fail(j, "expected %s, found a number", what);
	if (c > ' ' && c < 127)
		return lp_json_fail(j, "expected %s, found '%c'", what, c);
	return lp_json_fail(j, "expected %s, found the byte 0x%02x", what, (unsigned)c);
}

int lp_json_peek_space(struct lp_json *j)
{
	for (;;) {
		int c = lp_json_char(j);

		if (c == '\n') {
			if (j->lines)
				return c;
			j->line++;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return c;
		}
		j->at++;
	}
}

int lp_json_peek(struct lp_json *j)
{
	return lp_json_token(j);
}

int lp_json_enter(struct lp_json *j, char open)
{
	if (lp_json_token(j) != open)
		return lp_json_expected(j, open == '{' ? "an object" : "an array");
	if (j->depth == LP_JSON_DEPTH)
		return lp_json_fail(j, "nested deeper than %d levels", LP_JSON_DEPTH);
	j->at++;
	j->level[j->depth++] = (struct lp_json_level){
		.close = open == '{' ? '}' : ']', .first = true, .keys = j->keys};
	return 0;
}

/* Remember the key just read; refuse it if the object has it already. */
static int note_key(struct lp_json *j)
{
	size_t from = j->level[j->depth - 1].keys;

	for (size_t i = from; i < j->keys; i++)
		if (j->key[i] == j->hash)
			return lp_json_fail(
				j, "the key \"%.64s\" stands twice in one object", j->text);
	if (j->keys - from == LP_JSON_KEYS)
		return lp_json_fail(j, "an object with more than %d keys", LP_JSON_KEYS);
	if (lp_grow(&j->key, &j->key_room, j->keys + 1, sizeof(*j->key)))
		return lp_fail(j->err, ENOMEM, "%s: out of memory", j->name);
	j->key[j->keys++] = j->hash;
	return 0;
}

static int read_key(struct lp_json *j)
{
	int rc;

	if (lp_json_token(j) != '"')
		return lp_json_expected(j, "a key");
	rc = lp_json_read_text(j);
	if (rc)
		return rc;
	j->hash = lp_json_hash(j);
	rc = note_key(j);
	if (rc)
		return rc;
	if (lp_json_token(j) != ':')
		return lp_json_expected(j, "':' after a key");
	j->at++;
	return 1;
}

int lp_json_next(struct lp_json *j)
{
	struct lp_json_level *l = &j->level[j->depth - 1];
	int c = lp_json_token(j);

	if (c == l->close) {
		j->at++;
		j->keys = l->keys;
		j->depth--;
		return 0;
	}
	if (!l->first) {
		if (c != ',')
			return lp_json_expected(j, l->close == '}' ? "',' or '}'" : "',' or ']'");
		j->at++;
	}
	l->first = false;
	return l->close == '}' ? read_key(j) : 1;
}

int lp_json_skip(struct lp_json *j)
{
	int base = j->depth;

	do {
		int rc = lp_json_skip_one(j);

		/* Out of every container that ends here, on to the next value. */
		while (!rc && j->depth > base) {
			rc = lp_json_next(j);
			if (rc > 0)
				break;
		}
		if (rc < 0)
			return rc;
	} while (j->depth > base);
	return 0;
}

int lp_json_finish(struct lp_json *j)
{
	int c = lp_json_token(j);

	if (c >= 0 && !(j->lines && c == '\n'))
		return lp_json_expected(
			j, j->lines ? "the end of the line" : "the end of the file");
	if (j->read_error)
		return lp_json_fail(j, "unreadable");
	if (c == '\n') {
		j->at++;
		j->line++;
	}
	return 0;
}

bool lp_json_end_of_line(struct lp_json *j)
{
	int c;

	j->depth = 0;
	j->keys = 0;
	while ((c = lp_json_char(j)) >= 0) {
		j->at++;
		if (c == '\n') {
			j->line++;
			return true;
		}
	}
	return false;
}
