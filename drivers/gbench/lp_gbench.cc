// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registration, flags and running: what C cannot do itself with Google Benchmark's classes.
 *
 * Google Benchmark ends the process for a flag it does not understand, a file it cannot open or a
 * filter that nothing matches; here all of these are errors that are returned, and a filter that
 * nothing matches leaves no empty file behind.
 *
 * What would invalidate it: a version that no longer exports its flags (src/commandlineflags.h in
 * 1.7.1), or which is built without exceptions (one leaves its printer of the usage).
 */
#include "lp_gbench_internal.hh"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>
#include <utility>

using namespace lp_gb;
using Reporter = benchmark::BenchmarkReporter;

/* Google Benchmark's own flags; it has no function that tells them. */
namespace benchmark
{
extern BENCHMARK_EXPORT std::string FLAGS_benchmark_format, FLAGS_benchmark_out,
	FLAGS_benchmark_out_format, FLAGS_benchmark_color;
extern BENCHMARK_EXPORT bool FLAGS_benchmark_counters_tabular, FLAGS_benchmark_list_tests;
} // namespace benchmark

namespace lp_gb
{

std::map<std::string, Registration> registered;
std::vector<std::string> failures;

const std::string private_prefix = "\x01lp_gb_";
const std::string window_ops = private_prefix + "ops", window_wall = private_prefix + "wall",
		  window_cpu = private_prefix + "cpu",
		  window_wall_per_op = private_prefix + "wall_per_op",
		  window_cpu_per_op = private_prefix + "cpu_per_op",
		  failure_number = private_prefix + "failure";

static thread_local std::string last_error;

int fail(int code, const std::string &text)
{
	last_error = text;
	return -code;
}

int fail_without_memory() noexcept
{
	last_error.clear();
	return -ENOMEM;
}

} // namespace lp_gb

namespace
{

bool color_wanted()
{
	const std::string &flag = benchmark::FLAGS_benchmark_color;
	const char *term = getenv("TERM");

	if (flag == "auto")
		return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb");
	return flag != "false" && flag != "no" && flag != "0" && flag != "off";
}

std::unique_ptr<Reporter> make_reporter(const std::string &format, bool on_stdout)
{
	using Console = benchmark::ConsoleReporter;
	int options = Console::OO_None;

	if (format == "json")
		return make_json();
	if (on_stdout && color_wanted())
		options |= Console::OO_Color;
	if (benchmark::FLAGS_benchmark_counters_tabular)
		options |= Console::OO_Tabular;
	return make_console(
		static_cast<Console::OutputOptions>(options), on_stdout ? &std::cerr : nullptr);
}

std::string contradiction(const lp_gb_options &o)
{
	if (!(o.min_time_s >= 0) || !std::isfinite(o.min_time_s) || o.iterations < 0 ||
		o.repetitions < 0 || o.threads < 0 || o.unit < LP_GB_DEFAULT_UNIT ||
		o.unit > LP_GB_S)
		return "an option is out of range";
	if (o.window && (o.min_time_s > 0 || o.iterations || o.manual_time || o.real_time ||
				o.process_cpu_time))
		return "a window has its own time and number of iterations";
	if (o.manual_time && o.real_time)
		return "time is either manual or wall time";
	if (o.iterations && o.min_time_s > 0)
		return "either a minimum time or a number of iterations";
	return "";
}

void apply(benchmark::internal::Benchmark *b, const lp_gb_options &o)
{
	static const benchmark::TimeUnit units[] = {benchmark::kNanosecond, benchmark::kMicrosecond,
		benchmark::kMillisecond, benchmark::kSecond};

	if (o.min_time_s > 0)
		b->MinTime(o.min_time_s);
	if (o.iterations)
		b->Iterations(o.iterations);
	if (o.repetitions)
		b->Repetitions(o.repetitions);
	if (o.manual_time)
		b->UseManualTime();
	if (o.real_time)
		b->UseRealTime();
	if (o.process_cpu_time)
		b->MeasureProcessCPUTime();
	if (o.unit)
		b->Unit(units[o.unit - LP_GB_NS]);
}

/* Lists what the filter selects, without touching the file that results will go to. */
size_t select(std::string &names, std::string &why)
{
	std::stringstream out, err;
	std::string file;
	bool listing = true;
	auto reporter = make_json();

	reporter->SetOutputStream(&out);
	reporter->SetErrorStream(&err);
	file.swap(benchmark::FLAGS_benchmark_out);
	std::swap(listing, benchmark::FLAGS_benchmark_list_tests);
	size_t n = benchmark::RunSpecifiedBenchmarks(reporter.get());
	std::swap(listing, benchmark::FLAGS_benchmark_list_tests);
	file.swap(benchmark::FLAGS_benchmark_out);
	names = out.str();
	std::getline(err, why);
	return n;
}

int run(Reporter &display)
{
	const std::string &file = benchmark::FLAGS_benchmark_out;
	std::unique_ptr<Reporter> to_file;

	if (!file.empty()) {
		/* Where the library cannot open it, it ends the process. */
		if (!std::ofstream(file, std::ios::app))
			return fail(EIO, "--benchmark_out: cannot write to " + file);
		to_file = make_reporter(benchmark::FLAGS_benchmark_out_format, false);
	}
	for (auto &r : registered)
		r.second.failure.clear();
	failures.clear();
	benchmark::RunSpecifiedBenchmarks(&display, to_file.get());
	return 0;
}

int run_or_list(Reporter &display, size_t *count)
{
	std::string names, why;
	size_t n = select(names, why);

	if (count)
		*count = n;
	if (!n)
		return fail(why.rfind("Could not compile", 0) == 0 ? EINVAL : ENOENT,
			why.empty() ? "no benchmark is registered" : why);
	if (!benchmark::FLAGS_benchmark_list_tests)
		return run(display);
	std::cout << names << std::flush;
	return 0;
}

struct UsageError : std::exception {
};

int initialize(int *argc, char **argv)
{
	static std::string executable;
	bool help = false;

	for (int i = 1; i < *argc; i++)
		help = help || !strcmp(argv[i], "--help");
	try {
		benchmark::Initialize(argc, argv, [] { throw UsageError(); });
	} catch (const UsageError &) {
		if (!help)
			return fail(EINVAL, "a --benchmark_ flag has a value that does not exist");
		benchmark::PrintDefaultHelp();
		return 1;
	}
	/* The library keeps a pointer to argv[0], which the caller may not keep for so long. */
	executable = *argc > 0 ? argv[0] : "";
	Reporter::Context::executable_name = executable.c_str();
	if (benchmark::FLAGS_benchmark_format == "csv" ||
		benchmark::FLAGS_benchmark_out_format == "csv")
		return fail(EINVAL, "csv cannot hold rows of different counters; use json");
	return 0;
}

} // namespace

/* ---- the C API; lp_gbench.h describes it ---- */

extern "C" {

int lp_gb_initialize(int *argc, char **argv)
{
	if (!argc || !argv)
		return fail(EINVAL, "lp_gb_initialize: no arguments given");
	return guarded([&] { return initialize(argc, argv); });
}

int lp_gb_register(
	const char *name, lp_gb_function function, void *arg, const lp_gb_options *options)
{
	return guarded([&] {
		lp_gb_options o = options ? *options : lp_gb_options{};
		std::string why = contradiction(o);

		if (!name || !*name || !function)
			return fail(EINVAL, "a benchmark needs a name and a function");
		if (!why.empty())
			return fail(EINVAL, std::string(name) + ": " + why);
		auto added = registered.emplace(name, Registration{function, arg, o, ""});
		if (!added.second)
			return fail(EEXIST, std::string(name) + " is registered already");
		Registration *r = &added.first->second; /* a map moves nothing */
		apply(benchmark::RegisterBenchmark(
			      name, [r](benchmark::State &gb) { call(gb, *r); }),
			o);
		return 0;
	});
}

int lp_gb_context(const char *key, const char *value)
{
	return guarded([&] {
		auto *context = benchmark::internal::GetGlobalContext();

		if (!key || !value)
			return fail(EINVAL, "context needs a key and a value");
		if (is_context_key(key) || (context && context->count(key)))
			return fail(EEXIST, std::string("the context has a ") + key + " already");
		benchmark::AddCustomContext(key, value);
		return 0;
	});
}

int lp_gb_run(size_t *count)
{
	return guarded([&] {
		auto display = make_reporter(benchmark::FLAGS_benchmark_format, true);

		return run_or_list(*display, count);
	});
}

int lp_gb_run_json(char **json, size_t *count)
{
	if (!json)
		return fail(EINVAL, "lp_gb_run_json: nowhere to put the report");
	*json = nullptr;
	return guarded([&] {
		std::stringstream out;
		auto display = make_json();

		display->SetOutputStream(&out);
		int rc = run_or_list(*display, count);
		if (rc || benchmark::FLAGS_benchmark_list_tests)
			return rc;
		*json = strdup(out.str().c_str());
		return *json ? 0 : fail(ENOMEM, "no memory for the report");
	});
}

void lp_gb_shutdown(void)
{
	guarded([] {
		benchmark::ClearRegisteredBenchmarks();
		registered.clear();
		delete benchmark::internal::GetGlobalContext();
		benchmark::internal::GetGlobalContext() = nullptr;
		return 0;
	});
}

const char *lp_gb_last_error(void)
{
	return last_error.c_str();
}

} // extern "C"
