// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a thread's run-queue delay before and after its window; gaps.h says why.
 *
 * The file is opened ahead and read with pread(), 2 to 3 microseconds each time. What would
 * invalidate it: a window of well under a millisecond, in which those microseconds count.
 */
#include "drivers/team/gaps.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/measure/clock.h"

void lp_gaps_open(struct lp_gaps *g)
{
	*g = (struct lp_gaps){.fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)};
}

static void drop_file(struct lp_gaps *g)
{
	if (g->fd >= 0)
		close(g->fd);
	g->fd = -1;
}

static uint64_t read_delay_ns(struct lp_gaps *g)
{
	char text[96];
	uint64_t delay_ns = 0;
	ssize_t n = g->fd < 0 ? 0 : pread(g->fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	if (sscanf(text, "%*u %" SCNu64, &delay_ns) != 1)
		drop_file(g);
	return delay_ns;
}

static long voluntary_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

void lp_gaps_begin(struct lp_gaps *g)
{
	g->delay_ns = read_delay_ns(g);
	g->sleeps = voluntary_switches();
	g->cpu_ns = lp_thread_cpu_ns();
	g->wall_ns = lp_clock_ns();
}

void lp_gaps_end(struct lp_gaps *g)
{
	g->wall_ns = lp_clock_ns() - g->wall_ns;
	g->cpu_ns = lp_thread_cpu_ns() - g->cpu_ns;
	g->sleeps = voluntary_switches() - g->sleeps;
	g->delay_ns = read_delay_ns(g) - g->delay_ns;
	g->delay_known = g->fd >= 0;
	drop_file(g);
}

double lp_gaps_share(const struct lp_gaps *g)
{
	if (!g->wall_ns)
		return NAN;
	if (g->delay_known)
		return (double)g->delay_ns / (double)g->wall_ns;
	if (g->sleeps)
		return NAN;
	return g->cpu_ns >= g->wall_ns ? 0 : 1 - (double)g->cpu_ns / (double)g->wall_ns;
}
