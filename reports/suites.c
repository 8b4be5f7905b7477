// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * suites.json into structures, every member checked for its type: the file may come from another
 * version. Members that this version does not know are passed over; those it needs are demanded.
 */
#include "reports/suites.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reading is, for messages: "suites[0].columns[2]". */
struct place {
	const char *file;
	char at[64];
	struct lp_error *err;
};

static int wrong(const struct place *p, const char *key, const char *expected)
{
	return lp_fail(p->err, EINVAL, "%s: %s.%s: expected %s", p->file, p->at, key, expected);
}

static int get_text(const struct place *p, const json_t *o, const char *key, const char **text)
{
	*text = json_string_value(json_object_get(o, key));
	return *text ? 0 : wrong(p, key, "a string");
}

/* A text that may be missing or null; then it is NULL. */
static int get_note(const struct place *p, const json_t *o, const char *key, const char **text)
{
	const json_t *v = json_object_get(o, key);

	*text = json_string_value(v);
	return *text || !v || json_is_null(v) ? 0 : wrong(p, key, "a string or null");
}

static int get_whole(const struct place *p, const json_t *o, const char *key, int *value)
{
	const json_t *v = json_object_get(o, key);

	if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > 1 << 30)
		return wrong(p, key, "a whole number of at least 0");
	*value = (int)json_integer_value(v);
	return 0;
}

static int get_variant(const struct place *p, const json_t *o, void *item)
{
	struct lp_suite_variant *v = item;
	int rc = get_text(p, o, "name", &v->name);

	if (!rc)
		rc = get_note(p, o, "kernel", &v->kernel);
	if (!rc)
		rc = get_note(p, o, "summary", &v->summary);
	v->params = json_object_get(o, "params");
	if (!rc && v->params && !json_is_array(v->params))
		rc = wrong(p, "params", "an array");
	return rc;
}

static int get_column(const struct place *p, const json_t *o, void *item)
{
	struct lp_suite_column *c = item;
	const char *mode = NULL;
	int rc = get_text(p, o, "metric", &c->metric);

	if (!rc)
		rc = get_text(p, o, "head", &c->head);
	if (!rc)
		rc = get_text(p, o, "mode", &mode);
	if (!rc)
		rc = get_whole(p, o, "digits", &c->digits);
	if (rc)
		return rc;
	c->mode = lp_row_mode_find(mode);
	if (c->mode == LP_ROW_MODES)
		return wrong(p, "mode", "timing, observed, exact or soak");
	return c->digits >= 1 && c->digits <= 17 ? 0 : wrong(p, "digits", "1 to 17");
}

static int get_claim(const struct place *p, const json_t *o, void *item)
{
	struct lp_suite_claim *c = item;
	const struct {
		const char *key, **text;
	} texts[] = {{"id", &c->id}, {"text", &c->text}, {"source", &c->source},
		{"metric", &c->metric}, {"base", &c->base}, {"subject", &c->subject}};
	const json_t *published = json_object_get(o, "published");
	int rc = get_note(p, o, "note", &c->note);

	for (size_t i = 0; !rc && i < sizeof(texts) / sizeof(texts[0]); i++)
		rc = get_text(p, o, texts[i].key, texts[i].text);
	if (!rc)
		rc = get_whole(p, o, "min_cpus", &c->min_cpus);
	if (!rc)
		rc = get_whole(p, o, "min_nodes", &c->min_nodes);
	if (rc)
		return rc;
	c->published = json_number_value(published);
	if (!json_is_number(published) || c->published < 0)
		return wrong(p, "published", "a ratio of at least 0");
	return 0;
}

typedef int (*getter)(const struct place *p, const json_t *o, void *item);

/* The array @key of @o, each member an object, through @get into @items of @size bytes. */
static int get_array(const struct place *p, const json_t *o, const char *key, size_t size,
	getter get, size_t *count, void *items)
{
	const json_t *array = json_object_get(o, key), *member;
	char *item;
	size_t i;
	int rc = 0;

	if (!json_is_array(array))
		return wrong(p, key, "an array");
	item = calloc(json_array_size(array) + 1, size);
	memcpy(items, &item, sizeof(item));
	if (!item)
		return lp_fail(p->err, ENOMEM, "%s: out of memory", p->file);
	json_array_foreach (array, i, member) {
		struct place here = {.file = p->file, .err = p->err};

		snprintf(here.at, sizeof(here.at), "%.40s%s%s[%zu]", p->at, *p->at ? "." : "", key,
			i);
		*count = i + 1;
		rc = json_is_object(member) ? get(&here, member, item + i * size)
					    : lp_fail(p->err, EINVAL, "%s: %s: expected an object",
						      p->file, here.at);
		if (rc)
			break;
	}
	return rc;
}

static int get_suite(const struct place *p, const json_t *o, void *item)
{
	struct lp_suite_info *s = item;
	int rc = get_text(p, o, "name", &s->name);

	if (!rc)
		rc = get_text(p, o, "summary", &s->summary);
	if (!rc)
		rc = get_note(p, o, "story", &s->story);
	if (!rc)
		rc = get_text(p, o, "unit", &s->unit);
	if (!rc)
		rc = get_array(p, o, "variants", sizeof(*s->variant), get_variant, &s->variants,
			&s->variant);
	if (!rc)
		rc = get_array(
			p, o, "columns", sizeof(*s->column), get_column, &s->columns, &s->column);
	if (!rc && s->columns > LP_SUITE_COLUMNS)
		rc = wrong(p, "columns", "at most 48 columns");
	if (!rc)
		rc = get_array(p, o, "claims", sizeof(*s->claim), get_claim, &s->claims, &s->claim);
	return rc;
}

int lp_suites_load(struct lp_suites *s, json_t *json, const char *file, struct lp_error *err)
{
	struct place top = {.file = file, .err = err};

	s->json = json;
	if (!json_is_object(json))
		return lp_fail(err, EINVAL, "%s: expected an object", file);
	return get_array(&top, json, "suites", sizeof(*s->suite), get_suite, &s->count, &s->suite);
}

void lp_suites_destroy(struct lp_suites *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->suite[i].variant);
		free(s->suite[i].column);
		free(s->suite[i].claim);
	}
	free(s->suite);
	json_decref(s->json);
	memset(s, 0, sizeof(*s));
}

const struct lp_suite_info *lp_suites_find(const struct lp_suites *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->suite[i].name, name))
			return &s->suite[i];
	return NULL;
}

const struct lp_suite_variant *lp_suite_variant_find(
	const struct lp_suite_info *s, const char *name)
{
	for (size_t i = 0; s && i < s->variants; i++)
		if (!strcmp(s->variant[i].name, name))
			return &s->variant[i];
	return NULL;
}
