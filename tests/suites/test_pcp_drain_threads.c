// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pcp_drain on real threads: every repetition passes the invariants of its own check, and CPUs
 * really interrupt each other, by signal and by membarrier.
 */
#include "drivers/bench/measure.h"
#include "tests/suites/pcp_drain.h"

/* ---- real threads ---- */

struct machine {
	struct lp_topology topology;
	int *os_cpu;
	int cpus;
};

static int machine_load(void **state)
{
	static struct machine m;
	struct lp_error err;

	if (lp_topology_load(&m.topology, NULL, &err))
		return -1;
	m.os_cpu = calloc((size_t)m.topology.ncpus + 1, sizeof(int));
	m.cpus = m.os_cpu ? lp_topology_usable(&m.topology, m.os_cpu) : 0;
	*state = &m;
	return m.cpus > 0 ? 0 : -1;
}

static int machine_free(void **state)
{
	struct machine *m = *state;

	free(m->os_cpu);
	lp_topology_free(&m->topology);
	return 0;
}

static void measure(struct machine *m, const char *name, struct lp_measurement *x)
{
	struct lp_measure_options options = {.topology = &m->topology,
		.os_cpu = m->os_cpu,
		.cpus = m->cpus,
		.window_ns = 20000000,
		.seed = 1};
	struct lp_error err = {0};
	struct lp_case c;

	if (lp_case_parse(&c, name, &err))
		fail_msg("%s: %s", name, err.message);
	c.threads = m->cpus < 4 ? m->cpus : 4;
	if (lp_measure(&c, &options, x, &err))
		fail_msg("%s: %s", name, err.message);
	assert_true(x->ops > 0);
}

static void test_threads_keep_the_invariants(void **state)
{
	static const char *const rests[] = {"/case:storm/threads:2", "/case:normal/threads:2",
		STORM "/blocks:1/reclaim:1/threads:2", STORM "/blocks:1/mode:observed/threads:2"};

	for (size_t r = 0; r < ARRAY_SIZE(rests); r++)
		for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
			struct lp_measurement x;

			measure(*state, name_of(generations[g], rests[r]), &x);
			lp_measurement_destroy(&x);
		}
}

/* A loaded machine may leave a CPU no time to be interrupted in: then again, within reason. */
static double measure_until_interrupted(struct machine *m, const char *name)
{
	double wait_ns = 0;

	for (int attempt = 0; attempt < 100 && !(wait_ns > 0); attempt++) {
		struct lp_measurement x;

		measure(m, name, &x);
		if (lp_metrics_get(&x.metrics, "ipis") > 0)
			wait_ns = lp_metrics_get(&x.metrics, "drain_wait_p50_ns");
		lp_measurement_destroy(&x);
	}
	return wait_ns;
}

static void test_threads_interrupt_each_other_both_ways(void **state)
{
	static const char *const senders[] = {"ipi_always", "ipi_on_fail", "ipi_masked"};
	static const char *const rests[] = {STORM
		"/ipi:signal/blocks:1/reclaim:1/mode:observed/threads:2",
		STORM "/ipi:membarrier/blocks:1/reclaim:1/mode:observed/threads:2"};
	struct machine *m = *state;

	if (m->cpus < 2)
		skip();
	for (size_t r = 0; r < ARRAY_SIZE(rests); r++)
		for (size_t g = 0; g < ARRAY_SIZE(senders); g++)
			assert_true(
				measure_until_interrupted(m, name_of(senders[g], rests[r])) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_keep_the_invariants),
		cmocka_unit_test(test_threads_interrupt_each_other_both_ways),
	};

	return cmocka_run_group_tests(tests, machine_load, machine_free);
}
