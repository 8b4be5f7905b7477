// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the writers are made to do as a whole, in virtual time: the runs of a benchmark, or an
 * endless stream of which the second half counts. Where the slow device's writers come first, it
 * counts from the arrival of the others.
 *
 * iozone times each pass over a file without its fsync, which follows outside the time, and
 * removes the file after a run (iozone.c, write_perf_test()). So each pass ends with every page
 * written once and a clean device, whatever the throttling, and a new file begins.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

static void phase_begins(struct dt *s, struct dt_actor *a)
{
	/* As whoever was disappointed by the first run would try. */
	if (s->phase == DT_PHASES && s->dirty_ratio != DT_BOOT_RATIO)
		dt_set_dirty_ratio(s, s->dirty_ratio);
	s->running = s->writers;
	for (int i = 0; i < s->writers; i++) {
		s->writer[i].left = s->writer[i].file->pages;
		s->writer[i].position = 0;
	}
	s->phase_from_ns = dt_now(a);
	dt_event_raise(s, &s->phase_event);
	dt_at(a, dt_now(a) + DT_MS);
}

/* Return: whether every page is on its device. */
static bool all_clean(struct dt *s)
{
	bool clean = true;

	for (int i = 0; i < s->devices; i++) {
		struct dt_bdi *b = &s->bdi[i];
		struct dt_writeout o = {.left = UINT32_MAX};

		dt_writeout(s, b, &o);
		clean = clean && !b->exact_dirty && !b->exact_writeback;
	}
	return clean;
}

void dt_iozone_step(struct dt *s, struct dt_actor *a)
{
	if (!s->syncing && s->running) {
		dt_at(a, dt_now(a) + DT_MS);
		return;
	}
	if (!s->syncing && s->phase_from_ns != DT_NEVER) {
		s->phase_ns[s->phase++] = s->phase_end_ns - s->phase_from_ns;
		s->syncing = true;
	}
	if (!all_clean(s)) {
		dt_at(a, dt_now(a) + DT_MS);
		return;
	}
	s->syncing = false;
	if (s->phase == DT_RUNS * DT_PHASES)
		s->done = true;
	else
		phase_begins(s, a);
}

void dt_stream_step(struct dt *s, struct dt_actor *a)
{
	for (int i = 0; i < s->writers; i++)
		s->writer[i].marked_pages = s->writer[i].pages;
	dt_at(a, DT_NEVER);
}

double dt_marked_s(const struct dt *s)
{
	return s->late ? 0.25 * (double)s->seconds : 0.5 * (double)s->seconds;
}

double dt_run_mib_per_s(const struct dt *s, int run, int from, int to)
{
	double pages = 0, ns = 0;

	for (int phase = from; phase <= to; phase++) {
		ns += (double)s->phase_ns[run * DT_PHASES + phase];
		for (int i = 0; i < s->writers; i++)
			pages += s->writer[i].file->pages;
	}
	return ns > 0 ? pages / DT_PAGES_PER_MIB * 1e9 / ns : 0;
}

double dt_mib_per_s(const struct dt *s, int device)
{
	double sum = 0;

	if (!s->stream) {
		for (int run = 1; run < DT_RUNS; run++)
			sum += dt_run_mib_per_s(s, run, 0, DT_PHASES - 1);
		return sum / (DT_RUNS - 1);
	}
	for (int i = 0; i < s->writers; i++)
		if (s->writer[i].bdi->id == device)
			sum += (double)(s->writer[i].pages - s->writer[i].marked_pages);
	return sum / DT_PAGES_PER_MIB / ((double)s->seconds - dt_marked_s(s));
}
