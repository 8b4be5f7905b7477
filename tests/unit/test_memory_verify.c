// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: mbind move_pages
 *
 * Where pages are, from kernels that put them elsewhere, lost one, or do not tell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/machine/memory.h"

enum { MANY_PAGES = 1 << 13 };

/* ---- a kernel, replaced ---- */

static int move_pages_error;	  /* an errno value; 0: tells */
static int (*told)(size_t index); /* where page @index is */
static char *asked[MANY_PAGES];
static size_t nasked;

long __wrap_mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
	unsigned long bits, unsigned flags);
long __wrap_move_pages(
	int pid, unsigned long n, void **page, const int *node, int *where, int flags);

long __wrap_mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
	unsigned long bits, unsigned flags)
{
	return 0;
}

long __wrap_move_pages(
	int pid, unsigned long n, void **page, const int *node, int *where, int flags)
{
	assert_null(node); /* nothing is ever moved */
	errno = move_pages_error;
	if (move_pages_error)
		return -1;
	for (size_t i = 0; i < n; i++, nasked++) {
		assert_true(nasked < MANY_PAGES);
		asked[nasked] = page[i];
		where[i] = told(nasked);
	}
	return 0;
}

static int kernel_that_binds(void **state)
{
	move_pages_error = 0;
	nasked = 0;
	return 0;
}

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static struct lp_memory area(size_t bytes, int node)
{
	struct lp_error err = {0};
	struct lp_memory m;

	if (lp_memory_alloc(&m, bytes, node, &err))
		fail_msg("node %d: %s", node, err.message);
	return m;
}

static int every_fifth_elsewhere(size_t index)
{
	return index % 5 ? 3 : 2;
}

static int all_on_3(size_t index)
{
	return 3;
}

static int one_is_gone(size_t index)
{
	return index == 600 ? -ENOENT : 3;
}

static void test_pages_elsewhere_are_counted(void **state)
{
	struct lp_memory m;

	m = area(1201 * page(), 3);
	told = every_fifth_elsewhere;
	assert_false(lp_memory_verify(&m));
	assert_int_equal(m.pages, 1201);
	assert_int_equal(m.elsewhere, 241);
	assert_string_equal(m.why, "");
	told = all_on_3;
	nasked = 0;
	assert_true(lp_memory_verify(&m));
	assert_int_equal(m.pages, 1201);
	assert_int_equal(m.elsewhere, 0);
	/* Without a node, no place is wrong. */
	m.node = -1;
	told = every_fifth_elsewhere;
	assert_true(lp_memory_verify(&m));
	lp_memory_free(&m);
}

static void test_a_kernel_that_does_not_tell(void **state)
{
	struct lp_memory m;

	m = area(1000 * page(), 3);
	move_pages_error = ENOSYS;
	assert_false(lp_memory_verify(&m));
	assert_string_equal(m.why, "reading back where pages are: Function not implemented");
	assert_int_equal(m.pages, 0);
	move_pages_error = 0;
	told = one_is_gone;
	nasked = 0;
	assert_false(lp_memory_verify(&m));
	assert_string_equal(m.why, "reading back where pages are: No such file or directory");
	told = all_on_3;
	assert_true(lp_memory_verify(&m));
	assert_string_equal(m.why, "");
	lp_memory_free(&m);
}

static void test_why_it_was_not_bound_stays(void **state)
{
	struct lp_memory m = area(page(), 3);

	m.bound = false;
	strcpy(m.why, "mbind to node 3: forbidden");
	move_pages_error = EPERM;
	assert_false(lp_memory_verify(&m));
	assert_string_equal(m.why, "mbind to node 3: forbidden");
	lp_memory_free(&m);
}

static void assert_sampled_evenly(size_t pages)
{
	struct lp_memory m = area(pages * page(), 3);
	size_t step;

	nasked = 0;
	assert_true(lp_memory_verify(&m));
	assert_int_equal(m.pages, nasked);
	assert_true(nasked >= 1024);
	assert_true(nasked <= 4096);
	step = (size_t)(asked[1] - asked[0]);
	assert_ptr_equal(asked[0], m.base);
	for (size_t i = 1; i < nasked; i++)
		assert_int_equal(asked[i] - asked[i - 1], step);
	assert_true(asked[nasked - 1] < (char *)m.base + m.bytes);
	assert_true(asked[nasked - 1] + step >= (char *)m.base + m.bytes);
	lp_memory_free(&m);
}

static void test_large_areas_are_sampled(void **state)
{
	told = all_on_3;
	assert_sampled_evenly(4096);
	assert_sampled_evenly(4097);
	assert_sampled_evenly(9001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_pages_elsewhere_are_counted, kernel_that_binds),
		cmocka_unit_test_setup(test_a_kernel_that_does_not_tell, kernel_that_binds),
		cmocka_unit_test_setup(test_why_it_was_not_bound_stays, kernel_that_binds),
		cmocka_unit_test_setup(test_large_areas_are_sampled, kernel_that_binds),
	};

	return cmocka_run_group_tests_name("memory_verify", tests, NULL, NULL);
}
