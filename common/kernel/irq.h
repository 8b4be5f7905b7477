/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Software interrupt mask with real signals as interrupts.
 *
 * An interrupt is a real-time signal sent to a pinned thread, which stands for a CPU: it stops
 * whatever that thread does, as a hardware interrupt stops a CPU. local_irq_save() cannot afford
 * a signal mask (two system calls), so it sets a thread-local flag; a signal that arrives while
 * the flag is set is only recorded, with its time, and local_irq_restore() runs it. The time
 * between arrival and run is the *hold-off*, the latency that a lock held with interrupts off
 * inflicts on everybody else.
 *
 * A recorded interrupt is never dropped: when the record of a thread is full, its handler blocks
 * further interrupt signals in the interrupted context, and the kernel queues them until the
 * record has been worked off. Handlers run with the flag set, one at a time, in order of arrival.
 *
 * What would invalidate it: a handler that waits for another interrupt on its own thread (it
 * would wait for ever, as in the kernel). The kernel keeps an interrupt that arrives while a
 * handler runs in signal context, or while the record is full; it is stamped only when it is let
 * through.
 */
#ifndef LP_KERNEL_IRQ_H
#define LP_KERNEL_IRQ_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/error.h"

enum {
	LP_IRQ_VECTORS = 8,  /* vector v is the signal SIGRTMIN + v */
	LP_IRQ_RECORDS = 64, /* recorded interrupts per thread before the kernel queues them */
};

struct lp_irq_event {
	unsigned vector;
	void *arg;	     /* what the sender passed */
	uint64_t arrival_ns; /* lp_clock_ns() in the signal handler */
};

/**
 * typedef lp_irq_handler - what a vector runs, with interrupts off, on the interrupted thread.
 *
 * May take locks that are only ever taken with interrupts off; must not allocate memory.
 */
typedef void (*lp_irq_handler)(const struct lp_irq_event *event, void *context);

struct lp_irq_state {
	volatile int off;	    /* the mask: 1 while interrupts are off on this thread */
	volatile unsigned head;	    /* records written; only the signal handler moves it */
	volatile unsigned tail;	    /* records taken; only lp_irq_run_pending() moves it */
	volatile int queue_blocked; /* the record was full: signals are blocked in the kernel */
	int attached;		    /* between lp_irq_attach() and lp_irq_detach() */
	uint64_t deferred;	    /* arrived while off */
	uint64_t run;		    /* handlers run, in all */
	struct lp_irq_event record[LP_IRQ_RECORDS];
};

/* initial-exec: one instruction off the thread pointer, no call in a hot path. */
extern _Thread_local struct lp_irq_state lp_irq __attribute__((tls_model("initial-exec")));

/** lp_irq_register() - set the handler of @vector (0..LP_IRQ_VECTORS-1) for the whole process.
 *
 * Call it before any interrupt of that vector can arrive. Return: 0, or -errno with @err set. */
int lp_irq_register(unsigned vector, lp_irq_handler handler, void *context, struct lp_error *err);

/** lp_irq_block() - no interrupt signal reaches this thread, or threads it creates from now on,
 * until they call lp_irq_attach(). For the threads that stand for no CPU. */
void lp_irq_block(void);

/** lp_irq_attach() - let this thread receive interrupts; resets its state. */
void lp_irq_attach(void);

/** lp_irq_detach() - handle what is pending, then receive no more. */
void lp_irq_detach(void);

/** lp_irq_unblock() - let the interrupt signals of this thread through. Internal. */
void lp_irq_unblock(void);

/** lp_irq_send() - interrupt @thread on @vector. Return: 0, or -errno (EAGAIN: the limit
 * RLIMIT_SIGPENDING is reached). Safe in a handler. */
int lp_irq_send(pthread_t thread, unsigned vector, void *arg);

/** lp_irq_signal() - the signal number of @vector, for timers that interrupt a thread directly. */
int lp_irq_signal(unsigned vector);

/** lp_irq_run_pending() - work off the record; called by local_irq_restore(). */
LP_NOINLINE void lp_irq_run_pending(void);

/** irqs_disabled() - whether interrupts are off on this thread. */
static LP_ALWAYS_INLINE bool irqs_disabled(void)
{
	return lp_irq.off;
}

/** local_irq_disable() - interrupts off, whatever they were. */
static LP_ALWAYS_INLINE void local_irq_disable(void)
{
	lp_irq.off = 1;
	barrier();
}

/** local_irq_enable() - interrupts on; runs those that were held off. */
static LP_ALWAYS_INLINE void local_irq_enable(void)
{
	barrier();
	lp_irq.off = 0;
	barrier();
	if (unlikely(lp_irq.head != lp_irq.tail))
		lp_irq_run_pending();
}

/** local_irq_save() - interrupts off. Return: the state to give to local_irq_restore(). */
static LP_ALWAYS_INLINE unsigned long local_irq_save(void)
{
	unsigned long flags = (unsigned long)lp_irq.off;

	local_irq_disable();
	return flags;
}

/** local_irq_restore() - back to @flags; runs held-off interrupts if that turns them on. */
static LP_ALWAYS_INLINE void local_irq_restore(unsigned long flags)
{
	if (likely(!flags))
		local_irq_enable();
}

#endif
