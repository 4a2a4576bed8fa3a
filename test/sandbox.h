/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work in a child process in which some system calls are forbidden (seccomp). */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stddef.h>

enum sandbox { SANDBOX_KILL, SANDBOX_ENOSYS };

/*
 * Runs work(arg) in a child to which the n system calls are forbidden: one of
 * them kills it, or is answered with ENOSYS. The test fails unless the child
 * ends with work's 1 (within 20 seconds).
 */
void in_sandbox(const long *calls, size_t n, enum sandbox how, int (*work)(void *), void *arg);

#endif
