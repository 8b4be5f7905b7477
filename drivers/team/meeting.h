/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where threads wait for each other asleep: no party leaves before the last one has come.
 *
 * Built on a condition variable, not on pthread_barrier_t, for two reasons: the first meeting can
 * be called off when a thread could not be created, and a waiting thread goes on taking interrupts,
 * under ThreadSanitizer too (which delivers signals in a condition wait, but not in a barrier).
 */
#ifndef LP_DRIVERS_MEETING_H
#define LP_DRIVERS_MEETING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct lp_meeting {
	pthread_mutex_t lock; /* guards all below; never taken by an interrupt handler */
	pthread_cond_t met;
	int parties;
	int arrived;
	unsigned round;
	uint64_t met_ns;
	bool called_off;
};

/** lp_meeting_init() - for @parties threads (1 or more), any number of meetings one after another.
 */
void lp_meeting_init(struct lp_meeting *m, int parties);
void lp_meeting_destroy(struct lp_meeting *m);

/**
 * lp_meeting_wait() - sleep until all parties are here.
 * @met_ns: when the last one came, the same for all; NULL if it does not matter.
 *
 * Return: true, or false if the meeting was called off.
 */
bool lp_meeting_wait(struct lp_meeting *m, uint64_t *met_ns);

/** lp_meeting_call_off() - send everyone home, those who come later too. */
void lp_meeting_call_off(struct lp_meeting *m);

#endif
