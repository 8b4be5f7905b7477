// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The software interrupt mask under a storm of signals: several senders at once, thousands of
 * signals, while the interrupted thread puts the mask up and down. None is lost, none runs under
 * the mask, each sender's come in order, and now and then more arrive than the record holds.
 *
 * The interrupted thread may only be fooled by itself: it notes in a thread-local when it believes
 * to be alone, and the handler looks at that.
 */
#include "tests/unit/lock_threads.h"

#include <errno.h>

#include "common/kernel/irq_poll.h"

enum {
	SENDERS = 4,
	VECTORS_EACH = LP_IRQ_VECTORS / SENDERS,
	EACH = LP_TSAN ? 500 : 5000,
	BURST = 8, /* signals between two pauses, which leave the victim some time for itself */
	/* Of each vector: one sender alone can fill the record. TSan keeps one signal of a number,
	 * so there the one before it must have been run. */
	IN_FLIGHT = LP_TSAN ? 1 : LP_IRQ_RECORDS,
	FULL_EVERY = 50, /* sections between two that last until the record is full */
	FULL_WITHIN_NS = 100000000,
};

struct sender {
	pthread_t thread, victim;
	unsigned id;
	unsigned long failed;
};

static struct {
	/* Of each vector, what has been run; release: the victim's handler, acquire: its sender. */
	_Atomic unsigned seen[LP_IRQ_VECTORS];
	unsigned long under_mask, out_of_order, before_arrival, nested, mask_down;
} result;

static _Atomic bool over; /* relaxed: the senders are to end, come what may */
static _Thread_local volatile int alone, in_handler;

static void handle(const struct lp_irq_event *event, void *context)
{
	_Atomic unsigned *seen = &result.seen[event->vector];
	unsigned expected = atomic_load_explicit(seen, memory_order_relaxed);

	result.under_mask += alone != 0;
	result.nested += in_handler != 0;
	in_handler = 1;
	result.mask_down += !irqs_disabled();
	result.out_of_order += (uintptr_t)event->arg != expected;
	result.before_arrival += lp_clock_ns() < event->arrival_ns;
	in_handler = 0;
	atomic_store_explicit(seen, expected + 1, memory_order_release);
}

static unsigned seen_of(unsigned vector)
{
	return atomic_load_explicit(&result.seen[vector], memory_order_acquire);
}

static void wait_for_room(unsigned vector, unsigned sent)
{
	while (sent - seen_of(vector) >= IN_FLIGHT &&
		!atomic_load_explicit(&over, memory_order_relaxed))
		usleep(10);
}

static int send_one(struct sender *s, unsigned vector, unsigned number)
{
	int rc;

	wait_for_room(vector, number);
	while ((rc = lp_irq_send(s->victim, vector, (void *)(uintptr_t)number)) == -EAGAIN)
		usleep(100);
	return rc;
}

static void *send_all(void *sender)
{
	struct sender *s = sender;

	for (unsigned i = 0; i < EACH; i++) {
		for (unsigned v = 0; v < VECTORS_EACH; v++)
			s->failed += send_one(s, s->id * VECTORS_EACH + v, i) != 0;
		if (i % (BURST / VECTORS_EACH) == 0)
			usleep(1);
	}
	return NULL;
}

static unsigned long all_seen(void)
{
	unsigned long sum = 0;

	for (unsigned v = 0; v < LP_IRQ_VECTORS; v++)
		sum += seen_of(v);
	return sum;
}

/* Interrupts off, twice, for about @loops; with @until_full until the kernel keeps the rest.
 * Return: whether it came to that. */
static bool masked_section(unsigned loops, bool until_full)
{
	unsigned long outer = local_irq_save(), inner;
	uint64_t give_up_ns = lp_clock_ns() + FULL_WITHIN_NS;
	bool full;

	alone = 1;
	for (unsigned i = 0; i < loops; i++) {
		inner = local_irq_save();
		lp_irq_poll();
		local_irq_restore(inner);
	}
	while (until_full && !lp_irq.queue_blocked && lp_clock_ns() < give_up_ns)
		lp_irq_poll();
	full = lp_irq.queue_blocked;
	alone = 0;
	local_irq_restore(outer);
	return full;
}

static void open_section(unsigned loops)
{
	for (unsigned i = 0; i < loops; i++) {
		barrier();
		lp_irq_poll();
	}
}

struct weather {
	unsigned long sections, full, deferred, run;
};

/* Until @total have been run, or none came for a long time. */
static struct weather weather_storm(unsigned long total)
{
	struct weather w = {0};
	uint64_t give_up_ns = lp_clock_ns() + SEEN_WITHIN_S * LP_NS_PER_S;

	while (all_seen() < total && lp_clock_ns() < give_up_ns) {
		bool until_full = ++w.sections % FULL_EVERY == 0 && !LP_TSAN;

		w.full += masked_section(1 + w.sections % 13, until_full);
		open_section(w.sections % 7);
	}
	w.deferred = lp_irq.deferred;
	w.run = lp_irq.run;
	return w;
}

static void test_none_is_lost_and_none_runs_under_the_mask(void **state)
{
	unsigned long total = SENDERS * VECTORS_EACH * EACH;
	struct sender s[SENDERS];
	struct weather w;

	lp_irq_block(); /* the senders inherit it */
	for (unsigned v = 0; v < LP_IRQ_VECTORS; v++)
		assert_int_equal(lp_irq_register(v, handle, NULL, NULL), 0);
	for (unsigned i = 0; i < SENDERS; i++) {
		s[i] = (struct sender){.id = i, .victim = pthread_self()};
		assert_int_equal(pthread_create(&s[i].thread, NULL, send_all, &s[i]), 0);
	}
	lp_irq_attach();
	w = weather_storm(total);
	atomic_store_explicit(&over, true, memory_order_relaxed);
	for (unsigned i = 0; i < SENDERS; i++) {
		pthread_join(s[i].thread, NULL);
		assert_int_equal(s[i].failed, 0);
	}
	lp_irq_detach();
	print_message("%lu interrupts, %lu held off, in %lu sections, %lu of them until full\n",
		w.run, w.deferred, w.sections, w.full);
	assert_int_equal(all_seen(), total);
	assert_int_equal(w.run, total);
	assert_int_equal(result.under_mask, 0);
	assert_int_equal(result.out_of_order, 0);
	assert_int_equal(result.before_arrival, 0);
	assert_int_equal(result.nested, 0);
	assert_int_equal(result.mask_down, 0);
	assert_true(w.deferred > 0);
	/* TSan's senders wait for each other's answers and cannot fill the record. */
	assert_true(LP_TSAN || w.full > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none_is_lost_and_none_runs_under_the_mask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
