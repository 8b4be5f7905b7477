/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lp_irq_poll(): where a loop that calls nothing lets interrupts in under ThreadSanitizer.
 *
 * TSan holds a signal back until the thread enters a library function that it intercepts, so a
 * loop of pure computation would never be interrupted. And when a signal arrives just as it starts
 * to hand over others, whose handlers enter such a function too, it saves its own full signal mask
 * over the thread's and leaves every signal blocked (seen with GCC 12). In every other build this
 * is nothing.
 */
#ifndef LP_KERNEL_IRQ_POLL_H
#define LP_KERNEL_IRQ_POLL_H

#include "common/kernel/irq.h"
#include "common/tsan.h"

#if LP_TSAN
#include <unistd.h>
static inline void lp_irq_poll(void)
{
	usleep(0);
	/* Never in a handler: it has interrupts off. */
	if (lp_irq.attached && !lp_irq.off && !lp_irq.queue_blocked)
		lp_irq_unblock();
}
#else
static inline void lp_irq_poll(void)
{
}
#endif

#endif
