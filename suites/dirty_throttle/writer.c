// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A writer: dirties pages one after the other, is checked when the algorithm says so, and does
 * what the check demands.
 *
 * In virtual time a page costs `page_ns` of its CPU, which the writers of a CPU share; in real
 * time it costs what it costs. A *pause* is one uninterrupted sleep, a *stall* the whole time
 * between two pages that a check took.
 */
#include "suites/dirty_throttle/dirty_throttle.h"

static struct dt_cpu *cpu_of(struct dt *s, const struct dt_writer *w)
{
	return s->cpu[w->actor.cpu];
}

/* ---- sleeping ---- */

static void pause_begins(struct dt_writer *w)
{
	w->paused = true;
	w->pause_from_ns = dt_now(&w->actor);
}

static void pause_ends(struct dt *s, struct dt_writer *w)
{
	struct dt_cpu *c = cpu_of(s, w);
	uint64_t ns = dt_now(&w->actor) - w->pause_from_ns;

	if (!w->paused)
		return;
	w->paused = false;
	lp_histogram_record(&c->pause_ns, ns);
	c->pauses_over_200ms += ns > DT_LONG_PAUSE_NS;
}

/* ---- the check ---- */

static void stall_ends(struct dt *s, struct dt_writer *w)
{
	uint64_t ns = dt_now(&w->actor) - w->stall_from_ns;

	w->state = DT_DIRTYING;
	if (!ns)
		return;
	w->throttled_ns += ns;
	lp_histogram_record(&cpu_of(s, w)->stall_ns, ns);
	cpu_of(s, w)->stalls_over_200ms += ns > DT_LONG_PAUSE_NS;
}

static void check_begins(struct dt_writer *w)
{
	w->state = DT_BALANCING;
	w->step = 0;
	w->pages_written = 0;
	w->stall_from_ns = dt_now(&w->actor);
	w->checks++;
}

/* Return: true if the writer is not asleep. A wake-up for which another was quicker ends no
 * pause: the kernel wakes one of those who wait for a request, not all. */
static bool writing(struct dt *s, struct dt_writer *w)
{
	uint32_t written = w->out.written;

	dt_writeout(s, w->bdi, &w->out);
	if (!w->out.full || w->out.written > written)
		pause_ends(s, w);
	if (!w->out.full) {
		w->state = DT_BALANCING;
		return true;
	}
	if (!w->paused)
		pause_begins(w);
	dt_wait(&w->actor, &w->bdi->request_event, w->out.seen, DT_NEVER);
	return false;
}

static bool balancing(struct dt *s, struct dt_writer *w)
{
	uint32_t congestion = dt_event_look(&s->congestion_event);
	struct dt_action action = s->algorithm->balance(s, w);

	switch (action.kind) {
	case DT_LEAVE:
		stall_ends(s, w);
		return true;
	case DT_WRITE:
		w->out = (struct dt_writeout){.left = action.pages};
		w->state = DT_WRITING;
		return true;
	case DT_SLEEP:
		pause_begins(w);
		dt_at(&w->actor, dt_now(&w->actor) + action.ns);
		return false;
	default:
		pause_begins(w);
		dt_wait(&w->actor, &s->congestion_event, congestion, dt_now(&w->actor) + action.ns);
		return false;
	}
}

/* ---- the CPU, in virtual time ---- */

static void queue_for_cpu(struct dt_cpu *c, struct dt_writer *w)
{
	w->next = NULL;
	if (c->first)
		c->last->next = w;
	else
		c->first = w;
	c->last = w;
	dt_at(&w->actor, DT_NEVER);
}

/* The slice is over: the one that has waited longest is next. */
static void leave_cpu(struct dt *s, struct dt_writer *w)
{
	struct dt_cpu *c = cpu_of(s, w);

	if (!w->on_cpu)
		return;
	w->on_cpu = false;
	c->holder = c->first;
	if (!c->holder)
		return;
	c->first = c->holder->next;
	dt_at(&c->holder->actor, dt_now(&w->actor));
}

/* Return: whether it has the CPU; else it is queued for it. */
static bool enter_cpu(struct dt *s, struct dt_writer *w)
{
	struct dt_cpu *c = cpu_of(s, w);

	if (!s->virtual_time)
		return true;
	if (c->holder && c->holder != w) {
		queue_for_cpu(c, w);
		return false;
	}
	c->holder = w;
	return true;
}

/* ---- dirtying ---- */

/* Pages until a check is due or others have their turn. Return: how many. */
static uint32_t dirty_pages(struct dt *s, struct dt_writer *w)
{
	uint32_t most = s->stream || w->left > DT_STEP_PAGES ? DT_STEP_PAGES : (uint32_t)w->left;
	uint32_t n = 0, dirtied = 0;
	bool check = false;

	while (n < most && !check) {
		bool newly = dt_file_dirty(s, w->file, w->position);

		w->position = w->position + 1 < w->file->pages ? w->position + 1 : 0;
		dirtied += newly;
		check = s->algorithm->page_dirtied(s, w, newly);
		n++;
	}
	cpu_of(s, w)->ops += dirtied;
	w->pages += dirtied;
	w->left -= s->stream ? 0 : n;
	if (check)
		w->state = DT_CHECK_DUE;
	return n;
}

/* The CPU's time that the pages took; the check comes after it. */
static void dirty(struct dt *s, struct dt_writer *w)
{
	uint32_t pages = dirty_pages(s, w);

	w->on_cpu = s->virtual_time;
	dt_at(&w->actor, dt_now(&w->actor) + (s->virtual_time ? pages * s->page_ns : 0));
}

static void phase_ends(struct dt *s, struct dt_writer *w)
{
	uint32_t seen = dt_event_look(&s->phase_event);

	w->state = DT_WAITING_FOR_PHASE;
	s->phase_end_ns = dt_now(&w->actor);
	s->running--;
	dt_wait(&w->actor, &s->phase_event, seen, DT_NEVER);
}

void dt_writer_step(struct dt *s, struct dt_actor *a)
{
	struct dt_writer *w = (struct dt_writer *)a;
	bool awake = true;

	leave_cpu(s, w);
	if (w->state != DT_WRITING)
		pause_ends(s, w);
	if (w->state == DT_WAITING_FOR_PHASE)
		w->state = DT_DIRTYING;
	if (w->state == DT_CHECK_DUE)
		check_begins(w);
	while (awake && w->state != DT_DIRTYING)
		awake = w->state == DT_WRITING ? writing(s, w) : balancing(s, w);
	if (!awake)
		return;
	if (!s->stream && !w->left)
		phase_ends(s, w);
	else if (enter_cpu(s, w))
		dirty(s, w);
}

void dt_writer_end(struct dt *s, struct dt_writer *w)
{
	pause_ends(s, w);
	if (w->state == DT_BALANCING || w->state == DT_WRITING)
		stall_ends(s, w);
}
