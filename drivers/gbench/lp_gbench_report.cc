// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reporters: strict JSON, and Google Benchmark's table.
 *
 * Google Benchmark's own JSON writes NaN and Infinity, leaves control characters as they are and
 * asks the locale for the decimal point; its table warns of how the library was built. Both
 * reporters here first put in place what a window really was (lp_gbench_state.cc says why).
 *
 * What would invalidate it: tools that want other keys than those of 1.7.1 (src/json_reporter.cc).
 */
#include "lp_gbench_internal.hh"

#include <charconv>
#include <cmath>
#include <ctime>
#include <sstream>
#include <utility>

using namespace lp_gb;
using Reporter = benchmark::BenchmarkReporter;
using Run = benchmark::BenchmarkReporter::Run;

namespace
{

/* ---- strict JSON ---- */

/* Length of the valid UTF-8 sequence at the start of @s (RFC 3629), 0 if it is none. */
size_t utf8_length(const unsigned char *s, size_t left)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (n < 2)
		return n;
	if (s[0] > 0xf4 || n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Too long a form, a surrogate, or beyond U+10FFFF. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
		(s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

std::string json_string(const std::string &text)
{
	const auto *s = reinterpret_cast<const unsigned char *>(text.data());
	static const char hex[] = "0123456789abcdef";
	std::string out = "\"";

	for (size_t i = 0, n; i < text.size(); i += n) {
		n = utf8_length(s + i, text.size() - i);
		if (!n) {
			out += "\xef\xbf\xbd"; /* U+FFFD, the replacement character */
			n = 1;
		} else if (s[i] == '"' || s[i] == '\\') {
			out += {'\\', text[i]};
		} else if (s[i] < 0x20 || s[i] == 0x7f) {
			out += {'\\', 'u', '0', '0', hex[s[i] >> 4], hex[s[i] & 15]};
		} else {
			out.append(text, i, n);
		}
	}
	return out + '"';
}

/*
 * The shortest digits that read back as the same number; no locale has a say in to_chars(). A large
 * real gets an exponent: written as a whole number it would overflow a reader's integers.
 */
template <typename Number> std::string json_number(Number value)
{
	char text[64];

	if constexpr (std::is_floating_point_v<Number>) {
		if (!std::isfinite(value))
			return "null";
		if (std::fabs(value) >= 9007199254740992.0)
			return std::string(text, std::to_chars(text, text + sizeof(text), value,
							 std::chars_format::scientific)
							 .ptr);
	}
	return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

std::string date_text()
{
	char text[64];
	time_t now = time(nullptr);
	struct tm tm;

	localtime_r(&now, &tm);
	size_t n = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", &tm);
	std::string date(text, n);
	return n > 2 ? date.insert(n - 2, ":") : date; /* RFC 3339 wants +01:00 */
}

/* Keys with their values, which are JSON already. */
using Members = std::vector<std::pair<std::string, std::string>>;

std::string json_object(const Members &members, const std::string &indent)
{
	std::string out = "{";

	for (const auto &m : members)
		out += (out.size() > 1 ? ",\n  " : "\n  ") + indent + json_string(m.first) + ": " +
		       m.second;
	return out + "\n" + indent + "}";
}

template <typename List, typename Item> std::string json_array(const List &list, Item item)
{
	std::string out = "[";

	for (const auto &element : list)
		out += (out.size() > 1 ? ", " : "") + item(element);
	return out + "]";
}

/* ---- what a run really was ---- */

void put_window_back(Run &run)
{
	auto &c = run.counters;

	if (run.run_type == Run::RT_Iteration) {
		run.iterations = static_cast<int64_t>(c[window_ops].value);
		run.real_accumulated_time = c[window_wall].value;
		run.cpu_accumulated_time = c[window_cpu].value;
		return;
	}
	/* Reporters divide times by the iterations, which in an aggregate are its repetitions. */
	bool time = run.aggregate_unit == benchmark::kTime;
	double scale = time ? static_cast<double>(run.iterations) : 1;
	run.real_accumulated_time = c[window_wall_per_op].value * scale;
	run.cpu_accumulated_time = c[window_cpu_per_op].value * scale;
}

Run true_run(Run run)
{
	auto found = registered.find(run.run_name.function_name);
	auto failed = run.counters.find(failure_number);

	if (found != registered.end() && found->second.options.threads)
		run.threads = found->second.options.threads;
	if (run.counters.count(window_ops))
		put_window_back(run);
	if (failed != run.counters.end()) {
		run.error_occurred = true;
		run.error_message = failures[static_cast<size_t>(failed->second.value)];
		run.counters.clear();
		run.iterations = 0;
	}
	for (auto it = run.counters.lower_bound(private_prefix);
		it != run.counters.end() &&
		it->first.compare(0, private_prefix.size(), private_prefix) == 0;)
		it = run.counters.erase(it);
	return run;
}

/* No aggregates where a repetition failed: they would be of fewer than they say. */
std::vector<Run> true_runs(const std::vector<Run> &runs)
{
	std::vector<Run> out;

	for (const auto &run : runs)
		if (run.run_type == Run::RT_Iteration || !run.counters.count(failure_number))
			out.push_back(true_run(run));
	return out;
}

/* ---- reporters ---- */

const char *const context_keys[] = {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu",
	"cpu_scaling_enabled", "caches", "load_avg", "library_build_type"};

class StrictJson : public Reporter
{
      public:
	bool ReportContext(const Context &context) override
	{
		GetOutputStream() << "{\n  \"context\": " << json_object(machine(context), "  ")
				  << ",\n  \"benchmarks\": [";
		return true;
	}

	void ReportRuns(const std::vector<Run> &runs) override
	{
		for (const auto &run : true_runs(runs)) {
			GetOutputStream()
				<< (first_ ? "\n    " : ",\n    ") << json_object(row(run), "    ");
			first_ = false;
		}
	}

	void Finalize() override
	{
		GetOutputStream() << "\n  ]\n}\n" << std::flush;
	}

      private:
	static Members machine(const Context &context);
	static Members row(const Run &run);
	static void add_identity(Members &m, const Run &run);
	static void add_times(Members &m, const Run &run);

	bool first_ = true;
};

Members StrictJson::machine(const Context &context)
{
	using Cache = benchmark::CPUInfo::CacheInfo;
	const auto &cpu = context.cpu_info;
	Members m = {{"date", json_string(date_text())},
		{"host_name", json_string(context.sys_info.name)},
		{"executable", json_string(context.executable_name ? context.executable_name : "")},
		{"num_cpus", json_number(cpu.num_cpus)},
		{"mhz_per_cpu", json_number(std::lround(cpu.cycles_per_second / 1e6))}};

	if (cpu.scaling != benchmark::CPUInfo::UNKNOWN)
		m.emplace_back("cpu_scaling_enabled",
			cpu.scaling == benchmark::CPUInfo::ENABLED ? "true" : "false");
	m.emplace_back("caches", json_array(cpu.caches, [](const Cache &c) {
		return "{\"type\": " + json_string(c.type) +
		       ", \"level\": " + json_number(c.level) +
		       ", \"size\": " + json_number(c.size) +
		       ", \"num_sharing\": " + json_number(c.num_sharing) + "}";
	}));
	m.emplace_back("load_avg", json_array(cpu.load_avg, json_number<double>));
	/* Of the code that measures, which is in headers and in this folder. */
#ifdef __OPTIMIZE__
	m.emplace_back("library_build_type", "\"release\"");
#else
	m.emplace_back("library_build_type", "\"debug\"");
#endif
	if (auto *more = benchmark::internal::GetGlobalContext())
		for (const auto &pair : *more)
			if (!is_context_key(pair.first)) /* from --benchmark_context */
				m.emplace_back(pair.first, json_string(pair.second));
	return m;
}

void StrictJson::add_identity(Members &m, const Run &run)
{
	bool aggregate = run.run_type == Run::RT_Aggregate;

	m = {{"name", json_string(run.benchmark_name())},
		{"family_index", json_number(run.family_index)},
		{"per_family_instance_index", json_number(run.per_family_instance_index)},
		{"run_name", json_string(run.run_name.str())},
		{"run_type", aggregate ? "\"aggregate\"" : "\"iteration\""},
		{"repetitions", json_number(run.repetitions)}};
	if (!aggregate)
		m.emplace_back("repetition_index", json_number(run.repetition_index));
	m.emplace_back("threads", json_number(run.threads));
	if (!aggregate)
		return;
	m.emplace_back("aggregate_name", json_string(run.aggregate_name));
	m.emplace_back("aggregate_unit",
		run.aggregate_unit == benchmark::kTime ? "\"time\"" : "\"percentage\"");
}

void StrictJson::add_times(Members &m, const Run &run)
{
	bool share =
		run.run_type == Run::RT_Aggregate && run.aggregate_unit == benchmark::kPercentage;

	m.emplace_back("iterations", json_number(run.iterations));
	m.emplace_back("real_time",
		json_number(share ? run.real_accumulated_time : run.GetAdjustedRealTime()));
	m.emplace_back("cpu_time",
		json_number(share ? run.cpu_accumulated_time : run.GetAdjustedCPUTime()));
	m.emplace_back("time_unit", json_string(benchmark::GetTimeUnitString(run.time_unit)));
}

Members StrictJson::row(const Run &run)
{
	Members m;

	add_identity(m, run);
	if (run.error_occurred) {
		m.emplace_back("error_occurred", "true");
		m.emplace_back("error_message", json_string(run.error_message));
	} else {
		add_times(m, run);
	}
	for (const auto &c : run.counters)
		m.emplace_back(c.first, json_number(c.second.value));
	if (!run.report_label.empty())
		m.emplace_back("label", json_string(run.report_label));
	return m;
}

/* Google Benchmark's table without its remark on how the library was built. */
class Console : public benchmark::ConsoleReporter
{
      public:
	/* @context: where the machine is described; null: to the error stream. */
	Console(OutputOptions options, std::ostream *context)
	    : ConsoleReporter(options), context_(context)
	{
	}

	bool ReportContext(const Context &context) override
	{
		std::ostream &out = context_ ? *context_ : GetErrorStream();
		std::stringstream text;

		name_field_width_ = context.name_field_width;
		PrintBasicContext(&text, context);
		for (std::string line; std::getline(text, line);)
			if (line.find("Library was built as DEBUG") == std::string::npos)
				out << line << '\n';
		return true;
	}

	void ReportRuns(const std::vector<Run> &runs) override
	{
		ConsoleReporter::ReportRuns(true_runs(runs));
	}

      private:
	std::ostream *context_;
};

} // namespace

namespace lp_gb
{

bool is_context_key(const std::string &key)
{
	for (const char *own : context_keys)
		if (key == own)
			return true;
	return false;
}

std::unique_ptr<Reporter> make_json()
{
	return std::make_unique<StrictJson>();
}

std::unique_ptr<Reporter> make_console(
	benchmark::ConsoleReporter::OutputOptions options, std::ostream *machine)
{
	return std::make_unique<Console>(options, machine);
}

} // namespace lp_gb
