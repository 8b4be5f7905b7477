// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A name leaves out parameters at their defaults, so that "not named" means either "at its
 * default" or "this variant has no such parameter". Comparing a variant at its default with one
 * that has another value would be wrong, so the two are told apart by what each variant names
 * anywhere in the run. That is wrong only for a parameter that a variant has and never names, which
 * "params" in suites.json settles.
 */
#include "reports/line_keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/grow.h"

static size_t find_key(const struct lp_lines *l, uint32_t key)
{
	size_t i = 0;

	while (i < l->keys && l->key[i].key != key)
		i++;
	return i;
}

static void gather_keys(struct lp_lines *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct lp_name *n = &l->line[i].name;

		for (unsigned p = 0; p < n->params; p++)
			if (find_key(l, n->param[p].key) == l->keys && l->keys < LP_LINES_KEYS)
				l->key[l->keys++] = (struct lp_line_key){
					.key = n->param[p].key, .value = n->param[p].value};
	}
}

/* The rank of the variant with the handle @variant; a new one comes behind all others. */
static size_t rank_of(struct lp_line_knowledge *k, uint32_t variant)
{
	if (!k->rank[variant])
		k->rank[variant] = ++k->variants;
	return k->rank[variant] - 1;
}

static uint32_t named(const struct lp_lines *l, const struct lp_name *n)
{
	uint32_t mask = 0;

	for (unsigned p = 0; p < n->params; p++) {
		size_t key = find_key(l, n->param[p].key);

		if (key < l->keys)
			mask |= 1u << key;
	}
	return mask;
}

static void know_from_suites(
	struct lp_line_knowledge *k, const struct lp_results *r, const struct lp_suite_info *info)
{
	const json_t *param;
	size_t i;

	for (size_t v = 0; v < info->variants; v++)
		json_array_foreach (info->variant[v].params, i, param) {
			const char *text = json_string_value(param);
			uint32_t handle = text ? lp_strings_find(&r->strings, text) : 0;
			size_t key = find_key(k->lines, handle);

			if (key < k->lines->keys)
				k->has[v] |= 1u << key;
		}
}

static void know_from_names(struct lp_line_knowledge *k, const struct lp_results *r, uint32_t suite)
{
	for (size_t i = 0; i < r->items; i++)
		if (r->item[i].name.suite == suite)
			k->has[rank_of(k, r->item[i].name.variant)] |=
				named(k->lines, &r->item[i].name);
	for (size_t i = 0; i < r->skips; i++)
		if (r->skipped[i].name.suite == suite)
			k->has[rank_of(k, r->skipped[i].name.variant)] |=
				named(k->lines, &r->skipped[i].name);
}

static int know_variants(struct lp_line_knowledge *k, struct lp_results *r, uint32_t suite,
	const struct lp_suite_info *info)
{
	size_t listed = info ? info->variants : 0;

	for (size_t v = 0; v < listed; v++)
		lp_strings_add(&r->strings, info->variant[v].name, strlen(info->variant[v].name));
	k->rank = calloc(r->strings.count + 1, sizeof(*k->rank));
	k->has = calloc(listed + r->items + r->skips + 1, sizeof(*k->has));
	if (!k->rank || !k->has || r->strings.failed)
		return -ENOMEM;
	for (size_t v = 0; v < listed; v++)
		k->rank[lp_strings_find(&r->strings, info->variant[v].name)] = v + 1;
	k->variants = listed;
	if (info)
		know_from_suites(k, r, info);
	know_from_names(k, r, suite);
	for (size_t i = 0; i < k->lines->count; i++)
		k->lines->line[i].rank = rank_of(k, k->lines->line[i].name.variant);
	return 0;
}

/* What varies: another value somewhere, or left at its default by a variant that has it. */
static void judge_keys(const struct lp_line_knowledge *k, struct lp_lines *l)
{
	uint32_t common = UINT32_MAX;

	for (size_t i = 0; i < l->count; i++) {
		const struct lp_line *line = &l->line[i];

		common &= k->has[line->rank];
		for (size_t key = 0; key < l->keys; key++) {
			uint32_t value = lp_name_value(&line->name, l->key[key].key);

			if (value ? value != l->key[key].value
				  : (k->has[line->rank] & 1u << key) != 0)
				l->key[key].varies = true;
		}
	}
	for (size_t key = 0; key < l->keys; key++)
		l->key[key].common = common & 1u << key;
}

/* "lock:ticket nodes:2": the parameters that vary and that every variant has. */
static uint32_t group_of(struct lp_strings *s, const struct lp_lines *l, const struct lp_name *n)
{
	const char *text = "";

	for (size_t key = 0; key < l->keys; key++) {
		uint32_t value = lp_name_value(n, l->key[key].key);

		if (!l->key[key].varies || !l->key[key].common || !value)
			continue;
		text = lp_strings_format(s, "%s%s%s%s%s", text, *text ? " " : "",
			lp_strings_text(s, l->key[key].key), l->key[key].key ? ":" : "",
			lp_strings_text(s, value));
	}
	return lp_strings_add(s, text, strlen(text));
}

/* Number the groups in the order of their first lines. */
static int number_groups(struct lp_lines *l, const struct lp_results *r, const uint32_t *handle)
{
	size_t *found = calloc(r->strings.count + 1, sizeof(*found)), room = 0;
	int rc = found && !r->strings.failed ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < l->count; i++) {
		if (!found[handle[i]]) {
			rc = lp_grow(&l->group, &room, l->groups + 1, sizeof(*l->group));
			if (rc)
				break;
			l->group[l->groups++] = lp_results_text(r, handle[i]);
			found[handle[i]] = l->groups;
		}
		l->line[i].group = found[handle[i]] - 1;
	}
	free(found);
	return rc;
}

static int make_groups(struct lp_lines *l, struct lp_results *r)
{
	uint32_t *handle = malloc((l->count + 1) * sizeof(*handle));
	int rc;

	if (!handle)
		return -ENOMEM;
	for (size_t i = 0; i < l->count; i++)
		handle[i] = group_of(&r->strings, l, &l->line[i].name);
	rc = number_groups(l, r, handle);
	free(handle);
	return rc;
}

int lp_line_keys_find(struct lp_line_knowledge *k, struct lp_lines *l, struct lp_results *r,
	uint32_t suite, const struct lp_suite_info *info)
{
	int rc;

	k->lines = l;
	gather_keys(l);
	rc = know_variants(k, r, suite, info);
	if (rc)
		return rc;
	judge_keys(k, l);
	return make_groups(l, r);
}

bool lp_line_keys_agree(
	const struct lp_line_knowledge *k, const struct lp_line *a, const struct lp_line *b)
{
	uint32_t both = k->has[a->rank] & k->has[b->rank];

	for (size_t key = 0; key < k->lines->keys; key++)
		if (both & 1u << key && lp_name_value(&a->name, k->lines->key[key].key) !=
						lp_name_value(&b->name, k->lines->key[key].key))
			return false;
	return true;
}

void lp_line_knowledge_destroy(struct lp_line_knowledge *k)
{
	free(k->has);
	free(k->rank);
	memset(k, 0, sizeof(*k));
}
