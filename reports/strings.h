/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every text of a report once, with a small number as its handle: the same text has the same
 * number, so that names compare as integers and 100 000 rows share their metric names.
 *
 * Running out of memory sticks: from then on every text is "" and `failed` is set. Whoever fills
 * the table looks at `failed` once, at the end.
 */
#ifndef LP_REPORTS_STRINGS_H
#define LP_REPORTS_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The handle of "", and what a failed table answers. */
#define LP_STRING_NONE 0u

struct lp_strings {
	bool failed;
	uint32_t count; /* handles are 0..count-1 */
	/* private */
	size_t room, slots, used_in_block;
	struct lp_string {
		const char *text;
		uint64_t hash;
	} * item;
	uint32_t *slot;
	struct lp_string_block *blocks;
};

void lp_strings_init(struct lp_strings *s);
void lp_strings_destroy(struct lp_strings *s);

/** lp_string_hash() - 64 bits, a word of eight bytes at a time; of this process only, as it depends
 * on the byte order. */
uint64_t lp_string_hash(const char *text, size_t length);

/** lp_strings_add() - the handle of @text, which is copied when new. */
uint32_t lp_strings_add(struct lp_strings *s, const char *text, size_t length);

/** lp_strings_add_hashed() - the same for a caller that has the hash already. */
uint32_t lp_strings_add_hashed(
	struct lp_strings *s, const char *text, size_t length, uint64_t hash);

/** lp_strings_find() - the handle of @text, LP_STRING_NONE when it was never added. */
uint32_t lp_strings_find(const struct lp_strings *s, const char *text);

/** lp_strings_text() - the text of a handle; lives as long as the table. */
const char *lp_strings_text(const struct lp_strings *s, uint32_t handle);

/** lp_strings_format() - add what printf would print. Return: its text, never NULL. */
const char *lp_strings_format(struct lp_strings *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
