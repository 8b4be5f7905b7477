// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Real time: each worker plays the actors of its CPU by the machine's clock. Its writers, the
 * flusher and the completions of the devices at home on it share the CPU as they would in the
 * kernel; more writers than CPUs is the case's own wish (`writers`).
 */
#include "suites/dirty_throttle/dirty_throttle.h"

#include <time.h>

#include "common/kernel/irq_poll.h"

enum { NAP_NS = 50000 }; /* events of other CPUs are seen this late at most */

/* Nobody here has anything to do: until then, or until a look at the others is due. */
static void idle(uint64_t now_ns, uint64_t due_ns)
{
	struct timespec ts = {.tv_nsec = NAP_NS};

	if (due_ns - now_ns < NAP_NS)
		ts.tv_nsec = (long)(due_ns - now_ns);
	/* An interrupt may end it early, which is as well. */
	nanosleep(&ts, NULL);
}

void dirty_throttle_run(struct lp_worker *w)
{
	struct dt *s = w->run->state;
	struct dt_loop *l = &s->loop[w->cpu];
	struct dt_cpu *c = s->cpu[w->cpu];

	while (!lp_worker_stopped(w)) {
		struct dt_actor *a;
		uint64_t ops = c->ops;

		l->now_ns = lp_clock_ns();
		a = dt_loop_next(l);
		if (a->due_ns > l->now_ns)
			idle(l->now_ns, a->due_ns);
		else
			a->step(s, a);
		lp_worker_batch_done(w, c->ops - ops);
		lp_irq_poll();
	}
}
