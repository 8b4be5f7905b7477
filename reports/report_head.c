// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How a report begins: what was measured where, and everything that makes the figures below less
 * than they seem. A caveat that is true of the run is said before the first figure.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/machine/facts.h"
#include "reports/format.h"
#include "reports/notes.h"
#include "reports/report_parts.h"

enum { LABEL_WIDTH = 7 }; /* "Machine" */

/* Above this share of disturbed repetitions the run as a whole is in doubt. */
static const double doubtful_share = 0.2;

struct tally {
	size_t valid, disturbed, invalid, failed;
};

static struct tally count_rows(const struct lp_results *r)
{
	struct tally t = {0};

	for (size_t i = 0; i < r->rows; i++) {
		const struct lp_row *row = &r->row[i];

		t.failed += row->outcome != LP_OUTCOME_OK;
		if (row->outcome != LP_OUTCOME_OK)
			continue;
		t.valid += row->verdict == LP_VALID;
		t.disturbed += row->verdict == LP_DISTURBED;
		t.invalid += row->verdict == LP_INVALID;
	}
	return t;
}

static void write_machine(struct lp_results *r, struct lp_document *d)
{
	char text[1024], *line = text, *end;
	const char *label = "Machine";

	if (!r->machine) {
		d->form->item(
			d->out, LABEL_WIDTH, label, "not known: there is no machine.json here");
		return;
	}
	lp_facts_headline(r->machine, text, sizeof(text));
	do {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		if (*line)
			d->form->item(d->out, LABEL_WIDTH, label, line);
		label = "";
		line = end ? end + 1 : NULL;
	} while (line);
}

/* "5 repetitions", "3 to 5 repetitions" */
static const char *planned(struct lp_results *r)
{
	int least = 0, most = 0;

	for (size_t i = 0; i < r->items; i++) {
		int n = r->item[i].planned ? r->item[i].planned : (int)r->item[i].rows;

		least = !least || n < least ? n : least;
		most = n > most ? n : most;
	}
	if (least == most)
		return lp_strings_format(
			&r->strings, "%d repetition%s each", most, most == 1 ? "" : "s");
	return lp_strings_format(&r->strings, "%d to %d repetitions each", least, most);
}

static void append(struct lp_results *r, const char **text, const char *format, const char *value)
{
	if (*value)
		*text = lp_strings_format(
			&r->strings, "%s%s%s%s", *text, **text ? ", " : "", format, value);
}

static void write_run(struct lp_results *r, struct lp_document *d)
{
	const char *text = "";

	append(r, &text, "started ", lp_results_text(r, r->started));
	append(r, &text, "profile ", lp_results_text(r, r->profile));
	append(r, &text, "seed ", lp_results_text(r, r->seed));
	append(r, &text, "", planned(r));
	if (isfinite(r->min_time_s))
		append(r, &text, "of at least ",
			lp_strings_format(&r->strings, "%g s", r->min_time_s));
	if (r->cpus)
		append(r, &text, "on ",
			lp_strings_format(
				&r->strings, "%d CPU%s", r->cpus, r->cpus == 1 ? "" : "s"));
	d->form->item(d->out, LABEL_WIDTH, "Run", text);
}

static void write_tally(struct lp_results *r, struct lp_document *d, const struct tally *t)
{
	const char *text = lp_strings_format(&r->strings,
		"%zu case%s, %zu repetitions: %zu valid, %zu disturbed, %zu invalid, %zu failed",
		r->items, r->items == 1 ? "" : "s", r->rows, t->valid, t->disturbed, t->invalid,
		t->failed);

	if (r->retried)
		text = lp_strings_format(
			&r->strings, "%s; attempts repeated: %zu", text, r->retried);
	if (r->skips)
		text = lp_strings_format(
			&r->strings, "%s; cases that cannot run here: %zu", text, r->skips);
	d->form->item(d->out, LABEL_WIDTH, "Rows", text);
}

/* ---- caveats ---- */

static void say_build(struct lp_results *r, struct lp_document *d)
{
	const json_t *build = json_object_get(r->machine, "build");
	const char *type = json_string_value(json_object_get(build, "type"));
	const char *sanitizer = json_string_value(json_object_get(build, "sanitizer"));

	if (sanitizer && *sanitizer)
		d->form->paragraph(d->out, lp_strings_format(&r->strings,
						   "Built with the %s sanitizer: counts are right, "
						   "times mean nothing.",
						   sanitizer));
	else if (type && !strcmp(type, "Debug"))
		d->form->paragraph(d->out, "A debug build: counts are right, times mean nothing.");
}

/* The reason that stands most often beside disturbed repetitions. */
static const char *commonest_reason(struct lp_results *r)
{
	struct lp_notes notes;
	const char *text = "";
	size_t best = 0;

	lp_notes_init(&notes, &r->strings);
	for (size_t i = 0; i < r->rows; i++)
		if (r->row[i].outcome == LP_OUTCOME_OK && r->row[i].verdict == LP_DISTURBED &&
			r->row[i].reason)
			lp_notes_add(&notes, lp_results_text(r, r->row[i].reason));
	for (size_t i = 0; i < notes.count; i++) {
		if (notes.note[i].times <= best)
			continue;
		best = notes.note[i].times;
		text = lp_notes_text(&notes, i + 1);
	}
	lp_notes_destroy(&notes);
	return text;
}

static void say_disturbed(struct lp_results *r, struct lp_document *d, const struct tally *t)
{
	const char *reason;

	if (!t->disturbed || (double)t->disturbed < doubtful_share * (double)r->rows)
		return;
	reason = commonest_reason(r);
	d->form->paragraph(d->out,
		lp_strings_format(&r->strings,
			"%zu of %zu repetitions were disturbed%s%s: somebody else was using this "
			"machine. Small differences mean nothing here.",
			t->disturbed, r->rows, *reason ? ", most often: " : "", reason));
}

/* The classes of one thread count stand together, the closest first. */
static void say_placement(struct lp_results *r, struct lp_document *d)
{
	for (size_t from = 0, to; from < r->placements; from = to) {
		const struct lp_placement *p = &r->placement[from];

		for (to = from; to < r->placements && r->placement[to].threads == p->threads; to++)
			;
		if (to - from < 2)
			continue;
		d->form->paragraph(d->out,
			lp_strings_format(&r->strings,
				"At %d threads the cache-line round trip varied from %.0f to %.0f "
				"ns: the CPUs were not always equally far apart (a host moves "
				"virtual CPUs). It falls into %zu classes; every time below is of "
				"one class, every ratio compares within one, and what could not be "
				"compared is marked. Contended rows of different classes are not "
				"comparable.",
				p->threads, p->low_ns, r->placement[to - 1].high_ns, to - from));
	}
}

static void say_how_to_read(struct lp_results *r, struct lp_document *d)
{
	d->form->paragraph(d->out,
		lp_strings_format(&r->strings,
			"How to read: a time is the wall time per operation of all threads "
			"together, "
			"the median of the valid repetitions (its 95 %% interval by bootstrap). "
			"%sn: "
			"valid repetitions, of how many. ≈: of disturbed repetitions only. —: no "
			"figure.",
			r->foreign ? ""
				   : "The ratio is that time ÷ the time of the first generation "
				     "under the same parameters: below 1 is faster. "));
}

int lp_report_head(struct lp_results *r, struct lp_document *d)
{
	struct tally t = count_rows(r);
	const char *version = lp_results_text(r, r->version);

	d->form->heading(d->out, 1,
		r->foreign ? "Google Benchmark results"
			   : lp_strings_format(&r->strings,
				     "lockpath %s: what this machine measured", version));
	write_machine(r, d);
	write_run(r, d);
	write_tally(r, d, &t);
	d->form->end_items(d->out);
	for (size_t i = 0; i < r->notes; i++)
		d->form->paragraph(d->out, lp_results_text(r, r->note[i]));
	say_build(r, d);
	say_disturbed(r, d, &t);
	say_placement(r, d);
	say_how_to_read(r, d);
	return r->strings.failed ? -ENOMEM : 0;
}
