// SPDX-License-Identifier: GPL-2.0-or-later
/* 2.6.39: plug on the task's stack, merged without a lock, flushed at finish or sleep. */
#include "suites/block_plug/block_plug.h"

static const struct block_algorithm algorithm = {
	.submit = plug_submit,
	.start = plug_start,
	.finish = plug_finish,
	.before_sleep = plug_before_sleep,
	.run_queue = device_run,
	.max_kib = 512, /* BLK_DEF_MAX_SECTORS to 3.13; include/linux/blkdev.h */
	.max_plugged = 0,
	.max_last_kib = 0,
	.sort_by_sector = false,
};

const struct lp_variant block_plug_plug = {
	.name = "plug",
	.kernel = "2.6.39",
	.summary = "plug on the task's stack, merged without a lock, flushed at finish or sleep",
	.params = BP_PARAMS_COMMON,
	BLOCK_PLUG_HOOKS(algorithm),
};
