/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mutex that a fork releases.
 *
 * If one thread forks while another holds a mutex, that mutex stays held in the
 * child for ever: OpenSSL's random generators are shared by threads, so a child
 * that asks for random bytes could hang. This one remembers the process
 * (wn_fork_id) in which it was taken, and is free in any other. What it guards
 * may then be half-changed; generators reseed after a fork anyway.
 *
 * One word, all zero is free; not recursive; waits in the kernel (futex).
 */
#ifndef WN_LOCK_H
#define WN_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

struct wn_lock {
    _Atomic uint32_t word;      /* fork id << 2 | 0 free, 1 taken, 2 and waited for */
};

void wn_lock_wait(struct wn_lock *lock, uint32_t fork_id);
void wn_lock_wake(struct wn_lock *lock);

/* fork_id: wn_fork_id(), at both ends the one of the moment of taking. */
static inline void wn_lock(struct wn_lock *lock, uint32_t fork_id)
{
    uint32_t free_word = fork_id << 2;

    if (!atomic_compare_exchange_strong_explicit(&lock->word, &free_word, fork_id << 2 | 1,
                                                 memory_order_acquire, memory_order_relaxed))
        wn_lock_wait(lock, fork_id);
}

static inline void wn_unlock(struct wn_lock *lock, uint32_t fork_id)
{
    if ((atomic_exchange_explicit(&lock->word, fork_id << 2, memory_order_release) & 3) == 2)
        wn_lock_wake(lock);
}

#endif
