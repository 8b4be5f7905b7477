// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each mode puts around the team's window.
 *
 * Nothing that observes runs in timing mode but the hardware's own counters. In soak mode the
 * workers must leave room for the soaker, so they are paced at half of what they can do: at more
 * the soaker sees too little, at less the cost drowns in the calibration's drift.
 */
#include <errno.h>
#include <string.h>

#include "common/measure/clock.h"
#include "drivers/bench/figures.h"
#include "drivers/bench/session.h"
#include "drivers/probe/probe.h"
#include "drivers/soak/soak.h"

enum {
	FLAT_OUT_NS = 20000000, /* long enough for thousands of operations of any suite */
	LEAST_CALIBRATION_NS = 20000000,
};

static int timing(struct lp_session *s, struct lp_error *err)
{
	struct lp_team_options o = {.window_ns = s->options->window_ns, .count_events = true};

	return lp_team_run(&s->run, &o, &s->team, err);
}

/* ---- observed ---- */

/* The interrupts are those around the team, the creation of its threads included. */
static int observe(struct lp_session *s, struct lp_probe *probe, struct lp_error *err)
{
	struct lp_team_options o = {
		.window_ns = s->options->window_ns,
		.worker_begin = lp_probe_begin,
		.worker_end = lp_probe_end,
		.context = probe,
	};
	struct lp_interrupts before = {0};
	/* A container may hide the file: then these figures are absent, and the rest stands. */
	int blind = lp_interrupts_read(&before, NULL, &s->interrupts_error);
	int rc = lp_team_run(&s->run, &o, &s->team, err);

	if (!rc && !blind && !lp_interrupts_read(&s->interrupts, NULL, &s->interrupts_error))
		lp_interrupts_subtract(&s->interrupts, &before);
	if (!rc)
		lp_probe_report(probe, &s->run.metrics);
	lp_interrupts_free(&before);
	return rc;
}

static int observed(struct lp_session *s, struct lp_error *err)
{
	struct lp_probe *probe = lp_probe_new(s->run.cpus, LP_PROBE_RATE_PER_S, err);
	int rc;

	if (!probe)
		return -err->code;
	rc = observe(s, probe, err);
	lp_probe_free(probe);
	return rc;
}

/* ---- soak ---- */

int lp_session_find_pace(struct lp_session *s, struct lp_error *err)
{
	struct lp_measure_options options = *s->options;
	struct lp_case flat_out = *s->spec;
	struct lp_session trial = {.spec = &flat_out, .options = &options};
	long pace = lp_session_param(s, "pace", 0);
	int rc;

	if (pace > 0) {
		s->pace_ops_per_s = (uint64_t)pace;
		return 0;
	}
	options.window_ns = FLAT_OUT_NS;
	flat_out.mode = LP_MODE_TIMING;
	rc = lp_session_run(&trial, err);
	if (!rc)
		s->pace_ops_per_s = 1 + (uint64_t)((double)trial.team.ops / trial.team.seconds /
						   trial.run.cpus / 2);
	lp_session_close(&trial);
	return rc;
}

static int soak(struct lp_session *s, struct lp_error *err)
{
	uint64_t calibration_ns = s->options->window_ns / 2;
	struct lp_soak *soaker = lp_soak_start(s->os_cpu, s->run.cpus, err);
	struct lp_team_options o = {
		.window_ns = s->options->window_ns,
		.pace_ops_per_s = s->pace_ops_per_s,
		.worker_begin = lp_soak_worker_begin,
		.worker_end = lp_soak_worker_end,
		.context = soaker,
	};
	int rc;

	if (!soaker)
		return -err->code;
	if (calibration_ns < LEAST_CALIBRATION_NS)
		calibration_ns = LEAST_CALIBRATION_NS;
	lp_soak_calibrate(soaker, calibration_ns);
	rc = lp_team_run(&s->run, &o, &s->team, err);
	if (!rc) {
		lp_soak_calibrate(soaker, calibration_ns);
		lp_soak_report(soaker, s->team.ops, &s->run.metrics);
		lp_metrics_set(&s->run.metrics, "pace_ops_per_s", (double)s->pace_ops_per_s);
	}
	lp_soak_stop(soaker);
	return rc;
}

int lp_session_work(struct lp_session *s, struct lp_error *err)
{
	switch (s->spec->mode) {
	case LP_MODE_OBSERVED:
		return observed(s, err);
	case LP_MODE_SOAK:
		return soak(s, err);
	default:
		return timing(s, err);
	}
}
