/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suites.json: what the suites of this build say of themselves, for reports. */
#ifndef LP_DRIVERS_DESCRIBE_H
#define LP_DRIVERS_DESCRIBE_H

#include <jansson.h>

/** lp_describe_suites() - the object of suites.json; a new reference, NULL when out of memory. */
json_t *lp_describe_suites(void);

#endif
