// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Making and unmaking a world: memory, devices with their files, writers, loops.
 *
 * `scale` divides memory, file and bandwidth and multiplies the time a page costs, so that their
 * ratios, and with them all times, stay those of the report. Constants of the kernel (a ratelimit
 * of 8 pages, pauses of 100 and 200 ms, 128 requests) do not scale: far from 1 they weigh more.
 */
#include "suites/dirty_throttle/dirty_throttle.h"
#include "common/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *dirty_throttle_unavailable(const struct lp_case *c, const struct lp_topology *t)
{
	long load = lp_case_get(c, "load");

	if (load != DT_LOAD_STREAM && c->mode != LP_MODE_EXACT)
		return "this load takes minutes of device time: in mode:exact only";
	if (load == DT_LOAD_LATE && !lp_case_get(c, "slow"))
		return "load:late needs a slow device, whose writers come first";
	return NULL;
}

static int no_memory(struct lp_error *err)
{
	return lp_fail(err, ENOMEM, "no memory for the state of dirty_throttle");
}

static int make_counter(struct dt *s, struct percpu_counter *c, struct lp_error *err)
{
	int rc = percpu_counter_init(c, s->cpus, s->bdi_batch, 0, err);

	if (!rc)
		spin_lock_init(&c->lock, s->flavour,
			s->flavour & LP_LOCK_OBSERVED ? &s->counter_stat : NULL);
	return rc;
}

static int make_prop(struct dt *s, struct dt_prop *p, struct lp_error *err)
{
	p->flavour = s->flavour;
	p->shift = dt_prop_shift(s->limits.dirty);
	return make_counter(s, &p->events, err);
}

/* ---- devices ---- */

static int make_device_counters(struct dt *s, struct dt_bdi *b, struct lp_error *err)
{
	int rc = make_counter(s, &b->reclaimable, err);

	rc = rc ? rc : make_counter(s, &b->writeback, err);
	rc = rc ? rc : make_counter(s, &b->dirtied, err);
	rc = rc ? rc : make_counter(s, &b->written, err);
	rc = rc ? rc : make_counter(s, &b->completions.events, err);
	spin_lock_init(&b->completions.lock, s->flavour,
		s->flavour & LP_LOCK_OBSERVED ? &s->prop_stat : NULL);
	dt_rates_init(&b->rates);
	return rc;
}

/* A benchmark's file is shared out among its writers. A stream's never ends: it comes back to its
 * first page when that has long been written, unless one of many writers outruns all others. */
static uint32_t file_pages(const struct dt *s, long scale, int writers)
{
	uint64_t pages = (uint64_t)DT_FILE_MIB * DT_PAGES_PER_MIB / (uint64_t)scale;

	if (s->stream)
		return (uint32_t)(writers < 16 ? 2 * s->limits.dirty : s->limits.dirty / 8) + 64;
	pages /= (uint64_t)writers;
	return pages < 64 ? 64 : (uint32_t)pages;
}

static int make_files(struct dt *s, struct dt_bdi *b, uint32_t pages, struct lp_error *err)
{
	int rc = 0;

	b->file = lp_zalloc_pairs((size_t)b->files, sizeof(*b->file));
	if (!b->file)
		return no_memory(err);
	for (int i = 0; !rc && i < b->files; i++)
		rc = dt_file_init(&b->file[i], b, pages, err);
	return rc;
}

static int make_device(struct dt *s, int id, struct lp_error *err)
{
	const struct lp_case *c = s->run->spec;
	struct dt_bdi *b = &s->bdi[id];
	long bandwidth = lp_case_get(c, id ? "slow" : "bandwidth"), scale = lp_case_get(c, "scale");
	int rc;

	b->id = id;
	b->files = (int)lp_case_get(c, "writers");
	if (bandwidth)
		b->ns_per_page = 1e9 * (double)scale / ((double)bandwidth * DT_PAGES_PER_MIB);
	b->cost_ns = (uint64_t)lp_case_get(c, "cost") * 1000;
	spin_lock_init(&b->queue_lock, s->flavour & 3, NULL);
	rc = make_device_counters(s, b, err);
	return rc ? rc : make_files(s, b, file_pages(s, scale, b->files), err);
}

/* ---- actors ---- */

static void add_actor(struct dt *s, struct dt_actor *a, int cpu,
	void (*step)(struct dt *, struct dt_actor *), uint64_t due_ns)
{
	a->cpu = cpu % s->cpus;
	a->step = step;
	dt_actor_add(&s->loop[s->loops == 1 ? 0 : a->cpu], a, due_ns);
}

static void add_writer(struct dt *s, int id, uint64_t due_ns)
{
	struct dt_writer *w = &s->writer[id];
	struct dt_bdi *b = &s->bdi[id % s->devices];

	w->id = id;
	w->bdi = b;
	w->file = &b->file[id / s->devices];
	w->nr_dirtied_pause = 32; /* 128 >> (PAGE_SHIFT − 10): kernel/fork.c, 3.2 */
	add_actor(s, &w->actor, id / s->devices, dt_writer_step, due_ns);
	if (s->stream)
		return;
	w->state = DT_WAITING_FOR_PHASE;
	dt_wait(&w->actor, &s->phase_event, 0, DT_NEVER);
}

static void add_actors(struct dt *s)
{
	uint64_t random = s->run->seed;

	for (int i = 0; i < s->devices; i++) {
		add_actor(s, &s->bdi[i].device, i, dt_device_step, 0);
		add_actor(s, &s->bdi[i].flusher, i, dt_flusher_step, 0);
	}
	for (int i = 0; i < s->cpus; i++)
		add_actor(s, &s->cpu[i]->vmstat, i, dt_vmstat_step, 0);
	/* Nobody starts at the very same moment. */
	for (int i = 0; i < s->writers; i++) {
		uint64_t from_ns =
			s->late && i % s->devices == 0 ? s->seconds * LP_NS_PER_S / 4 : 0;

		add_writer(s, i, from_ns + (s->virtual_time ? lp_random_below(&random, DT_MS) : 0));
	}
	if (!s->virtual_time)
		return;
	s->phase_from_ns = DT_NEVER;
	add_actor(s, &s->conductor, 0, s->stream ? dt_stream_step : dt_iozone_step,
		s->stream ? (uint64_t)(dt_marked_s(s) * 1e9) : DT_MS);
	add_actor(s, &s->sampler, 0, dt_sampler_step, 0);
}

static int make_loops(struct dt *s, struct lp_error *err)
{
	size_t actors = (size_t)s->writers + 2 * (size_t)s->devices + (size_t)s->cpus + 2;

	s->loops = s->virtual_time ? 1 : s->cpus;
	s->loop = lp_zalloc_pairs((size_t)s->loops, sizeof(*s->loop));
	if (!s->loop)
		return no_memory(err);
	for (int i = 0; i < s->loops; i++) {
		s->loop[i].s = s;
		s->loop[i].heap = calloc(actors, sizeof(struct dt_actor *));
		if (!s->loop[i].heap)
			return no_memory(err);
	}
	return 0;
}

/* ---- the whole ---- */

static void read_params(struct dt *s, const struct lp_case *c)
{
	long scale = lp_case_get(c, "scale");
	uint64_t memory = (uint64_t)DT_MEMORY_MIB * DT_PAGES_PER_MIB / (uint64_t)scale;

	s->virtual_time = c->mode == LP_MODE_EXACT;
	s->flavour = s->run->flavour | (s->virtual_time ? LP_LOCK_OBSERVED : 0);
	s->stream = lp_case_get(c, "load") != DT_LOAD_IOZONE;
	s->late = lp_case_get(c, "load") == DT_LOAD_LATE;
	s->seconds = (uint64_t)lp_case_get(c, "seconds");
	s->page_ns = (uint64_t)(lp_case_get(c, "page_ns") * scale);
	s->writers = (int)lp_case_get(c, "writers") * s->devices;
	s->dirty_ratio = lp_case_get(c, "dirty_ratio");
	s->mapped = lp_case_get(c, "mapped");
	dt_limits_init(&s->limits, memory, s->stream ? s->dirty_ratio : DT_BOOT_RATIO, s->mapped);
	s->limits.ratelimit_pages = s->algorithm->ratelimit_pages(&s->limits, s->cpus);
	/* BDI_STAT_BATCH: include/linux/backing-dev.h, 2.6.24; the proportions use it as well. */
	s->bdi_batch = 8 * (1 + 31 - __builtin_clz((unsigned)s->cpus));
	s->sample_every_ns = 10 * DT_MS;
}

static int make_cpus(struct dt *s, struct lp_error *err)
{
	s->cpu = calloc((size_t)s->cpus, sizeof(struct dt_cpu *));
	if (!s->cpu)
		return no_memory(err);
	for (int i = 0; i < s->cpus; i++) {
		s->cpu[i] = lp_run_alloc(
			s->run, sizeof(struct dt_cpu), lp_run_cpu_node(s->run, i), err);
		if (!s->cpu[i])
			return -err->code;
		lp_histogram_init(&s->cpu[i]->pause_ns);
		lp_histogram_init(&s->cpu[i]->stall_ns);
	}
	return 0;
}

static int make_counters(struct dt *s, struct lp_error *err)
{
	int32_t threshold = dt_stat_threshold(s->cpus, s->limits.memory);
	int rc = lp_lockstat_init(&s->counter_stat, s->cpus, err);

	rc = rc ? rc : lp_lockstat_init(&s->prop_stat, s->cpus, err);
	rc = rc ? rc : dt_stat_init(&s->nr_dirty, s->cpus, threshold, err);
	rc = rc ? rc : dt_stat_init(&s->nr_writeback, s->cpus, threshold, err);
	rc = rc ? rc : make_prop(s, &s->completions, err);
	return rc ? rc : make_prop(s, &s->dirties, err);
}

static int make(struct dt *s, struct lp_error *err)
{
	int rc = make_cpus(s, err);

	rc = rc ? rc : make_counters(s, err);
	s->bdi = lp_zalloc_pairs((size_t)s->devices, sizeof(*s->bdi));
	s->writer = lp_zalloc_pairs((size_t)s->writers, sizeof(*s->writer));
	s->sample = calloc(DT_SAMPLES, sizeof(*s->sample));
	if (!rc && (!s->bdi || !s->writer || !s->sample))
		rc = no_memory(err);
	for (int i = 0; !rc && i < s->devices; i++)
		rc = make_device(s, i, err);
	rc = rc ? rc : make_loops(s, err);
	if (!rc)
		add_actors(s);
	return rc;
}

struct dt *dt_new(
	struct lp_run *run, const struct dt_algorithm *algorithm, int devices, struct lp_error *err)
{
	struct dt *s = lp_zalloc_pairs(1, sizeof(*s));
	struct lp_error unheard;

	if (!s) {
		no_memory(err);
		return NULL;
	}
	s->run = run;
	s->algorithm = algorithm;
	s->cpus = run->cpus;
	s->devices = devices;
	read_params(s, run->spec);
	if (!make(s, err ? err : &unheard))
		return s;
	dt_free(s);
	return NULL;
}

static void free_device(struct dt_bdi *b)
{
	percpu_counter_destroy(&b->reclaimable);
	percpu_counter_destroy(&b->writeback);
	percpu_counter_destroy(&b->dirtied);
	percpu_counter_destroy(&b->written);
	percpu_counter_destroy(&b->completions.events);
	for (int i = 0; b->file && i < b->files; i++)
		dt_file_destroy(&b->file[i]);
	free(b->file);
}

void dt_free(struct dt *s)
{
	if (!s)
		return;
	for (int i = 0; s->bdi && i < s->devices; i++)
		free_device(&s->bdi[i]);
	for (int i = 0; s->loop && i < s->loops; i++)
		free(s->loop[i].heap);
	percpu_counter_destroy(&s->completions.events);
	percpu_counter_destroy(&s->dirties.events);
	dt_stat_destroy(&s->nr_dirty);
	dt_stat_destroy(&s->nr_writeback);
	lp_lockstat_destroy(&s->counter_stat);
	lp_lockstat_destroy(&s->prop_stat);
	free(s->bdi);
	free(s->writer);
	free(s->sample);
	free(s->loop);
	free(s->cpu);
	free(s);
}

int dirty_throttle_setup(struct lp_run *run, struct lp_error *err)
{
	int devices = lp_case_get(run->spec, "slow") ? 2 : 1;

	run->state = dt_new(run, run->spec->variant->algorithm, devices, err);
	return run->state ? 0 : -err->code;
}

void dirty_throttle_teardown(struct lp_run *run)
{
	dt_free(run->state);
	run->state = NULL;
}

/* How far off the counters were, then every CPU folds. */
void dirty_throttle_drain(struct lp_run *run)
{
	struct dt *s = run->state;

	dt_note_errors(s);
	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		dt_stat_fold(&s->nr_dirty);
		dt_stat_fold(&s->nr_writeback);
	}
	lp_cpu_enter(0);
}
