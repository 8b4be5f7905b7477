// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer target: any bytes as a journal and as benchmark.json, read and rendered in both forms.
 * The first byte chooses. Not part of the build; tests/fuzz/README.md says how to run it.
 */
#include <stddef.h>
#include <stdint.h>

#include "reports/read.h"
#include "reports/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void render(struct lp_results *r, const struct lp_form *form)
{
	struct lp_sink out;
	struct lp_document d = {.form = form, .out = &out};

	lp_sink_init(&out, -1);
	lp_report_run(r, &d, NULL);
	lp_sink_destroy(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_results r;
	struct lp_error err = {0};
	int rc;

	if (!size)
		return 0;
	lp_results_init(&r);
	if (data[0] % 2)
		rc = lp_read_journal_text(&r, "fuzz", data + 1, size - 1, &err);
	else
		rc = lp_read_benchmark_text(&r, "fuzz", data + 1, size - 1, &err);
	if (!rc) {
		render(&r, &lp_form_text);
		render(&r, &lp_form_markdown);
	}
	lp_results_destroy(&r);
	return 0;
}
