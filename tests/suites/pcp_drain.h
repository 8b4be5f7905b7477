/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of pcp_drain share: its generations by name, and a run in which nothing happened.
 */
#ifndef LP_TESTS_PCP_DRAIN_H
#define LP_TESTS_PCP_DRAIN_H

#include "suites/pcp_drain/pcp_drain.h"
#include "tests/suites/play.h"

#define EXACT "/mode:exact/threads:1"
#define STORM "/case:storm/actors:reclaimers"

static const char *const generations[] = {
	"ipi_always", "ipi_on_fail", "local_only", "ipi_masked", "workqueue", "remote_lock"};

static inline const char *name_of(const char *generation, const char *rest)
{
	static char name[LP_NAME_MAX];

	snprintf(name, sizeof(name), "pcp_drain/%s%s", generation, rest);
	return name;
}

/* Set up on @cpus CPUs, nothing played. */
static inline struct pcp_drain *begin_still(struct play *p, const char *name, int cpus)
{
	memset(p, 0, sizeof(*p));
	if (lp_case_parse(&p->spec, name, &p->err))
		fail_msg("%s: %s", name, p->err.message);
	p->run = (struct lp_run){
		.spec = &p->spec, .cpus = cpus, .nnodes = 1, .seed = 1, .flavour = LP_LOCK_TICKET};
	lp_metrics_init(&p->run.metrics);
	if (lp_cpus_init(cpus, &p->err) || p->spec.variant->setup(&p->run, &p->err))
		fail_msg("%s: %s", name, p->err.message);
	return p->run.state;
}

static inline void end_still(struct play *p)
{
	p->spec.variant->drain(&p->run);
	if (play_check(p))
		fail_msg("%s", p->err.message);
	play_end(p);
}

#endif
