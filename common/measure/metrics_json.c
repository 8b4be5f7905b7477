// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures as jansson values, because jansson writes numbers independently of the locale; what it
 * refuses (a number that is not finite, text that is not UTF-8) is turned into what strict JSON can
 * say instead of being dropped. What would invalidate it: a count beyond 2^63.
 */
#include "common/measure/metrics_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *lp_number_to_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* @n bytes of @text; bytes outside ASCII become "?" if they are no UTF-8. */
static json_t *text_to_json(const char *text, size_t n)
{
	json_t *json = json_stringn(text, n);
	char *plain;

	if (json)
		return json;
	plain = strndup(text, n);
	for (size_t i = 0; plain && i < n; i++)
		if ((unsigned char)plain[i] >= 0x80)
			plain[i] = '?';
	json = plain ? json_stringn(plain, n) : NULL;
	free(plain);
	return json;
}

static json_t *bucket_to_json(const struct lp_histogram *h, unsigned i, double scale)
{
	return json_pack("[o, I]", lp_number_to_json((double)lp_histogram_low(i) * scale),
		(json_int_t)h->bucket[i]);
}

json_t *lp_histogram_to_json(const struct lp_histogram *h, double scale)
{
	json_t *buckets = json_array();

	for (unsigned i = 0; i < LP_HISTOGRAM_BUCKETS; i++)
		if (h->bucket[i])
			json_array_append_new(buckets, bucket_to_json(h, i, scale));
	return json_pack("{s:I, s:o, s:o, s:o, s:o}", "count", (json_int_t)h->count, "min",
		lp_number_to_json(h->count ? (double)h->min * scale : NAN), "max",
		lp_number_to_json(h->count ? (double)h->max * scale : NAN), "mean",
		lp_number_to_json(lp_histogram_mean(h) * scale), "buckets", buckets);
}

static json_t *heads_to_json(const char *heads)
{
	json_t *array = json_array();

	while (*heads) {
		size_t n = strcspn(heads, ",");

		json_array_append_new(array, text_to_json(heads, n));
		heads += n + (heads[n] == ',');
	}
	return array;
}

static json_t *series_to_json(const struct lp_metric_series *series)
{
	json_t *rows = json_array();

	for (size_t r = 0; r < series->rows; r++) {
		json_t *row = json_array();

		for (size_t c = 0; c < series->columns; c++)
			json_array_append_new(
				row, lp_number_to_json(series->cell[r * series->columns + c]));
		json_array_append_new(rows, row);
	}
	return json_pack("{s:o, s:o}", "columns", heads_to_json(series->heads), "rows", rows);
}

json_t *lp_metrics_details_to_json(const struct lp_metrics *m)
{
	json_t *absent = json_object(), *histograms = json_object(), *series = json_object();

	for (size_t i = 0; i < m->count; i++)
		if (m->metric[i].absent)
			json_object_set_new(absent, m->metric[i].name,
				text_to_json(m->metric[i].absent, strlen(m->metric[i].absent)));
	for (size_t i = 0; i < m->histograms; i++)
		json_object_set_new(histograms, m->histogram[i].name,
			lp_histogram_to_json(&m->histogram[i].histogram, m->histogram[i].scale));
	for (size_t i = 0; i < m->series_count; i++)
		json_object_set_new(series, m->series[i].name, series_to_json(&m->series[i]));
	return json_pack(
		"{s:o, s:o, s:o}", "absent", absent, "histograms", histograms, "series", series);
}
