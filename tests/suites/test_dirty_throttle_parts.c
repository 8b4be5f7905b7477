// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dirty_throttle's parts against values worked by hand: thresholds, zone counters with their
 * bound, floating proportions, the control line of 3.2.
 *
 * lp-one-thread
 */
#include "suites/dirty_throttle/dirty_throttle.h"
#include "tests/suites/play.h"

enum { CPUS = 8 };
#define PACED                                                                                      \
	"dirty_throttle/paced/lock:ticket/load:stream/writers:8/bandwidth:60/seconds:2/"           \
	"mode:exact/threads:1"

/* ---- thresholds and counters, by hand ---- */

static void test_fold_thresholds(void **state)
{
	const uint64_t gib = 1 << 18;

	assert_int_equal(dt_stat_threshold(1, 1), 2 * 1 * 1);
	assert_int_equal(dt_stat_threshold(2, 8 * gib), 2 * 2 * 8);
	assert_int_equal(dt_stat_threshold(8, 8 * gib), 2 * 4 * 8);
	assert_int_equal(dt_stat_threshold(64, 1024 * gib), 125);
}

static void test_limits(void **state)
{
	struct dt_limits l;

	dt_limits_init(&l, 1000000, 10, 0);
	assert_int_equal(l.background, 50000);
	assert_int_equal(l.dirty, 100000);
	assert_int_equal(dt_ratelimit_of_memory(&l, 8), 1024);
	assert_int_equal(dt_ratelimit_of_memory(&l, 100), 312);
	dt_limits_init(&l, 1000, 40, 40);
	assert_int_equal(l.dirty, 300); /* half of what is unmapped */
	assert_int_equal(l.background, 200);
	assert_int_equal(dt_ratelimit_of_memory(&l, 8), 16);
	dt_limits_init(&l, 1000, 10, 95);
	assert_int_equal(l.dirty, 50); /* not below 5 % */
	assert_int_equal(l.background, 20);
	assert_int_equal(dt_prop_shift(209715), 2 + 17);
	assert_int_equal(dt_prop_shift(1 << 17), 2 + 16);
}

static void test_zone_counter_stays_within_its_bound(void **state)
{
	struct dt_stat c = {0};
	uint64_t random = 7;
	int64_t exact = 0;

	assert_int_equal(lp_cpus_init(CPUS, NULL), 0);
	assert_int_equal(dt_stat_init(&c, CPUS, 32, NULL), 0);
	for (int i = 0; i < 20000; i++) {
		int one = i < 10000 || lp_random_below(&random, 3) ? 1 : -1;

		lp_cpu_enter((int)lp_random_below(&random, CPUS));
		dt_stat_add(&c, one);
		exact += one;
		assert_int_equal(dt_stat_sum(&c), exact);
		assert_true(llabs(atomic_load(&c.count) - exact) <= CPUS * 32);
	}
	for (int i = 0; i < CPUS; i++) {
		lp_cpu_enter(i);
		dt_stat_fold(&c);
	}
	assert_int_equal(atomic_load(&c.count), exact);
	dt_stat_destroy(&c);
}

/* 33 additions pass the threshold of 32: all of them and half a threshold more are folded. */
static void test_zone_counter_oversteps(void **state)
{
	struct dt_stat c = {0};

	assert_int_equal(lp_cpus_init(1, NULL), 0);
	assert_int_equal(dt_stat_init(&c, 1, 32, NULL), 0);
	for (int i = 0; i < 32; i++)
		dt_stat_add(&c, 1);
	assert_int_equal(dt_stat_read(&c), 0);
	dt_stat_add(&c, 1);
	assert_int_equal(dt_stat_read(&c), 33 + 16);
	assert_int_equal(dt_stat_sum(&c), 33);
	dt_stat_destroy(&c);
}

/* ---- proportions, by hand: a period of 16 events, half a period of 8 ---- */

struct shares {
	struct dt_prop all;
	struct dt_prop_percpu a, b;
};

static void shares_init(struct shares *x)
{
	*x = (struct shares){.all = {.shift = 4, .flavour = LP_LOCK_TICKET}};
	assert_int_equal(lp_cpus_init(1, NULL), 0);
	assert_int_equal(percpu_counter_init(&x->all.events, 1, 1, 0, NULL), 0);
	assert_int_equal(percpu_counter_init(&x->a.events, 1, 1, 0, NULL), 0);
	assert_int_equal(percpu_counter_init(&x->b.events, 1, 1, 0, NULL), 0);
	spin_lock_init(&x->all.events.lock, LP_LOCK_TICKET, NULL);
	spin_lock_init(&x->a.events.lock, LP_LOCK_TICKET, NULL);
	spin_lock_init(&x->b.events.lock, LP_LOCK_TICKET, NULL);
	spin_lock_init(&x->a.lock, LP_LOCK_TICKET, NULL);
	spin_lock_init(&x->b.lock, LP_LOCK_TICKET, NULL);
}

static void shares_destroy(struct shares *x)
{
	percpu_counter_destroy(&x->all.events);
	percpu_counter_destroy(&x->a.events);
	percpu_counter_destroy(&x->b.events);
}

static void inc(struct shares *x, struct dt_prop_percpu *who, int times)
{
	while (times--)
		dt_prop_inc_percpu(&x->all, who);
}

static void expect_share(
	struct shares *x, struct dt_prop_percpu *who, uint64_t numerator, uint64_t denominator)
{
	struct dt_fraction f = dt_prop_fraction_percpu(&x->all, who);

	assert_int_equal(f.numerator, numerator);
	assert_int_equal(f.denominator, denominator);
}

static void test_shares_decay_when_looked_at(void **state)
{
	struct shares x;

	shares_init(&x);
	expect_share(&x, &x.a, 0, 8); /* cold: nothing at all */
	inc(&x, &x.a, 4);
	expect_share(&x, &x.a, 4, 12);
	inc(&x, &x.a, 4); /* half a period is over: halved once */
	expect_share(&x, &x.a, 4, 8);
	inc(&x, &x.a, 8);
	expect_share(&x, &x.a, 6, 8);
	inc(&x, &x.b, 16); /* two half periods of somebody else's events */
	expect_share(&x, &x.a, 1, 8);
	expect_share(&x, &x.b, 6, 8);
	inc(&x, &x.b, 8 * 70); /* more than a word has bits */
	expect_share(&x, &x.a, 0, 8);
	shares_destroy(&x);
}

/* Twice the period: everybody's events count double, each one's own do not. */
static void test_a_longer_period_shrinks_shares(void **state)
{
	struct dt_prop_single task = {0};
	struct shares x;

	shares_init(&x);
	inc(&x, &x.a, 12);
	expect_share(&x, &x.a, 8, 12);
	dt_prop_inc_single(&x.all, &task);
	dt_prop_change_shift(&x.all, 5);
	expect_share(&x, &x.a, 8, 16 + 10);
	assert_int_equal(dt_prop_fraction_single(&x.all, &task).numerator, 1);
	inc(&x, &x.a, 6);
	expect_share(&x, &x.a, 7, 16);
	assert_int_equal(dt_prop_fraction_single(&x.all, &task).numerator, 0);
	dt_prop_change_shift(&x.all, 4);
	expect_share(&x, &x.a, 7, 8);
	shares_destroy(&x);
}

static void test_a_task_share_decays_alike(void **state)
{
	struct dt_prop_single task = {0};
	struct shares x;

	shares_init(&x);
	for (int i = 0; i < 12; i++)
		dt_prop_inc_single(&x.all, &task);
	assert_int_equal(dt_prop_fraction_single(&x.all, &task).numerator, 8);
	assert_int_equal(dt_prop_fraction_single(&x.all, &task).denominator, 12);
	inc(&x, &x.a, 12);
	assert_int_equal(dt_prop_fraction_single(&x.all, &task).numerator, 2);
	shares_destroy(&x);
}

/* ---- the control line of paced ---- */

/* A device with all of the completions and its dirty pages at its set point adds nothing. */
static uint64_t ratio_at(struct dt *s, uint64_t dirty)
{
	struct dt_position p = {.dirty = dirty, .bdi_dirty = 0, .bdi_limit = s->limits.dirty};

	p.bdi_dirty = (s->limits.background + 3 * s->limits.dirty) / 4;
	return dt_position_ratio(s, &s->bdi[0], &p);
}

static void test_position_ratio(void **state)
{
	struct play p;
	struct dt *s;
	uint64_t free_run, limit;

	play_begin(&p, PACED, CPUS, 1);
	s = p.run.state;
	limit = s->limits.dirty;
	free_run = (s->limits.background + limit) / 2;
	assert_in_range(ratio_at(s, free_run), 2040, 2048);
	assert_in_range(ratio_at(s, (free_run + limit) / 2), 1020, 1024);
	assert_in_range(ratio_at(s, limit - 1), 0, 8);
	assert_int_equal(ratio_at(s, limit), 0);
	assert_int_equal(ratio_at(s, limit + 1000), 0);
	play_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fold_thresholds),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_zone_counter_stays_within_its_bound),
		cmocka_unit_test(test_zone_counter_oversteps),
		cmocka_unit_test(test_shares_decay_when_looked_at),
		cmocka_unit_test(test_a_longer_period_shrinks_shares),
		cmocka_unit_test(test_a_task_share_decays_alike),
		cmocka_unit_test(test_position_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
