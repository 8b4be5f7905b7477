// SPDX-License-Identifier: GPL-2.0-or-later
/* The queued spinlock of 4.2, as common/kernel has it. */
#include "suites/locks/locks.h"

LOCKS_OWN_VARIANT(queued, LP_LOCK_QUEUED, "4.2 on",
	"a pending bit for the first waiter, a queue of per-CPU nodes for the rest");
