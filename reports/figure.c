// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures out of repetitions. The seed of the bootstrap is fixed: a report made twice from one
 * folder must be the same to the last digit.
 */
#include "reports/figure.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "reports/stats.h"

static const double confidence = 0.95;
enum { BOOTSTRAP_SEED = 20070917 };

/* One usable value and the class it is of. */
struct usable {
	double value;
	uint32_t placement;
};

struct sample {
	enum lp_quality quality;
	size_t count;
	struct usable *at; /* [count], by placement class, then by value */
};

static int by_placement_and_value(const void *a, const void *b)
{
	const struct usable *x = a, *y = b;

	if (x->placement != y->placement)
		return x->placement < y->placement ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static size_t collect(const struct lp_results *r, const struct lp_item *item, uint32_t metric,
	enum lp_verdict verdict, struct usable *at)
{
	size_t n = 0;

	for (size_t i = item->first; i < item->first + item->rows; i++) {
		const struct lp_row *row = &r->row[i];
		double value;

		if (row->outcome != LP_OUTCOME_OK || row->verdict != verdict)
			continue;
		value = lp_row_value(r, row, metric);
		if (!isnan(value))
			at[n++] = (struct usable){.value = value, .placement = row->placement};
	}
	return n;
}

static int take_sample(
	const struct lp_results *r, const struct lp_item *item, uint32_t metric, struct sample *s)
{
	*s = (struct sample){.at = malloc((item->rows + 1) * sizeof(*s->at))};
	if (!s->at)
		return -ENOMEM;
	s->quality = LP_QUALITY_VALID;
	s->count = collect(r, item, metric, LP_VALID, s->at);
	if (!s->count) {
		s->quality = LP_QUALITY_DISTURBED;
		s->count = collect(r, item, metric, LP_DISTURBED, s->at);
	}
	if (!s->count)
		s->quality = LP_QUALITY_NONE;
	if (s->count > 1)
		qsort(s->at, s->count, sizeof(*s->at), by_placement_and_value);
	return 0;
}

/* The repetitions of the class of @s->at[from]: up to which one they go. */
static size_t class_end(const struct sample *s, size_t from)
{
	size_t to = from;

	while (to < s->count && s->at[to].placement == s->at[from].placement)
		to++;
	return to;
}

static size_t class_size(const struct sample *s, uint32_t placement)
{
	for (size_t from = 0; from < s->count; from = class_end(s, from))
		if (s->at[from].placement == placement)
			return class_end(s, from) - from;
	return 0;
}

/* The class with the most repetitions in @a, or with @b in the poorer of both. Classes are numbered
 * from the closest, so that the first of equal ones is the closer. */
static bool best_class(const struct sample *a, const struct sample *b, uint32_t *placement)
{
	size_t best = 0;

	for (size_t from = 0; from < a->count; from = class_end(a, from)) {
		size_t size = class_end(a, from) - from;

		if (b && class_size(b, a->at[from].placement) < size)
			size = class_size(b, a->at[from].placement);
		if (size > best) {
			best = size;
			*placement = a->at[from].placement;
		}
	}
	return best > 0;
}

static int summarise(
	const struct sample *s, uint32_t placement, bool with_interval, struct lp_figure *f)
{
	double *value = malloc((s->count + 1) * sizeof(*value));
	struct lp_interval interval = {NAN, NAN};

	if (!value)
		return -ENOMEM;
	*f = (struct lp_figure){.quality = s->quality, .placement = placement};
	for (size_t i = 0; i < s->count; i++)
		if (s->at[i].placement == placement)
			value[f->used++] = s->at[i].value;
	f->elsewhere = s->count - f->used;
	f->median = lp_median(value, f->used);
	if (with_interval)
		interval = lp_bootstrap_median(value, f->used, confidence, BOOTSTRAP_SEED);
	f->low = interval.low;
	f->high = interval.high;
	free(value);
	return 0;
}

static const struct lp_figure no_figure = {
	.median = NAN, .low = NAN, .high = NAN, .placement = LP_PLACEMENT_NONE};

static int find_figure(const struct lp_results *r, const struct lp_item *item, uint32_t metric,
	bool with_interval, struct lp_figure *f)
{
	uint32_t placement;
	struct sample s;
	int rc = take_sample(r, item, metric, &s);

	*f = no_figure;
	if (!rc && best_class(&s, NULL, &placement))
		rc = summarise(&s, placement, with_interval, f);
	free(s.at);
	return rc;
}

int lp_figure(const struct lp_results *r, const struct lp_item *item, uint32_t metric,
	struct lp_figure *f)
{
	return find_figure(r, item, metric, false, f);
}

int lp_figure_with_interval(const struct lp_results *r, const struct lp_item *item, uint32_t metric,
	struct lp_figure *f)
{
	return find_figure(r, item, metric, true, f);
}

static void divide(struct lp_ratio *ratio)
{
	double base = ratio->base.median, subject = ratio->subject.median;

	if (base < 0 || subject < 0)
		ratio->why = LP_RATIO_NEGATIVE;
	else if (base == 0)
		ratio->ratio = subject == 0 ? 1 : INFINITY;
	else
		ratio->ratio = subject / base;
}

/* @same_cpus: both sides use equally many threads, so that their classes are the same ones. */
static int compare(const struct sample *base, const struct sample *subject, bool same_cpus,
	struct lp_ratio *ratio)
{
	uint32_t common = 0, usual_base = 0, usual_subject = 0;
	bool has_base = best_class(base, NULL, &usual_base);
	bool has_subject = best_class(subject, NULL, &usual_subject);
	bool matched;
	int rc = 0;

	if (!has_base || !has_subject) {
		ratio->why = LP_RATIO_ABSENT;
		if (has_base)
			rc = summarise(base, usual_base, false, &ratio->base);
		if (!rc && has_subject)
			rc = summarise(subject, usual_subject, false, &ratio->subject);
		return rc;
	}
	matched = same_cpus && best_class(base, subject, &common);
	rc = summarise(base, matched ? common : usual_base, false, &ratio->base);
	if (!rc)
		rc = summarise(subject, matched ? common : usual_subject, false, &ratio->subject);
	ratio->differs = matched && (common != usual_base || common != usual_subject);
	if (same_cpus && !matched)
		ratio->why = LP_RATIO_PLACEMENT;
	else if (!rc)
		divide(ratio);
	return rc;
}

int lp_ratio(const struct lp_results *r, const struct lp_item *base, const struct lp_item *subject,
	uint32_t metric, struct lp_ratio *ratio)
{
	struct sample b, s = {0};
	int rc = take_sample(r, base, metric, &b);

	*ratio = (struct lp_ratio){.ratio = NAN, .base = no_figure, .subject = no_figure};
	if (!rc)
		rc = take_sample(r, subject, metric, &s);
	if (!rc)
		rc = compare(&b, &s, base->name.threads == subject->name.threads, ratio);
	free(b.at);
	free(s.at);
	return rc;
}
