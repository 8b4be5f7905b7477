// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accounts for probes by their due times; see stream.h.
 *
 * Why due times and not timer_getoverrun(): that call tells the overruns of the signal delivered
 * *last*. With a software mask, several signals may have been delivered and recorded before the
 * first handler runs, and all of them would read the last one's count. The clock cannot be
 * mistaken: when the kernel delivers a timer's signal it moves the timer past the present
 * (kernel/time/posix-timers.c, 6.1: posixtimer_rearm), so each probe due by the arrival belongs to
 * this interrupt or an earlier one. A probe that comes due in the instant between delivery and the
 * stamp of the arrival is answered early by that instant, and its own signal finds nothing left.
 *
 * What would invalidate it: a period near the cost of a signal (a microsecond or two).
 */
#include "drivers/probe/stream.h"

void lp_probe_stream_init(struct lp_probe_stream *s, uint64_t first_due_ns, uint64_t period_ns)
{
	*s = (struct lp_probe_stream){.first_due_ns = first_due_ns, .period_ns = period_ns};
	lp_pingstat_init(&s->ping);
	lp_histogram_init(&s->holdoff_ns);
}

uint64_t lp_probe_stream_first_due(uint64_t epoch_ns, uint64_t period_ns, uint64_t now_ns)
{
	if (epoch_ns > now_ns)
		return epoch_ns;
	return now_ns + period_ns - (now_ns - epoch_ns) % period_ns;
}

/*
 * A late probe whose due time lies within the last stall saw that stall. The first one that does
 * not opens another.
 */
static void note_late(struct lp_probe_stream *s, uint64_t due_ns, uint64_t run_ns)
{
	s->late++;
	if (!s->stalls || due_ns > s->stall_until_ns)
		s->stalls++;
	s->stall_until_ns = run_ns;
}

static void answer(struct lp_probe_stream *s, uint64_t due_ns, uint64_t run_ns)
{
	uint64_t round_trip_ns = run_ns - due_ns;

	lp_pingstat_add(&s->ping, round_trip_ns);
	if (round_trip_ns > LP_PROBE_STALL_NS)
		note_late(s, due_ns, run_ns);
	s->answered++;
}

static void answer_due_by(struct lp_probe_stream *s, uint64_t by_ns, uint64_t run_ns)
{
	uint64_t due_ns = s->first_due_ns + s->answered * s->period_ns;

	for (; due_ns <= by_ns; due_ns += s->period_ns)
		answer(s, due_ns, run_ns);
}

void lp_probe_stream_interrupt(struct lp_probe_stream *s, uint64_t arrival_ns, uint64_t run_ns)
{
	s->interrupts++;
	lp_histogram_record(&s->holdoff_ns, run_ns - arrival_ns);
	answer_due_by(s, arrival_ns, run_ns);
}

void lp_probe_stream_close(struct lp_probe_stream *s, uint64_t end_ns, uint64_t now_ns)
{
	answer_due_by(s, end_ns, now_ns);
}
