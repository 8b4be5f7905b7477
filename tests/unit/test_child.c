// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The process of a repetition: how it ends, what it leaves running, and who may stop it.
 *
 * lp-one-thread: nothing here has a second one.
 */
#include "tests/unit/journal_folder.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "drivers/schedule/child.h"

static int begin(void **state)
{
	if (make_folder(state))
		return -1;
	lp_child_prepare();
	return 0;
}

static void shell(struct lp_child *c, const char *script, double limit_s)
{
	char command[512];

	snprintf(command, sizeof(command), "cd %s && { %s\n}", top, script);
	if (lp_child_run(
		    c, (char *[]){(char *)"/bin/sh", (char *)"-c", command, NULL}, limit_s, &err))
		fail_msg("not started: %s", err.message);
}

static void it_ends_with_a_status_and_last_words(void **state)
{
	struct lp_child c;

	shell(&c, "exit 0", 60);
	assert_int_equal(c.outcome, LP_CHILD_EXITED);
	assert_int_equal(c.status, 0);
	assert_string_equal(c.last_line, "");
	shell(&c, "echo out; echo first >&2; printf 'sec\\001ond\\n\\n \\n' >&2; exit 3", 60);
	assert_int_equal(c.outcome, LP_CHILD_EXITED);
	assert_int_equal(c.status, 3);
	assert_string_equal(c.last_line, "sec?ond");
	shell(&c, "head -c 100000 /dev/zero | tr '\\0' y >&2", 60);
	assert_int_equal(strlen(c.last_line), sizeof(c.last_line) - 1);
}

static void it_crashes(void **state)
{
	struct lp_child c;

	shell(&c, "kill -SEGV $$", 60);
	assert_int_equal(c.outcome, LP_CHILD_CRASHED);
	assert_int_equal(c.status, SIGSEGV);
}

static void it_is_not_there(void **state)
{
	struct lp_child c;

	assert_int_equal(lp_child_run(&c, (char *[]){(char *)"/nowhere/bench", NULL}, 60, &err), 0);
	assert_int_equal(c.outcome, LP_CHILD_EXITED);
	assert_int_equal(c.status, 127);
	assert_string_equal(c.last_line, "/nowhere/bench: No such file or directory");
}

static void it_reads_nothing_and_starts_with_no_signal_blocked(void **state)
{
	struct lp_child c;

	shell(&c, "cat && grep -q '^SigBlk:.*0000000000000000$' /proc/self/status", 60);
	assert_int_equal(c.outcome, LP_CHILD_EXITED);
	assert_int_equal(c.status, 0);
}

/* Whether the process whose number is in the file @name is gone, or dead and not yet waited for. */
static bool gone(const char *name)
{
	char path[96], text[512] = "";
	const char *state;
	long pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%ld", &pid), 1);
	fclose(f);
	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return true;
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	state = strrchr(text, ')');
	return !state || state[2] == 'Z' || state[2] == 'X';
}

/* The kernel needs a moment between the signal and the end. */
static void assert_gone(const char *name)
{
	for (int i = 0; i < 1000 && !gone(name); i++)
		usleep(10000);
	assert_true(gone(name));
}

static void at_its_limit_it_is_killed_with_all_it_started(void **state)
{
	struct lp_child c;

	shell(&c, "trap '' TERM; sleep 600 & echo $! >sleeper; wait", 0.5);
	assert_int_equal(c.outcome, LP_CHILD_TIMEOUT);
	assert_true(c.wall_s >= 0.5);
	assert_gone("sleeper");
}

static void what_it_leaves_running_is_killed(void **state)
{
	struct lp_child c;

	shell(&c, "sleep 600 & echo $! >sleeper", 60);
	assert_int_equal(c.outcome, LP_CHILD_EXITED);
	assert_gone("sleeper");
}

static void who_is_told_to_stop_kills_it(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct lp_child c;

	for (size_t i = 0; i < 3; i++) {
		raise(signals[i]);
		shell(&c, "sleep 600", 60);
		assert_int_equal(c.outcome, LP_CHILD_INTERRUPTED);
		assert_int_equal(c.status, signals[i]);
	}
}

static void a_signal_that_was_ignored_stays_so(void **state)
{
	struct lp_child c;

	signal(SIGHUP, SIG_IGN);
	raise(SIGHUP);
	shell(&c, "sleep 0.1", 60);
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(c.outcome, LP_CHILD_EXITED);
}

/* In a process of its own, as it ends. */
static void a_second_signal_ends_at_once(void **state)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct lp_child c;

		raise(SIGINT);
		raise(SIGTERM);
		shell(&c, "sleep 600", 60);
		lp_child_release();
		_exit(c.status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

/* Killed so that it can do nothing more, this process must not leave a child measuring. */
static void it_dies_with_us(void **state)
{
	pid_t pid = fork();
	char path[96];

	if (!pid) {
		struct lp_child c;

		shell(&c, "echo $$ >sleeper.new; mv sleeper.new sleeper; exec sleep 600", 60);
		_exit(0);
	}
	snprintf(path, sizeof(path), "%s/sleeper", top);
	while (access(path, F_OK))
		usleep(10000);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_gone("sleeper");
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, begin, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(it_ends_with_a_status_and_last_words),
		RUN(it_crashes),
		RUN(it_is_not_there),
		RUN(it_reads_nothing_and_starts_with_no_signal_blocked),
		RUN(at_its_limit_it_is_killed_with_all_it_started),
		RUN(what_it_leaves_running_is_killed),
		RUN(who_is_told_to_stop_kills_it),
		RUN(a_signal_that_was_ignored_stays_so),
		RUN(a_second_signal_ends_at_once),
		RUN(it_dies_with_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
