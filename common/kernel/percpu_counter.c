// SPDX-License-Identifier: GPL-2.0-or-later
/* The counter of lib/percpu_counter.c; the header gives its error bound. */
#include "common/kernel/percpu_counter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int percpu_counter_init(
	struct percpu_counter *c, int cpus, int32_t batch, int64_t value, struct lp_error *err)
{
	if (cpus < 1 || batch < 1)
		return lp_fail(err, EINVAL, "a per-CPU counter of %d CPUs with a batch of %d", cpus,
			batch);
	c->part = aligned_alloc(LP_CACHE_LINE, (size_t)cpus * sizeof(*c->part));
	if (!c->part)
		return lp_fail(err, ENOMEM, "no memory for a counter of %d CPUs", cpus);
	memset(c->part, 0, (size_t)cpus * sizeof(*c->part));
	spin_lock_init(&c->lock, LP_LOCK_QUEUED, NULL);
	atomic_init(&c->count, value);
	c->batch = batch;
	c->cpus = cpus;
	return 0;
}

void percpu_counter_destroy(struct percpu_counter *c)
{
	free(c->part);
	c->part = NULL;
}

/* The CPU's own part: only this thread writes it, so load and store need no atomicity together. */
void percpu_counter_add(struct percpu_counter *c, int64_t amount, lp_lock_flavour flavour)
{
	_Atomic int32_t *part = &c->part[smp_processor_id()].value;
	int64_t value = atomic_load_explicit(part, memory_order_relaxed) + amount;

	if (value >= c->batch || value <= -c->batch) {
		spin_lock(&c->lock, flavour);
		atomic_fetch_add_explicit(&c->count, value, memory_order_relaxed);
		atomic_store_explicit(part, 0, memory_order_relaxed);
		spin_unlock(&c->lock, flavour);
	} else {
		atomic_store_explicit(part, (int32_t)value, memory_order_relaxed);
	}
}

int64_t percpu_counter_sum(struct percpu_counter *c, lp_lock_flavour flavour)
{
	int64_t sum;

	spin_lock(&c->lock, flavour);
	sum = percpu_counter_read(c);
	for (int i = 0; i < c->cpus; i++)
		sum += atomic_load_explicit(&c->part[i].value, memory_order_relaxed);
	spin_unlock(&c->lock, flavour);
	return sum;
}
