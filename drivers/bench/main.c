// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lockpath-bench: measures one repetition of one case for the supervisor, or, as any program of
 * Google Benchmark does, whatever --benchmark_filter selects.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/bench/cpus.h"
#include "drivers/bench/document.h"
#include "drivers/bench/options.h"
#include "drivers/bench/rows.h"
#include "drivers/gbench/lp_gbench.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

static const char help_text[] =
	"Usage: lockpath-bench [OPTION…] [--benchmark_…]\n"
	"\n"
	"  --case NAME            measure this case once (any legal parameters)\n"
	"  --out FILE             its JSON document; - is standard output (default -)\n"
	"  --repetition I         written into its row (default 0)\n"
	"  --repetitions N        the same (default 1)\n"
	"  --profile quick|full   without --case: the cases of this profile (default quick)\n"
	"  --min-time SECONDS     window of a repetition (default 0.1 quick, 1 full)\n"
	"  --seed N               of seeded cases (default 1)\n"
	"  --cpus LIST            CPUs that workers take in order, like 0,2 (default by topology)\n"
	"  --list                 names of the profile's cases; those skipped and why to stderr\n"
	"  --help\n"
	"\n"
	"Without --case all flags of Google Benchmark work: --benchmark_filter, _out, _format, …;\n"
	"--benchmark_min_time is --min-time.\n"
	"Exit status: 0 measured, 1 the case failed, 2 unusable options.\n";

static int complain(const char *message, int status)
{
	fprintf(stderr, "lockpath-bench: %s\n", message);
	return status;
}

/* ---- one case ---- */

static int write_document(const struct lp_bench_options *o, const struct lp_rows *rows,
	const char *report, struct lp_error *err)
{
	struct lp_document_facts facts = {
		.profile = o->profile == LP_PROFILE_FULL ? "full" : "quick",
		.seed = o->seed,
		.repetition = o->repetition,
		.repetitions = o->repetitions,
	};
	json_t *document;
	int rc = lp_document_compose(report, rows->first->details, &facts, &document, err);

	if (rc)
		return rc;
	rc = lp_document_write(document, o->out ? o->out : "-", err);
	json_decref(document);
	return rc;
}

static int measure_named(
	const struct lp_bench_options *o, struct lp_rows *rows, const struct lp_case *c)
{
	struct lp_error err;
	char *report = NULL;
	int status = 0;

	if (lp_rows_add(rows, c, &err))
		return complain(err.message, EXIT_FAILED);
	if (lp_gb_run_json(&report, NULL))
		return complain(lp_gb_last_error(), EXIT_USAGE);
	if (!report)
		return 0; /* --benchmark_list_tests: it has been listed */
	if (write_document(o, rows, report, &err))
		status = complain(err.message, EXIT_FAILED);
	else if (!rows->first->details)
		status = EXIT_FAILED; /* the row says why */
	free(report);
	return status;
}

/* ---- all cases ---- */

struct listing {
	const struct lp_topology *topology;
	struct lp_rows *rows;
	bool print; /* the names */
	struct lp_error *err;
};

/* A suite may come by the same case on two ways; it is one row. */
static int take_case(const struct lp_case *c, void *context)
{
	struct listing *l = context;
	char name[LP_NAME_MAX], buffer[160];
	const char *why = lp_case_unavailable(c, l->topology, buffer, sizeof(buffer));
	int rc;

	lp_case_name(c, name);
	if (why) {
		fprintf(stderr, "skipped %s: %s\n", name, why);
		return 0;
	}
	rc = lp_rows_add(l->rows, c, l->err);
	if (!rc && l->print)
		puts(name);
	return rc == -EEXIST ? 0 : rc;
}

static int take_profile(
	const struct lp_bench_options *o, const struct lp_measure_options *m, struct listing *l)
{
	int threads[16];
	struct lp_plan plan = {
		.profile = o->profile,
		.topology = m->topology,
		.threads = threads,
		.nthreads = lp_plan_threads(o->profile, m->cpus, threads),
		.usable_cpus = m->cpus,
		.os_cpu = m->os_cpu,
	};
	int rc = 0;

	for (size_t i = 0; !rc && i < lp_suites_count; i++)
		rc = lp_suites[i]->cases(&plan, take_case, l);
	return rc;
}

static int measure_profile(
	const struct lp_bench_options *o, struct lp_rows *rows, const struct lp_measure_options *m)
{
	struct lp_error err;
	struct listing l = {.topology = m->topology, .rows = rows, .print = o->list, .err = &err};

	if (take_profile(o, m, &l))
		return complain(err.message, EXIT_FAILED);
	if (o->list)
		return 0;
	return lp_gb_run(NULL) ? complain(lp_gb_last_error(), EXIT_USAGE) : 0;
}

/* ---- the frame ---- */

static int measure(const struct lp_bench_options *o, const struct lp_topology *t, int *os_cpu)
{
	struct lp_error err;
	struct lp_case named;
	struct lp_measure_options m = {
		.topology = t,
		.os_cpu = os_cpu,
		.window_ns =
			(uint64_t)(1e9 * (o->min_time_s > 0 ? o->min_time_s
							    : lp_profile_window_s(o->profile))),
		.seed = o->seed,
	};
	struct lp_rows rows = {.options = &m};
	int status;

	if (o->named_case && lp_case_parse(&named, o->named_case, &err))
		return complain(err.message, EXIT_USAGE);
	m.cpus = lp_cpus_choose(t, o->cpus, os_cpu, &err);
	if (m.cpus < 0)
		return complain(err.message, EXIT_USAGE);
	status = o->named_case ? measure_named(o, &rows, &named) : measure_profile(o, &rows, &m);
	lp_gb_shutdown();
	lp_rows_free(&rows);
	return status;
}

static int load_and_measure(const struct lp_bench_options *o)
{
	struct lp_topology topology;
	struct lp_error err;
	int *os_cpu, status;

	if (lp_topology_load(&topology, NULL, &err))
		return complain(err.message, EXIT_USAGE);
	os_cpu = calloc((size_t)topology.ncpus + 1, sizeof(*os_cpu));
	if (!os_cpu)
		status = complain("out of memory", EXIT_FAILED);
	else
		status = measure(o, &topology, os_cpu);
	free(os_cpu);
	lp_topology_free(&topology);
	return status;
}

int main(int argc, char **argv)
{
	struct lp_bench_options o;
	struct lp_error err;

	if (lp_bench_options_help(argc, argv)) {
		fputs(help_text, stdout);
		return 0;
	}
	lp_bench_options_adopt(argc, argv);
	if (lp_gb_initialize(&argc, argv))
		return complain(lp_gb_last_error(), EXIT_USAGE);
	if (lp_bench_options_parse(&o, argc, argv, &err))
		return complain(err.message, EXIT_USAGE);
	return load_and_measure(&o);
}
