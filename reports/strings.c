// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An interning table: open addressing over hashes, texts packed into blocks.
 *
 * Texts are never freed one by one, so a block is a bump allocator. The table would stop working
 * with more than 2^31 texts; a file with so many would not fit into memory before that.
 */
#include "reports/strings.h"

#include <stdarg.h>
#include <stdio.h>

#include "reports/grow.h"

enum { BLOCK_BYTES = 64 * 1024 };

struct lp_string_block {
	struct lp_string_block *next;
	char text[];
};

void lp_strings_init(struct lp_strings *s)
{
	memset(s, 0, sizeof(*s));
	lp_strings_add(s, "", 0);
}

void lp_strings_destroy(struct lp_strings *s)
{
	while (s->blocks) {
		struct lp_string_block *next = s->blocks->next;

		free(s->blocks);
		s->blocks = next;
	}
	free(s->item);
	free(s->slot);
	memset(s, 0, sizeof(*s));
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

uint64_t lp_string_hash(const char *text, size_t length)
{
	uint64_t hash = mix(0xcbf29ce484222325ull, length), word;

	for (; length >= sizeof(word); text += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = mix(hash, word);
	}
	word = 0;
	memcpy(&word, text, length);
	return mix(hash, word);
}

/* Room for @bytes that stay where they are. A text larger than a block gets one of its own, put
 * behind the current one so that this is filled further. */
static char *allocate(struct lp_strings *s, size_t bytes)
{
	bool fits = s->blocks && bytes <= BLOCK_BYTES - s->used_in_block;
	struct lp_string_block *b;

	if (!fits) {
		b = malloc(sizeof(*b) + (bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES));
		if (!b)
			return NULL;
		if (bytes > BLOCK_BYTES && s->blocks) {
			b->next = s->blocks->next;
			s->blocks->next = b;
			return b->text;
		}
		b->next = s->blocks;
		s->blocks = b;
		s->used_in_block = 0;
	}
	s->used_in_block += bytes;
	if (s->used_in_block > BLOCK_BYTES)
		s->used_in_block = BLOCK_BYTES;
	return s->blocks->text + (fits ? s->used_in_block - bytes : 0);
}

static size_t probe(const struct lp_strings *s, const char *text, size_t length, uint64_t hash)
{
	size_t at = hash & (s->slots - 1);

	while (s->slot[at]) {
		const struct lp_string *i = &s->item[s->slot[at] - 1];

		if (i->hash == hash && !strncmp(i->text, text, length) && !i->text[length])
			break;
		at = (at + 1) & (s->slots - 1);
	}
	return at;
}

static int rehash(struct lp_strings *s, size_t slots)
{
	uint32_t *slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(s->slot);
	s->slot = slot;
	s->slots = slots;
	for (uint32_t i = 0; i < s->count; i++) {
		size_t at = s->item[i].hash & (slots - 1);

		while (slot[at])
			at = (at + 1) & (slots - 1);
		slot[at] = i + 1;
	}
	return 0;
}

static uint32_t give_up(struct lp_strings *s)
{
	s->failed = true;
	return LP_STRING_NONE;
}

uint32_t lp_strings_add_hashed(struct lp_strings *s, const char *text, size_t length, uint64_t hash)
{
	size_t at;
	char *copy;

	if (s->failed)
		return LP_STRING_NONE;
	if (2 * ((size_t)s->count + 1) > s->slots && rehash(s, s->slots ? 2 * s->slots : 1024))
		return give_up(s);
	at = probe(s, text, length, hash);
	if (s->slot[at])
		return s->slot[at] - 1;
	copy = allocate(s, length + 1);
	if (!copy || lp_grow(&s->item, &s->room, s->count + 1, sizeof(*s->item)))
		return give_up(s);
	memcpy(copy, text, length);
	copy[length] = '\0';
	s->item[s->count] = (struct lp_string){.text = copy, .hash = hash};
	s->slot[at] = ++s->count;
	return s->count - 1;
}

uint32_t lp_strings_add(struct lp_strings *s, const char *text, size_t length)
{
	return lp_strings_add_hashed(s, text, length, lp_string_hash(text, length));
}

uint32_t lp_strings_find(const struct lp_strings *s, const char *text)
{
	size_t length = strlen(text), at;

	if (!s->slots)
		return LP_STRING_NONE;
	at = probe(s, text, length, lp_string_hash(text, length));
	return s->slot[at] ? s->slot[at] - 1 : LP_STRING_NONE;
}

const char *lp_strings_text(const struct lp_strings *s, uint32_t handle)
{
	return handle < s->count ? s->item[handle].text : "";
}

const char *lp_strings_format(struct lp_strings *s, const char *format, ...)
{
	char *text;
	va_list args;
	int n;
	uint32_t handle;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		s->failed = true;
		return "";
	}
	handle = lp_strings_add(s, text, (size_t)n);
	free(text);
	return lp_strings_text(s, handle);
}
