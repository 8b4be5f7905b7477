/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Playing an exact case in a test, hook by hook, so that a test can look at (or spoil) the state
 * between drain and check.
 */
#ifndef LP_TESTS_PLAY_H
#define LP_TESTS_PLAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/machine/memory.h"
#include "suites/suite.h"

struct play {
	struct lp_case spec;
	struct lp_run run;
	struct lp_error err;
	uint64_t ops;
};

/* From the name of an exact case to its drained state, on @cpus played CPUs. */
static inline void play_begin(struct play *p, const char *name, int cpus, uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	if (lp_case_parse(&p->spec, name, &p->err))
		fail_msg("%s: %s", name, p->err.message);
	p->run.spec = &p->spec;
	p->run.cpus = cpus;
	p->run.nnodes = 1;
	p->run.seed = seed;
	for (size_t i = 0; i < p->spec.suite->nparams; i++)
		if (!strcmp(p->spec.suite->params[i].name, "lock"))
			p->run.flavour = (lp_lock_flavour)p->spec.value[i];
	lp_metrics_init(&p->run.metrics);
	if (lp_cpus_init(cpus, &p->err) || p->spec.variant->setup(&p->run, &p->err))
		fail_msg("%s: %s", name, p->err.message);
	p->ops = p->spec.variant->play(&p->run);
	if (p->spec.variant->drain)
		p->spec.variant->drain(&p->run);
}

static inline int play_check(struct play *p)
{
	return p->spec.variant->check(&p->run, &p->err);
}

static inline void play_end(struct play *p)
{
	p->spec.variant->teardown(&p->run);
	for (size_t i = 0; i < p->run.memory_count; i++)
		lp_memory_free(&p->run.memory[i]);
	free(p->run.memory);
	lp_metrics_destroy(&p->run.metrics);
}

/* Plays @name, expects its invariants to hold, and leaves its figures in p->run.metrics. */
static inline void play_whole(struct play *p, const char *name, int cpus, uint64_t seed)
{
	play_begin(p, name, cpus, seed);
	if (play_check(p))
		fail_msg("%s: %s", name, p->err.message);
	p->spec.variant->report(&p->run, p->ops, 1.0);
}

/* The check must fail and say @words; ends the play. */
static inline void play_expect_damage(struct play *p, const char *words)
{
	assert_int_not_equal(play_check(p), 0);
	if (!strstr(p->err.message, words))
		fail_msg("'%s' does not say '%s'", p->err.message, words);
	play_end(p);
}

/* One figure of one play. */
static inline double play_metric(const char *name, int cpus, const char *metric)
{
	struct play p;
	double value;

	play_whole(&p, name, cpus, 1);
	value = lp_metrics_get(&p.run.metrics, metric);
	play_end(&p);
	return value;
}

/* Whether two plays of @name with @seed and @other_seed give the same figures. */
static inline bool play_same(const char *name, int cpus, uint64_t seed, uint64_t other_seed)
{
	struct play a, b;
	bool same;

	play_whole(&a, name, cpus, seed);
	play_whole(&b, name, cpus, other_seed);
	same = a.ops == b.ops && a.run.metrics.count == b.run.metrics.count;
	for (size_t i = 0; same && i < a.run.metrics.count; i++) {
		const struct lp_metric *x = &a.run.metrics.metric[i];
		const struct lp_metric *y = &b.run.metrics.metric[i];

		same = !strcmp(x->name, y->name) && !x->absent == !y->absent &&
		       (x->absent || x->value == y->value);
	}
	play_end(&a);
	play_end(&b);
	return same;
}

#endif
