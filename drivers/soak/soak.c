// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The soaker's threads: one of the lowest priority pinned to each CPU, counting loops.
 *
 * The loop is a chain of multiplications in registers, so that it neither shares a cache line nor
 * fights for memory bandwidth; it shows its count about every ten microseconds by a plain store to
 * a line of its own. SCHED_IDLE, because a nice 19 thread still takes 1.5 % from a normal one
 * (weights 15 to 1024, kernel/sched/core.c: sched_prio_to_weight; SCHED_IDLE has 3).
 *
 * What would invalidate it: SMT siblings (the worker slows the soaker on the other thread of the
 * core without using its CPU), or a CPU clock that follows the load.
 */
#include "drivers/soak/soak.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/compiler.h"
#include "common/kernel/irq.h"
#include "common/machine/pin.h"
#include "common/measure/clock.h"
#include "drivers/soak/record.h"
#include "common/alloc.h"

enum { LOOPS_PER_FLUSH = 8192 }; /* of about 4 cycles each: 8 to 16 µs */

struct soaker {
	/* Written by its thread alone. Relaxed: a count is compared with others of the same
	 * thread, and orders nothing. */
	_Atomic uint64_t loops;
	_Atomic int not_idle_error; /* errno, 0; relaxed: the semaphore orders it */
	struct lp_soak *soak;
	pthread_t thread;
} LP_ALIGNED(LP_CACHE_PAIR);

struct lp_soak {
	int cpus, running;
	_Atomic bool stop; /* relaxed: joining orders */
	sem_t ready;	   /* posted by each thread that soaks */
	struct lp_soak_record record;
	uint64_t begun_ns;
	struct soaker soaker[];
};

static void soak_once(uint64_t *x)
{
	uint64_t y = *x;

	for (int i = 0; i < LOOPS_PER_FLUSH; i++) {
		y = y * 0x5851f42d4c957f2dull + 1;
		/* Keeps the compiler from solving the recurrence. */
		__asm__ volatile("" : "+r"(y));
	}
	*x = y;
}

static void lowest_priority(struct soaker *s)
{
	struct sched_param param = {.sched_priority = 0};
	pid_t tid = (pid_t)syscall(SYS_gettid);

	if (!sched_setscheduler(0, SCHED_IDLE, &param))
		return;
	atomic_store_explicit(&s->not_idle_error, errno, memory_order_relaxed);
	setpriority(PRIO_PROCESS, (id_t)tid, 19);
}

static void *soaker_main(void *argument)
{
	struct soaker *s = argument;
	uint64_t x = 1;

	lp_irq_block();
	lowest_priority(s);
	sem_post(&s->soak->ready);
	while (!atomic_load_explicit(&s->soak->stop, memory_order_relaxed)) {
		soak_once(&x);
		atomic_store_explicit(&s->loops,
			atomic_load_explicit(&s->loops, memory_order_relaxed) + LOOPS_PER_FLUSH,
			memory_order_relaxed);
	}
	return NULL;
}

static int create_soaker(struct lp_soak *s, int cpu, int os_cpu, struct lp_error *err)
{
	pthread_attr_t attr;
	int rc;

	s->soaker[cpu].soak = s;
	pthread_attr_init(&attr);
	rc = lp_pin_attr(&attr, os_cpu, err);
	if (!rc) {
		rc = -pthread_create(&s->soaker[cpu].thread, &attr, soaker_main, &s->soaker[cpu]);
		if (rc)
			lp_fail(err, -rc, "cannot start the soaker of CPU %d: %s", os_cpu,
				strerror(-rc));
	}
	pthread_attr_destroy(&attr);
	return rc;
}

static struct lp_soak *soak_new(int cpus)
{
	size_t bytes = sizeof(struct lp_soak) + (size_t)cpus * sizeof(struct soaker);
	struct lp_soak *s;
	bool complete = true;

	s = lp_zalloc_pairs(1, bytes);
	if (!s)
		return NULL;
	s->cpus = cpus;
	s->record.cpus = cpus;
	sem_init(&s->ready, 0, 0);
	for (int i = 0; i < LP_SOAK_INTERVALS; i++) {
		s->record.interval[i].loops = calloc((size_t)cpus, sizeof(uint64_t));
		complete = complete && s->record.interval[i].loops;
	}
	if (complete)
		return s;
	lp_soak_stop(s);
	return NULL;
}

static void wait_until_soaking(struct lp_soak *s)
{
	for (int i = 0; i < s->cpus; i++) {
		while (sem_wait(&s->ready) && errno == EINTR)
			;
	}
	for (int i = 0; i < s->cpus; i++) {
		int error =
			atomic_load_explicit(&s->soaker[i].not_idle_error, memory_order_relaxed);

		if (error)
			s->record.not_idle_error = error;
	}
}

struct lp_soak *lp_soak_start(const int *os_cpu, int n, struct lp_error *err)
{
	struct lp_soak *s = soak_new(n);

	if (!s) {
		lp_fail(err, ENOMEM, "no memory for the soaker of %d CPUs", n);
		return NULL;
	}
	for (; s->running < n; s->running++) {
		if (create_soaker(s, s->running, os_cpu[s->running], err)) {
			lp_soak_stop(s);
			return NULL;
		}
	}
	wait_until_soaking(s);
	return s;
}

static void read_counts(struct lp_soak *s, uint64_t *loops)
{
	for (int i = 0; i < s->cpus; i++)
		loops[i] = atomic_load_explicit(&s->soaker[i].loops, memory_order_relaxed);
}

static void interval_begin(struct lp_soak *s, int interval)
{
	read_counts(s, s->record.interval[interval].loops);
	s->begun_ns = lp_clock_ns();
}

static void interval_end(struct lp_soak *s, int interval)
{
	struct lp_soak_interval *i = &s->record.interval[interval];

	for (int cpu = 0; cpu < s->cpus; cpu++)
		i->loops[cpu] = atomic_load_explicit(&s->soaker[cpu].loops, memory_order_relaxed) -
				i->loops[cpu];
	i->wall_ns = lp_clock_ns() - s->begun_ns;
}

void lp_soak_calibrate(struct lp_soak *s, uint64_t ns)
{
	int interval = s->record.interval[LP_SOAK_BEFORE].wall_ns ? LP_SOAK_AFTER : LP_SOAK_BEFORE;

	interval_begin(s, interval);
	lp_sleep_until_ns(s->begun_ns + ns);
	interval_end(s, interval);
}

void lp_soak_begin(struct lp_soak *s)
{
	interval_begin(s, LP_SOAK_DURING);
}

void lp_soak_end(struct lp_soak *s)
{
	interval_end(s, LP_SOAK_DURING);
}

void lp_soak_worker_begin(struct lp_worker *w, void *soak)
{
	if (w->cpu == 0)
		lp_soak_begin(soak);
}

void lp_soak_worker_end(struct lp_worker *w, void *soak)
{
	if (w->cpu == 0)
		lp_soak_end(soak);
}

void lp_soak_report(const struct lp_soak *s, uint64_t ops, struct lp_metrics *metrics)
{
	lp_soak_evaluate(&s->record, ops, metrics);
}

void lp_soak_stop(struct lp_soak *s)
{
	if (!s)
		return;
	atomic_store_explicit(&s->stop, true, memory_order_relaxed);
	for (int i = 0; i < s->running; i++)
		pthread_join(s->soaker[i].thread, NULL);
	for (int i = 0; i < LP_SOAK_INTERVALS; i++)
		free(s->record.interval[i].loops);
	sem_destroy(&s->ready);
	free(s);
}
