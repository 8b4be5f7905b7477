// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole reports against golden ones, which stand beside the results they are of. After a wanted
 * change make them again with LP_UPDATE_GOLDEN=1 in the environment and read the difference.
 */
#include "results_make.h"

#include "reports/report.h"

static const char *const folders[] = {"mixed", "foreign", "benchmark_only"};

static const struct golden {
	const char *file;
	int (*write)(struct lp_results *r, struct lp_document *d, struct lp_error *err);
	const struct lp_form *form;
} goldens[] = {
	{"report.txt", lp_report_run, &lp_form_text},
	{"report.md", lp_report_run, &lp_form_markdown},
	{"claims.txt", lp_report_claims, &lp_form_text},
	{"claims.md", lp_report_claims, &lp_form_markdown},
};

/* The report of @folder into @out, which the caller destroys. */
static void render(const char *folder, const struct golden *g, struct lp_sink *out)
{
	struct lp_results r;
	struct lp_document d = {.form = g->form, .out = out};
	struct lp_error err = {0};

	lp_results_init(&r);
	lp_sink_init(out, -1);
	if (lp_read_results(&r, folder, &err) || g->write(&r, &d, &err) ||
		lp_sink_finish(out, &err))
		fail_msg("%s", err.message);
	lp_results_destroy(&r);
}

static void update(const char *path, const struct lp_sink *out)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(out->text, 1, out->length, f), out->length);
	assert_int_equal(fclose(f), 0);
}

static void compare(const char *path, const struct lp_sink *out)
{
	char *golden = calloc(out->length + 2, 1);
	FILE *f = fopen(path, "r");
	size_t n, line = 1;

	assert_non_null(golden);
	if (!f)
		fail_msg("%s cannot be read; LP_UPDATE_GOLDEN=1 makes it", path);
	n = fread(golden, 1, out->length + 1, f);
	fclose(f);
	for (size_t i = 0; i < n && i < out->length; i++) {
		if (golden[i] != out->text[i])
			fail_msg("%s differs in line %zu: golden \"%.60s\", now \"%.60s\"", path,
				line, golden + i, out->text + i);
		line += golden[i] == '\n';
	}
	assert_int_equal(n, out->length);
	free(golden);
}

static void reports_are_as_they_were(void **state)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		for (size_t k = 0; k < sizeof(goldens) / sizeof(goldens[0]); k++) {
			char folder[512], path[600];
			struct lp_sink out;

			snprintf(folder, sizeof(folder), LP_TEST_DATA "/results/%s", folders[i]);
			snprintf(path, sizeof(path), "%s/%s", folder, goldens[k].file);
			render(folder, &goldens[k], &out);
			if (getenv("LP_UPDATE_GOLDEN"))
				update(path, &out);
			else
				compare(path, &out);
			lp_sink_destroy(&out);
		}
	}
}

/* Shuffled lines are the same run: the plan and the repetition decide the order. */
static void the_order_of_the_journal_does_not_show(void **state)
{
	static const char *const names[] = {"s/a/threads:1", "s/b/threads:1"};
	struct lp_sink texts[2];

	for (int way = 0; way < 2; way++) {
		struct lp_document d = {.form = &lp_form_text, .out = &texts[way]};
		struct lp_results r;
		struct journal j;

		lp_sink_init(&j.text, -1);
		lp_sink_text(&j.text,
			"{\"lockpath_journal\":1,\"plan\":[{\"name\":\"s/b/threads:1\"},{\"name\":"
			"\"s/a/threads:1\"}]}\n");
		for (int i = 0; i < 10; i++) {
			int at = way ? 9 - i : i;

			journal_time(&j, names[at % 2], at / 2, "valid", 10 + at, -1);
		}
		journal_read(&j, &r);
		lp_sink_init(&texts[way], -1);
		assert_int_equal(lp_report_run(&r, &d, NULL), 0);
		lp_results_destroy(&r);
	}
	assert_string_equal(texts[0].text, texts[1].text);
	assert_true(strstr(texts[0].text, "\nb ") < strstr(texts[0].text, "\na "));
	lp_sink_destroy(&texts[0]);
	lp_sink_destroy(&texts[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_are_as_they_were),
		cmocka_unit_test(the_order_of_the_journal_does_not_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
