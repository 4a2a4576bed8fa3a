/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Powers of r for the bulk functions of Poly1305, in limbs of 44, 44 and 42
 * bits: p->pow[l][8 - k] is limb l of r^k (the second limb may be some bits
 * longer). 2^132 = 4 * 2^130 = 20 modulo 2^130 - 5, so products that reach past
 * the third limb come back times 20.
 */
#ifndef WN_X86_POLY1305_POW_H
#define WN_X86_POLY1305_POW_H

#include "poly1305_scalar.h"

#define M44 0xfffffffffffULL
#define M42 0x3ffffffffffULL

/* Two words and a few bits into limbs. */
static inline void poly_split(uint64_t to[3], uint64_t lo, uint64_t hi, uint64_t top)
{
    to[0] = lo & M44;
    to[1] = (lo >> 44 | hi << 20) & M44;
    to[2] = hi >> 24 | top << 40;
}

struct poly_limbs {
    uint64_t l[3];
};

static inline __attribute__((always_inline)) struct poly_limbs poly_times(struct poly_limbs a,
                                                                          struct poly_limbs b)
{
    uint64_t b1 = b.l[1] * 20, b2 = b.l[2] * 20, c;
    u128 d0 = (u128)a.l[0] * b.l[0] + (u128)a.l[1] * b2 + (u128)a.l[2] * b1;
    u128 d1 = (u128)a.l[0] * b.l[1] + (u128)a.l[1] * b.l[0] + (u128)a.l[2] * b2;
    u128 d2 = (u128)a.l[0] * b.l[2] + (u128)a.l[1] * b.l[1] + (u128)a.l[2] * b.l[0];

    d1 += (uint64_t)(d0 >> 44);
    d2 += (uint64_t)(d1 >> 44);
    c = (uint64_t)(d2 >> 42) * 5 + ((uint64_t)d0 & M44);
    return (struct poly_limbs){ { c & M44, ((uint64_t)d1 & M44) + (c >> 44),
                                  (uint64_t)d2 & M42 } };
}

static inline __attribute__((always_inline)) void poly_keep(struct wn_poly1305 *p, unsigned k,
                                                            struct poly_limbs r)
{
    p->pow[0][8 - k] = r.l[0];
    p->pow[1][8 - k] = r.l[1];
    p->pow[2][8 - k] = r.l[2];
}

/* r .. r^n, n = 4 or 8. */
static inline void poly_powers(struct wn_poly1305 *p, unsigned n)
{
    struct poly_limbs r, r2, r3, r4;

    if (p->npow >= n)
        return;
    poly_split(r.l, p->r[0], p->r[1], 0);
    r2 = poly_times(r, r);
    r4 = poly_times(r2, r2);
    r3 = poly_times(r2, r);
    poly_keep(p, 1, r);
    poly_keep(p, 2, r2);
    poly_keep(p, 3, r3);
    poly_keep(p, 4, r4);
    if (n > 4) {
        poly_keep(p, 8, poly_times(r4, r4));
        poly_keep(p, 7, poly_times(r3, r4));
        poly_keep(p, 6, poly_times(r2, r4));
        poly_keep(p, 5, poly_times(r, r4));
    }
    p->npow = n;
}

/* The accumulator from limbs of up to 64 bits at 2^0, 2^44 and 2^88. */
static inline void poly_join(struct wn_poly1305 *p, uint64_t a, uint64_t b, uint64_t c)
{
    u128 t;

    b += a >> 44;
    a &= M44;
    c += b >> 44;
    b &= M44;
    t = (u128)(a | b << 44) + (c >> 42) * 5;
    c &= M42;
    p->h[0] = (uint64_t)t;
    t = (u128)(b >> 20 | c << 24) + (uint64_t)(t >> 64);
    p->h[1] = (uint64_t)t;
    p->h[2] = (c >> 40) + (uint64_t)(t >> 64);
}

#endif
