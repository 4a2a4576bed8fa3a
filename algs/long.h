/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A message of any length, also none, as the arguments (p, n) of wolfCrypt's EdDSA and
 * SLH-DSA functions; see asm-config/wc_long.h. It points into itself: do not copy it.
 */
#ifndef WN_LONG_H
#define WN_LONG_H

#include "../asm-config/wc_long.h"
#include "wolf.h"

struct wn_message {
    const unsigned char *p;
    word32 n;
    struct wn_long_message whole;
};

static inline void wn_message_set(struct wn_message *m, const unsigned char *data, size_t n)
{
    m->whole.data = data;
    m->whole.n = n;
    m->p = data != NULL ? data : (const unsigned char *)"";     /* NULL is an error there */
    m->n = (word32)n;
    if (n > WN_CHUNK) {
        m->p = (const unsigned char *)&m->whole;
        m->n = WN_LONG_MESSAGE;
    }
}

#endif
