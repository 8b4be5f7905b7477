// SPDX-License-Identifier: GPL-2.0-or-later
/* The suites' tables as JSON, so that a report needs nothing but the results folder. */
#include "drivers/schedule/describe.h"

#include "suites/suite.h"

/* Those it has, named in a case or left at their defaults. */
static json_t *own_params(const struct lp_suite *s, const struct lp_variant *v)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->nparams; i++)
		if (v->params & (1u << i))
			json_array_append_new(list, json_string(s->params[i].name));
	return list;
}

static json_t *variants(const struct lp_suite *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->nvariants; i++) {
		const struct lp_variant *v = s->variants[i];

		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:o}", "name", v->name, "kernel", v->kernel,
				"summary", v->summary, "params", own_params(s, v)));
	}
	return list;
}

static json_t *params(const struct lp_suite *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->nparams; i++)
		json_array_append_new(list, json_pack("{s:s, s:s}", "name", s->params[i].name,
						    "help", s->params[i].help));
	return list;
}

static json_t *columns(const struct lp_suite *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->ncolumns; i++)
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:i}", "metric", s->columns[i].metric, "head",
				s->columns[i].head, "mode", lp_mode_name(s->columns[i].mode),
				"digits", s->columns[i].digits));
	return list;
}

static json_t *claims(const struct lp_suite *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->nclaims; i++) {
		const struct lp_claim *c = &s->claims[i];

		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:i, s:s?}", "id",
				      c->id, "text", c->text, "source", c->source, "metric",
				      c->metric, "base", c->base, "subject", c->subject,
				      "published", c->published, "min_cpus", c->min_cpus,
				      "min_nodes", c->min_nodes, "note", c->note));
	}
	return list;
}

json_t *lp_describe_suites(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < lp_suites_count; i++) {
		const struct lp_suite *s = lp_suites[i];

		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "name", s->name,
				      "summary", s->summary, "story", s->story, "unit", s->unit,
				      "variants", variants(s), "params", params(s), "columns",
				      columns(s), "claims", claims(s)));
	}
	return json_pack("{s:o}", "suites", list);
}
