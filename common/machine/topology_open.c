// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Getting hwloc to read a topology, quickly and without surprises.
 *
 * Every repetition's process loads it, so what is not used is not discovered: I/O devices and
 * instruction caches are filtered out, and hwloc's x86 backend is left out because it moves the
 * calling thread over every CPU, isolated ones included, to run CPUID there. Linux' sysfs tells
 * the same.
 *
 * hwloc 2.9 crashes on one in ten damaged XML files, fills sets of gigabytes for others, and
 * prints banners about yet others. A file is therefore read by a child first: whatever kills the
 * child or makes hwloc complain is refused in one line. The running machine is read directly, and
 * nothing else happens in measuring processes.
 */
#include "common/machine/topology_open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/compiler.h"

/* CPU time for one file; the largest machines take a hundredth of a second, emulators are slow. */
enum { TRIAL_SECONDS = 5 };

enum { LARGEST_NUMBER = 1 << 20 };

/* What to discover. A hint that this hwloc refuses costs time, not correctness. */
static void set_filters(hwloc_topology_t topo)
{
	hwloc_topology_set_io_types_filter(topo, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_icache_types_filter(topo, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(topo, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_components(topo, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	/* Disallowed CPUs are wanted too, marked as such: the messages name both sets. */
	hwloc_topology_set_flags(topo, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
}

/* Whether all objects of @type have numbers that a kernel can have; hwloc's "unknown" is no such.
 */
static bool numbered(hwloc_topology_t topo, hwloc_obj_type_t type)
{
	hwloc_obj_t obj = NULL;

	while ((obj = hwloc_get_next_obj_by_type(topo, type, obj)))
		if (obj->os_index > LARGEST_NUMBER)
			return false;
	return true;
}

static int load(hwloc_topology_t *topo, const char *xml)
{
	if (hwloc_topology_init(topo))
		return -ENOMEM;
	set_filters(*topo);
	if ((xml && hwloc_topology_set_xml(*topo, xml)) || hwloc_topology_load(*topo) ||
		!numbered(*topo, HWLOC_OBJ_PU) || !numbered(*topo, HWLOC_OBJ_NUMANODE)) {
		hwloc_topology_destroy(*topo);
		return -EINVAL;
	}
	return 0;
}

/* The caller's handlers of these are not for a child that is meant to die. */
static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};

_Noreturn static void try_in_child(const char *xml, int complaints)
{
	struct rlimit no_core = {0, 0}, seconds = {TRIAL_SECONDS, TRIAL_SECONDS};
	hwloc_topology_t topo;

	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		signal(fatal[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_CPU, &seconds);
	dup2(complaints, STDERR_FILENO);
	_exit(load(&topo, xml) ? 1 : 0);
}

/* Whether anything is said before the other end of the pipe is closed. */
static bool hear(int complaints)
{
	char text[256];
	bool heard = false;
	ssize_t n;

	while ((n = read(complaints, text, sizeof(text))) > 0 || (n < 0 && errno == EINTR))
		heard |= n > 0;
	return heard;
}

/* Return: 0, -EINVAL when @xml is not to be read, or another -errno when it cannot be tried. */
static int try_file(const char *xml)
{
	int complaints[2], status, rc = 0;
	bool heard;
	pid_t child;

	if (pipe2(complaints, O_CLOEXEC))
		return -errno;
	child = fork();
	if (child < 0)
		rc = -errno;
	if (!child)
		try_in_child(xml, complaints[1]);
	close(complaints[1]);
	heard = hear(complaints[0]);
	close(complaints[0]);
	if (rc)
		return rc;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return heard || status ? -EINVAL : 0;
}

int lp_topology_open(hwloc_topology_t *topo, const char *xml, struct lp_error *err)
{
	int rc = 0;

	if (xml && access(xml, R_OK))
		return lp_fail(err, errno, "%s: cannot be read: %s", xml, strerror(errno));
	if (xml)
		rc = try_file(xml);
	if (!rc)
		rc = load(topo, xml);
	if (rc == -EINVAL)
		return lp_fail(err, EINVAL,
			xml ? "%s: not a topology that hwloc can read; make one with "
			      "'lstopo FILE.xml'"
			    : "hwloc cannot read this machine's topology; does 'lstopo' work?",
			xml);
	if (rc)
		return lp_fail(err, -rc, "%s: reading the topology: %s", xml ? xml : "this machine",
			strerror(-rc));
	return 0;
}
