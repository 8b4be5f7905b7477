/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of a team: what each worker thread brings back from its window, and how it is summed.
 * For the files of this folder and their tests only.
 */
#ifndef LP_DRIVERS_MEMBER_H
#define LP_DRIVERS_MEMBER_H

#include "common/compiler.h"
#include "common/measure/round_trip.h"
#include "drivers/team/gaps.h"
#include "drivers/team/meeting.h"
#include "drivers/team/team.h"

/* One worker thread; written by it alone until it is joined. */
struct lp_member {
	struct lp_team *team;
	struct lp_worker *worker;
	int os_cpu;
	pthread_t thread;
	bool pin_holds;
	uint64_t start_ns, end_ns; /* of the hook */
	uint64_t cpu_ns;
	double rtt_before_ns, rtt_after_ns; /* NaN: no pair of this thread's, or it gave up */
	uint64_t deferred_interrupts;
	struct lp_gaps gaps;
	struct lp_disturbance disturbance;
	struct lp_pmu pmu;
} LP_ALIGNED(LP_CACHE_PAIR);

struct lp_team {
	struct lp_run *run;
	const struct lp_team_options *options;
	struct lp_meeting meeting;
	struct lp_round_trip *lines_before, *lines_after;
	struct lp_member *member; /* [run->cpus] */
	/* On lines of its own: every worker reads it once a batch. */
	_Atomic bool stop LP_ALIGNED(LP_CACHE_PAIR);
} LP_ALIGNED(LP_CACHE_PAIR);

/** lp_team_sum() - the result of the whole team, from members that have been joined.
 * Return: 0, or -ENOMEM with @err set. */
int lp_team_sum(const struct lp_team *team, struct lp_team_result *result, struct lp_error *err);

#endif
