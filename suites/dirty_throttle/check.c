// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The invariants: after a full fold the counters say what the pages' tags say; they were never
 * further off than their bound; every page that was dirtied was handed to its device once or is
 * still dirty, and every page handed over arrived once or is still on its way; every writer got
 * somewhere and none sleeps without anybody to wake it; no pause of `paced` is over 200 ms.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

#include <errno.h>

struct tags {
	int64_t dirty, writeback;
};

/* No worker is left: relaxed will do. */
static unsigned queued_requests(const struct dt_bdi *b)
{
	return atomic_load_explicit(&b->queued, memory_order_relaxed);
}

static int64_t counted(const struct dt_stat *c)
{
	return atomic_load_explicit(&c->count, memory_order_relaxed);
}

static int64_t count(const uint64_t *tag, uint32_t pages)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < (pages + 63) / 64; i++)
		n += __builtin_popcountll(tag[i]);
	return n;
}

static int check_file(const struct dt_file *f, struct tags *sum, struct lp_error *err)
{
	int64_t dirty = count(f->dirty_tag, f->pages);
	int64_t writeback = count(f->writeback_tag, f->pages);

	sum->dirty += dirty;
	sum->writeback += writeback;
	if (f->faults)
		return lp_fail(err, EUCLEAN,
			"%lu pages were written while on their way, or arrived "
			"without having been sent",
			(unsigned long)f->faults);
	if (f->dirtied != f->submitted + (uint64_t)dirty)
		return lp_fail(err, EUCLEAN,
			"a file: %lu pages dirtied, %lu sent to the device, %ld still dirty",
			(unsigned long)f->dirtied, (unsigned long)f->submitted, (long)dirty);
	if (f->submitted != f->completed + (uint64_t)writeback)
		return lp_fail(err, EUCLEAN,
			"a file: %lu pages sent to the device, %lu arrived, %ld on their way",
			(unsigned long)f->submitted, (unsigned long)f->completed, (long)writeback);
	return 0;
}

static int check_number(
	const char *what, int id, int64_t counted, int64_t tagged, struct lp_error *err)
{
	if (counted == tagged)
		return 0;
	return lp_fail(err, EUCLEAN, "%s %d: the counter says %ld pages, the tags %ld", what, id,
		(long)counted, (long)tagged);
}

static int check_device(struct dt *s, struct dt_bdi *b, struct tags *sum, struct lp_error *err)
{
	struct tags own = {0};
	uint64_t queued = 0;
	int rc = 0;

	for (int i = 0; !rc && i < b->files; i++)
		rc = check_file(&b->file[i], &own, err);
	for (unsigned i = 0; i < queued_requests(b); i++)
		queued += b->request[(b->head + i) % DT_REQUESTS].run.pages;
	rc = rc ? rc
		: check_number("the queue of device", b->id, (int64_t)queued, own.writeback, err);
	if (!rc && s->algorithm->bdi_counters) {
		rc = check_number("dirty pages of device", b->id,
			percpu_counter_sum(&b->reclaimable, s->flavour & 3), own.dirty, err);
		rc = rc ? rc
			: check_number("pages under writeback of device", b->id,
				  percpu_counter_sum(&b->writeback, s->flavour & 3), own.writeback,
				  err);
	}
	sum->dirty += own.dirty;
	sum->writeback += own.writeback;
	return rc;
}

static int check_errors(struct dt *s, struct lp_error *err)
{
	int64_t bound = (int64_t)s->cpus * s->nr_dirty.threshold;

	if (s->stat_error > bound)
		return lp_fail(err, EUCLEAN,
			"a zone counter was off by %ld pages, its bound is %ld",
			(long)s->stat_error, (long)bound);
	if (s->bdi_error > (int64_t)dt_bdi_error(s))
		return lp_fail(err, EUCLEAN,
			"a device's counter was off by %ld pages, its bound is %ld",
			(long)s->bdi_error, (long)dt_bdi_error(s));
	return 0;
}

static int check_writer(struct dt *s, struct dt_writer *w, struct lp_error *err)
{
	if (!w->pages)
		return lp_fail(err, EUCLEAN, "writer %d never wrote a page", w->id);
	if (w->state == DT_WRITING && !queued_requests(w->bdi) && !w->bdi->reserved)
		return lp_fail(
			err, EUCLEAN, "writer %d waits for a device that has nothing to do", w->id);
	return 0;
}

static int check_pauses(struct dt *s, struct lp_error *err)
{
	for (int i = 0; s->algorithm->rates && i < s->cpus; i++)
		if (s->cpu[i]->pauses_over_200ms)
			return lp_fail(err, EUCLEAN, "CPU %d: %lu pauses were over 200 ms", i,
				(unsigned long)s->cpu[i]->pauses_over_200ms);
	return 0;
}

static int check_virtual(struct dt *s, struct lp_error *err)
{
	int rc = check_pauses(s, err);

	if (!rc && !s->stream && !s->done)
		return lp_fail(err, EUCLEAN, "the runs came to a halt in phase %d of %d", s->phase,
			DT_RUNS * DT_PHASES);
	for (int i = 0; !rc && i < s->writers; i++)
		rc = check_writer(s, &s->writer[i], err);
	return rc;
}

int dirty_throttle_check(struct lp_run *run, struct lp_error *err)
{
	struct dt *s = run->state;
	struct tags sum = {0};
	int rc = 0;

	for (int i = 0; !rc && i < s->devices; i++)
		rc = check_device(s, &s->bdi[i], &sum, err);
	rc = rc ? rc
		: check_number("dirty pages of machine", 0, counted(&s->nr_dirty), sum.dirty, err);
	rc = rc ? rc
		: check_number("pages under writeback of machine", 0, counted(&s->nr_writeback),
			  sum.writeback, err);
	rc = rc ? rc : check_errors(s, err);
	return rc || !s->virtual_time ? rc : check_virtual(s, err);
}
