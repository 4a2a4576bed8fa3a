/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slow half of the mutex; see lock.h. */
#include "lock.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(SYS_futex) && defined(SYS_futex_time64)
# define SYS_futex SYS_futex_time64
#endif

void wn_lock_wait(struct wn_lock *lock, uint32_t fork_id)
{
    uint32_t contended = fork_id << 2 | 2;
    uint32_t seen = atomic_load_explicit(&lock->word, memory_order_relaxed);

    for (;;) {
        if (seen >> 2 != fork_id || (seen & 3) == 0) {
            /* whoever waited once cannot know whether others still do */
            if (atomic_compare_exchange_weak_explicit(&lock->word, &seen, contended,
                                                      memory_order_acquire, memory_order_relaxed))
                return;
        } else if (seen == contended
                   || atomic_compare_exchange_weak_explicit(&lock->word, &seen, contended,
                                                            memory_order_relaxed,
                                                            memory_order_relaxed)) {
            syscall(SYS_futex, (void *)&lock->word, FUTEX_WAIT_PRIVATE, contended, NULL, NULL, 0);
            seen = atomic_load_explicit(&lock->word, memory_order_relaxed);
        }
    }
}

void wn_lock_wake(struct wn_lock *lock)
{
    syscall(SYS_futex, (void *)&lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
