// SPDX-License-Identifier: GPL-2.0-or-later
/* 4.19-5.15: as plug_limit, also flushed when the last request reaches 128 KiB. */
#include "suites/block_plug/block_plug.h"

static const struct block_algorithm algorithm = {
	.submit = plug_submit,
	.start = plug_start,
	.finish = plug_finish,
	.before_sleep = plug_before_sleep,
	.run_queue = device_run,
	.max_kib = 1280, /* BLK_DEF_MAX_SECTORS from 3.13 on; include/linux/blkdev.h */
	.max_plugged = 16,
	.max_last_kib = 128,
	.sort_by_sector = true,
};

const struct lp_variant block_plug_plug_size = {
	.name = "plug_size",
	.kernel = "4.19-5.15",
	.summary = "as plug_limit, also flushed when the last request reaches 128 KiB",
	.params = BP_PARAMS_COMMON | 1u << BP_PLUG_REQUESTS,
	BLOCK_PLUG_HOOKS(algorithm),
};
