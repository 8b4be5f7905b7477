/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One repetition while it is being measured; for the files of this folder only.
 */
#ifndef LP_BENCH_SESSION_H
#define LP_BENCH_SESSION_H

#include "drivers/bench/measure.h"
#include "drivers/team/team.h"

struct lp_session {
	const struct lp_case *spec;
	const struct lp_measure_options *options;
	uint64_t pace_ops_per_s; /* of each worker in soak mode; 0: not known yet */
	struct lp_run run;
	int *os_cpu, *node, *nodes; /* what run points to */
	struct lp_team_result team;
	struct lp_interrupts interrupts;  /* around the team; no lines unless observed */
	struct lp_error interrupts_error; /* why there are none in observed mode */
};

/** lp_session_run() - the hooks, in order. Return: 0, or -errno with @err set. Either way
 * lp_session_close() frees what is left in @s. */
int lp_session_run(struct lp_session *s, struct lp_error *err);
void lp_session_close(struct lp_session *s);

/** lp_session_find_pace() - set the pace of soak mode: the case's parameter `pace` if it has one,
 * otherwise half of what the workers do flat out in a short window of its own. Before
 * lp_session_run(), because the CPUs of a run exist once. Return: 0, or -errno with @err set. */
int lp_session_find_pace(struct lp_session *s, struct lp_error *err);

/** lp_session_work() - one window of the team, with what the mode adds; not for exact mode.
 * Return: 0, or -errno with @err set. */
int lp_session_work(struct lp_session *s, struct lp_error *err);

/** lp_session_param() - the value of the case's parameter @name, @otherwise if its suite has no
 * such parameter. */
long lp_session_param(const struct lp_session *s, const char *name, long otherwise);

#endif
