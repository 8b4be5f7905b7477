// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two lines for people, from the facts of this machine or from a file of another version: a fact
 * that is missing or null is said to be unknown, never taken for 0.
 */
#include <stdio.h>
#include <string.h>

#include "common/machine/facts.h"

static const char *text_of(const json_t *facts, const char *key, const char *otherwise)
{
	const char *text = json_string_value(json_object_get(facts, key));

	return text && *text ? text : otherwise;
}

/* "2 CPUs", "1 node", "? cores"; @plural is what follows all numbers but 1 */
static const char *count_text(
	char *text, size_t size, json_int_t n, const char *noun, const char *plural)
{
	if (n > 0)
		snprintf(text, size, "%lld %s%s", (long long)n, noun, n == 1 ? "" : plural);
	else
		snprintf(text, size, "? %s%s", noun, plural);
	return text;
}

static json_int_t number_of(const json_t *facts, const char *key)
{
	return json_integer_value(json_object_get(facts, key));
}

static const char *hypervisor_text(const json_t *facts)
{
	const json_t *seen = json_object_get(facts, "virtual_machine");

	if (json_is_true(seen))
		return "virtual machine";
	return json_is_false(seen) ? "no hypervisor" : "hypervisor unknown";
}

/* Two lines, whatever a file holds: no control character within one. */
static void flatten(char *line)
{
	for (; *line; line++)
		if ((unsigned char)*line < ' ')
			*line = ' ';
}

void lp_facts_headline(const json_t *facts, char *text, size_t size)
{
	char cpus[32], allowed[32], cores[32], nodes[32], memory[32], first[384], second[384];

	snprintf(first, sizeof(first), "%.128s: %s (%s), %s, %s, %s",
		text_of(facts, "cpu", text_of(facts, "architecture", "unknown CPU")),
		count_text(cpus, sizeof(cpus), number_of(facts, "cpus_online"), "CPU", "s"),
		count_text(
			allowed, sizeof(allowed), number_of(facts, "cpus_allowed"), "allowed", ""),
		count_text(cores, sizeof(cores), number_of(facts, "cores"), "core", "s"),
		count_text(nodes, sizeof(nodes),
			(json_int_t)json_array_size(json_object_get(facts, "nodes")), "node", "s"),
		count_text(memory, sizeof(memory), number_of(facts, "memory_mib"), "MiB", ""));
	snprintf(second, sizeof(second), "Linux %.96s, %s, governor %.32s, clock source %.32s",
		text_of(facts, "kernel", "unknown"), hypervisor_text(facts),
		text_of(facts, "governor", "unknown"), text_of(facts, "clock_source", "unknown"));
	flatten(first);
	flatten(second);
	snprintf(text, size, "%s\n%s", first, second);
}
