// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page's way through the counters: dirty, under writeback, clean. One call a page, as
 * account_page_dirtied(), clear_page_dirty_for_io(), test_set_page_writeback() and
 * test_clear_page_writeback() count in mm/page-writeback.c, 2.6.24.
 *
 * In virtual time plain numbers are kept beside the counters: what the counters should say.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

static void note_dirtied(struct dt *s, struct dt_bdi *b)
{
	int64_t over = ++s->exact_total - (int64_t)s->limits.dirty;

	if (over > s->overshoot_pages)
		s->overshoot_pages = over;
	if (!b->exact_dirty++)
		b->dirty_since_ns = s->loop[0].now_ns;
}

static void note_submitted(struct dt *s, struct dt_bdi *b)
{
	if (b->exact_dirty == 1)
		dt_device_settle(b, s->loop[0].now_ns);
	b->exact_dirty--;
	b->exact_writeback++;
}

static void add_bdi(struct dt *s, struct percpu_counter *c, int one)
{
	if (s->algorithm->bdi_counters)
		percpu_counter_add(c, one, s->flavour);
}

void dt_account_dirtied(struct dt *s, struct dt_bdi *b)
{
	dt_stat_add(&s->nr_dirty, 1);
	add_bdi(s, &b->reclaimable, 1);
	if (s->algorithm->rates)
		percpu_counter_add(&b->dirtied, 1, s->flavour);
	if (s->virtual_time)
		note_dirtied(s, b);
}

void dt_account_submitted(struct dt *s, struct dt_bdi *b)
{
	dt_stat_add(&s->nr_dirty, -1);
	dt_stat_add(&s->nr_writeback, 1);
	add_bdi(s, &b->reclaimable, -1);
	add_bdi(s, &b->writeback, 1);
	if (s->virtual_time)
		note_submitted(s, b);
}

void dt_account_completed(struct dt *s, struct dt_bdi *b)
{
	dt_stat_add(&s->nr_writeback, -1);
	add_bdi(s, &b->writeback, -1);
	if (s->algorithm->bdi_counters)
		dt_prop_inc_percpu(&s->completions, &b->completions);
	if (s->algorithm->rates)
		percpu_counter_add(&b->written, 1, s->flavour);
	if (s->virtual_time) {
		s->exact_total--;
		b->exact_writeback--;
	}
}

/* vmstat_update(): what has not reached the threshold is folded once a second all the same. */
void dt_vmstat_step(struct dt *s, struct dt_actor *a)
{
	dt_stat_fold(&s->nr_dirty);
	dt_stat_fold(&s->nr_writeback);
	dt_at(a, dt_now(a) + LP_NS_PER_S);
}
