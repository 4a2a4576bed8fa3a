/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of 64-bit digits, the lowest first, for the RSA kernels: what they need
 * around their own multiplication. Constant time in all but lengths. */
#ifndef WN_RSA_WORDS_H
#define WN_RSA_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Exponents are worked off in windows of five bits. */
#define WINDOW  5
#define ENTRIES (1 << WINDOW)

static inline size_t words(size_t bits)
{
    return (bits + 63) / 64;
}

static inline void load_be(uint64_t *x, size_t n, const uint8_t *be, size_t size)
{
    size_t i;

    memset(x, 0, 8 * n);
    for (i = 0; i < size; i++)
        x[i / 8] |= (uint64_t)be[size - 1 - i] << (8 * (i % 8));
}

static inline void store_be(uint8_t *be, size_t size, const uint64_t *x)
{
    size_t i;

    for (i = 0; i < size; i++)
        be[size - 1 - i] = (uint8_t)(x[i / 8] >> (8 * (i % 8)));
}

/* r = a - b, returns the borrow */
static inline uint64_t sub(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    uint64_t borrow = 0;
    size_t i;

    for (i = 0; i < n; i++) {
        unsigned __int128 d = (unsigned __int128)a[i] - b[i] - borrow;

        r[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return borrow;
}

/* r += mask & a, returns the carry */
static inline uint64_t add_masked(uint64_t *r, const uint64_t *a, uint64_t mask, size_t n)
{
    unsigned __int128 s = 0;
    size_t i;

    __asm__("" : "+r"(mask));
    for (i = 0; i < n; i++) {
        s += (unsigned __int128)r[i] + (a[i] & mask);
        r[i] = (uint64_t)s;
        s >>= 64;
    }
    return (uint64_t)s;
}

/* x mod n for x < 2 n with `top` as its digit above */
static inline void reduce_once(uint64_t *x, uint64_t top, const uint64_t *n, size_t d)
{
    uint64_t borrow = sub(x, x, n, d);

    add_masked(x, n, 0 - (borrow & (top ^ 1)), d);
}

/* r = a - b mod p for a < p, b < 2 p */
static inline void difference(uint64_t *r, const uint64_t *a, const uint64_t *b,
                              const uint64_t *p, size_t n)
{
    uint64_t borrow;

    memcpy(r, b, 8 * n);
    reduce_once(r, 0, p, n);
    borrow = sub(r, a, r, n);
    add_masked(r, p, 0 - borrow, n);
}

/* r (2 n digits) = a * b + c */
static inline void mul_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                           size_t n)
{
    size_t i, j;

    memcpy(r, c, 8 * n);
    memset(r + n, 0, 8 * n);
    for (i = 0; i < n; i++) {
        unsigned __int128 s = 0;

        for (j = 0; j < n; j++) {
            s += (unsigned __int128)a[i] * b[j] + r[i + j];
            r[i + j] = (uint64_t)s;
            s >>= 64;
        }
        r[i + n] = (uint64_t)s;
    }
}

/* -1 / n mod 2^64 (Newton) */
static inline uint64_t minus_inverse(uint64_t n)
{
    uint64_t x = n;             /* right in three bits */
    int i;

    for (i = 0; i < 5; i++)
        x *= 2 - n * x;
    return 0 - x;
}

/* Bits at .. at + 4 of an exponent of n digits. */
static inline uint64_t window_at(const uint64_t *e, size_t n, size_t at)
{
    size_t word = at / 64, bit = at % 64;
    uint64_t v = e[word] >> bit;

    if (bit > 64 - WINDOW && word + 1 < n)
        v |= e[word + 1] << (64 - bit);
    return v & (ENTRIES - 1);
}

#endif
