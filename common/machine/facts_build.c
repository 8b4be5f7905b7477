// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What this program is made of: compiler, what its flags amounted to, libraries.
 *
 * Flags are told by what the compiler says of them in its predefined macros, not by their text: the
 * text holds folders, and says nothing of the compiler's own defaults. libnuma tells no version,
 * only that of its interface.
 */
#include <gnu/libc-version.h>
#include <hwloc.h>
#include <numa.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>

#include "common/machine/facts_files.h"

/* All of it is compiled with the same flags, this file included. */
static const struct {
	const char *name;
	bool on;
} flags[] = {
#ifdef __OPTIMIZE__
	{"optimized", true},
#else
	{"optimized", false},
#endif
#ifdef NDEBUG
	{"assertions", false},
#else
	{"assertions", true},
#endif
#ifdef __PIE__
	{"pie", true},
#else
	{"pie", false},
#endif
#if defined(__SSP__) || defined(__SSP_STRONG__) || defined(__SSP_ALL__)
	{"stack_protector", true},
#else
	{"stack_protector", false},
#endif
#ifdef __CET__
	{"branch_protection", true},
#else
	{"branch_protection", false},
#endif
#ifdef __AVX2__
	{"avx2", true},
#else
	{"avx2", false},
#endif
#ifdef __ARM_FEATURE_ATOMICS
	{"arm_lse_atomics", true},
#else
	{"arm_lse_atomics", false},
#endif
};

static json_t *flags_to_json(void)
{
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (json_object_set_new(object, flags[i].name, json_boolean(flags[i].on))) {
			json_decref(object);
			return NULL;
		}
	return object;
}

static json_t *libraries_to_json(void)
{
	unsigned hwloc = hwloc_get_api_version();
	int pfm = pfm_get_version();
	char hwloc_text[32], pfm_text[32];

	snprintf(hwloc_text, sizeof(hwloc_text), "%u.%u.%u", hwloc >> 16, (hwloc >> 8) & 0xff,
		hwloc & 0xff);
	snprintf(pfm_text, sizeof(pfm_text), "%d.%d", PFM_MAJ_VERSION(pfm), PFM_MIN_VERSION(pfm));
	return json_pack("{s:s, s:s, s:s, s:s, s:i}", "libc", gnu_get_libc_version(), "jansson",
		jansson_version_str(), "hwloc_interface", hwloc_text, "libpfm", pfm_text,
		"libnuma_interface", LIBNUMA_API_VERSION);
}

void lp_facts_build(struct lp_facts *f)
{
	lp_facts_set(f, "lockpath", json_string(LOCKPATH_VERSION));
	lp_facts_set(f, "build",
		json_pack("{s:s, s:s, s:s, s:o}", "compiler", LOCKPATH_COMPILER, "type",
			LOCKPATH_BUILD_TYPE, "sanitizer", LOCKPATH_SANITIZE, "flags",
			flags_to_json()));
	lp_facts_set(f, "libraries", libraries_to_json());
}
