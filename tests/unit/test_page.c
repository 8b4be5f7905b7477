// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flags and references of a page, alone and under threads: no bit is lost, exactly one thread wins
 * a flag, exactly one drops the last reference, and nobody gets one from 0.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/kernel/page.h"

enum { FLAGS = PG_mapped + 1, PAGES = 500, THREADS = 4 };

static struct page pages[PAGES];

static int fresh(void **state)
{
	memset(pages, 0, sizeof(pages));
	return 0;
}

static void test_a_page_is_a_cache_line(void **state)
{
	assert_int_equal(sizeof(struct page), 64);
	assert_int_equal((uintptr_t)&pages[1] % 64, 0);
}

static void test_each_flag_is_a_bit_of_its_own(void **state)
{
	struct page *p = pages;

	for (int f = 0; f < FLAGS; f++) {
		page_set(p, (enum pageflags)f);
		for (int g = 0; g < FLAGS; g++)
			assert_int_equal(page_test(p, (enum pageflags)g), g == f);
		page_clear(p, (enum pageflags)f);
		assert_int_equal(p->flags, 0);
	}
}

static void test_setting_and_clearing_leave_the_others(void **state)
{
	struct page *p = pages;

	page_set(p, PG_lru);
	page_set(p, PG_active);
	page_set(p, PG_lru);
	page_clear(p, PG_dirty);
	page_clear(p, PG_lru);
	assert_false(page_test(p, PG_lru));
	assert_true(page_test(p, PG_active));
}

static void test_test_and_set_says_what_was(void **state)
{
	struct page *p = pages;

	page_set(p, PG_mapped);
	assert_false(page_test_and_set(p, PG_writeback));
	assert_true(page_test_and_set(p, PG_writeback));
	assert_true(page_test_and_clear(p, PG_writeback));
	assert_false(page_test_and_clear(p, PG_writeback));
	assert_true(page_test(p, PG_mapped));
}

static void test_the_last_reference_shows_itself(void **state)
{
	struct page *p = pages;

	assert_false(get_page_unless_zero(p));
	assert_int_equal(page_count(p), 0);
	atomic_store(&p->_refcount, 1);
	get_page(p);
	assert_true(get_page_unless_zero(p));
	assert_int_equal(page_count(p), 3);
	assert_false(put_page_testzero(p));
	assert_false(put_page_testzero(p));
	assert_true(put_page_testzero(p));
	assert_int_equal(page_count(p), 0);
}

/* ---- under threads: each adds up what it saw ---- */

struct racer {
	pthread_t thread;
	int id;
	unsigned long won, lost;
};

static struct racer racers[THREADS];

static void race(void *(*run)(void *racer))
{
	memset(racers, 0, sizeof(racers));
	for (int i = 0; i < THREADS; i++) {
		racers[i].id = i;
		assert_int_equal(pthread_create(&racers[i].thread, NULL, run, &racers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(racers[i].thread, NULL);
}

static unsigned long all_won(void)
{
	unsigned long sum = 0;

	for (int i = 0; i < THREADS; i++)
		sum += racers[i].won;
	return sum;
}

static void *win_flags(void *racer)
{
	struct racer *r = racer;

	for (int i = 0; i < PAGES; i++)
		r->won += !page_test_and_set(&pages[i], PG_writeback);
	return NULL;
}

static void test_one_thread_wins_a_flag(void **state)
{
	race(win_flags);
	assert_int_equal(all_won(), PAGES);
}

/* PG_locked as a lock that nobody waits for: TSan tells if the flag does not order the stamps. */
static void *lock_pages(void *racer)
{
	struct racer *r = racer;

	for (int i = 0; i < 20 * PAGES; i++) {
		struct page *p = &pages[i % 3];

		if (page_test_and_set(p, PG_locked))
			continue;
		p->stamp++;
		r->won++;
		page_test_and_clear(p, PG_locked);
	}
	return NULL;
}

static void test_a_flag_orders_what_it_guards(void **state)
{
	race(lock_pages);
	assert_true(all_won() > 0);
	assert_int_equal(all_won(), pages[0].stamp + pages[1].stamp + pages[2].stamp);
}

static void *toggle_own_flag(void *racer)
{
	struct racer *r = racer;
	enum pageflags mine = (enum pageflags)r->id;

	for (int i = 0; i < 20000; i++) {
		page_set(&pages[0], mine);
		r->lost += !page_test(&pages[0], mine);
		page_clear(&pages[0], mine);
		r->lost += page_test(&pages[0], mine);
	}
	page_set(&pages[0], mine);
	return NULL;
}

static void test_flags_of_one_page_do_not_disturb_each_other(void **state)
{
	race(toggle_own_flag);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(racers[i].lost, 0);
		assert_true(page_test(&pages[0], (enum pageflags)i));
	}
}

/* Each owns one reference; whoever drops the last one "frees" the page with a plain write. */
static void *use_and_drop(void *racer)
{
	struct racer *r = racer;

	for (int i = 0; i < PAGES; i++) {
		struct page *p = &pages[(i + r->id * 7) % PAGES];

		get_page(p);
		r->won += put_page_testzero(p);
		if (put_page_testzero(p)) {
			p->stamp++;
			r->won++;
		}
		if (get_page_unless_zero(p) && put_page_testzero(p)) {
			p->stamp++;
			r->won++;
		}
	}
	return NULL;
}

static void test_one_thread_drops_the_last_reference(void **state)
{
	for (int i = 0; i < PAGES; i++)
		atomic_store(&pages[i]._refcount, THREADS);
	race(use_and_drop);
	assert_int_equal(all_won(), PAGES);
	for (int i = 0; i < PAGES; i++) {
		assert_int_equal(page_count(&pages[i]), 0);
		assert_int_equal(pages[i].stamp, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_page_is_a_cache_line, fresh),
		cmocka_unit_test_setup(test_each_flag_is_a_bit_of_its_own, fresh),
		cmocka_unit_test_setup(test_setting_and_clearing_leave_the_others, fresh),
		cmocka_unit_test_setup(test_test_and_set_says_what_was, fresh),
		cmocka_unit_test_setup(test_the_last_reference_shows_itself, fresh),
		cmocka_unit_test_setup(test_one_thread_wins_a_flag, fresh),
		cmocka_unit_test_setup(test_a_flag_orders_what_it_guards, fresh),
		cmocka_unit_test_setup(test_flags_of_one_page_do_not_disturb_each_other, fresh),
		cmocka_unit_test_setup(test_one_thread_drops_the_last_reference, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
