// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gathering the evidence of one thread and judging that of a repetition.
 *
 * Steal comes from /proc/stat, whose unit is a tick (10 ms on most machines): a short window can
 * show none although the CPU was away. Time that the thread did not get shows in CPU against wall
 * time at the scheduler's resolution, but not time the hypervisor took; the team adds gaps in its
 * own clock for that. What would invalidate it: a thread that leaves its CPU, whose steal is then
 * another one's.
 */
#include "common/measure/disturbance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/measure/clock.h"

/*
 * min_overlap: a tenth of the window worked alone changes a contended figure by as much as the
 *   effects that are looked for.
 * max_lost_share: 5 % of a window; the leader's wake-up and the timer tick stay far below.
 * max_steal_share: 2 % of the window, in whole ticks.
 * allowed_switches, max_switches_per_s: the leader's two wake-ups and what any system does now and
 *   then, per thread; a busy neighbour on the same CPU causes hundreds a second.
 * max_rtt_ratio: CPUs moved by the hypervisor to another core of the package or another package
 *   change it by 3 to 6; noise on CPUs that stay stays below 1.5. A pair that did not come to an
 *   end is disturbed as well; a single thread has none, and is not judged by it.
 */
const struct lp_verdict_limits lp_verdict_limits = {
	.min_overlap = 0.9,
	.max_lost_share = 0.05,
	.max_steal_share = 0.02,
	.allowed_switches = 4,
	.max_switches_per_s = 40,
	.max_rtt_ratio = 2.0,
};

static bool read_steal_ms(int os_cpu, uint64_t *ms)
{
	unsigned long long field[8];
	char line[512], key[32];
	FILE *f = fopen("/proc/stat", "re");
	bool found = false;

	snprintf(key, sizeof(key), "cpu%d ", os_cpu);
	while (f && !found && fgets(line, sizeof(line), f))
		found = !strncmp(line, key, strlen(key)) &&
			sscanf(line + strlen(key), "%llu %llu %llu %llu %llu %llu %llu %llu",
				&field[0], &field[1], &field[2], &field[3], &field[4], &field[5],
				&field[6], &field[7]) == 8;
	if (f)
		fclose(f);
	if (found)
		*ms = field[7] * 1000 / (unsigned long long)sysconf(_SC_CLK_TCK);
	return found;
}

static long read_khz(int os_cpu)
{
	char path[96];
	long khz = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq",
		os_cpu);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &khz) != 1)
		khz = -1;
	fclose(f);
	return khz;
}

static void read_switches(uint64_t *involuntary, uint64_t *voluntary)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	*involuntary = (uint64_t)usage.ru_nivcsw;
	*voluntary = (uint64_t)usage.ru_nvcsw;
}

void lp_disturbance_begin(struct lp_disturbance *d, int os_cpu)
{
	memset(d, 0, sizeof(*d));
	d->os_cpu = os_cpu;
	d->khz = -1;
	d->steal_known = read_steal_ms(os_cpu, &d->steal_ms);
	read_switches(&d->involuntary_switches, &d->voluntary_switches);
	d->cpu_ns = lp_thread_cpu_ns();
	d->wall_ns = lp_clock_ns();
}

void lp_disturbance_end(struct lp_disturbance *d)
{
	uint64_t involuntary, voluntary, steal_ms = 0;

	d->wall_ns = lp_clock_ns() - d->wall_ns;
	d->cpu_ns = lp_thread_cpu_ns() - d->cpu_ns;
	read_switches(&involuntary, &voluntary);
	d->involuntary_switches = involuntary - d->involuntary_switches;
	d->voluntary_switches = voluntary - d->voluntary_switches;
	/* Steal that went backwards is no amount of time. */
	d->steal_known =
		d->steal_known && read_steal_ms(d->os_cpu, &steal_ms) && steal_ms >= d->steal_ms;
	d->steal_ms = d->steal_known ? steal_ms - d->steal_ms : 0;
	d->khz = read_khz(d->os_cpu);
}

/* ---- the verdict ---- */

struct judgement {
	enum lp_verdict verdict;
	char *why;
	size_t size;
};

static void find(struct judgement *j, enum lp_verdict verdict, const char *reason)
{
	size_t used = strlen(j->why);

	snprintf(j->why + used, j->size - used, "%s%s", used ? "; " : "", reason);
	if (verdict > j->verdict)
		j->verdict = verdict;
}

static void judge_round_trip(struct judgement *j, const struct lp_evidence *e)
{
	double before_ns = e->rtt_before_ns, after_ns = e->rtt_after_ns;
	double ratio = fmax(after_ns / before_ns, before_ns / after_ns);
	char text[160];

	if (e->threads < 2)
		return;
	if (isnan(before_ns) || isnan(after_ns)) {
		snprintf(text, sizeof(text), "no cache-line round trip %s the window",
			isnan(before_ns) ? "before" : "after");
		find(j, LP_DISTURBED, text);
	} else if (ratio > lp_verdict_limits.max_rtt_ratio) {
		snprintf(text, sizeof(text), "the cache-line round trip went from %.0f to %.0f ns",
			before_ns, after_ns);
		find(j, LP_DISTURBED, text);
	}
}

static void judge_validity(struct judgement *j, const struct lp_evidence *e)
{
	char text[224];

	if (!e->pins_hold)
		find(j, LP_INVALID, "a thread did not stay on its CPU");
	if (!e->memory_holds) {
		snprintf(text, sizeof(text), "memory: %s",
			e->memory_why[0] ? e->memory_why : "not on its node");
		find(j, LP_INVALID, text);
	}
	if (e->threads > 1 && !(e->overlap >= lp_verdict_limits.min_overlap)) {
		snprintf(text, sizeof(text),
			"all threads ran together for only %.0f %% of the window",
			100 * e->overlap);
		find(j, LP_INVALID, text);
	}
}

static void judge_disturbance(struct judgement *j, const struct lp_evidence *e)
{
	const struct lp_verdict_limits *l = &lp_verdict_limits;
	char text[160];
	double switches = l->allowed_switches + l->max_switches_per_s * e->window_s;

	if (e->lost_share > l->max_lost_share) {
		snprintf(text, sizeof(text), "a thread lost %.1f %% of its time",
			100 * e->lost_share);
		find(j, LP_DISTURBED, text);
	}
	if ((double)e->steal_ms > 1000 * l->max_steal_share * e->window_s * e->threads) {
		snprintf(text, sizeof(text), "the hypervisor stole %lu ms",
			(unsigned long)e->steal_ms);
		find(j, LP_DISTURBED, text);
	}
	if ((double)e->involuntary_switches > switches * e->threads) {
		snprintf(text, sizeof(text), "%lu involuntary context switches",
			(unsigned long)e->involuntary_switches);
		find(j, LP_DISTURBED, text);
	}
}

enum lp_verdict lp_verdict(const struct lp_evidence *e, char *why, size_t size)
{
	struct judgement j = {.verdict = LP_VALID, .why = why, .size = size};

	why[0] = '\0';
	judge_validity(&j, e);
	judge_disturbance(&j, e);
	judge_round_trip(&j, e);
	return j.verdict;
}

double lp_jain(const double *rate, size_t n)
{
	double sum = 0, square = 0;

	for (size_t i = 0; i < n; i++) {
		sum += rate[i];
		square += rate[i] * rate[i];
	}
	return square > 0 ? sum * sum / ((double)n * square) : NAN;
}
