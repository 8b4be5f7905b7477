// SPDX-License-Identifier: GPL-2.0-or-later
/* The quick conversion of decimals against strtod(), bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reports/decimal.h"

static uint64_t random_state = 1;

static uint64_t next_random(void)
{
	uint64_t z = (random_state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static bool agrees(const char *text)
{
	double fast, right = strtod(text, NULL);

	if (!lp_decimal_fast(text, &fast))
		return false;
	if (memcmp(&fast, &right, sizeof(fast)))
		fail_msg("%s: %.17g, should be %.17g", text, fast, right);
	return true;
}

static void what_it_does_it_does_right(void **state)
{
	static const char *const texts[] = {"0", "-0", "0.0", "0e999", "1", "-1", "0.1", "1.5",
		"9007199254740993", "9007199254740992.5", "9007199254740993.0",
		"4503599627370497.5", "9999999999999999999", "0.9999999999999999999", "1e-19",
		"0.0000000000000000001", "1.7976931348623157", "123456789.0123456789", "5e-1",
		"50E-2", "12.5e+0", "000.5", "9223372036854775807", "0.30000000000000004",
		"8.41e-7"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!agrees(texts[i]))
			fail_msg("%s was left to strtod()", texts[i]);
}

static void what_it_does_not_it_says(void **state)
{
	static const char *const texts[] = {"1e1", "1e-20", "18446744073709551616",
		"0.00000000000000000001", "1e999", "1e-999", "12345678901234567890",
		"1.00000000000000000000000", "1e99999999999999999999"};
	double value;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (lp_decimal_fast(texts[i], &value))
			fail_msg("%s is not for the quick way", texts[i]);
}

static void random_doubles(void **state)
{
	char text[64];
	size_t done = 0;

	for (int i = 0; i < 200000; i++) {
		double value = (double)next_random() / (double)(1ull << (16 + next_random() % 48));

		snprintf(text, sizeof(text), "%.*g", (int)(1 + next_random() % 17), value);
		done += agrees(text);
	}
	assert_true(done > 100000);
}

/* Halves between two doubles and their neighbours, where rounding decides. */
static void ties_and_their_neighbours(void **state)
{
	char text[64];

	for (int i = 0; i < 100000; i++) {
		uint64_t whole = (1ull << 53) + 2 * (next_random() >> 12) + 1;
		static const char *const tails[] = {"", ".0", ".01", ".99"};

		snprintf(text, sizeof(text), "%" PRIu64 "%s", whole, tails[i % 4]);
		assert_true(agrees(text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_does_it_does_right),
		cmocka_unit_test(what_it_does_not_it_says),
		cmocka_unit_test(random_doubles),
		cmocka_unit_test(ties_and_their_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
