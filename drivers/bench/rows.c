// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Google Benchmark calls measure_row() once a repetition; what was measured outside of it goes in
 * by lp_gb_window(), so that its own flags, filters and formats all work on our rows.
 */
#include "drivers/bench/rows.h"

#include <errno.h>
#include <stdlib.h>

#include "drivers/gbench/lp_gbench.h"

static void report(struct lp_gb_state *state, const struct lp_measurement *m)
{
	if (lp_gb_window(state, m->ops, m->wall_seconds, m->cpu_seconds)) {
		lp_gb_error(state, lp_gb_last_error());
		return;
	}
	lp_gb_label(state, m->label);
	lp_gb_counter(state, "verdict", m->verdict);
	for (size_t i = 0; i < m->metrics.count; i++)
		lp_gb_counter(state, m->metrics.metric[i].name, m->metrics.metric[i].value);
}

static void measure_row(struct lp_gb_state *state, void *arg)
{
	struct lp_row *row = arg;
	struct lp_measurement m;
	struct lp_error err = {0};

	json_decref(row->details);
	row->details = NULL;
	if (lp_measure(&row->spec, row->options, &m, &err)) {
		lp_gb_error(state, err.message);
	} else {
		report(state, &m);
		row->details = lp_details_to_json(&m);
	}
	lp_measurement_destroy(&m);
}

int lp_rows_add(struct lp_rows *rows, const struct lp_case *c, struct lp_error *err)
{
	struct lp_gb_options o = {.window = true, .threads = c->threads};
	struct lp_row *row = calloc(1, sizeof(*row));
	char name[LP_NAME_MAX];
	int rc;

	if (!row)
		return lp_fail(err, ENOMEM, "no memory for a row");
	row->spec = *c;
	row->options = rows->options;
	lp_case_name(c, name);
	rc = lp_gb_register(name, measure_row, row, &o);
	if (rc) {
		free(row);
		return lp_fail(err, -rc, "%s", lp_gb_last_error());
	}
	row->next = rows->first;
	rows->first = row;
	return 0;
}

void lp_rows_free(struct lp_rows *rows)
{
	while (rows->first) {
		struct lp_row *row = rows->first;

		rows->first = row->next;
		json_decref(row->details);
		free(row);
	}
}
