// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A barrier that sleeps and can be called off; meeting.h says why it is not pthread_barrier_t.
 *
 * The round number tells a woken thread that its own meeting took place even when the next one has
 * begun meanwhile. What would invalidate it: more threads than parties, which would split a
 * meeting in two.
 */
#include "drivers/team/meeting.h"

#include "common/measure/clock.h"

void lp_meeting_init(struct lp_meeting *m, int parties)
{
	*m = (struct lp_meeting){.parties = parties};
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->met, NULL);
}

void lp_meeting_destroy(struct lp_meeting *m)
{
	pthread_cond_destroy(&m->met);
	pthread_mutex_destroy(&m->lock);
}

static void begin_next_round(struct lp_meeting *m)
{
	m->arrived = 0;
	m->round++;
	m->met_ns = lp_clock_ns();
	pthread_cond_broadcast(&m->met);
}

bool lp_meeting_wait(struct lp_meeting *m, uint64_t *met_ns)
{
	unsigned round;
	bool held;

	pthread_mutex_lock(&m->lock);
	round = m->round;
	if (++m->arrived == m->parties)
		begin_next_round(m);
	while (m->round == round && !m->called_off)
		pthread_cond_wait(&m->met, &m->lock);
	held = m->round != round;
	if (met_ns)
		*met_ns = m->met_ns;
	pthread_mutex_unlock(&m->lock);
	return held;
}

void lp_meeting_call_off(struct lp_meeting *m)
{
	pthread_mutex_lock(&m->lock);
	m->called_off = true;
	pthread_cond_broadcast(&m->met);
	pthread_mutex_unlock(&m->lock);
}
