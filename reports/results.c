// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run in memory. All figures of all rows stand in one array, 16 bytes each, so that a run of
 * 100 000 rows with 45 figures takes 72 MB and no allocation of its own for each row.
 */
#include "reports/results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "reports/grow.h"

/* Pairs of a figure and a reason that are kept; a report lists a dozen. */
enum { ABSENT_MAX = 512 };

void lp_results_init(struct lp_results *r)
{
	memset(r, 0, sizeof(*r));
	lp_strings_init(&r->strings);
	r->min_time_s = NAN;
}

void lp_results_destroy(struct lp_results *r)
{
	lp_suites_destroy(&r->suites);
	json_decref(r->machine);
	free(r->value);
	free(r->row);
	free(r->item);
	free(r->skipped);
	free(r->absent);
	free(r->placement);
	free(r->note);
	free(r->item_of);
	lp_strings_destroy(&r->strings);
	memset(r, 0, sizeof(*r));
}

long lp_results_item(struct lp_results *r, uint32_t name)
{
	size_t old = r->item_of_room;
	struct lp_item *item;

	if (lp_grow(&r->item_of, &r->item_of_room, (size_t)name + 1, sizeof(*r->item_of)))
		return -ENOMEM;
	memset(r->item_of + old, 0, (r->item_of_room - old) * sizeof(*r->item_of));
	if (r->item_of[name])
		return r->item_of[name] - 1;
	if (lp_grow(&r->item, &r->item_room, r->items + 1, sizeof(*r->item)))
		return -ENOMEM;
	item = &r->item[r->items++];
	memset(item, 0, sizeof(*item));
	item->text = name;
	r->item_of[name] = (uint32_t)r->items;
	return (long)r->items - 1;
}

int lp_results_add_row(struct lp_results *r, const struct lp_row *row)
{
	if (lp_grow(&r->row, &r->row_room, r->rows + 1, sizeof(*r->row)))
		return -ENOMEM;
	r->row[r->rows] = *row;
	r->row[r->rows].place = r->rows;
	r->rows++;
	return 0;
}

int lp_results_add_value(struct lp_results *r, uint32_t metric, double value)
{
	if (lp_grow(&r->value, &r->value_room, r->values + 1, sizeof(*r->value)))
		return -ENOMEM;
	r->value[r->values++] = (struct lp_value){.value = value, .metric = metric};
	return 0;
}

int lp_results_add_skipped(struct lp_results *r, uint32_t name, uint32_t reason)
{
	if (lp_grow(&r->skipped, &r->skip_room, r->skips + 1, sizeof(*r->skipped)))
		return -ENOMEM;
	r->skipped[r->skips++] = (struct lp_skipped){.text = name, .reason = reason};
	return 0;
}

int lp_results_add_note(struct lp_results *r, const char *text)
{
	if (lp_grow(&r->note, &r->note_room, r->notes + 1, sizeof(*r->note)))
		return -ENOMEM;
	r->note[r->notes++] = lp_strings_add(&r->strings, text, strlen(text));
	return 0;
}

int lp_results_add_absent(struct lp_results *r, uint32_t metric, uint32_t reason, bool whole_run)
{
	for (size_t i = 0; i < r->absents; i++) {
		struct lp_absent *a = &r->absent[i];

		if (a->metric == metric && a->reason == reason) {
			a->rows += !whole_run;
			return 0;
		}
	}
	if (r->absents == ABSENT_MAX)
		return 0;
	if (lp_grow(&r->absent, &r->absent_room, r->absents + 1, sizeof(*r->absent)))
		return -ENOMEM;
	r->absent[r->absents++] =
		(struct lp_absent){.metric = metric, .reason = reason, .rows = !whole_run};
	return 0;
}

double lp_row_value(const struct lp_results *r, const struct lp_row *row, uint32_t metric)
{
	for (size_t i = row->first; i < row->first + row->values; i++)
		if (r->value[i].metric == metric)
			return r->value[i].value;
	return NAN;
}

static int by_case_and_repetition(const void *a, const void *b)
{
	const struct lp_row *x = a, *y = b;

	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	if (x->repetition != y->repetition)
		return x->repetition < y->repetition ? -1 : 1;
	if (x->attempt != y->attempt)
		return x->attempt < y->attempt ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static bool same_repetition(const struct lp_row *a, const struct lp_row *b)
{
	return a->item == b->item && a->repetition == b->repetition;
}

/* Names are taken apart only now: whether they are ours may stand at the end of a file. */
static void parse_names(struct lp_results *r)
{
	for (size_t i = 0; i < r->items; i++)
		lp_name_parse(&r->strings, lp_results_text(r, r->item[i].text), r->foreign,
			&r->item[i].name);
	for (size_t i = 0; i < r->skips; i++)
		lp_name_parse(&r->strings, lp_results_text(r, r->skipped[i].text), r->foreign,
			&r->skipped[i].name);
}

int lp_results_group(struct lp_results *r)
{
	size_t kept = 0;

	parse_names(r);
	if (r->rows > 1)
		qsort(r->row, r->rows, sizeof(*r->row), by_case_and_repetition);
	r->attempts = r->rows;
	for (size_t i = 0; i < r->rows; i++) {
		struct lp_item *item = &r->item[r->row[i].item];

		if (i + 1 < r->rows && same_repetition(&r->row[i], &r->row[i + 1]) &&
			r->row[i].attempt != LP_NO_ATTEMPT)
			continue;
		if (!item->rows++)
			item->first = kept;
		r->row[kept++] = r->row[i];
	}
	r->retried = r->rows - kept;
	r->rows = kept;
	return r->strings.failed ? -ENOMEM : lp_placement_classify(r);
}
