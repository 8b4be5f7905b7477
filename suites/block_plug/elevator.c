// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests, merging and the elevator (block/elevator.c, block/blk-core.c of 2.6.38 and later).
 *
 * The search order is the kernel's: the last merged request, then a hash over end sectors (most
 * writes extend something), then the tree sorted by start sector (front merges). Dispatch is in
 * one direction over the sectors, wrapping at the end. The red-black tree is libbsd's.
 */
#include "suites/block_plug/block_plug.h"

static int by_sector(const struct request *a, const struct request *b)
{
	return a->sector < b->sector ? -1 : a->sector > b->sector;
}

RB_GENERATE_INTERNAL(request_tree, request, node, by_sector, static __attribute__((unused)))

static uint64_t end_sector(const struct request *rq)
{
	return rq->sector + rq->sectors;
}

static struct list_head *hash_bucket(struct block_queue *q, uint64_t end)
{
	/* Sectors come in pages: the low three bits say nothing. */
	return &q->hash[(end / SECTORS_PER_PAGE * 0x9e3779b97f4a7c15ull) >> 58];
}

static_assert(ELEVATOR_HASH == 1 << 6, "hash_bucket() keeps six bits");

void elevator_init(struct block_queue *q)
{
	RB_INIT(&q->tree);
	INIT_LIST_HEAD(&q->dispatch);
	for (int i = 0; i < ELEVATOR_HASH; i++)
		INIT_LIST_HEAD(&q->hash[i]);
}

void elevator_insert(struct block_queue *q, struct request *rq)
{
	RB_INSERT(request_tree, &q->tree, rq);
	list_add(&rq->hash, hash_bucket(q, end_sector(rq)));
	q->queued++;
	if (!q->last_merge)
		q->last_merge = rq;
}

static void elevator_remove(struct block_queue *q, struct request *rq)
{
	RB_REMOVE(request_tree, &q->tree, rq);
	list_del(&rq->hash);
	q->queued--;
	if (q->last_merge == rq)
		q->last_merge = NULL;
}

static bool fits(
	const struct block_plug *s, const struct request *rq, unsigned sectors, unsigned segments)
{
	return rq->sectors + sectors <= s->max_sectors && rq->segments + segments <= MAX_SEGMENTS;
}

/* Back or front merge of @bio into a request that is in no tree. Return: whether it fitted. */
bool bio_merge_into(struct block_plug *s, struct request *rq, struct bio *bio)
{
	if (!fits(s, rq, bio->sectors, 1))
		return false;
	if (end_sector(rq) == bio->sector) {
		bio->next = NULL;
		rq->tail->next = bio;
		rq->tail = bio;
	} else if (bio->sector + bio->sectors == rq->sector) {
		bio->next = rq->head;
		rq->head = bio;
		rq->sector = bio->sector;
	} else {
		return false;
	}
	rq->sectors += bio->sectors;
	rq->segments++;
	return true;
}

/* The same for a request in the elevator, which moves to its new places. */
static bool merge_queued(
	struct block_plug *s, struct block_queue *q, struct request *rq, struct bio *bio)
{
	uint64_t start = rq->sector;

	if (!bio_merge_into(s, rq, bio))
		return false;
	if (rq->sector == start) {
		list_move(&rq->hash, hash_bucket(q, end_sector(rq)));
	} else {
		/* The tree orders by start sector: take it out as it was, put it in as it is. */
		uint64_t now = rq->sector;

		rq->sector = start;
		RB_REMOVE(request_tree, &q->tree, rq);
		rq->sector = now;
		RB_INSERT(request_tree, &q->tree, rq);
	}
	q->last_merge = rq;
	return true;
}

static struct request *find_ending_at(struct block_queue *q, uint64_t sector)
{
	struct list_head *bucket = hash_bucket(q, sector);
	struct request *rq;

	list_for_each_entry (rq, bucket, hash)
		if (end_sector(rq) == sector)
			return rq;
	return NULL;
}

static struct request *find_starting_at(struct block_queue *q, uint64_t sector)
{
	struct request key = {.sector = sector};

	return RB_FIND(request_tree, &q->tree, &key);
}

enum merge_place elevator_merge(struct block_plug *s, struct block_queue *q, struct bio *bio)
{
	struct request *rq = q->last_merge;

	if (rq && merge_queued(s, q, rq, bio))
		return MERGE_LAST;
	rq = find_ending_at(q, bio->sector);
	if (rq && merge_queued(s, q, rq, bio))
		return MERGE_HASH;
	rq = find_starting_at(q, bio->sector + bio->sectors);
	if (rq && merge_queued(s, q, rq, bio))
		return MERGE_TREE;
	return MERGE_NONE;
}

/* Appends all of @rq to @into. */
static void join_requests(struct block_queue *q, struct request *into, struct request *rq)
{
	into->tail->next = rq->head;
	into->tail = rq->tail;
	into->sectors += rq->sectors;
	into->segments += rq->segments;
	list_move(&into->hash, hash_bucket(q, end_sector(into)));
	q->insert_merges++;
}

void elevator_insert_merge(struct block_plug *s, struct block_queue *q, struct request *rq)
{
	struct request *into = find_ending_at(q, rq->sector);

	if (!into || !fits(s, into, rq->sectors, rq->segments)) {
		elevator_insert(q, rq);
		q->last_merge = rq;
		return;
	}
	join_requests(q, into, rq);
	q->last_merge = into;
	request_free(s, q, rq);
}

struct request *elevator_next(struct block_queue *q)
{
	struct request key = {.sector = q->head_sector}, *rq;

	if (!list_empty(&q->dispatch)) {
		rq = list_first_entry(&q->dispatch, struct request, list);
		list_del(&rq->list);
		q->queued--;
		return rq;
	}
	rq = RB_NFIND(request_tree, &q->tree, &key);
	if (!rq)
		rq = RB_MIN(request_tree, &q->tree);
	if (!rq)
		return NULL;
	elevator_remove(q, rq);
	q->head_sector = end_sector(rq);
	return rq;
}
