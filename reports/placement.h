/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement classes: repetitions whose CPUs were equally far apart.
 *
 * On a virtual machine the host moves the CPUs, and the same contended loop runs at another speed
 * only because the cache line now travels further. The round trip each repetition measured says
 * so. Repetitions are therefore put into classes within which the longest round trip is at most
 * twice the shortest, and figures are compared within a class only.
 *
 * Different numbers of threads use different CPUs, so each number has classes of its own.
 */
#ifndef LP_REPORTS_PLACEMENT_H
#define LP_REPORTS_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

/* The class of rows that measured no round trip (one thread, a foreign file), and of those whose
 * name says which CPUs they measure (`cpu:0`). */
#define LP_PLACEMENT_NONE UINT32_MAX

struct lp_placement {
	int threads;
	double low_ns, high_ns; /* shortest and longest round trip in it */
	size_t rows;
};

enum { LP_PLACEMENT_BINS = 480 };

/** lp_placement_bin() - the bin of a round trip, 5 % wide, clamped to 0.1 ns … 1 s. */
int lp_placement_bin(double round_trip_ns);

/**
 * lp_placement_split() - classes of the bins of one thread count.
 * @rows: how many rows fell into each bin.
 * @class_of: receives the class, from 0, of every bin with rows, −1 of the others.
 *
 * A range of more than a factor of two is split at its widest gap (the lower of equal ones), and so
 * on: what lies close together stays together. Return: the number of classes.
 */
int lp_placement_split(const size_t rows[LP_PLACEMENT_BINS], int class_of[LP_PLACEMENT_BINS]);

struct lp_results;

/** lp_placement_classify() - set `placement` of all of @r's rows. Return: 0 or -ENOMEM. */
int lp_placement_classify(struct lp_results *r);

#endif
