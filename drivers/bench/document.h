/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON document of one repetition: {"context": …, "benchmarks": [row], "lockpath": details}.
 */
#ifndef LP_BENCH_DOCUMENT_H
#define LP_BENCH_DOCUMENT_H

#include <stdint.h>

#include <jansson.h>

#include "common/error.h"

struct lp_document_facts {
	const char *profile;
	uint64_t seed;
	int repetition, repetitions; /* of the row: this process knows of one only */
};

/**
 * lp_document_compose() - Google Benchmark's report of one row, and what belongs to it.
 * @report: its JSON text.
 * @details: becomes "lockpath"; NULL: null. Not consumed.
 *
 * Return: 0 with a new object in *@document; -EINVAL with @err set if @report does not hold
 * exactly one row.
 */
int lp_document_compose(const char *report, json_t *details, const struct lp_document_facts *facts,
	json_t **document, struct lp_error *err);

/** lp_document_write() - @document into the file @path, whole or not at all ("-": to stdout).
 * Return: 0, or -errno with @err set; then @path is as it was. */
int lp_document_write(const json_t *document, const char *path, struct lp_error *err);

#endif
