/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that /proc/vmstat counts and the replicas count too, one list for the enum and the
 * names. A suite that needs another one adds a line here, spelled as in the kernel
 * (include/linux/vm_event_item.h).
 */
#ifndef LP_KERNEL_VM_EVENT_H
#define LP_KERNEL_VM_EVENT_H

#define LP_VM_EVENT_LIST(X)                                                                        \
	X(PGROTATED, "pgrotated")                                                                  \
	X(PGACTIVATE, "pgactivate")                                                                \
	X(PGDEACTIVATE, "pgdeactivate")                                                            \
	X(PGINVALIDATE, "pginvalidate")                                                            \
	X(PGRECLAIM, "pgreclaim")                                                                  \
	X(PGFAULT, "pgfault")                                                                      \
	X(PGMAJFAULT, "pgmajfault")                                                                \
	X(PGSTEAL, "pgsteal")                                                                      \
	X(KSWAPD_STEAL, "kswapd_steal")                                                            \
	X(PGSCAN_KSWAPD, "pgscan_kswapd")                                                          \
	X(PGSCAN_DIRECT, "pgscan_direct")                                                          \
	X(PAGEOUTRUN, "pageoutrun")                                                                \
	X(ALLOCSTALL, "allocstall")                                                                \
	X(NR_VMSCAN_WRITE, "nr_vmscan_write")                                                      \
	X(PGFREE, "pgfree")                                                                        \
	X(PGALLOC, "pgalloc")

enum lp_vm_event {
#define LP_VM_EVENT_ENUM(id, name) id,
	LP_VM_EVENT_LIST(LP_VM_EVENT_ENUM)
#undef LP_VM_EVENT_ENUM
		LP_VM_EVENTS
};

/** lp_vm_event_name() - the name that /proc/vmstat gives @event. */
const char *lp_vm_event_name(enum lp_vm_event event);

#endif
