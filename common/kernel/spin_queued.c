// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The contended side of the queued spinlock; spin_queued.h shows the word.
 *
 * Order of arrival: holder, pending waiter, head of the queue, rest of the queue. The pending
 * waiter watches the locked byte; the head of the queue waits until both are gone; everyone else
 * spins on its own node. Queue nodes are per CPU and nest four deep (a waiter may be interrupted
 * by a handler that waits for another lock).
 */
#include "common/kernel/spin_queued.h"

#include "common/kernel/cpu.h"
#include "common/kernel/relax.h"

enum {
	LOCKED = 1u,
	LOCKED_MASK = 0xffu,
	PENDING = 1u << 8,
	TAIL_INDEX_SHIFT = 16,
	TAIL_CPU_SHIFT = 18,
	TAIL_MASK = 0xffff0000u,
	/* Looks at a hand-over from pending to locked before queueing:
	 * arch/x86/include/asm/qspinlock.h, 4.18 on. Too few send the second contender into the
	 * queue, which costs it more lines. */
	PENDING_LOOPS = 1 << 9,
};

static uint32_t encode_tail(int cpu, int index)
{
	return ((uint32_t)(cpu + 1) << TAIL_CPU_SHIFT) | ((uint32_t)index << TAIL_INDEX_SHIFT);
}

static struct lp_mcs_node *decode_tail(uint32_t tail)
{
	struct lp_cpu *cpu = &lp_cpu_table[(tail >> TAIL_CPU_SHIFT) - 1];

	return &cpu->mcs[(tail >> TAIL_INDEX_SHIFT) & 3];
}

/*
 * Set the pending bit. Return: the word as it was, with a tail as it is right afterwards, which is
 * as good: the caller only asks whether anybody was or is before it. One bit's old value can be had
 * from a single bit-test-and-set, where the whole old word takes a compare-and-swap loop that may
 * starve; so does arch/x86/include/asm/qspinlock.h from 4.20 on.
 */
static uint32_t fetch_set_pending(struct lp_spin_queued *l)
{
	/* Acquire: pairs with the release in lp_spin_queued_unlock(), if the lock is free by now.
	 */
	uint32_t was = atomic_fetch_or_explicit(&l->val, PENDING, memory_order_acquire) & PENDING;

	return was | (atomic_load_explicit(&l->val, memory_order_relaxed) & ~(uint32_t)PENDING);
}

/* Pending to locked in one store: only the pending waiter may do it, and nobody holds. */
static void clear_pending_set_locked(struct lp_spin_queued *l)
{
	/* Relaxed: the load that saw the locked byte clear has acquired. */
	atomic_store_explicit(&l->locked_pending, LOCKED, memory_order_relaxed);
}

/* Become the pending waiter and then the holder. Return: false if the caller must queue. */
static bool wait_as_pending(struct lp_spin_queued *l, uint32_t val)
{
	/* Relaxed: what this sees only decides how to wait. */
	for (int i = 0; val == PENDING && i < PENDING_LOOPS; i++) {
		cpu_relax();
		val = atomic_load_explicit(&l->val, memory_order_relaxed);
	}
	if (val & ~LOCKED_MASK)
		return false;
	val = fetch_set_pending(l);
	if (unlikely(val & ~LOCKED_MASK)) {
		/* Lost a race: undo the bit only if it was ours. */
		if (!(val & PENDING))
			atomic_store_explicit(&l->pending, 0, memory_order_relaxed);
		return false;
	}
	/* Acquire: pairs with the holder's release of the locked byte. */
	while (atomic_load_explicit(&l->locked, memory_order_acquire))
		cpu_relax();
	clear_pending_set_locked(l);
	return true;
}

/* Wait in the queue until this node is its head. */
static void wait_for_head(struct lp_mcs_node *node, uint32_t old_tail)
{
	struct lp_mcs_node *previous;

	if (!(old_tail & TAIL_MASK))
		return;
	previous = decode_tail(old_tail);
	/* Release: the predecessor must see the node initialised; pairs with hand_over(). */
	atomic_store_explicit(&previous->next, node, memory_order_release);
	/* Acquire: pairs with the release in hand_over(). */
	while (!atomic_load_explicit(&node->locked, memory_order_acquire))
		cpu_relax();
}

static void hand_over(struct lp_mcs_node *node)
{
	struct lp_mcs_node *next;

	/* The successor has taken the tail but may not have linked itself yet. */
	while (!(next = atomic_load_explicit(&node->next, memory_order_acquire)))
		cpu_relax();
	atomic_store_explicit(&next->locked, 1, memory_order_release);
}

/* The head of the queue takes the lock and makes its successor the head. */
static void take_as_head(struct lp_spin_queued *l, struct lp_mcs_node *node, uint32_t tail)
{
	uint32_t val;

	/* Acquire: pairs with the releases of holder and pending waiter. */
	while ((val = atomic_load_explicit(&l->val, memory_order_acquire)) &
		(LOCKED_MASK | PENDING))
		cpu_relax();
	/* Alone in the queue: clear the tail and take the lock in one step. */
	if (val == tail && atomic_compare_exchange_strong_explicit(&l->val, &val, LOCKED,
				   memory_order_relaxed, memory_order_relaxed))
		return;
	atomic_store_explicit(&l->locked, LOCKED, memory_order_relaxed);
	hand_over(node);
}

/* One wait on the CPU's node @index, from joining the queue to holding the lock. */
static void wait_on_node(struct lp_spin_queued *l, struct lp_cpu *cpu, int index)
{
	struct lp_mcs_node *node = &cpu->mcs[index];
	uint32_t tail = encode_tail(cpu->id, index);
	uint16_t old;

	atomic_store_explicit(&node->locked, 0, memory_order_relaxed);
	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	if (lp_spin_queued_trylock(l))
		return;
	/* Release: publishes the node; acquire: orders against the previous tail. */
	old = atomic_exchange_explicit(
		&l->tail, (uint16_t)(tail >> TAIL_INDEX_SHIFT), memory_order_acq_rel);
	wait_for_head(node, (uint32_t)old << TAIL_INDEX_SHIFT);
	take_as_head(l, node, tail);
}

static void wait_in_queue(struct lp_spin_queued *l)
{
	struct lp_cpu *cpu = lp_this_cpu;
	int index = cpu->mcs[0].count++;

	/* An interrupt that nests here must find the count raised before it takes a node. */
	barrier();
	if (likely(index < LP_MCS_NODES))
		wait_on_node(l, cpu, index);
	else /* nested too deeply for a node: fall back to spinning, as the kernel does */
		while (!lp_spin_queued_trylock(l))
			cpu_relax();
	barrier();
	cpu->mcs[0].count--;
}

LP_NOINLINE void lp_spin_queued_slowpath(struct lp_spin_queued *l, uint32_t val)
{
	if (!wait_as_pending(l, val))
		wait_in_queue(l);
}
