/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a lock did, with the kernel's lock_stat definitions (Documentation/locking/lockstat.rst):
 * an acquisition is contended when a first try failed; it bounces when the CPU that took the lock
 * before was another one; wait is from the failed try to the acquisition, contended ones only;
 * hold is from acquisition to release.
 *
 * One record per lock class and CPU (no sharing while counting), summed afterwards. Only the
 * observed specialisation of a lock touches it: timing runs contain none of this code.
 */
#ifndef LP_MEASURE_LOCKSTAT_H
#define LP_MEASURE_LOCKSTAT_H

#include <stdint.h>

#include "common/compiler.h"
#include "common/error.h"
#include "common/measure/histogram.h"

struct lp_lockstat_cpu {
	uint64_t acquisitions;
	uint64_t contentions;
	uint64_t acquisition_bounces;
	uint64_t contention_bounces;
	struct lp_histogram wait_ticks; /* contended acquisitions only */
	struct lp_histogram hold_ticks;
} LP_ALIGNED(LP_CACHE_PAIR);

struct lp_lockstat {
	int cpus;
	struct lp_lockstat_cpu *cpu; /* [cpus], indexed by smp_processor_id() */
};

/** lp_lockstat_init() - make an empty record for @cpus CPUs. Return: 0, or -ENOMEM with @err. */
int lp_lockstat_init(struct lp_lockstat *stat, int cpus, struct lp_error *err);
void lp_lockstat_destroy(struct lp_lockstat *stat);

/** lp_lockstat_sum() - merge the CPUs into @out. */
void lp_lockstat_sum(const struct lp_lockstat *stat, struct lp_lockstat_cpu *out);

#endif
