/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poly1305 in bulk with AVX2: four blocks side by side, five limbs of 26 bits,
 * each lane multiplied by r^4 per step and in the end by r^4 .. r^1. Limbs
 * past the fifth come back times 5.
 */
#include "poly1305_pow.h"

#include <immintrin.h>

#define POLY_LANES 4
#define POLY_MIN   20 /* fewer do not pay for the powers */
#define P26T       __attribute__((target("avx2")))
#define P26I       static inline __attribute__((always_inline, target("avx2")))

struct limbs26 {
    __m256i v[5];
};

struct factor26 {
    __m256i r[5], s[5]; /* s = 5 r; s[0] is not used */
};

P26I __m256i and26(__m256i a)
{
    return _mm256_and_si256(a, _mm256_set1_epi64x(0x3ffffff));
}

/* Limbs of 44, 44 and 42 bits into five of 26 (the last may be longer). */
P26I void split26(__m256i v[5], __m256i a, __m256i b, __m256i c)
{
    __m256i t = _mm256_add_epi64(_mm256_srli_epi64(b, 34), _mm256_slli_epi64(c, 10));

    v[0] = and26(a);
    v[1] = and26(_mm256_or_si256(_mm256_srli_epi64(a, 26), _mm256_slli_epi64(b, 18)));
    v[2] = and26(_mm256_srli_epi64(b, 8));
    v[3] = and26(t);
    v[4] = _mm256_srli_epi64(t, 26);
}

/* Moves what v has above 26 bits to w, times 1 or 5. */
P26I void carry26(__m256i *v, __m256i *w, int five)
{
    __m256i c = _mm256_srli_epi64(*v, 26);

    *v = and26(*v);
    if (five)
        c = _mm256_add_epi64(c, _mm256_slli_epi64(c, 2));
    *w = _mm256_add_epi64(*w, c);
}

P26I void mul26(struct limbs26 *h, const struct factor26 *f)
{
    __m256i d[5];

    UNROLL(5)
    for (int i = 0; i < 5; i++) {
        d[i] = _mm256_mul_epu32(h->v[0], f->r[i]);
        UNROLL(5)
        for (int j = 1; j < 5; j++)
            d[i] = _mm256_add_epi64(
                d[i], _mm256_mul_epu32(h->v[j], j <= i ? f->r[i - j] : f->s[5 + i - j]));
        PIN(d[i]);
    }
    carry26(&d[0], &d[1], 0);
    carry26(&d[3], &d[4], 0);
    carry26(&d[1], &d[2], 0);
    carry26(&d[4], &d[0], 1);
    carry26(&d[2], &d[3], 0);
    carry26(&d[0], &d[1], 0);
    carry26(&d[3], &d[4], 0);
    UNROLL(5)
    for (int i = 0; i < 5; i++)
        h->v[i] = d[i];
}

/* h += four blocks, in the order 0 2 1 3. */
P26I void add26(struct limbs26 *h, const uint8_t *in)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)in);
    __m256i b = _mm256_loadu_si256((const __m256i *)(in + 32));
    __m256i lo = _mm256_unpacklo_epi64(a, b), hi = _mm256_unpackhi_epi64(a, b);
    __m256i mid = _mm256_or_si256(_mm256_srli_epi64(lo, 52), _mm256_slli_epi64(hi, 12));

    h->v[0] = _mm256_add_epi64(h->v[0], and26(lo));
    h->v[1] = _mm256_add_epi64(h->v[1], and26(_mm256_srli_epi64(lo, 26)));
    h->v[2] = _mm256_add_epi64(h->v[2], and26(mid));
    h->v[3] = _mm256_add_epi64(h->v[3], and26(_mm256_srli_epi64(hi, 14)));
    h->v[4] = _mm256_add_epi64(
        h->v[4], _mm256_or_si256(_mm256_srli_epi64(hi, 40), _mm256_set1_epi64x(1 << 24)));
}

P26I void times5(struct factor26 *f)
{
    for (int i = 0; i < 5; i++)
        f->s[i] = _mm256_add_epi64(f->r[i], _mm256_slli_epi64(f->r[i], 2));
}

P26I uint64_t sum26(__m256i a)
{
    __m128i b = _mm_add_epi64(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));

    return (uint64_t)_mm_cvtsi128_si64(b) + (uint64_t)_mm_extract_epi64(b, 1);
}

P26T static void poly_bulk(struct wn_poly1305 *p, const uint8_t *in, size_t nb)
{
    struct factor26 f, last;
    struct limbs26 h;
    __m256i v[3];
    uint64_t h1, limbs[3];

    poly_powers(p, 4);
    for (int l = 0; l < 3; l++)
        v[l] = _mm256_set1_epi64x((long long)p->pow[l][4]);
    split26(f.r, v[0], v[1], v[2]);
    times5(&f);
    for (int l = 0; l < 3; l++) {
        const long long *w = (const long long *)&p->pow[l][4];

        /* word by word: a load of all would wait until their stores are in the cache */
        v[l] = _mm256_set_epi64x(w[3], w[1], w[2], w[0]);
    }
    split26(last.r, v[0], v[1], v[2]);
    times5(&last);
    poly_split(limbs, p->h[0], p->h[1], p->h[2]);
    for (int l = 0; l < 3; l++)
        v[l] = _mm256_zextsi128_si256(_mm_cvtsi64_si128((long long)limbs[l]));
    split26(h.v, v[0], v[1], v[2]);
    add26(&h, in);
    for (nb -= 4, in += 64; nb > 0; nb -= 4, in += 64) {
        mul26(&h, &f);
        add26(&h, in);
    }
    mul26(&h, &last);
    h1 = (sum26(h.v[2]) << 8) + (sum26(h.v[3]) << 34);
    poly_join(p, sum26(h.v[0]) + (sum26(h.v[1]) << 26), h1, sum26(h.v[4]) << 16);
    x_wipe(&f, sizeof(f));
    x_wipe(&last, sizeof(last));
}
