// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cases and their names. A name says everything that makes a row: it can be parsed back into the
 * case, so that a program given only a name measures exactly that row.
 */
#include "suites/suite.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const mode_names[LP_MODES] = {"timing", "observed", "exact", "soak"};

const char *lp_mode_name(enum lp_mode mode)
{
	return mode_names[mode];
}

double lp_profile_window_s(enum lp_profile profile)
{
	return profile == LP_PROFILE_FULL ? 1.0 : 0.1;
}

void lp_case_init(struct lp_case *c, const struct lp_suite *s, const struct lp_variant *v)
{
	memset(c, 0, sizeof(*c));
	c->suite = s;
	c->variant = v;
	c->threads = 1;
	c->mode = LP_MODE_TIMING;
	for (size_t i = 0; i < s->nparams; i++)
		c->value[i] = s->params[i].default_value;
}

static long word_count(const struct lp_param *p)
{
	long n = 0;

	while (p->words[n])
		n++;
	return n;
}

static bool value_legal(const struct lp_param *p, long value)
{
	if (p->words)
		return value >= 0 && value < word_count(p);
	return value >= p->min && value <= p->max;
}

static size_t param_index(const struct lp_suite *s, const char *name)
{
	for (size_t i = 0; i < s->nparams; i++)
		if (!strcmp(s->params[i].name, name))
			return i;
	fprintf(stderr, "lockpath: suite %s has no parameter %s\n", s->name, name);
	abort();
}

void lp_case_set(struct lp_case *c, const char *name, long value)
{
	size_t i = param_index(c->suite, name);

	if (!value_legal(&c->suite->params[i], value)) {
		fprintf(stderr, "lockpath: %s of suite %s cannot be %ld\n", name, c->suite->name,
			value);
		abort();
	}
	c->value[i] = value;
}

long lp_case_get(const struct lp_case *c, const char *name)
{
	return c->value[param_index(c->suite, name)];
}

static bool param_named(const struct lp_case *c, size_t i)
{
	const struct lp_param *p = &c->suite->params[i];

	if (!(c->variant->params & (1u << i)))
		return false;
	return p->always_named || c->value[i] != p->default_value;
}

/* Appends to a name; a name that does not fit is a programmer's error. */
__attribute__((format(printf, 2, 3))) static void append(char *name, const char *format, ...)
{
	size_t used = strlen(name);
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(name + used, LP_NAME_MAX - used, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= LP_NAME_MAX - used)
		abort();
}

void lp_case_name(const struct lp_case *c, char name[LP_NAME_MAX])
{
	name[0] = '\0';
	append(name, "%s/%s", c->suite->name, c->variant->name);
	for (size_t i = 0; i < c->suite->nparams; i++) {
		const struct lp_param *p = &c->suite->params[i];

		if (!param_named(c, i))
			continue;
		if (p->words)
			append(name, "/%s:%s", p->name, p->words[c->value[i]]);
		else
			append(name, "/%s:%ld", p->name, c->value[i]);
	}
	if (c->mode != LP_MODE_TIMING)
		append(name, "/mode:%s", lp_mode_name(c->mode));
	append(name, "/threads:%d", c->threads);
}

const struct lp_suite *lp_suite_find(const char *name)
{
	for (size_t i = 0; i < lp_suites_count; i++)
		if (!strcmp(lp_suites[i]->name, name))
			return lp_suites[i];
	return NULL;
}

static int parse_number(const char *text, long min, long max, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	return errno || end == text || *end || *value < min || *value > max ? -EINVAL : 0;
}

static int parse_word(const struct lp_param *p, const char *text, long *value)
{
	for (*value = 0; p->words[*value]; (*value)++)
		if (!strcmp(p->words[*value], text))
			return 0;
	return -EINVAL;
}

static int parse_param(struct lp_case *c, const char *key, const char *text, struct lp_error *err)
{
	for (size_t i = 0; i < c->suite->nparams; i++) {
		const struct lp_param *p = &c->suite->params[i];

		if (strcmp(p->name, key) || !(c->variant->params & (1u << i)))
			continue;
		if (p->words) {
			if (!parse_word(p, text, &c->value[i]))
				return 0;
			return lp_fail(err, EINVAL, "%s:%s: not a value of %s (%s)", key, text, key,
				p->help);
		}
		if (!parse_number(text, p->min, p->max, &c->value[i]))
			return 0;
		return lp_fail(err, EINVAL, "%s:%s: %s is a whole number from %ld to %ld", key,
			text, key, p->min, p->max);
	}
	return lp_fail(
		err, EINVAL, "%s/%s has no parameter '%s'", c->suite->name, c->variant->name, key);
}

static int parse_pair(struct lp_case *c, char *pair, struct lp_error *err)
{
	char *colon = strchr(pair, ':');
	long value;

	if (!colon)
		return lp_fail(err, EINVAL, "'%s' is not name:value", pair);
	*colon = '\0';
	if (!strcmp(pair, "threads")) {
		if (parse_number(colon + 1, 1, 65536, &value))
			return lp_fail(err, EINVAL, "threads:%s: a whole number from 1 to 65536",
				colon + 1);
		c->threads = (int)value;
		return 0;
	}
	if (strcmp(pair, "mode"))
		return parse_param(c, pair, colon + 1, err);
	for (int mode = 0; mode < LP_MODES; mode++)
		if (!strcmp(mode_names[mode], colon + 1)) {
			c->mode = mode;
			return 0;
		}
	return lp_fail(err, EINVAL, "mode:%s: timing, observed, exact or soak", colon + 1);
}

static const struct lp_variant *variant_find(const struct lp_suite *s, const char *name)
{
	for (size_t i = 0; name && i < s->nvariants; i++)
		if (!strcmp(s->variants[i]->name, name))
			return s->variants[i];
	return NULL;
}

int lp_case_parse(struct lp_case *c, const char *name, struct lp_error *err)
{
	char text[LP_NAME_MAX], *rest = text, *part;
	const struct lp_suite *suite;
	const struct lp_variant *variant;

	if (strlen(name) >= sizeof(text))
		return lp_fail(
			err, EINVAL, "a case's name has at most %d characters", LP_NAME_MAX - 1);
	strcpy(text, name);
	part = strsep(&rest, "/");
	suite = lp_suite_find(part);
	if (!suite)
		return lp_fail(err, EINVAL, "no suite '%s'; `list` shows what there is", part);
	part = strsep(&rest, "/");
	variant = variant_find(suite, part);
	if (!variant)
		return lp_fail(
			err, EINVAL, "suite %s has no variant '%s'", suite->name, part ? part : "");
	lp_case_init(c, suite, variant);
	while ((part = strsep(&rest, "/"))) {
		int rc = parse_pair(c, part, err);

		if (rc)
			return rc;
	}
	return 0;
}

const char *lp_case_unavailable(
	const struct lp_case *c, const struct lp_topology *t, char *buffer, size_t size)
{
	const char *why = c->variant->unavailable ? c->variant->unavailable(c, t) : NULL;
	int *cpus, usable;

	if (why || c->mode == LP_MODE_EXACT)
		return why;
	cpus = malloc((size_t)(t->ncpus > 0 ? t->ncpus : 1) * sizeof(*cpus));
	if (!cpus)
		abort();
	usable = lp_topology_usable(t, cpus);
	free(cpus);
	if (c->threads <= usable)
		return NULL;
	snprintf(buffer, size, "%d threads need %d CPUs, %d may be used here", c->threads,
		c->threads, usable);
	return buffer;
}

int lp_plan_threads(enum lp_profile profile, int cpus, int threads[16])
{
	int n = 0;

	for (int t = 1; t < cpus && n < 15; t *= 2)
		if (profile == LP_PROFILE_FULL || t <= 2 || (t * 2 <= cpus && t * 4 > cpus))
			threads[n++] = t;
	threads[n++] = cpus;
	return n;
}
