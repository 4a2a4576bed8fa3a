/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 1 / a modulo an odd m, in constant time, for numbers of 256, 384 and 521 bits:
 * the division steps of D. J. Bernstein and B.-Y. Yang, "Fast constant-time gcd
 * computation and modular inversion", TCHES 2019/3. wolfCrypt's exponentiations
 * (by m - 2) take 3 to 8 times as long, its binary algorithm is not constant.
 *
 * Numbers are kept in signed digits of 62 bits. 62 steps look at the lowest
 * digits only; their product, a 2x2 matrix, is then applied to f and g, which it
 * makes 62 bits shorter, and to d and e modulo m. Invariants: a d = f and
 * a e = g modulo m (up to powers of two that cancel), -2m < d, e < m. Theorem 11.2
 * of the paper: with m, a < 2^bits, g is zero after (49 bits + 57) / 17 steps. With delta
 * half a step lower (P. Wuille's variant) 590 are enough for 256 bits (R. O'Connor and
 * A. Poelstra, "A formal proof of safegcd bounds", 2021).
 */
#ifndef WN_INVERSE_H
#define WN_INVERSE_H

#include <stdint.h>

#define WN_INV_MASK (UINT64_MAX >> 2)
#define WN_INV_DIGITS 9
#define WN_INV_INLINE static inline __attribute__((always_inline))

__extension__ typedef __int128 wn_inv_wide;

struct wn_inv_matrix {
    int64_t u, v, q, r;
};

/* 62 steps on the lowest digits of f and g; returns the new delta. half: it is 1/2 more. */
WN_INV_INLINE int64_t wn_inv_steps(int64_t delta, uint64_t f, uint64_t g, int half,
                                   struct wn_inv_matrix *t)
{
    uint64_t u = 1, v = 0, q = 0, r = 1, positive, odd, swap;
    int i;

    for (i = 0; i < 62; i++) {
        positive = (uint64_t)((half ? ~delta : -delta) >> 63);
        odd = 0 - (g & 1);
        g += ((f ^ positive) - positive) & odd;         /* g - f or g + f */
        q += ((u ^ positive) - positive) & odd;
        r += ((v ^ positive) - positive) & odd;
        swap = positive & odd;
        f += g & swap;                                  /* the old g */
        u += q & swap;
        v += r & swap;
        delta = (int64_t)(((uint64_t)delta ^ swap) - (half ? 0 : swap)) + 1;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    t->u = (int64_t)u, t->v = (int64_t)v, t->q = (int64_t)q, t->r = (int64_t)r;
    return delta;
}

/*
 * The same for public numbers: steps that halve are done at once, and of those that
 * add f up to six while no exchange can come between (w f takes as many bits of g).
 */
WN_INV_INLINE int64_t wn_inv_steps_public(int64_t delta, uint64_t f, uint64_t g,
                                          struct wn_inv_matrix *t)
{
    uint64_t u = 1, v = 0, q = 0, r = 1, x, w;
    int left = 62, zeros, most;

    for (;;) {
        zeros = __builtin_ctzll(g | UINT64_C(1) << left);
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        delta += zeros;
        left -= zeros;
        if (left == 0)
            break;
        if (delta > 0) {
            delta = -delta;
            x = f, f = g, g = 0 - x;
            x = u, u = q, q = 0 - x;
            x = v, v = r, r = 0 - x;
        }
        most = 1 - delta < left ? (int)(1 - delta) : left;
        w = g * f * (f * f - 2) & (most < 6 ? (UINT64_C(1) << most) - 1 : 63);
        g += f * w;
        q += u * w;
        r += v * w;
    }
    t->u = (int64_t)u, t->v = (int64_t)v, t->q = (int64_t)q, t->r = (int64_t)r;
    return delta;
}

/* f, g = t (f, g) / 2^62, which leaves no remainder */
WN_INV_INLINE void wn_inv_update_fg(int64_t *f, int64_t *g, const struct wn_inv_matrix *t,
                                    int digits)
{
    wn_inv_wide cf = (wn_inv_wide)t->u * f[0] + (wn_inv_wide)t->v * g[0];
    wn_inv_wide cg = (wn_inv_wide)t->q * f[0] + (wn_inv_wide)t->r * g[0];
    int i;

    cf >>= 62;
    cg >>= 62;
    for (i = 1; i < digits; i++) {
        cf += (wn_inv_wide)t->u * f[i] + (wn_inv_wide)t->v * g[i];
        cg += (wn_inv_wide)t->q * f[i] + (wn_inv_wide)t->r * g[i];
        f[i - 1] = (int64_t)((uint64_t)cf & WN_INV_MASK);
        g[i - 1] = (int64_t)((uint64_t)cg & WN_INV_MASK);
        cf >>= 62;
        cg >>= 62;
    }
    f[digits - 1] = (int64_t)cf;
    g[digits - 1] = (int64_t)cg;
}

/* What must be added to a (d, e) to have m divide it, a is a row of t: times m. */
WN_INV_INLINE int64_t wn_inv_correction(int64_t a, int64_t b, int64_t d0, int64_t e0,
                                        int64_t d_sign, int64_t e_sign, uint64_t inv)
{
    uint64_t add = (uint64_t)((a & d_sign) + (b & e_sign));     /* negative d and e: plus m */
    uint64_t low = (uint64_t)a * (uint64_t)d0 + (uint64_t)b * (uint64_t)e0;

    /* low + m (add + x) = 0 modulo 2^62, with -2^62 < x <= 0 */
    return (int64_t)(add - ((add + low * inv) & WN_INV_MASK));
}

/* d, e = t (d, e) / 2^62 modulo m */
WN_INV_INLINE void wn_inv_update_de(int64_t *d, int64_t *e, const struct wn_inv_matrix *t,
                                    const int64_t *m, uint64_t inv, int digits)
{
    int64_t d_sign = d[digits - 1] >> 63, e_sign = e[digits - 1] >> 63;
    int64_t md = wn_inv_correction(t->u, t->v, d[0], e[0], d_sign, e_sign, inv);
    int64_t me = wn_inv_correction(t->q, t->r, d[0], e[0], d_sign, e_sign, inv);
    wn_inv_wide cd = 0, ce = 0;
    int i;

    for (i = 0; i < digits; i++) {
        cd += (wn_inv_wide)t->u * d[i] + (wn_inv_wide)t->v * e[i] + (wn_inv_wide)md * m[i];
        ce += (wn_inv_wide)t->q * d[i] + (wn_inv_wide)t->r * e[i] + (wn_inv_wide)me * m[i];
        if (i > 0) {
            d[i - 1] = (int64_t)((uint64_t)cd & WN_INV_MASK);
            e[i - 1] = (int64_t)((uint64_t)ce & WN_INV_MASK);
        }
        cd >>= 62;
        ce >>= 62;
    }
    d[digits - 1] = (int64_t)cd;
    e[digits - 1] = (int64_t)ce;
}

/* words of 64 bits to digits */
WN_INV_INLINE void wn_inv_read(int64_t *d, const uint64_t *a, int words, int digits)
{
    int i, at, bit;
    uint64_t x;

    for (i = 0; i < digits; i++) {
        at = 62 * i / 64;
        bit = 62 * i % 64;
        x = at < words ? a[at] >> bit : 0;
        if (bit > 2 && at + 1 < words)
            x |= a[at + 1] << (64 - bit);
        d[i] = (int64_t)(x & WN_INV_MASK);
    }
}

/* d += m where mask is all ones; then carries, so that only the highest digit has a sign */
WN_INV_INLINE void wn_inv_add(int64_t *d, const int64_t *m, int64_t mask, int digits)
{
    int64_t carry = 0;
    int i;

    for (i = 0; i < digits; i++) {
        carry += d[i] + (m[i] & mask);
        d[i] = i < digits - 1 ? carry & (int64_t)WN_INV_MASK : carry;
        carry >>= 62;
    }
}

/* out = sign d, in 0 .. m - 1; sign is 0 or -1 */
WN_INV_INLINE void wn_inv_write(uint64_t *out, int64_t *d, int64_t sign, const int64_t *m,
                                int words, int digits)
{
    int i, at, bit;

    wn_inv_add(d, m, d[digits - 1] >> 63, digits);              /* -m < d < m */
    for (i = 0; i < digits; i++)
        d[i] = (d[i] ^ sign) - sign;
    wn_inv_add(d, m, 0, digits);
    wn_inv_add(d, m, d[digits - 1] >> 63, digits);
    for (i = 0; i < words; i++) {
        at = 64 * i / 62;
        bit = 64 * i % 62;
        out[i] = (uint64_t)d[at] >> bit;
        if (at + 1 < digits)
            out[i] |= (uint64_t)d[at + 1] << (62 - bit);
    }
}

/* 1 / m modulo 2^64, m odd: each round doubles the bits that are right (5 at first) */
WN_INV_INLINE uint64_t wn_inv_word(uint64_t m)
{
    uint64_t x = (3 * m) ^ 2;
    int i;

    for (i = 0; i < 4; i++)
        x *= 2 - m * x;
    return x;
}

/* out = 1 / a modulo m, 0 for 0; a < m; public: in less, variable time */
WN_INV_INLINE void wn_inverse(uint64_t *out, const uint64_t *a, const uint64_t *modulus, int bits,
                              int public)
{
    int words = (bits + 63) / 64, digits = (bits + 2 + 61) / 62, i;
    int half = bits == 256 && !public, rounds = ((half ? 590 : (49 * bits + 57) / 17) + 61) / 62;
    int64_t f[WN_INV_DIGITS], g[WN_INV_DIGITS], d[WN_INV_DIGITS] = { 0 };
    int64_t e[WN_INV_DIGITS] = { 1 }, m[WN_INV_DIGITS], delta = !half, any;
    struct wn_inv_matrix t;
    uint64_t inv = wn_inv_word(modulus[0]);

    wn_inv_read(m, modulus, words, digits);
    wn_inv_read(g, a, words, digits);
    for (i = 0; i < digits; i++)
        f[i] = m[i];
    for (; rounds > 0; rounds--) {
        delta = public ? wn_inv_steps_public(delta, (uint64_t)f[0], (uint64_t)g[0], &t)
                       : wn_inv_steps(delta, (uint64_t)f[0], (uint64_t)g[0], half, &t);
        wn_inv_update_de(d, e, &t, m, inv, digits);
        wn_inv_update_fg(f, g, &t, digits);
        if (public) {
            for (any = 0, i = 0; i < digits; i++)
                any |= g[i];
            if (any == 0)
                break;
        }
    }
    wn_inv_write(out, d, f[digits - 1] >> 63, m, words, digits);
}

#endif
