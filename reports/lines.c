// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cases into lines. An exact case plays all CPUs on one thread, so that its figures belong to the
 * lines of its parameters at every thread count. Lines are found through handles of their names,
 * not by search: a suite may have thousands.
 */
#include "reports/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/grow.h"
#include "reports/line_keys.h"

/* The name without its mode, and with @threads without its thread count, as a handle. */
static uint32_t key_of(struct lp_strings *s, const struct lp_name *n, bool threads)
{
	char text[LP_NAME_PARAMS * 18 + 64];
	int at;

	/* Handles stand for the texts: short, and equal exactly when the texts are. */
	at = snprintf(text, sizeof(text), "\x01%x", n->variant);
	for (unsigned i = 0; i < n->params; i++)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "/%x:%x", n->param[i].key,
			n->param[i].value);
	if (threads)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "@%d", n->threads);
	return lp_strings_add(s, text, (size_t)at);
}

struct builder {
	struct lp_lines *l;
	struct lp_results *r;
	uint32_t suite;
	uint32_t *key;	/* [r->items] of each case of the suite */
	uint32_t *bare; /* [r->items] the same without threads */
	size_t *found;	/* [handles] the line, or the exact case, of a key; plus 1 */
	size_t room;
};

static bool ours(const struct builder *b, size_t i)
{
	return b->r->item[i].name.suite == b->suite;
}

static struct lp_line *add_line(struct builder *b, const struct lp_item *item)
{
	struct lp_line *line;

	if (lp_grow(&b->l->line, &b->room, b->l->count + 1, sizeof(*b->l->line)))
		return NULL;
	line = &b->l->line[b->l->count];
	*line = (struct lp_line){.name = item->name, .base = LP_NO_LINE, .order = b->l->count};
	b->l->count++;
	return line;
}

static int add_timed(struct builder *b)
{
	for (size_t i = 0; i < b->r->items; i++) {
		const struct lp_item *item = &b->r->item[i];
		size_t *found = &b->found[b->key[i]];

		if (!ours(b, i) || item->name.mode == LP_ROW_EXACT)
			continue;
		if (!*found && !add_line(b, item))
			return -ENOMEM;
		*found = *found ? *found : b->l->count;
		b->l->line[*found - 1].item[item->name.mode] = item;
	}
	return 0;
}

/* The exact cases: to all lines of their parameters, or on a line without threads. */
static int add_exact(struct builder *b, const uint32_t *bare_of_line, size_t lines)
{
	const struct lp_item *item = b->r->item;
	struct lp_line *line;

	for (size_t i = 0; i < b->r->items; i++)
		if (ours(b, i) && item[i].name.mode == LP_ROW_EXACT)
			b->found[b->bare[i]] = i + 1;
	for (size_t i = 0; i < lines; i++)
		if (b->found[bare_of_line[i]])
			b->l->line[i].item[LP_ROW_EXACT] = &item[b->found[bare_of_line[i]] - 1];
	for (size_t i = 0; i < lines; i++)
		b->found[bare_of_line[i]] = 0;
	for (size_t i = 0; i < b->r->items; i++) {
		if (!ours(b, i) || b->found[b->bare[i]] != i + 1)
			continue;
		line = add_line(b, &item[i]);
		if (!line)
			return -ENOMEM;
		line->item[LP_ROW_EXACT] = &item[i];
		line->name.threads = 0;
	}
	return 0;
}

static int add_lines(struct builder *b)
{
	uint32_t *bare;
	size_t lines;
	int rc = add_timed(b);

	if (rc)
		return rc;
	lines = b->l->count;
	bare = malloc((lines + 1) * sizeof(*bare));
	if (!bare)
		return -ENOMEM;
	for (size_t i = 0; i < b->r->items; i++)
		if (ours(b, i) && b->r->item[i].name.mode != LP_ROW_EXACT)
			bare[b->found[b->key[i]] - 1] = b->bare[i];
	rc = add_exact(b, bare, lines);
	free(bare);
	return rc;
}

static int find_lines(struct builder *b)
{
	struct lp_results *r = b->r;
	int rc = -ENOMEM;

	b->key = malloc((r->items + 1) * sizeof(*b->key));
	b->bare = malloc((r->items + 1) * sizeof(*b->bare));
	for (size_t i = 0; b->key && b->bare && i < r->items; i++) {
		b->key[i] = ours(b, i) ? key_of(&r->strings, &r->item[i].name, true) : 0;
		b->bare[i] = ours(b, i) ? key_of(&r->strings, &r->item[i].name, false) : 0;
	}
	b->found = calloc(r->strings.count + 1, sizeof(*b->found));
	if (b->key && b->bare && b->found && !r->strings.failed)
		rc = add_lines(b);
	free(b->key);
	free(b->bare);
	free(b->found);
	return rc;
}

bool lp_line_has_time(const struct lp_results *r, const struct lp_line *line)
{
	const struct lp_item *item = line->item[LP_ROW_TIMING];

	for (size_t i = 0; item && i < item->rows; i++) {
		const struct lp_row *row = &r->row[item->first + i];

		if (row->outcome == LP_OUTCOME_OK && row->verdict != LP_INVALID)
			return true;
	}
	return false;
}

static int in_reading_order(const void *a, const void *b)
{
	const struct lp_line *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->name.threads != y->name.threads)
		return x->name.threads < y->name.threads ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static bool together(const struct lp_line *a, const struct lp_line *b)
{
	return a->group == b->group && a->name.threads == b->name.threads;
}

/* The base of line @i among the lines from @start on, which stand before it. */
static void find_base(struct lp_lines *l, const struct lp_results *r,
	const struct lp_line_knowledge *k, size_t start, size_t i)
{
	struct lp_line *line = &l->line[i];

	for (size_t j = start; j <= i && line->base == LP_NO_LINE; j++) {
		if (!lp_line_keys_agree(k, &l->line[j], line))
			continue;
		if (lp_line_has_time(r, &l->line[j]))
			line->base = j;
		else if (l->line[j].rank < line->rank)
			line->base_is_not_first = true;
	}
}

static void find_bases(struct lp_lines *l, struct lp_results *r, const struct lp_line_knowledge *k)
{
	uint32_t cpu = lp_strings_find(&r->strings, "cpu");

	for (size_t from = 0, to; from < l->count; from = to) {
		for (to = from; to < l->count && together(&l->line[from], &l->line[to]); to++)
			;
		for (size_t i = from; i < to && to - from > 1; i++)
			if (!cpu || !lp_name_value(&l->line[i].name, cpu))
				find_base(l, r, k, from, i);
	}
}

int lp_lines_build(
	struct lp_lines *l, struct lp_results *r, uint32_t suite, const struct lp_suite_info *info)
{
	struct builder b = {.l = l, .r = r, .suite = suite};
	struct lp_line_knowledge k = {0};
	int rc;

	memset(l, 0, sizeof(*l));
	rc = find_lines(&b);
	if (!rc)
		rc = lp_line_keys_find(&k, l, r, suite, info);
	if (!rc) {
		if (l->count > 1)
			qsort(l->line, l->count, sizeof(*l->line), in_reading_order);
		if (!r->foreign)
			find_bases(l, r, &k);
	}
	lp_line_knowledge_destroy(&k);
	return rc;
}

void lp_lines_destroy(struct lp_lines *l)
{
	free(l->line);
	free(l->group);
	memset(l, 0, sizeof(*l));
}
