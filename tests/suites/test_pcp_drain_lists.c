// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The zone's buddy lists, the per-CPU lists and the requests between CPUs, by hand-worked values.
 *
 * lp-one-thread
 */
#include "tests/suites/pcp_drain.h"

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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
