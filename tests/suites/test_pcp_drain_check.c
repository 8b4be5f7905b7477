// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checker of pcp_drain notices every kind of damage that it is there for.
 *
 * lp-one-thread
 */
#include "tests/suites/pcp_drain.h"

enum { CPUS = 4 };

/* ---- the checker itself ---- */

static struct pcp_drain *begin_spoiling(struct play *p)
{
	play_begin(p, "pcp_drain/ipi_on_fail/case:storm" EXACT, CPUS, 7);
	return p->run.state;
}

static void test_check_finds_a_lost_page(void **state)
{
	struct play p;

	rmqueue(begin_spoiling(&p)->zone, 0, 0);
	play_expect_damage(&p, "in 0 places");
}

static void test_check_finds_a_doubled_page(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_spoiling(&p);

	pcp_hold(&s->cpu[1]->lru, &s->zone->pages[5], 0);
	play_expect_damage(&p, "in 2 places");
}

static void test_check_finds_a_page_left_behind(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_spoiling(&p);

	pcp_hold(&s->cpu[1]->lru, rmqueue(s->zone, 0, 0), 0);
	play_expect_damage(&p, "page blocks are whole again");
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
	play_expect_damage(&p, "page blocks are whole again");
}

static void test_check_finds_a_miscounted_list(void **state)
{
	struct play p;

	begin_spoiling(&p)->cpu[2]->pcp.count = 3;
	play_expect_damage(&p, "0 pages on its lists, 3 counted");
}

static void test_check_finds_miscounted_blocks(void **state)
{
	struct play p;

	atomic_fetch_add(&begin_spoiling(&p)->zone->free_area[4].nr_free, 1);
	play_expect_damage(&p, "not as many as counted");
}

static void test_check_finds_miscounted_free_pages(void **state)
{
	struct play p;

	atomic_fetch_add(&begin_spoiling(&p)->zone->free_pages, 1);
	play_expect_damage(&p, "are counted");
}

static void test_check_finds_a_block_on_the_wrong_list(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_spoiling(&p);

	list_first_entry(&s->zone->free_area[10].free_list[0], struct page, lru)->order = 7;
	play_expect_damage(&p, "misplaced");
}

static void test_check_finds_a_lost_drain(void **state)
{
	struct play p;

	begin_spoiling(&p)->cpu[0]->n.requests++;
	play_expect_damage(&p, "drains were requested");
}

static void test_check_finds_an_answer_without_work(void **state)
{
	struct play p;

	begin_spoiling(&p)->cpu[3]->n.handled--;
	play_expect_damage(&p, "drains were requested");
}

static void test_check_finds_an_interrupt_in_a_masked_section(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/ipi_on_fail" EXACT, 2);

	s->cpu[1]->pcp.busy = true;
	pcp_drain_pages(s, s->cpu[0]);
	p.spec.variant->drain(&p.run);
	play_expect_damage(&p, "while they were masked");
}

/* What freeing everything would hide has been seen before. */
static void test_check_finds_damage_among_the_actors(void **state)
{
	struct play p;
	struct pcp_drain *s = begin_still(&p, "pcp_drain/ipi_on_fail" EXACT, 2);

	s->algorithm->lists->take(s, s->cpu[0], 5);
	s->cpu[0]->lru.tail++;
	p.spec.variant->drain(&p.run);
	play_expect_damage(&p, "before all was freed: page");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
