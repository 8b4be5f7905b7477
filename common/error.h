/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An error that a person reads: a code for the caller, one line of text for the user.
 *
 * Functions that can fail return 0 or -errno and take a `struct lp_error *` as their last
 * argument; the message says what is wrong, where, and what to do about it.
 */
#ifndef LP_ERROR_H
#define LP_ERROR_H

struct lp_error {
	int code;	   /* a positive errno value, 0 when nothing failed */
	char message[512]; /* one line, no newline, NUL-terminated; cut at 511 bytes */
};

/**
 * lp_fail() - record an error.
 * @err: where to record it; NULL throws the message away.
 * @code: a positive errno value.
 * @format: printf format of the one-line message.
 *
 * Return: -@code, so that `return lp_fail(err, EINVAL, "...")` reads naturally.
 */
int lp_fail(struct lp_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
