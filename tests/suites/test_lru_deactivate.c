// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lru_deactivate in exact mode: the directions that the algorithms must give on any machine, counts
 * that follow from batching, and that the checker notices the damage it is there for.
 *
 * lp-one-thread
 */
#include "suites/lru_deactivate/lru_deactivate.h"
#include "tests/suites/play.h"

#define EXACT "/mode:exact/threads:1"
enum { CPUS = LD_EXACT_CPUS };

static const char *const generations[] = {"no_advice", "invalidate_only", "deactivate",
	"deactivate_per_page", "deactivate_drain_all", "noreuse"};

static const char *name_of(const char *generation, int stress)
{
	static char name[LP_NAME_MAX];

	snprintf(name, sizeof(name), "lru_deactivate/%s/stress:%d" EXACT, generation, stress);
	return name;
}

static double metric(const char *generation, int stress, const char *what)
{
	return play_metric(name_of(generation, stress), CPUS, what);
}

static void test_a_seed_gives_the_same_counts_again(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++)
		assert_true(play_same(name_of(generations[g], 1), CPUS, 5, 5));
	assert_false(play_same(name_of("deactivate", 1), CPUS, 5, 6));
}

static void test_deactivation_halves_stealing_and_scanning(void **state)
{
	for (int stress = 0; stress <= 1; stress++) {
		assert_true(metric("deactivate", stress, "pgsteal") <
			    0.7 * metric("no_advice", stress, "pgsteal"));
		assert_true(metric("deactivate", stress, "pgscan") <
			    0.7 * metric("no_advice", stress, "pgscan"));
		assert_true(metric("deactivate", stress, "pageoutrun") <
			    0.7 * metric("no_advice", stress, "pageoutrun"));
	}
}

static void test_the_working_set_survives_under_stress(void **state)
{
	double without = metric("no_advice", 1, "set_fault_share");
	double left = metric("invalidate_only", 1, "set_fault_share");
	double moved = metric("deactivate", 1, "set_fault_share");

	assert_true(left < without);
	assert_true(moved < left);
}

static void test_most_pages_go_through_the_reclaim_flag(void **state)
{
	assert_true(metric("deactivate", 0, "reclaim_flag_share") > 0.7);
	assert_true(metric("deactivate", 1, "reclaim_flag_share") > 0.7);
	assert_true(metric("deactivate", 0, "pgrotated") > 0);
	assert_true(metric("no_advice", 0, "pgrotated") == 0);
	assert_true(metric("invalidate_only", 0, "pginvalidate") == 0);
}

static void test_batching_divides_the_locks_by_its_size(void **state)
{
	double batched = metric("deactivate", 0, "locks_per_1000");
	double single = metric("deactivate_per_page", 0, "locks_per_1000");

	/* A drain empties batches before they are full, so a little more than 1000/14. */
	assert_true(batched >= 1000.0 / PAGEVEC_SIZE && batched < 1.25 * 1000.0 / PAGEVEC_SIZE);
	assert_true(single >= 1000);
}

static void test_draining_all_cpus_drops_what_batches_held(void **state)
{
	assert_true(metric("deactivate_drain_all", 0, "drains_of_all_cpus") > 0);
	assert_true(metric("deactivate_drain_all", 0, "pages_invalidated") >
		    metric("deactivate", 0, "pages_invalidated"));
	assert_true(metric("deactivate_drain_all", 0, "stranded_pages_max") <
		    metric("deactivate", 0, "stranded_pages_max"));
}

static void test_noreuse_promotes_nothing(void **state)
{
	assert_true(metric("noreuse", 0, "pgactivate") == 0);
	assert_true(metric("deactivate_drain_all", 0, "pgactivate") > 0);
}

static void test_no_page_of_the_working_set_is_deactivated(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++)
		assert_true(metric(generations[g], 1, "wrong_deactivations") == 0);
}

/* ---- the checker itself ---- */

static struct deactivate *begin_spoiling(struct play *p)
{
	play_begin(p, name_of("deactivate", 1), CPUS, 7);
	assert_int_equal(play_check(p), 0);
	return p->run.state;
}

static struct page *some_page(struct deactivate *s)
{
	return list_first_entry(&s->lruvec->lists[LRU_INACTIVE], struct page, lru);
}

static void test_check_finds_lost_doubled_and_leaked_pages(void **state)
{
	struct play p;
	struct deactivate *s = begin_spoiling(&p);

	s->nr_free--;
	play_expect_damage(&p, "cached");
	s = begin_spoiling(&p);
	s->free[0] = s->free[1];
	play_expect_damage(&p, "places");
	get_page(some_page(begin_spoiling(&p)));
	play_expect_damage(&p, "2 references");
}

static void test_check_finds_a_page_dropped_dirty(void **state)
{
	struct play p;
	struct deactivate *s = begin_spoiling(&p);

	s->nr_dirty++;
	play_expect_damage(&p, "are counted");
}

static void test_check_finds_a_page_out_of_its_slot(void **state)
{
	struct play p;
	struct deactivate *s = begin_spoiling(&p);
	struct page *page = some_page(s);

	atomic_store(&s->map[page->owner].slot[page->index], NULL);
	play_expect_damage(&p, "not in its cache slot");
}

static void test_check_finds_batches_and_wrong_deactivations(void **state)
{
	struct play p;

	atomic_store(&begin_spoiling(&p)->cpu[1]->deactivate.nr, 2);
	play_expect_damage(&p, "left in its batches");
	begin_spoiling(&p)->cpu[1]->wrong_deactivations = 4;
	play_expect_damage(&p, "4 pages of the working set");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_seed_gives_the_same_counts_again),
		cmocka_unit_test(test_deactivation_halves_stealing_and_scanning),
		cmocka_unit_test(test_the_working_set_survives_under_stress),
		cmocka_unit_test(test_most_pages_go_through_the_reclaim_flag),
		cmocka_unit_test(test_batching_divides_the_locks_by_its_size),
		cmocka_unit_test(test_draining_all_cpus_drops_what_batches_held),
		cmocka_unit_test(test_noreuse_promotes_nothing),
		cmocka_unit_test(test_no_page_of_the_working_set_is_deactivated),
		cmocka_unit_test(test_check_finds_lost_doubled_and_leaked_pages),
		cmocka_unit_test(test_check_finds_a_page_dropped_dirty),
		cmocka_unit_test(test_check_finds_a_page_out_of_its_slot),
		cmocka_unit_test(test_check_finds_batches_and_wrong_deactivations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
