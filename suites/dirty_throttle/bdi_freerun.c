// SPDX-License-Identifier: GPL-2.0-or-later
/* 2.6.24: the device's limit binds only once the machine is half-way between the background and
 * the dirty limit, so that a cold device can fill memory as before; see bdi_limit.c. */
#include "suites/dirty_throttle/dirty_throttle.h"

static struct dt_action balance(struct dt *s, struct dt_writer *w)
{
	return dt_bdi_balance(s, w, true);
}

static const struct dt_algorithm algorithm = {
	.page_dirtied = dt_bdi_page_dirtied,
	.balance = balance,
	.over_background = dt_over_background,
	.flusher_pages = dt_flusher_pages,
	.ratelimit_pages = dt_ratelimit_of_memory,
	.bdi_counters = true,
};

const struct lp_variant dirty_throttle_bdi_freerun = {
	.name = "bdi_freerun",
	.kernel = "2.6.24",
	.summary = "as bdi_strict, but free below half-way between background and dirty limit",
	DIRTY_THROTTLE_HOOKS(algorithm),
};
