/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See ctgrind.h. */
#include "ctgrind.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int wn_ctgrind(const char *program, const char *what, const char *suppressions)
{
    char option[4096];
    int status;
    pid_t pid;

    snprintf(option, sizeof(option), "--suppressions=%s",
             suppressions != NULL ? suppressions : "/dev/null");
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        execlp("valgrind", "valgrind", "-q", "--error-exitcode=9", option, program, what,
               (char *)NULL);
        _exit(WN_CTGRIND_ABSENT);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}
