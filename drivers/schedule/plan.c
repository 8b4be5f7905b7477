// SPDX-License-Identifier: GPL-2.0-or-later
/* From options to a list of cases. */
#include "drivers/schedule/plan.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 64 };

/* Exact rows are the same every time; a second one in the full profile proves it. */
static const int repetitions[][LP_MODES] = {
	[LP_PROFILE_QUICK] = {[LP_MODE_TIMING] = 5,
		[LP_MODE_OBSERVED] = 1,
		[LP_MODE_EXACT] = 1,
		[LP_MODE_SOAK] = 1},
	[LP_PROFILE_FULL] = {[LP_MODE_TIMING] = 15,
		[LP_MODE_OBSERVED] = 3,
		[LP_MODE_EXACT] = 2,
		[LP_MODE_SOAK] = 3},
};

int lp_plan_repetitions(enum lp_profile profile, enum lp_mode mode)
{
	return repetitions[profile][mode];
}

static bool contains(const struct lp_run_plan *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->entry[i].name, name))
			return true;
	return false;
}

int lp_plan_add(struct lp_run_plan *p, const char *name, int reps, const char *skipped)
{
	struct lp_plan_entry *e;

	if (contains(p, name))
		return 0;
	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 64;

		e = realloc(p->entry, room * sizeof(*e));
		if (!e)
			return -ENOMEM;
		p->entry = e;
		p->room = room;
	}
	e = &p->entry[p->count];
	memset(e, 0, sizeof(*e));
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->repetitions = reps;
	if (skipped && !(e->skipped = strdup(skipped)))
		return -ENOMEM;
	p->runnable += !skipped;
	p->count++;
	return 0;
}

void lp_plan_free(struct lp_run_plan *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->entry[i].skipped);
	free(p->entry);
	free(p->os_cpu);
	memset(p, 0, sizeof(*p));
}

/* ---- thread counts ---- */

static int refuse_threads(
	const char *text, const struct lp_topology *t, int cpus, struct lp_error *err)
{
	char allowed[128];

	lp_topology_allowed_text(t, allowed, sizeof(allowed));
	return lp_fail(err, EINVAL,
		"--threads %s: rising whole numbers from 1 to %d like 1,2 (CPUs %s may be used)",
		text, cpus, allowed);
}

static int parse_threads(
	const char *text, const struct lp_topology *t, int cpus, int *threads, struct lp_error *err)
{
	const char *at = text;
	int n = 0;

	for (;;) {
		char *end;
		long value = strtol(at, &end, 10);

		if (end == at || value < 1 || value > cpus || n == THREADS_MAX ||
			(n && value <= threads[n - 1]) || (*end && *end != ','))
			return refuse_threads(text, t, cpus, err);
		threads[n++] = (int)value;
		if (!*end)
			return n;
		at = end + 1;
	}
}

/* ---- collecting cases ---- */

struct collector {
	struct lp_run_plan *plan;
	const struct lp_options *options;
	const struct lp_topology *topology;
	regex_t *filter;
	bool skipped_only; /* second pass: only what cannot run here */
	struct lp_error *err;
};

static int collect(const struct lp_case *c, void *context)
{
	struct collector *k = context;
	char name[LP_NAME_MAX], buffer[160];
	const char *why;
	int reps;

	lp_case_name(c, name);
	if (k->filter && regexec(k->filter, name, 0, NULL, 0))
		return 0;
	why = lp_case_unavailable(c, k->topology, buffer, sizeof(buffer));
	if (k->skipped_only && !why)
		return 0;
	reps = k->options->repetitions ? k->options->repetitions
				       : lp_plan_repetitions(k->plan->profile, c->mode);
	if (lp_plan_add(k->plan, name, reps, why))
		return lp_fail(k->err, ENOMEM, "no memory for the plan");
	return 0;
}

static bool suite_wanted(const struct lp_options *o, const struct lp_suite *s)
{
	for (int i = 0; i < o->suites; i++)
		if (!strcmp(o->suite[i], s->name))
			return true;
	return !o->suites;
}

static int collect_suites(struct collector *k, const int *threads, int nthreads)
{
	struct lp_plan plan = {
		.profile = k->plan->profile,
		.topology = k->topology,
		.threads = threads,
		.nthreads = nthreads,
		.usable_cpus = k->plan->cpus,
		.os_cpu = k->plan->os_cpu,
	};

	for (size_t i = 0; i < lp_suites_count; i++) {
		int rc = 0;

		if (suite_wanted(k->options, lp_suites[i]))
			rc = lp_suites[i]->cases(&plan, collect, k);
		if (rc)
			return rc;
	}
	return 0;
}

static int collect_named(struct collector *k)
{
	for (int i = 0; i < k->options->named_cases; i++) {
		struct lp_case c;
		int rc = lp_case_parse(&c, k->options->named_case[i], k->err);

		if (!rc)
			rc = collect(&c, k);
		if (rc)
			return rc;
	}
	return 0;
}

static int collect_profile(struct collector *k)
{
	int threads[THREADS_MAX], n;
	int rc;

	if (k->options->threads) {
		n = parse_threads(k->options->threads, k->topology, k->plan->cpus, threads, k->err);
		return n < 0 ? n : collect_suites(k, threads, n);
	}
	n = lp_plan_threads(k->plan->profile, k->plan->cpus, threads);
	rc = collect_suites(k, threads, n);
	if (rc || k->topology->ncpus <= k->plan->cpus)
		return rc;
	/* The machine has more CPUs than this process may use: say what is left out. */
	k->skipped_only = true;
	n = lp_plan_threads(k->plan->profile, k->topology->ncpus, threads);
	return collect_suites(k, threads, n);
}

static int compile_filter(const char *text, regex_t *filter, struct lp_error *err)
{
	char why[128];
	int rc = regcomp(filter, text, REG_EXTENDED | REG_NOSUB);

	if (!rc)
		return 0;
	regerror(rc, filter, why, sizeof(why));
	return lp_fail(err, EINVAL, "--filter %s: %s", text, why);
}

/* A selection that matches nothing, or nothing that can run, is a mistake to be told of. */
static int check_plan(const struct lp_run_plan *p, const struct lp_options *o, struct lp_error *err)
{
	if (!p->count)
		return lp_fail(err, EINVAL, "%s%s matches no case; `list` shows what there is",
			o->filter ? "--filter " : "the selection", o->filter ? o->filter : "");
	if (!p->runnable)
		return lp_fail(err, EINVAL, "nothing that was selected can run here: %s: %s",
			p->entry[0].name, p->entry[0].skipped);
	return 0;
}

static int fill(struct lp_run_plan *p, const struct lp_options *o, const struct lp_topology *t,
	regex_t *filter, struct lp_error *err)
{
	struct collector k = {.plan = p, .options = o, .topology = t, .filter = filter, .err = err};
	int rc;

	p->os_cpu = calloc((size_t)t->ncpus + 1, sizeof(*p->os_cpu));
	if (!p->os_cpu)
		return lp_fail(err, ENOMEM, "no memory for the plan");
	p->cpus = lp_topology_usable(t, p->os_cpu);
	if (!p->cpus)
		return lp_fail(err, EINVAL, "this process may use no CPU of the machine");
	rc = o->named_cases ? collect_named(&k) : collect_profile(&k);
	return rc ? rc : check_plan(p, o, err);
}

int lp_plan_make(struct lp_run_plan *p, const struct lp_options *o, const struct lp_topology *t,
	struct lp_error *err)
{
	regex_t filter;
	int rc;

	memset(p, 0, sizeof(*p));
	p->profile = o->profile;
	p->seed = o->seed;
	p->min_time_s = o->min_time_s > 0 ? o->min_time_s : lp_profile_window_s(o->profile);
	if (o->filter && (rc = compile_filter(o->filter, &filter, err)))
		return rc;
	rc = fill(p, o, t, o->filter ? &filter : NULL, err);
	if (o->filter)
		regfree(&filter);
	if (rc)
		lp_plan_free(p);
	return rc;
}
