/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own interrupt counters, /proc/interrupts, as a difference per line and CPU.
 */
#ifndef LP_MEASURE_INTERRUPTS_H
#define LP_MEASURE_INTERRUPTS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct lp_interrupts_line {
	char name[16];	 /* "CAL", "RES", "TLB", "LOC", "IPI1", "24" */
	char what[64];	 /* the kernel's description */
	uint64_t *count; /* [cpus]; owned by the lp_interrupts */
};

struct lp_interrupts {
	size_t cpus; /* columns */
	int *cpu;    /* [cpus]: the kernel's CPU number of each column */
	size_t lines;
	struct lp_interrupts_line *line;
};

/** lp_interrupts_read() - parse @path (NULL: /proc/interrupts). Return: 0, or -errno with @err
 * set; on success free with lp_interrupts_free(). */
int lp_interrupts_read(struct lp_interrupts *i, const char *path, struct lp_error *err);
void lp_interrupts_free(struct lp_interrupts *i);

/** lp_interrupts_subtract() - @after −= @before, matched by line and CPU; a line or CPU that was
 * not there before keeps its count, and a 32-bit counter that wrapped counts on. */
void lp_interrupts_subtract(struct lp_interrupts *after, const struct lp_interrupts *before);

/** lp_interrupts_sum() - the sum of line @name over @n CPUs @cpu (NULL: all). Return: −1 if this
 * kernel has no such line. */
int64_t lp_interrupts_sum(
	const struct lp_interrupts *i, const char *name, const int *cpu, size_t n);

/** lp_interrupts_function_calls() - the name of the line that counts function-call interrupts on
 * this architecture ("CAL" on x86, "IPI1" on aarch64), NULL if none was found. */
const char *lp_interrupts_function_calls(const struct lp_interrupts *i);

#endif
