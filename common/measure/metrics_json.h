/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures as strict JSON: null for what is absent, never NaN; the shapes of reports/README.md. */
#ifndef LP_MEASURE_METRICS_JSON_H
#define LP_MEASURE_METRICS_JSON_H

#include <jansson.h>

#include "common/measure/metrics.h"

/** lp_number_to_json() - a real, or null when @value is not finite. New reference. */
json_t *lp_number_to_json(double value);

/** lp_histogram_to_json() - {"count","min","max","mean","buckets":[[low, count],…]}, values
 * multiplied by @scale, empty buckets left out. New reference. */
json_t *lp_histogram_to_json(const struct lp_histogram *h, double scale);

/** lp_metrics_details_to_json() - {"absent":{…},"histograms":{…},"series":{…}}. New reference. */
json_t *lp_metrics_details_to_json(const struct lp_metrics *m);

#endif
