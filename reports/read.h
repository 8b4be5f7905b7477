/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a results folder (reports/README.md has the format).
 *
 * The journal is the source of truth; without it benchmark.json will do, and so does any Google
 * Benchmark output of versions 1.7 to 1.9. Whatever is wrong with a file ends in an error of one
 * line, "file:line: reason"; nothing is repaired silently.
 */
#ifndef LP_REPORTS_READ_H
#define LP_REPORTS_READ_H

#include <stddef.h>

#include "common/error.h"
#include "reports/results.h"

/**
 * lp_read_results() - read the results folder, or the single file, @path into @r.
 *
 * @r must be initialised and empty; @path must live as long as it. A single file is a journal when
 * its name ends in .jsonl, else Google Benchmark JSON; then machine.json and suites.json are not
 * looked for. Return: 0, or -errno with @err; @r is to be destroyed either way.
 */
int lp_read_results(struct lp_results *r, const char *path, struct lp_error *err);

/** lp_read_journal_text() - a journal from memory; @name stands for the file in messages. */
int lp_read_journal_text(struct lp_results *r, const char *name, const void *text, size_t size,
	struct lp_error *err);

/** lp_read_benchmark_text() - Google Benchmark JSON from memory. */
int lp_read_benchmark_text(struct lp_results *r, const char *name, const void *text, size_t size,
	struct lp_error *err);

#endif
