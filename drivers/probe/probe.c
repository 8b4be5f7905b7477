// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One POSIX timer per worker that interrupts the worker's own thread at absolute times.
 *
 * SIGEV_THREAD_ID, because the interrupt must come to the thread that plays the CPU; absolute
 * times, because a relative timer would drift with every stall (a closed loop, which under-samples
 * exactly the stalls that matter). The CPUs' due times are staggered evenly within the period, so
 * that the probe itself never makes two handlers meet in a lock. The phase is arbitrary: due times
 * on round milliseconds would always coincide with the kernel's tick.
 *
 * The handler reads the clock once and does sums: no allocation, no lock, no system call.
 * What would invalidate it: a worker that ends its window with interrupts off.
 */
#include "drivers/probe/probe.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/compiler.h"
#include "common/kernel/irq.h"
#include "common/measure/clock.h"
#include "drivers/probe/stream.h"
#include "common/alloc.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

struct probe_cpu {
	struct lp_probe_stream stream;
	timer_t timer;
	bool armed; /* the worker's own thread alone looks at it */
	int error;  /* errno of the timer that could not be had */
} LP_ALIGNED(LP_CACHE_PAIR);

struct lp_probe {
	int cpus;
	uint64_t period_ns, epoch_ns;
	struct probe_cpu cpu[];
};

/* The event's argument is the CPU's record, from the timer's sigev_value. */
static void on_probe(const struct lp_irq_event *event, void *context)
{
	struct probe_cpu *c = event->arg;

	if (c->armed)
		lp_probe_stream_interrupt(&c->stream, event->arrival_ns, lp_clock_ns());
}

struct lp_probe *lp_probe_new(int cpus, unsigned rate_per_s, struct lp_error *err)
{
	size_t bytes = sizeof(struct lp_probe) + (size_t)cpus * sizeof(struct probe_cpu);
	struct lp_probe *p;

	if (rate_per_s < 1 || rate_per_s > 100000) {
		lp_fail(err, EINVAL, "probe rate %u a second: 1 to 100000 are possible",
			rate_per_s);
		return NULL;
	}
	p = lp_zalloc_pairs(1, bytes);
	if (!p) {
		lp_fail(err, ENOMEM, "no memory for the probe of %d CPUs", cpus);
		return NULL;
	}
	p->cpus = cpus;
	p->period_ns = LP_NS_PER_S / rate_per_s;
	p->epoch_ns = lp_clock_ns();
	for (int i = 0; i < cpus; i++)
		lp_probe_stream_init(&p->cpu[i].stream, 0, p->period_ns);
	if (lp_irq_register(LP_PROBE_VECTOR, on_probe, p, err)) {
		free(p);
		return NULL;
	}
	return p;
}

void lp_probe_free(struct lp_probe *p)
{
	free(p);
}

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / LP_NS_PER_S), .tv_nsec = (long)(ns % LP_NS_PER_S)};
}

static int arm(struct probe_cpu *c)
{
	struct itimerspec times = {
		.it_value = to_timespec(c->stream.first_due_ns),
		.it_interval = to_timespec(c->stream.period_ns),
	};

	return timer_settime(c->timer, TIMER_ABSTIME, &times, NULL);
}

void lp_probe_begin(struct lp_worker *w, void *probe)
{
	struct lp_probe *p = probe;
	struct probe_cpu *c = &p->cpu[w->cpu];
	uint64_t stagger_ns = p->period_ns * (uint64_t)w->cpu / (uint64_t)p->cpus;
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = lp_irq_signal(LP_PROBE_VECTOR),
		.sigev_value.sival_ptr = c,
	};

	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &c->timer)) {
		c->error = errno;
		return;
	}
	lp_probe_stream_init(&c->stream,
		lp_probe_stream_first_due(p->epoch_ns + stagger_ns, p->period_ns, lp_clock_ns()),
		p->period_ns);
	c->armed = true;
	/* From here on interrupts may come; the compiler must not move the record's stores down. */
	barrier();
	if (arm(c)) {
		c->error = errno;
		c->armed = false;
		timer_delete(c->timer);
	}
}

/*
 * The kernel hands over what is pending before timer_settime() returns to this thread, or drops it
 * (from 6.13 on); what was due and has not come counts as answered now.
 */
void lp_probe_end(struct lp_worker *w, void *probe)
{
	struct lp_probe *p = probe;
	struct probe_cpu *c = &p->cpu[w->cpu];
	struct itimerspec never = {.it_value = {0, 0}};
	uint64_t end_ns = lp_clock_ns();

	if (!c->armed)
		return;
	timer_settime(c->timer, 0, &never, NULL);
	c->armed = false;
	/* The handler, which runs on this thread, leaves the stream alone from here on. */
	barrier();
	lp_probe_stream_close(&c->stream, end_ns, lp_clock_ns());
	timer_delete(c->timer);
}

static int first_error(const struct lp_probe *p)
{
	for (int i = 0; i < p->cpus; i++)
		if (p->cpu[i].error)
			return p->cpu[i].error;
	return 0;
}

static void report_absent(struct lp_metrics *metrics, int error)
{
	static const char *const names[] = {"probes", "probe_min_ms", "probe_avg_ms",
		"probe_max_ms", "probe_mdev_ms", "probe_ewma_ms", "holdoff_p50_ns",
		"holdoff_p99_ns", "holdoff_max_ns", "stalls_over_1ms", "probes_over_1ms"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		lp_metrics_absent(metrics, names[i], "no timer for the probe: %s%s",
			strerror(error),
			error == EAGAIN ? " (raise the limit of pending signals, ulimit -i)" : "");
}

static void report_ping(struct lp_metrics *metrics, const struct lp_pingstat *ping)
{
	static const char *const names[] = {
		"probe_min_ms", "probe_avg_ms", "probe_max_ms", "probe_mdev_ms", "probe_ewma_ms"};
	const double ns[] = {(double)ping->min_ns, lp_pingstat_avg_ns(ping), (double)ping->max_ns,
		lp_pingstat_mdev_ns(ping), ping->ewma_ns};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (ping->count)
			lp_metrics_set(metrics, names[i], ns[i] / 1e6);
		else
			lp_metrics_absent(metrics, names[i], "no probe came due in the window");
	}
}

void lp_probe_report(const struct lp_probe *p, struct lp_metrics *metrics)
{
	struct lp_probe_stream all;

	if (first_error(p)) {
		report_absent(metrics, first_error(p));
		return;
	}
	lp_probe_stream_init(&all, 0, p->period_ns);
	for (int i = 0; i < p->cpus; i++) {
		const struct lp_probe_stream *s = &p->cpu[i].stream;

		all.answered += s->answered;
		all.late += s->late;
		all.stalls += s->stalls;
		lp_pingstat_merge(&all.ping, &s->ping);
		lp_histogram_merge(&all.holdoff_ns, &s->holdoff_ns);
	}
	lp_metrics_set(metrics, "probes", (double)all.answered);
	report_ping(metrics, &all.ping);
	lp_metrics_histogram(metrics, "holdoff", "ns", &all.holdoff_ns, 1);
	lp_metrics_set(metrics, "stalls_over_1ms", (double)all.stalls);
	lp_metrics_set(metrics, "probes_over_1ms", (double)all.late);
}
