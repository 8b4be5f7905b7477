/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_relax(): the hint that a CPU gives its pipeline (and its SMT sibling) while it spins. */
#ifndef LP_KERNEL_RELAX_H
#define LP_KERNEL_RELAX_H

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("pause" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

#endif
