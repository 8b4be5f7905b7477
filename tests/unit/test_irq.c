// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The software interrupt mask, one step at a time: what arrives while the mask is up is kept in
 * order and run when it comes down, nothing else is; a full record is kept by the kernel; each kind
 * of lock holds interrupts off as it should. test_irq_storm.c has the same under load.
 *
 * Signals are sent from the thread itself where possible: they have arrived when the call returns
 * (under TSan, when the poll after it does).
 */
#include "tests/unit/irq_log.h"

#include <sys/resource.h>

static void send_self(unsigned vector, uintptr_t arg)
{
	assert_int_equal(lp_irq_send(pthread_self(), vector, (void *)arg), 0);
	lp_irq_poll();
}

static int attach(void **state)
{
	memset(&handled, 0, sizeof(handled));
	lp_irq_block();
	for (unsigned v = 0; v < LP_IRQ_VECTORS; v++)
		if (lp_irq_register(v, log_event, NULL, NULL))
			return -1;
	lp_irq_attach();
	return lp_cpus_init(2, NULL);
}

static int detach(void **state)
{
	lp_irq_detach();
	return 0;
}

/* ---- one thread ---- */

static void test_a_vector_that_does_not_exist_is_refused(void **state)
{
	struct lp_error err = {0};

	assert_int_equal(lp_irq_register(LP_IRQ_VECTORS, log_event, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.message, "only 0 to 7 exist"));
}

static void test_with_the_mask_down_it_runs_at_once(void **state)
{
	assert_false(irqs_disabled());
	for (unsigned v = 0; v < LP_IRQ_VECTORS; v++) {
		send_self(v, v);
		assert_int_equal(handled.n, v + 1);
		assert_int_equal(handled.event[v].vector, v);
	}
	expect_order(LP_IRQ_VECTORS);
	assert_int_equal(lp_irq.run, LP_IRQ_VECTORS);
	assert_int_equal(lp_irq.deferred, 0);
	assert_false(irqs_disabled());
}

static void test_with_the_mask_up_it_waits_for_the_restore(void **state)
{
	unsigned long flags = local_irq_save();
	uint64_t restore_ns;

	assert_true(irqs_disabled());
	for (unsigned i = 0; i < 10; i++)
		send_self(i % 3, i);
	assert_int_equal(handled.n, 0);
	restore_ns = lp_clock_ns();
	local_irq_restore(flags);
	assert_false(irqs_disabled());
	expect_order(10);
	for (int i = 0; i < 10; i++) {
		assert_true(handled.event[i].arrival_ns <= restore_ns);
		assert_true(handled.run_ns[i] >= restore_ns);
		assert_int_equal(handled.event[i].vector, i % 3);
	}
	assert_int_equal(lp_irq.deferred, 10);
	assert_int_equal(lp_irq.run, 10);
}

static void test_only_the_outermost_restore_lets_them_run(void **state)
{
	unsigned long outer = local_irq_save(), inner, innermost;

	send_self(0, 0);
	inner = local_irq_save();
	send_self(0, 1);
	innermost = local_irq_save();
	local_irq_restore(innermost);
	assert_true(irqs_disabled());
	local_irq_restore(inner);
	assert_true(irqs_disabled());
	assert_int_equal(handled.n, 0);
	local_irq_restore(outer);
	assert_false(irqs_disabled());
	expect_order(2);
}

static void test_disable_and_enable_do_not_nest(void **state)
{
	local_irq_disable();
	local_irq_disable();
	send_self(0, 0);
	assert_int_equal(handled.n, 0);
	local_irq_enable();
	assert_false(irqs_disabled());
	expect_order(1);
}

static void test_restoring_with_nothing_pending_runs_nothing(void **state)
{
	local_irq_restore(local_irq_save());
	assert_int_equal(handled.n, 0);
	assert_int_equal(lp_irq.run, 0);
}

static void test_errno_survives_an_interrupt(void **state)
{
	errno = EDOM;
	assert_int_equal(lp_irq_send(pthread_self(), 0, NULL), 0);
	assert_int_equal(errno, EDOM);
}

/* A handler that interrupts its own CPU: afterwards, not inside. */
static void send_next(const struct lp_irq_event *event, void *context)
{
	uintptr_t n = (uintptr_t)event->arg;

	if (n < 5)
		lp_irq_send(pthread_self(), 0, (void *)(n + 1));
	log_event(event, NULL);
}

static void check_chain(bool mask_up)
{
	unsigned long flags = 0;

	assert_int_equal(lp_irq_register(0, send_next, NULL, NULL), 0);
	if (mask_up)
		flags = local_irq_save();
	send_self(0, 0);
	if (mask_up)
		local_irq_restore(flags);
	for (int i = 0; i < 5; i++)
		lp_irq_poll();
	expect_order(6);
}

static void test_handlers_do_not_nest(void **state)
{
	check_chain(false);
}

static void test_handlers_run_on_restore_do_not_nest(void **state)
{
	check_chain(true);
}

static void test_detaching_runs_what_is_kept_and_takes_no_more(void **state)
{
	local_irq_disable();
	send_self(1, 0);
	send_self(1, 1);
	lp_irq_detach();
	expect_order(2);
	send_self(1, 2);
	assert_int_equal(handled.n, 2);
	lp_irq_attach();
	lp_irq_poll();
	assert_int_equal(handled.n, 3);
	assert_int_equal(lp_irq.run, 1); /* attaching starts the counts afresh */
}

static void test_a_full_kernel_queue_is_an_error(void **state)
{
	struct rlimit old, none;

	assert_int_equal(getrlimit(RLIMIT_SIGPENDING, &old), 0);
	none = old;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &none), 0);
	assert_int_equal(lp_irq_send(pthread_self(), 0, NULL), -EAGAIN);
	assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &old), 0);
	assert_int_equal(handled.n, 0);
}

#define irq_test(name) cmocka_unit_test_setup_teardown(name, attach, detach)

int main(void)
{
	const struct CMUnitTest tests[] = {
		irq_test(test_a_vector_that_does_not_exist_is_refused),
		irq_test(test_with_the_mask_down_it_runs_at_once),
		irq_test(test_with_the_mask_up_it_waits_for_the_restore),
		irq_test(test_only_the_outermost_restore_lets_them_run),
		irq_test(test_disable_and_enable_do_not_nest),
		irq_test(test_restoring_with_nothing_pending_runs_nothing),
		irq_test(test_errno_survives_an_interrupt),
		irq_test(test_handlers_do_not_nest),
		irq_test(test_handlers_run_on_restore_do_not_nest),
		irq_test(test_detaching_runs_what_is_kept_and_takes_no_more),
		irq_test(test_a_full_kernel_queue_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
