/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MD5's block function (RFC 1321 section 3.4). wolfCrypt has portable C only,
 * whose sums the compiler orders such that each step waits longer than it must
 * for the one before; here what depends on the last step is added last.
 */
#include "digest.h"

#include <string.h>

/* The value must exist here: keeps the compiler from regrouping a sum. */
#define PIN(v) __asm__("" : "+r"(v))

static inline word32 le32(const byte *p)
{
    word32 w;

    memcpy(&w, p, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap32(w);
#endif
    return w;
}

static inline word32 rol(word32 x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* a = b + ((a + early + late) rotated), where only `late` needs the newest, b. */
#define STEP(a, b, early, late, x, k, n)                                     \
    do {                                                                     \
        word32 t_ = (a) + (x) + (k) + (early);                               \
        PIN(t_);                                                             \
        (a) = (b) + rol(t_ + (late), n);                                     \
    } while (0)

#define F(a, b, c, d, i, k, n) STEP(a, b, 0, (d) ^ ((b) & ((c) ^ (d))), le32(x + 4 * (i)), k, n)
#define G(a, b, c, d, i, k, n) STEP(a, b, (c) & ~(d), (b) & (d), le32(x + 4 * (i)), k, n)
#define H(a, b, c, d, i, k, n) STEP(a, b, 0, (b) ^ ((c) ^ (d)), le32(x + 4 * (i)), k, n)
#define I(a, b, c, d, i, k, n) STEP(a, b, 0, (c) ^ ((b) | ~(d)), le32(x + 4 * (i)), k, n)

/* Four steps; their message words and constants. */
#define FOUR(f, r1, r2, r3, r4, i1, k1, i2, k2, i3, k3, i4, k4)              \
    f(a, b, c, d, i1, k1, r1);                                               \
    f(d, a, b, c, i2, k2, r2);                                               \
    f(c, d, a, b, i3, k3, r3);                                               \
    f(b, c, d, a, i4, k4, r4);

static inline void md5_block(word32 st[4], const byte *x)
{
    word32 a = st[0], b = st[1], c = st[2], d = st[3];

    FOUR(F, 7, 12, 17, 22, 0, 0xd76aa478, 1, 0xe8c7b756, 2, 0x242070db, 3, 0xc1bdceee)
    FOUR(F, 7, 12, 17, 22, 4, 0xf57c0faf, 5, 0x4787c62a, 6, 0xa8304613, 7, 0xfd469501)
    FOUR(F, 7, 12, 17, 22, 8, 0x698098d8, 9, 0x8b44f7af, 10, 0xffff5bb1, 11, 0x895cd7be)
    FOUR(F, 7, 12, 17, 22, 12, 0x6b901122, 13, 0xfd987193, 14, 0xa679438e, 15, 0x49b40821)

    FOUR(G, 5, 9, 14, 20, 1, 0xf61e2562, 6, 0xc040b340, 11, 0x265e5a51, 0, 0xe9b6c7aa)
    FOUR(G, 5, 9, 14, 20, 5, 0xd62f105d, 10, 0x02441453, 15, 0xd8a1e681, 4, 0xe7d3fbc8)
    FOUR(G, 5, 9, 14, 20, 9, 0x21e1cde6, 14, 0xc33707d6, 3, 0xf4d50d87, 8, 0x455a14ed)
    FOUR(G, 5, 9, 14, 20, 13, 0xa9e3e905, 2, 0xfcefa3f8, 7, 0x676f02d9, 12, 0x8d2a4c8a)

    FOUR(H, 4, 11, 16, 23, 5, 0xfffa3942, 8, 0x8771f681, 11, 0x6d9d6122, 14, 0xfde5380c)
    FOUR(H, 4, 11, 16, 23, 1, 0xa4beea44, 4, 0x4bdecfa9, 7, 0xf6bb4b60, 10, 0xbebfbc70)
    FOUR(H, 4, 11, 16, 23, 13, 0x289b7ec6, 0, 0xeaa127fa, 3, 0xd4ef3085, 6, 0x04881d05)
    FOUR(H, 4, 11, 16, 23, 9, 0xd9d4d039, 12, 0xe6db99e5, 15, 0x1fa27cf8, 2, 0xc4ac5665)

    FOUR(I, 6, 10, 15, 21, 0, 0xf4292244, 7, 0x432aff97, 14, 0xab9423a7, 5, 0xfc93a039)
    FOUR(I, 6, 10, 15, 21, 12, 0x655b59c3, 3, 0x8f0ccc92, 10, 0xffeff47d, 1, 0x85845dd1)
    FOUR(I, 6, 10, 15, 21, 8, 0x6fa87e4f, 15, 0xfe2ce6e0, 6, 0xa3014314, 13, 0x4e0811a1)
    FOUR(I, 6, 10, 15, 21, 4, 0xf7537e82, 11, 0xbd3af235, 2, 0x2ad7d2bb, 9, 0xeb86d391)

    st[0] += a;
    st[1] += b;
    st[2] += c;
    st[3] += d;
}

void wn_md5_blocks(void *h, const byte *in, size_t n)
{
    word32 st[4];

    memcpy(st, h, sizeof(st));
    for (; n > 0; n--, in += 64)
        md5_block(st, in);
    memcpy(h, st, sizeof(st));
    wn_clear(st, sizeof(st));
}
