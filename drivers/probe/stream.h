/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of one CPU's probes: which due times an interrupt answers, how late they were,
 * and which of the late ones saw the same stall. No clock and no timer, so that it can be tested
 * with invented times.
 */
#ifndef LP_DRIVERS_PROBE_STREAM_H
#define LP_DRIVERS_PROBE_STREAM_H

#include <stdint.h>

#include "common/measure/histogram.h"
#include "common/measure/pingstat.h"

enum { LP_PROBE_STALL_NS = 1000000 };

struct lp_probe_stream {
	uint64_t first_due_ns; /* the k-th probe, k from 0, is due at first + k × period */
	uint64_t period_ns;
	uint64_t answered;   /* probes that have run: 0..answered-1 */
	uint64_t interrupts; /* signals that answered them */
	uint64_t late;	     /* probes that ran more than LP_PROBE_STALL_NS after they were due */
	uint64_t stalls;     /* separate ones */
	uint64_t stall_until_ns; /* when the last stall was over; 0: there was none */
	struct lp_pingstat ping; /* of every probe, in order of its due time */
	struct lp_histogram holdoff_ns;
};

/** lp_probe_stream_init() - @period_ns > 0. */
void lp_probe_stream_init(struct lp_probe_stream *s, uint64_t first_due_ns, uint64_t period_ns);

/** lp_probe_stream_first_due() - the first time after @now_ns that is @epoch_ns plus a whole number
 * of periods; @epoch_ns is at most a period ahead of @now_ns. */
uint64_t lp_probe_stream_first_due(uint64_t epoch_ns, uint64_t period_ns, uint64_t now_ns);

/**
 * lp_probe_stream_interrupt() - an interrupt of the timer arrived at @arrival_ns and its handler
 * runs at @run_ns. Answers every probe that was due by the arrival and is not answered yet; none
 * if an earlier interrupt has done so already. Async-signal-safe.
 */
void lp_probe_stream_interrupt(struct lp_probe_stream *s, uint64_t arrival_ns, uint64_t run_ns);

/** lp_probe_stream_close() - the window ended at @end_ns, it is now @now_ns: probes that were due
 * and have not been answered count with the lateness they have by now. Leaving them out would
 * leave out late ones only. */
void lp_probe_stream_close(struct lp_probe_stream *s, uint64_t end_ns, uint64_t now_ns);

#endif
