/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latency probe: what an outsider's interrupts suffer while the workers work.
 *
 * Open loop: every worker's CPU gets an interrupt at a fixed rate from a timer of its own, due at
 * times set beforehand, so that a stall delays many probes instead of suppressing them. The round
 * trip is from the time the interrupt was due until its handler has run; hold-off is from its
 * arrival in the thread until its handler runs (the software mask's share). Expirations that the
 * kernel merged while the thread could not take them count as that many probes, each with its own
 * due time.
 */
#ifndef LP_DRIVERS_PROBE_H
#define LP_DRIVERS_PROBE_H

#include "common/error.h"
#include "common/measure/metrics.h"
#include "suites/suite.h"

enum { LP_PROBE_VECTOR = 0 }; /* suites take vectors from 1 up */

struct lp_probe;

/** lp_probe_new() - a probe of @rate_per_s (1..100000) interrupts a second on each of @cpus CPUs;
 * registers LP_PROBE_VECTOR. NULL with @err on failure. */
struct lp_probe *lp_probe_new(int cpus, unsigned rate_per_s, struct lp_error *err);
void lp_probe_free(struct lp_probe *p);

/** lp_probe_begin() / lp_probe_end() - arm and disarm on the calling worker; fit for
 * lp_team_options.worker_begin and _end with the probe as context. */
void lp_probe_begin(struct lp_worker *w, void *probe);
void lp_probe_end(struct lp_worker *w, void *probe);

/** lp_probe_report() - probes, probe_min_ms, probe_avg_ms, probe_max_ms, probe_mdev_ms,
 * probe_ewma_ms (as ping computes them), holdoff_p50_ns, _p99_ns, _max_ns with their histogram,
 * stalls_over_1ms (separate stalls, not probes that saw one), probes_over_1ms. */
void lp_probe_report(const struct lp_probe *p, struct lp_metrics *metrics);

#endif
