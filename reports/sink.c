// SPDX-License-Identifier: GPL-2.0-or-later
/* Buffered output with an error that sticks. */
#include "reports/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/grow.h"

enum { FLUSH_BYTES = 64 * 1024 };

void lp_sink_init(struct lp_sink *s, int fd)
{
	memset(s, 0, sizeof(*s));
	s->fd = fd;
}

void lp_sink_destroy(struct lp_sink *s)
{
	free(s->text);
	memset(s, 0, sizeof(*s));
	s->fd = -1;
}

static void flush(struct lp_sink *s)
{
	size_t done = 0;

	while (!s->error && done < s->length) {
		ssize_t n = write(s->fd, s->text + done, s->length - done);

		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno != EINTR)
			s->error = errno;
	}
	s->length = 0;
}

void lp_sink_write(struct lp_sink *s, const char *text, size_t n)
{
	if (s->error)
		return;
	if (lp_grow(&s->text, &s->room, s->length + n + 1, 1)) {
		s->error = ENOMEM;
		return;
	}
	memcpy(s->text + s->length, text, n);
	s->length += n;
	s->text[s->length] = '\0';
	if (s->fd >= 0 && s->length >= FLUSH_BYTES)
		flush(s);
}

void lp_sink_text(struct lp_sink *s, const char *text)
{
	lp_sink_write(s, text, strlen(text));
}

void lp_sink_repeat(struct lp_sink *s, const char *text, size_t times)
{
	while (times--)
		lp_sink_text(s, text);
}

int lp_sink_finish(struct lp_sink *s, struct lp_error *err)
{
	if (s->fd >= 0)
		flush(s);
	if (!s->error)
		return 0;
	return lp_fail(err, s->error, "the report cannot be written: %s", strerror(s->error));
}
