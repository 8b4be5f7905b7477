/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes on which this process may place memory; used by memory.c alone. */
#ifndef LP_MACHINE_MEMORY_NODES_H
#define LP_MACHINE_MEMORY_NODES_H

#include <stdbool.h>
#include <stddef.h>

/** lp_memory_node_exists() - whether node @os has memory that this process may use. */
bool lp_memory_node_exists(int os);

/** lp_memory_nodes_text() - "0-1,3" of those nodes into @text; "unknown" when out of memory. */
void lp_memory_nodes_text(char *text, size_t size);

#endif
