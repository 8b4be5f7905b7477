// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * block_plug in exact mode: what the algorithms must give on any machine, the order of the merge
 * search worked by hand, and that the checker notices the damage it is there for.
 *
 * lp-one-thread
 */
#include "suites/block_plug/block_plug.h"
#include "tests/suites/play.h"

#define EXACT "/mode:exact/threads:1"
enum { CPUS = EXACT_CPUS };

static const char *const generations[] = {
	"no_plug", "plug", "plug_limit", "plug_size", "mq_direct", "mq_plug"};

static const char *name_of(const char *generation, const char *rest)
{
	static char name[LP_NAME_MAX];

	snprintf(name, sizeof(name), "block_plug/%s%s" EXACT, generation, rest);
	return name;
}

static void test_a_seed_gives_the_same_counts_again(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		assert_true(play_same(name_of(generations[g], ""), CPUS, 5, 5));
		assert_false(play_same(name_of(generations[g], ""), CPUS, 5, 6));
	}
}

static void test_a_single_submitter_of_single_pages_merges_nothing(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		const char *name = name_of(generations[g], "/run:1/sequential:0");

		assert_true(play_metric(name, 1, "merge_share") == 0);
		assert_true(play_metric(name, 1, "request_kib_mean") == 4);
	}
}

/* One endless run and a device that costs nothing: a scan of 32 pages is one request of 128 KiB. */
static void test_a_sequential_scan_becomes_one_request_in_the_plug(void **state)
{
	struct play p;

	play_whole(&p, name_of("plug", "/run:512/sequential:1000/bandwidth:0"), 1, 9);
	/* Runs end somewhere, so that a scan now and then has two pieces. */
	assert_true(lp_metrics_get(&p.run.metrics, "request_kib_mean") > 120);
	assert_true(lp_metrics_get(&p.run.metrics, "request_kib_mean") <= 128);
	/* The plug merges without a lock: one for each new request, one for each flush. */
	assert_true(lp_metrics_get(&p.run.metrics, "locks_per_mib") < 20);
	play_end(&p);
}

static void test_limits_of_the_generations_hold(void **state)
{
	struct play p;

	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		const struct block_algorithm *a;
		struct block_plug *s;

		play_begin(&p, name_of(generations[g], "/run:512/sequential:1000/window:8192"),
			CPUS, 1);
		s = p.run.state;
		a = s->algorithm;
		assert_int_equal(play_check(&p), 0);
		assert_true(a->max_kib == (g < 3 ? 512 : 1280));
		play_end(&p);
	}
}

static void test_the_published_direction_of_request_sizes(void **state)
{
	struct play direct, plugged;

	play_whole(&direct, name_of("no_plug", ""), CPUS, 1);
	play_whole(&plugged, name_of("plug", ""), CPUS, 1);
	assert_true(lp_metrics_get(&plugged.run.metrics, "request_kib_mean") >
		    lp_metrics_get(&direct.run.metrics, "request_kib_mean"));
	assert_true(lp_metrics_get(&plugged.run.metrics, "request_kib_cv") <
		    lp_metrics_get(&direct.run.metrics, "request_kib_cv"));
	assert_true(lp_metrics_get(&plugged.run.metrics, "locks_per_mib") <
		    lp_metrics_get(&direct.run.metrics, "locks_per_mib") / 2);
	play_end(&direct);
	play_end(&plugged);
}

static void test_the_device_is_the_limit_and_equal_for_the_single_queue_generations(void **state)
{
	double first = play_metric(name_of("no_plug", ""), CPUS, "device_mib_per_s");

	for (size_t g = 1; g < 4; g++) {
		double other = play_metric(name_of(generations[g], ""), CPUS, "device_mib_per_s");

		assert_true(other > first * 0.99 && other < first * 1.01);
	}
}

static void test_flush_reasons(void **state)
{
	/* Single pages: every page a request, so 16 of them flush a plug_limit. */
	assert_true(play_metric(name_of("plug_limit", "/run:1"), 1, "flushes_count") > 0);
	assert_true(play_metric(name_of("plug", "/run:1"), 1, "flushes_count") == 0);
	assert_true(play_metric(name_of("plug_size", "/run:512/sequential:1000/plug_requests:64"),
			    1, "flushes_finish") > 0);
	/* With all requests in use a submitter sleeps, and the flush is handed over. */
	assert_true(play_metric(name_of("plug", "/run:1/window:8192"), CPUS, "flushes_sleep") > 0);
	assert_true(play_metric(name_of("plug", "/run:1/window:8192"), CPUS, "handovers") > 0);
}

static void test_a_plug_delays_and_direct_issue_does_not(void **state)
{
	const char *free_device = "/bandwidth:0";
	double plugged = play_metric(name_of("plug", free_device), 1, "added_latency_max_ns");

	/* 31 pages of 5000 ns each before the scan is flushed. */
	assert_true(plugged >= 31 * 5000 * 0.99 && plugged <= 31 * 5000 * 1.01);
	assert_true(play_metric(name_of("mq_direct", free_device), 1, "added_latency_max_ns") == 0);
}

/* ---- the merge search, by hand ---- */

struct bench {
	struct block_plug s;
	struct block_queue q;
	struct request pool[8];
	struct bio bio[16];
	struct block_cpu cpu;
};

static struct bench *new_bench(void)
{
	struct bench *b = test_calloc(1, sizeof(*b));

	b->s.max_sectors = 1024;
	elevator_init(&b->q);
	INIT_LIST_HEAD(&b->q.free);
	for (int i = 0; i < 8; i++)
		list_add_tail(&b->pool[i].list, &b->q.free);
	return b;
}

static struct bio *page_at(struct bench *b, int i, uint64_t page)
{
	b->bio[i] = (struct bio){.sector = page * SECTORS_PER_PAGE, .sectors = SECTORS_PER_PAGE};
	return &b->bio[i];
}

static struct request *queue_page(struct bench *b, int i, uint64_t page)
{
	struct request *rq = request_alloc(&b->q);

	request_set_bio(rq, &b->cpu, page_at(b, i, page));
	elevator_insert(&b->q, rq);
	return rq;
}

static void test_merges_are_searched_last_then_hash_then_tree(void **state)
{
	struct bench *b = new_bench();
	struct request *low = queue_page(b, 0, 10), *high = queue_page(b, 1, 100), *rq;

	b->q.last_merge = high;
	assert_int_equal(elevator_merge(&b->s, &b->q, page_at(b, 2, 101)), MERGE_LAST);
	assert_int_equal(elevator_merge(&b->s, &b->q, page_at(b, 3, 11)), MERGE_HASH);
	assert_ptr_equal(b->q.last_merge, low);
	assert_int_equal(elevator_merge(&b->s, &b->q, page_at(b, 4, 99)), MERGE_TREE);
	assert_int_equal(elevator_merge(&b->s, &b->q, page_at(b, 5, 50)), MERGE_NONE);
	/* A front merge moved the request in the tree: 99 comes after 10, in one direction. */
	b->q.head_sector = 11 * SECTORS_PER_PAGE;
	rq = elevator_next(&b->q);
	assert_ptr_equal(rq, high);
	assert_int_equal(rq->sector, 99 * SECTORS_PER_PAGE);
	assert_int_equal(rq->sectors, 3 * SECTORS_PER_PAGE);
	assert_ptr_equal(rq->head, &b->bio[4]);
	assert_ptr_equal(elevator_next(&b->q), low);
	assert_null(elevator_next(&b->q));
	test_free(b);
}

static void test_a_request_at_its_limit_takes_no_more(void **state)
{
	struct bench *b = new_bench();

	b->s.max_sectors = 2 * SECTORS_PER_PAGE;
	queue_page(b, 0, 10);
	assert_int_equal(elevator_merge(&b->s, &b->q, page_at(b, 1, 11)), MERGE_LAST);
	assert_int_equal(elevator_merge(&b->s, &b->q, page_at(b, 2, 12)), MERGE_NONE);
	assert_int_equal(elevator_merge(&b->s, &b->q, page_at(b, 3, 9)), MERGE_NONE);
	test_free(b);
}

static void test_inserting_joins_what_is_contiguous(void **state)
{
	struct bench *b = new_bench();
	struct request *first = queue_page(b, 0, 10), *second = request_alloc(&b->q), *rq;

	request_set_bio(second, &b->cpu, page_at(b, 1, 11));
	b->s.virtual_time = true;
	elevator_insert_merge(&b->s, &b->q, second);
	assert_int_equal(b->q.allocated, 1);
	rq = elevator_next(&b->q);
	assert_ptr_equal(rq, first);
	assert_int_equal(rq->segments, 2);
	assert_ptr_equal(rq->tail, &b->bio[1]);
	test_free(b);
}

/* ---- the checker itself ---- */

static struct block_plug *begin_spoiling(struct play *p)
{
	play_begin(p, name_of("plug", ""), CPUS, 7);
	return p->run.state;
}

static void test_check_finds_a_bio_completed_twice_or_never(void **state)
{
	struct play p;

	begin_spoiling(&p)->cpu[1]->ring[5].completions = 2;
	play_expect_damage(&p, "completed 2 times");
	begin_spoiling(&p)->cpu[1]->ring[5].completions = 0;
	play_expect_damage(&p, "completed 0 times");
}

static void test_check_finds_a_request_left_in_a_plug(void **state)
{
	struct play p;
	struct block_plug *s = begin_spoiling(&p);

	list_move(&s->queue[0]->pool[0].list, &s->cpu[0]->plug.list);
	play_expect_damage(&p, "are free and");
	s = begin_spoiling(&p);
	s->queue[0]->queued = 1;
	play_expect_damage(&p, "1 requests queued");
}

static void test_check_finds_lost_pages_and_broken_limits(void **state)
{
	struct play p;

	begin_spoiling(&p)->queue[0]->completed_pages--;
	play_expect_damage(&p, "completed");
	begin_spoiling(&p)->queue[0]->over_limit = 3;
	play_expect_damage(&p, "3 requests were over their limits");
	begin_spoiling(&p)->cpu[2]->merges[MERGE_PLUG]++;
	play_expect_damage(&p, "placed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_seed_gives_the_same_counts_again),
		cmocka_unit_test(test_a_single_submitter_of_single_pages_merges_nothing),
		cmocka_unit_test(test_a_sequential_scan_becomes_one_request_in_the_plug),
		cmocka_unit_test(test_limits_of_the_generations_hold),
		cmocka_unit_test(test_the_published_direction_of_request_sizes),
		cmocka_unit_test(
			test_the_device_is_the_limit_and_equal_for_the_single_queue_generations),
		cmocka_unit_test(test_flush_reasons),
		cmocka_unit_test(test_a_plug_delays_and_direct_issue_does_not),
		cmocka_unit_test(test_merges_are_searched_last_then_hash_then_tree),
		cmocka_unit_test(test_a_request_at_its_limit_takes_no_more),
		cmocka_unit_test(test_inserting_joins_what_is_contiguous),
		cmocka_unit_test(test_check_finds_a_bio_completed_twice_or_never),
		cmocka_unit_test(test_check_finds_a_request_left_in_a_plug),
		cmocka_unit_test(test_check_finds_lost_pages_and_broken_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
