// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each lock flavour, plain and observed: it excludes, a failed try leaves no trace, and the
 * statistics of an observed one are exactly what was done.
 */
#include "tests/unit/lock_threads.h"

enum { WINDOW_US = 40000, THREADS_MAX = 4, HOLD_US = 3000 };

static struct lp_spinlock lock;
static struct lp_lockstat stat;

static int fresh(void **state)
{
	return lp_cpus_init(THREADS_MAX, NULL) || lp_lockstat_init(&stat, THREADS_MAX, NULL);
}

static int destroy(void **state)
{
	lp_lockstat_destroy(&stat);
	return 0;
}

static void renew(lp_lock_flavour f)
{
	assert_int_equal(destroy(NULL), 0);
	assert_int_equal(fresh(NULL), 0);
	spin_lock_init(&lock, f, &stat);
}

/* ---- exclusion ---- */

struct contender {
	pthread_t thread;
	int cpu;
	lp_lock_flavour flavour;
	uint64_t ops, torn;
};

static uint64_t first, second; /* guarded by lock, equal outside */
static _Atomic bool stop;

static LP_ALWAYS_INLINE void contend(struct contender *c, lp_lock_flavour f)
{
	/* Relaxed: joining the thread orders. */
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		spin_lock(&lock, f);
		c->torn += first != second;
		first++;
		barrier();
		second++;
		spin_unlock(&lock, f);
		c->ops++;
	}
}

static LP_ALWAYS_INLINE void contend_irqsave(struct contender *c, lp_lock_flavour f)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		unsigned long flags = spin_lock_irqsave(&lock, f);

		c->torn += first != second;
		first++;
		barrier();
		second++;
		spin_unlock_irqrestore(&lock, flags, f);
		c->ops++;
	}
}

static void *contender_main(void *contender)
{
	struct contender *c = contender;

	lp_cpu_enter(c->cpu);
	LP_FOR_FLAVOUR(c->flavour, contend, c);
	return NULL;
}

static void *irqsave_contender_main(void *contender)
{
	struct contender *c = contender;

	lp_cpu_enter(c->cpu);
	LP_FOR_FLAVOUR(c->flavour, contend_irqsave, c);
	return NULL;
}

/* Return: how often the lock was taken. */
static uint64_t run_contenders(int threads, lp_lock_flavour f, void *(*run)(void *contender))
{
	struct contender c[THREADS_MAX] = {0};
	uint64_t ops = 0;

	renew(f);
	first = second = 0;
	atomic_store(&stop, false);
	for (int i = 0; i < threads; i++) {
		c[i].cpu = i;
		c[i].flavour = f;
		assert_int_equal(pthread_create(&c[i].thread, NULL, run, &c[i]), 0);
	}
	usleep(WINDOW_US);
	atomic_store(&stop, true);
	for (int i = 0; i < threads; i++) {
		pthread_join(c[i].thread, NULL);
		assert_int_equal(c[i].torn, 0);
		ops += c[i].ops;
	}
	assert_true(ops > 0);
	assert_int_equal(first, ops);
	assert_int_equal(second, ops);
	assert_true(try(&lock, f));
	return ops;
}

static void test_every_flavour_excludes(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++)
		for (int threads = 2; threads <= THREADS_MAX; threads++)
			run_contenders(threads, kinds[k], contender_main);
}

static void test_every_observed_flavour_excludes_and_counts(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++)
		for (int threads = 2; threads <= THREADS_MAX; threads++) {
			lp_lock_flavour f = kinds[k] | LP_LOCK_OBSERVED;
			uint64_t ops = run_contenders(threads, f, contender_main);
			struct lp_lockstat_cpu sum;

			lp_lockstat_sum(&stat, &sum);
			assert_int_equal(sum.acquisitions, ops + 1); /* and the try at the end */
			assert_int_equal(sum.hold_ticks.count, ops);
			assert_int_equal(sum.wait_ticks.count, sum.contentions);
			assert_true(sum.contentions <= ops);
			assert_true(sum.acquisition_bounces < sum.acquisitions);
			assert_true(sum.contention_bounces <= sum.acquisition_bounces);
		}
}

static void test_every_flavour_excludes_with_interrupts_off(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++) {
		run_contenders(3, kinds[k], irqsave_contender_main);
		run_contenders(3, kinds[k] | LP_LOCK_OBSERVED, irqsave_contender_main);
	}
}

/* ---- trying ---- */

static void test_a_try_takes_a_free_lock_and_only_that(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++) {
		renew(kinds[k]);
		assert_true(try(&lock, kinds[k]));
		assert_false(try(&lock, kinds[k]));
		assert_false(try(&lock, kinds[k]));
		release(&lock, kinds[k]);
		assert_true(try(&lock, kinds[k]));
		release(&lock, kinds[k]);
		take(&lock, kinds[k]);
		assert_false(try(&lock, kinds[k]));
		release(&lock, kinds[k]);
		take(&lock, kinds[k]);
		release(&lock, kinds[k]);
	}
}

static void test_tickets_go_round(void **state)
{
	renew(LP_LOCK_TICKET);
	for (int start = 65533; start < 65536; start++) {
		atomic_store(&lock.ticket.owner, (uint16_t)start);
		atomic_store(&lock.ticket.next, (uint16_t)start);
		for (int i = 0; i < 4; i++) {
			assert_true(try(&lock, LP_LOCK_TICKET));
			assert_false(try(&lock, LP_LOCK_TICKET));
			release(&lock, LP_LOCK_TICKET);
			take(&lock, LP_LOCK_TICKET);
			assert_false(try(&lock, LP_LOCK_TICKET));
			release(&lock, LP_LOCK_TICKET);
		}
		assert_int_equal(lock.ticket.owner, (uint16_t)(start + 8));
		assert_int_equal(lock.ticket.next, (uint16_t)(start + 8));
	}
}

/* ---- statistics ---- */

static struct lp_lockstat_cpu counted(void)
{
	struct lp_lockstat_cpu sum;

	lp_lockstat_sum(&stat, &sum);
	return sum;
}

static void test_uncontended_statistics_are_exact(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++) {
		lp_lock_flavour f = kinds[k] | LP_LOCK_OBSERVED;

		renew(f);
		for (int i = 0; i < 100; i++) {
			take(&lock, f);
			release(&lock, f);
		}
		assert_true(try(&lock, f));
		assert_false(try(&lock, f));
		assert_int_equal(counted().acquisitions, 101);
		assert_int_equal(counted().hold_ticks.count, 100);
		assert_int_equal(counted().contentions, 0);
		assert_int_equal(counted().wait_ticks.count, 0);
		assert_int_equal(counted().acquisition_bounces, 0);
		assert_int_equal(counted().contention_bounces, 0);
	}
}

static void test_a_bounce_is_a_change_of_cpu(void **state)
{
	static const int cpus[] = {2, 2, 0, 1, 1, 1, 2}; /* the first one comes from nowhere */

	for (int k = 0; k < LP_LOCK_KINDS; k++) {
		lp_lock_flavour f = kinds[k] | LP_LOCK_OBSERVED;

		renew(f);
		for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
			lp_cpu_enter(cpus[i]);
			take(&lock, f);
			release(&lock, f);
		}
		assert_int_equal(counted().acquisitions, 7);
		assert_int_equal(counted().acquisition_bounces, 3);
		assert_int_equal(counted().contention_bounces, 0);
		assert_int_equal(stat.cpu[1].acquisitions, 3);
		assert_int_equal(stat.cpu[1].acquisition_bounces, 1);
	}
}

static void *take_once(void *contender)
{
	struct contender *c = contender;

	lp_cpu_enter(c->cpu);
	take(&lock, c->flavour);
	release(&lock, c->flavour);
	return NULL;
}

static LP_ALWAYS_INLINE void irqsave_once_(struct lp_spinlock *l, lp_lock_flavour f)
{
	spin_unlock_irqrestore(l, spin_lock_irqsave(l, f), f);
}

static void *take_irqsave_once(void *contender)
{
	struct contender *c = contender;

	lp_cpu_enter(c->cpu);
	LP_FOR_FLAVOUR(c->flavour, irqsave_once_, &lock);
	return NULL;
}

/* One waiter on CPU 1 for a lock held on CPU 0 while this thread sleeps. Return: ticks slept. */
static uint64_t make_one_wait(lp_lock_flavour f, void *(*waiter)(void *contender))
{
	struct contender c = {.cpu = 1, .flavour = f};
	uint64_t from, slept;

	renew(f);
	take(&lock, f);
	assert_int_equal(pthread_create(&c.thread, NULL, waiter, &c), 0);
	wait_until(has_waiter(&lock, f));
	from = lp_ticks();
	usleep(HOLD_US);
	slept = lp_ticks() - from;
	release(&lock, f);
	pthread_join(c.thread, NULL);
	return slept;
}

static void check_one_wait(lp_lock_flavour f, void *(*waiter)(void *contender))
{
	uint64_t slept = make_one_wait(f, waiter);

	assert_int_equal(counted().acquisitions, 2);
	assert_int_equal(counted().contentions, 1);
	assert_int_equal(counted().acquisition_bounces, 1);
	assert_int_equal(counted().contention_bounces, 1);
	assert_int_equal(counted().wait_ticks.count, 1);
	assert_int_equal(counted().hold_ticks.count, 2);
	assert_int_equal(stat.cpu[0].contentions, 0);
	/* The sleep lay inside both; half of it, should the CPUs' counters not quite agree. */
	assert_true(stat.cpu[1].wait_ticks.max >= slept / 2);
	assert_true(stat.cpu[0].hold_ticks.max >= slept / 2);
	assert_true(stat.cpu[1].hold_ticks.max < stat.cpu[0].hold_ticks.max);
}

static void test_a_held_lock_is_a_contention(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++) {
		check_one_wait(kinds[k] | LP_LOCK_OBSERVED, take_once);
		check_one_wait(kinds[k] | LP_LOCK_OBSERVED, take_irqsave_once);
	}
}

static void test_a_plain_lock_counts_nothing(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++) {
		make_one_wait(kinds[k], take_once);
		assert_int_equal(counted().acquisitions, 0);
		assert_int_equal(counted().contentions, 0);
		assert_int_equal(counted().hold_ticks.count, 0);
	}
}

static void test_locks_of_a_class_count_together(void **state)
{
	struct lp_spinlock other;
	lp_lock_flavour f = LP_LOCK_TICKET | LP_LOCK_OBSERVED;

	renew(f);
	spin_lock_init(&other, f, &stat);
	take(&lock, f);
	take(&other, f);
	release(&other, f);
	release(&lock, f);
	assert_int_equal(counted().acquisitions, 2);
	assert_int_equal(counted().hold_ticks.count, 2);
}

/* ---- flavours ---- */

static LP_ALWAYS_INLINE void store_flavour(lp_lock_flavour *out, lp_lock_flavour f)
{
	*out = f;
}

static void test_a_function_gets_its_flavour(void **state)
{
	for (lp_lock_flavour f = 0; f < 8; f++) {
		lp_lock_flavour got = 99;

		if ((f & 3) >= LP_LOCK_KINDS)
			continue;
		LP_FOR_FLAVOUR(f, store_flavour, &got);
		assert_int_equal(got, f);
	}
}

static void test_flavours_have_names(void **state)
{
	assert_string_equal(lp_lock_kind_name(LP_LOCK_UNFAIR), "unfair");
	assert_string_equal(lp_lock_kind_name(LP_LOCK_TICKET), "ticket");
	assert_string_equal(lp_lock_kind_name(LP_LOCK_QUEUED | LP_LOCK_OBSERVED), "queued");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_flavour_excludes),
		cmocka_unit_test(test_every_observed_flavour_excludes_and_counts),
		cmocka_unit_test(test_every_flavour_excludes_with_interrupts_off),
		cmocka_unit_test(test_a_try_takes_a_free_lock_and_only_that),
		cmocka_unit_test(test_tickets_go_round),
		cmocka_unit_test(test_uncontended_statistics_are_exact),
		cmocka_unit_test(test_a_bounce_is_a_change_of_cpu),
		cmocka_unit_test(test_a_held_lock_is_a_contention),
		cmocka_unit_test(test_a_plain_lock_counts_nothing),
		cmocka_unit_test(test_locks_of_a_class_count_together),
		cmocka_unit_test(test_a_function_gets_its_flavour),
		cmocka_unit_test(test_flavours_have_names),
	};

	return cmocka_run_group_tests(tests, fresh, destroy);
}
