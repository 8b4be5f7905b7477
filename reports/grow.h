/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing arrays. Not thread-safe: a report is made by one thread.
 */
#ifndef LP_REPORTS_GROW_H
#define LP_REPORTS_GROW_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * lp_grow() - make room for at least @need items of @size bytes.
 * @array: address of the array pointer, which may point to NULL.
 * @room: how many items there is room for; updated.
 *
 * Doubles, so that appending is linear over all. Return: 0, or -ENOMEM with everything as it was.
 */
static inline int lp_grow(void *array, size_t *room, size_t need, size_t size)
{
	size_t wanted = *room ? *room : 16;
	void *old, *new;

	if (need <= *room)
		return 0;
	while (wanted < need)
		wanted *= 2;
	if (wanted > SIZE_MAX / size)
		return -ENOMEM;
	memcpy(&old, array, sizeof(old));
	new = realloc(old, wanted * size);
	if (!new)
		return -ENOMEM;
	memcpy(array, &new, sizeof(new));
	*room = wanted;
	return 0;
}

#endif
