// SPDX-License-Identifier: GPL-2.0-or-later
/* The ticket lock of 2.6.25, as common/kernel has it. */
#include "suites/locks/locks.h"

LOCKS_OWN_VARIANT(ticket, LP_LOCK_TICKET, "2.6.25 to 4.1",
	"draw a number, wait for it; first come, first served");
