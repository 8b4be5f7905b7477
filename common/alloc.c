// SPDX-License-Identifier: GPL-2.0-or-later
/* aligned_alloc() wants whole multiples of the alignment, and does not zero. */
#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "common/compiler.h"

void *lp_zalloc_pairs(size_t count, size_t size)
{
	size_t bytes = (count * size + LP_CACHE_PAIR - 1) / LP_CACHE_PAIR * LP_CACHE_PAIR;
	void *p = aligned_alloc(LP_CACHE_PAIR, bytes);

	return p ? memset(p, 0, bytes) : NULL;
}
