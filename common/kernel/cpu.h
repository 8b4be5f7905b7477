/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs of one run: numbered from 0, each played by one pinned thread, or all of them by one
 * thread in exact mode, which then moves from CPU to CPU with lp_cpu_enter().
 */
#ifndef LP_KERNEL_CPU_H
#define LP_KERNEL_CPU_H

#include "common/compiler.h"
#include "common/error.h"
#include "common/kernel/vm_event.h"

enum { LP_MCS_NODES = 4 }; /* task, softirq, hardirq, nmi: kernel/locking/qspinlock.c, 4.2 on */

/* What a queued spinlock can name: 14 bits of CPU number + 1. */
enum { LP_CPUS_MAX = (1 << 14) - 1 };

/* A waiter of the queued spinlock, on its own line so that it spins locally. */
struct lp_mcs_node {
	_Atomic(struct lp_mcs_node *) next;
	_Atomic int locked; /* set to 1 by the predecessor at hand-over */
	int count;	    /* nodes in use on this CPU; only meaningful in node 0 */
} LP_ALIGNED(LP_CACHE_LINE);

struct lp_cpu {
	struct lp_mcs_node mcs[LP_MCS_NODES];
	unsigned long vm_events[LP_VM_EVENTS] LP_ALIGNED(LP_CACHE_PAIR);
	int preempt_count LP_ALIGNED(LP_CACHE_PAIR);
	int id;
} LP_ALIGNED(LP_CACHE_PAIR);

/* All CPUs of the run; written by lp_cpus_init() before any thread runs. */
extern struct lp_cpu *lp_cpu_table;
extern int lp_cpu_count;

extern _Thread_local struct lp_cpu *lp_this_cpu __attribute__((tls_model("initial-exec")));

/** lp_cpus_init() - make CPUs 0..@count-1 (at most LP_CPUS_MAX) with zeroed state and enter CPU 0
 * on this thread. Calling it again starts afresh. Return: 0, or -errno with @err set. */
int lp_cpus_init(int count, struct lp_error *err);

/** lp_cpu_enter() - from now on this thread plays CPU @id (0..lp_cpu_count-1). */
static inline void lp_cpu_enter(int id)
{
	lp_this_cpu = &lp_cpu_table[id];
}

/** smp_processor_id() - the CPU of the run that this thread plays. */
static LP_ALWAYS_INLINE int smp_processor_id(void)
{
	return lp_this_cpu->id;
}

/* No thread of a run shares a CPU with another one, so preemption off only has its cost. */
static LP_ALWAYS_INLINE void preempt_disable(void)
{
	lp_this_cpu->preempt_count++;
	barrier();
}

static LP_ALWAYS_INLINE void preempt_enable(void)
{
	barrier();
	lp_this_cpu->preempt_count--;
}

/** count_vm_events() - add @n to this CPU's counter of @event: no atomic, no sharing. */
static LP_ALWAYS_INLINE void count_vm_events(enum lp_vm_event event, unsigned long n)
{
	lp_this_cpu->vm_events[event] += n;
}

static LP_ALWAYS_INLINE void count_vm_event(enum lp_vm_event event)
{
	count_vm_events(event, 1);
}

/** lp_vm_events_sum() - the sum of @event over all CPUs; exact only while no thread counts. */
unsigned long lp_vm_events_sum(enum lp_vm_event event);

#endif
