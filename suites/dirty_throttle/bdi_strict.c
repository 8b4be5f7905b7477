// SPDX-License-Identifier: GPL-2.0-or-later
/* 2.6.24-rc1: the device's limit binds from its first dirty page on; see bdi_limit.c. */
#include "suites/dirty_throttle/dirty_throttle.h"

static struct dt_action balance(struct dt *s, struct dt_writer *w)
{
	return dt_bdi_balance(s, w, false);
}

static const struct dt_algorithm algorithm = {
	.page_dirtied = dt_bdi_page_dirtied,
	.balance = balance,
	.over_background = dt_over_background,
	.flusher_pages = dt_flusher_pages,
	.ratelimit_pages = dt_ratelimit_of_memory,
	.bdi_counters = true,
};

const struct lp_variant dirty_throttle_bdi_strict = {
	.name = "bdi_strict",
	.kernel = "2.6.24-rc1",
	.summary = "a limit for each device, by its share of recent completions, binding at once",
	DIRTY_THROTTLE_HOOKS(algorithm),
};
