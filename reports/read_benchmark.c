// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * benchmark.json, ours or that of any program built with Google Benchmark. Aggregates (mean,
 * median, …) are passed over: the repetitions say more.
 */
#include <errno.h>
#include <string.h>

#include "reports/read_parts.h"

struct counts {
	bool benchmarks, ours;
	size_t rows, aggregates;
};

/* context.lockpath: what only our own files have. */
static int read_ours(struct lp_reader *rd, struct counts *n)
{
	struct lp_json *j = &rd->json;
	struct lp_results *r = rd->results;
	double value;
	int rc = lp_json_enter(j, '{');

	n->ours = true;
	while (!rc && (rc = lp_json_next(j)) > 0) {
		if (!strcmp(j->text, "version")) {
			rc = lp_read_text(rd, &r->version);
		} else if (!strcmp(j->text, "profile")) {
			rc = lp_read_text(rd, &r->profile);
		} else if (!strcmp(j->text, "absent")) {
			rc = lp_read_absent(rd);
		} else if (!strcmp(j->text, "seed")) {
			rc = lp_json_number(j, &value);
			if (!rc && value == value)
				r->seed = lp_strings_add(&r->strings, j->text, j->length);
		} else {
			rc = lp_json_skip(j);
		}
	}
	for (size_t i = 0; !rc && i < rd->absents; i++)
		if (lp_results_add_absent(r, rd->absent[i].metric, rd->absent[i].reason, true))
			rc = lp_read_out_of_memory(rd);
	return rc;
}

static int read_context(struct lp_reader *rd, struct counts *n)
{
	struct lp_json *j = &rd->json;
	int rc = lp_json_enter(j, '{');

	while (!rc && (rc = lp_json_next(j)) > 0) {
		if (!strcmp(j->text, "date"))
			rc = lp_read_text(rd, &rd->results->started);
		else if (!strcmp(j->text, "lockpath") && lp_json_peek(j) == '{')
			rc = read_ours(rd, n);
		else
			rc = lp_json_skip(j);
	}
	return rc;
}

static int keep_entry(struct lp_reader *rd, const struct lp_entry *e)
{
	struct lp_row row = {.repetition = (int)e->repetition, .attempt = LP_NO_ATTEMPT};
	uint32_t name = e->run_name ? e->run_name : e->name;
	long item;
	int rc;

	if (!name)
		return lp_json_fail(&rd->json, "a benchmark without a name");
	item = lp_results_item(rd->results, name);
	if (item < 0)
		return lp_read_out_of_memory(rd);
	row.item = (uint32_t)item;
	rc = lp_read_entry_row(rd, e, &row);
	if (rc)
		return rc;
	return lp_results_add_row(rd->results, &row) ? lp_read_out_of_memory(rd) : 0;
}

static int read_benchmarks(struct lp_reader *rd, struct counts *n)
{
	struct lp_json *j = &rd->json;
	struct lp_entry e;
	int rc = lp_json_enter(j, '[');

	n->benchmarks = true;
	while (!rc && (rc = lp_json_next(j)) > 0) {
		rc = lp_read_entry(rd, &e);
		if (!rc && e.aggregate) {
			rd->results->values = e.first;
			n->aggregates++;
		} else if (!rc) {
			rc = keep_entry(rd, &e);
			n->rows++;
		}
	}
	return rc;
}

int lp_read_benchmark(struct lp_reader *rd)
{
	struct lp_json *j = &rd->json;
	struct counts n = {0};
	int rc;

	if (lp_json_peek(j) < 0)
		return lp_json_fail(j, "the file is empty");
	rc = lp_json_enter(j, '{');
	while (!rc && (rc = lp_json_next(j)) > 0) {
		if (!strcmp(j->text, "context"))
			rc = read_context(rd, &n);
		else if (!strcmp(j->text, "benchmarks"))
			rc = read_benchmarks(rd, &n);
		else
			rc = lp_json_skip(j);
	}
	if (!rc)
		rc = lp_json_finish(j);
	if (rc)
		return rc;
	rd->results->foreign = !n.ours;
	if (!n.benchmarks)
		return lp_json_fail(j, "no \"benchmarks\": not the output of Google Benchmark");
	if (!n.rows && n.aggregates)
		return lp_json_fail(j, "only aggregates: run it again without "
				       "--benchmark_report_aggregates_only");
	return n.rows ? 0 : lp_json_fail(j, "\"benchmarks\" is empty: nothing was measured");
}
