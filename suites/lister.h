/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the cases() hooks of all suites are written with: handing cases to the sink. */
#ifndef LP_SUITES_LISTER_H
#define LP_SUITES_LISTER_H

#include "suites/suite.h"

struct lp_lister {
	const struct lp_plan *plan;
	lp_case_sink sink;
	void *context;
	int rc; /* the sink's first answer that was not 0; nothing is handed over after it */
};

/** lp_case_with() - @c with parameter @name set to @value. */
static inline struct lp_case lp_case_with(struct lp_case c, const char *name, long value)
{
	lp_case_set(&c, name, value);
	return c;
}

/** lp_emit() - hand over @c. */
static inline void lp_emit(struct lp_lister *l, struct lp_case c)
{
	if (!l->rc)
		l->rc = l->sink(&c, l->context);
}

/** lp_emit_at() - hand over @c with @threads threads. */
static inline void lp_emit_at(struct lp_lister *l, struct lp_case c, int threads)
{
	c.threads = threads;
	lp_emit(l, c);
}

/** lp_emit_threads() - @c at every thread count of the plan. */
static inline void lp_emit_threads(struct lp_lister *l, struct lp_case c)
{
	for (int t = 0; t < l->plan->nthreads; t++)
		lp_emit_at(l, c, l->plan->threads[t]);
}

/** lp_emit_widest() - @c at the highest thread count only. */
static inline void lp_emit_widest(struct lp_lister *l, struct lp_case c)
{
	lp_emit_at(l, c, l->plan->threads[l->plan->nthreads - 1]);
}

#endif
