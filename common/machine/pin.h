/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads on CPUs. Pinned through the attributes that pthread_create() takes, so that a thread
 * never runs a single instruction elsewhere, and read back afterwards.
 */
#ifndef LP_MACHINE_PIN_H
#define LP_MACHINE_PIN_H

#include <pthread.h>
#include <stdbool.h>

#include "common/error.h"

/** lp_pin_attr() - make threads created with @attr run on CPU @os_cpu alone. @attr is initialised
 * already. Any CPU number is fine, beyond 1024 too. Return: 0, or -errno with @err set. */
int lp_pin_attr(pthread_attr_t *attr, int os_cpu, struct lp_error *err);

/** lp_pin_holds() - whether the calling thread may run on CPU @os_cpu alone, and does run there. */
bool lp_pin_holds(int os_cpu);

#endif
