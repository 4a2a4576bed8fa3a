/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poly1305 in bulk with AVX-512 IFMA: eight blocks side by side, three limbs
 * of 44, 44 and 42 bits. A step adds eight blocks and multiplies every lane by
 * r^8, the last step by r^8 .. r^1, after which the lanes are summed. A
 * product's high half has the weight 2^52 = 2^44 * 2^8.
 */
#include "poly1305_pow.h"

#define POLY_LANES 8
#define MAC_ALONE  1  /* a mac_step is as quick by itself as poly_bulk */
#define POLY_MIN   16 /* fewer do not pay for the powers */
#define P44T       __attribute__((target(WN_T512 ",avx512ifma")))
#define P44I       static inline __attribute__((always_inline, target(WN_T512 ",avx512ifma")))

struct limbs44 {
    __m512i v[3];
};

struct factor44 {
    __m512i r[3], s[3]; /* s = 20 r; s[0] is not used */
};

struct mac {
    struct limbs44 h;
    struct factor44 r8, last;
    size_t steps; /* still to come */
};

P44I __m512i madd(__m512i acc, __m512i a, __m512i b, int high)
{
    return high ? _mm512_madd52hi_epu64(acc, a, b) : _mm512_madd52lo_epu64(acc, a, b);
}

P44I __m512i times5(__m512i a)
{
    return _mm512_add_epi64(a, _mm512_slli_epi64(a, 2));
}

P44I __m512i over44(__m512i low, __m512i high)
{
    return _mm512_add_epi64(_mm512_srli_epi64(low, 44), _mm512_slli_epi64(high, 8));
}

P44I struct limbs44 mul44(struct limbs44 h, const struct factor44 *f)
{
    const __m512i m44 = _mm512_set1_epi64(M44), m42 = _mm512_set1_epi64(M42);
    const __m512i z = _mm512_setzero_si512();
    __m512i d[2][3], c;

    UNROLL(2)
    for (int i = 0; i < 2; i++) { /* low halves, high halves */
        d[i][0] = madd(madd(z, h.v[1], f->s[2], i), h.v[2], f->s[1], i);
        d[i][1] = madd(madd(z, h.v[1], f->r[0], i), h.v[2], f->s[2], i);
        d[i][2] = madd(madd(z, h.v[1], f->r[1], i), h.v[2], f->r[0], i);
        UNROLL(3)
        for (int l = 0; l < 3; l++) /* beside these, not after them */
            d[i][l] = _mm512_add_epi64(d[i][l], madd(z, h.v[0], f->r[l], i));
    }
    /* high halves and what exceeds a limb, to the next one: twice, all limbs at
     * the same time, is shorter than once from limb to limb */
    h.v[0] = _mm512_and_si512(d[0][0], m44);
    h.v[1] = _mm512_and_si512(d[0][1], m44);
    h.v[2] = _mm512_and_si512(d[0][2], m42);
    h.v[1] = _mm512_add_epi64(h.v[1], over44(d[0][0], d[1][0]));
    h.v[2] = _mm512_add_epi64(h.v[2], over44(d[0][1], d[1][1]));
    c = _mm512_add_epi64(_mm512_srli_epi64(d[0][2], 42), _mm512_slli_epi64(d[1][2], 10));
    h.v[0] = _mm512_add_epi64(h.v[0], times5(c));
    d[0][0] = times5(_mm512_srli_epi64(h.v[2], 42));
    d[0][1] = _mm512_srli_epi64(h.v[0], 44);
    d[0][2] = _mm512_srli_epi64(h.v[1], 44);
    h.v[0] = _mm512_add_epi64(_mm512_and_si512(h.v[0], m44), d[0][0]);
    h.v[1] = _mm512_add_epi64(_mm512_and_si512(h.v[1], m44), d[0][1]);
    h.v[2] = _mm512_add_epi64(_mm512_and_si512(h.v[2], m42), d[0][2]);
    return h;
}

/* h += eight blocks, in the order 0 4 1 5 2 6 3 7. */
P44I void add44(struct limbs44 *h, const uint8_t *in)
{
    const __m512i m44 = _mm512_set1_epi64(M44), top = _mm512_set1_epi64(1LL << 40);
    __m512i a = _mm512_loadu_si512(in), b = _mm512_loadu_si512(in + 64);
    __m512i lo = _mm512_unpacklo_epi64(a, b), hi = _mm512_unpackhi_epi64(a, b), t;

    h->v[0] = _mm512_add_epi64(h->v[0], _mm512_and_si512(lo, m44));
    t = _mm512_or_si512(_mm512_srli_epi64(lo, 44), _mm512_slli_epi64(hi, 20));
    h->v[1] = _mm512_add_epi64(h->v[1], _mm512_and_si512(t, m44));
    t = _mm512_or_si512(_mm512_srli_epi64(hi, 24), top);
    h->v[2] = _mm512_add_epi64(h->v[2], t);
}

P44I void times20(struct factor44 *f)
{
    UNROLL(3)
    for (int l = 0; l < 3; l++)
        f->s[l] = _mm512_add_epi64(_mm512_slli_epi64(f->r[l], 4), _mm512_slli_epi64(f->r[l], 2));
}

P44I void mac_begin(struct mac *m, struct wn_poly1305 *p, size_t steps)
{
    uint64_t h[3];

    poly_powers(p, 8);
    poly_split(h, p->h[0], p->h[1], p->h[2]);
    UNROLL(3)
    for (int l = 0; l < 3; l++) {
        const long long *w = (const long long *)p->pow[l];

        m->h.v[l] = _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)h[l]));
        m->r8.r[l] = _mm512_set1_epi64(w[0]);
        /* word by word: a load of all would wait until their stores are in the cache */
        m->last.r[l] = _mm512_set_epi64(w[7], w[3], w[6], w[2], w[5], w[1], w[4], w[0]);
    }
    times20(&m->r8);
    times20(&m->last);
    m->steps = steps;
}

/* Eight blocks. */
P44I void mac_step(struct mac *m, const uint8_t *in)
{
    add44(&m->h, in);
    m->h = mul44(m->h, --m->steps > 0 ? &m->r8 : &m->last);
}

P44I void mac_end(struct mac *m, struct wn_poly1305 *p)
{
    poly_join(p, (uint64_t)_mm512_reduce_add_epi64(m->h.v[0]),
              (uint64_t)_mm512_reduce_add_epi64(m->h.v[1]),
              (uint64_t)_mm512_reduce_add_epi64(m->h.v[2]));
}

P44T static void poly_bulk(struct wn_poly1305 *p, const uint8_t *in, size_t nb)
{
    struct mac m;

    mac_begin(&m, p, nb / 8);
    for (; nb > 8; nb -= 8, in += 128) {
        add44(&m.h, in);
        m.h = mul44(m.h, &m.r8);
    }
    add44(&m.h, in);
    m.h = mul44(m.h, &m.last);
    mac_end(&m, p);
    v_wipe(&m, sizeof(m));
}
