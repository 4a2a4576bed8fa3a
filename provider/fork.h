/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which process is this? A number that differs between a process and each of
 * its descendants, for random generators, which must not give both the same
 * bytes.
 *
 * The number lives in a page that the kernel empties in the child
 * (MADV_WIPEONFORK, Linux 4.14): whatever way the child was made, and reading
 * it costs one load, where getpid() is a system call. Older kernels: getpid().
 * No atfork handler, which could not be taken back when the module is unloaded.
 */
#ifndef WN_FORK_H
#define WN_FORK_H

#include <stdatomic.h>

#include "prov.h"

struct wn_fork {
    _Atomic uint32_t *page;     /* NULL: use getpid(); 0 in it: just forked */
    _Atomic uint32_t last;      /* the number given last, in memory that is kept */
    size_t size;
};

/* 0 when memory is short. */
int wn_fork_new(struct wn_prov *prov);
void wn_fork_free(struct wn_prov *prov);

/* Renews the number after a fork, and stands in for the page; see below. */
uint32_t wn_fork_id_slow(struct wn_fork *fork);

/* Never 0, and below 2^30. */
static inline uint32_t wn_fork_id(const struct wn_prov *prov)
{
    struct wn_fork *fork = prov->fork;
    uint32_t id = 0;

    if (fork->page != NULL)
        id = atomic_load_explicit(fork->page, memory_order_relaxed);
    return id != 0 ? id : wn_fork_id_slow(fork);
}

#endif
