// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings, numbers and words of JSON, strictly: no NaN, no Infinity, no lone surrogate, no text
 * that is not UTF-8 (RFC 3629), no number that a double cannot hold.
 *
 * Numbers are converted in the C locale whatever the process has set: a decimal comma would turn
 * 1.5 into 1 without a word.
 */
#include "reports/json_scalar.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "reports/decimal.h"
#include "reports/grow.h"

enum { NUMBER_MAX = 255 }; /* below the room that text has from the start */

static int append(struct lp_json *j, const void *bytes, size_t n)
{
	if (j->length + n > LP_JSON_STRING)
		return lp_json_fail(j, "a string of more than %d bytes", LP_JSON_STRING);
	if (lp_grow(&j->text, &j->room, j->length + n + 1, 1))
		return lp_fail(j->err, ENOMEM, "%s: out of memory", j->name);
	memcpy(j->text + j->length, bytes, n);
	j->length += n;
	return 0;
}

/* The length of the UTF-8 sequence at @s, 0 when it is not one. The text is NUL-terminated, which
 * no continuation byte equals, so it is never read past its end. */
static size_t utf8_sequence(const unsigned char *s)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	uint32_t c = s[0] & (n < 2 ? 0x7fu : 0x7fu >> n);

	if (s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3fu);
	}
	if (n > 1 && (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)))
		return 0;
	return n;
}

static bool utf8_valid(const char *text, size_t length)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n;

	for (size_t i = 0; i < length; i += n) {
		n = utf8_sequence(s + i);
		if (!n)
			return false;
	}
	return true;
}

static int read_hex4(struct lp_json *j, unsigned *code)
{
	*code = 0;
	for (int i = 0; i < 4; i++) {
		int c = lp_json_char(j);

		if (c < 0 || !isxdigit(c))
			return lp_json_expected(j, "four hexadecimal digits after \\u");
		*code = *code << 4 | (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
		j->at++;
	}
	return 0;
}

static int append_code_point(struct lp_json *j, unsigned c)
{
	unsigned char b[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = n; i-- > 1; c >>= 6)
		b[i] = (unsigned char)(0x80 | (c & 0x3f));
	b[0] = (unsigned char)(lead[n] | c);
	return append(j, b, n);
}

static int read_unicode(struct lp_json *j)
{
	unsigned high, low;
	int rc = read_hex4(j, &high);

	if (rc)
		return rc;
	if (!high)
		return lp_json_fail(j, "a NUL character in a string");
	if (high < 0xd800 || high > 0xdfff)
		return append_code_point(j, high);
	for (const char *s = "\\u"; *s; s++) {
		if (high > 0xdbff || lp_json_char(j) != *s)
			return lp_json_fail(j, "half a surrogate pair in a string");
		j->at++;
	}
	rc = read_hex4(j, &low);
	if (rc)
		return rc;
	if (low < 0xdc00 || low > 0xdfff)
		return lp_json_fail(j, "half a surrogate pair in a string");
	return append_code_point(j, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
}

static int read_escape(struct lp_json *j)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c;
	const char *at;

	j->at++;
	c = lp_json_char(j);
	if (c < 0)
		return lp_json_expected(j, "the end of a string");
	j->at++;
	if (c == 'u')
		return read_unicode(j);
	at = c ? strchr(from, c) : NULL;
	if (!at)
		return lp_json_fail(j, "an unknown escape in a string");
	return append(j, &to[at - from], 1);
}

/* The characters up to a quote, an escape, a control character or the end of the buffer. */
static int read_plain(struct lp_json *j, unsigned char *seen)
{
	const unsigned char *from = j->at, *at = from, *end = j->end;
	unsigned char all = 0;

	while (at < end && *at >= ' ' && *at != '"' && *at != '\\')
		all |= *at++;
	if (at == from)
		return lp_json_fail(j, "a raw control character in a string");
	*seen |= all;
	j->at = at;
	return append(j, from, (size_t)(at - from));
}

int lp_json_read_text(struct lp_json *j)
{
	unsigned char seen = 0;
	int rc, c;

	j->at++;
	j->length = 0;
	while ((c = lp_json_char(j)) != '"') {
		if (c < 0)
			return lp_json_expected(j, "the end of a string");
		rc = c == '\\' ? read_escape(j) : read_plain(j, &seen);
		if (rc)
			return rc;
	}
	j->at++;
	j->text[j->length] = '\0';
	if (seen & 0x80 && !utf8_valid(j->text, j->length))
		return lp_json_fail(j, "a string that is not UTF-8");
	return 0;
}

static const char *digits(const char *s)
{
	while (*s >= '0' && *s <= '9')
		s++;
	return s;
}

/* number = [ "-" ] ( "0" / 1-9 *digit ) [ "." 1*digit ] [ e [ + / - ] 1*digit ] */
static bool number_grammar(const char *s)
{
	const char *from;

	s += *s == '-';
	from = s;
	s = digits(s);
	if (s == from || (*from == '0' && s - from > 1))
		return false;
	if (*s == '.') {
		from = ++s;
		s = digits(s);
		if (s == from)
			return false;
	}
	if (*s == 'e' || *s == 'E') {
		s += 1 + (s[1] == '+' || s[1] == '-');
		from = s;
		s = digits(s);
		if (s == from)
			return false;
	}
	return !*s;
}

static bool in_number(int c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || (c | 32) == 'e';
}

/* The characters of a number into text, their form checked. Works a buffer at a time on copies:
 * text written through j->text might be j itself for all the compiler knows. */
static int read_number(struct lp_json *j)
{
	size_t length = 0;

	while (lp_json_char(j) >= 0 && in_number(*j->at)) {
		const unsigned char *at = j->at, *end = j->end;
		char *text = j->text;

		while (at < end && length < NUMBER_MAX && in_number(*at))
			text[length++] = (char)*at++;
		j->at = at;
		if (length == NUMBER_MAX)
			return lp_json_fail(j, "a number of %d characters or more", NUMBER_MAX);
	}
	j->length = length;
	j->text[length] = '\0';
	if (!number_grammar(j->text))
		return lp_json_fail(j, "%.64s is not a number in JSON", j->text);
	return 0;
}

static int convert(struct lp_json *j, double *value)
{
	static locale_t c_locale; /* made once, kept: one thread reads */

	if (lp_decimal_fast(j->text, value))
		return 0;
	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c_locale)
		return lp_fail(j->err, ENOMEM, "%s: out of memory", j->name);
	*value = strtod_l(j->text, NULL, c_locale);
	if (!isfinite(*value))
		return lp_json_fail(j, "the number %.64s is out of range", j->text);
	return 0;
}

static int read_word(struct lp_json *j, const char *word)
{
	for (const char *s = word; *s; s++) {
		if (lp_json_char(j) != *s)
			return lp_json_expected(j, word);
		j->at++;
	}
	return 0;
}

static bool starts_number(int c)
{
	return c == '-' || (c >= '0' && c <= '9');
}

int lp_json_number(struct lp_json *j, double *value)
{
	int c = lp_json_token(j), rc;

	*value = NAN;
	if (c == 'n')
		return read_word(j, "null");
	if (!starts_number(c))
		return lp_json_expected(j, "a number or null");
	rc = read_number(j);
	return rc ? rc : convert(j, value);
}

int lp_json_whole(struct lp_json *j, long min, long max, long *value)
{
	double number;
	int rc = lp_json_number(j, &number);

	if (rc)
		return rc;
	if (!(number >= (double)min && number <= (double)max) || number != floor(number))
		return lp_json_fail(j, "expected a whole number of %ld to %ld, found %.32s", min,
			max, isnan(number) ? "null" : j->text);
	*value = (long)number;
	return 0;
}

int lp_json_string(struct lp_json *j, bool *is_null)
{
	int c = lp_json_token(j);

	*is_null = c == 'n';
	if (c == '"')
		return lp_json_read_text(j);
	if (c != 'n')
		return lp_json_expected(j, "a string");
	j->length = 0;
	j->text[0] = '\0';
	return read_word(j, "null");
}

int lp_json_bool(struct lp_json *j, bool *value)
{
	int c = lp_json_token(j);

	*value = c == 't';
	if (c != 't' && c != 'f')
		return lp_json_expected(j, "true or false");
	return read_word(j, c == 't' ? "true" : "false");
}

int lp_json_skip_one(struct lp_json *j)
{
	int c = lp_json_token(j);

	if (c == '{' || c == '[')
		return lp_json_enter(j, (char)c);
	if (c == '"')
		return lp_json_read_text(j);
	if (starts_number(c))
		return read_number(j);
	if (c == 't')
		return read_word(j, "true");
	if (c == 'f')
		return read_word(j, "false");
	if (c == 'n')
		return read_word(j, "null");
	return lp_json_expected(j, "a value");
}
