// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lru_rotate in exact mode: the counts that the algorithms must give, the same on any machine, and
 * that the invariant checker notices every kind of damage it is there for.
 *
 * lp-one-thread
 */
#include "suites/lru_rotate/lru_rotate.h"
#include "tests/suites/play.h"

#define EXACT "/mode:exact/threads:1"
enum { CPUS = EXACT_CPUS };

static const char *const generations[] = {
	"per_page", "pagevec_noref", "pagevec_ref", "pagevec_irq", "lruvec_batch"};

/* One CPU plays the same algorithm as four, in a quarter of the time. */
static void expect_metric(const char *name, const char *metric, double expected)
{
	double value = play_metric(name, 1, metric);

	if (value != expected)
		fail_msg("%s: %s is %.17g, not %.17g", name, metric, value, expected);
}

static void test_a_lock_a_page_without_batching(void **state)
{
	expect_metric("lru_rotate/per_page/lock:ticket/nodes:1" EXACT, "locks_per_page", 1.0);
	expect_metric("lru_rotate/per_page/lock:ticket/nodes:2" EXACT, "locks_per_page", 1.0);
}

static void test_a_lock_a_batch(void **state)
{
	static const int batches[] = {1, 7, 14, 15, 31, 63};

	for (size_t g = 1; g < ARRAY_SIZE(generations); g++)
		for (size_t b = 0; b < ARRAY_SIZE(batches); b++) {
			char name[LP_NAME_MAX];

			snprintf(name, sizeof(name),
				"lru_rotate/%s/batch:%d/lock:queued/nodes:1" EXACT, generations[g],
				batches[b]);
			expect_metric(name, "pages_per_lock", batches[b]);
		}
}

static void test_alternating_zones_undo_the_batch(void **state)
{
	for (size_t g = 1; g < ARRAY_SIZE(generations); g++) {
		char name[LP_NAME_MAX];

		snprintf(name, sizeof(name), "lru_rotate/%s/batch:14/lock:ticket/nodes:2" EXACT,
			generations[g]);
		expect_metric(name, "locks_per_page", 1.0);
	}
}

/* Whole bios of one zone: a batch of 14 meets a new zone once in 32 pages. */
static void test_zones_by_bio_keep_most_of_the_batch(void **state)
{
	double locks = play_metric(
		"lru_rotate/pagevec_irq/batch:14/lock:ticket/nodes:2/interleave:bio" EXACT, CPUS,
		"locks_per_page");

	assert_true(locks > 1.0 / 14 && locks <= 1.0 / 14 + 1.0 / 32);
}

static void test_memory_control_groups_have_locks_of_their_own(void **state)
{
	expect_metric("lru_rotate/lruvec_batch/batch:15/lock:queued/nodes:1/memcgs:4" EXACT,
		"locks_per_page", 1.0);
}

static void test_no_batching_on_one_cpu_when_told_so(void **state)
{
	for (size_t g = 1; g < ARRAY_SIZE(generations); g++) {
		char name[LP_NAME_MAX];

		snprintf(name, sizeof(name),
			"lru_rotate/%s/batch:14/lock:ticket/nodes:1/noop_on_one_cpu:1" EXACT,
			generations[g]);
		assert_true(play_metric(name, 1, "locks_per_page") == 1.0);
		assert_true(play_metric(name, 2, "pages_per_lock") == 14.0);
	}
}

static void test_everything_is_rotated_when_only_completers_work(void **state)
{
	struct play p;

	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		char name[LP_NAME_MAX];

		snprintf(name, sizeof(name), "lru_rotate/%s/nodes:1" EXACT, generations[g]);
		play_whole(&p, name, CPUS, 3);
		assert_true(lp_metrics_get(&p.run.metrics, "pgrotated") == (double)p.ops);
		play_end(&p);
	}
}

static void test_only_the_generation_without_references_touches_stale_pages(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		char name[LP_NAME_MAX];
		double stale;

		snprintf(name, sizeof(name), "lru_rotate/%s/actors:swapout" EXACT, generations[g]);
		stale = play_metric(name, CPUS, "stale_touches");
		if (!strcmp(generations[g], "pagevec_noref"))
			assert_true(stale > 0);
		else
			assert_true(stale == 0);
	}
}

static void test_stranded_pages_keep_to_their_bound(void **state)
{
	struct play p;

	for (size_t g = 1; g < ARRAY_SIZE(generations); g++) {
		char name[LP_NAME_MAX];

		snprintf(name, sizeof(name), "lru_rotate/%s/batch:14" EXACT, generations[g]);
		play_whole(&p, name, CPUS, 1);
		assert_true(lp_metrics_get(&p.run.metrics, "stranded_bound") == (CPUS - 1) * 14);
		assert_true(lp_metrics_get(&p.run.metrics, "stranded_pages_max") > 0);
		assert_true(
			lp_metrics_get(&p.run.metrics, "stranded_pages_max") <= (CPUS - 1) * 14);
		play_end(&p);
	}
}

static void test_draining_all_cpus_leaves_fewer_pages_stranded(void **state)
{
	const char *name = "lru_rotate/pagevec_irq/batch:63/lock:ticket/nodes:1/actors:swapout";
	char often[LP_NAME_MAX], never[LP_NAME_MAX];

	snprintf(often, sizeof(often), "%s/drain_all:1" EXACT, name);
	snprintf(never, sizeof(never), "%s" EXACT, name);
	assert_true(play_metric(often, CPUS, "stranded_pages_mean") <
		    play_metric(never, CPUS, "stranded_pages_mean") / 2);
}

static void test_a_seed_gives_the_same_counts_again(void **state)
{
	const char *name = "lru_rotate/pagevec_noref/actors:swapout" EXACT;

	assert_true(play_same(name, CPUS, 5, 5));
	assert_false(play_same(name, CPUS, 5, 6));
}

/* ---- the checker itself ---- */

#define SWAPOUT "lru_rotate/pagevec_ref/actors:swapout" EXACT

static struct lru_rotate *begin_spoiling(struct play *p)
{
	play_begin(p, SWAPOUT, CPUS, 7);
	return p->run.state;
}

static struct page *some_listed_page(struct lru_rotate *s)
{
	return list_first_entry(&s->lruvec[0].lists[LRU_INACTIVE], struct page, lru);
}

static void test_check_finds_a_lost_page(void **state)
{
	struct play p;
	struct lru_rotate *s = begin_spoiling(&p);

	lruvec_del_page(&s->lruvec[0], some_listed_page(s));
	play_expect_damage(&p, "in 0 places");
}

static void test_check_finds_a_doubled_page(void **state)
{
	struct play p;
	struct lru_rotate *s = begin_spoiling(&p);
	struct lru_cpu *c = s->cpu[0];

	assert_true(c->nr_free > 0);
	c->free[c->nr_free] = c->free[0];
	c->nr_free++;
	play_expect_damage(&p, "in 2 places");
}

static void test_check_finds_a_leaked_reference(void **state)
{
	struct play p;

	get_page(some_listed_page(begin_spoiling(&p)));
	play_expect_damage(&p, "2 references");
}

static void test_check_finds_an_unfinished_writeback(void **state)
{
	struct play p;

	page_set(some_listed_page(begin_spoiling(&p)), PG_writeback);
	play_expect_damage(&p, "under writeback");
}

static void test_check_finds_a_forgotten_batch(void **state)
{
	struct play p;
	struct lru_rotate *s = begin_spoiling(&p);

	atomic_store(&s->cpu[1]->rotate.nr, 3);
	play_expect_damage(&p, "left in its batches");
	(void)s;
}

static void test_check_finds_a_bio_that_never_completed(void **state)
{
	struct play p;
	struct lru_rotate *s = begin_spoiling(&p);

	atomic_store(&s->cpu[2]->bio[5].in_flight, true);
	play_expect_damage(&p, "never completed");
}

static void test_check_finds_miscounted_events(void **state)
{
	struct play p;

	begin_spoiling(&p);
	count_vm_event(PGROTATED);
	play_expect_damage(&p, "pgrotated says");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_lock_a_page_without_batching),
		cmocka_unit_test(test_a_lock_a_batch),
		cmocka_unit_test(test_alternating_zones_undo_the_batch),
		cmocka_unit_test(test_zones_by_bio_keep_most_of_the_batch),
		cmocka_unit_test(test_memory_control_groups_have_locks_of_their_own),
		cmocka_unit_test(test_no_batching_on_one_cpu_when_told_so),
		cmocka_unit_test(test_everything_is_rotated_when_only_completers_work),
		cmocka_unit_test(test_only_the_generation_without_references_touches_stale_pages),
		cmocka_unit_test(test_stranded_pages_keep_to_their_bound),
		cmocka_unit_test(test_draining_all_cpus_leaves_fewer_pages_stranded),
		cmocka_unit_test(test_a_seed_gives_the_same_counts_again),
		cmocka_unit_test(test_check_finds_a_lost_page),
		cmocka_unit_test(test_check_finds_a_doubled_page),
		cmocka_unit_test(test_check_finds_a_leaked_reference),
		cmocka_unit_test(test_check_finds_an_unfinished_writeback),
		cmocka_unit_test(test_check_finds_a_forgotten_batch),
		cmocka_unit_test(test_check_finds_a_bio_that_never_completed),
		cmocka_unit_test(test_check_finds_miscounted_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
