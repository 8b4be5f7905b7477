// SPDX-License-Identifier: GPL-2.0-or-later
/* What our loops are held against: no C API, no team, the range-based loop of C++. */
#include "tests/overhead/body.h"

#include <benchmark/benchmark.h>

static void handwritten(benchmark::State &state)
{
	uint64_t x = 1;

	for (auto _ : state)
		x = overhead_step(x);
}

void overhead_register_handwritten(int64_t iterations)
{
	auto *b = benchmark::RegisterBenchmark("overhead/handwritten", handwritten);

	if (iterations)
		b->Iterations(iterations);
}
