// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does not fit into the flat counters of a row: reasons, histograms, series, and the kernel's
 * interrupt counters by CPU.
 *
 * Interrupt lines are those by which CPUs call each other, always, so that a 0 can be told from
 * silence; and whatever else changed, as long as that is little: a machine with a busy network card
 * has hundreds of lines.
 */
#include "drivers/bench/rows.h"

#include <stdbool.h>
#include <string.h>

#include "common/measure/metrics_json.h"

enum { OTHER_LINES_MAX = 16 };

static bool is_call_line(const char *name)
{
	return !strcmp(name, "CAL") || !strcmp(name, "RES") || !strcmp(name, "TLB") ||
	       !strncmp(name, "IPI", 3);
}

static int64_t line_sum(const struct lp_measurement *m, const struct lp_interrupts_line *line)
{
	return lp_interrupts_sum(&m->interrupts, line->name, m->os_cpu, (size_t)m->cpus);
}

static json_t *line_to_json(const struct lp_measurement *m, const struct lp_interrupts_line *line)
{
	json_t *counts = json_array();

	for (int i = 0; i < m->cpus; i++)
		json_array_append_new(counts, json_integer(lp_interrupts_sum(&m->interrupts,
						      line->name, &m->os_cpu[i], 1)));
	return counts;
}

static json_t *numbers_to_json(const int *numbers, int n)
{
	json_t *array = json_array();

	for (int i = 0; i < n; i++)
		json_array_append_new(array, json_integer(numbers[i]));
	return array;
}

static json_t *interrupts_to_json(const struct lp_measurement *m)
{
	json_t *lines = json_object();
	int others = 0;

	for (size_t i = 0; i < m->interrupts.lines; i++) {
		const struct lp_interrupts_line *line = &m->interrupts.line[i];
		bool call = is_call_line(line->name);

		if (!call && (line_sum(m, line) <= 0 || others++ >= OTHER_LINES_MAX))
			continue;
		json_object_set_new(lines, line->name, line_to_json(m, line));
	}
	return json_pack("{s:o, s:o}", "cpus", numbers_to_json(m->os_cpu, m->cpus), "lines", lines);
}

static json_t *rates_to_json(const struct lp_measurement *m)
{
	json_t *rates = json_array();

	for (int i = 0; i < m->cpus; i++)
		json_array_append_new(rates, json_real(m->rate[i]));
	return rates;
}

json_t *lp_details_to_json(const struct lp_measurement *m)
{
	json_t *details = lp_metrics_details_to_json(&m->metrics);

	if (m->interrupts.lines)
		json_object_set_new(details, "interrupts", interrupts_to_json(m));
	if (m->cpus) {
		json_object_set_new(details, "cpus", numbers_to_json(m->os_cpu, m->cpus));
		json_object_set_new(details, "rates_per_s", rates_to_json(m));
	}
	return details;
}
