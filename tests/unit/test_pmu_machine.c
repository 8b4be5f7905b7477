// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of the running kernel, whatever it offers: software events count what was done in the
 * window and by the thread alone; every event has a value or a reason. What is not counted here is
 * printed with its reason.
 */
#include "common/measure/pmu.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/measure/clock.h"

/* A sanitizer's shadow memory faults as well, by a few times as many pages: margins are wider. */
enum { PAGES = 64, MANY_PAGES = 64 * PAGES, SHADOW = 16 };

static struct lp_pmu_event *event_of(struct lp_pmu *pmu, const char *metric)
{
	for (int i = 0; i < pmu->count; i++)
		if (!strcmp(pmu->event[i].metric, metric))
			return &pmu->event[i];
	fail_msg("no event makes %s", metric);
	return NULL;
}

static bool counts_here(const struct lp_pmu_event *e)
{
	char why[256];

	if (!e->counted) {
		lp_pmu_why(e, why, sizeof(why));
		print_message("%s\n", why);
	}
	return e->counted;
}

static void touch_fresh_pages(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = mmap(
		NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(area, MAP_FAILED);
	madvise(area, pages * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)area)[i * page] = 1;
	munmap(area, pages * page);
}

static void sleep_often(int times)
{
	for (int i = 0; i < times; i++)
		lp_sleep_until_ns(lp_clock_ns() + 200000);
}

static void test_only_the_window_is_counted(void **state)
{
	struct lp_pmu pmu;
	struct lp_pmu_event *faults;

	lp_pmu_open(&pmu);
	touch_fresh_pages(MANY_PAGES);
	lp_pmu_start(&pmu);
	touch_fresh_pages(PAGES);
	lp_pmu_stop(&pmu);
	touch_fresh_pages(MANY_PAGES);
	lp_pmu_close(&pmu);
	faults = event_of(&pmu, "page_faults");
	if (counts_here(faults)) {
		assert_true(faults->value >= PAGES);
		assert_true(faults->value < SHADOW * PAGES);
	}
}

static void test_switches_and_time(void **state)
{
	struct lp_pmu pmu;

	lp_pmu_open(&pmu);
	lp_pmu_start(&pmu);
	sleep_often(20);
	lp_pmu_stop(&pmu);
	lp_pmu_close(&pmu);
	if (counts_here(event_of(&pmu, "context_switches")))
		assert_true(event_of(&pmu, "context_switches")->value >= 20);
	if (counts_here(event_of(&pmu, "task_clock_ns")))
		assert_true(event_of(&pmu, "task_clock_ns")->value > 0);
}

static void test_a_value_or_a_reason(void **state)
{
	struct lp_pmu pmu;

	lp_pmu_open(&pmu);
	lp_pmu_start(&pmu);
	touch_fresh_pages(MANY_PAGES);
	lp_pmu_stop(&pmu);
	lp_pmu_close(&pmu);
	for (int i = 0; i < pmu.count; i++) {
		assert_int_equal(counts_here(&pmu.event[i]), !pmu.event[i].error);
		/* Software events need no counter: opened and started, they are scheduled. */
		if (strstr(pmu.event[i].name, "_SW_"))
			assert_int_not_equal(pmu.event[i].error, ENODATA);
	}
	/* Each fault takes more than one, in the kernel or out of it. */
	if (counts_here(event_of(&pmu, "instructions_per_op")))
		assert_true(event_of(&pmu, "instructions_per_op")->value > MANY_PAGES);
}

struct thread {
	pthread_t id;
	size_t pages;
	struct lp_pmu pmu;
};

static void *open_and_count(void *argument)
{
	struct thread *t = argument;

	lp_pmu_open(&t->pmu);
	lp_pmu_start(&t->pmu);
	touch_fresh_pages(t->pages);
	lp_pmu_stop(&t->pmu);
	lp_pmu_close(&t->pmu);
	return NULL;
}

/* All open their sets at once; one touches many pages, and no other counts them. */
static void test_threads_count_themselves(void **state)
{
	struct thread thread[4] = {{.pages = MANY_PAGES}, {.pages = 1}, {.pages = 1}, {.pages = 1}};

	for (int i = 0; i < 4; i++)
		assert_int_equal(
			pthread_create(&thread[i].id, NULL, open_and_count, &thread[i]), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i].id, NULL);
	for (int i = 0; i < 4; i++) {
		struct lp_pmu_event *faults = event_of(&thread[i].pmu, "page_faults");

		if (!counts_here(faults))
			continue;
		assert_true(faults->value >= thread[i].pages);
		assert_int_equal(faults->value >= MANY_PAGES, i == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_the_window_is_counted),
		cmocka_unit_test(test_switches_and_time),
		cmocka_unit_test(test_a_value_or_a_reason),
		cmocka_unit_test(test_threads_count_themselves),
	};

	return cmocka_run_group_tests_name("pmu_machine", tests, NULL, NULL);
}
