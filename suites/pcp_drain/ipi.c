// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupting other CPUs to make them drain, as on_each_cpu(drain_local_pages, wait) does
 * (mm/page_alloc.c, drain_all_pages()): all are interrupted, the caller drains its own list
 * meanwhile, and waits for every answer with interrupts on.
 *
 * signal: a real-time signal to the thread of each target, whose handler honours the software
 * interrupt mask and drains in interrupt context.
 *
 * membarrier: the kernel's own function-call interrupt to every CPU that runs a thread of this
 * process (kernel/sched/membarrier.c, private expedited; with a CPU number, from 5.10 on, to that
 * one only). Its handler is the kernel's and runs nothing of ours: so the request is a word that
 * is raised first, the interrupt makes sure that every target sees it, and the target drains when
 * it next looks (pcp_poll()): after at most one batch, or at once where it waits. The interrupts
 * are real, the drain itself is not in interrupt context.
 *
 * In exact mode the player moves to each target and does what its handler would.
 */
#include "suites/pcp_drain/pcp_drain.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/kernel/irq_poll.h"
#include "common/kernel/relax.h"

static long membarrier(int command, unsigned flags, int cpu)
{
	return syscall(SYS_membarrier, command, flags, cpu);
}

const char *pcp_drain_unavailable(const struct lp_case *c, const struct lp_topology *t)
{
	long commands;

	if (c->mode == LP_MODE_EXACT || lp_case_get(c, "ipi") != PCP_IPI_MEMBARRIER)
		return NULL;
	commands = membarrier(MEMBARRIER_CMD_QUERY, 0, 0);
	if (commands < 0 || !(commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED))
		return "this kernel (or a filter of system calls) has no private expedited "
		       "membarrier, which came with 4.14";
	return NULL;
}

unsigned pcp_answer_one(struct pcp_drain *s, struct pcp_cpu *c)
{
	uint64_t from = s->exact ? 0 : lp_ticks();
	unsigned pages;

	c->n.ran_masked += c->pcp.busy;
	pages = s->algorithm->lists->drain(s, c, c);
	c->n.handled++;
	c->n.useful += pages > 0;
	c->n.interruptions++;
	if (!s->exact)
		c->n.interrupted_ticks += lp_ticks() - from;
	return pages;
}

static void on_drain(const struct lp_irq_event *event, void *context)
{
	struct pcp_drain *s = context;
	struct pcp_cpu *initiator = event->arg;
	unsigned pages = pcp_answer_one(s, s->cpu[smp_processor_id()]);

	/* Relaxed: the release below publishes it. */
	atomic_fetch_add_explicit(&initiator->acked_pages, pages, memory_order_relaxed);
	/* Release: pairs with await_acks(). */
	atomic_fetch_add_explicit(&initiator->acks, 1, memory_order_release);
}

int pcp_ipi_register(struct pcp_drain *s, struct lp_error *err)
{
	if (!s->membarrier || s->exact)
		return lp_irq_register(PCP_DRAIN_VECTOR, on_drain, s, err);
	if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
		return lp_fail(err, errno,
			"membarrier, private expedited: %s; use ipi:signal (kernel 4.14 or later "
			"is needed)",
			strerror(errno));
	/* Interrupting one CPU alone is newer: without it the mask is not what the kernel sees. */
	s->membarrier_one = !membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0);
	return 0;
}

static bool is_target(const struct pcp_cpu *c, const struct pcp_cpu *of, bool masked)
{
	return of != c && (!masked || pcp_holds(of));
}

void pcp_drain_local(struct pcp_drain *s, struct pcp_cpu *c)
{
	c->n.drain_pages += s->algorithm->lists->drain(s, c, c);
}

static void play_interrupts(struct pcp_drain *s, struct pcp_cpu *c, bool masked)
{
	for (int i = 0; i < s->cpus; i++) {
		struct pcp_cpu *of = s->cpu[i];
		unsigned pages;

		if (!is_target(c, of, masked))
			continue;
		c->n.ipis++;
		lp_cpu_enter(i);
		pages = pcp_answer_one(s, of);
		lp_cpu_enter(c->id);
		c->n.drain_pages += pages;
		c->n.drain_remote_pages += pages;
		c->n.requests++;
		c->n.answers++;
	}
	pcp_drain_local(s, c);
}

/* ---- signal ---- */

static void await_acks(struct pcp_cpu *c, int sent)
{
	/* Acquire: pairs with on_drain(). Interrupts are on: two initiators serve each other. */
	while (atomic_load_explicit(&c->acks, memory_order_acquire) < sent) {
		cpu_relax();
		lp_irq_poll();
	}
}

static void signal_drain(struct pcp_drain *s, struct pcp_cpu *c, bool masked)
{
	unsigned long pages;
	int sent = 0;

	atomic_store_explicit(&c->acks, 0, memory_order_relaxed);
	atomic_store_explicit(&c->acked_pages, 0, memory_order_relaxed);
	for (int i = 0; i < s->cpus; i++) {
		if (!is_target(c, s->cpu[i], masked))
			continue;
		if (lp_irq_send(s->run->worker[i].thread, PCP_DRAIN_VECTOR, c))
			c->n.ipis_failed++;
		else
			sent++;
	}
	pcp_drain_local(s, c);
	await_acks(c, sent);
	pages = atomic_load_explicit(&c->acked_pages, memory_order_relaxed);
	c->n.ipis += (unsigned)sent;
	c->n.requests += (unsigned)sent;
	c->n.answers += (unsigned)sent;
	c->n.drain_pages += pages;
	c->n.drain_remote_pages += pages;
}

/* ---- membarrier ---- */

static void membarrier_drain(struct pcp_drain *s, struct pcp_cpu *c, bool masked)
{
	bool one_by_one = masked && s->membarrier_one;
	unsigned asked = 0;

	for (int i = 0; i < s->cpus; i++) {
		struct pcp_cpu *of = s->cpu[i];

		if (!is_target(c, of, masked) || !pcp_request(s, c, of))
			continue;
		asked++;
		if (one_by_one)
			membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, MEMBARRIER_CMD_FLAG_CPU,
				s->run->os_cpu[i]);
	}
	if (asked && !one_by_one)
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	/* Without the CPU number the kernel interrupts all of them, asked or not. */
	c->n.ipis += one_by_one || !masked || !asked ? asked : (unsigned)s->cpus - 1;
	pcp_drain_local(s, c);
	pcp_request_wait(s, c);
}

void pcp_ipi_drain(struct pcp_drain *s, struct pcp_cpu *c, bool masked)
{
	if (masked)
		for (int i = 0; i < s->cpus; i++)
			c->n.masked_off += i != c->id && !pcp_holds(s->cpu[i]);
	if (s->exact)
		play_interrupts(s, c, masked);
	else if (s->membarrier)
		membarrier_drain(s, c, masked);
	else
		signal_drain(s, c, masked);
}
