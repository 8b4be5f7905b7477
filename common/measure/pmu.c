// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting the events of one thread through libpfm4 and perf_event_open(2).
 *
 * Each event is its own group, so that one which does not fit does not take the others with it;
 * the kernel then multiplexes, and the running time shows it. User space alone is counted where
 * perf_event_paranoid forbids more, which all paths here live in anyhow; but not what happens in
 * the kernel alone, which would then read 0 without being so.
 *
 * What would invalidate it: a set started and stopped more than once, because the kernel resets a
 * counter's value on request but never its times.
 */
#include "common/measure/pmu.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/compiler.h"

struct default_event {
	const char *name, *metric;
	bool per_op;
	/* Raised by the scheduler with kernel registers, so that exclude_kernel drops every one of
	 * them: Linux 6.1, kernel/events/core.c, perf_exclude_event(). */
	bool kernel_only;
	/* No thread runs without any: an emulated counter that opens and stays 0 is none. */
	bool never_zero;
};

static const struct default_event defaults[] = {
	{"PERF_COUNT_SW_CONTEXT_SWITCHES", "context_switches", .kernel_only = true},
	{"PERF_COUNT_SW_CPU_MIGRATIONS", "cpu_migrations", .kernel_only = true},
	{"PERF_COUNT_SW_PAGE_FAULTS", "page_faults", .per_op = false},
	{"PERF_COUNT_SW_TASK_CLOCK", "task_clock_ns", .per_op = false},
	{"PERF_COUNT_HW_CPU_CYCLES", "cycles_per_op", .per_op = true, .never_zero = true},
	{"PERF_COUNT_HW_INSTRUCTIONS", "instructions_per_op", .per_op = true, .never_zero = true},
	{"PERF_COUNT_HW_CACHE_MISSES", "llc_misses_per_op", .per_op = true},
};

static_assert(ARRAY_SIZE(defaults) <= LP_PMU_EVENTS_MAX, "every default event has a place");

static int pfm_state; /* what pfm_initialize() said */
static pthread_once_t pfm_once = PTHREAD_ONCE_INIT;
/* Workers open their sets at the same time, and libpfm4 says nothing about threads. */
static pthread_mutex_t pfm_mutex = PTHREAD_MUTEX_INITIALIZER;

static void initialise_pfm(void)
{
	pfm_state = pfm_initialize();
}

/* libpfm4's codes as errno values. */
static int pfm_errno(int code)
{
	switch (code) {
	case PFM_ERR_NOMEM:
		return ENOMEM;
	case PFM_ERR_NOTFOUND:
	case PFM_ERR_NOTSUPP:
	case PFM_ERR_NOINIT:
		return ENOENT;
	default:
		return EINVAL;
	}
}

static int encode(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof(arg)};
	int rc;

	pthread_once(&pfm_once, initialise_pfm);
	if (pfm_state != PFM_SUCCESS)
		return pfm_errno(pfm_state);
	pthread_mutex_lock(&pfm_mutex);
	rc = pfm_get_os_event_encoding(name, PFM_PLM3 | PFM_PLM0, PFM_OS_PERF_EVENT_EXT, &arg);
	pthread_mutex_unlock(&pfm_mutex);
	return rc == PFM_SUCCESS ? 0 : pfm_errno(rc);
}

static int open_on_this_thread(struct perf_event_attr *attr)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void open_event(struct lp_pmu_event *e, bool kernel_only)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};

	e->fd = -1;
	e->error = encode(e->name, &attr);
	if (e->error)
		return;
	attr.disabled = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	e->fd = open_on_this_thread(&attr);
	if (e->fd < 0 && !kernel_only && (errno == EACCES || errno == EPERM)) {
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		e->user_only = true;
		e->fd = open_on_this_thread(&attr);
	}
	if (e->fd < 0)
		e->error = errno;
}

void lp_pmu_open(struct lp_pmu *pmu)
{
	memset(pmu, 0, sizeof(*pmu));
	pmu->count = ARRAY_SIZE(defaults);
	for (int i = 0; i < pmu->count; i++) {
		struct lp_pmu_event *e = &pmu->event[i];

		snprintf(e->name, sizeof(e->name), "%s", defaults[i].name);
		snprintf(e->metric, sizeof(e->metric), "%s", defaults[i].metric);
		e->per_op = defaults[i].per_op;
		open_event(e, defaults[i].kernel_only);
	}
}

void lp_pmu_start(struct lp_pmu *pmu)
{
	for (int i = 0; i < pmu->count; i++)
		if (pmu->event[i].fd >= 0) {
			ioctl(pmu->event[i].fd, PERF_EVENT_IOC_RESET, 0);
			ioctl(pmu->event[i].fd, PERF_EVENT_IOC_ENABLE, 0);
		}
}

/* Opened and never scheduled is no zero: ENODATA. */
static void read_event(struct lp_pmu_event *e, bool never_zero)
{
	uint64_t data[3];

	if (e->fd < 0)
		return;
	ioctl(e->fd, PERF_EVENT_IOC_DISABLE, 0);
	errno = 0; /* a short read sets none */
	if (read(e->fd, data, sizeof(data)) != (ssize_t)sizeof(data)) {
		e->error = errno ? errno : EIO;
		return;
	}
	e->enabled_ns = data[1];
	e->running_ns = data[2];
	e->counted = e->running_ns > 0 && !(never_zero && !data[0]);
	e->multiplexed = e->counted && e->running_ns < e->enabled_ns;
	e->error = e->counted ? 0 : ENODATA;
	e->value = data[0];
	if (e->multiplexed)
		e->value =
			(uint64_t)((double)data[0] * (double)e->enabled_ns / (double)e->running_ns);
}

void lp_pmu_stop(struct lp_pmu *pmu)
{
	for (int i = 0; i < pmu->count; i++)
		read_event(&pmu->event[i], defaults[i].never_zero);
}

void lp_pmu_close(struct lp_pmu *pmu)
{
	for (int i = 0; i < pmu->count; i++) {
		if (pmu->event[i].fd >= 0)
			close(pmu->event[i].fd);
		pmu->event[i].fd = -1;
	}
}

static void add_event(struct lp_pmu_event *into, const struct lp_pmu_event *from)
{
	if (!from->counted && into->counted)
		into->error = from->error;
	into->counted = into->counted && from->counted;
	into->value += from->value;
	into->enabled_ns += from->enabled_ns;
	into->running_ns += from->running_ns;
	into->multiplexed = into->multiplexed || from->multiplexed;
	into->user_only = into->user_only || from->user_only;
}

void lp_pmu_add(struct lp_pmu *into, const struct lp_pmu *from)
{
	if (!into->count) {
		*into = *from;
		for (int i = 0; i < into->count; i++)
			into->event[i].fd = -1;
		return;
	}
	for (int i = 0; i < into->count && i < from->count; i++)
		add_event(&into->event[i], &from->event[i]);
}

static void read_paranoid(char *level, size_t size)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	if (!f || !fgets(level, (int)size, f))
		snprintf(level, size, "unknown");
	level[strcspn(level, "\n")] = '\0';
	if (f)
		fclose(f);
}

static const char *remedy(int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "this CPU or its hypervisor offers no such counter";
	case EACCES:
	case EPERM:
		return "run `sysctl kernel.perf_event_paranoid=1`, or grant CAP_PERFMON";
	case EMFILE:
		return "raise the limit of open files (ulimit -n)";
	case ENODATA:
		return "it opened but never counted; end what else uses the PMU, or leave the "
		       "emulator";
	case ENOSYS:
		return "this kernel has no perf events";
	default:
		return "see perf_event_open(2)";
	}
}

void lp_pmu_why(const struct lp_pmu_event *event, char *text, unsigned long size)
{
	const char *pmu = strstr(event->name, "::");
	const char *name = strerrorname_np(event->error);
	char level[16];

	read_paranoid(level, sizeof(level));
	snprintf(text, size, "%s (PMU %.*s): %s, perf_event_paranoid %s: %s", event->name,
		pmu ? (int)(pmu - event->name) : 4, pmu ? event->name : "perf",
		name ? name : "unknown error", level, remedy(event->error));
}
