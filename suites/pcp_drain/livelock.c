// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The livelock detector: time is cut into windows, and one in which some CPU drained while no
 * allocator got anything is a livelock's. Each CPU counts for itself; they are added afterwards.
 *
 * Victims and freers do not count as progress: the livelock was that of those in reclaim.
 */
#include "suites/pcp_drain/pcp_drain.h"

void pcp_note_window(struct pcp_drain *s, struct pcp_cpu *c, unsigned drains, unsigned successes)
{
	uint64_t window;

	if (s->exact)
		window = s->turn / PCP_WINDOW_TURNS;
	else if (s->observed)
		window = (lp_clock_ns() - s->begun_ns) / PCP_WINDOW_NS;
	else
		return;
	if (window >= PCP_WINDOWS)
		return;
	c->window[window].drains += drains;
	c->window[window].successes += successes;
}

void pcp_livelocks(const struct pcp_drain *s, uint64_t *livelocked, uint64_t *drained)
{
	*livelocked = *drained = 0;
	for (int w = 0; w < PCP_WINDOWS; w++) {
		uint64_t drains = 0, successes = 0;

		for (int i = 0; i < s->cpus; i++) {
			drains += s->cpu[i]->window[w].drains;
			successes += s->cpu[i]->window[w].successes;
		}
		*drained += drains > 0;
		*livelocked += drains && !successes;
	}
}
