// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing /proc/interrupts: a header line names the CPUs that are online, each further line has a
 * name, a count per CPU, and a description. A line with fewer counts than CPUs (ERR, MIS) counts
 * the machine as a whole and is left out.
 */
#include "common/measure/interrupts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *array, size_t count, size_t size)
{
	return realloc(array, count * size);
}

/* "CPU0 CPU2 …": the kernel's numbers may have gaps. */
static int parse_header(struct lp_interrupts *i, char *line)
{
	char *rest = line, *word;

	while ((word = strsep(&rest, " \t\n"))) {
		int *cpu;

		if (!*word)
			continue;
		if (strncmp(word, "CPU", 3))
			return -EINVAL;
		cpu = grown(i->cpu, i->cpus + 1, sizeof(*cpu));
		if (!cpu)
			return -ENOMEM;
		i->cpu = cpu;
		i->cpu[i->cpus++] = atoi(word + 3);
	}
	return i->cpus ? 0 : -EINVAL;
}

/* The counts of one line. Return: where the description begins, NULL if the line has too few. */
static char *parse_counts(const struct lp_interrupts *i, uint64_t *count, char *at)
{
	for (size_t c = 0; c < i->cpus; c++) {
		char *end;

		errno = 0;
		count[c] = strtoull(at, &end, 10);
		if (end == at || errno)
			return NULL;
		at = end;
	}
	return at;
}

static void copy_trimmed(char *to, size_t size, const char *from)
{
	size_t n;

	from += strspn(from, " \t");
	n = strcspn(from, "\n");
	if (n >= size)
		n = size - 1;
	memcpy(to, from, n);
	to[n] = '\0';
}

static int add_line(struct lp_interrupts *i, char *text)
{
	struct lp_interrupts_line *line;
	char *colon = strchr(text, ':'), *what;

	if (!colon)
		return 0;
	line = grown(i->line, i->lines + 1, sizeof(*line));
	if (!line)
		return -ENOMEM;
	i->line = line;
	line = &i->line[i->lines];
	line->count = calloc(i->cpus, sizeof(*line->count));
	if (!line->count)
		return -ENOMEM;
	*colon = '\0';
	what = parse_counts(i, line->count, colon + 1);
	if (!what) {
		free(line->count);
		return 0;
	}
	copy_trimmed(line->name, sizeof(line->name), text);
	copy_trimmed(line->what, sizeof(line->what), what);
	i->lines++;
	return 0;
}

static int parse(struct lp_interrupts *i, FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	int rc = getline(&line, &room, f) > 0 ? parse_header(i, line) : -EINVAL;

	while (!rc && getline(&line, &room, f) > 0)
		rc = add_line(i, line);
	free(line);
	return rc;
}

int lp_interrupts_read(struct lp_interrupts *i, const char *path, struct lp_error *err)
{
	FILE *f;
	int rc;

	memset(i, 0, sizeof(*i));
	if (!path)
		path = "/proc/interrupts";
	f = fopen(path, "re");
	if (!f)
		return lp_fail(err, errno, "%s: %s", path, strerror(errno));
	rc = parse(i, f);
	fclose(f);
	if (!rc)
		return 0;
	lp_interrupts_free(i);
	return lp_fail(err, -rc, "%s: %s", path,
		rc == -EINVAL ? "its first line does not name CPUs" : strerror(-rc));
}

void lp_interrupts_free(struct lp_interrupts *i)
{
	for (size_t l = 0; l < i->lines; l++)
		free(i->line[l].count);
	free(i->line);
	free(i->cpu);
	memset(i, 0, sizeof(*i));
}

static const struct lp_interrupts_line *find_line(const struct lp_interrupts *i, const char *name)
{
	for (size_t l = 0; l < i->lines; l++)
		if (!strcmp(i->line[l].name, name))
			return &i->line[l];
	return NULL;
}

/* The column of CPU @cpu; both files list CPUs in rising order, so it is @hint or near it. */
static const uint64_t *find_count(const struct lp_interrupts *i,
	const struct lp_interrupts_line *line, int cpu, size_t hint)
{
	if (hint < i->cpus && i->cpu[hint] == cpu)
		return &line->count[hint];
	for (size_t c = 0; c < i->cpus; c++)
		if (i->cpu[c] == cpu)
			return &line->count[c];
	return NULL;
}

void lp_interrupts_subtract(struct lp_interrupts *after, const struct lp_interrupts *before)
{
	for (size_t l = 0; l < after->lines; l++) {
		const struct lp_interrupts_line *old = find_line(before, after->line[l].name);

		for (size_t c = 0; old && c < after->cpus; c++) {
			const uint64_t *count = find_count(before, old, after->cpu[c], c);

			if (count)
				after->line[l].count[c] -= *count;
		}
	}
}

int64_t lp_interrupts_sum(const struct lp_interrupts *i, const char *name, const int *cpu, size_t n)
{
	const struct lp_interrupts_line *line = find_line(i, name);
	int64_t sum = 0;

	if (!line)
		return -1;
	if (!cpu) {
		for (size_t c = 0; c < i->cpus; c++)
			sum += (int64_t)line->count[c];
		return sum;
	}
	for (size_t k = 0; k < n; k++) {
		const uint64_t *count = find_count(i, line, cpu[k], (size_t)cpu[k]);

		sum += count ? (int64_t)*count : 0;
	}
	return sum;
}

const char *lp_interrupts_function_calls(const struct lp_interrupts *i)
{
	for (size_t l = 0; l < i->lines; l++)
		if (strcasestr(i->line[l].what, "function call interrupts"))
			return i->line[l].name;
	return NULL;
}
