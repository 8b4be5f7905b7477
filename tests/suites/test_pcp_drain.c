// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pcp_drain: when each generation drains and whom it interrupts, and the counts of whole plays in
 * exact mode, the same on any machine.
 *
 * lp-one-thread
 */
#include <math.h>

#include "tests/suites/pcp_drain.h"

enum { CPUS = 4 };

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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
