// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which repetitions a figure is of, placement classes, ratios, and what lines are compared to.
 */
#include <math.h>

#include "results_make.h"

#include "reports/figure.h"
#include "reports/lines.h"

static struct lp_figure figure(const struct lp_results *r, const char *name)
{
	struct lp_figure f;

	assert_int_equal(
		lp_figure_with_interval(r, find_item(r, name), metric(r, "ns_per_op"), &f), 0);
	return f;
}

static struct lp_ratio ratio(const struct lp_results *r, const char *base, const char *subject)
{
	struct lp_ratio result;

	assert_int_equal(lp_ratio(r, find_item(r, base), find_item(r, subject),
				 metric(r, "ns_per_op"), &result),
		0);
	return result;
}

static void valid_before_disturbed_before_nothing(void **state)
{
	struct journal j;
	struct lp_results r;
	struct lp_figure f;

	journal_init(&j);
	journal_time(&j, "s/a", 0, "valid", 10, -1);
	journal_time(&j, "s/a", 1, "disturbed: x", 99, -1);
	journal_time(&j, "s/a", 2, "valid", 20, -1);
	journal_row(&j, "s/a", 3, "valid", "\"ns_per_op\":null");
	journal_time(&j, "s/b", 0, "disturbed: x", 7, -1);
	journal_time(&j, "s/b", 1, "invalid: x", 1, -1);
	journal_time(&j, "s/c", 0, "invalid: x", 1, -1);
	journal_read(&j, &r);
	f = figure(&r, "s/a");
	assert_int_equal(f.quality, LP_QUALITY_VALID);
	assert_int_equal(f.used, 2);
	assert_true(f.median == 15 && f.low == 10 && f.high == 20);
	f = figure(&r, "s/b");
	assert_int_equal(f.quality, LP_QUALITY_DISTURBED);
	assert_true(f.median == 7 && f.used == 1);
	f = figure(&r, "s/c");
	assert_int_equal(f.quality, LP_QUALITY_NONE);
	assert_true(isnan(f.median) && isnan(f.low) && f.used == 0);
	lp_results_destroy(&r);
}

static void classes_split_at_the_widest_gap(void **state)
{
	size_t rows[LP_PLACEMENT_BINS] = {0};
	int class_of[LP_PLACEMENT_BINS];
	static const double near[] = {60, 75, 110}, far[] = {190, 260, 340};

	assert_int_equal(lp_placement_split(rows, class_of), 0);
	for (int i = 0; i < 3; i++) {
		rows[lp_placement_bin(near[i])]++;
		rows[lp_placement_bin(far[i])]++;
	}
	assert_int_equal(lp_placement_split(rows, class_of), 2);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(class_of[lp_placement_bin(near[i])], 0);
		assert_int_equal(class_of[lp_placement_bin(far[i])], 1);
	}
	assert_int_equal(class_of[lp_placement_bin(1000)], -1);
}

/* Within a class the longest is at most twice the shortest, whatever the round trips are. */
static void no_class_is_wider_than_twice(void **state)
{
	uint64_t random = 1;

	for (int round = 0; round < 200; round++) {
		size_t rows[LP_PLACEMENT_BINS] = {0};
		int class_of[LP_PLACEMENT_BINS], first = -1, class = -1;

		for (int i = 0; i < 40; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			rows[lp_placement_bin(pow(10, (double)(random >> 40) / (1 << 24) * 4))]++;
		}
		lp_placement_split(rows, class_of);
		for (int bin = 0; bin < LP_PLACEMENT_BINS; bin++) {
			assert_int_equal(class_of[bin] >= 0, rows[bin] > 0);
			if (class_of[bin] > class) {
				assert_int_equal(class_of[bin], class + 1);
				class = class_of[bin];
				first = bin;
			}
			if (rows[bin])
				assert_true(pow(1.05, bin - first) <= 2);
		}
	}
}

static void bins_are_clamped(void **state)
{
	assert_int_equal(lp_placement_bin(-5), 0);
	assert_int_equal(lp_placement_bin(0), 0);
	assert_int_equal(lp_placement_bin(1e300), LP_PLACEMENT_BINS - 1);
	assert_true(lp_placement_bin(70) < lp_placement_bin(80));
}

static void ratios_stay_within_a_class(void **state)
{
	struct journal j;
	struct lp_results r;
	struct lp_ratio x;

	journal_init(&j);
	for (int i = 0; i < 4; i++) {
		journal_time(&j, "s/base/threads:2", i, "valid", i < 3 ? 400 : 2000,
			i < 3 ? 70 + i : 390);
		journal_time(
			&j, "s/both/threads:2", i, "valid", i < 1 ? 40 : 300, i < 1 ? 70 : 390);
		journal_time(&j, "s/far/threads:2", i, "valid", 500, 390 + i);
	}
	journal_time(&j, "s/base/threads:1", 0, "valid", 50, -1);
	journal_time(&j, "s/none/threads:2", 0, "valid", 50, -1);
	journal_read(&j, &r);
	assert_int_equal(r.placements, 2);
	assert_true(figure(&r, "s/base/threads:2").median == 400);
	assert_int_equal(figure(&r, "s/base/threads:2").elsewhere, 1);
	x = ratio(&r, "s/base/threads:2", "s/both/threads:2");
	assert_int_equal(x.why, LP_RATIO_OK);
	assert_true(x.ratio == 0.1);
	assert_true(x.differs);
	x = ratio(&r, "s/base/threads:2", "s/far/threads:2");
	assert_true(x.ratio == 0.25);
	x = ratio(&r, "s/both/threads:2", "s/none/threads:2");
	assert_int_equal(x.why, LP_RATIO_PLACEMENT);
	assert_true(isnan(x.ratio));
	x = ratio(&r, "s/base/threads:1", "s/base/threads:2");
	assert_int_equal(x.why, LP_RATIO_OK);
	assert_true(x.ratio == 8 && !x.differs);
	lp_results_destroy(&r);
}

/* Two threads on two CPUs are not four on four; pairs of CPUs are their own measurement. */
static void who_has_a_class(void **state)
{
	struct journal j;
	struct lp_results r;

	journal_init(&j);
	journal_time(&j, "s/a/threads:2", 0, "valid", 1, 70);
	journal_time(&j, "s/a/threads:4", 0, "valid", 1, 70);
	journal_time(&j, "s/a/threads:1", 0, "valid", 1, -1);
	journal_time(&j, "s/pair/cpu:0/peer:9/threads:2", 0, "valid", 1, 900);
	journal_read(&j, &r);
	assert_int_equal(r.placements, 2);
	assert_int_equal(r.row[0].placement, 0);
	assert_int_equal(r.row[1].placement, 1);
	assert_int_equal(r.row[2].placement, LP_PLACEMENT_NONE);
	assert_int_equal(r.row[3].placement, LP_PLACEMENT_NONE);
	lp_results_destroy(&r);
}

static void zero_has_a_ratio(void **state)
{
	struct journal j;
	struct lp_results r;

	journal_init(&j);
	journal_time(&j, "s/zero", 0, "valid", 0, -1);
	journal_time(&j, "s/none", 0, "valid", 0, -1);
	journal_time(&j, "s/one", 0, "valid", 1, -1);
	journal_time(&j, "s/minus", 0, "valid", -1, -1);
	journal_row(&j, "s/null", 0, "valid", "\"ns_per_op\":null");
	journal_read(&j, &r);
	assert_true(ratio(&r, "s/zero", "s/none").ratio == 1);
	assert_true(isinf(ratio(&r, "s/zero", "s/one").ratio));
	assert_true(ratio(&r, "s/one", "s/zero").ratio == 0);
	assert_int_equal(ratio(&r, "s/one", "s/minus").why, LP_RATIO_NEGATIVE);
	assert_int_equal(ratio(&r, "s/one", "s/null").why, LP_RATIO_ABSENT);
	assert_int_equal(ratio(&r, "s/null", "s/one").why, LP_RATIO_ABSENT);
	lp_results_destroy(&r);
}

/* ---- lines ---- */

static const char *base_of(struct lp_results *r, const struct lp_lines *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct lp_item *item = l->line[i].item[LP_ROW_TIMING];

		if (!item || strcmp(lp_results_text(r, item->text), name))
			continue;
		if (l->line[i].base == LP_NO_LINE)
			return "none";
		return lp_results_text(r, l->line[l->line[i].base].item[LP_ROW_TIMING]->text);
	}
	fail_msg("no line %s", name);
	return NULL;
}

static void lines_know_what_they_compare_to(void **state)
{
	static const char *const names[] = {"s/old/lock:a/threads:2", "s/old/lock:a/x:1/threads:2",
		"s/new/batch:9/lock:a/threads:2", "s/new/batch:9/lock:a/x:1/threads:2",
		"s/new/batch:9/lock:a/x:2/threads:2", "s/new/batch:5/lock:b/threads:2",
		"s/new/batch:9/lock:b/threads:2", "s/new/batch:9/lock:a/threads:1"};
	static const char *const bases[] = {"s/old/lock:a/threads:2", "s/old/lock:a/x:1/threads:2",
		"s/old/lock:a/threads:2", "s/old/lock:a/x:1/threads:2", "none",
		"s/new/batch:5/lock:b/threads:2", "s/new/batch:9/lock:b/threads:2", "none"};
	struct journal j;
	struct lp_results r;
	struct lp_lines l;

	journal_init(&j);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		journal_time(&j, names[i], 0, "valid", 1, -1);
	journal_read(&j, &r);
	assert_int_equal(lp_lines_build(&l, &r, lp_strings_find(&r.strings, "s"), NULL), 0);
	assert_int_equal(l.count, 8);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(base_of(&r, &l, names[i]), bases[i]);
	lp_lines_destroy(&l);
	lp_results_destroy(&r);
}

static void modes_are_one_line(void **state)
{
	static const char *const names[] = {"s/v/k:1/threads:1", "s/v/k:1/threads:2",
		"s/v/k:1/mode:observed/threads:2", "s/v/k:1/mode:exact/threads:1",
		"s/v/k:2/mode:exact/threads:1", "s/v/k:1/mode:soak/threads:2"};
	struct journal j;
	struct lp_results r;
	struct lp_lines l;

	journal_init(&j);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		journal_time(&j, names[i], 0, "valid", 1, -1);
	journal_read(&j, &r);
	assert_int_equal(lp_lines_build(&l, &r, lp_strings_find(&r.strings, "s"), NULL), 0);
	assert_int_equal(l.count, 3);
	assert_int_equal(l.groups, 2);
	assert_string_equal(l.group[0], "k:1");
	assert_ptr_equal(l.line[0].item[LP_ROW_EXACT], l.line[1].item[LP_ROW_EXACT]);
	assert_null(l.line[0].item[LP_ROW_OBSERVED]);
	assert_non_null(l.line[1].item[LP_ROW_OBSERVED]);
	assert_non_null(l.line[1].item[LP_ROW_SOAK]);
	assert_int_equal(l.line[2].name.threads, 0);
	lp_lines_destroy(&l);
	lp_results_destroy(&r);
}

/* A first generation that gave no time hands its place to the next, and that is said. */
static void an_invalid_first_generation(void **state)
{
	struct journal j;
	struct lp_results r;
	struct lp_lines l;

	journal_init(&j);
	journal_time(&j, "s/a/threads:1", 0, "invalid: x", 1, -1);
	journal_time(&j, "s/b/threads:1", 0, "valid", 1, -1);
	journal_time(&j, "s/c/threads:1", 0, "valid", 1, -1);
	journal_read(&j, &r);
	assert_int_equal(lp_lines_build(&l, &r, lp_strings_find(&r.strings, "s"), NULL), 0);
	assert_string_equal(base_of(&r, &l, "s/c/threads:1"), "s/b/threads:1");
	assert_true(l.line[2].base_is_not_first);
	assert_string_equal(base_of(&r, &l, "s/a/threads:1"), "none");
	lp_lines_destroy(&l);
	lp_results_destroy(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_before_disturbed_before_nothing),
		cmocka_unit_test(classes_split_at_the_widest_gap),
		cmocka_unit_test(no_class_is_wider_than_twice),
		cmocka_unit_test(bins_are_clamped),
		cmocka_unit_test(ratios_stay_within_a_class),
		cmocka_unit_test(who_has_a_class),
		cmocka_unit_test(zero_has_a_ratio),
		cmocka_unit_test(lines_know_what_they_compare_to),
		cmocka_unit_test(modes_are_one_line),
		cmocka_unit_test(an_invalid_first_generation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
