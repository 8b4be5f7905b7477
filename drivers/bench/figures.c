// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From what the team brought back to named figures. A figure that could not be had is absent with
 * its reason; none is ever made up.
 */
#include "drivers/bench/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lp_figures_speed(struct lp_metrics *m, const struct lp_team_result *r)
{
	lp_metrics_ratio(m, "ns_per_op", r->seconds * 1e9, (double)r->ops, "operations");
	lp_metrics_ratio(m, "cpu_ns_per_op", r->cpu_seconds * 1e9, (double)r->ops, "operations");
	lp_metrics_ratio(m, "ops_per_s", (double)r->ops, r->seconds, "time");
	lp_metrics_set(m, "jain", r->evidence.jain);
}

static void set_or_absent(struct lp_metrics *m, const char *name, double value, const char *why)
{
	if (isnan(value))
		lp_metrics_absent(m, name, "%s", why);
	else
		lp_metrics_set(m, name, value);
}

void lp_figures_evidence(struct lp_metrics *m, const struct lp_evidence *e)
{
	const char *no_trip = e->threads < 2 ? "one CPU has no other to pass a cache line to"
					     : "a neighbour did not run for 200 ms";

	lp_metrics_set(m, "window_s", e->window_s);
	lp_metrics_set(m, "overlap", e->overlap);
	set_or_absent(m, "lost_share", e->lost_share,
		"the workers sleep, and this kernel keeps no run-queue delay");
	lp_metrics_set(m, "involuntary_switches", (double)e->involuntary_switches);
	lp_metrics_set(m, "steal_ms", (double)e->steal_ms);
	set_or_absent(m, "cache_line_rtt_ns", e->rtt_before_ns, no_trip);
	set_or_absent(m, "cache_line_rtt_after_ns", e->rtt_after_ns, no_trip);
}

/* Facts about the CPUs of a run that can be counted. */
enum fact { FACT_CORE, FACT_PACKAGE, FACT_NODE };

static int fact_of(const struct lp_topology_cpu *cpu, enum fact fact)
{
	return fact == FACT_CORE ? cpu->core : fact == FACT_PACKAGE ? cpu->package : cpu->node;
}

static bool seen_before(const struct lp_topology *t, const int *os_cpu, int i, enum fact fact)
{
	int own = fact_of(lp_topology_find(t, os_cpu[i]), fact);

	for (int j = 0; j < i; j++)
		if (fact_of(lp_topology_find(t, os_cpu[j]), fact) == own)
			return true;
	return false;
}

static int distinct(const struct lp_topology *t, const int *os_cpu, int n, enum fact fact)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		count += !seen_before(t, os_cpu, i, fact);
	return count;
}

void lp_figures_placement(
	struct lp_metrics *m, const struct lp_topology *t, const int *os_cpu, int n)
{
	lp_metrics_set(m, "cores_used", distinct(t, os_cpu, n, FACT_CORE));
	lp_metrics_set(m, "packages_used", distinct(t, os_cpu, n, FACT_PACKAGE));
	lp_metrics_set(m, "nodes_used", distinct(t, os_cpu, n, FACT_NODE));
}

void lp_figures_memory(struct lp_run *run, struct lp_metrics *m, struct lp_evidence *e)
{
	const struct lp_memory *unread = NULL;
	size_t elsewhere = 0;

	e->memory_holds = true;
	e->memory_why[0] = '\0';
	for (size_t i = 0; i < run->memory_count; i++) {
		struct lp_memory *area = &run->memory[i];
		bool holds = lp_memory_verify(area);

		elsewhere += area->elsewhere;
		/* Neither here nor elsewhere: the kernel did not say. */
		if (!holds && !area->elsewhere)
			unread = area;
		if (!holds && e->memory_holds)
			memcpy(e->memory_why, area->why, sizeof(e->memory_why));
		e->memory_holds = e->memory_holds && holds;
	}
	if (unread)
		lp_metrics_absent(m, "memory_elsewhere_pages", "%s", unread->why);
	else
		lp_metrics_set(m, "memory_elsewhere_pages", (double)elsewhere);
}

/* A scaled count says on how much of its time it rests, and a user-space one that it is that. */
static void pmu_caveats(struct lp_metrics *m, const struct lp_pmu_event *e)
{
	char name[80];

	if (e->multiplexed) {
		snprintf(name, sizeof(name), "%.40s_enabled_ns", e->metric);
		lp_metrics_set(m, name, (double)e->enabled_ns);
		snprintf(name, sizeof(name), "%.40s_running_ns", e->metric);
		lp_metrics_set(m, name, (double)e->running_ns);
	}
	if (e->user_only) {
		snprintf(name, sizeof(name), "%.40s_user_only", e->metric);
		lp_metrics_set(m, name, 1);
	}
}

void lp_figures_pmu(struct lp_metrics *m, const struct lp_pmu *pmu, uint64_t ops)
{
	char why[256];

	for (int i = 0; i < pmu->count; i++) {
		const struct lp_pmu_event *e = &pmu->event[i];

		if (!e->counted) {
			lp_pmu_why(e, why, sizeof(why));
			lp_metrics_absent(m, e->metric, "%s", why);
			continue;
		}
		if (e->per_op)
			lp_metrics_ratio(m, e->metric, (double)e->value, (double)ops, "operations");
		else
			lp_metrics_set(m, e->metric, (double)e->value);
		pmu_caveats(m, e);
	}
}

void lp_figures_interrupts(struct lp_metrics *m, const struct lp_interrupts *i,
	const struct lp_error *error, const int *os_cpu, int n)
{
	const char *line = lp_interrupts_function_calls(i);

	if (error->code)
		lp_metrics_absent(m, "kernel_cal_delta", "%s", error->message);
	else if (!line)
		lp_metrics_absent(m, "kernel_cal_delta",
			"/proc/interrupts has no line of function-call interrupts");
	else
		lp_metrics_set(m, "kernel_cal_delta",
			(double)lp_interrupts_sum(i, line, os_cpu, (size_t)n));
}
