// SPDX-License-Identifier: GPL-2.0-or-later
/* A listing that can be read, and whose case names can be cut out and given to --case. */
#include "drivers/schedule/list.h"

#include <stdio.h>
#include <string.h>

static void print_variants(const struct lp_suite *s)
{
	for (size_t i = 0; i < s->nvariants; i++)
		printf("    %-16s %-22s %s\n", s->variants[i]->name, s->variants[i]->kernel,
			s->variants[i]->summary);
}

static void print_params(const struct lp_suite *s)
{
	if (s->nparams)
		puts("  parameters (name:value in a case's name):");
	for (size_t i = 0; i < s->nparams; i++) {
		const struct lp_param *p = &s->params[i];

		if (p->words)
			printf("    %-16s default %-13s %s\n", p->name, p->words[p->default_value],
				p->help);
		else
			printf("    %-16s default %-13ld %s\n", p->name, p->default_value, p->help);
	}
}

static bool belongs(const struct lp_plan_entry *e, const struct lp_suite *s)
{
	size_t n = strlen(s->name);

	return !strncmp(e->name, s->name, n) && e->name[n] == '/';
}

static void print_cases(const struct lp_run_plan *plan, const struct lp_suite *s, bool skipped)
{
	bool first = true;

	for (size_t i = 0; i < plan->count; i++) {
		const struct lp_plan_entry *e = &plan->entry[i];

		if (!belongs(e, s) || !e->skipped == skipped)
			continue;
		if (first)
			puts(skipped ? "  skipped here:"
				     : "  cases (and how often each is repeated):");
		first = false;
		if (skipped)
			printf("    %s: %s\n", e->name, e->skipped);
		else
			printf("    %s  ×%d\n", e->name, e->repetitions);
	}
}

static bool any_case(const struct lp_run_plan *plan, const struct lp_suite *s)
{
	for (size_t i = 0; i < plan->count; i++)
		if (belongs(&plan->entry[i], s))
			return true;
	return false;
}

void lp_list_print(const struct lp_run_plan *plan)
{
	for (size_t i = 0; i < lp_suites_count; i++) {
		const struct lp_suite *s = lp_suites[i];

		if (!any_case(plan, s))
			continue;
		printf("%s: %s\n  variants:\n", s->name, s->summary);
		print_variants(s);
		print_params(s);
		print_cases(plan, s, false);
		print_cases(plan, s, true);
		putchar('\n');
	}
}
