// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Virtual time: one thread plays all actors in order of time, so that everything follows from the
 * seed; the clock jumps to whatever comes next.
 *
 * Two figures are ratios to another world: throughput against the `global` generation, and what a
 * fast device loses to a slow one beside it. Those worlds are played here too, from the same
 * seed, so that a row says it by itself.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

#define LONGEST_NS (3600 * LP_NS_PER_S)

void dt_play(struct dt *s)
{
	struct dt_loop *l = &s->loop[0];
	uint64_t end_ns = s->stream ? s->seconds * LP_NS_PER_S : LONGEST_NS;

	while (!s->done) {
		struct dt_actor *a = dt_loop_next(l);

		if (a->due_ns > end_ns)
			break;
		if (a->due_ns > l->now_ns)
			l->now_ns = a->due_ns;
		lp_cpu_enter(a->cpu);
		a->step(s, a);
	}
	if (s->stream)
		l->now_ns = end_ns;
	for (int i = 0; i < s->devices; i++)
		dt_device_settle(&s->bdi[i], l->now_ns);
	for (int i = 0; i < s->writers; i++)
		dt_writer_end(s, &s->writer[i]);
}

/* Another world. Return: throughput of its first device, 0 if it could not be made. */
static double play_reference(
	struct lp_run *run, const struct dt_algorithm *algorithm, int devices, bool whole)
{
	struct dt *s = dt_new(run, algorithm, devices, NULL);
	double mib_per_s = 0;

	if (!s)
		return 0;
	dt_play(s);
	for (int i = 0; i < (whole && s->stream ? devices : 1); i++)
		mib_per_s += dt_mib_per_s(s, i);
	dt_free(s);
	return mib_per_s;
}

uint64_t dirty_throttle_play(struct lp_run *run)
{
	struct dt *s = run->state;
	uint64_t ops = 0;

	dt_play(s);
	if (s->algorithm != &dt_global_algorithm)
		s->global_mib_per_s = play_reference(run, &dt_global_algorithm, s->devices, true);
	if (s->devices > 1)
		s->alone_mib_per_s = play_reference(run, s->algorithm, 1, false);
	for (int i = 0; i < s->cpus; i++)
		ops += s->cpu[i]->ops;
	return ops;
}
