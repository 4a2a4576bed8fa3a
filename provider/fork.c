/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that is empty after a fork; see fork.h. */
#include "fork.h"

#include <sys/mman.h>
#include <unistd.h>

#include "mem.h"

#ifndef MADV_WIPEONFORK
# define MADV_WIPEONFORK 18
#endif

/*
 * An emulator that takes any advice for a hint says yes to this one too, and
 * copies the page nevertheless; such a one also says yes to nonsense.
 */
static int wipes(void *page, size_t size)
{
    return madvise(page, size, -1) != 0 && madvise(page, size, MADV_WIPEONFORK) == 0;
}

int wn_fork_new(struct wn_prov *prov)
{
    struct wn_fork *fork = wn_zalloc(prov, sizeof(*fork));
    void *page;

    if (fork == NULL)
        return 0;
    fork->size = (size_t)sysconf(_SC_PAGESIZE);
    page = mmap(NULL, fork->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && wipes(page, fork->size))
        fork->page = page;
    else if (page != MAP_FAILED)
        munmap(page, fork->size);
    prov->fork = fork;
    return 1;
}

void wn_fork_free(struct wn_prov *prov)
{
    if (prov->fork == NULL)
        return;
    if (prov->fork->page != NULL)
        munmap((void *)prov->fork->page, prov->fork->size);
    wn_free(prov, prov->fork);
    prov->fork = NULL;
}

uint32_t wn_fork_id_slow(struct wn_fork *fork)
{
    uint32_t seen = 0, next;

    if (fork->page == NULL)
        return (uint32_t)getpid() & 0x3fffffff;
    /* the first of the child's threads to come here decides for all */
    next = (atomic_fetch_add(&fork->last, 1) + 1) & 0x3fffffff;
    return atomic_compare_exchange_strong(fork->page, &seen, next) ? next : seen;
}
