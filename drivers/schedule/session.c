// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame around a run: folder, journal, supervision, files, summary. */
#include "drivers/schedule/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/machine/facts.h"
#include "drivers/schedule/child.h"
#include "drivers/schedule/compose.h"
#include "drivers/schedule/journal.h"
#include "drivers/schedule/supervise.h"

enum { EXIT_ERRORS = 1, EXIT_UNUSABLE = 2 };

static int complain(const struct lp_error *err)
{
	fprintf(stderr, "lockpath: %s\n", err->message);
	return EXIT_UNUSABLE;
}

/* ---- the results folder ---- */

/* results/DATE-TIME, with a suffix when that second has one already. */
static int create_dated(struct lp_journal *j, const struct lp_run_plan *plan, struct lp_error *err)
{
	char stamp[32], folder[96];
	time_t now = time(NULL);
	struct tm local;
	int rc = -EEXIST;

	if (mkdir("results", 0777) && errno != EEXIST)
		return lp_fail(err, errno, "results: %s", strerror(errno));
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", localtime_r(&now, &local));
	for (int i = 0; rc == -EEXIST && i < 100; i++) {
		snprintf(folder, sizeof(folder), i ? "results/%s.%d" : "results/%s", stamp, i);
		rc = lp_journal_create(j, folder, plan, err);
	}
	if (rc)
		return rc;
	/* A convenience: its failure costs nothing. */
	unlink("results/latest");
	if (symlink(folder + strlen("results/"), "results/latest"))
		errno = 0;
	return 0;
}

static int write_machine(const struct lp_topology *t, const char *folder, struct lp_error *err)
{
	json_t *facts = lp_facts_collect(t, "");
	int rc = facts ? lp_compose_write(folder, "machine.json", facts, err)
		       : lp_fail(err, ENOMEM, "no memory for the facts of the machine");

	json_decref(facts);
	return rc;
}

/* ---- summary ---- */

static void print_tally(const struct lp_tally *t)
{
	fprintf(stderr, "%zu repetitions: %zu valid, %zu disturbed, %zu invalid, %zu errors",
		t->planned, t->valid, t->disturbed, t->invalid, t->errors);
	if (t->missing)
		fprintf(stderr, ", %zu not measured", t->missing);
	if (t->skipped)
		fprintf(stderr, "; %zu cases skipped", t->skipped);
	fputc('\n', stderr);
}

static bool is_exact(const char *name)
{
	return strstr(name, "/mode:exact/");
}

/* Whether two exact rows of a case agree in every figure. */
static bool rows_agree(const json_t *a, const json_t *b)
{
	static const char *const may_differ[] = {
		"repetition_index", "real_time", "cpu_time", "label", NULL};
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)a, key, value) {
		bool compare = true;

		for (int i = 0; may_differ[i]; i++)
			compare = compare && strcmp(key, may_differ[i]);
		if (compare && !json_equal(value, json_object_get(b, key)))
			return false;
	}
	return true;
}

/* Exact rows must come out the same each time; if not, a replica is not deterministic. */
static size_t report_disagreement(const json_t *lines)
{
	json_t *first = json_object(), *line;
	size_t i, disagreeing = 0;

	json_array_foreach (lines, i, line) {
		const char *name = json_string_value(json_object_get(line, "name"));
		json_t *row = json_object_get(line, "row"), *before;

		if (!name || !is_exact(name) || !json_is_object(row))
			continue;
		before = json_object_get(first, name);
		if (!before) {
			json_object_set(first, name, row);
		} else if (!rows_agree(before, row)) {
			fprintf(stderr, "lockpath: %s: two repetitions of an exact row differ\n",
				name);
			disagreeing++;
		}
	}
	json_decref(first);
	return disagreeing;
}

/* ---- running ---- */

/* @stopped: 0, the signal that asked to stop, or -errno of a failure that was complained of. */
static int finish(struct lp_supervision *s, int stopped)
{
	struct lp_tally tally;
	struct lp_error err;
	size_t disagreeing;

	if (lp_compose(s->journal->folder, s->lines, &tally, &err))
		return stopped < 0 ? EXIT_UNUSABLE : complain(&err);
	print_tally(&tally);
	disagreeing = report_disagreement(s->lines);
	if (stopped)
		fprintf(stderr, "lockpath: stopped; go on with: --resume %s\n", s->journal->folder);
	puts(s->journal->folder);
	if (stopped > 0)
		return 128 + stopped;
	return tally.errors || tally.missing || disagreeing ? EXIT_ERRORS : 0;
}

static int supervise(struct lp_journal *j, const struct lp_run_plan *plan, json_t *lines,
	const struct lp_topology *t, const char *bench)
{
	struct lp_supervision s = {.plan = plan, .journal = j, .lines = lines, .bench = bench};
	struct lp_error err;
	int rc = write_machine(t, j->folder, &err), status;

	if (!rc)
		rc = lp_supervise(&s, &err);
	if (rc > 0)
		lp_child_release(); /* a second signal ends this process at once */
	if (rc < 0)
		complain(&err);
	/* Even after a failure: what has finished is to be seen. */
	status = finish(&s, rc);
	return rc < 0 ? EXIT_UNUSABLE : status;
}

/* Going on with other CPUs would mix two placements in one result. */
static int check_cpus(
	const struct lp_run_plan *plan, const struct lp_topology *t, struct lp_error *err)
{
	for (int i = 0; i < plan->cpus; i++) {
		const struct lp_topology_cpu *cpu = lp_topology_find(t, plan->os_cpu[i]);

		if (!cpu || !cpu->allowed)
			return lp_fail(err, EINVAL,
				"this run was begun with CPU %d, which may not be used now",
				plan->os_cpu[i]);
	}
	return 0;
}

static int begin(const struct lp_options *o, const struct lp_topology *t, struct lp_journal *j,
	struct lp_run_plan *plan, json_t **lines, struct lp_error *err)
{
	int rc;

	if (o->resume) {
		rc = lp_journal_reopen(j, o->resume, lines, err);
		if (!rc)
			rc = lp_journal_plan(json_array_get(*lines, 0), plan, err);
		return rc ? rc : check_cpus(plan, t, err);
	}
	rc = lp_plan_make(plan, o, t, err);
	if (!rc)
		rc = o->out ? lp_journal_create(j, o->out, plan, err) : create_dated(j, plan, err);
	if (rc)
		return rc;
	*lines = lp_journal_read(j->folder, err);
	return *lines ? 0 : -err->code;
}

int lp_session_run_plan(const struct lp_options *o, const char *bench)
{
	struct lp_run_plan plan = {0};
	struct lp_journal journal = {.fd = -1};
	struct lp_topology topology;
	struct lp_error err;
	json_t *lines = NULL;
	int status;

	if (access(bench, X_OK)) {
		lp_fail(&err, errno, "%s: %s; build it first", bench, strerror(errno));
		return complain(&err);
	}
	if (lp_topology_load(&topology, NULL, &err))
		return complain(&err);
	if (begin(o, &topology, &journal, &plan, &lines, &err))
		status = complain(&err);
	else
		status = supervise(&journal, &plan, lines, &topology, bench);
	json_decref(lines);
	lp_journal_close(&journal);
	lp_plan_free(&plan);
	lp_topology_free(&topology);
	return status;
}

int lp_session_finish(const char *folder)
{
	struct lp_journal journal;
	struct lp_tally tally;
	struct lp_error err;
	json_t *lines = NULL;
	int rc = lp_journal_reopen(&journal, folder, &lines, &err);

	if (!rc)
		rc = lp_compose(folder, lines, &tally, &err);
	json_decref(lines);
	lp_journal_close(&journal);
	if (rc)
		return complain(&err);
	print_tally(&tally);
	return 0;
}
