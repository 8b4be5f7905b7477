/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The body that all loops measure: one step of a 64-bit xorshift generator (Marsaglia 2003, shifts
 * 13, 7, 17), about ten instructions that depend on each other, as small as the smallest operation
 * of any suite. For C and C++, so that both compilers see the same.
 */
#ifndef LP_OVERHEAD_BODY_H
#define LP_OVERHEAD_BODY_H

#include <stdint.h>

static inline uint64_t overhead_step(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	/* Every step happens, in a register: neither left out nor merged with the next one. */
	__asm__ volatile("" : "+r"(x));
	return x;
}

#ifdef __cplusplus
extern "C" {
#endif

/** overhead_register_handwritten() - the loop that Google Benchmark's manual shows, in C++;
 * @iterations: exactly so many, 0: as many as the time needs. */
void overhead_register_handwritten(int64_t iterations);

#ifdef __cplusplus
}
#endif

#endif
