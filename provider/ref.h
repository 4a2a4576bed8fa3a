/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reference count of keys: taking one orders nothing, the last release sees
 * all that other holders wrote. */
#ifndef WN_REF_H
#define WN_REF_H

#include <stdatomic.h>

typedef atomic_int wn_ref;

static inline void wn_ref_init(wn_ref *ref)
{
    atomic_init(ref, 1);
}

static inline void wn_ref_up(wn_ref *ref)
{
    atomic_fetch_add_explicit(ref, 1, memory_order_relaxed);
}

/* 1 when the caller held the last reference and must free the object. */
static inline int wn_ref_down(wn_ref *ref)
{
    if (atomic_fetch_sub_explicit(ref, 1, memory_order_release) != 1)
        return 0;
    /* an acquiring load rather than a fence: ThreadSanitizer understands it */
    (void)atomic_load_explicit(ref, memory_order_acquire);
    return 1;
}

#endif
