// SPDX-License-Identifier: GPL-2.0-or-later
/* The unfair decrement-and-spin lock of x86 up to 2.6.24, as common/kernel has it. */
#include "suites/locks/locks.h"

LOCKS_OWN_VARIANT(unfair, LP_LOCK_UNFAIR, "x86 to 2.6.24", "decrement and spin; nobody queues");
