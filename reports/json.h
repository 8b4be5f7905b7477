/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pull reader of strict JSON (RFC 8259), for files of any size in constant memory.
 *
 * A result of 100 000 rows has some 5 million numbers of which a report keeps a few; a tree of all
 * of them costs gigabytes, and it no longer knows the line of what is wrong. So the caller walks
 * the text: enter a container, ask for its next member, read or skip the member. Whatever is
 * malformed, of the wrong type, repeated or out of bounds ends in -EINVAL and
 * "file:line: reason". After an error only lp_json_end_of_line() and lp_json_close() may be called.
 *
 * Bounds: LP_JSON_DEPTH levels, LP_JSON_KEYS keys of one object, LP_JSON_STRING bytes of one
 * string.
 */
#ifndef LP_REPORTS_JSON_H
#define LP_REPORTS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum { LP_JSON_DEPTH = 64, LP_JSON_KEYS = 4096, LP_JSON_STRING = 64 * 1024 };

struct lp_json {
	const char *name;     /* of the file, for messages; the caller's */
	struct lp_error *err; /* the caller's */
	unsigned long line;   /* of the next character, from 1 */
	bool lines;	      /* JSON Lines: a newline may not stand inside a value */
	/* The last string, key or number read, NUL-terminated; until the next one is read. */
	char *text;
	size_t length;
	uint64_t hash; /* lp_string_hash() of the last key */
	/* private */
	int fd, read_error;
	const unsigned char *at, *end;
	unsigned char *buffer;
	size_t room;
	int depth;
	struct lp_json_level {
		char close;
		bool first;
		size_t keys;
	} level[LP_JSON_DEPTH];
	uint64_t *key;
	size_t keys, key_room;
};

/** lp_json_open() - read the regular file @path. Return: 0, or -errno with @err "path: reason". */
int lp_json_open(struct lp_json *j, const char *path, struct lp_error *err);

/** lp_json_memory() - read @n bytes at @text, which stay the caller's; @name stands in messages. */
int lp_json_memory(
	struct lp_json *j, const char *name, const void *text, size_t n, struct lp_error *err);

void lp_json_close(struct lp_json *j);

/** lp_json_peek() - the first character of the next value, −1 at the end of the text. */
int lp_json_peek(struct lp_json *j);

/** lp_json_enter() - go into the object ('{') or array ('[') that must come next. */
int lp_json_enter(struct lp_json *j, char open);

/**
 * lp_json_next() - the next member of the container that was entered last.
 *
 * Return: 1 when there is one, to be read or skipped (an object's key is in text, length and
 * hash); 0 when the container has ended and was left; -errno.
 */
int lp_json_next(struct lp_json *j);

/** lp_json_number() - the next value, a number or null (then NaN), into @value. */
int lp_json_number(struct lp_json *j, double *value);

/** lp_json_whole() - the next value, a whole number of @min to @max, into @value. */
int lp_json_whole(struct lp_json *j, long min, long max, long *value);

/** lp_json_string() - the next value, a string, into text and length; null: empty, *@is_null. */
int lp_json_string(struct lp_json *j, bool *is_null);

/** lp_json_bool() - the next value, true or false, into @value. */
int lp_json_bool(struct lp_json *j, bool *value);

/** lp_json_skip() - go past the next value, whatever it is. */
int lp_json_skip(struct lp_json *j);

/** lp_json_finish() - 0 if only white space follows; with `lines`, up to the end of the line,
 * which is consumed. */
int lp_json_finish(struct lp_json *j);

/** lp_json_end_of_line() - after an error: go to the next line. Return: false when the text ended
 * before a newline, that is, the line was cut off. */
bool lp_json_end_of_line(struct lp_json *j);

/** lp_json_fail() - an error at the current line, for what a caller finds wrong in a value. */
int lp_json_fail(struct lp_json *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
