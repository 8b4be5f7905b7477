/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handler that writes down what it was given, for tests in which one thread is interrupted.
 */
#ifndef LP_TESTS_IRQ_LOG_H
#define LP_TESTS_IRQ_LOG_H

#include "tests/unit/lock_threads.h"

#include <errno.h>

#include "common/kernel/irq_poll.h"

enum { LOG = 256 };

static struct {
	struct lp_irq_event event[LOG];
	uint64_t run_ns[LOG];
	int n, depth, deepest, mask_down;
} handled;

static void log_event(const struct lp_irq_event *event, void *context)
{
	handled.depth++;
	if (handled.depth > handled.deepest)
		handled.deepest = handled.depth;
	handled.mask_down += !irqs_disabled();
	if (handled.n < LOG) {
		handled.event[handled.n] = *event;
		handled.run_ns[handled.n] = lp_clock_ns();
	}
	handled.n++;
	errno = EXDEV; /* whatever a handler does to it */
	handled.depth--;
}

/* @n interrupts were handled, one at a time, with interrupts off, and their arguments count up. */
static inline void expect_order(int n)
{
	assert_int_equal(handled.n, n);
	for (int i = 0; i < n; i++) {
		assert_int_equal((uintptr_t)handled.event[i].arg, i);
		assert_true(handled.event[i].arrival_ns > 0);
		assert_true(handled.event[i].arrival_ns <= handled.run_ns[i]);
	}
	assert_int_equal(handled.mask_down, 0);
	assert_true(handled.deepest <= 1);
}

#endif
