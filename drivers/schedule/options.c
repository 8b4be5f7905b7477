// SPDX-License-Identifier: GPL-2.0-or-later
/* Every option is taken apart strictly: trailing characters are an error, not ignored. */
#include "drivers/schedule/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/measure/clock.h"

enum option_id {
	OPT_PROFILE = 1,
	OPT_SUITE,
	OPT_CASE,
	OPT_FILTER,
	OPT_THREADS,
	OPT_REPETITIONS,
	OPT_MIN_TIME,
	OPT_SEED,
	OPT_OUT,
	OPT_RESUME,
	OPT_BENCH,
};

static const struct option long_options[] = {
	{"profile", required_argument, NULL, OPT_PROFILE},
	{"suite", required_argument, NULL, OPT_SUITE},
	{"case", required_argument, NULL, OPT_CASE},
	{"filter", required_argument, NULL, OPT_FILTER},
	{"threads", required_argument, NULL, OPT_THREADS},
	{"repetitions", required_argument, NULL, OPT_REPETITIONS},
	{"min-time", required_argument, NULL, OPT_MIN_TIME},
	{"seed", required_argument, NULL, OPT_SEED},
	{"out", required_argument, NULL, OPT_OUT},
	{"resume", required_argument, NULL, OPT_RESUME},
	{"bench", required_argument, NULL, OPT_BENCH},
	{NULL, 0, NULL, 0},
};

static int parse_profile(struct lp_options *o, const char *text, struct lp_error *err)
{
	o->profile_given = true;
	if (!strcmp(text, "quick"))
		o->profile = LP_PROFILE_QUICK;
	else if (!strcmp(text, "full"))
		o->profile = LP_PROFILE_FULL;
	else
		return lp_fail(err, EINVAL, "--profile %s: quick or full", text);
	return 0;
}

/* strtol() and its like pass over spaces and signs, which are no part of a number here. */
static bool begins_with_digit(const char *text)
{
	return isdigit((unsigned char)*text);
}

static int parse_count(const char *text, int *count, struct lp_error *err)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || !begins_with_digit(text) || *end || value < 1 || value > 1000)
		return lp_fail(
			err, EINVAL, "--repetitions %s: a whole number from 1 to 1000", text);
	*count = (int)value;
	return 0;
}

static int parse_seconds(const char *text, double *seconds, struct lp_error *err)
{
	char *end;

	errno = 0;
	*seconds = strtod(text, &end);
	if (errno || !(begins_with_digit(text) || *text == '.') || *end ||
		!(*seconds >= 0.001 && *seconds <= 3600))
		return lp_fail(err, EINVAL, "--min-time %s: seconds from 0.001 to 3600", text);
	return 0;
}

static int parse_seed(struct lp_options *o, const char *text, struct lp_error *err)
{
	char *end;

	errno = 0;
	o->seed_given = true;
	o->seed = strtoull(text, &end, 10);
	if (errno || !begins_with_digit(text) || *end || o->seed > INT64_MAX)
		return lp_fail(err, EINVAL, "--seed %s: a whole number from 0 to %lld", text,
			(long long)INT64_MAX);
	return 0;
}

static int add_name(
	const char **list, int *n, const char *option, const char *name, struct lp_error *err)
{
	if (*n == LP_OPTIONS_NAMES)
		return lp_fail(err, EINVAL, "%s may be given %d times", option, LP_OPTIONS_NAMES);
	list[(*n)++] = name;
	return 0;
}

static int add_suite(struct lp_options *o, const char *name, struct lp_error *err)
{
	if (lp_suite_find(name))
		return add_name(o->suite, &o->suites, "--suite", name, err);
	return lp_fail(err, EINVAL, "--suite %s: no such suite; `list` shows what there is", name);
}

static int take(struct lp_options *o, int id, const char *text, struct lp_error *err)
{
	switch (id) {
	case OPT_PROFILE:
		return parse_profile(o, text, err);
	case OPT_SUITE:
		return add_suite(o, text, err);
	case OPT_CASE:
		return add_name(o->named_case, &o->named_cases, "--case", text, err);
	case OPT_REPETITIONS:
		return parse_count(text, &o->repetitions, err);
	case OPT_MIN_TIME:
		return parse_seconds(text, &o->min_time_s, err);
	case OPT_SEED:
		return parse_seed(o, text, err);
	case OPT_FILTER:
		o->filter = text;
		return 0;
	case OPT_THREADS:
		o->threads = text;
		return 0;
	case OPT_OUT:
		o->out = text;
		return 0;
	case OPT_RESUME:
		o->resume = text;
		return 0;
	default:
		o->bench = text;
		return 0;
	}
}

static int check_together(const struct lp_options *o, struct lp_error *err)
{
	bool selects = o->filter || o->suites || o->named_cases || o->threads || o->profile_given;
	bool measures = o->repetitions || o->min_time_s > 0 || o->seed_given || o->out;

	if (o->resume && (selects || measures))
		return lp_fail(err, EINVAL,
			"--resume goes on with the plan of its folder: give no "
			"other option beside it");
	if (o->named_cases && (o->suites || o->threads))
		return lp_fail(err, EINVAL,
			"--case names its suite and threads itself: give no %s beside it",
			o->suites ? "--suite" : "--threads");
	return 0;
}

/* There are no short options; getopt has not moved on when it meets the first of "-xyz". */
static int refuse_option(char **argv, struct lp_error *err)
{
	if (optopt)
		return lp_fail(err, EINVAL, "-%c: no such option; see `help`", optopt);
	return lp_fail(err, EINVAL, "%s: no such option; see `help`", argv[optind - 1]);
}

int lp_options_parse(struct lp_options *o, int argc, char **argv, struct lp_error *err)
{
	int id, index = 0;

	memset(o, 0, sizeof(*o));
	o->seed = lp_clock_ns() ^ ((uint64_t)time(NULL) << 20);
	o->seed &= 0xffffffffull;
	opterr = 0;
	optind = 0; /* begin anew, also after a call that stopped within "-xyz" */
	while ((id = getopt_long(argc, argv, ":", long_options, &index)) != -1) {
		int rc;

		if (id == ':')
			return lp_fail(err, EINVAL, "%s wants a value", argv[optind - 1]);
		if (id == '?')
			return refuse_option(argv, err);
		if (!*optarg)
			return lp_fail(err, EINVAL, "--%s wants a value", long_options[index].name);
		rc = take(o, id, optarg, err);
		if (rc)
			return rc;
	}
	if (optind < argc)
		return lp_fail(err, EINVAL, "'%s': no such argument; see `help`", argv[optind]);
	return check_together(o, err);
}
