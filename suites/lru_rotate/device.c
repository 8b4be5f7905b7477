// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The device of swap-out, and the interrupts by which its bios complete.
 *
 * The device holds DEVICE_DEPTH bios a CPU; the oldest completes when the next but so many is
 * submitted, as a real interrupt on a CPU drawn at random. Without that delay a completion would
 * find its pages still isolated and rotate none.
 */
#include "suites/lru_rotate/lru_rotate.h"

/* The completion of a bio on the CPU that this thread plays; interrupts are off. */
static void complete_here(struct lru_rotate *s, struct lru_bio *bio)
{
	s->algorithm->complete(s, s->cpu[smp_processor_id()], bio->pages, bio->n);
	/* Release: the submitter may reuse the bio; pairs with open_bio(). */
	atomic_store_explicit(&bio->in_flight, false, memory_order_release);
}

static void post_finished(struct lru_cpu *c, struct lru_bio *bio)
{
	bio->next = atomic_load_explicit(&c->finished, memory_order_relaxed);
	/* Release: the bio's pages and link; pairs with take_finished(). */
	while (!atomic_compare_exchange_weak_explicit(
		&c->finished, &bio->next, bio, memory_order_release, memory_order_relaxed))
		;
}

/* All that the device has posted for CPU @c, oldest first. */
static struct lru_bio *take_finished(struct lru_cpu *c)
{
	struct lru_bio *bio = atomic_exchange_explicit(&c->finished, NULL, memory_order_acquire);
	struct lru_bio *oldest_first = NULL;

	while (bio) {
		struct lru_bio *next = bio->next;

		bio->next = oldest_first;
		oldest_first = bio;
		bio = next;
	}
	return oldest_first;
}

/* What the completion interrupt does on CPU @c; interrupts are off. */
static void complete_finished(struct lru_rotate *s, struct lru_cpu *c)
{
	struct lru_bio *bio = take_finished(c);

	while (bio) {
		struct lru_bio *next = bio->next; /* a completed bio may be reused at once */

		complete_here(s, bio);
		bio = next;
	}
}

static void complete_masked(struct lru_rotate *s, struct lru_cpu *c)
{
	unsigned long flags = local_irq_save();

	complete_finished(s, c);
	local_irq_restore(flags);
}

/* This CPU's oldest bio is finished; it completes on CPU @target, by interrupt, or in exact mode by
 * going there. */
static void complete_oldest(struct lru_rotate *s, struct lru_cpu *c, int target)
{
	int self = smp_processor_id();

	post_finished(s->cpu[target], &c->bio[c->bio_tail++ % BIO_RING]);
	if (s->run->spec->mode == LP_MODE_EXACT) {
		lp_cpu_enter(target);
		complete_masked(s, s->cpu[target]);
		lp_cpu_enter(self);
	} else {
		/* If the signal queue is full the target's next interrupt finds the bio. */
		lp_irq_send(s->run->worker[target].thread, LRU_COMPLETION_VECTOR, NULL);
	}
}

static void on_completion(const struct lp_irq_event *event, void *context)
{
	struct lru_rotate *s = context;

	complete_finished(s, s->cpu[smp_processor_id()]);
}

int lru_device_register(struct lru_rotate *s, struct lp_error *err)
{
	return lp_irq_register(LRU_COMPLETION_VECTOR, on_completion, s, err);
}

void lru_device_finish(struct lru_rotate *s, struct lru_cpu *c)
{
	while (c->bio_head != c->bio_tail)
		post_finished(c, &c->bio[c->bio_tail++ % BIO_RING]);
	complete_masked(s, c);
}

/* A CPU that may take an interrupt, drawn at random. */
static int draw_target(struct lru_rotate *s, struct lru_cpu *c)
{
	int target = (int)lp_random_below(&c->random, (uint32_t)s->cpus);

	if (s->run->spec->mode == LP_MODE_EXACT && s->offline[target])
		return smp_processor_id();
	return target;
}

void lru_device_step(struct lru_rotate *s, struct lru_cpu *c)
{
	if (c->bio_head - c->bio_tail > DEVICE_DEPTH)
		complete_oldest(s, c, draw_target(s, c));
}
