// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starting, waiting for and killing the process of one repetition.
 *
 * SIGCHLD and the signals that ask for an end stay blocked in this process and are fetched with
 * sigtimedwait(2), so there is no handler and no race between looking and sleeping. Standard error
 * goes into a memory file: a pipe nobody reads would block a talkative child.
 */
#include "drivers/schedule/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/measure/clock.h"

enum { EXEC_FAILED = 127 };
#define LARGEST_FILE_BYTES (64ull << 20) /* what a child may write into any one file */

/* A blocked signal is fetched even when it is ignored, but whoever started this process under nohup
 * or in the background of a script wants it ignored. */
static void add_unless_ignored(sigset_t *set, int signo)
{
	struct sigaction now;

	if (sigaction(signo, NULL, &now) || now.sa_handler != SIG_IGN)
		sigaddset(set, signo);
}

static sigset_t waited_for(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	add_unless_ignored(&set, SIGINT);
	add_unless_ignored(&set, SIGTERM);
	add_unless_ignored(&set, SIGHUP);
	return set;
}

void lp_child_prepare(void)
{
	sigset_t set = waited_for();

	sigprocmask(SIG_BLOCK, &set, NULL);
	/* A reader of our output that goes away must not take the results with it. */
	signal(SIGPIPE, SIG_IGN);
}

void lp_child_release(void)
{
	sigset_t set = waited_for();

	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void become_child(char *const argv[], int stderr_fd, pid_t parent)
{
	struct rlimit limit = {LARGEST_FILE_BYTES, LARGEST_FILE_BYTES};
	sigset_t none;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXEC_FAILED); /* the parent died before the line above */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_FSIZE, &limit);
	dup2(null, 0);
	dup2(null, 1);
	dup2(stderr_fd, 2);
	execv(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(EXEC_FAILED);
}

/* To be called while the child is unreaped, so that its number cannot be another's by now. */
static void kill_group(pid_t pid, int *status)
{
	kill(-pid, SIGKILL); /* of a child that has ended: whatever it left running */
	kill(pid, SIGKILL);  /* before its setpgid() the group does not exist */
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

/* Return: the signal that ended this process's patience, 0 for a child that ended, -1: too late. */
static int wait_for_end(pid_t pid, uint64_t deadline_ns)
{
	sigset_t set = waited_for();

	for (;;) {
		uint64_t now_ns = lp_clock_ns();
		uint64_t left_ns = now_ns < deadline_ns ? deadline_ns - now_ns : 0;
		struct timespec left = {
			(time_t)(left_ns / LP_NS_PER_S), (long)(left_ns % LP_NS_PER_S)};
		int signo;

		if (has_ended(pid))
			return 0;
		if (!left_ns)
			return -1;
		signo = sigtimedwait(&set, NULL, &left);
		if (signo > 0 && signo != SIGCHLD)
			return signo;
	}
}

/* The last line that is not empty. */
static void read_last_line(int fd, char *line, size_t size)
{
	char text[4096];
	off_t end = lseek(fd, 0, SEEK_END);
	off_t from = end > (off_t)sizeof(text) - 1 ? end - (off_t)sizeof(text) + 1 : 0;
	ssize_t n = pread(fd, text, sizeof(text) - 1, from);
	char *start;

	line[0] = '\0';
	while (n > 0 && strchr("\n\r ", text[n - 1]))
		n--;
	if (n <= 0)
		return;
	text[n] = '\0';
	start = strrchr(text, '\n');
	snprintf(line, size, "%.*s", (int)size - 1, start ? start + 1 : text);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
			*c = '?';
}

static void judge(struct lp_child *c, int ended, int status)
{
	if (ended > 0) {
		c->outcome = LP_CHILD_INTERRUPTED;
		c->status = ended;
	} else if (ended < 0) {
		c->outcome = LP_CHILD_TIMEOUT;
	} else if (WIFSIGNALED(status)) {
		c->outcome = LP_CHILD_CRASHED;
		c->status = WTERMSIG(status);
	} else {
		c->outcome = LP_CHILD_EXITED;
		c->status = WEXITSTATUS(status);
	}
}

int lp_child_run(struct lp_child *c, char *const argv[], double limit_s, struct lp_error *err)
{
	int fd = memfd_create("stderr", MFD_CLOEXEC), status = 0, ended;
	uint64_t from_ns = lp_clock_ns();
	pid_t self = getpid(), pid;

	memset(c, 0, sizeof(*c));
	if (fd < 0)
		return lp_fail(err, errno, "memfd_create: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		close(fd);
		return lp_fail(err, errno, "cannot start a process: %s", strerror(errno));
	}
	if (!pid)
		become_child(argv, fd, self);
	setpgid(pid, pid);
	ended = wait_for_end(pid, from_ns + (uint64_t)(limit_s * 1e9));
	kill_group(pid, &status);
	judge(c, ended, status);
	c->wall_s = (double)(lp_clock_ns() - from_ns) / 1e9;
	read_last_line(fd, c->last_line, sizeof(c->last_line));
	close(fd);
	return 0;
}
