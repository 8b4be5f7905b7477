// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a benchmark's function may do: loop, report a window, add figures, fail.
 *
 * A window is measured outside of Google Benchmark, which must then call the function once, keep
 * the name as it is, and show our numbers. Iterations(1)->UseManualTime() would do the first, but
 * adds "/iterations:1/manual_time" to the name, which filters then see. So a window claims a huge
 * batch of iterations, always the same: above Google Benchmark's limit it is never repeated, and
 * the library, which Debian builds with its debug checks, ends the process when repetitions have
 * different numbers of iterations. The true numbers travel in private counters, of which Google
 * Benchmark makes the aggregates too, and the reporters put them back in place.
 *
 * What would invalidate it: a version that limits the iterations above `huge_batch`.
 */
#include "lp_gbench_internal.hh"

#include <cmath>
#include <cstring>

using namespace lp_gb;

namespace
{

enum class Phase { fresh, running, paused, measured, failed };

constexpr benchmark::IterationCount huge_batch = INT64_MAX / 4;

/* Keys that Google Benchmark gives to a row; a counter of that name would make it ambiguous. */
const char *const row_keys[] = {"name", "family_index", "per_family_instance_index", "run_name",
	"run_type", "repetitions", "repetition_index", "threads", "aggregate_name",
	"aggregate_unit", "error_occurred", "error_message", "iterations", "real_time", "cpu_time",
	"time_unit", "label"};

} // namespace

struct lp_gb_state {
	benchmark::State &gb;
	Registration &registration;
	Phase phase;
};

namespace
{

/* Bring Google Benchmark's count to its end, whatever has been done of it. */
void complete(lp_gb_state *s)
{
	benchmark::IterationCount left = s->gb.max_iterations - s->gb.iterations();

	if (s->phase == Phase::paused)
		s->gb.ResumeTiming();
	if (s->registration.options.window)
		left = huge_batch;
	if (left > 0)
		s->gb.KeepRunningBatch(left);
	s->gb.KeepRunningBatch(1); /* nothing is left: stops the time */
	s->phase = Phase::measured;
}

/*
 * A failure travels in a private counter, not by SkipWithError(): aggregating repetitions, 1.7.1
 * reads the statistics of the first one, which it never sets for one with an error.
 */
void set_failure(lp_gb_state *s, const std::string &message)
{
	if (s->phase == Phase::failed)
		return;
	if (s->phase != Phase::measured)
		complete(s);
	s->phase = Phase::failed;
	s->registration.failure = message;
	s->gb.counters[failure_number] = static_cast<double>(failures.size());
	failures.push_back(message);
}

int check_phase(const lp_gb_state *s, Phase wanted, const char *why)
{
	return s && s->phase == wanted ? 0 : fail(EINVAL, why);
}

} // namespace

void lp_gb::call(benchmark::State &gb, Registration &r)
{
	lp_gb_state s = {gb, r, Phase::fresh};

	/* Of a loop Google Benchmark would want ever more iterations until it took some time. */
	if (!r.options.window && !r.failure.empty())
		return set_failure(&s, std::string(r.failure));
	r.function(&s, r.arg);
	if (s.phase == Phase::fresh)
		set_failure(&s, "the benchmark returned without having measured anything");
	else if ((s.phase == Phase::running || s.phase == Phase::paused) &&
		 gb.iterations() < gb.max_iterations)
		set_failure(&s, "the benchmark left its loop before the last iteration");
	else if (s.phase == Phase::running || s.phase == Phase::paused)
		complete(&s);
}

extern "C" {

bool lp_gb_keep_running(lp_gb_state *s)
{
	if (!s || (s->phase != Phase::running && s->phase != Phase::fresh) ||
		s->registration.options.window)
		return false;
	s->phase = s->gb.KeepRunning() ? Phase::running : Phase::measured;
	return s->phase == Phase::running;
}

int64_t lp_gb_iterations(lp_gb_state *s)
{
	if (!s || s->phase != Phase::fresh || s->registration.options.window)
		return 0;
	s->phase = Phase::running;
	s->gb.KeepRunningBatch(s->gb.max_iterations);
	return s->gb.max_iterations;
}

int lp_gb_end(lp_gb_state *s)
{
	int rc = check_phase(s, Phase::running, "lp_gb_end: the time does not run");

	if (!rc && s->gb.iterations() < s->gb.max_iterations)
		return fail(EINVAL, "lp_gb_end: the loop is not over");
	if (!rc)
		complete(s);
	return rc;
}

int lp_gb_pause(lp_gb_state *s)
{
	int rc = check_phase(s, Phase::running, "lp_gb_pause: the time does not run");

	if (!rc) {
		s->gb.PauseTiming();
		s->phase = Phase::paused;
	}
	return rc;
}

int lp_gb_resume(lp_gb_state *s)
{
	int rc = check_phase(s, Phase::paused, "lp_gb_resume: the time is not paused");

	if (!rc) {
		s->gb.ResumeTiming();
		s->phase = Phase::running;
	}
	return rc;
}

int lp_gb_iteration_time(lp_gb_state *s, double seconds)
{
	int rc = check_phase(s, Phase::running, "lp_gb_iteration_time: the time does not run");

	if (!rc && (!s->registration.options.manual_time || !(seconds >= 0) ||
			   !std::isfinite(seconds)))
		return fail(EINVAL, "lp_gb_iteration_time: not manual_time, or not a time");
	if (!rc)
		s->gb.SetIterationTime(seconds);
	return rc;
}

int lp_gb_window(lp_gb_state *s, uint64_t ops, double wall_seconds, double cpu_seconds)
{
	if (!s || !s->registration.options.window)
		return fail(EINVAL, "lp_gb_window: not registered with the option window");
	if (s->phase != Phase::fresh)
		return fail(EALREADY, "lp_gb_window: this run has had its window");
	if (!ops || ops >> 53 || !(wall_seconds > 0) || !std::isfinite(wall_seconds) ||
		!(cpu_seconds >= 0) || !std::isfinite(cpu_seconds))
		return fail(EINVAL, "lp_gb_window: no operations, or not a time");
	return guarded([&] {
		double n = static_cast<double>(ops);

		complete(s);
		s->gb.counters[window_ops] = n;
		s->gb.counters[window_wall] = wall_seconds;
		s->gb.counters[window_cpu] = cpu_seconds;
		s->gb.counters[window_wall_per_op] = wall_seconds / n;
		s->gb.counters[window_cpu_per_op] = cpu_seconds / n;
		return 0;
	});
}

int lp_gb_counter(lp_gb_state *s, const char *name, double value)
{
	if (!s || !name || !*name)
		return fail(EINVAL, "lp_gb_counter: a counter needs a name");
	for (const char *key : row_keys)
		if (!strcmp(name, key))
			return fail(EINVAL, std::string("lp_gb_counter: every row has a ") + name);
	return guarded([&] {
		if (!strncmp(name, private_prefix.c_str(), private_prefix.size()))
			return fail(EINVAL, "lp_gb_counter: this name is taken");
		s->gb.counters[name] = value;
		return 0;
	});
}

int lp_gb_label(lp_gb_state *s, const char *text)
{
	if (!s || !text)
		return fail(EINVAL, "lp_gb_label: no text");
	return guarded([&] {
		s->gb.SetLabel(text);
		return 0;
	});
}

int lp_gb_error(lp_gb_state *s, const char *message)
{
	if (!s || !message || !*message)
		return fail(EINVAL, "lp_gb_error: an error needs a message");
	return guarded([&] {
		set_failure(s, message);
		return 0;
	});
}

} // extern "C"
