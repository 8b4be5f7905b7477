/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lp_irq_poll(): where a loop that calls nothing lets interrupts in under ThreadSanitizer.
 *
 * TSan holds a signal back until the thread enters a library function that it intercepts, so a
 * loop of pure computation would never be interrupted. In every other build this is nothing.
 */
#ifndef LP_KERNEL_IRQ_POLL_H
#define LP_KERNEL_IRQ_POLL_H

#include "common/tsan.h"

#if LP_TSAN
#include <unistd.h>
static inline void lp_irq_poll(void)
{
	usleep(0);
}
#else
static inline void lp_irq_poll(void)
{
}
#endif

#endif
