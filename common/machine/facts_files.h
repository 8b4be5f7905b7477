/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathering facts and reading them out of proc and sys; used by facts*.c alone. */
#ifndef LP_MACHINE_FACTS_FILES_H
#define LP_MACHINE_FACTS_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct lp_facts {
	const char *root; /* before every path */
	int os_cpu;	  /* whose files stand for all CPUs: the first one that a run would use */
	json_t *facts, *absent;
	bool incomplete; /* out of memory: something is missing that was there */
};

/** lp_facts_set() - @key is @value, whose reference is taken; NULL: out of memory. */
void lp_facts_set(struct lp_facts *f, const char *key, json_t *value);

/** lp_facts_absent() - @key is null because of @reason. */
void lp_facts_absent(struct lp_facts *f, const char *key, const char *reason);

/** lp_facts_unread() - @key is null because @path, named without the root, cannot be read:
 * @rc, a -errno. */
void lp_facts_unread(struct lp_facts *f, const char *key, const char *path, int rc);

/** lp_facts_string() - a JSON string of @text; bytes that are not UTF-8 become '?'. NULL when out
 * of memory. */
json_t *lp_facts_string(const char *text);

/** lp_facts_path() - the root and @path in @whole. Return: 0 or -ENAMETOOLONG. */
int lp_facts_path(const struct lp_facts *f, const char *path, char *whole, size_t size);

/** lp_facts_read() - the file @path, without trailing white space, cut at @size. Return: 0 or
 * -errno. */
int lp_facts_read(const struct lp_facts *f, const char *path, char *text, size_t size);

/** lp_facts_field() - the first value of "@field : value" in @path. Return: 0, -ENOENT without
 * such a field, or the -errno of opening @path. */
int lp_facts_field(
	const struct lp_facts *f, const char *path, const char *field, char *value, size_t size);

/** lp_facts_cpu() - what /proc/cpuinfo says of the CPU's make. */
void lp_facts_cpu(struct lp_facts *f);

/** lp_facts_single_files() - the facts that are a file each: frequencies, clock source, … */
void lp_facts_single_files(struct lp_facts *f);

/** lp_facts_command_line() - "kernel_parameters": those known to change performance. */
void lp_facts_command_line(struct lp_facts *f);

/** lp_facts_caches() - "caches": level, type and size of each cache of the CPU. */
void lp_facts_caches(struct lp_facts *f);

/** lp_facts_vulnerabilities() - "mitigations": what the kernel says of each vulnerability. */
void lp_facts_vulnerabilities(struct lp_facts *f);

/** lp_facts_build() - "lockpath", "build", "libraries": this program. */
void lp_facts_build(struct lp_facts *f);

#endif
