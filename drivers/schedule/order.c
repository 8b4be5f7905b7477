// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rounds: the first repetition of every case, then the second, and so on, each round in an order of
 * its own. What drifts over minutes then meets every case; what one case does to its successor
 * (heat, caches, page placement) meets a different successor in each round.
 */
#include "drivers/schedule/order.h"

#include <stdlib.h>

static void shuffle(struct lp_work *work, size_t n, uint64_t *random)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = lp_random_below(random, (uint32_t)i);
		struct lp_work swap = work[i - 1];

		work[i - 1] = work[j];
		work[j] = swap;
	}
}

static size_t add_round(const struct lp_run_plan *plan, int repetition, struct lp_work *work)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->count; i++)
		if (!plan->entry[i].skipped && plan->entry[i].repetitions > repetition)
			work[n++] = (struct lp_work){.entry = i, .repetition = repetition};
	return n;
}

struct lp_work *lp_order_make(const struct lp_run_plan *plan, size_t *count)
{
	uint64_t random = plan->seed;
	struct lp_work *work;
	size_t all = 0;

	for (size_t i = 0; i < plan->count; i++)
		all += plan->entry[i].skipped ? 0 : (size_t)plan->entry[i].repetitions;
	work = calloc(all + 1, sizeof(*work));
	*count = 0;
	for (int repetition = 0; work && *count < all; repetition++) {
		size_t n = add_round(plan, repetition, work + *count);

		shuffle(work + *count, n, &random);
		*count += n;
	}
	return work;
}
