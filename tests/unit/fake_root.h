/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder that stands for / : files of proc and sys as some machine has them. */
#ifndef LP_TESTS_FAKE_ROOT_H
#define LP_TESTS_FAKE_ROOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the folder; the caller ends it with fake_root_remove(). */
static inline void fake_root_make(char root[64])
{
	strcpy(root, "/tmp/lp-fake-root-XXXXXX");
	assert_non_null(mkdtemp(root));
}

static inline int fake_root_remove_one(
	const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static inline void fake_root_remove(const char *root)
{
	nftw(root, fake_root_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes @size bytes of @text to @root/@path, and makes the folders above it. */
static inline void fake_root_write(
	const char *root, const char *path, const char *text, size_t size)
{
	char whole[512];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	for (char *c = strchr(whole + 1, '/'); c; c = strchr(c + 1, '/')) {
		*c = '\0';
		mkdir(whole, 0755);
		*c = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	fclose(file);
}

static inline void fake_root_text(const char *root, const char *path, const char *text)
{
	fake_root_write(root, path, text, strlen(text));
}

#endif
