// SPDX-License-Identifier: GPL-2.0-or-later
/* Initialising a lock of any flavour, and the statistics of the observed ones. */
#include "common/kernel/spinlock.h"

#include <string.h>

#include "common/measure/clock.h"

const char *const lp_lock_kind_names[LP_LOCK_KINDS + 1] = {"unfair", "ticket", "queued", NULL};

const char *lp_lock_kind_name(lp_lock_flavour flavour)
{
	return lp_lock_kind_names[flavour & 3];
}

void spin_lock_init(struct lp_spinlock *lock, lp_lock_flavour flavour, struct lp_lockstat *stat)
{
	memset(lock, 0, sizeof(*lock));
	lock->last_cpu = -1;
	lock->stat = stat;
	if ((flavour & 3) == LP_LOCK_UNFAIR)
		atomic_init(&lock->unfair.slock, 1);
}

LP_NOINLINE void lp_lockstat_acquired(
	struct lp_spinlock *lock, bool contended, uint64_t wait_from_ticks)
{
	int cpu = smp_processor_id();
	struct lp_lockstat_cpu *stat = &lock->stat->cpu[cpu];
	uint64_t now = lp_ticks();
	bool bounced = lock->last_cpu >= 0 && lock->last_cpu != cpu;

	stat->acquisitions++;
	stat->acquisition_bounces += bounced;
	if (contended) {
		stat->contentions++;
		stat->contention_bounces += bounced;
		lp_histogram_record(&stat->wait_ticks, now - wait_from_ticks);
	}
	lock->last_cpu = cpu;
	lock->acquired_ticks = now;
}

LP_NOINLINE void lp_lockstat_release(struct lp_spinlock *lock)
{
	struct lp_lockstat_cpu *stat = &lock->stat->cpu[smp_processor_id()];

	lp_histogram_record(&stat->hold_ticks, lp_ticks() - lock->acquired_ticks);
}
