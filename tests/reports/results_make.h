/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results for tests: a journal written line by line into memory, then read as any other.
 */
#ifndef LP_TESTS_RESULTS_MAKE_H
#define LP_TESTS_RESULTS_MAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reports/read.h"
#include "reports/sink.h"

struct journal {
	struct lp_sink text;
};

static inline void journal_init(struct journal *j)
{
	lp_sink_init(&j->text, -1);
	lp_sink_text(&j->text, "{\"lockpath_journal\":1,\"cpus\":[0,1]}\n");
}

/* A finished repetition of @name; @figures are members of its row. */
static inline void journal_row(
	struct journal *j, const char *name, int repetition, const char *label, const char *figures)
{
	char line[2048];

	snprintf(line, sizeof(line),
		"{\"name\":\"%s\",\"repetition\":%d,\"attempt\":0,\"outcome\":\"ok\",\"row\":{"
		"\"name\":\"%s\",\"label\":\"%s\",%s}}\n",
		name, repetition, name, label, figures);
	lp_sink_text(&j->text, line);
}

/* The same with one time and one round trip; a round trip below 0 is null. */
static inline void journal_time(struct journal *j, const char *name, int repetition,
	const char *label, double ns, double round_trip_ns)
{
	char figures[256];

	if (round_trip_ns < 0)
		snprintf(figures, sizeof(figures), "\"ns_per_op\":%g,\"cache_line_rtt_ns\":null",
			ns);
	else
		snprintf(figures, sizeof(figures), "\"ns_per_op\":%g,\"cache_line_rtt_ns\":%g", ns,
			round_trip_ns);
	journal_row(j, name, repetition, label, figures);
}

/* Read what was written into @r; the test fails if it cannot be. */
static inline void journal_read(struct journal *j, struct lp_results *r)
{
	struct lp_error err = {0};

	lp_results_init(r);
	if (lp_read_journal_text(r, "journal", j->text.text, j->text.length, &err))
		fail_msg("%s", err.message);
	lp_sink_destroy(&j->text);
}

static inline const struct lp_item *find_item(const struct lp_results *r, const char *name)
{
	for (size_t i = 0; i < r->items; i++)
		if (!strcmp(lp_results_text(r, r->item[i].text), name))
			return &r->item[i];
	fail_msg("no case %s", name);
	return NULL;
}

static inline uint32_t metric(const struct lp_results *r, const char *name)
{
	return lp_strings_find(&r->strings, name);
}

#endif
