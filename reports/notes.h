/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Footnotes: each distinct reason once.
 *
 * Reasons carry figures ("12 involuntary switches a second"), so that hardly two are the same. Two
 * reasons that differ only in numbers are one note, and it shows the range: "12–310 involuntary …".
 */
#ifndef LP_REPORTS_NOTES_H
#define LP_REPORTS_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/strings.h"

enum { LP_NOTE_NUMBERS = 8, LP_NOTES_MAX = 200 };

struct lp_note {
	uint32_t pattern; /* the text with its numbers taken out */
	unsigned numbers;
	struct {
		double low, high;
		uint32_t low_text, high_text;
	} number[LP_NOTE_NUMBERS];
	size_t times;
};

struct lp_notes {
	struct lp_strings *strings; /* the caller's */
	struct lp_note *note;
	size_t count, room;
	bool failed;
};

void lp_notes_init(struct lp_notes *n, struct lp_strings *strings);
void lp_notes_destroy(struct lp_notes *n);

/** lp_notes_add() - @text once more. Return: its number, from 1. From LP_NOTES_MAX different ones
 * on all others share the last number. 0 when out of memory; that sticks in `failed`. */
size_t lp_notes_add(struct lp_notes *n, const char *text);

/** lp_notes_add_exactly() - the same for a text whose numbers belong together, so that only the
 * very same text is the same note. */
size_t lp_notes_add_exactly(struct lp_notes *n, const char *text);

/** lp_notes_text() - note @number with the ranges of its numbers. */
const char *lp_notes_text(const struct lp_notes *n, size_t number);

#endif
