// SPDX-License-Identifier: GPL-2.0-or-later
/* Making and unmaking a small machine: all its pages free, its files not cached. */
#include "suites/lru_deactivate/lru_deactivate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static void read_params(struct deactivate *s, const struct lp_case *c)
{
	s->memory = (unsigned)lp_case_get(c, "memory");
	s->stress = lp_case_get(c, "stress");
	s->zipf = lp_case_get(c, "set");
	s->working_set = s->memory * (unsigned)lp_case_get(c, "set_share") / 100;
	s->stress_set = s->memory / 4;
	s->min = s->memory / 128;
	s->low = s->min + s->min / 4 + FREE_BATCH;
	s->high = s->min + s->min / 2 + 2 * FREE_BATCH;
	s->stream_pages = (uint64_t)s->memory * STREAM_TIMES_MEMORY / 2;
	if (!s->exact) /* the stream of a timed run is endless: it starts over */
		s->stream_pages = s->memory;
	s->stream_pages -= s->stream_pages % CHUNK;
}

static int make_mapping(
	struct deactivate *s, int cpu, enum mapping_id id, uint64_t pages, struct lp_error *err)
{
	struct mapping *m = &s->map[cpu * MAPPINGS + id];

	m->pages = pages;
	m->slot = lp_run_alloc(s->run, pages * sizeof(*m->slot), lp_run_cpu_node(s->run, cpu), err);
	return m->slot ? 0 : -err->code;
}

static int make_mappings(struct deactivate *s, struct lp_error *err)
{
	int rc;

	s->map = calloc((size_t)s->cpus * MAPPINGS, sizeof(*s->map));
	if (!s->map)
		return lp_fail(err, ENOMEM, "no memory for the page cache");
	rc = make_mapping(s, 0, MAP_WORKING_SET, s->working_set, err);
	for (int i = 0; !rc && i < s->cpus; i++) {
		rc = make_mapping(s, i, MAP_SOURCE, s->stream_pages, err);
		if (!rc)
			rc = make_mapping(s, i, MAP_COPY, s->stream_pages, err);
		if (!rc)
			rc = make_mapping(s, i, MAP_STRESS, s->stress_set, err);
	}
	return rc;
}

/* Zipf's law with exponent 1: the k-th page is used 1/k as often as the first. */
static int make_zipf(struct deactivate *s, struct lp_error *err)
{
	double sum = 0;

	s->zipf_share = calloc(s->working_set, sizeof(double));
	if (!s->zipf_share)
		return lp_fail(err, ENOMEM, "no memory for the working set");
	for (unsigned i = 0; i < s->working_set; i++)
		s->zipf_share[i] = sum += 1.0 / (i + 1);
	for (unsigned i = 0; i < s->working_set; i++)
		s->zipf_share[i] /= sum;
	return 0;
}

static int make_pages(struct deactivate *s, struct lp_error *err)
{
	s->pages = lp_run_alloc(s->run, s->memory * sizeof(*s->pages), 0, err);
	s->free = lp_run_alloc(s->run, s->memory * sizeof(*s->free), 0, err);
	s->lruvec = lp_run_alloc(s->run, sizeof(*s->lruvec), 0, err);
	if (!s->pages || !s->free || !s->lruvec)
		return -err->code;
	for (unsigned i = 0; i < s->memory; i++)
		s->free[i] = &s->pages[i];
	atomic_init(&s->nr_free, s->memory);
	lruvec_init(s->lruvec, 0, 0, s->flavour, &s->stat);
	spin_lock_init(&s->free_lock, s->flavour, &s->stat);
	return 0;
}

/* This CPU's part of lru_rotate: its batch, its counts, and a stack for pages freed there. */
static int make_rotation_cpu(struct deactivate *s, int i, int node, struct lp_error *err)
{
	struct lru_cpu *r = lp_run_alloc(s->run, sizeof(*r), node, err);

	if (!r)
		return -err->code;
	s->rotation.cpu[i] = r;
	s->cpu[i]->rotation = r;
	lp_histogram_init(&r->rotation_delay_ticks);
	r->free = lp_run_alloc(s->run, s->memory * sizeof(*r->free), node, err);
	return r->free ? 0 : -err->code;
}

static int make_cpu(struct deactivate *s, int i, struct lp_error *err)
{
	int node = lp_run_cpu_node(s->run, i);
	struct ld_cpu *c = lp_run_alloc(s->run, sizeof(*c), node, err);

	if (!c)
		return -err->code;
	s->cpu[i] = c;
	c->random = s->run->seed + (uint64_t)i * 0x632be59bd9b4e019ull;
	c->writing = lp_run_alloc(s->run, s->memory * sizeof(*c->writing), node, err);
	return c->writing ? make_rotation_cpu(s, i, node, err) : -err->code;
}

static int make_cpus(struct deactivate *s, struct lp_error *err)
{
	int rc = 0;

	s->cpu = calloc((size_t)s->cpus, sizeof(struct ld_cpu *));
	s->rotation = (struct lru_rotate){.run = s->run,
		.algorithm = lru_rotate_pagevec_irq.algorithm,
		.flavour = s->flavour,
		.batch = PAGEVEC_SIZE,
		.cpus = s->cpus,
		.nodes = 1,
		.memcgs = 1,
		.lruvec = s->lruvec,
		.cpu = calloc((size_t)s->cpus, sizeof(struct lru_cpu *))};
	if (!s->cpu || !s->rotation.cpu)
		return lp_fail(err, ENOMEM, "no memory for %d CPUs", s->cpus);
	for (int i = 0; !rc && i < s->cpus; i++)
		rc = make_cpu(s, i, err);
	return rc;
}

int lru_deactivate_setup(struct lp_run *run, struct lp_error *err)
{
	struct deactivate *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return lp_fail(err, ENOMEM, "no memory for the state of lru_deactivate");
	run->state = s;
	s->run = run;
	s->cpus = run->cpus;
	s->exact = run->spec->mode == LP_MODE_EXACT;
	s->flavour = run->flavour;
	s->algorithm = run->spec->variant->algorithm;
	read_params(s, run->spec);
	rc = lp_lockstat_init(&s->stat, s->cpus, err);
	if (!rc)
		rc = make_pages(s, err);
	if (!rc)
		rc = make_cpus(s, err);
	if (!rc)
		rc = make_mappings(s, err);
	if (!rc && s->zipf)
		rc = make_zipf(s, err);
	return rc ? rc : ld_register_interrupts(s, err);
}

/* Everything written, nothing batched; what is cached stays cached for the check. */
void lru_deactivate_drain(struct lp_run *run)
{
	struct deactivate *s = run->state;

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < s->cpus; i++) {
			lp_cpu_enter(i);
			ld_device_run(s, s->cpu[i], s->memory);
			ld_drain(s, s->cpu[i]);
			ld_collect_free(s, s->cpu[i]);
		}
	for (int i = 0; i < s->cpus; i++) {
		lp_cpu_enter(i);
		ld_return_free(s, s->cpu[i], 0);
	}
	lp_cpu_enter(0);
}

void lru_deactivate_teardown(struct lp_run *run)
{
	struct deactivate *s = run->state;

	if (!s)
		return;
	lp_lockstat_destroy(&s->stat);
	free(s->rotation.cpu);
	free(s->cpu);
	free(s->map);
	free(s->zipf_share);
	free(s);
	run->state = NULL;
}
