// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's own count of function-call interrupts (/proc/interrupts, CAL on x86) beside ours.
 *
 * Other processes cause some too (TLB flushes, timers moved, wake-ups). Their rate is measured on
 * the same CPUs just before the window, while this process sleeps, and what is above that rate in
 * the window is taken as ours. The first CPU reads the counters at both ends of its own work.
 *
 * What would invalidate it: others that do not keep their pace; the rate and the rise are both
 * reported, so that the reader can judge.
 */
#include "suites/pcp_drain/pcp_drain.h"

#include <math.h>

#include "common/measure/interrupts.h"

enum { IDLE_NS = 20000000 };

double pcp_kernel_calls(const struct lp_run *run)
{
	struct lp_interrupts all;
	const char *line;
	double sum = NAN;

	if (lp_interrupts_read(&all, NULL, NULL))
		return NAN;
	line = lp_interrupts_function_calls(&all);
	if (line)
		sum = (double)lp_interrupts_sum(&all, line, run->os_cpu, (size_t)run->cpus);
	lp_interrupts_free(&all);
	return sum;
}

void pcp_calls_idle(struct pcp_drain *s)
{
	uint64_t from_ns = lp_clock_ns();
	double before;

	if (!s->observed)
		return;
	before = pcp_kernel_calls(s->run);
	lp_sleep_until_ns(from_ns + IDLE_NS);
	s->idle_calls_per_s =
		(pcp_kernel_calls(s->run) - before) * 1e9 / (double)(lp_clock_ns() - from_ns);
}

void pcp_calls_begin(struct pcp_drain *s, struct pcp_cpu *c)
{
	if (!s->observed || c->id)
		return;
	s->calls_from_ns = lp_clock_ns();
	s->calls = pcp_kernel_calls(s->run);
}

void pcp_calls_end(struct pcp_drain *s, struct pcp_cpu *c)
{
	if (!s->observed || c->id)
		return;
	s->calls = pcp_kernel_calls(s->run) - s->calls;
	s->calls_seconds = (double)(lp_clock_ns() - s->calls_from_ns) / 1e9;
}
