// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of CPUs of the run, and what is summed over it. */
#include "common/kernel/cpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct lp_cpu *lp_cpu_table;
int lp_cpu_count;
_Thread_local struct lp_cpu *lp_this_cpu __attribute__((tls_model("initial-exec")));

static const char *const vm_event_names[] = {
#define LP_VM_EVENT_NAME(id, name) [id] = name,
	LP_VM_EVENT_LIST(LP_VM_EVENT_NAME)
#undef LP_VM_EVENT_NAME
};

const char *lp_vm_event_name(enum lp_vm_event event)
{
	return vm_event_names[event];
}

int lp_cpus_init(int count, struct lp_error *err)
{
	struct lp_cpu *table;

	if (count < 1 || count > LP_CPUS_MAX)
		return lp_fail(err, EINVAL, "a run has 1 to %d CPUs, not %d", LP_CPUS_MAX, count);
	table = aligned_alloc(LP_CACHE_PAIR, (size_t)count * sizeof(*table));
	if (!table)
		return lp_fail(err, ENOMEM, "no memory for the state of %d CPUs", count);
	memset(table, 0, (size_t)count * sizeof(*table));
	for (int i = 0; i < count; i++)
		table[i].id = i;
	free(lp_cpu_table);
	lp_cpu_table = table;
	lp_cpu_count = count;
	lp_cpu_enter(0);
	return 0;
}

unsigned long lp_vm_events_sum(enum lp_vm_event event)
{
	unsigned long sum = 0;

	for (int i = 0; i < lp_cpu_count; i++)
		sum += lp_cpu_table[i].vm_events[event];
	return sum;
}
