// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the hooks of a case in order and keeps everything that says how good the figures are.
 *
 * Setup, check and teardown surround every repetition alike, in tests and in measurements, and a
 * repetition whose check fails is an error, not a time.
 *
 * What would invalidate it: a second measurement in the same process at the same time (the CPUs
 * of the run and the interrupt vectors belong to the process).
 */
#include "drivers/bench/measure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/kernel/cpu.h"
#include "common/kernel/irq.h"
#include "common/measure/clock.h"
#include "drivers/bench/cpus.h"
#include "drivers/bench/figures.h"
#include "drivers/bench/session.h"
#include "common/alloc.h"

enum { EXACT_CPUS = 4 }; /* played where a suite has no parameter `cpus` */

long lp_session_param(const struct lp_session *s, const char *name, long otherwise)
{
	const struct lp_suite *suite = s->spec->suite;

	for (size_t i = 0; i < suite->nparams; i++)
		if (!strcmp(suite->params[i].name, name))
			return s->spec->value[i];
	return otherwise;
}

static lp_lock_flavour flavour_of(const struct lp_case *c)
{
	lp_lock_flavour observed = c->mode == LP_MODE_OBSERVED ? LP_LOCK_OBSERVED : 0;

	for (size_t i = 0; i < c->suite->nparams; i++) {
		const struct lp_param *p = &c->suite->params[i];

		if (strcmp(p->name, "lock") || !p->words)
			continue;
		for (lp_lock_flavour kind = 0; kind < LP_LOCK_KINDS; kind++)
			if (!strcmp(p->words[c->value[i]], lp_lock_kind_name(kind)))
				return kind | observed;
	}
	return observed;
}

/* ---- the run and its CPUs ---- */

static int no_memory(struct lp_error *err)
{
	return lp_fail(err, ENOMEM, "no memory for the state of a run");
}

static int place_workers(struct lp_session *s, struct lp_error *err)
{
	const struct lp_measure_options *o = s->options;
	struct lp_run *run = &s->run;

	if (run->cpus > o->cpus)
		return lp_fail(err, EINVAL, "%d threads need %d CPUs, %d may be used here",
			run->cpus, run->cpus, o->cpus);
	s->os_cpu = calloc((size_t)run->cpus, sizeof(int));
	s->node = calloc((size_t)run->cpus, sizeof(int));
	s->nodes = calloc((size_t)o->topology->nnodes + 1, sizeof(int));
	if (!s->os_cpu || !s->node || !s->nodes)
		return no_memory(err);
	if (s->spec->variant->placement)
		s->spec->variant->placement(s->spec, s->os_cpu);
	else
		memcpy(s->os_cpu, o->os_cpu, (size_t)run->cpus * sizeof(int));
	lp_cpus_nodes(o->topology, s->os_cpu, run->cpus, s->node);
	run->nnodes = lp_cpus_memory_nodes(o->topology, s->node, run->cpus, s->nodes);
	run->os_cpu = s->os_cpu;
	run->node = s->node;
	run->nodes = run->nnodes ? s->nodes : NULL;
	return 0;
}

static int session_open(struct lp_session *s, struct lp_error *err)
{
	const struct lp_case *c = s->spec;
	struct lp_run *run = &s->run;
	int rc = 0;

	*run = (struct lp_run){
		.spec = c,
		.topology = s->options->topology,
		.cpus = c->threads,
		.nnodes = 1,
		.flavour = flavour_of(c),
		.observed = c->mode == LP_MODE_OBSERVED,
		.seed = s->options->seed,
	};
	lp_metrics_init(&run->metrics);
	if (c->mode == LP_MODE_EXACT)
		run->cpus = (int)lp_session_param(s, "cpus", EXACT_CPUS);
	else
		rc = place_workers(s, err);
	/* A machine whose nodes are not known has one place to put memory. */
	run->nnodes = run->nnodes ? run->nnodes : 1;
	if (rc)
		return rc;
	run->worker = lp_zalloc_pairs((size_t)run->cpus, sizeof(*run->worker));
	return run->worker ? lp_cpus_init(run->cpus, err) : no_memory(err);
}

void lp_session_close(struct lp_session *s)
{
	for (size_t i = 0; i < s->run.memory_count; i++)
		lp_memory_free(&s->run.memory[i]);
	free(s->run.memory);
	free(s->run.worker);
	lp_metrics_destroy(&s->run.metrics);
	free(s->os_cpu);
	free(s->node);
	free(s->nodes);
	free(s->team.rate);
	lp_interrupts_free(&s->interrupts);
}

/* ---- hooks ---- */

static double process_cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int play(struct lp_session *s, struct lp_error *err)
{
	const struct lp_variant *v = s->spec->variant;
	uint64_t begun_ns = lp_clock_ns();
	double cpu_seconds = process_cpu_seconds();

	if (!v->play)
		return lp_fail(
			err, ENOTSUP, "%s/%s has no exact mode", s->spec->suite->name, v->name);
	s->team.ops = v->play(&s->run);
	s->team.cpu_seconds = process_cpu_seconds() - cpu_seconds;
	s->team.seconds = (double)(lp_clock_ns() - begun_ns) / 1e9;
	return 0;
}

static int work_or_play(struct lp_session *s, struct lp_error *err)
{
	const struct lp_variant *v = s->spec->variant;
	int rc;

	if (s->spec->mode == LP_MODE_EXACT)
		rc = play(s, err);
	else if (!v->run)
		rc = lp_fail(err, ENOTSUP, "%s/%s can only be played (mode:exact)",
			s->spec->suite->name, v->name);
	else
		rc = lp_session_work(s, err);
	if (!rc && !s->team.ops)
		rc = lp_fail(err, ENODATA, "no operation was completed in a window of %.3g s",
			s->team.seconds);
	return rc;
}

static int check(struct lp_session *s, struct lp_error *err)
{
	struct lp_error why = {0};
	int rc = s->spec->variant->check(&s->run, &why);

	return rc ? lp_fail(err, -rc, "check failed: %s", why.message) : 0;
}

static int run_hooks(struct lp_session *s, struct lp_error *err)
{
	const struct lp_variant *v = s->spec->variant;
	int rc = v->setup(&s->run, err);

	if (!rc)
		rc = work_or_play(s, err);
	if (!rc && v->drain)
		v->drain(&s->run);
	/* Where pages lie is no figure of an exact row, which is the same on every machine. */
	if (!rc && s->spec->mode != LP_MODE_EXACT)
		lp_figures_memory(&s->run, &s->run.metrics, &s->team.evidence);
	if (!rc)
		rc = check(s, err);
	if (!rc)
		v->report(&s->run, s->team.ops, s->team.seconds);
	v->teardown(&s->run);
	return rc;
}

int lp_session_run(struct lp_session *s, struct lp_error *err)
{
	int rc = session_open(s, err);

	return rc ? rc : run_hooks(s, err);
}

/* ---- what is handed back ---- */

static void judge(struct lp_measurement *m, const struct lp_evidence *e)
{
	static const char *const names[] = {
		[LP_VALID] = "valid", [LP_DISTURBED] = "disturbed", [LP_INVALID] = "invalid"};
	char why[sizeof(m->label) - sizeof("disturbed: ")];

	m->verdict = lp_verdict(e, why, sizeof(why));
	snprintf(m->label, sizeof(m->label), "%s%s%s", names[m->verdict], why[0] ? ": " : "", why);
}

static void add_figures(struct lp_session *s, struct lp_metrics *m)
{
	const struct lp_team_result *t = &s->team;

	if (s->spec->mode == LP_MODE_TIMING) {
		lp_figures_speed(m, t);
		lp_figures_pmu(m, &t->pmu, t->ops);
	}
	if (s->spec->mode == LP_MODE_OBSERVED) {
		lp_metrics_set(m, "deferred_interrupts", (double)t->deferred_interrupts);
		lp_figures_interrupts(
			m, &s->interrupts, &s->interrupts_error, s->os_cpu, s->run.cpus);
	}
	lp_figures_evidence(m, &t->evidence);
	lp_figures_placement(m, s->options->topology, s->os_cpu, s->run.cpus);
}

/* Moves everything worth keeping out of the session. */
static void hand_over(struct lp_session *s, struct lp_measurement *m)
{
	m->ops = s->team.ops;
	m->wall_seconds = s->team.seconds;
	m->cpu_seconds = s->team.cpu_seconds;
	if (s->spec->mode == LP_MODE_EXACT) {
		snprintf(m->label, sizeof(m->label), "valid");
	} else {
		add_figures(s, &s->run.metrics);
		judge(m, &s->team.evidence);
		m->cpus = s->run.cpus;
	}
	lp_metrics_destroy(&m->metrics);
	m->metrics = s->run.metrics;
	lp_metrics_init(&s->run.metrics);
	m->os_cpu = s->os_cpu;
	m->rate = s->team.rate;
	m->interrupts = s->interrupts;
	s->os_cpu = NULL;
	s->team.rate = NULL;
	s->interrupts = (struct lp_interrupts){0};
}

int lp_measure(const struct lp_case *c, const struct lp_measure_options *options,
	struct lp_measurement *m, struct lp_error *err)
{
	struct lp_session s = {.spec = c, .options = options};
	char buffer[160];
	const char *why = lp_case_unavailable(c, options->topology, buffer, sizeof(buffer));
	int rc;

	*m = (struct lp_measurement){.verdict = LP_VALID};
	lp_metrics_init(&m->metrics);
	if (why)
		return lp_fail(err, ENOTSUP, "%s", why);
	lp_irq_block();
	rc = c->mode == LP_MODE_SOAK ? lp_session_find_pace(&s, err) : 0;
	if (!rc)
		rc = lp_session_run(&s, err);
	if (!rc)
		hand_over(&s, m);
	lp_session_close(&s);
	return rc;
}

void lp_measurement_destroy(struct lp_measurement *m)
{
	lp_metrics_destroy(&m->metrics);
	lp_interrupts_free(&m->interrupts);
	free(m->os_cpu);
	free(m->rate);
	*m = (struct lp_measurement){.verdict = LP_VALID};
}
