// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers, notes, tables and the two forms, down to the blank; and output that cannot be written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "reports/document.h"
#include "reports/format.h"
#include "reports/notes.h"
#include "reports/utf8.h"

static struct lp_strings strings;

static void numbers(void **state)
{
	static const struct {
		double value;
		int digits;
		const char *text;
	} cases[] = {{12.345, 3, "12.3"}, {0.12345, 3, "0.123"}, {0.0012345, 3, "0.00123"},
		{12345.6, 3, "12346"}, {999999.4, 3, "999999"}, {0, 3, "0"}, {-0.0, 3, "0"},
		{14, 4, "14"}, {-2.5, 2, "-2.5"}, {1234567, 3, "1.23M"}, {8e7, 3, "80.0M"},
		{2.5e9, 2, "2.5G"}, {7e12, 3, "7.00T"}, {1e18, 3, "1.00e+18"},
		{0.00001234, 3, "1.23e-05"}, {NAN, 3, "—"}, {INFINITY, 3, "—"}, {1, 17, "1"},
		{0.999, 1, "1"}, {-3e6, 2, "-3.0M"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
			lp_format_number(&strings, cases[i].value, cases[i].digits), cases[i].text);
}

static void intervals_have_the_decimals_of_their_value(void **state)
{
	assert_string_equal(
		lp_format_interval(&strings, 12.34, 9.87, 100.26, 3), "12.3 (9.9–100.3)");
	assert_string_equal(lp_format_interval(&strings, 1234, 999.6, 1300, 3), "1234 (1000–1300)");
	assert_string_equal(lp_format_interval(&strings, NAN, NAN, NAN, 3), "—");
}

static void units(void **state)
{
	assert_string_equal(lp_time_unit(0.3)->name, "ns");
	assert_string_equal(lp_time_unit(999)->name, "ns");
	assert_string_equal(lp_time_unit(1000)->name, "µs");
	assert_string_equal(lp_time_unit(2e6)->name, "ms");
	assert_string_equal(lp_time_unit(1e12)->name, "s");
	assert_string_equal(lp_time_unit(NAN)->name, "ns");
}

static void notes_merge_numbers(void **state)
{
	struct lp_notes n;

	lp_notes_init(&n, &strings);
	assert_int_equal(lp_notes_add(&n, "lost 5.5 % of 10"), 1);
	assert_int_equal(lp_notes_add(&n, "pinned"), 2);
	assert_int_equal(lp_notes_add(&n, "lost 12 % of 10"), 1);
	assert_int_equal(lp_notes_add(&n, "lost 7.25 % of 9"), 1);
	assert_int_equal(lp_notes_add_exactly(&n, "from 1 to 2"), 3);
	assert_int_equal(lp_notes_add_exactly(&n, "from 3 to 4"), 4);
	assert_int_equal(lp_notes_add_exactly(&n, "from 1 to 2"), 3);
	assert_string_equal(lp_notes_text(&n, 1), "lost 5.5–12 % of 9–10");
	assert_string_equal(lp_notes_text(&n, 2), "pinned");
	assert_string_equal(lp_notes_text(&n, 3), "from 1 to 2");
	assert_int_equal(n.note[0].times, 3);
	lp_notes_destroy(&n);
}

static void notes_have_an_end(void **state)
{
	struct lp_notes n;
	char text[64];

	lp_notes_init(&n, &strings);
	for (int i = 0; i < LP_NOTES_MAX + 50; i++) {
		snprintf(text, sizeof(text), "reason %c%c", 'a' + i / 26, 'a' + i % 26);
		assert_int_equal(lp_notes_add(&n, text), i < LP_NOTES_MAX ? i + 1 : LP_NOTES_MAX);
	}
	assert_int_equal(n.count, LP_NOTES_MAX);
	assert_non_null(strstr(lp_notes_text(&n, LP_NOTES_MAX), "another reason"));
	assert_string_equal(lp_notes_text(&n, LP_NOTES_MAX - 1), "reason hq");
	lp_notes_destroy(&n);
	lp_notes_init(&n, &strings);
	assert_int_equal(lp_notes_add(&n, "1 2 3 4 5 6 7 8 9 10"), 1);
	assert_int_equal(lp_notes_add(&n, "1 2 3 4 5 6 7 8 9 11"), 2);
	assert_int_equal(lp_notes_add(&n, "0 2 3 4 5 6 7 8 9 11"), 2);
	assert_string_equal(lp_notes_text(&n, 2), "0–1 2 3 4 5 6 7 8 9 11");
	lp_notes_destroy(&n);
}

/* ---- forms ---- */

static struct lp_sink out;

static void expect(const char *text)
{
	assert_int_equal(lp_sink_finish(&out, NULL), 0);
	assert_string_equal(out.length ? out.text : "", text);
	lp_sink_destroy(&out);
	lp_sink_init(&out, -1);
}

static struct lp_table small_table(void)
{
	struct lp_table t;
	size_t row;

	lp_table_init(&t);
	lp_table_add_column(&t, "name", LP_LEFT);
	lp_table_add_column(&t, "a long head", LP_RIGHT);
	lp_table_add_column(&t, "note", LP_LEFT);
	t.keys = 1;
	lp_table_add_group(&t, "k:1");
	row = lp_table_add_row(&t);
	lp_table_set(&t, row, 0, "µ");
	lp_table_set(&t, row, 1, "1.5");
	lp_table_add_group(&t, "k:2");
	row = lp_table_add_row(&t);
	lp_table_set(&t, row, 0, "a|b");
	lp_table_set(&t, row, 1, "12.25");
	lp_table_set(&t, row, 2, "2");
	return t;
}

static void a_text_table(void **state)
{
	struct lp_table t = small_table();

	lp_form_text.table(&out, &t);
	expect("name      a  note\n"
	       "       long\n"
	       "       head\n"
	       "─────────────────\n"
	       "k:1\n"
	       "µ       1.5\n"
	       "\n"
	       "k:2\n"
	       "a|b   12.25  2\n"
	       "\n");
	lp_table_destroy(&t);
}

static void a_markdown_table(void **state)
{
	struct lp_table t = small_table();

	lp_form_markdown.table(&out, &t);
	expect("| name | a long head | note |\n"
	       "|---|---:|---|\n"
	       "| **k:1** |  |  |\n"
	       "| µ | 1.5 |  |\n"
	       "| **k:2** |  |  |\n"
	       "| a\\|b | 12.25 | 2 |\n"
	       "\n");
	lp_table_destroy(&t);
}

static size_t longest_line(const char *text)
{
	size_t longest = 0;

	while (*text) {
		size_t n = strcspn(text, "\n"), width = lp_utf8_width(text, n);

		longest = width > longest ? width : longest;
		text += n + (text[n] == '\n');
	}
	return longest;
}

static size_t occurrences(const char *text, const char *word)
{
	size_t n = 0;

	for (text = strstr(text, word); text; text = strstr(text + 1, word))
		n++;
	return n;
}

/* Thirty columns of ten: pieces of at most 100, each with the key, every cell exactly once. */
static void wide_tables_continue_below(void **state)
{
	struct lp_table t;

	lp_table_init(&t);
	lp_table_add_column(&t, "key", LP_LEFT);
	for (int c = 1; c <= 30; c++)
		lp_table_add_column(&t, lp_strings_format(&strings, "head%d.", c), LP_RIGHT);
	t.keys = 1;
	for (size_t r = 0; r < 2; r++) {
		lp_table_add_row(&t);
		lp_table_set(&t, r, 0, r ? "second" : "first");
		for (size_t c = 1; c <= (r ? 3 : 30); c++)
			lp_table_set(&t, r, c, lp_strings_format(&strings, "cell%zu.%zu.", r, c));
	}
	lp_form_text.table(&out, &t);
	assert_true(longest_line(out.text) <= 100);
	assert_int_equal(occurrences(out.text, "key"), 4);
	assert_int_equal(occurrences(out.text, "first"), 4);
	assert_int_equal(occurrences(out.text, "second"), 1); /* nothing to say in the others */
	for (int c = 1; c <= 30; c++) {
		char word[32];

		snprintf(word, sizeof(word), "cell0.%d.", c);
		assert_int_equal(occurrences(out.text, word), 1);
		snprintf(word, sizeof(word), "head%d.", c);
		assert_int_equal(occurrences(out.text, word), 1);
	}
	lp_table_destroy(&t);
	lp_sink_destroy(&out);
	lp_sink_init(&out, -1);
}

static void empty_columns_go(void **state)
{
	struct lp_table t = small_table();

	lp_table_set(&t, 3, 2, "");
	lp_table_drop_empty(&t, 1);
	assert_int_equal(t.columns, 2);
	assert_string_equal(lp_table_get(&t, 3, 1), "12.25");
	lp_table_set(&t, 1, 1, "");
	lp_table_set(&t, 3, 1, "");
	lp_table_drop_empty(&t, 0);
	assert_int_equal(t.columns, 1);
	assert_int_equal(t.keys, 1);
	lp_table_destroy(&t);
}

static void texts_wrap(void **state)
{
	char text[400] = "";

	for (int i = 0; i < 30; i++)
		strcat(text, "wörter mit ");
	lp_form_text.paragraph(&out, text);
	assert_true(longest_line(out.text) <= 100);
	assert_true(longest_line(out.text) > 90);
	lp_sink_destroy(&out);
	lp_sink_init(&out, -1);
	lp_form_text.item(&out, 7, "Run", text);
	assert_true(longest_line(out.text) <= 100);
	assert_non_null(strstr(out.text, "  Run      wörter"));
	assert_non_null(strstr(out.text, "\n           "));
	lp_sink_destroy(&out);
	lp_sink_init(&out, -1);
}

/* What stands in a file must neither drive a terminal nor be markup. */
static void texts_are_harmless(void **state)
{
	static const char nasty[] = "\x1b[2J\x07 <b>*x*</b> `y` _z_ a_b [l](u) \xc2\x9b & \\ ~ |";

	lp_form_text.paragraph(&out, nasty);
	expect("\xef\xbf\xbd[2J\xef\xbf\xbd <b>*x*</b> `y` _z_ a_b [l](u) \xef\xbf\xbd & \\ ~ "
	       "|\n\n");
	lp_form_markdown.paragraph(&out, nasty);
	expect("\xef\xbf\xbd\\[2J\xef\xbf\xbd &lt;b&gt;\\*x\\*&lt;/b&gt; \\`y\\` \\_z\\_ a_b "
	       "\\[l\\](u) \xef\xbf\xbd &amp; \\\\ \\~ \\|\n\n");
	lp_form_markdown.paragraph(&out, "# no heading");
	expect("\\# no heading\n\n");
	lp_form_markdown.paragraph(&out, "12. no list");
	expect("12\\. no list\n\n");
	lp_form_markdown.item(&out, 1, "1", "note");
	expect("* **1** note\n");
}

static void forms_have_names(void **state)
{
	assert_ptr_equal(lp_form_find("text"), &lp_form_text);
	assert_ptr_equal(lp_form_find("markdown"), &lp_form_markdown);
	assert_null(lp_form_find("pdf"));
}

static void errors_of_output_stick(void **state)
{
	struct lp_error err = {0};
	struct lp_sink s;
	int fd = open("/dev/full", O_WRONLY), ends[2];

	assert_true(fd >= 0);
	lp_sink_init(&s, fd);
	lp_sink_repeat(&s, "x", 200000);
	assert_int_equal(lp_sink_finish(&s, &err), -ENOSPC);
	assert_non_null(strstr(err.message, "cannot be written: No space left"));
	lp_sink_destroy(&s);
	close(fd);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	lp_sink_init(&s, ends[1]);
	lp_sink_text(&s, "x");
	assert_int_equal(lp_sink_finish(&s, &err), -EPIPE);
	lp_sink_destroy(&s);
	close(ends[1]);
}

static int make(void **state)
{
	lp_strings_init(&strings);
	lp_sink_init(&out, -1);
	return 0;
}

static int drop(void **state)
{
	lp_strings_destroy(&strings);
	lp_sink_destroy(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(intervals_have_the_decimals_of_their_value),
		cmocka_unit_test(units),
		cmocka_unit_test(notes_merge_numbers),
		cmocka_unit_test(notes_have_an_end),
		cmocka_unit_test(a_text_table),
		cmocka_unit_test(a_markdown_table),
		cmocka_unit_test(wide_tables_continue_below),
		cmocka_unit_test(empty_columns_go),
		cmocka_unit_test(texts_wrap),
		cmocka_unit_test(texts_are_harmless),
		cmocka_unit_test(forms_have_names),
		cmocka_unit_test(errors_of_output_stick),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
