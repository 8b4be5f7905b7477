// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From counted loops to the share of CPU that the workers cost.
 *
 * Each CPU is compared with itself, because CPUs differ in speed; the share is the mean of the
 * CPUs' shares, so it is a share of CPU time and not of loops. The mean of the two calibrations
 * halves the error that a steady drift of the clock frequency makes.
 *
 * What would invalidate it: a frequency that differs between the window and both calibrations, as
 * when the workers alone let the CPU boost. The drift cannot show that.
 */
#include "drivers/soak/record.h"

#include <math.h>
#include <string.h>

#define MAX_DRIFT 0.05

static double rate(const struct lp_soak_record *r, int interval, int cpu)
{
	const struct lp_soak_interval *i = &r->interval[interval];

	return i->wall_ns ? (double)i->loops[cpu] / (double)i->wall_ns : NAN;
}

static double total_rate(const struct lp_soak_record *r, int interval)
{
	double sum = 0;

	for (int cpu = 0; cpu < r->cpus; cpu++)
		sum += rate(r, interval, cpu);
	return sum;
}

double lp_soak_drift(const struct lp_soak_record *r)
{
	double before = total_rate(r, LP_SOAK_BEFORE);

	return before > 0 ? total_rate(r, LP_SOAK_AFTER) / before - 1 : NAN;
}

double lp_soak_share(const struct lp_soak_record *r)
{
	double sum = 0;

	for (int cpu = 0; cpu < r->cpus; cpu++) {
		double alone = (rate(r, LP_SOAK_BEFORE, cpu) + rate(r, LP_SOAK_AFTER, cpu)) / 2;

		sum += alone > 0 ? 1 - rate(r, LP_SOAK_DURING, cpu) / alone : NAN;
	}
	return sum / r->cpus;
}

static void absent(struct lp_metrics *metrics, const char *why)
{
	lp_metrics_absent(metrics, "soak_cpu_share", "%s", why);
	lp_metrics_absent(metrics, "soak_cpu_ns_per_op", "%s", why);
}

static void report_share(const struct lp_soak_record *r, uint64_t ops, struct lp_metrics *metrics)
{
	double share = lp_soak_share(r);
	double cpu_ns = share * r->cpus * (double)r->interval[LP_SOAK_DURING].wall_ns;

	lp_metrics_set(metrics, "soak_cpu_share", share);
	lp_metrics_ratio(metrics, "soak_cpu_ns_per_op", cpu_ns, (double)ops, "operations");
}

void lp_soak_evaluate(const struct lp_soak_record *r, uint64_t ops, struct lp_metrics *metrics)
{
	double drift = lp_soak_drift(r);
	double during = total_rate(r, LP_SOAK_DURING);

	if (r->not_idle_error)
		lp_metrics_absent(metrics, "soak_idle_class",
			"SCHED_IDLE was refused (%s): the soaker ran at nice 19, which takes a "
			"little "
			"from the workers",
			strerror(r->not_idle_error));
	if (isnan(drift))
		lp_metrics_absent(metrics, "soak_calibration_drift",
			"the soaker was not calibrated both before and after the window");
	else
		lp_metrics_set(metrics, "soak_calibration_drift", drift);
	if (isnan(drift))
		absent(metrics, "the soaker was not calibrated both before and after the window");
	else if (fabs(drift) > MAX_DRIFT)
		absent(metrics, "the calibrations before and after differ by more than 5 %");
	else if (isnan(during))
		absent(metrics, "the soaker saw no window");
	else if (during <= 0)
		absent(metrics, "the soaker got nothing: the workers fill every CPU, so pace them");
	else
		report_share(r, ops, metrics);
}
