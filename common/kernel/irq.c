// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The signal side of the software interrupt mask; irq.h explains the scheme.
 *
 * Why no atomic is needed: head and tail are only touched by the thread itself and by a signal
 * handler on that same thread, which runs to its end before the thread goes on. The handler blocks
 * every interrupt signal while it runs (sa_mask), so that a storm cannot pile frames on the stack.
 */
#include "common/kernel/irq.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "common/kernel/irq_poll.h"
#include "common/measure/clock.h"

_Thread_local struct lp_irq_state lp_irq __attribute__((tls_model("initial-exec")));

static struct {
	lp_irq_handler handler;
	void *context;
} vectors[LP_IRQ_VECTORS];

static void interrupt_set(sigset_t *set)
{
	sigemptyset(set);
	for (unsigned v = 0; v < LP_IRQ_VECTORS; v++)
		sigaddset(set, SIGRTMIN + (int)v);
}

int lp_irq_signal(unsigned vector)
{
	return SIGRTMIN + (int)vector;
}

static void run_one(const struct lp_irq_event *event)
{
	lp_irq.run++;
	vectors[event->vector].handler(event, vectors[event->vector].context);
}

/*
 * Runs everything on record, handlers with interrupts off, and leaves interrupts on. The mask goes
 * up before the record is read: otherwise a signal in between would run the same entry twice. One
 * that arrives after the inner loop's last look is found by the outer one.
 */
static void work_off(void)
{
	while (lp_irq.head != lp_irq.tail) {
		local_irq_disable();
		while (lp_irq.head != lp_irq.tail) {
			struct lp_irq_event event = lp_irq.record[lp_irq.tail % LP_IRQ_RECORDS];

			lp_irq.tail++;
			run_one(&event);
		}
		barrier();
		lp_irq.off = 0;
		barrier();
	}
}

/* The kernel delivers what it has queued before this returns. */
void lp_irq_unblock(void)
{
	sigset_t set;

	interrupt_set(&set);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

LP_NOINLINE void lp_irq_run_pending(void)
{
	work_off();
	if (!lp_irq.queue_blocked)
		return;
	lp_irq.queue_blocked = 0;
	lp_irq_unblock();
}

static void block_in_context(ucontext_t *uc)
{
	for (unsigned v = 0; v < LP_IRQ_VECTORS; v++)
		sigaddset(&uc->uc_sigmask, SIGRTMIN + (int)v);
	lp_irq.queue_blocked = 1;
}

static void on_signal(int signo, siginfo_t *info, void *context)
{
	int saved_errno = errno;
	/* Before the record is touched: ThreadSanitizer's runtime may handle another signal, which
	 * it has kept back, inside a library call. */
	uint64_t arrival_ns = lp_clock_ns();
	struct lp_irq_event *slot = &lp_irq.record[lp_irq.head % LP_IRQ_RECORDS];

	slot->vector = (unsigned)(signo - SIGRTMIN);
	slot->arg = info->si_value.sival_ptr;
	slot->arrival_ns = arrival_ns;
	lp_irq.head++;
	if (!lp_irq.off) {
		work_off();
	} else {
		lp_irq.deferred++;
		if (lp_irq.head - lp_irq.tail == LP_IRQ_RECORDS)
			block_in_context(context);
	}
	errno = saved_errno;
}

int lp_irq_register(unsigned vector, lp_irq_handler handler, void *context, struct lp_error *err)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};

	if (vector >= LP_IRQ_VECTORS)
		return lp_fail(err, EINVAL, "interrupt vector %u: only 0 to %d exist", vector,
			LP_IRQ_VECTORS - 1);
	vectors[vector].handler = handler;
	vectors[vector].context = context;
	interrupt_set(&action.sa_mask);
	if (sigaction(SIGRTMIN + (int)vector, &action, NULL))
		return lp_fail(err, errno, "sigaction for interrupt vector %u: %s", vector,
			strerror(errno));
	return 0;
}

void lp_irq_block(void)
{
	sigset_t set;

	interrupt_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void lp_irq_attach(void)
{
	memset(&lp_irq, 0, sizeof(lp_irq));
	/* TSan makes its record of a thread's signals in the first such call, and would lose one
	 * that came meanwhile. */
	lp_irq_poll();
	lp_irq.attached = 1;
	lp_irq_unblock();
}

void lp_irq_detach(void)
{
	local_irq_enable();
	lp_irq.attached = 0;
	lp_irq_block();
	work_off();
}

int lp_irq_send(pthread_t thread, unsigned vector, void *arg)
{
	union sigval value = {.sival_ptr = arg};

	return -pthread_sigqueue(thread, SIGRTMIN + (int)vector, value);
}
