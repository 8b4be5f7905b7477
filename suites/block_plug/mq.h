/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the multi-queue generations share: the software queues of the CPUs, and a hardware queue,
 * here a block_queue whose lock guards the tags (its requests) and the driver's slots.
 */
#ifndef LP_SUITES_BLOCK_PLUG_MQ_H
#define LP_SUITES_BLOCK_PLUG_MQ_H

#include "suites/block_plug/block_plug.h"

/* This CPU's software queue; interrupts off. Its acquisitions count with the queue's. */
void mq_ctx_lock(struct block_plug *s, struct block_cpu *c);
void mq_ctx_unlock(struct block_plug *s, struct block_cpu *c);
/* Puts @rq at the end of the hardware queue's dispatch list; wants the queue's lock. */
void mq_dispatch(struct block_queue *q, struct request *rq);
/* Gives the device what it has room for: dispatch list first, then all CPUs' software queues. */
void mq_run(struct block_plug *s, struct block_cpu *c, struct block_queue *q);
/* Everything this CPU holds back goes to its hardware queues. */
void mq_before_sleep(struct block_plug *s, struct block_cpu *c, struct block_queue *q);

#endif
