// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupting another thread: a record that is full, a thread that is not attached yet, and the
 * wait for a lock, which holds interrupts off or not, as each kind of lock should.
 *
 * Nothing here rests on a delay: what the kernel shows of a thread in /proc, and a lock of its
 * waiters, says when the next step may come.
 */
#include "tests/unit/irq_log.h"

#include <semaphore.h>
#include <stdio.h>

static int block(void **state)
{
	memset(&handled, 0, sizeof(handled));
	lp_irq_block();
	for (unsigned v = 0; v < LP_IRQ_VECTORS; v++)
		if (lp_irq_register(v, log_event, NULL, NULL))
			return -1;
	return lp_cpus_init(2, NULL);
}

/* ---- a thread to interrupt ---- */

struct victim {
	pthread_t thread;
	sem_t go;
	_Atomic int tid; /* release: about to sleep, interrupts off */
	lp_lock_flavour flavour;
	struct lp_irq_state *state;
	uint64_t deferred, run;
	bool was_blocked, is_blocked, was_masked;
};

/* The rest of the line @key of the thread's status in /proc, without blanks before it. */
static void thread_status(int tid, const char *key, char value[64])
{
	char path[64], line[256];
	FILE *f;

	value[0] = '\0';
	snprintf(path, sizeof(path), "/proc/self/task/%d/status", tid);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			sscanf(line + strlen(key), " %63s", value);
	fclose(f);
}

static bool asleep(int tid)
{
	char value[64];

	thread_status(tid, "State:", value);
	return value[0] == 'S';
}

/* Whether the kernel still keeps a signal for the thread: 64 bits in hexadecimal. */
static bool signals_wait(int tid)
{
	char value[64];

	thread_status(tid, "SigPnd:", value);
	return strspn(value, "0") != strlen(value);
}

/* One wait, which signal handlers restart: TSan delivers at once to a thread that is in it. */
static void sleep_through_signals(struct victim *v)
{
	/* Release: pairs with the acquire of the sender. */
	atomic_store_explicit(&v->tid, gettid(), memory_order_release);
	sem_wait(&v->go);
}

static void *overflow_main(void *victim)
{
	struct victim *v = victim;
	unsigned long flags;

	lp_cpu_enter(1);
	lp_irq_attach();
	flags = local_irq_save();
	sleep_through_signals(v);
	v->deferred = lp_irq.deferred;
	v->was_blocked = lp_irq.queue_blocked;
	local_irq_restore(flags);
	lp_irq_poll();
	v->is_blocked = lp_irq.queue_blocked;
	lp_irq_detach();
	v->run = lp_irq.run;
	return NULL;
}

/* One more of each vector than the record holds: TSan can keep one of each, the kernel any number.
 */
static void test_what_the_record_cannot_hold_is_kept_by_the_kernel(void **state)
{
	enum { SENT = LP_IRQ_RECORDS + LP_IRQ_VECTORS };
	struct victim v = {0};

	assert_int_equal(sem_init(&v.go, 0, 0), 0);
	assert_int_equal(pthread_create(&v.thread, NULL, overflow_main, &v), 0);
	/* Acquire: pairs with the release in sleep_through_signals(). */
	wait_until(atomic_load_explicit(&v.tid, memory_order_acquire));
	wait_until(asleep(v.tid));
	for (uintptr_t i = 0; i < SENT; i++) {
		assert_int_equal(lp_irq_send(v.thread, i % LP_IRQ_VECTORS, (void *)i), 0);
		/* Signals that wait together come lowest first; one at a time keeps the order. */
		if (i < LP_IRQ_RECORDS)
			wait_until(!signals_wait(v.tid));
	}
	assert_true(signals_wait(v.tid));
	sem_post(&v.go);
	pthread_join(v.thread, NULL);
	assert_int_equal(v.deferred, LP_IRQ_RECORDS);
	assert_true(v.was_blocked);
	assert_false(v.is_blocked);
	assert_int_equal(v.run, SENT);
	expect_order(SENT);
	sem_destroy(&v.go);
}

static struct lp_spinlock lock;

static LP_ALWAYS_INLINE void irqsave_(struct lp_spinlock *l, lp_lock_flavour f)
{
	spin_unlock_irqrestore(l, spin_lock_irqsave(l, f), f);
}

static LP_ALWAYS_INLINE void irq_(struct lp_spinlock *l, lp_lock_flavour f)
{
	spin_lock_irq(l, f);
	spin_unlock_irq(l, f);
}

static void *irqsave_main(void *victim)
{
	struct victim *v = victim;

	lp_cpu_enter(1);
	lp_irq_attach();
	v->state = &lp_irq;
	LP_FOR_FLAVOUR(v->flavour, irqsave_, &lock);
	lp_irq_poll();
	lp_irq_detach();
	v->run = lp_irq.run;
	return NULL;
}

static void *irq_main(void *victim)
{
	struct victim *v = victim;

	lp_cpu_enter(1);
	lp_irq_attach();
	v->state = &lp_irq;
	LP_FOR_FLAVOUR(v->flavour, irq_, &lock);
	lp_irq_poll();
	lp_irq_detach();
	v->run = lp_irq.run;
	return NULL;
}

static _Atomic int taken; /* release: handlers run on the victim, acquire: here */

static void count_event(const struct lp_irq_event *event, void *context)
{
	log_event(event, context);
	atomic_fetch_add_explicit(&taken, 1, memory_order_release);
}

static int interrupts_taken(void)
{
	return atomic_load_explicit(&taken, memory_order_acquire);
}

/* A thread that waits for the lock, which this one holds. */
static void start_waiting(struct victim *v, lp_lock_flavour f, void *(*run)(void *victim))
{
	memset(&handled, 0, sizeof(handled));
	atomic_store(&taken, 0);
	assert_int_equal(lp_irq_register(0, count_event, NULL, NULL), 0);
	spin_lock_init(&lock, f, NULL);
	take(&lock, f);
	v->flavour = f;
	assert_int_equal(pthread_create(&v->thread, NULL, run, v), 0);
	wait_until(has_waiter(&lock, f));
}

static void test_the_unfair_lock_lets_interrupts_in_while_it_spins(void **state)
{
	struct victim v = {0};

	start_waiting(&v, LP_LOCK_UNFAIR, irqsave_main);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(lp_irq_send(v.thread, 0, (void *)(uintptr_t)i), 0);
		wait_until(interrupts_taken() == i + 1);
	}
	assert_true(has_waiter(&lock, LP_LOCK_UNFAIR));
	release(&lock, LP_LOCK_UNFAIR);
	pthread_join(v.thread, NULL);
	expect_order(3);
}

/* Whether @v's handler has recorded a signal. Outside of TSan only: it may not be read from here.
 */
static bool recorded(const struct victim *v)
{
	return LP_TSAN || v->state->head > 0;
}

/* Return: whether the mask was still up after the lock. */
static bool check_wait_holds_off(lp_lock_flavour f, void *(*run)(void *victim))
{
	struct victim v = {0};
	uint64_t release_ns;

	start_waiting(&v, f, run);
	assert_int_equal(lp_irq_send(v.thread, 0, NULL), 0);
	wait_until(recorded(&v));
	usleep(20 * LOOK_US);
	assert_int_equal(interrupts_taken(), 0);
	release_ns = lp_clock_ns();
	release(&lock, f);
	pthread_join(v.thread, NULL);
	expect_order(1);
	assert_true(handled.run_ns[0] >= release_ns);
	assert_int_equal(v.run, 1);
	/* TSan lets the signal in only after the wait. */
	assert_true(LP_TSAN || handled.event[0].arrival_ns <= release_ns);
	return v.was_masked;
}

static void test_the_fair_locks_hold_interrupts_off_while_they_spin(void **state)
{
	check_wait_holds_off(LP_LOCK_TICKET, irqsave_main);
	check_wait_holds_off(LP_LOCK_QUEUED, irqsave_main);
}

static void test_spin_lock_irq_holds_interrupts_off_whatever_the_lock(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++)
		check_wait_holds_off(kinds[k], irq_main);
}

/* If interrupts were off already, not even the unfair lock turns them on. */
static void *masked_irqsave_main(void *victim)
{
	struct victim *v = victim;
	unsigned long flags;

	lp_cpu_enter(1);
	lp_irq_attach();
	v->state = &lp_irq;
	flags = local_irq_save();
	LP_FOR_FLAVOUR(v->flavour, irqsave_, &lock);
	v->was_masked = irqs_disabled();
	local_irq_restore(flags);
	lp_irq_poll();
	lp_irq_detach();
	v->run = lp_irq.run;
	return NULL;
}

static void test_irqsave_under_a_mask_leaves_it_up(void **state)
{
	for (int k = 0; k < LP_LOCK_KINDS; k++)
		assert_true(check_wait_holds_off(kinds[k], masked_irqsave_main));
}

/* ---- threads and masks ---- */

static void *late_main(void *victim)
{
	struct victim *v = victim;

	sleep_through_signals(v);
	v->deferred = (uint64_t)handled.n;
	lp_irq_attach();
	lp_irq_poll();
	lp_irq_detach();
	v->run = lp_irq.run;
	return NULL;
}

static void test_a_blocked_thread_takes_them_once_it_attaches(void **state)
{
	struct victim v = {0};

	assert_int_equal(sem_init(&v.go, 0, 0), 0);
	assert_int_equal(pthread_create(&v.thread, NULL, late_main, &v), 0);
	assert_int_equal(lp_irq_send(v.thread, 2, (void *)0), 0);
	assert_int_equal(lp_irq_send(v.thread, 3, (void *)1), 0);
	/* Acquire: pairs with the release in sleep_through_signals(). */
	wait_until(atomic_load_explicit(&v.tid, memory_order_acquire));
	assert_true(signals_wait(v.tid));
	sem_post(&v.go);
	pthread_join(v.thread, NULL);
	assert_int_equal(v.deferred, 0);
	expect_order(2);
	assert_int_equal(v.run, 2);
	sem_destroy(&v.go);
}

#define irq_test(name) cmocka_unit_test_setup(name, block)

int main(void)
{
	const struct CMUnitTest tests[] = {
		irq_test(test_what_the_record_cannot_hold_is_kept_by_the_kernel),
		irq_test(test_the_unfair_lock_lets_interrupts_in_while_it_spins),
		irq_test(test_the_fair_locks_hold_interrupts_off_while_they_spin),
		irq_test(test_spin_lock_irq_holds_interrupts_off_whatever_the_lock),
		irq_test(test_irqsave_under_a_mask_leaves_it_up),
		irq_test(test_a_blocked_thread_takes_them_once_it_attaches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
