// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The team on real threads: who runs where and when, what comes back, and that nobody waits for
 * ever at the end. Counts and invariants only; the hooks are made for the purpose.
 */
#include "tests/unit/team_bench.h"

#include <math.h>

#include "common/kernel/irq.h"

/* What the hooks leave for the tests to look at, by CPU of the run. */
static struct {
	int os_cpu, id, begins, ends;
	bool in_order, running, masked;
	uint64_t random;
} seen[WORKERS_MAX];

/* ---- hooks ---- */

static void look_around(struct lp_worker *w)
{
	seen[w->cpu].os_cpu = sched_getcpu();
	seen[w->cpu].id = smp_processor_id();
	seen[w->cpu].running = atomic_load_explicit(&w->running, memory_order_relaxed);
	seen[w->cpu].masked = irqs_disabled();
	seen[w->cpu].in_order = seen[w->cpu].begins == 1 && seen[w->cpu].ends == 0;
	seen[w->cpu].random = lp_random(&w->random);
	w->ops = 1000 * (uint64_t)(w->cpu + 1);
	wait_for_stop(w);
}

static void count_paced(struct lp_worker *w)
{
	while (!lp_worker_stopped(w))
		lp_worker_batch_done(w, 10);
}

static void note_begin(struct lp_worker *w, void *context)
{
	seen[w->cpu].begins += context == seen;
}

static void note_end(struct lp_worker *w, void *context)
{
	seen[w->cpu].ends++;
}

/* ---- tests ---- */

static void check_each_worker(int cpus)
{
	static struct bench b;

	memset(seen, 0, sizeof(seen));
	bench_init(&b, cpus, look_around);
	b.options.worker_begin = note_begin;
	b.options.worker_end = note_end;
	b.options.context = seen;
	bench_run_ok(&b);
	for (int i = 0; i < cpus; i++) {
		assert_int_equal(seen[i].os_cpu, b.os_cpu[i]);
		assert_int_equal(seen[i].id, i);
		assert_true(seen[i].running);
		assert_false(seen[i].masked);
		assert_true(seen[i].in_order);
		assert_int_equal(seen[i].ends, 1);
		assert_false(b.worker[i].running);
		for (int j = 0; j < i; j++)
			assert_true(seen[i].random != seen[j].random);
	}
	assert_true(b.result.evidence.pins_hold);
	free(b.result.rate);
}

static void test_each_worker_runs_once_on_its_cpu(void **state)
{
	check_each_worker(1);
	check_each_worker(usable_count < 2 ? 1 : 2);
}

/* The odd one out plays its round trip with CPU 0; it may share a CPU with the second worker,
 * which is asleep then. */
static void test_odd_team_completes(void **state)
{
	need_cpus(2);
	check_each_worker(3);
}

static void test_operations_and_rates_add_up(void **state)
{
	static struct bench b;
	double from_rates = 0;

	need_cpus(2);
	bench_init(&b, 2, look_around);
	bench_run_ok(&b);
	assert_int_equal(b.result.ops, 1000 + 2000);
	for (int i = 0; i < 2; i++)
		from_rates += b.result.rate[i];
	assert_true(b.result.rate[1] > b.result.rate[0]);
	/* No worker's own window is longer than the team's. */
	assert_true(from_rates * b.result.seconds >= 3000 * 0.999);
	assert_true(b.result.evidence.jain > 0.5 && b.result.evidence.jain < 1);
	assert_true(b.result.seconds >= WINDOW_NS / 1e9 / 2);
	assert_true(b.result.cpu_seconds > 0);
	assert_true(b.result.cpu_seconds < 2 * b.result.seconds * 1.01);
	free(b.result.rate);
}

static void test_windows_overlap(void **state)
{
	static struct bench b;

	need_cpus(2);
	bench_init(&b, 2, wait_for_stop);
	b.options.window_ns = 50000000;
	bench_run_ok(&b);
	assert_true(b.result.evidence.overlap > 0);
	assert_true(b.result.evidence.overlap <= 1);
	free(b.result.rate);
}

static void test_round_trip_is_played_before_and_after(void **state)
{
	static struct bench b;

	need_cpus(2);
	bench_init(&b, 2, wait_for_stop);
	bench_run_ok(&b);
	assert_true(b.result.evidence.rtt_before_ns > 0);
	assert_true(b.result.evidence.rtt_after_ns > 0);
	free(b.result.rate);
	bench_init(&b, 1, wait_for_stop);
	bench_run_ok(&b);
	assert_true(isnan(b.result.evidence.rtt_before_ns));
	assert_true(isnan(b.result.evidence.rtt_after_ns));
	free(b.result.rate);
}

static void test_pace_is_kept(void **state)
{
	static struct bench b;

	bench_init(&b, 1, count_paced);
	b.options.pace_ops_per_s = 20000;
	bench_run_ok(&b);
	assert_true(b.result.ops > 0);
	/* The pace lets batches of 10 begin up to a millisecond early; 100 ms for a late start. */
	assert_true((double)b.result.ops <= 20000 * (b.result.seconds + 0.101) + 10);
	free(b.result.rate);
}

static void test_events_are_counted_when_asked_for(void **state)
{
	static struct bench b;
	int files = count_entries("/proc/self/fd");

	bench_init(&b, 1, wait_for_stop);
	b.options.count_events = true;
	bench_run_ok(&b);
	assert_true(b.result.pmu.count > 0);
	free(b.result.rate);
	bench_init(&b, 1, wait_for_stop);
	bench_run_ok(&b);
	assert_int_equal(b.result.pmu.count, 0);
	free(b.result.rate);
	assert_int_equal(count_entries("/proc/self/fd"), files);
}

static void never_sleep(struct lp_worker *w)
{
	while (!lp_worker_stopped(w))
		w->ops++;
}

/* Workers 1 and 2 share a CPU, so each waits for it about half of the time. */
static void test_shared_cpu_shows_as_gaps(void **state)
{
	static struct bench b;

	need_cpus(2);
	bench_init(&b, 3, never_sleep);
	b.os_cpu[2] = b.os_cpu[1];
	b.options.window_ns = 50000000;
	bench_run_ok(&b);
	assert_true(b.result.evidence.lost_share > 0.1);
	assert_true(b.result.evidence.lost_share < 1);
	free(b.result.rate);
}

/* ---- the two-step end ---- */

static _Atomic int left, answered;
static bool peer_was_running;

static void on_question(const struct lp_irq_event *event, void *context)
{
	atomic_fetch_add(&answered, 1);
}

/* Worker 1 leaves at once; worker 0 needs its answers after that, as a drain of all CPUs does. */
static void ask_after_stop(struct lp_worker *w)
{
	const struct lp_worker *peer = &w->run->worker[1];
	uint64_t give_up_ns = lp_clock_ns() + 20 * LP_NS_PER_S;

	if (w->cpu == 1) {
		atomic_store(&left, 1);
		return;
	}
	wait_for_stop(w);
	while (!atomic_load(&left))
		usleep(100);
	usleep(5000);
	peer_was_running = atomic_load(&peer->running);
	for (int i = 0; i < 10; i++) {
		if (lp_irq_send(peer->thread, 1, NULL))
			return;
		while (atomic_load(&answered) <= i && lp_clock_ns() < give_up_ns)
			usleep(50);
	}
	w->ops = (uint64_t)atomic_load(&answered);
}

static void test_who_has_left_still_takes_interrupts(void **state)
{
	static struct bench b;

	need_cpus(2);
	bench_init(&b, 2, ask_after_stop);
	assert_int_equal(lp_irq_register(1, on_question, NULL, NULL), 0);
	bench_run_ok(&b);
	assert_int_equal(b.worker[0].ops, 10);
	assert_true(peer_was_running);
	free(b.result.rate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_worker_runs_once_on_its_cpu),
		cmocka_unit_test(test_odd_team_completes),
		cmocka_unit_test(test_operations_and_rates_add_up),
		cmocka_unit_test(test_windows_overlap),
		cmocka_unit_test(test_round_trip_is_played_before_and_after),
		cmocka_unit_test(test_pace_is_kept),
		cmocka_unit_test(test_events_are_counted_when_asked_for),
		cmocka_unit_test(test_shared_cpu_shows_as_gaps),
		cmocka_unit_test(test_who_has_left_still_takes_interrupts),
	};

	return cmocka_run_group_tests(tests, find_cpus, NULL);
}
