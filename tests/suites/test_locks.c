// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The locks suite: every lock of its table excludes under threads, as the very loop that is
 * measured shows; its check notices what it is there for; the figures of an observed lock add up.
 *
 * The threads are not pinned, so that more of them than CPUs only make a test slower.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "suites/locks/locks.h"

enum { THREADS_MAX = 3, WINDOW_US = 8000 };

/* ---- a run without a driver ---- */

struct trial {
	struct lp_case spec;
	struct lp_run run;
	struct lp_worker worker[THREADS_MAX];
	pthread_t thread[THREADS_MAX];
	_Atomic bool stop;
	struct lp_error err;
	uint64_t ops;
};

static struct trial trial;

static void *work(void *worker)
{
	struct lp_worker *w = worker;

	lp_cpu_enter(w->cpu);
	w->run->spec->variant->run(w);
	return NULL;
}

static void begin(const char *name)
{
	struct trial *t = &trial;

	memset(t, 0, sizeof(*t));
	if (lp_case_parse(&t->spec, name, &t->err))
		fail_msg("%s: %s", name, t->err.message);
	t->run.spec = &t->spec;
	t->run.cpus = t->spec.threads;
	t->run.nnodes = 1;
	t->run.worker = t->worker;
	t->run.observed = t->spec.mode == LP_MODE_OBSERVED;
	lp_metrics_init(&t->run.metrics);
	assert_int_equal(lp_cpus_init(t->run.cpus, NULL), 0);
	if (t->spec.variant->setup(&t->run, &t->err))
		fail_msg("%s: %s", name, t->err.message);
}

static void run_for_a_while(void)
{
	struct trial *t = &trial;

	for (int i = 0; i < t->run.cpus; i++) {
		t->worker[i].run = &t->run;
		t->worker[i].cpu = i;
		t->worker[i].stop = &t->stop;
		assert_int_equal(pthread_create(&t->thread[i], NULL, work, &t->worker[i]), 0);
	}
	usleep(WINDOW_US);
	atomic_store_explicit(&t->stop, true, memory_order_relaxed);
	for (int i = 0; i < t->run.cpus; i++) {
		pthread_join(t->thread[i], NULL);
		t->ops += t->worker[i].ops;
	}
}

static int check(void)
{
	return trial.spec.variant->check(&trial.run, &trial.err);
}

static void end(void)
{
	struct trial *t = &trial;

	t->spec.variant->teardown(&t->run);
	for (size_t i = 0; i < t->run.memory_count; i++)
		lp_memory_free(&t->run.memory[i]);
	free(t->run.memory);
	lp_metrics_destroy(&t->run.metrics);
}

static void run_whole(const char *name)
{
	begin(name);
	run_for_a_while();
	if (check())
		fail_msg("%s: %s", name, trial.err.message);
	trial.spec.variant->report(&trial.run, trial.ops, WINDOW_US / 1e6);
}

static double metric(const char *name)
{
	return lp_metrics_get(&trial.run.metrics, name);
}

/* ---- every lock ---- */

static bool is_lock(const struct lp_variant *v)
{
	return v->params == LOCKS_PARAMS_LOCK;
}

static bool is_ours(const struct lp_variant *v)
{
	return is_lock(v) && !v->unavailable;
}

static void run_every_lock(const char *rest)
{
	int locks = 0;

	for (size_t i = 0; i < lp_suite_locks.nvariants; i++) {
		char name[LP_NAME_MAX];

		if (!is_lock(lp_suite_locks.variants[i]))
			continue;
		snprintf(name, sizeof(name), "locks/%s/%s", lp_suite_locks.variants[i]->name, rest);
		run_whole(name);
		end();
		locks++;
	}
	assert_int_equal(locks, 7);
}

static void test_every_lock_alone(void **state)
{
	run_every_lock("threads:1");
}

static void test_every_lock_excludes_two_threads(void **state)
{
	run_every_lock("threads:2");
	run_every_lock("cs:4/threads:2");
	run_every_lock("cs:8/think:50/threads:2");
}

/* More than two make the queues; the other locks have no more to show than with two. */
static void test_queues_exclude_three_threads(void **state)
{
	run_whole("locks/queued/threads:3");
	end();
	run_whole("locks/ck_mcs/threads:3");
	end();
}

static void test_an_empty_critical_section_ends_with_a_free_lock(void **state)
{
	run_every_lock("cs:0/threads:2");
}

static void test_whole_batches_are_counted(void **state)
{
	run_whole("locks/ticket/threads:1");
	assert_true(trial.ops > 0);
	assert_int_equal(trial.ops % LOCKS_BATCH, 0);
	end();
}

static void test_no_two_things_share_a_line(void **state)
{
	assert_int_equal(offsetof(struct locks, line) % LP_CACHE_PAIR, 0);
	assert_true(offsetof(struct locks, line) >= LP_CACHE_PAIR);
	assert_int_equal(sizeof(struct locks_line), LP_CACHE_LINE);
	assert_true(offsetof(struct locks, lines) >=
		    offsetof(struct locks, line) + LOCKS_LINES * LP_CACHE_LINE);
}

/* ---- the check ---- */

static void test_check_finds_a_lost_section(void **state)
{
	for (size_t i = 0; i < lp_suite_locks.nvariants; i++) {
		const struct lp_variant *v = lp_suite_locks.variants[i];
		char name[LP_NAME_MAX];
		struct locks *s;

		if (!is_lock(v))
			continue;
		snprintf(name, sizeof(name), "locks/%s/cs:2/threads:1", v->name);
		begin(name);
		run_for_a_while();
		s = trial.run.state;
		s->line[1].count--;
		assert_int_equal(check(), -EUCLEAN);
		assert_non_null(strstr(trial.err.message, "counter 1 says"));
		end();
	}
}

/* Taken by hand, each in its own way: by a batch that is never released. */
static void take_for_good(const char *name, struct locks *s)
{
	if (!strcmp(name, "pthread_mutex"))
		assert_int_equal(pthread_mutex_lock((pthread_mutex_t *)s->word), 0);
	else if (!strcmp(name, "unfair"))
		spin_lock((struct lp_spinlock *)s->word, LP_LOCK_UNFAIR);
	else if (!strcmp(name, "queued"))
		spin_lock((struct lp_spinlock *)s->word, LP_LOCK_QUEUED);
	else if (!strcmp(name, "ticket"))
		spin_lock((struct lp_spinlock *)s->word, LP_LOCK_TICKET);
	else if (!strcmp(name, "pthread_spinlock"))
		assert_int_equal(pthread_spin_lock((pthread_spinlock_t *)s->word), 0);
	else /* Concurrency Kit's: a ticket drawn (upper half), a queue with a node (a pointer) */
		s->word[2] = 1;
}

static void test_check_finds_a_held_lock(void **state)
{
	for (size_t i = 0; i < lp_suite_locks.nvariants; i++) {
		const struct lp_variant *v = lp_suite_locks.variants[i];
		char name[LP_NAME_MAX];

		if (!is_lock(v))
			continue;
		snprintf(name, sizeof(name), "locks/%s/threads:1", v->name);
		begin(name);
		take_for_good(v->name, trial.run.state);
		if (check() != -EUCLEAN)
			fail_msg("%s: a held lock goes unnoticed", name);
		assert_non_null(strstr(trial.err.message, "still held"));
		end();
	}
}

/* ---- observed ---- */

static void run_observed(const struct lp_variant *v, int threads)
{
	char name[LP_NAME_MAX];

	snprintf(name, sizeof(name), "locks/%s/mode:observed/threads:%d", v->name, threads);
	run_whole(name);
}

static void test_an_observed_lock_alone_never_waits(void **state)
{
	for (size_t i = 0; i < lp_suite_locks.nvariants; i++) {
		if (!is_ours(lp_suite_locks.variants[i]))
			continue;
		run_observed(lp_suite_locks.variants[i], 1);
		assert_true(metric("lock_acquisitions") == (double)trial.ops);
		assert_true(metric("lock_contended_share") == 0);
		assert_true(metric("lock_bounce_share") == 0);
		assert_true(isnan(metric("lock_contended_bounce_share")));
		assert_true(isnan(metric("lock_wait_p50_ns")));
		assert_true(isnan(metric("lock_wait_min_ns")));
		assert_true(isnan(metric("lock_wait_avg_ns")));
		assert_true(metric("lock_wait_total_ms") == 0);
		assert_true(metric("lock_hold_min_ns") <= metric("lock_hold_avg_ns"));
		assert_true(metric("lock_hold_avg_ns") <= metric("lock_hold_max_ns"));
		end();
	}
}

static void test_observed_figures_add_up_under_threads(void **state)
{
	for (size_t i = 0; i < lp_suite_locks.nvariants; i++) {
		double ops, hold_ns;

		if (!is_ours(lp_suite_locks.variants[i]))
			continue;
		run_observed(lp_suite_locks.variants[i], 2);
		ops = (double)trial.ops;
		assert_true(metric("lock_acquisitions") == ops);
		assert_true(metric("lock_contended_share") >= 0);
		assert_true(metric("lock_contended_share") <= 1);
		assert_true(metric("lock_bounce_share") < 1);
		hold_ns = metric("lock_hold_total_ms") * 1e6 / ops;
		assert_true(fabs(hold_ns - metric("lock_hold_avg_ns")) <= hold_ns * 1e-6);
		assert_true(metric("lock_hold_p50_ns") <= metric("lock_hold_max_ns"));
		end();
	}
}

static void test_a_timing_run_reports_no_statistics(void **state)
{
	run_whole("locks/queued/threads:2");
	assert_true(isnan(metric("lock_acquisitions")));
	assert_int_equal(trial.run.metrics.count, 0);
	end();
}

/* ---- the round trip ---- */

static void test_a_round_trip_takes_time_and_ends(void **state)
{
	run_whole("locks/round_trip/cpu:0/peer:1/threads:2");
	assert_int_equal(trial.worker[1].ops, 0);
	if (trial.ops)
		assert_true(metric("pair_rtt_ns") > 0);
	else
		assert_true(isnan(metric("pair_rtt_ns")));
	end();
}

static void test_a_round_trip_cut_short_is_noticed(void **state)
{
	begin("locks/round_trip/cpu:0/peer:1/threads:2");
	assert_int_equal(check(), -EUCLEAN);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_lock_alone),
		cmocka_unit_test(test_every_lock_excludes_two_threads),
		cmocka_unit_test(test_queues_exclude_three_threads),
		cmocka_unit_test(test_an_empty_critical_section_ends_with_a_free_lock),
		cmocka_unit_test(test_whole_batches_are_counted),
		cmocka_unit_test(test_no_two_things_share_a_line),
		cmocka_unit_test(test_check_finds_a_lost_section),
		cmocka_unit_test(test_check_finds_a_held_lock),
		cmocka_unit_test(test_an_observed_lock_alone_never_waits),
		cmocka_unit_test(test_observed_figures_add_up_under_threads),
		cmocka_unit_test(test_a_timing_run_reports_no_statistics),
		cmocka_unit_test(test_a_round_trip_takes_time_and_ends),
		cmocka_unit_test(test_a_round_trip_cut_short_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
