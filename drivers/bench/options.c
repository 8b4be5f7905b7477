// SPDX-License-Identifier: GPL-2.0-or-later
/* Strict parsing: what is not understood as a whole is refused. */
#include "drivers/bench/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
	OPT_CASE = 1,
	OPT_PROFILE,
	OPT_MIN_TIME,
	OPT_SEED,
	OPT_REPETITION,
	OPT_REPETITIONS,
	OPT_CPUS,
	OPT_OUT,
	OPT_LIST,
};

static const struct option long_options[] = {
	{"case", required_argument, NULL, OPT_CASE},
	{"profile", required_argument, NULL, OPT_PROFILE},
	{"min-time", required_argument, NULL, OPT_MIN_TIME},
	{"seed", required_argument, NULL, OPT_SEED},
	{"repetition", required_argument, NULL, OPT_REPETITION},
	{"repetitions", required_argument, NULL, OPT_REPETITIONS},
	{"cpus", required_argument, NULL, OPT_CPUS},
	{"out", required_argument, NULL, OPT_OUT},
	{"list", no_argument, NULL, OPT_LIST},
	{NULL, 0, NULL, 0},
};

static int parse_whole(const char *option, const char *text, uint64_t min, uint64_t max,
	uint64_t *value, struct lp_error *err)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || *value < min || *value > max)
		return lp_fail(err, EINVAL, "--%s %s: a whole number from %llu to %llu", option,
			text, (unsigned long long)min, (unsigned long long)max);
	return 0;
}

static int parse_int(
	const char *option, const char *text, int min, int *value, struct lp_error *err)
{
	uint64_t whole;
	int rc = parse_whole(option, text, (uint64_t)min, 1000000, &whole, err);

	*value = (int)whole;
	return rc;
}

static int parse_window(const char *text, double *seconds, struct lp_error *err)
{
	char *end;

	errno = 0;
	*seconds = strtod(text, &end);
	if (errno || end == text || *end || !(*seconds >= 0.001 && *seconds <= 3600))
		return lp_fail(err, EINVAL, "--min-time %s: seconds from 0.001 to 3600", text);
	return 0;
}

static int parse_profile(const char *text, enum lp_profile *profile, struct lp_error *err)
{
	*profile = !strcmp(text, "full") ? LP_PROFILE_FULL : LP_PROFILE_QUICK;
	if (*profile == LP_PROFILE_QUICK && strcmp(text, "quick"))
		return lp_fail(err, EINVAL, "--profile %s: quick or full", text);
	return 0;
}

static int take(struct lp_bench_options *o, int id, const char *text, struct lp_error *err)
{
	switch (id) {
	case OPT_PROFILE:
		return parse_profile(text, &o->profile, err);
	case OPT_MIN_TIME:
		return parse_window(text, &o->min_time_s, err);
	case OPT_SEED:
		/* JSON's readers have signed numbers of 64 bits at most. */
		return parse_whole("seed", text, 0, INT64_MAX, &o->seed, err);
	case OPT_REPETITION:
		return parse_int("repetition", text, 0, &o->repetition, err);
	case OPT_REPETITIONS:
		return parse_int("repetitions", text, 1, &o->repetitions, err);
	case OPT_CASE:
		o->named_case = text;
		return 0;
	case OPT_CPUS:
		o->cpus = text;
		return 0;
	case OPT_OUT:
		o->out = text;
		return 0;
	default:
		o->list = true;
		return 0;
	}
}

void lp_bench_options_adopt(int argc, char **argv)
{
	static const char theirs[] = "--benchmark_min_time=", ours[] = "--min-time=";

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], theirs, strlen(theirs)))
			continue;
		argv[i] += strlen(theirs) - strlen(ours);
		memcpy(argv[i], ours, strlen(ours));
	}
}

bool lp_bench_options_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help"))
			return true;
	return false;
}

int lp_bench_options_parse(struct lp_bench_options *o, int argc, char **argv, struct lp_error *err)
{
	int id;

	memset(o, 0, sizeof(*o));
	o->seed = 1;
	o->repetitions = 1;
	opterr = 0;
	optind = 1;
	while ((id = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		int rc;

		if (id == ':')
			return lp_fail(err, EINVAL, "%s wants a value", argv[optind - 1]);
		/* A letter may stand in the middle of an argument that is not over yet. */
		if (id == '?' && optopt)
			return lp_fail(err, EINVAL, "-%c: no such option; see --help", optopt);
		if (id == '?')
			return lp_fail(
				err, EINVAL, "%s: no such option; see --help", argv[optind - 1]);
		rc = take(o, id, optarg, err);
		if (rc)
			return rc;
	}
	if (optind < argc)
		return lp_fail(err, EINVAL, "'%s': no such argument; see --help", argv[optind]);
	if (o->out && !o->named_case)
		return lp_fail(
			err, EINVAL, "--out goes with --case; for all cases use --benchmark_out");
	return 0;
}
