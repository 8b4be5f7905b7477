/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for what must not share cache lines with anything else. */
#ifndef LP_ALLOC_H
#define LP_ALLOC_H

#include <stddef.h>

/** lp_zalloc_pairs() - @count objects of @size bytes, zeroed, the area aligned to and filling up
 * pairs of cache lines (LP_CACHE_PAIR). Return: memory to free(), NULL when there is none. */
void *lp_zalloc_pairs(size_t count, size_t size);

#endif
