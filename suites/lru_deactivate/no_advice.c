// SPDX-License-Identifier: GPL-2.0-or-later
/* before: the stream's pages age like any others (mm/fadvise.c, mm/truncate.c, mm/swap.c). */
#include "suites/lru_deactivate/lru_deactivate.h"

static const struct deactivate_algorithm algorithm = {
	.advise = NULL,
	.noreuse = false,
};

const struct lp_variant lru_deactivate_no_advice = {
	.name = "no_advice",
	.kernel = "before",
	.summary = "the stream's pages age like any others",
	LRU_DEACTIVATE_HOOKS(algorithm),
};
