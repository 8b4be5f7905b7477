/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a results folder that are made from its journal. */
#ifndef LP_DRIVERS_COMPOSE_H
#define LP_DRIVERS_COMPOSE_H

#include <jansson.h>
#include <stddef.h>

#include "common/error.h"

struct lp_tally {
	size_t planned, valid, disturbed, invalid, errors, missing; /* repetitions */
	size_t skipped;						    /* cases */
};

/**
 * lp_compose() - write benchmark.json, details.json and suites.json into @folder.
 * @lines: of its journal.
 *
 * Of several attempts at a repetition the last counts. Each file replaces its predecessor whole or
 * not at all. Return: 0, or -errno with @err.
 */
int lp_compose(
	const char *folder, const json_t *lines, struct lp_tally *tally, struct lp_error *err);

/** lp_compose_write() - @value as @folder/@name, replaced atomically. */
int lp_compose_write(
	const char *folder, const char *name, const json_t *value, struct lp_error *err);

#endif
