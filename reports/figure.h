/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures of a case out of its repetitions: which ones may be used, their median, and the ratio of
 * two cases.
 *
 * Valid repetitions only; disturbed ones where no valid one has the figure, and then marked;
 * invalid and failed ones never. Of these, the repetitions of one placement class (placement.h):
 * the class with the most of them, the closer one of equal ones. A ratio takes both sides from the
 * same class, so that it can differ from the ratio of the two medians shown; `differs` says so.
 * Cases of different thread counts use different CPUs: for them there is no same class, and each
 * side is the figure it has by itself.
 */
#ifndef LP_REPORTS_FIGURE_H
#define LP_REPORTS_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/results.h"

enum lp_quality {
	LP_QUALITY_NONE,      /* no repetition has it */
	LP_QUALITY_DISTURBED, /* only disturbed ones have it */
	LP_QUALITY_VALID
};

struct lp_figure {
	enum lp_quality quality;
	double median;	    /* NaN without quality */
	double low, high;   /* its 95 % interval, NaN where nobody asked for it */
	size_t used;	    /* repetitions the median is of */
	size_t elsewhere;   /* repetitions as good that are of other placement classes */
	uint32_t placement; /* the class, LP_PLACEMENT_NONE */
};

/* Why there is no ratio. */
enum lp_no_ratio {
	LP_RATIO_OK,
	LP_RATIO_ABSENT,    /* one side has no figure */
	LP_RATIO_PLACEMENT, /* both have, but never with the CPUs equally far apart */
	LP_RATIO_NEGATIVE   /* a figure below 0, of which no ratio makes sense */
};

struct lp_ratio {
	enum lp_no_ratio why;
	double ratio; /* subject ÷ base; 1 when both are 0, infinite when only the base is */
	struct lp_figure base, subject;
	bool differs; /* a side is not the figure that lp_figure() gives */
};

/** lp_figure() - the figure @metric of @item, without its interval. Return: 0 or -ENOMEM. */
int lp_figure(const struct lp_results *r, const struct lp_item *item, uint32_t metric,
	struct lp_figure *f);

/** lp_figure_with_interval() - the same with it: some 20 µs more. */
int lp_figure_with_interval(const struct lp_results *r, const struct lp_item *item, uint32_t metric,
	struct lp_figure *f);

/** lp_ratio() - @metric of @subject ÷ that of @base, both without intervals. Return: 0 or -ENOMEM.
 */
int lp_ratio(const struct lp_results *r, const struct lp_item *base, const struct lp_item *subject,
	uint32_t metric, struct lp_ratio *ratio);

#endif
