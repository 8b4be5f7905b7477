// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lockpath-report: renders results folders. Exit status: 0 done, 2 unusable input, usage or output.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reports/read.h"
#include "reports/report.h"

enum { EXIT_UNUSABLE = 2 };

static const char usage[] =
	"Usage: lockpath-report COMMAND [OPTION…]\n"
	"\n"
	"  report DIR [--format text|markdown]\n"
	"           the report of one run\n"
	"  claims DIR [--format text|markdown]\n"
	"           what was published, what was measured, and the verdict\n"
	"  help     this text\n"
	"  --version\n"
	"\n"
	"DIR is a results folder; a journal.jsonl or any Google Benchmark JSON file will do.\n"
	"Exit status: 0 done, 2 unusable input, wrong usage, or output that cannot be written.\n";

struct command {
	const char *name;
	int (*write)(struct lp_results *r, struct lp_document *d, struct lp_error *err);
};

static const struct command commands[] = {
	{"report", lp_report_run},
	{"claims", lp_report_claims},
};

/* One line, whatever stands in it: a path may have newlines and worse. */
static int complain(const char *message)
{
	fputs("lockpath-report: ", stderr);
	for (; *message; message++)
		fputc((unsigned char)*message < ' ' || *message == 0x7f ? '?' : *message, stderr);
	fputc('\n', stderr);
	return EXIT_UNUSABLE;
}

static int fail_usage(struct lp_error *err, const char *what, const char *which)
{
	return lp_fail(err, EINVAL, "%s%s%.200s%s; lockpath-report help lists what there is", what,
		*which ? " '" : "", which, *which ? "'" : "");
}

static int write_out(const char *text)
{
	struct lp_sink out;
	struct lp_error err = {0};
	int rc;

	lp_sink_init(&out, STDOUT_FILENO);
	lp_sink_text(&out, text);
	rc = lp_sink_finish(&out, &err);
	lp_sink_destroy(&out);
	return rc ? complain(err.message) : 0;
}

struct arguments {
	const struct command *command;
	const char *folder;
	const struct lp_form *form;
};

static int parse_format(struct arguments *a, const char *name, struct lp_error *err)
{
	if (!name)
		return fail_usage(err, "--format needs text or markdown", "");
	a->form = lp_form_find(name);
	return a->form ? 0 : fail_usage(err, "no such format:", name);
}

static int parse(struct arguments *a, char **argv, struct lp_error *err)
{
	static const char format[] = "--format";
	int rc = 0;

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, *argv))
			a->command = &commands[i];
	if (!a->command)
		return fail_usage(err, "no such command:", *argv);
	while (!rc && *++argv) {
		if (!strcmp(*argv, format)) {
			rc = parse_format(a, argv[1], err);
			argv += !rc;
		} else if (!strncmp(*argv, "--format=", sizeof(format))) {
			rc = parse_format(a, *argv + sizeof(format), err);
		} else if (**argv == '-' && (*argv)[1]) {
			rc = fail_usage(err, "no such option:", *argv);
		} else if (a->folder) {
			rc = fail_usage(err, "one results folder only, not also", *argv);
		} else {
			a->folder = *argv;
		}
	}
	if (!rc && !a->folder)
		rc = fail_usage(err, "which results folder?", "");
	return rc;
}

static int execute(const struct arguments *a, struct lp_error *err)
{
	struct lp_results results;
	struct lp_sink out;
	struct lp_document document = {.form = a->form, .out = &out};
	int rc;

	lp_results_init(&results);
	lp_sink_init(&out, STDOUT_FILENO);
	rc = lp_read_results(&results, a->folder, err);
	if (!rc)
		rc = a->command->write(&results, &document, err);
	if (!rc)
		rc = lp_sink_finish(&out, err);
	lp_sink_destroy(&out);
	lp_results_destroy(&results);
	return rc;
}

int main(int argc, char **argv)
{
	struct arguments a = {.form = &lp_form_text};
	struct lp_error err = {0};

	/* A reader that goes away is an error that is reported, not a silent death. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		fail_usage(&err, "which command?", "");
		return complain(err.message);
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return write_out(usage);
	if (!strcmp(argv[1], "--version"))
		return write_out("lockpath-report " LOCKPATH_VERSION "\n");
	if (parse(&a, argv + 1, &err) || execute(&a, &err))
		return complain(err.message);
	return 0;
}
