/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the sources of this folder share; nobody else includes it.
 */
#ifndef LP_GBENCH_INTERNAL_HH
#define LP_GBENCH_INTERNAL_HH

#include "lp_gbench.h"

#include <benchmark/benchmark.h>

#include <cerrno>
#include <map>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <vector>

namespace lp_gb
{

struct Registration {
	lp_gb_function function;
	void *arg;
	lp_gb_options options;
	std::string failure; /* of a loop that failed: it is not called again */
};

extern std::map<std::string, Registration> registered;
extern std::vector<std::string> failures; /* by the number in the private counter */

/* Private counters: what a window really was. A counter from outside cannot have such a name. */
extern const std::string private_prefix, window_ops, window_wall, window_cpu, window_wall_per_op,
	window_cpu_per_op, failure_number;

/** fail() - keep @text for lp_gb_last_error(). Return: -@code. */
int fail(int code, const std::string &text);
/** fail_without_memory() - the same where not even a text can be had. */
int fail_without_memory() noexcept;

/* Runs @body where no exception may pass. */
template <typename Body> int guarded(Body body) noexcept
{
	try {
		return body();
	} catch (const std::bad_alloc &) {
		return fail_without_memory();
	} catch (const std::exception &e) {
		return fail(EIO, e.what());
	}
}

/** call() - one run of a registered benchmark. */
void call(benchmark::State &gb, Registration &r);

/** is_context_key() - whether the JSON reporter writes @key itself. */
bool is_context_key(const std::string &key);

std::unique_ptr<benchmark::BenchmarkReporter> make_json();
/** make_console() - @machine: where the machine is described; null: to the error stream. */
std::unique_ptr<benchmark::BenchmarkReporter> make_console(
	benchmark::ConsoleReporter::OutputOptions options, std::ostream *machine);

} // namespace lp_gb

#endif
