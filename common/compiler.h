/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The few compiler facts that every part of the suite relies on. */
#ifndef LP_COMPILER_H
#define LP_COMPILER_H

#define LP_CACHE_LINE 64
/* Adjacent-line prefetchers pull pairs of lines: things that must not share need two. */
#define LP_CACHE_PAIR 128

#define LP_ALWAYS_INLINE inline __attribute__((always_inline))
#define LP_NOINLINE __attribute__((noinline))
#define LP_ALIGNED(n) __attribute__((aligned(n)))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

/* Keeps the compiler, not the CPU, from moving memory accesses across this point. */
#define barrier() __asm__ volatile("" ::: "memory")

#endif
