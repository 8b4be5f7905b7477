/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of `lockpath run` and `lockpath list`. */
#ifndef LP_DRIVERS_OPTIONS_H
#define LP_DRIVERS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "suites/suite.h"

enum { LP_OPTIONS_NAMES = 64 };

struct lp_options {
	enum lp_profile profile;
	const char *suite[LP_OPTIONS_NAMES]; /* empty: all */
	int suites;
	const char *named_case[LP_OPTIONS_NAMES]; /* empty: those of the profile */
	int named_cases;
	const char *filter;  /* POSIX extended expression searched in case names; NULL: all */
	const char *threads; /* list of thread counts; NULL: the profile's */
	int repetitions;     /* of each case; 0: the profile's */
	double min_time_s;   /* window of a repetition; 0: the profile's */
	uint64_t seed;
	bool seed_given, profile_given;
	const char *out;    /* folder to make; NULL: results/DATE-TIME */
	const char *resume; /* folder to go on with; NULL: a new run */
	const char *bench;  /* the measuring program; NULL: lockpath-bench beside this one */
};

/**
 * lp_options_parse() - read the options of @argv[0..@argc-1], the command's name first.
 *
 * The seed is drawn from the clock unless given. Return: 0, or -EINVAL with @err naming the option,
 * what is wrong and what is legal.
 */
int lp_options_parse(struct lp_options *o, int argc, char **argv, struct lp_error *err);

#endif
