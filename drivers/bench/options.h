/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of lockpath-bench that are not Google Benchmark's. */
#ifndef LP_BENCH_OPTIONS_H
#define LP_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "suites/suite.h"

struct lp_bench_options {
	const char *named_case; /* measure this case alone, once; NULL: those of the profile */
	enum lp_profile profile;
	double min_time_s; /* window; 0: the profile's */
	uint64_t seed;
	int repetition, repetitions; /* written into the row of a named case */
	const char *cpus; /* list of the kernel's CPU numbers; NULL: the topology's order */
	const char *out;  /* file for the document of a named case; "-": standard output */
	bool list;
};

/** lp_bench_options_adopt() - before Google Benchmark takes its flags: --benchmark_min_time is
 * --min-time, because it is we who measure the window. */
void lp_bench_options_adopt(int argc, char **argv);

/** lp_bench_options_help() - whether --help is among the arguments; to be asked first, because
 * Google Benchmark's own help does not know our options. */
bool lp_bench_options_help(int argc, char **argv);

/** lp_bench_options_parse() - read @argv after Google Benchmark has taken its flags. Return: 0, or
 * -EINVAL with @err. */
int lp_bench_options_parse(struct lp_bench_options *o, int argc, char **argv, struct lp_error *err);

#endif
