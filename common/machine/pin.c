// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pinning with sets of any size: the fixed cpu_set_t ends at CPU 1023.
 *
 * A set may be shorter than the kernel's own when pinning, but not when reading back: the kernel
 * refuses (Linux 6.1, kernel/sched/core.c, sched_getaffinity()), so the set grows until it is
 * accepted. A pin is lost when the CPU goes offline or a cpuset changes: hence the read-back.
 */
#include "common/machine/pin.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

enum { LARGEST_SET = 1 << 20 }; /* far beyond the NR_CPUS of any kernel */

int lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err)
{
	cpu_set_t *set;
	size_t size;
	int rc;

	if (os_cpu < 0 || os_cpu >= LARGEST_SET)
		return lp_fail(err, EINVAL, "CPU %d does not exist", os_cpu);
	set = CPU_ALLOC((size_t)os_cpu + 1);
	if (!set)
		return lp_fail(err, ENOMEM, "no memory for a set of %d CPUs", os_cpu + 1);
	size = CPU_ALLOC_SIZE((size_t)os_cpu + 1);
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)os_cpu, size, set);
	rc = pthread_attr_setaffinity_np(attr, size, set);
	CPU_FREE(set);
	if (rc)
		return lp_fail(err, rc, "cannot pin a thread to CPU %d: %s", os_cpu, strerror(rc));
	return 0;
}

/* Whether @os_cpu is the only CPU in this thread's mask of up to @cpus CPUs; -EINVAL: too small. */
static int alone_in_mask(int os_cpu, size_t cpus)
{
	cpu_set_t *set = CPU_ALLOC(cpus);
	size_t size = CPU_ALLOC_SIZE(cpus);
	int result;

	if (!set)
		return 0;
	if (sched_getaffinity(0, size, set))
		result = errno == EINVAL ? -EINVAL : 0;
	else
		result = CPU_COUNT_S(size, set) == 1 && CPU_ISSET_S((size_t)os_cpu, size, set);
	CPU_FREE(set);
	return result;
}

bool lp_pin_holds(int os_cpu)
{
	int alone = -EINVAL;

	for (size_t cpus = 1024; alone == -EINVAL && cpus <= LARGEST_SET; cpus *= 2)
		alone = alone_in_mask(os_cpu, cpus);
	return alone == 1 && sched_getcpu() == os_cpu;
}
