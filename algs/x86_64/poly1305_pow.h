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

/* r^(k + i) = r^i r^k */
static inline void poly_power(struct wn_poly1305 *p, unsigned k, unsigned i)
{
    uint64_t a0 = p->pow[0][8 - i], a1 = p->pow[1][8 - i], a2 = p->pow[2][8 - i];
    uint64_t b0 = p->pow[0][8 - k], b1 = p->pow[1][8 - k], b2 = p->pow[2][8 - k];
    u128 d0 = (u128)a0 * b0 + (u128)a1 * (b2 * 20) + (u128)a2 * (b1 * 20);
    u128 d1 = (u128)a0 * b1 + (u128)a1 * b0 + (u128)a2 * (b2 * 20);
    u128 d2 = (u128)a0 * b2 + (u128)a1 * b1 + (u128)a2 * b0;
    uint64_t c;

    d1 += (uint64_t)(d0 >> 44);
    d2 += (uint64_t)(d1 >> 44);
    c = (uint64_t)(d2 >> 42) * 5 + ((uint64_t)d0 & M44);
    p->pow[0][8 - k - i] = c & M44;
    p->pow[1][8 - k - i] = ((uint64_t)d1 & M44) + (c >> 44);
    p->pow[2][8 - k - i] = (uint64_t)d2 & M42;
}

/* r .. r^n, n = 4 or 8. */
static void poly_powers(struct wn_poly1305 *p, unsigned n)
{
    uint64_t r[3];

    if (p->npow >= n)
        return;
    poly_split(r, p->r[0], p->r[1], 0);
    for (int l = 0; l < 3; l++)
        p->pow[l][7] = r[l];
    for (unsigned k = 1; k < n; k *= 2)
        for (unsigned i = 1; i <= k; i++)
            poly_power(p, k, i);
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
