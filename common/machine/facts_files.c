// SPDX-License-Identifier: GPL-2.0-or-later
/* See facts_files.h. */
#include "common/machine/facts_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_fact(const struct lp_facts *f, const char *path)
{
	char whole[4096];

	snprintf(whole, sizeof(whole), "%s%s", f->root, path);
	return fopen(whole, "re");
}

int lp_facts_read(const struct lp_facts *f, const char *path, char *text, size_t size)
{
	FILE *file = open_fact(f, path);
	size_t n;

	if (!file)
		return -errno;
	errno = 0;
	n = fread(text, 1, size - 1, file);
	if (ferror(file)) {
		int rc = errno ? -errno : -EIO;

		fclose(file);
		return rc;
	}
	fclose(file);
	while (n && strchr(" \t\n", text[n - 1]))
		n--;
	text[n] = '\0';
	return 0;
}

void lp_facts_absent(struct lp_facts *f, const char *key, const char *reason)
{
	json_object_set_new(f->facts, key, json_null());
	json_object_set_new(f->absent, key, json_string(reason));
}

json_t *lp_facts_string(const char *text)
{
	json_t *string = json_string(text);
	char *ascii;

	if (string)
		return string;
	ascii = strdup(text);
	for (char *c = ascii; c && *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	string = json_string(ascii ? ascii : "");
	free(ascii);
	return string;
}

int lp_facts_cpuinfo(const struct lp_facts *f, const char *field, char *value, size_t size)
{
	FILE *file = open_fact(f, "/proc/cpuinfo");
	size_t n = strlen(field), room = 0;
	char *line = NULL;
	int rc = -ENOENT;

	while (file && rc && getline(&line, &room, file) > 0) {
		char *after = line + n + strspn(line + (strlen(line) > n ? n : 0), " \t");

		if (strncmp(line, field, n) || strlen(line) <= n || *after != ':')
			continue;
		after += 1 + strspn(after + 1, " ");
		after[strcspn(after, "\n")] = '\0';
		snprintf(value, size, "%s", after);
		rc = 0;
	}
	free(line);
	if (file)
		fclose(file);
	return rc;
}

/* One of the files that describe cache @index; "" when it is not there. */
static void cache_file(
	const struct lp_facts *f, int index, const char *name, char *text, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
	if (lp_facts_read(f, path, text, size))
		text[0] = '\0';
}

void lp_facts_caches(struct lp_facts *f)
{
	json_t *caches = json_array();

	for (int i = 0; i < 16; i++) {
		char level[16], type[32], size[32], shared[256];

		cache_file(f, i, "level", level, sizeof(level));
		if (!level[0])
			break;
		cache_file(f, i, "type", type, sizeof(type));
		cache_file(f, i, "size", size, sizeof(size));
		cache_file(f, i, "shared_cpu_list", shared, sizeof(shared));
		json_array_append_new(caches,
			json_pack("{s:i, s:o, s:o, s:o}", "level", atoi(level), "type",
				lp_facts_string(type), "size", lp_facts_string(size), "shared_with_cpus",
				lp_facts_string(shared)));
	}
	json_object_set_new(f->facts, "caches", caches);
}

void lp_facts_vulnerabilities(struct lp_facts *f)
{
	static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";
	char path[4096], text[512];
	json_t *mitigations;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s%s", f->root, folder);
	dir = opendir(path);
	if (!dir) {
		lp_facts_absent(f, "mitigations", strerror(errno));
		return;
	}
	mitigations = json_object();
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] != '.' && !lp_facts_read(f, path, text, sizeof(text)))
			json_object_set_new(mitigations, entry->d_name, lp_facts_string(text));
	}
	closedir(dir);
	json_object_set_new(f->facts, "mitigations", mitigations);
}
