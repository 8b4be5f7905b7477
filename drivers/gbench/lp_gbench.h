/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Google Benchmark from C: registration, the measuring loop, counters, labels, errors, context,
 * and reporters whose JSON is strict.
 *
 * The files of this folder need nothing but Google Benchmark (1.7.1) and a C++17 compiler, so that
 * they can be taken alone: compile the *.cc, include this header. A whole program:
 *
 *	static void add(struct lp_gb_state *s, void *arg)
 *	{
 *		int64_t n = lp_gb_iterations(s);
 *
 *		for (int64_t i = 0; i < n; i++)
 *			work(arg);
 *	}
 *
 *	int main(int argc, char **argv)
 *	{
 *		if (lp_gb_initialize(&argc, argv) || lp_gb_register("add", add, NULL, NULL) ||
 *			lp_gb_run(NULL))
 *			fprintf(stderr, "%s\n", lp_gb_last_error());
 *		lp_gb_shutdown();
 *	}
 *
 * It takes every --benchmark_… flag that Google Benchmark takes, except for the format csv, which
 * Google Benchmark itself has deprecated and which ends the process when two rows have different
 * counters.
 *
 * Unless said otherwise functions return 0 or a negative errno, whose text lp_gb_last_error()
 * then gives; no C++ exception leaves them. Registration, running and context belong to one
 * thread; functions that take a state belong to the thread whose function was given that state.
 */
#ifndef LP_GBENCH_H
#define LP_GBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One run of one benchmark; valid until the benchmark's function returns. */
struct lp_gb_state;

/**
 * typedef lp_gb_function - a benchmark.
 *
 * It measures exactly once, by lp_gb_keep_running(), lp_gb_iterations() or lp_gb_window(), or
 * says why it could not by lp_gb_error(). Returning without any of these is made an error.
 * Google Benchmark calls it several times, with more iterations each time, until the minimum
 * time is reached; a window is measured once a repetition.
 */
typedef void (*lp_gb_function)(struct lp_gb_state *state, void *arg);

enum lp_gb_unit { LP_GB_DEFAULT_UNIT, LP_GB_NS, LP_GB_US, LP_GB_MS, LP_GB_S };

/* All zeroes are the defaults. Options that Google Benchmark adds to the name are marked (name). */
struct lp_gb_options {
	double min_time_s;     /* (name) least time of a run; 0: --benchmark_min_time */
	int64_t iterations;    /* (name) exactly so many; 0: as many as the time needs */
	int repetitions;       /* (name) 0: --benchmark_repetitions */
	bool manual_time;      /* (name) real time is what lp_gb_iteration_time() says */
	bool real_time;	       /* (name) the minimum time is wall time, not CPU time */
	bool process_cpu_time; /* (name) CPU time of all threads, not only of this one */
	bool window;	       /* measured outside and reported by lp_gb_window() */
	int threads;	       /* reported as "threads" of the row; 0: 1. The function's own
				* threads: Google Benchmark always calls it on one. */
	enum lp_gb_unit unit;  /* of the times in the report */
};

/**
 * lp_gb_initialize() - take Google Benchmark's flags.
 * @argc, @argv: as main() got them; flags that were understood are removed.
 *
 * What is left in @argv is the caller's to judge; a flag whose number cannot be read stays there.
 * Return: 0; 1 when `--help` was given and Google Benchmark's has been printed; -EINVAL for a
 * value that it knows not (where Google Benchmark itself would end the process) or the format csv.
 */
int lp_gb_initialize(int *argc, char **argv);

/**
 * lp_gb_register() - add a benchmark.
 * @name: copied; not empty, and not registered yet.
 * @function: called with @arg, which must live until lp_gb_shutdown().
 * @options: copied; NULL: the defaults.
 *
 * Return: -EINVAL for a missing name or function, options out of range or in contradiction
 * (a window with a number of iterations, a time or a minimum time); -EEXIST.
 */
int lp_gb_register(
	const char *name, lp_gb_function function, void *arg, const struct lp_gb_options *options);

/** lp_gb_context() - add @key with the text @value to the context of the results. Return:
 * -EEXIST if @key is there. */
int lp_gb_context(const char *key, const char *value);

/**
 * lp_gb_run() - run what --benchmark_filter selects and report as the flags say.
 * @count: receives how many benchmarks were selected; may be NULL.
 *
 * With --benchmark_list_tests only lists them. Errors of single benchmarks are in the report, not
 * here. Return: -ENOENT if nothing matches the filter, -EINVAL if that is no regular expression,
 * -EIO if the file of --benchmark_out cannot be written.
 */
int lp_gb_run(size_t *count);

/** lp_gb_run_json() - the same, but the report that would go to stdout is made as JSON and
 * handed over in *@json, which the caller frees with free(). */
int lp_gb_run_json(char **json, size_t *count);

/** lp_gb_shutdown() - forget all benchmarks and the context. May be called again. */
void lp_gb_shutdown(void);

/** lp_gb_last_error() - why the last function that failed on this thread did; "" if none did.
 * One line, valid until the next failure on this thread. */
const char *lp_gb_last_error(void);

/* ---- in a benchmark's function ---- */

/**
 * lp_gb_keep_running() - `while (lp_gb_keep_running(s)) body();`
 *
 * A call for each iteration: about 1 ns. Where that matters take the count once instead. The time
 * runs from the first call to the one that returns false.
 */
bool lp_gb_keep_running(struct lp_gb_state *state);

/**
 * lp_gb_iterations() - start the time and take the number of iterations to be done.
 *
 * The loop is then the caller's own C loop and costs nothing. The time runs until lp_gb_end() or
 * until the function returns. Return: at least 1; 0 if the run has already been measured, an error
 * was reported, or it is a window.
 */
int64_t lp_gb_iterations(struct lp_gb_state *state);

/** lp_gb_end() - stop the time that lp_gb_iterations() started. Return: -EINVAL if none runs. */
int lp_gb_end(struct lp_gb_state *state);

/** lp_gb_pause() / lp_gb_resume() - leave out what is between them; costs about 0.5 µs. Return:
 * -EINVAL if the time does not run, or runs already. */
int lp_gb_pause(struct lp_gb_state *state);
int lp_gb_resume(struct lp_gb_state *state);

/** lp_gb_iteration_time() - with the option manual_time: this iteration (or all that
 * lp_gb_iterations() gave) took @seconds, which is added up. */
int lp_gb_iteration_time(struct lp_gb_state *state, double seconds);

/**
 * lp_gb_window() - one window has been measured outside.
 * @ops: operations done in it, at least 1 and below 2^53; the row's iterations.
 * @wall_seconds: its length; real time is @wall_seconds ÷ @ops.
 * @cpu_seconds: CPU time of all who worked; CPU time is @cpu_seconds ÷ @ops.
 *
 * Only with the option window, and once a run. Aggregates over repetitions are those of the times
 * per operation. Return: -EINVAL, -EALREADY.
 */
int lp_gb_window(struct lp_gb_state *state, uint64_t ops, double wall_seconds, double cpu_seconds);

/**
 * lp_gb_counter() - a figure of its own in the row.
 * @name: a key that is not one of Google Benchmark's own (-EINVAL).
 * @value: as it is; not finite means absent, and is null in JSON.
 */
int lp_gb_counter(struct lp_gb_state *state, const char *name, double value);

/** lp_gb_label() - a text in the row; any bytes, JSON gets valid UTF-8. */
int lp_gb_label(struct lp_gb_state *state, const char *text);

/** lp_gb_error() - this run failed; its row carries @message and neither times nor counters. The
 * first message of a run stays. */
int lp_gb_error(struct lp_gb_state *state, const char *message);

#ifdef __cplusplus
}
#endif

#endif
