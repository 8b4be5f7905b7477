/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading facts out of proc and sys; used by facts.c alone. */
#ifndef LP_MACHINE_FACTS_FILES_H
#define LP_MACHINE_FACTS_FILES_H

#include <jansson.h>
#include <stddef.h>

struct lp_facts {
	const char *root; /* before every path */
	json_t *facts, *absent;
};

/** lp_facts_read() - the file @path, without trailing white space, cut at @size. Return: 0 or
 * -errno. */
int lp_facts_read(const struct lp_facts *f, const char *path, char *text, size_t size);

/** lp_facts_absent() - @key is null because of @reason. */
void lp_facts_absent(struct lp_facts *f, const char *key, const char *reason);

/** lp_facts_string() - a JSON string of @text; bytes that are not UTF-8 become '?'. */
json_t *lp_facts_string(const char *text);

/** lp_facts_cpuinfo() - the first value of @field in /proc/cpuinfo. Return: 0, or -ENOENT. */
int lp_facts_cpuinfo(const struct lp_facts *f, const char *field, char *value, size_t size);

/** lp_facts_caches() - "caches": level, type and size of each cache of CPU 0. */
void lp_facts_caches(struct lp_facts *f);

/** lp_facts_vulnerabilities() - "mitigations": what the kernel says of each vulnerability. */
void lp_facts_vulnerabilities(struct lp_facts *f);

#endif
