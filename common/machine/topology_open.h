/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Getting hwloc to read a topology; used by topology.c alone. */
#ifndef LP_MACHINE_TOPOLOGY_OPEN_H
#define LP_MACHINE_TOPOLOGY_OPEN_H

#include <hwloc.h>

#include "common/error.h"

/** lp_topology_open() - @xml, or the running machine when NULL, with the objects that
 * lp_topology_load() uses. Return: 0, and the caller calls hwloc_topology_destroy(); or -errno with
 * @err set. */
int lp_topology_open(hwloc_topology_t *topo, const char *xml, struct lp_error *err);

#endif
