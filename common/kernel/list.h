/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A circular doubly linked list whose links live inside the entries, with the kernel's names.
 *
 * Why intrusive: moving a page between lists must allocate nothing and touch only the page and
 * its two neighbours, because that is exactly the cost which the replicas measure.
 *
 * Not thread-safe: the caller holds whatever lock guards the list.
 */
#ifndef LP_KERNEL_LIST_H
#define LP_KERNEL_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "common/compiler.h"

struct list_head {
	struct list_head *next, *prev;
};

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

/* Internal: links @entry between two neighbours. */
static inline void list_link(
	struct list_head *entry, struct list_head *prev, struct list_head *next)
{
	next->prev = entry;
	entry->next = next;
	entry->prev = prev;
	prev->next = entry;
}

/** list_add() - insert @entry right after @head, so that it comes first. */
static inline void list_add(struct list_head *entry, struct list_head *head)
{
	list_link(entry, head, head->next);
}

/** list_add_tail() - insert @entry right before @head, so that it comes last. */
static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	list_link(entry, head->prev, head);
}

/**
 * list_del() - take @entry out of its list.
 *
 * Its own links become NULL, so that a second removal faults at once instead of corrupting a
 * list: a page on no list has `lru.next == NULL`, which the invariant checkers rely on.
 */
static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	entry->next = NULL;
	entry->prev = NULL;
}

/** list_del_init() - as list_del(), but @entry becomes an empty list of its own. */
static inline void list_del_init(struct list_head *entry)
{
	list_del(entry);
	INIT_LIST_HEAD(entry);
}

/** list_move() - move @entry from its list to the front of @head's. */
static inline void list_move(struct list_head *entry, struct list_head *head)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	list_add(entry, head);
}

/** list_move_tail() - move @entry from its list to the end of @head's. */
static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	list_add_tail(entry, head);
}

/** list_splice_init() - put all of @list at the front of @head's list; @list becomes empty. */
static inline void list_splice_init(struct list_head *list, struct list_head *head)
{
	if (list_empty(list))
		return;
	list->prev->next = head->next;
	head->next->prev = list->prev;
	head->next = list->next;
	list->next->prev = head;
	INIT_LIST_HEAD(list);
}

/** list_splice_tail_init() - put all of @list at the end of @head's list; @list becomes empty. */
static inline void list_splice_tail_init(struct list_head *list, struct list_head *head)
{
	if (list_empty(list))
		return;
	list->next->prev = head->prev;
	head->prev->next = list->next;
	head->prev = list->prev;
	list->prev->next = head;
	INIT_LIST_HEAD(list);
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)

/* The link in @pos, without forming a member of it: at the end of a walk @pos is no real entry, and
 * need not be aligned as one. */
#define list_link_in(pos, member)                                                                  \
	((struct list_head *)((char *)(pos) + offsetof(__typeof__(*(pos)), member)))

#define list_for_each_entry(pos, head, member)                                                     \
	for (pos = list_entry((head)->next, __typeof__(*pos), member);                             \
		list_link_in(pos, member) != (head);                                               \
		pos = list_entry(pos->member.next, __typeof__(*pos), member))

#define list_for_each_entry_reverse(pos, head, member)                                             \
	for (pos = list_entry((head)->prev, __typeof__(*pos), member);                             \
		list_link_in(pos, member) != (head);                                               \
		pos = list_entry(pos->member.prev, __typeof__(*pos), member))

/* As list_for_each_entry(), but @pos may be removed; @n holds the one after it. */
#define list_for_each_entry_safe(pos, n, head, member)                                             \
	for (pos = list_entry((head)->next, __typeof__(*pos), member),                             \
	    n = list_entry(list_link_in(pos, member)->next, __typeof__(*pos), member);             \
		list_link_in(pos, member) != (head);                                               \
		pos = n, n = list_entry(list_link_in(n, member)->next, __typeof__(*n), member))

#endif
