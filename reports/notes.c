// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Notes that differ only in numbers are one. A note's pattern is its text with a control character
 * in the place of each number; should the text itself contain that character, it becomes a blank.
 */
#include "reports/notes.h"

#include <stdio.h>
#include <stdlib.h>

#include "reports/grow.h"

enum { PLACE = 1, TEXT_MAX = 1024 };

void lp_notes_init(struct lp_notes *n, struct lp_strings *strings)
{
	memset(n, 0, sizeof(*n));
	n->strings = strings;
}

void lp_notes_destroy(struct lp_notes *n)
{
	free(n->note);
	memset(n, 0, sizeof(*n));
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The bytes of the number at @text: 12 or 12.5. */
static size_t number_length(const char *text)
{
	size_t n = strspn(text, "0123456789");

	if (text[n] == '.' && digit(text[n + 1]))
		n += 1 + strspn(text + n + 1, "0123456789");
	return n;
}

static void take_number(struct lp_notes *n, struct lp_note *note, const char *text, size_t length)
{
	uint32_t handle = lp_strings_add(n->strings, text, length);
	double value = strtod(lp_strings_text(n->strings, handle), NULL);
	unsigned i = note->numbers++;

	note->number[i].low = note->number[i].high = value;
	note->number[i].low_text = note->number[i].high_text = handle;
}

static void take_apart(struct lp_notes *n, const char *text, struct lp_note *note)
{
	char pattern[TEXT_MAX];
	size_t length = 0;

	*note = (struct lp_note){.times = 1};
	while (*text && length < TEXT_MAX) {
		size_t digits = number_length(text);

		if (digits && note->numbers < LP_NOTE_NUMBERS) {
			take_number(n, note, text, digits);
			pattern[length++] = PLACE;
			text += digits;
			continue;
		}
		pattern[length++] = *text == PLACE ? ' ' : *text;
		text++;
	}
	note->pattern = lp_strings_add(n->strings, pattern, length);
}

static void widen(struct lp_note *note, const struct lp_note *by)
{
	note->times++;
	for (unsigned i = 0; i < note->numbers; i++) {
		if (by->number[i].low < note->number[i].low) {
			note->number[i].low = by->number[i].low;
			note->number[i].low_text = by->number[i].low_text;
		}
		if (by->number[i].high > note->number[i].high) {
			note->number[i].high = by->number[i].high;
			note->number[i].high_text = by->number[i].high_text;
		}
	}
}

static size_t find(const struct lp_notes *n, const struct lp_note *note)
{
	size_t i = 0;

	while (i < n->count && n->note[i].pattern != note->pattern)
		i++;
	return i;
}

static size_t add(struct lp_notes *n, struct lp_note note)
{
	size_t at = find(n, &note);

	if (at == n->count && at >= LP_NOTES_MAX - 1) {
		take_apart(n, "another reason: there are too many different ones to list", &note);
		at = find(n, &note);
	}
	if (at < n->count) {
		widen(&n->note[at], &note);
		return at + 1;
	}
	if (lp_grow(&n->note, &n->room, n->count + 1, sizeof(*n->note))) {
		n->failed = true;
		return 0;
	}
	n->note[n->count++] = note;
	return n->count;
}

size_t lp_notes_add(struct lp_notes *n, const char *text)
{
	struct lp_note note;

	take_apart(n, text, &note);
	return add(n, note);
}

size_t lp_notes_add_exactly(struct lp_notes *n, const char *text)
{
	size_t length = strlen(text);

	return add(n, (struct lp_note){.pattern = lp_strings_add(n->strings, text,
					       length < TEXT_MAX ? length : TEXT_MAX),
			      .times = 1});
}

const char *lp_notes_text(const struct lp_notes *n, size_t number)
{
	const struct lp_note *note = &n->note[number - 1];
	const char *pattern = lp_strings_text(n->strings, note->pattern);
	char text[TEXT_MAX + LP_NOTE_NUMBERS * 2 * TEXT_MAX]; /* each number is part of a text */
	size_t length = 0;
	unsigned i = 0;

	for (; *pattern; pattern++) {
		const char *low, *high;

		if (*pattern != PLACE || i == note->numbers) {
			text[length++] = *pattern;
			continue;
		}
		low = lp_strings_text(n->strings, note->number[i].low_text);
		high = lp_strings_text(n->strings, note->number[i].high_text);
		length += (size_t)sprintf(text + length, "%s%s%s", low, low == high ? "" : "–",
			low == high ? "" : high);
		i++;
	}
	text[length] = '\0';
	return lp_strings_format(n->strings, "%s", text);
}
