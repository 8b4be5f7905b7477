// SPDX-License-Identifier: GPL-2.0-or-later
/* 6.3 on: as deactivate_drain_all, and the stream's accesses carry no recency (mm/fadvise.c,
 * mm/truncate.c, mm/swap.c). */
#include "suites/lru_deactivate/lru_deactivate.h"

static const struct deactivate_algorithm algorithm = {
	.advise = ld_advise_and_drain_all,
	.noreuse = true,
};

const struct lp_variant lru_deactivate_noreuse = {
	.name = "noreuse",
	.kernel = "6.3 on",
	.summary = "as deactivate_drain_all, and the stream's accesses carry no recency",
	LRU_DEACTIVATE_HOOKS(algorithm),
};
