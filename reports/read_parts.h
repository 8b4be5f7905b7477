/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that read a results folder share. For reports/read*.c only.
 */
#ifndef LP_REPORTS_READ_PARTS_H
#define LP_REPORTS_READ_PARTS_H

#include "reports/json.h"
#include "reports/results.h"

/* Names and reasons longer than these are refused or cut. */
enum { LP_READ_NAME_MAX = 1024, LP_READ_REASON_MAX = 400 };

struct lp_reader {
	struct lp_json json;
	struct lp_results *results;
	struct lp_error *err;
	/* Absences of the row being read: they count only once it has been read to its end. */
	size_t absents;
	struct {
		uint32_t metric, reason;
	} absent[256];
};

/* What one entry of `benchmarks` says, before it is known whether it counts. */
struct lp_entry {
	uint32_t name, run_name, label, message;
	bool aggregate, failed;
	long repetition, verdict; /* verdict −1: not said */
	double real_time, cpu_time, unit_ns;
	bool ns_per_op, cpu_ns_per_op; /* these figures were there */
	size_t first;		       /* of its figures in the results */
};

/* Must be called once before any row is read. */
void lp_read_keys_init(struct lp_strings *s);

/* The object that comes next, an entry of `benchmarks`. Its figures go to the end of the results'
 * values; the caller takes them away again if the row does not count. */
int lp_read_entry(struct lp_reader *rd, struct lp_entry *e);

/* Make @row of @e: figures, verdict, reason. @row->item, repetition and attempt are the caller's.
 */
int lp_read_entry_row(struct lp_reader *rd, const struct lp_entry *e, struct lp_row *row);

/* An object of figure → reason, pending in @rd. */
int lp_read_absent(struct lp_reader *rd);

/* A string or null into a handle; a name must be there and not be empty. */
int lp_read_text(struct lp_reader *rd, uint32_t *text);
int lp_read_name(struct lp_reader *rd, uint32_t *name);

int lp_read_out_of_memory(struct lp_reader *rd);

int lp_read_journal(struct lp_reader *rd);
int lp_read_benchmark(struct lp_reader *rd);

#endif
