// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names and patterns. A report knows no suite's parameters: it takes a name apart at its slashes
 * and colons, so that a suite added tomorrow needs nothing here. It would stop working if a
 * parameter's value had a slash in it.
 */
#include "reports/name.h"

#include <stdlib.h>
#include <string.h>

static const char *const mode_names[LP_ROW_MODES] = {"timing", "observed", "exact", "soak"};

const char *lp_row_mode_name(enum lp_row_mode mode)
{
	return mode_names[mode];
}

enum lp_row_mode lp_row_mode_find(const char *word)
{
	int mode = 0;

	while (mode < LP_ROW_MODES && strcmp(mode_names[mode], word))
		mode++;
	return mode;
}

/* The value behind @key and a colon if the part of @length bytes at @part is that. */
static const char *part_value(const char *part, size_t length, const char *key)
{
	size_t n = strlen(key);

	return length > n && !strncmp(part, key, n) && part[n] == ':' ? part + n + 1 : NULL;
}

static bool take_threads(const char *part, size_t length, struct lp_name *n)
{
	const char *value = part_value(part, length, "threads");
	long threads;
	char *end;

	if (!value)
		return false;
	threads = strtol(value, &end, 10);
	if (end == value || end != part + length || threads < 0 || threads > 1 << 20)
		return false;
	n->threads = (int)threads;
	return true;
}

static bool take_mode(const char *part, size_t length, struct lp_name *n)
{
	const char *value = part_value(part, length, "mode");

	for (int m = 0; value && m < LP_ROW_MODES; m++) {
		size_t size = (size_t)(part + length - value);

		if (strlen(mode_names[m]) == size && !strncmp(value, mode_names[m], size)) {
			n->mode = (enum lp_row_mode)m;
			return true;
		}
	}
	return false;
}

static bool take_param(struct lp_strings *s, const char *part, size_t length, struct lp_name *n)
{
	const char *colon = memchr(part, ':', length);
	const char *value = colon ? colon + 1 : part;

	if (n->params == LP_NAME_PARAMS)
		return false;
	n->param[n->params++] = (struct lp_name_param){
		.key = lp_strings_add(s, part, colon ? (size_t)(colon - part) : 0),
		.value = lp_strings_add(s, value, (size_t)(part + length - value)),
	};
	return true;
}

static bool parse_ours(struct lp_strings *s, const char *text, struct lp_name *n)
{
	size_t length = strcspn(text, "/");
	const char *part = text + length;

	if (!*part || !length)
		return false;
	n->suite = lp_strings_add(s, text, length);
	length = strcspn(++part, "/");
	n->variant = lp_strings_add(s, part, length);
	for (part += length; *part; part += length) {
		length = strcspn(++part, "/");
		if (!take_threads(part, length, n) && !take_mode(part, length, n) &&
			!take_param(s, part, length, n))
			return false;
	}
	return true;
}

void lp_name_parse(struct lp_strings *s, const char *text, bool foreign, struct lp_name *n)
{
	const char *last = strrchr(text, '/');
	size_t length = strlen(text);

	memset(n, 0, sizeof(*n));
	if (!foreign && parse_ours(s, text, n))
		return;
	memset(n, 0, sizeof(*n));
	if (last && take_threads(last + 1, strlen(last + 1), n))
		length = (size_t)(last - text);
	n->variant = lp_strings_add(s, text, length);
}

uint32_t lp_name_value(const struct lp_name *n, uint32_t key)
{
	for (unsigned i = 0; i < n->params; i++)
		if (n->param[i].key == key)
			return n->param[i].value;
	return LP_STRING_NONE;
}

static unsigned stars(const char *pattern)
{
	unsigned n = 0;

	for (; *pattern; pattern++)
		n += *pattern == '*';
	return n;
}

bool lp_pattern_match(const char *pattern, const char *text, struct lp_captures *c)
{
	const char *after_star = NULL;

	c->count = 0;
	if (stars(pattern) > LP_PATTERN_STARS)
		return false;
	while (*text || *pattern) {
		if (*pattern == '*') {
			after_star = ++pattern;
			c->star[c->count].at = text;
			c->star[c->count++].length = 0;
		} else if (*text && *pattern == *text) {
			pattern++;
			text++;
		} else if (after_star && c->star[c->count - 1].at[c->star[c->count - 1].length]) {
			/* The last star takes one more; what came before it stays as it is. */
			text = c->star[c->count - 1].at + ++c->star[c->count - 1].length;
			pattern = after_star;
		} else {
			return false;
		}
	}
	return true;
}

bool lp_captures_equal(const struct lp_captures *a, const struct lp_captures *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (a->star[i].length != b->star[i].length ||
			memcmp(a->star[i].at, b->star[i].at, a->star[i].length))
			return false;
	return true;
}
