// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading one fact: a file, or a field of one.
 *
 * Reasons name the kernel's path without the root that a test puts before it, so that no folder
 * of the machine gets into the facts.
 */
#include "common/machine/facts_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lp_facts_set(struct lp_facts *f, const char *key, json_t *value)
{
	/* jansson refuses a NULL value, and drops the reference when it cannot keep it. */
	f->incomplete |= json_object_set_new(f->facts, key, value) != 0;
}

void lp_facts_absent(struct lp_facts *f, const char *key, const char *reason)
{
	lp_facts_set(f, key, json_null());
	f->incomplete |= json_object_set_new(f->absent, key, lp_facts_string(reason)) != 0;
}

void lp_facts_unread(struct lp_facts *f, const char *key, const char *path, int rc)
{
	char reason[512];

	snprintf(reason, sizeof(reason), "%s: %s", path, strerror(-rc));
	lp_facts_absent(f, key, reason);
}

json_t *lp_facts_string(const char *text)
{
	json_t *string = json_string(text);
	char *ascii;

	if (string)
		return string;
	ascii = strdup(text);
	for (char *c = ascii; c && *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	string = ascii ? json_string(ascii) : NULL;
	free(ascii);
	return string;
}

int lp_facts_path(const struct lp_facts *f, const char *path, char *whole, size_t size)
{
	return snprintf(whole, size, "%s%s", f->root, path) < (int)size ? 0 : -ENAMETOOLONG;
}

static FILE *open_fact(const struct lp_facts *f, const char *path)
{
	char whole[4096];
	int rc = lp_facts_path(f, path, whole, sizeof(whole));

	if (!rc)
		return fopen(whole, "re");
	errno = -rc;
	return NULL;
}

int lp_facts_read(const struct lp_facts *f, const char *path, char *text, size_t size)
{
	FILE *file = open_fact(f, path);
	int rc = 0;
	size_t n;

	if (!file)
		return -errno;
	errno = 0;
	n = fread(text, 1, size - 1, file);
	if (ferror(file))
		rc = errno ? -errno : -EIO;
	fclose(file);
	while (n && strchr(" \t\n", text[n - 1]))
		n--;
	text[n] = '\0';
	return rc;
}

/* The value of "@field : value" on @line; NULL: another line. */
static char *value_of(char *line, const char *field)
{
	size_t n = strlen(field);
	char *rest;

	if (strncmp(line, field, n))
		return NULL;
	rest = line + n + strspn(line + n, " \t");
	if (*rest != ':')
		return NULL;
	rest += 1 + strspn(rest + 1, " \t");
	rest[strcspn(rest, "\n")] = '\0';
	return rest;
}

int lp_facts_field(
	const struct lp_facts *f, const char *path, const char *field, char *value, size_t size)
{
	FILE *file = open_fact(f, path);
	char *line = NULL, *found = NULL;
	size_t room = 0;

	if (!file)
		return -errno;
	while (!found && getline(&line, &room, file) > 0)
		found = value_of(line, field);
	if (found)
		snprintf(value, size, "%s", found);
	free(line);
	fclose(file);
	return found ? 0 : -ENOENT;
}
