// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The LRU lists of a zone, and that their checker notices each kind of damage and says which.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/kernel/zone.h"

enum { PAGES = 6, NODE = 1, MEMCG = 2 };

static struct page pages[PAGES];
static struct lruvec lruvec;

/* Pages 0 to 3 inactive, 0 the oldest; 4 and 5 active. */
static int fresh(void **state)
{
	memset(pages, 0, sizeof(pages));
	lruvec_init(&lruvec, NODE, MEMCG, LP_LOCK_TICKET, NULL);
	for (int i = 0; i < PAGES; i++) {
		pages[i].node = NODE;
		pages[i].memcg = MEMCG;
		page_set(&pages[i], PG_lru);
		if (i >= 4)
			page_set(&pages[i], PG_active);
		lruvec_add_page(&lruvec, &pages[i]);
	}
	return 0;
}

static void expect_sound(void)
{
	struct lp_error err = {0};

	if (lruvec_check(&lruvec, &err))
		fail_msg("%s", err.message);
}

static void expect_damage(const char *words)
{
	struct lp_error err = {0};

	assert_int_equal(lruvec_check(&lruvec, &err), -EUCLEAN);
	if (!strstr(err.message, words))
		fail_msg("'%s' does not say '%s'", err.message, words);
}

static void test_a_new_zone_is_empty_and_free(void **state)
{
	lruvec_init(&lruvec, 3, 4, LP_LOCK_UNFAIR, NULL);
	expect_sound();
	assert_true(list_empty(&lruvec.lists[LRU_INACTIVE]));
	assert_true(list_empty(&lruvec.lists[LRU_ACTIVE]));
	assert_int_equal(lruvec.node, 3);
	assert_int_equal(lruvec.memcg, 4);
	assert_true(spin_trylock(&lruvec.lru_lock, LP_LOCK_UNFAIR));
}

static void test_pages_go_to_the_list_that_their_flag_says(void **state)
{
	expect_sound();
	assert_int_equal(lruvec.nr_pages[LRU_INACTIVE], 4);
	assert_int_equal(lruvec.nr_pages[LRU_ACTIVE], 2);
	assert_ptr_equal(list_last_entry(&lruvec.lists[LRU_INACTIVE], struct page, lru), &pages[0]);
	assert_ptr_equal(list_first_entry(&lruvec.lists[LRU_ACTIVE], struct page, lru), &pages[5]);
}

static void test_the_tail_is_the_oldest_end(void **state)
{
	lruvec_del_page(&lruvec, &pages[2]);
	assert_int_equal(lruvec.nr_pages[LRU_INACTIVE], 3);
	expect_sound();
	lruvec_add_page_tail(&lruvec, &pages[2]);
	assert_ptr_equal(list_last_entry(&lruvec.lists[LRU_INACTIVE], struct page, lru), &pages[2]);
	expect_sound();
}

static void test_an_emptied_zone_is_sound(void **state)
{
	for (int i = 0; i < PAGES; i++)
		lruvec_del_page(&lruvec, &pages[i]);
	expect_sound();
	assert_int_equal(lruvec.nr_pages[LRU_INACTIVE] + lruvec.nr_pages[LRU_ACTIVE], 0);
}

/* ---- damage ---- */

static void test_check_finds_a_count_too_high(void **state)
{
	lruvec.nr_pages[LRU_ACTIVE]++;
	expect_damage("list 1 of node 1: 3 pages are counted, 2 are linked");
}

static void test_check_finds_a_count_too_low(void **state)
{
	lruvec.nr_pages[LRU_INACTIVE]--;
	expect_damage("list 0 of node 1: 3 pages are counted, 4 or more are linked");
}

static void test_check_finds_a_lost_page(void **state)
{
	list_del(&pages[1].lru);
	expect_damage("4 pages are counted, 3 are linked");
}

static void test_check_finds_a_page_without_pg_lru(void **state)
{
	page_clear(&pages[5], PG_lru);
	expect_damage("list 1 of node 1: a page without PG_lru");
}

static void test_check_finds_a_page_on_the_wrong_list(void **state)
{
	page_clear(&pages[4], PG_active);
	expect_damage("list 1 of node 1: a page of the other list");
}

static void test_check_finds_a_page_of_another_zone(void **state)
{
	pages[0].node = NODE + 1;
	expect_damage("a page of node 2, group 2");
	pages[0].node = NODE;
	pages[0].memcg = MEMCG + 1;
	expect_damage("a page of node 1, group 3");
}

static void test_check_finds_a_broken_link_in_the_middle(void **state)
{
	pages[1].lru.prev = &pages[3].lru;
	expect_damage("the links around a page disagree");
}

static void test_check_finds_a_page_cut_off(void **state)
{
	pages[2].lru.next = NULL;
	expect_damage("the links around a page disagree");
}

/* Page 3 comes first: after it the walk would go round pages 3 and 2 for ever. */
static void test_check_finds_a_ring_without_the_head(void **state)
{
	pages[2].lru.next = &pages[3].lru;
	pages[3].lru.prev = &pages[2].lru;
	expect_damage("disagree");
}

static void test_check_finds_a_broken_head(void **state)
{
	lruvec.lists[LRU_ACTIVE].prev = &pages[0].lru;
	expect_damage("list 1 of node 1: the links around its head disagree");
	lruvec.lists[LRU_ACTIVE].prev = NULL;
	expect_damage("list 1 of node 1: the links around its head disagree");
}

/* An empty walk forwards would not notice. */
static void test_check_finds_a_broken_head_of_an_empty_list(void **state)
{
	lruvec_del_page(&lruvec, &pages[4]);
	lruvec_del_page(&lruvec, &pages[5]);
	lruvec.lists[LRU_ACTIVE].prev = &pages[5].lru;
	expect_damage("the links around its head disagree");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_new_zone_is_empty_and_free, fresh),
		cmocka_unit_test_setup(test_pages_go_to_the_list_that_their_flag_says, fresh),
		cmocka_unit_test_setup(test_the_tail_is_the_oldest_end, fresh),
		cmocka_unit_test_setup(test_an_emptied_zone_is_sound, fresh),
		cmocka_unit_test_setup(test_check_finds_a_count_too_high, fresh),
		cmocka_unit_test_setup(test_check_finds_a_count_too_low, fresh),
		cmocka_unit_test_setup(test_check_finds_a_lost_page, fresh),
		cmocka_unit_test_setup(test_check_finds_a_page_without_pg_lru, fresh),
		cmocka_unit_test_setup(test_check_finds_a_page_on_the_wrong_list, fresh),
		cmocka_unit_test_setup(test_check_finds_a_page_of_another_zone, fresh),
		cmocka_unit_test_setup(test_check_finds_a_broken_link_in_the_middle, fresh),
		cmocka_unit_test_setup(test_check_finds_a_page_cut_off, fresh),
		cmocka_unit_test_setup(test_check_finds_a_ring_without_the_head, fresh),
		cmocka_unit_test_setup(test_check_finds_a_broken_head, fresh),
		cmocka_unit_test_setup(test_check_finds_a_broken_head_of_an_empty_list, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
