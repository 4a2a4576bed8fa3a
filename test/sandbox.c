/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See sandbox.h. */
#include "sandbox.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wntest.h"

/* From now on system call nr does what `action` says. */
static int forbid(long nr, uint32_t action)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = { sizeof(filter) / sizeof(filter[0]), filter };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0;
}

void in_sandbox(const long *calls, size_t n, enum sandbox how, int (*work)(void *), void *arg)
{
    uint32_t action = how == SANDBOX_KILL ? SECCOMP_RET_KILL_PROCESS
                                          : SECCOMP_RET_ERRNO | ENOSYS;
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        alarm(20);
        while (n-- > 0)
            if (!forbid(calls[n], action))
                _exit(2);
        _exit(work(arg) ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status))
        fail_msg("killed by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
