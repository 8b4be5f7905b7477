// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing /proc/interrupts: a header line names the CPUs that are online, each further line has a
 * name, a count per CPU, and a description. Lines that count the machine as a whole (ERR, MIS) or
 * nothing at all (FIQ on ARM) are left out.
 *
 * Any other line with too few counts is an error, not a line to skip: a figure that is silently
 * missing reads like an interrupt that never came. What would invalidate a difference: a CPU that
 * was off line at the first reading, whose counts then are those since boot.
 */
#include "common/measure/interrupts.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the parser is, for messages. */
struct place {
	const char *path;
	unsigned line;
	struct lp_error *err;
};

static int no_memory(const struct place *p)
{
	return lp_fail(p->err, ENOMEM, "%s: no memory for line %u", p->path, p->line);
}

/* "CPU17" as 17, −1 if it is no such word. */
static int cpu_of_word(const char *word)
{
	char *end;
	long cpu;

	if (strncmp(word, "CPU", 3) || !isdigit((unsigned char)word[3]))
		return -1;
	errno = 0;
	cpu = strtol(word + 3, &end, 10);
	return *end || errno || cpu > INT_MAX ? -1 : (int)cpu;
}

/* "CPU0 CPU2 …": the kernel's numbers may have gaps. */
static int parse_header(struct lp_interrupts *i, char *line, const struct place *p)
{
	char *rest = line, *word;

	while ((word = strsep(&rest, " \t\n"))) {
		int *cpu;

		if (!*word)
			continue;
		cpu = reallocarray(i->cpu, i->cpus + 1, sizeof(*cpu));
		if (!cpu)
			return no_memory(p);
		i->cpu = cpu;
		cpu[i->cpus] = cpu_of_word(word);
		if (cpu[i->cpus++] < 0)
			return lp_fail(p->err, EINVAL,
				"%s: line 1 should name CPUs (CPU0 CPU1 …), but has '%.16s'",
				p->path, word);
	}
	if (!i->cpus)
		return lp_fail(p->err, EINVAL, "%s: line 1 names no CPU", p->path);
	return 0;
}

/* The counts of one line, up to one for each CPU. Return: how many; @at moves behind them. */
static size_t parse_counts(const struct lp_interrupts *i, uint64_t *count, char **at)
{
	size_t n = 0;

	while (n < i->cpus) {
		char *end;

		*at += strspn(*at, " \t");
		if (!isdigit((unsigned char)**at))
			break;
		errno = 0;
		count[n] = strtoull(*at, &end, 10);
		if (errno || !strchr(" \t\n", *end))
			break;
		*at = end;
		n++;
	}
	return n;
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

/* A new line with room for its counts, not yet one of i->lines. */
static struct lp_interrupts_line *new_line(struct lp_interrupts *i)
{
	struct lp_interrupts_line *line = reallocarray(i->line, i->lines + 1, sizeof(*line));

	if (!line)
		return NULL;
	i->line = line;
	line = &i->line[i->lines];
	line->count = calloc(i->cpus, sizeof(*line->count));
	return line->count ? line : NULL;
}

/* Lines of one count for the machine as a whole; with a single CPU the count alone does not show
 * it. Names from Linux 6.1, arch/x86/kernel/irq.c and arch/arm64/kernel/smp.c. */
static bool counts_machine(const struct lp_interrupts *i, const struct lp_interrupts_line *line)
{
	if (i->cpus > 1)
		return !line->what[0];
	return !strcmp(line->name, "ERR") || !strcmp(line->name, "MIS") ||
	       !strcmp(line->name, "Err");
}

/* Whether @n counts make a line. Return: 1 it is one of the CPUs', 0 it is not, -EINVAL. */
static int judge_counts(const struct lp_interrupts *i, const struct lp_interrupts_line *line,
	size_t n, const struct place *p)
{
	if (!n || (n == 1 && counts_machine(i, line)))
		return 0;
	if (n == i->cpus)
		return 1;
	return lp_fail(p->err, EINVAL,
		"%s: line %u (%s) has %zu counts for %zu CPUs; read it again if a CPU went on or "
		"off "
		"line just now",
		p->path, p->line, line->name, n, i->cpus);
}

static int add_line(struct lp_interrupts *i, char *text, const struct place *p)
{
	char *colon = strchr(text, ':'), *at;
	struct lp_interrupts_line *line;
	size_t n;
	int rc;

	if (!colon)
		return lp_fail(p->err, EINVAL, "%s: line %u has no name that ends in a colon",
			p->path, p->line);
	line = new_line(i);
	if (!line)
		return no_memory(p);
	at = colon + 1;
	*colon = '\0';
	copy_trimmed(line->name, sizeof(line->name), text);
	n = parse_counts(i, line->count, &at);
	copy_trimmed(line->what, sizeof(line->what), at);
	rc = judge_counts(i, line, n, p);
	if (rc > 0)
		i->lines++;
	else
		free(line->count);
	return rc < 0 ? rc : 0;
}

static int parse(struct lp_interrupts *i, FILE *f, struct place *p)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int rc = 0;

	while (!rc && (n = getline(&line, &room, f)) > 0) {
		p->line++;
		if (line[n - 1] != '\n')
			rc = lp_fail(p->err, EINVAL, "%s: line %u is cut off", p->path, p->line);
		else
			rc = p->line > 1 ? add_line(i, line, p) : parse_header(i, line, p);
	}
	free(line);
	if (!rc && ferror(f))
		return lp_fail(p->err, EIO, "%s: cannot be read beyond line %u", p->path, p->line);
	if (!p->line)
		return lp_fail(p->err, EINVAL, "%s: is empty", p->path);
	return rc;
}

int lp_interrupts_read(struct lp_interrupts *i, const char *path, struct lp_error *err)
{
	struct place p = {.path = path ? path : "/proc/interrupts", .err = err};
	FILE *f;
	int rc;

	memset(i, 0, sizeof(*i));
	f = fopen(p.path, "re");
	if (!f)
		return lp_fail(err, errno, "%s: %s", p.path, strerror(errno));
	rc = parse(i, f, &p);
	fclose(f);
	if (rc)
		lp_interrupts_free(i);
	return rc;
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
static const uint64_t *find_count(
	const struct lp_interrupts *i, const struct lp_interrupts_line *line, int cpu, size_t hint)
{
	if (hint < i->cpus && i->cpu[hint] == cpu)
		return &line->count[hint];
	for (size_t c = 0; c < i->cpus; c++)
		if (i->cpu[c] == cpu)
			return &line->count[c];
	return NULL;
}

/* The kernel's counters are 32 bits wide (Linux 6.1, include/linux/irqdesc.h, kstat_irqs) and wrap.
 * One that fell from below the middle did not: its interrupt was released and requested anew. */
static uint64_t risen(uint64_t before, uint64_t after)
{
	if (after >= before)
		return after - before;
	return before > INT32_MAX ? (uint32_t)(after - before) : after;
}

void lp_interrupts_subtract(struct lp_interrupts *after, const struct lp_interrupts *before)
{
	for (size_t l = 0; l < after->lines; l++) {
		const struct lp_interrupts_line *old = find_line(before, after->line[l].name);

		for (size_t c = 0; old && c < after->cpus; c++) {
			const uint64_t *count = find_count(before, old, after->cpu[c], c);

			if (count)
				after->line[l].count[c] = risen(*count, after->line[l].count[c]);
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
