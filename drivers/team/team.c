// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a variant's hook on one pinned thread per CPU for one common window.
 *
 * The threads meet asleep, then sleep until a common time a little ahead, so that the last one
 * woken by the meeting does not start after the first has worked for long. The leader sleeps
 * through the window on whatever CPU the kernel finds and raises the stop flag.
 *
 * The end has two steps. A thread whose hook has returned goes on taking interrupts while it waits,
 * asleep, until every hook has returned: another worker may still wait for its answer. Only then
 * does `running` fall on all of them, and interrupts are detached after one more meeting, which
 * covers an interrupt that a last handler still sent. So a hook may wait for peers through
 * interrupts after the stop, but for nothing that only a peer's hook itself would do.
 *
 * What would invalidate it: other work on the CPUs of the team (the evidence shows it), or more
 * workers than CPUs, because the round trip spins.
 */
#include "drivers/team/team.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "common/compiler.h"
#include "common/kernel/cpu.h"
#include "common/kernel/irq.h"
#include "common/machine/pin.h"
#include "common/measure/clock.h"
#include "drivers/team/member.h"
#include "common/alloc.h"

enum {
	ROUND_TRIPS = 2000, /* 0.1 to 1 ms: 70 to 500 ns each between CPUs of one machine */
	START_LEAD_NS =
		200000, /* from the meeting to the start, and more for each thread to wake */
	START_LEAD_PER_THREAD_NS = 20000,
};

/* ---- one worker ---- */

/* One line for each pair, and one for an odd last CPU with CPU 0. */
static size_t lines_needed(int cpus)
{
	return (size_t)cpus / 2 + 1;
}

/*
 * Pairs (0,1), (2,3), … play at once; with an odd number of CPUs the last one plays with CPU 0
 * afterwards. All spin together, having met asleep. Return: the slowest of this CPU's pairs in
 * which it was side 0, NaN if there was none or the peer never came.
 */
static double play_round_trips(struct lp_member *m, struct lp_round_trip *lines)
{
	int cpus = m->team->run->cpus, cpu = m->worker->cpu, last = cpus - 1;
	double even_ns = NAN, odd_ns = NAN;

	lp_meeting_wait(&m->team->meeting, NULL);
	if ((cpu ^ 1) < cpus)
		even_ns = lp_round_trip_play(&lines[cpu / 2], cpu & 1, ROUND_TRIPS);
	if (cpus % 2 == 0 || cpus == 1)
		return cpu & 1 ? NAN : even_ns;
	lp_meeting_wait(&m->team->meeting, NULL);
	if (cpu == 0 || cpu == last)
		odd_ns = lp_round_trip_play(&lines[cpus / 2], cpu == last, ROUND_TRIPS);
	if (cpu & 1 || cpu == last)
		return NAN;
	return fmax(even_ns, odd_ns);
}

static void take_up_cpu(struct lp_member *m)
{
	/* Sleeps of a worker end at once, not up to 50 µs later. */
	prctl(PR_SET_TIMERSLACK, 1ul);
	lp_cpu_enter(m->worker->cpu);
	m->worker->thread = pthread_self();
	lp_irq_attach();
	m->pin_holds = lp_pin_holds(m->os_cpu);
	if (m->team->options->count_events)
		lp_pmu_open(&m->pmu);
	lp_gaps_open(&m->gaps);
}

/* Sleep until the common start. Return: its time, the same on every thread. */
static uint64_t wait_for_start(struct lp_team *team)
{
	uint64_t start_ns;

	lp_meeting_wait(&team->meeting, &start_ns);
	start_ns += START_LEAD_NS + (uint64_t)team->run->cpus * START_LEAD_PER_THREAD_NS;
	lp_sleep_until_ns(start_ns);
	return start_ns;
}

static void work(struct lp_member *m)
{
	const struct lp_team_options *options = m->team->options;
	struct lp_worker *w = m->worker;

	if (options->count_events)
		lp_pmu_start(&m->pmu);
	if (options->worker_begin)
		options->worker_begin(w, options->context);
	/* Release: pairs with the acquire of whoever looks whether interrupts arrive here. */
	atomic_store_explicit(&w->running, true, memory_order_release);
	m->cpu_ns = lp_thread_cpu_ns();
	m->start_ns = lp_clock_ns();
	m->team->run->spec->variant->run(w);
	m->end_ns = lp_clock_ns();
	m->cpu_ns = lp_thread_cpu_ns() - m->cpu_ns;
	if (options->worker_end)
		options->worker_end(w, options->context);
	if (options->count_events)
		lp_pmu_stop(&m->pmu);
}

static void *member_main(void *argument)
{
	struct lp_member *m = argument;
	struct lp_team *team = m->team;

	if (!lp_meeting_wait(&team->meeting, NULL))
		return NULL;
	take_up_cpu(m);
	m->rtt_before_ns = play_round_trips(m, team->lines_before);
	lp_disturbance_begin(&m->disturbance, m->os_cpu);
	m->worker->pace_from_ns = wait_for_start(team);
	lp_gaps_begin(&m->gaps);
	work(m);
	lp_gaps_end(&m->gaps);
	lp_disturbance_end(&m->disturbance);
	m->pin_holds = m->pin_holds && lp_pin_holds(m->os_cpu);
	/* Asleep, but still taking interrupts, until every hook has returned. */
	lp_meeting_wait(&team->meeting, NULL);
	atomic_store_explicit(&m->worker->running, false, memory_order_release);
	m->rtt_after_ns = play_round_trips(m, team->lines_after);
	lp_irq_detach();
	m->deferred_interrupts = lp_irq.deferred;
	if (team->options->count_events)
		lp_pmu_close(&m->pmu);
	return NULL;
}

/* ---- the leader ---- */

static void team_free(struct lp_team *team)
{
	if (!team)
		return;
	lp_meeting_destroy(&team->meeting);
	free(team->lines_before);
	free(team->lines_after);
	free(team->member);
	free(team);
}

static struct lp_team *team_new(struct lp_run *run, const struct lp_team_options *options)
{
	struct lp_team *team = lp_zalloc_pairs(1, sizeof(*team));
	size_t lines = lines_needed(run->cpus);

	if (!team)
		return NULL;
	team->run = run;
	team->options = options;
	/* The workers and the leader. */
	lp_meeting_init(&team->meeting, run->cpus + 1);
	team->lines_before = lp_zalloc_pairs(lines, sizeof(*team->lines_before));
	team->lines_after = lp_zalloc_pairs(lines, sizeof(*team->lines_after));
	team->member = lp_zalloc_pairs((size_t)run->cpus, sizeof(*team->member));
	if (!team->lines_before || !team->lines_after || !team->member) {
		team_free(team);
		return NULL;
	}
	for (size_t i = 0; i < lines; i++) {
		lp_round_trip_init(&team->lines_before[i]);
		lp_round_trip_init(&team->lines_after[i]);
	}
	return team;
}

static void brief_worker(struct lp_team *team, int cpu)
{
	struct lp_run *run = team->run;
	struct lp_worker *w = &run->worker[cpu];
	/* An odd multiple of the CPU and one output step: streams that do not overlap. */
	uint64_t seed = run->seed ^ ((uint64_t)(cpu + 1) * 0xd1342543de82ef95ull);

	w->run = run;
	w->cpu = cpu;
	w->stop = &team->stop;
	w->ops = 0;
	w->random = lp_random(&seed);
	w->pace_ops_per_s = team->options->pace_ops_per_s;
	team->member[cpu].team = team;
	team->member[cpu].worker = w;
	team->member[cpu].os_cpu = run->os_cpu[cpu];
}

static int create_pinned(struct lp_member *m, struct lp_error *err)
{
	pthread_attr_t attr;
	int rc;

	pthread_attr_init(&attr);
	rc = lp_pin_attr(&attr, m->os_cpu, err);
	if (!rc) {
		rc = -pthread_create(&m->thread, &attr, member_main, m);
		if (rc)
			lp_fail(err, -rc, "cannot start worker %d on CPU %d: %s%s", m->worker->cpu,
				m->os_cpu, strerror(-rc),
				rc == -EINVAL ? " (is the CPU online and allowed to this process?)"
					      : "");
	}
	pthread_attr_destroy(&attr);
	return rc;
}

static void join_first(struct lp_team *team, int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(team->member[i].thread, NULL);
}

static int create_members(struct lp_team *team, struct lp_error *err)
{
	for (int i = 0; i < team->run->cpus; i++) {
		int rc;

		brief_worker(team, i);
		rc = create_pinned(&team->member[i], err);
		if (rc) {
			lp_meeting_call_off(&team->meeting);
			join_first(team, i);
			return rc;
		}
	}
	return 0;
}

/* The leader takes part in every meeting of member_main(), in the same order. */
static void lead(struct lp_team *team)
{
	int meetings_of_round_trip = team->run->cpus % 2 && team->run->cpus > 1 ? 2 : 1;

	lp_meeting_wait(&team->meeting, NULL);
	for (int i = 0; i < meetings_of_round_trip; i++)
		lp_meeting_wait(&team->meeting, NULL);
	lp_sleep_until_ns(wait_for_start(team) + team->options->window_ns);
	/* Relaxed: the workers only look whether it is time; joining them orders the results. */
	atomic_store_explicit(&team->stop, true, memory_order_relaxed);
	lp_meeting_wait(&team->meeting, NULL);
	for (int i = 0; i < meetings_of_round_trip; i++)
		lp_meeting_wait(&team->meeting, NULL);
	join_first(team, team->run->cpus);
}

int lp_team_run(struct lp_run *run, const struct lp_team_options *options,
	struct lp_team_result *result, struct lp_error *err)
{
	struct lp_team *team;
	int rc;

	*result = (struct lp_team_result){.rate = NULL};
	lp_irq_block();
	team = team_new(run, options);
	if (!team)
		return lp_fail(err, ENOMEM, "no memory for a team of %d threads", run->cpus);
	rc = create_members(team, err);
	if (!rc) {
		lead(team);
		rc = lp_team_sum(team, result, err);
	}
	for (int i = 0; i < run->cpus; i++)
		run->worker[i].stop = NULL;
	team_free(team);
	return rc;
}
