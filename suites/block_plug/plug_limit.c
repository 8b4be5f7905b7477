// SPDX-License-Identifier: GPL-2.0-or-later
/* 3.2-4.18: as plug, also flushed at 16 requests, sorted by queue and sector. */
#include "suites/block_plug/block_plug.h"

static const struct block_algorithm algorithm = {
	.submit = plug_submit,
	.start = plug_start,
	.finish = plug_finish,
	.before_sleep = plug_before_sleep,
	.run_queue = device_run,
	.max_kib = 512, /* BLK_DEF_MAX_SECTORS to 3.13; include/linux/blkdev.h */
	.max_plugged = 16,
	.max_last_kib = 0,
	.sort_by_sector = true,
};

const struct lp_variant block_plug_plug_limit = {
	.name = "plug_limit",
	.kernel = "3.2-4.18",
	.summary = "as plug, also flushed at 16 requests, sorted by queue and sector",
	.params = BP_PARAMS_COMMON | 1u << BP_PLUG_REQUESTS,
	BLOCK_PLUG_HOOKS(algorithm),
};
