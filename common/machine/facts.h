/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.json: every fact about the machine and the build that a figure may depend on.
 */
#ifndef LP_MACHINE_FACTS_H
#define LP_MACHINE_FACTS_H

#include <jansson.h>

#include "common/error.h"
#include "common/machine/topology.h"

/**
 * lp_facts_collect() - gather the facts.
 * @root: where proc and sys are found: "" on a real machine, a folder in tests.
 *
 * A fact that cannot be had is JSON null and its reason stands under "absent". Nothing here
 * names a user, a host or a path of the machine. Return: a new object (caller json_decref()s),
 * NULL when out of memory.
 */
json_t *lp_facts_collect(const struct lp_topology *t, const char *root);

/** lp_facts_headline() - two short lines for reports: CPU, counts, nodes; kernel, hypervisor,
 * governor. @facts as collected or read from machine.json. */
void lp_facts_headline(const json_t *facts, char *text, size_t size);

#endif
