// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Placement classes by splitting at the widest gap. Working on bins of 5 % bounds the work whatever
 * the file says; the factor of two is the one by which the development machine's round trips (70
 * and 390 ns) are clearly told apart and their jitter (10 to 30 %) is not. It would separate
 * wrongly if one placement's round trips themselves spread by more than a factor of two.
 */
#include "reports/placement.h"

#include <math.h>
#include <string.h>

#include "reports/grow.h"
#include "reports/results.h"

static const double bin_step = 1.05, least_ns = 0.1;
enum { BINS_PER_DOUBLING = 14 }; /* 1.05^14 = 1.98 */

int lp_placement_bin(double round_trip_ns)
{
	double bin;

	if (!(round_trip_ns > least_ns))
		return 0;
	bin = floor(log(round_trip_ns / least_ns) / log(bin_step));
	return bin < LP_PLACEMENT_BINS - 1 ? (int)bin : LP_PLACEMENT_BINS - 1;
}

/* The bin after which the widest run of empty bins within @low..@high begins. */
static int widest_gap(const size_t *rows, int low, int high)
{
	int at = low, width = 0, last = low;

	for (int bin = low + 1; bin <= high; bin++) {
		if (!rows[bin])
			continue;
		if (bin - last > width) {
			width = bin - last;
			at = last;
		}
		last = bin;
	}
	return at;
}

static int next_used(const size_t *rows, int bin)
{
	while (bin < LP_PLACEMENT_BINS && !rows[bin])
		bin++;
	return bin;
}

static int split(const size_t *rows, int *class_of, int low, int high, int class)
{
	int gap;

	if (high - low < BINS_PER_DOUBLING) {
		for (int bin = low; bin <= high; bin++)
			class_of[bin] = rows[bin] ? class : -1;
		return class + 1;
	}
	gap = widest_gap(rows, low, high);
	class = split(rows, class_of, low, gap, class);
	return split(rows, class_of, next_used(rows, gap + 1), high, class);
}

int lp_placement_split(const size_t rows[LP_PLACEMENT_BINS], int class_of[LP_PLACEMENT_BINS])
{
	int low = next_used(rows, 0), high = LP_PLACEMENT_BINS - 1;

	for (int bin = 0; bin < LP_PLACEMENT_BINS; bin++)
		class_of[bin] = -1;
	if (low == LP_PLACEMENT_BINS)
		return 0;
	while (!rows[high])
		high--;
	return split(rows, class_of, low, high, 0);
}

static void widen(struct lp_placement *p, double round_trip_ns)
{
	if (!p->rows++) {
		p->low_ns = p->high_ns = round_trip_ns;
		return;
	}
	p->low_ns = fmin(p->low_ns, round_trip_ns);
	p->high_ns = fmax(p->high_ns, round_trip_ns);
}

/* A row that measured a round trip. */
struct measured {
	int threads;
	double round_trip_ns;
	size_t row;
};

static int by_threads(const void *a, const void *b)
{
	const struct measured *x = a, *y = b;

	return (x->threads > y->threads) - (x->threads < y->threads);
}

/* Classes for the @n rows at @m, all of the same number of threads. */
static int classify(struct lp_results *r, const struct measured *m, size_t n)
{
	size_t rows[LP_PLACEMENT_BINS] = {0}, base = r->placements;
	int class_of[LP_PLACEMENT_BINS];

	for (size_t i = 0; i < n; i++)
		rows[lp_placement_bin(m[i].round_trip_ns)]++;
	r->placements += (size_t)lp_placement_split(rows, class_of);
	if (lp_grow(&r->placement, &r->placement_room, r->placements, sizeof(*r->placement)))
		return -ENOMEM;
	for (size_t i = base; i < r->placements; i++)
		r->placement[i] = (struct lp_placement){.threads = m->threads};
	for (size_t i = 0; i < n; i++) {
		int class = class_of[lp_placement_bin(m[i].round_trip_ns)];

		r->row[m[i].row].placement = (uint32_t)base + (uint32_t) class;
		widen(&r->placement[base + (size_t) class], m[i].round_trip_ns);
	}
	return 0;
}

/* Whether the case is a measurement of certain CPUs: how far they are apart is its result then, and
 * no accident of the run. */
static bool names_cpus(const struct lp_item *item, uint32_t cpu)
{
	return cpu && lp_name_value(&item->name, cpu);
}

/* The rows with a round trip into @m; the others are in no class. Return: how many. */
static size_t gather(struct lp_results *r, struct measured *m)
{
	uint32_t metric = lp_strings_find(&r->strings, "cache_line_rtt_ns");
	uint32_t cpu = lp_strings_find(&r->strings, "cpu");
	size_t n = 0;

	for (size_t i = 0; i < r->rows; i++) {
		double round_trip_ns = lp_row_value(r, &r->row[i], metric);

		r->row[i].placement = LP_PLACEMENT_NONE;
		if (isnan(round_trip_ns) || names_cpus(&r->item[r->row[i].item], cpu))
			continue;
		m[n++] = (struct measured){.threads = r->item[r->row[i].item].name.threads,
			.round_trip_ns = round_trip_ns,
			.row = i};
	}
	return n;
}

int lp_placement_classify(struct lp_results *r)
{
	struct measured *m = malloc((r->rows + 1) * sizeof(*m));
	size_t n, from = 0;
	int rc = 0;

	if (!m)
		return -ENOMEM;
	n = gather(r, m);
	if (n > 1)
		qsort(m, n, sizeof(*m), by_threads);
	for (size_t i = 1; !rc && i <= n; i++) {
		if (i < n && m[i].threads == m[from].threads)
			continue;
		rc = classify(r, m + from, i - from);
		from = i;
	}
	free(m);
	return rc;
}
