// SPDX-License-Identifier: GPL-2.0-or-later
/* Progress on standard error, so that standard output holds nothing but results. */
#include "drivers/schedule/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void lp_progress_init(struct lp_progress *p, size_t total, double guess_s)
{
	*p = (struct lp_progress){
		.terminal = isatty(STDERR_FILENO), .total = total, .guess_s = guess_s};
}

static double seconds_left(const struct lp_progress *p)
{
	double each = p->done ? p->spent_s / (double)p->done : p->guess_s;

	return each * (double)(p->total - p->done);
}

static int width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20)
		return 80;
	return size.ws_col;
}

void lp_progress_begin(struct lp_progress *p, const char *name)
{
	int left = (int)(seconds_left(p) + 0.5), room;
	char before[48], after[48];

	snprintf(before, sizeof(before), "[%zu/%zu] ", p->done + 1, p->total);
	snprintf(after, sizeof(after), " … %d:%02d left", left / 60, left % 60);
	if (!p->terminal) {
		fprintf(stderr, "%s%s%s\n", before, name, after);
		return;
	}
	/* The ellipsis is three bytes and one column; one column stays free. */
	room = width() - (int)strlen(before) - (int)strlen(after) + 2 - 1;
	fprintf(stderr, "\r\033[K%s%.*s%s", before, room > 0 ? room : 0, name, after);
	fflush(stderr);
}

void lp_progress_end(struct lp_progress *p, double wall_s, const char *name, const char *note)
{
	p->done++;
	p->spent_s += wall_s;
	if (note)
		fprintf(stderr, "%s%s: %s\n", p->terminal ? "\r\033[K" : "", name, note);
}

void lp_progress_finish(struct lp_progress *p)
{
	if (p->terminal)
		fputs("\r\033[K", stderr);
}
