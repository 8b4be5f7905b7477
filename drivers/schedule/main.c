// SPDX-License-Identifier: GPL-2.0-or-later
/* lockpath: the supervisor, and the user's command line for measuring. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/schedule/list.h"
#include "drivers/schedule/session.h"

enum { EXIT_USAGE = 2 };

static const char help_text[] =
	"Usage: lockpath COMMAND [OPTION…]\n"
	"\n"
	"  run           measure, and write a results folder\n"
	"  list          suites, variants, parameters, cases; what cannot run here, and why\n"
	"  finish DIR    make the files of a results folder again from its journal\n"
	"  help, version\n"
	"\n"
	"Which cases (run and list):\n"
	"  --profile quick|full   quick: two minutes; full: hours, every parameter (default "
	"quick)\n"
	"  --suite NAME           only this suite; may be given several times\n"
	"  --filter REGEX         only cases whose name matches (POSIX extended)\n"
	"  --threads LIST         these thread counts, rising, like 1,2,8\n"
	"  --case NAME            this very case, any legal parameters; may be given several "
	"times\n"
	"\n"
	"How (run):\n"
	"  --repetitions N        of each case (default by profile and mode)\n"
	"  --min-time SECONDS     window of a repetition (default 0.1 quick, 1 full)\n"
	"  --seed N               of the order and of seeded cases (default from the clock, "
	"recorded)\n"
	"  --out DIR              results folder to make (default results/DATE-TIME)\n"
	"  --resume DIR           go on with an interrupted run\n"
	"\n"
	"Exit status of run: 0 all went well; 1 a repetition failed, the rest is there; 2 "
	"unusable\n"
	"options or environment; 130 or 143 interrupted, what has finished is there.\n";

static int usage_error(const char *message)
{
	fprintf(stderr, "lockpath: %s\n", message);
	return EXIT_USAGE;
}

/* lockpath-bench beside this program, whatever the current folder. */
static void default_bench(char path[PATH_MAX])
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	snprintf(path, PATH_MAX, "%.*s/lockpath-bench", PATH_MAX - 32, dirname(self));
}

static int command_run(int argc, char **argv)
{
	struct lp_options o;
	struct lp_error err;
	char bench[PATH_MAX];

	if (lp_options_parse(&o, argc, argv, &err))
		return usage_error(err.message);
	default_bench(bench);
	return lp_session_run_plan(&o, o.bench ? o.bench : bench);
}

static int command_list(int argc, char **argv)
{
	struct lp_options o;
	struct lp_error err;
	struct lp_topology topology;
	struct lp_run_plan plan;
	int rc;

	if (lp_options_parse(&o, argc, argv, &err))
		return usage_error(err.message);
	if (o.out || o.resume || o.bench)
		return usage_error("list writes nothing: --out, --resume and --bench go with run");
	if (lp_topology_load(&topology, NULL, &err))
		return usage_error(err.message);
	rc = lp_plan_make(&plan, &o, &topology, &err);
	lp_topology_free(&topology);
	if (rc)
		return usage_error(err.message);
	lp_list_print(&plan);
	lp_plan_free(&plan);
	return fflush(stdout) || ferror(stdout) ? usage_error("standard output: cannot write") : 0;
}

static int command_finish(int argc, char **argv)
{
	if (argc != 2)
		return usage_error("finish wants one results folder");
	return lp_session_finish(argv[1]);
}

static int command_help(int argc, char **argv)
{
	fputs(help_text, stdout);
	return 0;
}

static int command_version(int argc, char **argv)
{
	puts("lockpath " LOCKPATH_VERSION);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"run", command_run},
	{"list", command_list},
	{"finish", command_finish},
	{"help", command_help},
	{"--help", command_help},
	{"-h", command_help},
	{"version", command_version},
	{"--version", command_version},
};

int main(int argc, char **argv)
{
	char message[160];

	if (argc < 2)
		return usage_error("say what to do: run, list, finish, help or version");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	snprintf(
		message, sizeof(message), "'%.60s': no such command; see `lockpath help`", argv[1]);
	return usage_error(message);
}
