/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poly1305 (RFC 8439 section 2.5) one block at a time. The accumulator is a
 * number h < 2^130 + a little in two words and a few bits. r is clamped, so
 * that r1 / 4 is whole and 2^128 r1 = 5 r1 / 4 modulo 2^130 - 5.
 */
#ifndef WN_X86_POLY1305_SCALAR_H
#define WN_X86_POLY1305_SCALAR_H

#include "../accel.h"

#include <string.h>

typedef unsigned __int128 u128;

struct poly_state {
    uint64_t h0, h1, h2, r0, r1;
};

static inline __attribute__((always_inline)) struct poly_state poly_get(const struct wn_poly1305 *p)
{
    return (struct poly_state){ p->h[0], p->h[1], p->h[2], p->r[0], p->r[1] };
}

static inline __attribute__((always_inline)) void poly_put(struct wn_poly1305 *p,
                                                           const struct poly_state *s)
{
    p->h[0] = s->h0;
    p->h[1] = s->h1;
    p->h[2] = s->h2;
}

/* h = (h + block) r, where the block has top * 2^128 on top. */
static inline __attribute__((always_inline)) void poly_step(struct poly_state *s,
                                                            const uint8_t block[16], uint64_t top)
{
    uint64_t lo, hi, s1 = s->r1 + (s->r1 >> 2), h2;
    u128 t, d;

    memcpy(&lo, block, 8);
    memcpy(&hi, block + 8, 8);
    t = (u128)s->h0 + lo;
    lo = (uint64_t)t;
    t = (u128)s->h1 + hi + (uint64_t)(t >> 64);
    hi = (uint64_t)t;
    h2 = s->h2 + (uint64_t)(t >> 64) + top;
    t = (u128)lo * s->r0 + (u128)hi * s1;
    d = (u128)lo * s->r1 + (u128)hi * s->r0 + (u128)(h2 * s1) + (uint64_t)(t >> 64);
    h2 = h2 * s->r0 + (uint64_t)(d >> 64);
    t = (u128)(uint64_t)t + (h2 & ~(uint64_t)3) + (h2 >> 2); /* times 5 / 4 */
    s->h0 = (uint64_t)t;
    t = (u128)(uint64_t)d + (uint64_t)(t >> 64);
    s->h1 = (uint64_t)t;
    s->h2 = (h2 & 3) + (uint64_t)(t >> 64);
}

#endif
