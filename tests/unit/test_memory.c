// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lp-wrap: mbind madvise fopen calloc
 *
 * Memory on this machine's nodes, and on machines that are not here: of other nodes, or
 * that forbid binding.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/machine/memory.h"

/* ---- a kernel, replaced ---- */

static int mbind_answer; /* an errno value; 0: yes, without asking the real kernel; −1: ask it */
static unsigned long bound_mask[4];
static unsigned long bound_bits;
static int bound_mode;

static int advice;
static bool calloc_fails;
static int calloc_calls;
static const char *has_memory, *status; /* what stands in these files; NULL: the real ones */

long __real_mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
	unsigned long bits, unsigned flags);
long __wrap_mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
	unsigned long bits, unsigned flags);
int __real_madvise(void *at, size_t size, int what);
int __wrap_madvise(void *at, size_t size, int what);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

long __wrap_mbind(void *at, unsigned long size, int mode, const unsigned long *mask,
	unsigned long bits, unsigned flags)
{
	if (mbind_answer < 0)
		return __real_mbind(at, size, mode, mask, bits, flags);
	memset(bound_mask, 0, sizeof(bound_mask));
	memcpy(bound_mask, mask, (bits - 1) / 8 < 32 ? (bits - 1) / 8 : 32);
	bound_bits = bits;
	bound_mode = mode;
	errno = mbind_answer;
	return mbind_answer ? -1 : 0;
}

int __wrap_madvise(void *at, size_t size, int what)
{
	advice = what;
	return __real_madvise(at, size, what);
}

static FILE *file_of(const char *text)
{
	FILE *file = tmpfile();

	fputs(text, file);
	rewind(file);
	return file;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	if (has_memory && !strcmp(path, "/sys/devices/system/node/has_memory"))
		return *has_memory ? file_of(has_memory) : NULL;
	if (status && !strcmp(path, "/proc/self/status"))
		return *status ? file_of(status) : NULL;
	return __real_fopen(path, mode);
}

void *__wrap_calloc(size_t n, size_t size)
{
	calloc_calls++;
	return calloc_fails ? NULL : __real_calloc(n, size);
}

static int this_kernel(void **state)
{
	mbind_answer = -1;
	calloc_fails = false;
	has_memory = status = NULL;
	return 0;
}

/* ---- areas ---- */

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
	assert_int_equal(m.bytes, bytes);
	assert_int_equal(m.node, node);
	return m;
}

/* A node that this kernel accepts; −1 where it forbids binding. */
static int some_node(void)
{
	for (int node = 0; node < 1024; node++) {
		struct lp_memory m;
		bool bound = !lp_memory_alloc(&m, 1, node, NULL) && m.bound;

		lp_memory_free(&m);
		if (bound)
			return node;
	}
	return -1;
}

static void test_area_is_zeroed_touched_and_of_small_pages(void **state)
{
	struct lp_memory m = area(9 * page() + 1, -1);
	unsigned char resident[10];

	assert_int_equal((uintptr_t)m.base % page(), 0);
	assert_int_equal(mincore(m.base, 10 * page(), resident), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(resident[i] & 1, 1);
	for (size_t i = 0; i < m.bytes; i++)
		assert_int_equal(((char *)m.base)[i], 0);
	assert_int_equal(advice, MADV_NOHUGEPAGE);
	lp_memory_free(&m);
	assert_null(m.base);
	lp_memory_free(&m);
}

static void test_no_node_is_anywhere(void **state)
{
	struct lp_memory m;

	mbind_answer = EIO; /* not to be asked */
	m = area(3 * page(), -1);
	assert_false(m.bound);
	assert_string_equal(m.why, "");
	if (lp_memory_verify(&m))
		assert_int_equal(m.pages, 3);
	else
		assert_string_not_equal(m.why, "");
	assert_int_equal(m.elsewhere, 0);
	lp_memory_free(&m);
}

static void test_a_real_node_holds_all_pages(void **state)
{
	int node = some_node();
	struct lp_memory m;

	if (node < 0)
		skip();
	m = area(700 * page(), node);
	assert_true(m.bound);
	if (!lp_memory_verify(&m))
		fail_msg("%zu of %zu pages elsewhere; %s", m.elsewhere, m.pages, m.why);
	assert_int_equal(m.pages, 700);
	lp_memory_free(&m);
}

static void test_no_bytes_have_a_base(void **state)
{
	struct lp_memory m = area(0, -1);

	assert_non_null(m.base);
	lp_memory_free(&m);
}

static void test_too_much(void **state)
{
	struct lp_error err = {0};
	struct lp_memory m;

	assert_int_equal(lp_memory_alloc(&m, SIZE_MAX / 2, -1, &err), -ENOMEM);
	assert_string_equal(
		err.message, "no memory for 9223372036854775807 bytes: Cannot allocate memory");
	assert_null(m.base);
	assert_false(lp_memory_alloc(&m, 1, -1, &err));
	lp_memory_free(&m);
}

/* ---- binding ---- */

static void test_the_kernel_is_asked_for_that_node_alone(void **state)
{
	struct lp_memory m;

	mbind_answer = 0;
	m = area(page(), 70);
	assert_true(m.bound);
	assert_int_equal(bound_mode, MPOL_BIND);
	assert_int_equal(bound_mask[0], 0);
	assert_int_equal(bound_mask[1], 1UL << 6);
	assert_int_equal(bound_bits, 129); /* one more than there are */
	lp_memory_free(&m);
}

static void assert_node_refused(int node, const char *message)
{
	struct lp_error err = {0};
	struct lp_memory m;

	assert_int_equal(lp_memory_alloc(&m, 1, node, &err), -EINVAL);
	if (message)
		assert_string_equal(err.message, message);
	assert_null(m.base);
}

static void test_a_wrong_node_lists_the_right_ones(void **state)
{
	has_memory = "0,2-3\n";
	status = "Name:\tx\nMems_allowed_list:\t0-2\nThreads:\t1\n";
	mbind_answer = EINVAL;
	assert_node_refused(7, "memory cannot be placed on node 7; nodes where it can: 0,2");
	status = "";
	assert_node_refused(7, "memory cannot be placed on node 7; nodes where it can: 0,2-3");
	has_memory = "";
	assert_node_refused(7, "memory cannot be placed on node 7; nodes where it can: 0");
	/* Sets of this size are not even made. */
	calloc_calls = 0;
	assert_node_refused(1 << 30, NULL);
	assert_int_equal(calloc_calls, 0);
}

static void test_this_kernel_refuses_a_wrong_node(void **state)
{
	struct lp_error err = {0};
	struct lp_memory m;

	assert_int_equal(lp_memory_alloc(&m, 1, 4095, &err), -EINVAL);
	assert_non_null(strstr(err.message, "node 4095; nodes where it can: "));
}

static void assert_unbound(int error, const char *why)
{
	struct lp_memory m;

	mbind_answer = error;
	m = area(3 * page(), 2);
	assert_false(m.bound);
	assert_string_equal(m.why, why);
	assert_int_equal(((char *)m.base)[2 * page()], 0);
	lp_memory_free(&m);
}

static void test_a_forbidden_binding_is_no_error(void **state)
{
	has_memory = "0,2\n";
	status = "";
	assert_unbound(EPERM, "mbind to node 2: Operation not permitted (containers may need the "
			      "capability SYS_NICE)");
	assert_unbound(ENOSYS, "mbind to node 2: Function not implemented");
	calloc_fails = true;
	assert_unbound(0, "mbind to node 2: Cannot allocate memory");
}

static void test_a_forbidden_binding_hides_no_wrong_node(void **state)
{
	has_memory = "0,2\n";
	status = "";
	mbind_answer = EPERM;
	assert_node_refused(1, "memory cannot be placed on node 1; nodes where it can: 0,2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_area_is_zeroed_touched_and_of_small_pages, this_kernel),
		cmocka_unit_test_setup(test_no_node_is_anywhere, this_kernel),
		cmocka_unit_test_setup(test_a_real_node_holds_all_pages, this_kernel),
		cmocka_unit_test_setup(test_no_bytes_have_a_base, this_kernel),
		cmocka_unit_test_setup(test_too_much, this_kernel),
		cmocka_unit_test_setup(test_the_kernel_is_asked_for_that_node_alone, this_kernel),
		cmocka_unit_test_setup(test_a_wrong_node_lists_the_right_ones, this_kernel),
		cmocka_unit_test_setup(test_this_kernel_refuses_a_wrong_node, this_kernel),
		cmocka_unit_test_setup(test_a_forbidden_binding_is_no_error, this_kernel),
		cmocka_unit_test_setup(test_a_forbidden_binding_hides_no_wrong_node, this_kernel),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, this_kernel);
}
