/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run in memory: its rows (one a repetition) in the order of its plan, and what is known of
 * the run. Filled by read.h; figures are drawn from it by figure.h.
 *
 * All texts are handles into `strings`. A figure that is null in the file is NaN here and nowhere
 * else becomes a number.
 */
#ifndef LP_REPORTS_RESULTS_H
#define LP_REPORTS_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/measure/disturbance.h"
#include "reports/name.h"
#include "reports/placement.h"
#include "reports/strings.h"
#include "reports/suites.h"

enum lp_outcome { LP_OUTCOME_OK, LP_OUTCOME_ERROR, LP_OUTCOME_CRASHED, LP_OUTCOME_TIMEOUT };

#define LP_NO_ATTEMPT (-1)

struct lp_value {
	double value; /* NaN: null */
	uint32_t metric;
};

/* One repetition: its last attempt. */
struct lp_row {
	uint32_t item; /* index of its case */
	int repetition;
	int attempt; /* LP_NO_ATTEMPT in benchmark.json: a name that stands there twice counts twice
		      */
	enum lp_outcome outcome;
	enum lp_verdict verdict; /* of an ok row */
	uint32_t reason;    /* why it is disturbed, invalid or failed; LP_STRING_NONE if nothing is
			       said */
	uint32_t placement; /* index into placements, LP_PLACEMENT_NONE */
	size_t first, values; /* in value */
	size_t place;	      /* in the file */
};

/* A case: the repetitions of one name. */
struct lp_item {
	uint32_t text; /* its whole name */
	struct lp_name name;
	int planned;	    /* repetitions; 0: not in the plan */
	size_t first, rows; /* in row */
};

struct lp_skipped {
	uint32_t text, reason;
	struct lp_name name;
};

/* A figure that some rows do not have, and why. */
struct lp_absent {
	uint32_t metric, reason;
	size_t rows; /* how many said so; 0: said for the whole run */
};

struct lp_results {
	struct lp_strings strings;
	const char *path; /* as the user gave it; the caller's */
	bool foreign;	  /* Google Benchmark output of another project */
	uint32_t version, started, profile, seed,
		machine_name;	  /* texts, LP_STRING_NONE: not known */
	double min_time_s;	  /* NaN: not known */
	int cpus;		  /* CPUs of the run, 0: not known */
	size_t attempts, retried; /* attempts read; those that a later attempt replaced */

	struct lp_value *value;
	struct lp_row *row;
	struct lp_item *item;
	struct lp_skipped *skipped;
	struct lp_absent *absent;
	struct lp_placement *placement;
	uint32_t *note; /* what a reader should know of the reading itself */
	size_t values, rows, items, skips, absents, placements, notes;

	json_t *machine; /* machine.json, NULL when there is none */
	struct lp_suites suites;

	/* private: room, and the case of a name's handle, plus 1 */
	size_t value_room, row_room, item_room, skip_room, absent_room, placement_room, note_room;
	uint32_t *item_of;
	size_t item_of_room;
};

void lp_results_init(struct lp_results *r);
void lp_results_destroy(struct lp_results *r);

/** lp_results_item() - the index of the case called @name, made when new. Return: -ENOMEM or it. */
long lp_results_item(struct lp_results *r, uint32_t name);

int lp_results_add_row(struct lp_results *r, const struct lp_row *row);
int lp_results_add_value(struct lp_results *r, uint32_t metric, double value);
int lp_results_add_skipped(struct lp_results *r, uint32_t name, uint32_t reason);
int lp_results_add_note(struct lp_results *r, const char *text);

/** lp_results_add_absent() - one more row, or with @whole_run the run, lacks @metric for @reason.
 */
int lp_results_add_absent(struct lp_results *r, uint32_t metric, uint32_t reason, bool whole_run);

/** lp_results_group() - once all rows are there: order them by case and repetition, keep the last
 * attempt at each, and find their placement classes. Return: 0 or -ENOMEM. */
int lp_results_group(struct lp_results *r);

/** lp_row_value() - the figure @metric of @row, NaN when it has none. */
double lp_row_value(const struct lp_results *r, const struct lp_row *row, uint32_t metric);

/** lp_results_text() - the text of a handle. */
static inline const char *lp_results_text(const struct lp_results *r, uint32_t handle)
{
	return lp_strings_text(&r->strings, handle);
}

#endif
