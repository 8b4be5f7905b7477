// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list against its expected order, walked both ways after every operation: a wrong link shows
 * in one direction or in the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/kernel/list.h"

enum { ENTRIES = 8 };

struct letter {
	char name;
	struct list_head link;
};

static struct letter letters[ENTRIES];
static struct list_head one, two;

static int fresh(void **state)
{
	INIT_LIST_HEAD(&one);
	INIT_LIST_HEAD(&two);
	for (int i = 0; i < ENTRIES; i++)
		letters[i].name = (char)('a' + i);
	return 0;
}

static struct list_head *link_of(char name)
{
	return &letters[name - 'a'].link;
}

static void fill(struct list_head *head, const char *names)
{
	for (; *names; names++)
		list_add_tail(link_of(*names), head);
}

static void expect(struct list_head *head, const char *names)
{
	char forward[ENTRIES + 1] = "", backward[ENTRIES + 1] = "";
	size_t n = strlen(names), f = 0, b = n;
	struct letter *l;

	list_for_each_entry (l, head, link) {
		assert_true(f < ENTRIES);
		forward[f++] = l->name;
	}
	list_for_each_entry_reverse (l, head, link) {
		assert_true(b > 0);
		backward[--b] = l->name;
	}
	assert_string_equal(forward, names);
	assert_string_equal(backward, names);
	assert_int_equal(list_empty(head), n == 0);
}

static void test_an_empty_list(void **state)
{
	expect(&one, "");
}

static void test_add_comes_first_and_add_tail_comes_last(void **state)
{
	list_add(link_of('b'), &one);
	list_add(link_of('a'), &one);
	list_add_tail(link_of('c'), &one);
	expect(&one, "abc");
	assert_int_equal(list_first_entry(&one, struct letter, link)->name, 'a');
	assert_int_equal(list_last_entry(&one, struct letter, link)->name, 'c');
}

static void test_del_anywhere_leaves_links_that_fault(void **state)
{
	fill(&one, "abcd");
	list_del(link_of('b'));
	expect(&one, "acd");
	assert_null(link_of('b')->next);
	assert_null(link_of('b')->prev);
	list_del(link_of('a'));
	list_del(link_of('d'));
	expect(&one, "c");
	list_del(link_of('c'));
	expect(&one, "");
}

static void test_del_init_makes_a_list_of_its_own(void **state)
{
	fill(&one, "abc");
	list_del_init(link_of('b'));
	expect(&one, "ac");
	assert_true(list_empty(link_of('b')));
	list_del_init(link_of('b'));
	expect(&one, "ac");
}

static void test_move_to_either_end_of_either_list(void **state)
{
	fill(&one, "abc");
	fill(&two, "de");
	list_move(link_of('b'), &two);
	expect(&one, "ac");
	expect(&two, "bde");
	list_move_tail(link_of('a'), &two);
	expect(&one, "c");
	expect(&two, "bdea");
	list_move_tail(link_of('b'), &two);
	expect(&two, "deab");
	list_move(link_of('a'), &two);
	expect(&two, "adeb");
	list_move(link_of('c'), &one);
	expect(&one, "c");
}

static void test_splice_puts_a_list_at_the_front(void **state)
{
	fill(&one, "abc");
	fill(&two, "de");
	list_splice_init(&two, &one);
	expect(&one, "deabc");
	expect(&two, "");
	list_splice_init(&two, &one);
	expect(&one, "deabc");
	list_splice_init(&one, &two);
	expect(&one, "");
	expect(&two, "deabc");
}

static void test_splice_tail_puts_a_list_at_the_end(void **state)
{
	fill(&one, "abc");
	fill(&two, "de");
	list_splice_tail_init(&two, &one);
	expect(&one, "abcde");
	expect(&two, "");
	list_splice_tail_init(&two, &one);
	expect(&one, "abcde");
	list_splice_tail_init(&one, &two);
	expect(&one, "");
	expect(&two, "abcde");
}

static void test_the_safe_walk_lets_its_entry_go(void **state)
{
	struct letter *l, *next;

	fill(&one, "abcdef");
	list_for_each_entry_safe (l, next, &one, link)
		if (l->name != 'c')
			list_move_tail(&l->link, &two);
	expect(&one, "c");
	expect(&two, "abdef");
	list_for_each_entry_safe (l, next, &two, link)
		list_del(&l->link);
	expect(&two, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_an_empty_list, fresh),
		cmocka_unit_test_setup(test_add_comes_first_and_add_tail_comes_last, fresh),
		cmocka_unit_test_setup(test_del_anywhere_leaves_links_that_fault, fresh),
		cmocka_unit_test_setup(test_del_init_makes_a_list_of_its_own, fresh),
		cmocka_unit_test_setup(test_move_to_either_end_of_either_list, fresh),
		cmocka_unit_test_setup(test_splice_puts_a_list_at_the_front, fresh),
		cmocka_unit_test_setup(test_splice_tail_puts_a_list_at_the_end, fresh),
		cmocka_unit_test_setup(test_the_safe_walk_lets_its_entry_go, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
