// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of arrival. Waiters come one at a time, each seen in the lock's word before the next
 * one is sent, and must get the lock in that order. Of the queued lock: who holds a node and which
 * one, the nodes of nested waits, and the wait without a node when all are in use.
 */
#include "tests/unit/lock_threads.h"

#include <signal.h>

#include "common/tsan.h"

enum { CPUS = 8, WAITERS = 6 };

static struct lp_spinlock lock, other;
static int order[CPUS], arrived; /* guarded by lock */

struct waiter {
	pthread_t thread;
	int cpu, nesting;
	lp_lock_flavour flavour;
	_Atomic bool attached; /* release: the thread takes interrupts now */
};

static int fresh(void **state)
{
	arrived = 0;
	return lp_cpus_init(CPUS, NULL);
}

static void *waiter_main(void *waiter)
{
	struct waiter *w = waiter;

	lp_cpu_enter(w->cpu);
	lp_this_cpu->mcs[0].count = w->nesting; /* as if so many waits were interrupted */
	take(&lock, w->flavour);
	order[arrived++] = w->cpu;
	release(&lock, w->flavour);
	return NULL;
}

static void start(struct waiter *w, int cpu, lp_lock_flavour f, void *(*run)(void *waiter))
{
	w->cpu = cpu;
	w->flavour = f;
	assert_int_equal(pthread_create(&w->thread, NULL, run, w), 0);
}

static uint16_t tail_of(int cpu, int index)
{
	return (uint16_t)((cpu + 1) << 2 | index);
}

/* Relaxed, in all of these: they only look. */
static uint16_t tail(struct lp_spinlock *l)
{
	return atomic_load_explicit(&l->queued.tail, memory_order_relaxed);
}

static uint8_t pending(struct lp_spinlock *l)
{
	return atomic_load_explicit(&l->queued.pending, memory_order_relaxed);
}

static uint16_t tickets(struct lp_spinlock *l)
{
	return atomic_load_explicit(&l->ticket.next, memory_order_relaxed);
}

static void join_in_order(struct waiter *w, int waiters)
{
	for (int i = 0; i < waiters; i++)
		pthread_join(w[i].thread, NULL);
	assert_int_equal(arrived, waiters);
	for (int i = 0; i < waiters; i++)
		assert_int_equal(order[i], w[i].cpu);
}

static void test_tickets_are_served_in_order(void **state)
{
	struct waiter w[WAITERS] = {0};

	spin_lock_init(&lock, LP_LOCK_TICKET, NULL);
	take(&lock, LP_LOCK_TICKET);
	for (int i = 0; i < WAITERS; i++) {
		start(&w[i], WAITERS - i, LP_LOCK_TICKET, waiter_main);
		wait_until(tickets(&lock) == i + 2);
	}
	assert_false(try(&lock, LP_LOCK_TICKET));
	release(&lock, LP_LOCK_TICKET);
	join_in_order(w, WAITERS);
	assert_int_equal(lock.ticket.owner, lock.ticket.next);
}

static void queue_up(struct waiter *w, int waiters, lp_lock_flavour f)
{
	start(&w[0], 5, f, waiter_main);
	wait_until(pending(&lock) == 1);
	assert_int_equal(tail(&lock), 0); /* the first waiter needs no node */
	for (int i = 1; i < waiters; i++) {
		start(&w[i], i, f, waiter_main);
		wait_until(tail(&lock) == tail_of(i, 0));
	}
}

static void check_queue(lp_lock_flavour f, struct lp_lockstat *stat)
{
	struct waiter w[WAITERS - 1] = {0};

	assert_int_equal(fresh(NULL), 0);
	spin_lock_init(&lock, f, stat);
	take(&lock, f);
	queue_up(w, WAITERS - 1, f);
	assert_false(try(&lock, f));
	release(&lock, f);
	join_in_order(w, WAITERS - 1);
	assert_int_equal(atomic_load(&lock.queued.val), 0);
	for (int i = 0; i < CPUS; i++)
		assert_int_equal(lp_cpu_table[i].mcs[0].count, 0);
}

static void test_waiters_of_the_queue_are_served_in_order(void **state)
{
	check_queue(LP_LOCK_QUEUED, NULL);
}

static void test_so_are_observed_ones_and_all_but_the_holder_contend(void **state)
{
	struct lp_lockstat stat;
	struct lp_lockstat_cpu sum;

	assert_int_equal(lp_lockstat_init(&stat, CPUS, NULL), 0);
	check_queue(LP_LOCK_QUEUED | LP_LOCK_OBSERVED, &stat);
	lp_lockstat_sum(&stat, &sum);
	assert_int_equal(sum.acquisitions, WAITERS);
	assert_int_equal(sum.contentions, WAITERS - 1);
	assert_int_equal(sum.contention_bounces, WAITERS - 1);
	lp_lockstat_destroy(&stat);
}

/* ---- a waiter that looked before others came ---- */

static void *stale_main(void *waiter)
{
	struct waiter *w = waiter;

	lp_cpu_enter(w->cpu);
	lp_spin_queued_slowpath(&lock.queued, 1); /* it saw the lock held and nobody waiting */
	order[arrived++] = w->cpu;
	spin_unlock(&lock, LP_LOCK_QUEUED);
	return NULL;
}

static void test_a_late_waiter_leaves_the_pending_bit_of_another(void **state)
{
	struct waiter w[2] = {0};

	spin_lock_init(&lock, LP_LOCK_QUEUED, NULL);
	take(&lock, LP_LOCK_QUEUED);
	start(&w[0], 1, LP_LOCK_QUEUED, waiter_main);
	wait_until(pending(&lock) == 1);
	start(&w[1], 2, LP_LOCK_QUEUED, stale_main);
	wait_until(tail(&lock) == tail_of(2, 0));
	assert_int_equal(pending(&lock), 1);
	release(&lock, LP_LOCK_QUEUED);
	join_in_order(w, 2);
}

/* Holds the lock until it gets the other one, too. */
static void *hold_main(void *waiter)
{
	struct waiter *w = waiter;

	lp_cpu_enter(w->cpu);
	spin_lock(&lock, LP_LOCK_QUEUED);
	order[arrived++] = w->cpu;
	spin_lock(&other, LP_LOCK_QUEUED);
	spin_unlock(&other, LP_LOCK_QUEUED);
	spin_unlock(&lock, LP_LOCK_QUEUED);
	return NULL;
}

static void test_a_late_waiter_takes_its_pending_bit_back(void **state)
{
	struct waiter w[3] = {0};

	spin_lock_init(&lock, LP_LOCK_QUEUED, NULL);
	spin_lock_init(&other, LP_LOCK_QUEUED, NULL);
	take(&lock, LP_LOCK_QUEUED);
	take(&other, LP_LOCK_QUEUED);
	start(&w[0], 1, LP_LOCK_QUEUED, hold_main);
	wait_until(pending(&lock) == 1);
	start(&w[1], 2, LP_LOCK_QUEUED, waiter_main);
	wait_until(tail(&lock) == tail_of(2, 0));
	release(&lock, LP_LOCK_QUEUED);
	wait_until(pending(&other) == 1); /* CPU 1 holds the lock, CPU 2 is the head of its queue */
	assert_int_equal(pending(&lock), 0);
	start(&w[2], 3, LP_LOCK_QUEUED, stale_main);
	wait_until(tail(&lock) == tail_of(3, 0));
	assert_int_equal(pending(&lock), 0);
	release(&other, LP_LOCK_QUEUED);
	join_in_order(w, 3);
}

/* ---- nested waits ---- */

static void test_a_nested_wait_takes_the_next_node(void **state)
{
	for (int nesting = 0; nesting < LP_MCS_NODES; nesting++) {
		struct waiter first = {0}, nested = {.nesting = nesting};

		assert_int_equal(fresh(NULL), 0);
		spin_lock_init(&lock, LP_LOCK_QUEUED, NULL);
		take(&lock, LP_LOCK_QUEUED);
		start(&first, 1, LP_LOCK_QUEUED, waiter_main);
		wait_until(pending(&lock) == 1);
		start(&nested, 2, LP_LOCK_QUEUED, waiter_main);
		wait_until(tail(&lock) == tail_of(2, nesting));
		release(&lock, LP_LOCK_QUEUED);
		pthread_join(first.thread, NULL);
		pthread_join(nested.thread, NULL);
		assert_int_equal(lp_cpu_table[2].mcs[0].count, nesting);
		assert_int_equal(atomic_load(&lock.queued.val), 0);
	}
}

/* It stands nowhere in the word, so it is only seen to have raised its count, then to succeed. */
static void test_a_wait_nested_too_deeply_does_without_a_node(void **state)
{
	struct waiter first = {0}, deep = {.nesting = LP_MCS_NODES};

	spin_lock_init(&lock, LP_LOCK_QUEUED, NULL);
	take(&lock, LP_LOCK_QUEUED);
	start(&first, 1, LP_LOCK_QUEUED, waiter_main);
	wait_until(pending(&lock) == 1);
	start(&deep, 2, LP_LOCK_QUEUED, waiter_main);
	usleep(20 * LOOK_US);
	assert_int_equal(tail(&lock), 0);
	release(&lock, LP_LOCK_QUEUED);
	pthread_join(first.thread, NULL);
	pthread_join(deep.thread, NULL);
	assert_int_equal(arrived, 2);
	assert_int_equal(lp_cpu_table[2].mcs[0].count, LP_MCS_NODES);
	assert_int_equal(atomic_load(&lock.queued.val), 0);
}

/* A waiter in the queue of one lock is interrupted, and the handler waits in the queue of another.
 */
static void take_other(const struct lp_irq_event *event, void *context)
{
	spin_lock(&other, LP_LOCK_QUEUED);
	*(int *)context += 1;
	spin_unlock(&other, LP_LOCK_QUEUED);
}

static void *interrupted_main(void *waiter)
{
	struct waiter *w = waiter;

	lp_irq_attach();
	/* Release: pairs with the acquire of whoever sends the interrupt. */
	atomic_store_explicit(&w->attached, true, memory_order_release);
	waiter_main(w);
	lp_irq_detach();
	return NULL;
}

static void *wait_for_other(void *waiter)
{
	struct waiter *w = waiter;

	lp_cpu_enter(w->cpu);
	spin_lock(&other, LP_LOCK_QUEUED);
	spin_unlock(&other, LP_LOCK_QUEUED);
	return NULL;
}

static void start_pending(struct lp_spinlock *l, struct waiter *w, int cpu, void *(*run)(void *))
{
	spin_lock_init(l, LP_LOCK_QUEUED, NULL);
	take(l, LP_LOCK_QUEUED);
	start(w, cpu, LP_LOCK_QUEUED, run);
	wait_until(pending(l) == 1);
}

static void test_an_interrupt_handler_waits_on_a_node_of_its_own(void **state)
{
	struct waiter first = {0}, first_of_other = {0}, interrupted = {0};
	int handled = 0;

	if (LP_TSAN) {
		print_message("TSan lets no signal into a loop that calls nothing\n");
		skip();
	}
	lp_irq_block();
	assert_int_equal(lp_irq_register(0, take_other, &handled, NULL), 0);
	start_pending(&lock, &first, 1, waiter_main);
	start_pending(&other, &first_of_other, 3, wait_for_other);
	start(&interrupted, 2, LP_LOCK_QUEUED, interrupted_main);
	wait_until(tail(&lock) == tail_of(2, 0));
	assert_int_equal(lp_irq_send(interrupted.thread, 0, NULL), 0);
	wait_until(tail(&other) == tail_of(2, 1));
	release(&lock, LP_LOCK_QUEUED); /* its turn comes while the handler still waits */
	wait_until(pending(&lock) == 0);
	assert_int_equal(tail(&lock), tail_of(2, 0));
	release(&other, LP_LOCK_QUEUED);
	pthread_join(interrupted.thread, NULL);
	pthread_join(first_of_other.thread, NULL);
	pthread_join(first.thread, NULL);
	assert_int_equal(handled, 1);
	assert_int_equal(order[0], 1);
	assert_int_equal(order[1], 2);
	assert_int_equal(lp_cpu_table[2].mcs[0].count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_tickets_are_served_in_order, fresh),
		cmocka_unit_test_setup(test_waiters_of_the_queue_are_served_in_order, fresh),
		cmocka_unit_test_setup(
			test_so_are_observed_ones_and_all_but_the_holder_contend, fresh),
		cmocka_unit_test_setup(test_a_late_waiter_leaves_the_pending_bit_of_another, fresh),
		cmocka_unit_test_setup(test_a_late_waiter_takes_its_pending_bit_back, fresh),
		cmocka_unit_test_setup(test_a_nested_wait_takes_the_next_node, fresh),
		cmocka_unit_test_setup(test_a_wait_nested_too_deeply_does_without_a_node, fresh),
		cmocka_unit_test_setup(test_an_interrupt_handler_waits_on_a_node_of_its_own, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
