// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pcp_drain: the buddy lists, the per-CPU lists and the requests by hand-worked values, the counts
 * that the generations must give in exact mode, that the checker notices every kind of damage it
 * is there for, and all of it again on real threads.
 */
#include <math.h>

#include "drivers/bench/measure.h"
#include "suites/pcp_drain/pcp_drain.h"
#include "tests/suites/play.h"

#define EXACT "/mode:exact/threads:1"
#define STORM "/case:storm/actors:reclaimers"
enum { CPUS = 4 };

static const char *const generations[] = {
	"ipi_always", "ipi_on_fail", "local_only", "ipi_masked", "workqueue", "remote_lock"};

static const char *name_of(const char *generation, const char *rest)
{
	static char name[LP_NAME_MAX];

	snprintf(name, sizeof(name), "pcp_drain/%s%s", generation, rest);
	return name;
}

/* Set up on @cpus CPUs, nothing played. */
static struct pcp_drain *begin_still(struct play *p, const char *name, int cpus)
{
	memset(p, 0, sizeof(*p));
	if (lp_case_parse(&p->spec, name, &p->err))
		fail_msg("%s: %s", name, p->err.message);
	p->run = (struct lp_run){
		.spec = &p->spec, .cpus = cpus, .nnodes = 1, .seed = 1, .flavour = LP_LOCK_TICKET};
	lp_metrics_init(&p->run.metrics);
	if (lp_cpus_init(cpus, &p->err) || p->spec.variant->setup(&p->run, &p->err))
		fail_msg("%s: %s", name, p->err.message);
	return p->run.state;
}

static void end_still(struct play *p)
{
	p->spec.variant->drain(&p->run);
	if (play_check(p))
		fail_msg("%s", p->err.message);
	play_end(p);
}

/* ---- the zone ---- */

static long nr_free(struct zone *zone, unsigned order)
{
	return atomic_load(&zone->free_area[order].nr_free);
}

static void test_a_block_splits_into_halves_and_joins_again(void **state)
{
	struct play p;
	struct zone *zone = begin_still(&p, "pcp_drain/ipi_always" EXACT, 1)->zone;
	struct page *page = rmqueue(zone, 0, 0), *other;

	assert_int_equal(nr_free(zone, 10), 3);
	for (unsigned order = 0; order < 10; order++)
		assert_int_equal(nr_free(zone, order), 1);
	assert_int_equal(atomic_load(&zone->free_pages), 4095);
	other = rmqueue(zone, 3, 0);
	assert_int_equal(nr_free(zone, 3), 0);
	assert_int_equal(page_to_pfn(other), page_to_pfn(page) ^ 8);
	free_one_page(zone, page, 0);
	/* All below the block of order 3 has joined to its buddy of order 3, and no further. */
	for (unsigned order = 0; order < 10; order++)
		assert_int_equal(nr_free(zone, order), order >= 3);
	free_one_page(zone, other, 3);
	assert_int_equal(nr_free(zone, 10), 4);
	end_still(&p);
}

static void test_buddies_join_in_any_order(void **state)
{
	struct play p;
	struct zone *zone = begin_still(&p, "pcp_drain/ipi_always" EXACT, 1)->zone;
	static struct page *page[4096];
	uint64_t random = 3;

	for (int i = 0; i < 4096; i++)
		assert_non_null(page[i] = rmqueue(zone, 0, i % MIGRATE_PCPTYPES));
	assert_null(rmqueue(zone, 0, 0));
	for (uint32_t left = 4096; left; left--) {
		uint32_t i = lp_random_below(&random, left);

		free_one_page(zone, page[i], 0);
		page[i] = page[left - 1];
	}
	assert_int_equal(nr_free(zone, 10), 4);
	end_still(&p);
}

/* Four page blocks: types 0, 1, 2, 0. */
static void test_another_type_is_asked_when_the_own_has_none(void **state)
{
	struct play p;
	struct zone *zone = begin_still(&p, "pcp_drain/ipi_always" EXACT, 1)->zone;
	struct page *own = rmqueue(zone, 10, 1), *small = rmqueue(zone, 0, 0), *other;

	assert_int_equal(pageblock_type(own), 1);
	/* The largest block of another type, not what is left of the one in pieces. */
	other = rmqueue(zone, 0, 1);
	assert_int_equal(pageblock_type(other), 2);
	free_one_page(zone, other, 0);
	free_one_page(zone, small, 0);
	free_one_page(zone, own, 10);
	end_still(&p);
}

static void test_a_watermark_leaves_out_what_is_too_small(void **state)
{
	struct zone zone = {.watermark = 16};

	atomic_store(&zone.free_pages, 17);
	assert_true(zone_watermark_ok(&zone, 0));
	assert_false(zone_watermark_ok(&zone, 1)); /* 17 − 1 is not more than 16 */
	atomic_store(&zone.free_pages, 40);
	atomic_store(&zone.free_area[0].nr_free, 30);
	assert_true(zone_watermark_ok(&zone, 0));
	assert_true(zone_watermark_ok(&zone, 1) == (40 - 1 - 30 > 8));
	atomic_store(&zone.free_area[0].nr_free, 31);
	assert_false(zone_watermark_ok(&zone, 1)); /* 8 is not more than 8 */
}

/* ---- the per-CPU lists ---- */

static unsigned listed(struct pcp_cpu *c, int type)
{
	unsigned n = 0;
	struct page *page;

	list_for_each_entry (page, &c->pcp.lists[type], lru)
		n++;
	return n;
}

static void test_lists_fill_by_batch_and_empty_at_high(void **state)
{
	static const char *const both[] = {"ipi_on_fail", "remote_lock"};

	for (size_t g = 0; g < ARRAY_SIZE(both); g++) {
		struct play p;
		struct pcp_drain *s = begin_still(&p, name_of(both[g], EXACT), 1);
		struct pcp_cpu *c = s->cpu[0];

		/* One page of each type: three bulks of 31, one page of each taken. */
		assert_int_equal(s->algorithm->lists->take(s, c, 3), 3);
		assert_int_equal(c->pcp.count, 90);
		assert_int_equal(c->n.zone_locks, 3);
		assert_int_equal(s->algorithm->lists->take(s, c, 90), 90);
		assert_int_equal(c->pcp.count, 0);
		assert_int_equal(s->algorithm->lists->take(s, c, 186 - 93), 186 - 93);
		assert_int_equal(c->pcp.count, 0);
		assert_int_equal(c->n.zone_locks, 6);
		s->algorithm->lists->give(s, c, 185);
		assert_int_equal(c->pcp.count, 185);
		assert_int_equal(c->n.zone_locks, 6);
		s->algorithm->lists->give(s, c, 1);
		assert_int_equal(c->pcp.count, 186 - 31);
		assert_int_equal(c->n.zone_locks, 7);
		/* 62 of each, 31 taken in turn: 11 of the first, 10 of the others. */
		assert_int_equal(listed(c, 0), 62 - 11);
		assert_int_equal(listed(c, 1), 62 - 10);
		assert_int_equal(listed(c, 2), 62 - 10);
		end_still(&p);
	}
}

static void test_a_taken_list_lock_sends_the_owner_to_the_zone(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/remote_lock" EXACT, 2);
	struct pcp_cpu *c = s->cpu[0];

	s->algorithm->lists->take(s, c, 1);
	assert_true(spin_trylock(&c->pcp.lock, s->flavour & 3));
	s->algorithm->lists->take(s, c, 1);
	s->algorithm->lists->give(s, c, 2);
	assert_int_equal(c->n.trylock_failures, 3);
	assert_int_equal(c->pcp.count, 30);
	spin_unlock(&c->pcp.lock, s->flavour & 3);
	end_still(&p);
}

/* A list of 1300 pages and chunks of 31 << 5 = 992: two holds. */
static void test_a_remote_drain_works_in_chunks(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/remote_lock/high:2000" EXACT, 2);

	s->algorithm->lists->take(s, s->cpu[1], 1302);
	s->algorithm->lists->give(s, s->cpu[1], 1302);
	assert_true(s->cpu[1]->pcp.count >= 1302 && s->cpu[1]->pcp.count < 1400);
	assert_true(s->algorithm->lists->drain(s, s->cpu[0], s->cpu[1]) >= 1302);
	assert_int_equal(s->cpu[0]->n.zone_locks, 2);
	assert_int_equal(s->cpu[1]->pcp.count, 0);
	end_still(&p);
}

/* ---- requests ---- */

static void test_one_answer_serves_all_who_asked(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/workqueue" EXACT, 3);
	struct pcp_cpu *target = s->cpu[2];

	s->algorithm->lists->take(s, target, 1);
	assert_true(pcp_request(s, s->cpu[0], target));
	assert_true(pcp_request(s, s->cpu[1], target));
	pcp_poll(s, target);
	assert_int_equal(target->n.handled, 2);
	assert_int_equal(target->n.useful, 1);
	assert_int_equal(target->n.given_pages, 30);
	pcp_poll(s, target);
	assert_int_equal(target->n.handled, 2);
	pcp_request_wait(s, s->cpu[0]);
	pcp_request_wait(s, s->cpu[1]);
	assert_int_equal(s->cpu[0]->n.answers + s->cpu[1]->n.answers, 2);
	end_still(&p);
}

static void test_a_cpu_that_left_is_not_waited_for(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/workqueue" EXACT, 3);

	assert_true(pcp_request(s, s->cpu[0], s->cpu[1]));
	pcp_leave(s, s->cpu[1]);
	assert_int_equal(s->cpu[1]->n.handled, 1); /* its last look */
	assert_false(pcp_request(s, s->cpu[0], s->cpu[1]));
	pcp_request_wait(s, s->cpu[0]);
	assert_int_equal(s->cpu[0]->n.answers, 1);
	/* One that left without a last look, as if it had been asked right after it. */
	assert_true(pcp_request(s, s->cpu[0], s->cpu[2]));
	atomic_store(&s->cpu[2]->online, false);
	pcp_request_wait(s, s->cpu[0]);
	assert_int_equal(s->cpu[0]->n.offline_answers, 1);
	end_still(&p);
}

static void test_one_drain_at_a_time_by_work(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/workqueue" EXACT, 2);

	atomic_store(&s->draining, true);
	pcp_drain_pages(s, s->cpu[0]);
	assert_int_equal(s->cpu[0]->n.drains, 0);
	assert_int_equal(s->cpu[0]->n.drains_skipped, 1);
	atomic_store(&s->draining, false);
	pcp_drain_pages(s, s->cpu[0]);
	assert_int_equal(s->cpu[0]->n.drains, 1);
	assert_false(atomic_load(&s->draining));
	end_still(&p);
}

/* ---- when a generation drains ---- */

/* Nothing is free, and CPU 1 holds what would do. */
static struct pcp_drain *begin_need(struct play *p, const char *generation)
{
	struct pcp_drain *s = begin_still(p, name_of(generation, EXACT), 3);

	lp_cpu_enter(1);
	s->algorithm->lists->take(s, s->cpu[1], 100);
	s->algorithm->lists->give(s, s->cpu[1], 100);
	lp_cpu_enter(0);
	s->zone->watermark = atomic_load(&s->zone->free_pages);
	return s;
}

static void test_who_drains_for_what(void **state)
{
	/* drains for order 0, for order 1, and with what success while CPU 1 has the pages */
	static const struct {
		const char *generation;
		uint64_t order0, order1;
		bool finds0, finds1;
		uint64_t ipis;
	} expected[] = {
		{"ipi_always", 0, 1, false, true, 2},
		{"ipi_on_fail", 1, 1, true, true, 2},
		{"local_only", 1, 1, false, false, 0},
		{"ipi_masked", 1, 1, true, true, 1},
		{"workqueue", 1, 1, true, true, 0},
		{"remote_lock", 1, 1, true, true, 0},
	};

	for (size_t g = 0; g < ARRAY_SIZE(expected); g++)
		for (unsigned order = 0; order < 2; order++) {
			struct play p;
			struct pcp_drain *s = begin_need(&p, expected[g].generation);
			struct pcp_cpu *c = s->cpu[0];
			struct page *page = s->algorithm->retry(s, c, order, 0);
			uint64_t drains = order ? expected[g].order1 : expected[g].order0;
			bool finds = order ? expected[g].finds1 : expected[g].finds0;

			assert_int_equal(c->n.drains, drains);
			assert_int_equal(page != NULL, finds);
			assert_int_equal(c->n.ipis, drains ? expected[g].ipis : 0);
			if (page)
				s->algorithm->lists->free(s, c, page, order);
			end_still(&p);
		}
}

static void test_only_2_6_36_drains_without_need(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		struct play p;
		struct pcp_drain *s = begin_still(&p, name_of(generations[g], EXACT), 3);
		struct page *page = s->algorithm->retry(s, s->cpu[0], 1, 0);

		assert_non_null(page);
		assert_int_equal(s->cpu[0]->n.drains, g == 0);
		s->algorithm->lists->free(s, s->cpu[0], page, 1);
		end_still(&p);
	}
}

/* ---- whole plays ---- */

static void test_interrupts_of_a_drain(void **state)
{
	static const int counts[] = {2, 8};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
			double ipis = play_metric(
				name_of(generations[g], STORM EXACT), counts[i], "ipis_per_drain");

			if (!strcmp(generations[g], "ipi_masked"))
				assert_true(ipis > 0 && ipis < counts[i] - 1);
			else
				assert_true(ipis == (g < 2 ? counts[i] - 1 : 0));
		}
}

/* The mask spares exactly those interrupts that would have found nothing, and changes nothing else.
 */
static void test_the_mask_spares_the_empty_interrupts(void **state)
{
	struct play all, some;
	const struct lp_metrics *a = &all.run.metrics, *b = &some.run.metrics;

	play_whole(&all, "pcp_drain/ipi_on_fail" STORM EXACT, CPUS, 1);
	play_whole(&some, "pcp_drain/ipi_masked" STORM EXACT, CPUS, 1);
	assert_int_equal(all.ops, some.ops);
	assert_true(lp_metrics_get(a, "drains") == lp_metrics_get(b, "drains"));
	assert_true(lp_metrics_get(b, "useful_ipi_share") == 1);
	assert_true(lp_metrics_get(a, "drained_pages_per_drain") ==
		    lp_metrics_get(b, "drained_pages_per_drain"));
	assert_true(fabs(lp_metrics_get(a, "ipis") * lp_metrics_get(a, "useful_ipi_share") -
			    lp_metrics_get(b, "ipis")) < 1e-6);
	assert_true(fabs(lp_metrics_get(b, "ipis") / lp_metrics_get(a, "ipis") +
			    lp_metrics_get(b, "masked_ipi_share") - 1) < 1e-9);
	play_end(&all);
	play_end(&some);
}

static void test_work_is_queued_where_the_mask_would_interrupt(void **state)
{
	double works = play_metric("pcp_drain/workqueue" STORM EXACT, CPUS, "works_per_drain");

	assert_true(
		works == play_metric("pcp_drain/ipi_masked" STORM EXACT, CPUS, "ipis_per_drain"));
}

static void test_a_local_drain_leaves_other_lists_alone(void **state)
{
	const char *name = "pcp_drain/local_only/case:storm" EXACT;

	assert_true(play_metric(name, CPUS, "remote_pages_per_drain") == 0);
	assert_true(play_metric(name, CPUS, "drained_pages_per_drain") > 0);
	assert_true(
		play_metric(name, CPUS, "stranded_pages_mean") >
		play_metric("pcp_drain/ipi_on_fail/case:storm" EXACT, CPUS, "stranded_pages_mean"));
}

static void test_the_storm_shows_the_gap(void **state)
{
	double always = play_metric("pcp_drain/ipi_always" STORM EXACT, 8, "ipis_per_alloc");
	double on_fail = play_metric("pcp_drain/ipi_on_fail" STORM EXACT, 8, "ipis_per_alloc");
	double masked = play_metric("pcp_drain/ipi_masked" STORM EXACT, 8, "ipis_per_alloc");

	assert_true(always > 1.3 * on_fail);
	assert_true(on_fail > 1.3 * masked);
}

static void test_order_3_succeeds_almost_always(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		double share = play_metric(
			name_of(generations[g], "/case:storm" EXACT), CPUS, "order3_success_share");

		assert_true(share > 0.9 && share <= 1);
	}
}

static void test_a_seed_gives_the_same_counts_again(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		const char *name = name_of(generations[g], "/case:normal" EXACT);

		assert_true(play_same(name, CPUS, 5, 5));
		assert_false(play_same(name, CPUS, 5, 6));
	}
}

static void test_a_livelock_is_a_window_of_drains_alone(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/ipi_always" EXACT, 2);
	uint64_t livelocked, drained;

	pcp_note_window(s, s->cpu[0], 2, 0);
	pcp_note_window(s, s->cpu[1], 0, 1); /* progress on the other CPU */
	s->turn = PCP_WINDOW_TURNS;
	pcp_note_window(s, s->cpu[0], 1, 0);
	s->turn = 2 * PCP_WINDOW_TURNS;
	pcp_note_window(s, s->cpu[0], 0, 0); /* idle */
	s->turn = (uint64_t)PCP_WINDOWS * PCP_WINDOW_TURNS;
	pcp_note_window(s, s->cpu[0], 1, 0); /* after the last window */
	pcp_livelocks(s, &livelocked, &drained);
	assert_int_equal(livelocked, 1);
	assert_int_equal(drained, 2);
	end_still(&p);
}

/* ---- the checker itself ---- */

static struct pcp_drain *begin_spoiling(struct play *p)
{
	play_begin(p, "pcp_drain/ipi_on_fail/case:storm" EXACT, CPUS, 7);
	return p->run.state;
}

static void expect_damage(struct play *p, const char *words)
{
	assert_int_not_equal(play_check(p), 0);
	if (!strstr(p->err.message, words))
		fail_msg("'%s' does not say '%s'", p->err.message, words);
	play_end(p);
}

static void test_check_finds_a_lost_page(void **state)
{
	struct play p;

	rmqueue(begin_spoiling(&p)->zone, 0, 0);
	expect_damage(&p, "in 0 places");
}

static void test_check_finds_a_doubled_page(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_spoiling(&p);

	pcp_hold(&s->cpu[1]->lru, &s->zone->pages[5], 0);
	expect_damage(&p, "in 2 places");
}

static void test_check_finds_a_page_left_behind(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_spoiling(&p);

	pcp_hold(&s->cpu[1]->lru, rmqueue(s->zone, 0, 0), 0);
	expect_damage(&p, "page blocks are whole again");
}

/* Two buddies that lie on the list of their order and never joined. */
static void test_check_finds_buddies_that_did_not_join(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_spoiling(&p);
	struct page *page = rmqueue(s->zone, 10, 0);

	for (int half = 0; half < 2; half++) {
		struct page *block = page + half * 512;

		block->order = 9;
		page_set(block, PG_buddy);
		list_add(&block->lru, &s->zone->free_area[9].free_list[pageblock_type(block)]);
	}
	atomic_fetch_add(&s->zone->free_area[9].nr_free, 2);
	atomic_fetch_add(&s->zone->free_pages, 1024);
	expect_damage(&p, "page blocks are whole again");
}

static void test_check_finds_a_miscounted_list(void **state)
{
	struct play p;

	begin_spoiling(&p)->cpu[2]->pcp.count = 3;
	expect_damage(&p, "0 pages on its lists, 3 counted");
}

static void test_check_finds_miscounted_blocks(void **state)
{
	struct play p;

	atomic_fetch_add(&begin_spoiling(&p)->zone->free_area[4].nr_free, 1);
	expect_damage(&p, "not as many as counted");
}

static void test_check_finds_miscounted_free_pages(void **state)
{
	struct play p;

	atomic_fetch_add(&begin_spoiling(&p)->zone->free_pages, 1);
	expect_damage(&p, "are counted");
}

static void test_check_finds_a_block_on_the_wrong_list(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_spoiling(&p);

	list_first_entry(&s->zone->free_area[10].free_list[0], struct page, lru)->order = 7;
	expect_damage(&p, "misplaced");
}

static void test_check_finds_a_lost_drain(void **state)
{
	struct play p;

	begin_spoiling(&p)->cpu[0]->n.requests++;
	expect_damage(&p, "drains were requested");
}

static void test_check_finds_an_answer_without_work(void **state)
{
	struct play p;

	begin_spoiling(&p)->cpu[3]->n.handled--;
	expect_damage(&p, "drains were requested");
}

static void test_check_finds_an_interrupt_in_a_masked_section(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/ipi_on_fail" EXACT, 2);

	s->cpu[1]->pcp.busy = true;
	pcp_drain_pages(s, s->cpu[0]);
	p.spec.variant->drain(&p.run);
	expect_damage(&p, "while they were masked");
}

/* What freeing everything would hide has been seen before. */
static void test_check_finds_damage_among_the_actors(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/ipi_on_fail" EXACT, 2);

	s->algorithm->lists->take(s, s->cpu[0], 5);
	s->cpu[0]->lru.tail++;
	p.spec.variant->drain(&p.run);
	expect_damage(&p, "before all was freed: page");
}

/* ---- real threads ---- */

struct machine {
	struct lp_topology topology;
	int *os_cpu;
	int cpus;
};

static int machine_load(void **state)
{
	static struct machine m;
	struct lp_error err;

	if (lp_topology_load(&m.topology, NULL, &err))
		return -1;
	m.os_cpu = calloc((size_t)m.topology.ncpus + 1, sizeof(int));
	m.cpus = m.os_cpu ? lp_topology_usable(&m.topology, m.os_cpu) : 0;
	*state = &m;
	return m.cpus > 0 ? 0 : -1;
}

static int machine_free(void **state)
{
	struct machine *m = *state;

	free(m->os_cpu);
	lp_topology_free(&m->topology);
	return 0;
}

static void measure(struct machine *m, const char *name, struct lp_measurement *x)
{
	struct lp_measure_options options = {.topology = &m->topology,
		.os_cpu = m->os_cpu,
		.cpus = m->cpus,
		.window_ns = 20000000,
		.seed = 1};
	struct lp_error err = {0};
	struct lp_case c;

	if (lp_case_parse(&c, name, &err))
		fail_msg("%s: %s", name, err.message);
	c.threads = m->cpus < 4 ? m->cpus : 4;
	if (lp_measure(&c, &options, x, &err))
		fail_msg("%s: %s", name, err.message);
	assert_true(x->ops > 0);
}

static void test_threads_keep_the_invariants(void **state)
{
	static const char *const rests[] = {"/case:storm/threads:2", "/case:normal/threads:2",
		STORM "/blocks:1/reclaim:1/threads:2", STORM "/blocks:1/mode:observed/threads:2"};

	for (size_t r = 0; r < ARRAY_SIZE(rests); r++)
		for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
			struct lp_measurement x;

			measure(*state, name_of(generations[g], rests[r]), &x);
			lp_measurement_destroy(&x);
		}
}

/* A loaded machine may leave a CPU no time to be interrupted in: then again, within reason. */
static double measure_until_interrupted(struct machine *m, const char *name)
{
	double wait_ns = 0;

	for (int attempt = 0; attempt < 100 && !(wait_ns > 0); attempt++) {
		struct lp_measurement x;

		measure(m, name, &x);
		if (lp_metrics_get(&x.metrics, "ipis") > 0)
			wait_ns = lp_metrics_get(&x.metrics, "drain_wait_p50_ns");
		lp_measurement_destroy(&x);
	}
	return wait_ns;
}

static void test_threads_interrupt_each_other_both_ways(void **state)
{
	static const char *const senders[] = {"ipi_always", "ipi_on_fail", "ipi_masked"};
	static const char *const rests[] = {STORM
		"/ipi:signal/blocks:1/reclaim:1/mode:observed/threads:2",
		STORM "/ipi:membarrier/blocks:1/reclaim:1/mode:observed/threads:2"};
	struct machine *m = *state;

	if (m->cpus < 2)
		skip();
	for (size_t r = 0; r < ARRAY_SIZE(rests); r++)
		for (size_t g = 0; g < ARRAY_SIZE(senders); g++)
			assert_true(
				measure_until_interrupted(m, name_of(senders[g], rests[r])) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_block_splits_into_halves_and_joins_again),
		cmocka_unit_test(test_buddies_join_in_any_order),
		cmocka_unit_test(test_another_type_is_asked_when_the_own_has_none),
		cmocka_unit_test(test_a_watermark_leaves_out_what_is_too_small),
		cmocka_unit_test(test_lists_fill_by_batch_and_empty_at_high),
		cmocka_unit_test(test_a_taken_list_lock_sends_the_owner_to_the_zone),
		cmocka_unit_test(test_a_remote_drain_works_in_chunks),
		cmocka_unit_test(test_one_answer_serves_all_who_asked),
		cmocka_unit_test(test_a_cpu_that_left_is_not_waited_for),
		cmocka_unit_test(test_one_drain_at_a_time_by_work),
		cmocka_unit_test(test_who_drains_for_what),
		cmocka_unit_test(test_only_2_6_36_drains_without_need),
		cmocka_unit_test(test_interrupts_of_a_drain),
		cmocka_unit_test(test_the_mask_spares_the_empty_interrupts),
		cmocka_unit_test(test_work_is_queued_where_the_mask_would_interrupt),
		cmocka_unit_test(test_a_local_drain_leaves_other_lists_alone),
		cmocka_unit_test(test_the_storm_shows_the_gap),
		cmocka_unit_test(test_order_3_succeeds_almost_always),
		cmocka_unit_test(test_a_seed_gives_the_same_counts_again),
		cmocka_unit_test(test_a_livelock_is_a_window_of_drains_alone),
		cmocka_unit_test(test_check_finds_a_lost_page),
		cmocka_unit_test(test_check_finds_a_doubled_page),
		cmocka_unit_test(test_check_finds_a_page_left_behind),
		cmocka_unit_test(test_check_finds_buddies_that_did_not_join),
		cmocka_unit_test(test_check_finds_a_miscounted_list),
		cmocka_unit_test(test_check_finds_miscounted_blocks),
		cmocka_unit_test(test_check_finds_miscounted_free_pages),
		cmocka_unit_test(test_check_finds_a_block_on_the_wrong_list),
		cmocka_unit_test(test_check_finds_a_lost_drain),
		cmocka_unit_test(test_check_finds_an_answer_without_work),
		cmocka_unit_test(test_check_finds_an_interrupt_in_a_masked_section),
		cmocka_unit_test(test_check_finds_damage_among_the_actors),
		cmocka_unit_test(test_threads_keep_the_invariants),
		cmocka_unit_test(test_threads_interrupt_each_other_both_ways),
	};

	return cmocka_run_group_tests(tests, machine_load, machine_free);
}
