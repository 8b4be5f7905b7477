// SPDX-License-Identifier: GPL-2.0-or-later
/* The suites of this build, in the order in which they are listed and reported. */
#include "suites/suite.h"

extern const struct lp_suite lp_suite_locks;
extern const struct lp_suite lp_suite_lru_rotate;
extern const struct lp_suite lp_suite_block_plug;
extern const struct lp_suite lp_suite_dirty_throttle;
extern const struct lp_suite lp_suite_pcp_drain;
extern const struct lp_suite lp_suite_lru_deactivate;

const struct lp_suite *const lp_suites[] = {
	&lp_suite_locks,
	&lp_suite_lru_rotate,
	&lp_suite_block_plug,
	&lp_suite_dirty_throttle,
	&lp_suite_pcp_drain,
	&lp_suite_lru_deactivate,
};
const size_t lp_suites_count = ARRAY_SIZE(lp_suites);
