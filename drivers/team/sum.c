// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turns what each worker brought back into the figures and the evidence of the team.
 *
 * Of the round trips and the gaps the worst counts, because one CPU that the host has moved, or one
 * worker that was kept off its CPU, spoils the whole repetition. Switches and stolen time add up.
 * What would invalidate it: members that have not been joined.
 */
#include "drivers/team/member.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct span {
	uint64_t first_start_ns, last_start_ns, first_end_ns, last_end_ns;
};

static struct span span_of(const struct lp_team *team)
{
	struct span s = {UINT64_MAX, 0, UINT64_MAX, 0};

	for (int i = 0; i < team->run->cpus; i++) {
		const struct lp_member *m = &team->member[i];

		s.first_start_ns = least(s.first_start_ns, m->start_ns);
		s.last_start_ns = most(s.last_start_ns, m->start_ns);
		s.first_end_ns = least(s.first_end_ns, m->end_ns);
		s.last_end_ns = most(s.last_end_ns, m->end_ns);
	}
	return s;
}

static double overlap_of(const struct span *s)
{
	if (s->first_end_ns <= s->last_start_ns || s->last_end_ns == s->first_start_ns)
		return 0;
	return (double)(s->first_end_ns - s->last_start_ns) /
	       (double)(s->last_end_ns - s->first_start_ns);
}

static double rate_of(const struct lp_member *m)
{
	uint64_t window_ns = m->end_ns - m->start_ns;

	return window_ns ? (double)m->worker->ops * 1e9 / (double)window_ns : 0;
}

/* fmax() ignores a NaN beside a number: a thread without a pair of its own changes nothing. */
static void add_evidence(struct lp_evidence *e, const struct lp_member *m)
{
	e->pins_hold = e->pins_hold && m->pin_holds;
	e->lost_share = fmax(e->lost_share, lp_gaps_share(&m->gaps));
	e->involuntary_switches += m->disturbance.involuntary_switches;
	e->steal_ms += m->disturbance.steal_known ? m->disturbance.steal_ms : 0;
	e->rtt_before_ns = fmax(e->rtt_before_ns, m->rtt_before_ns);
	e->rtt_after_ns = fmax(e->rtt_after_ns, m->rtt_after_ns);
}

static struct lp_evidence evidence_of(const struct lp_team *team, const double *rate)
{
	struct span s = span_of(team);
	struct lp_evidence e = {
		.threads = team->run->cpus,
		.pins_hold = true,
		.overlap = overlap_of(&s),
		.jain = lp_jain(rate, (size_t)team->run->cpus),
		.lost_share = NAN,
		.rtt_before_ns = NAN,
		.rtt_after_ns = NAN,
		.window_s = (double)(s.last_end_ns - s.first_start_ns) / 1e9,
	};

	for (int i = 0; i < team->run->cpus; i++)
		add_evidence(&e, &team->member[i]);
	return e;
}

int lp_team_sum(const struct lp_team *team, struct lp_team_result *result, struct lp_error *err)
{
	int cpus = team->run->cpus;

	result->rate = calloc((size_t)cpus, sizeof(*result->rate));
	if (!result->rate)
		return lp_fail(err, ENOMEM, "no memory for the rates of %d workers", cpus);
	for (int i = 0; i < cpus; i++) {
		const struct lp_member *m = &team->member[i];

		result->rate[i] = rate_of(m);
		result->ops += m->worker->ops;
		result->cpu_seconds += (double)m->cpu_ns / 1e9;
		result->deferred_interrupts += m->deferred_interrupts;
		if (team->options->count_events)
			lp_pmu_add(&result->pmu, &m->pmu);
	}
	result->evidence = evidence_of(team, result->rate);
	result->seconds = result->evidence.window_s;
	return 0;
}
