/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Almost Montgomery multiplication with AVX-512 IFMA: digits of 52 bits, one in
 * each 64-bit lane (S. Gueron, V. Krasnov, "Accelerating big integer arithmetic
 * using Intel IFMA extensions", ARITH 2016; "Software implementation of modular
 * exponentiation, using advanced vector instructions architectures", WAIFI 2012).
 *
 * W numbers are worked on at once: digit j of number w is lane W * j + w of K
 * vectors. With W = 2 these are the residues modulo p and q. R is 2^(52 L), L
 * even. Operands are less than R, with digits below 2^52; the result is a * b / R
 * mod n, less than a * b / R + n, without a final subtraction.
 *
 * Digits i and i + 1 of b make one round. Two sums, E at digit i and O at digit
 * i + 1, so that the low and high halves of products need no shift but one of two
 * digits in a round, and the chain of additions of each sum is short. What the
 * quotient digits m depend on is kept beside them, in all lanes: X, the complete
 * digit i, and the terms that m itself adds to the next digit.
 */
#ifndef WN_RSA_IFMA_AMM_H
#define WN_RSA_IFMA_AMM_H

#include "simd.h"

#define RSA_TARGET __attribute__((target(WN_T512 ",avx512ifma")))
#define RI         static inline __attribute__((always_inline, target(WN_T512 ",avx512ifma")))

#define MAX_K      10
#define MAX_LANES  (8 * MAX_K)
#define DIGIT_BITS 52
#define DIGIT_MASK ((UINT64_C(1) << DIGIT_BITS) - 1)

struct modulus {
    __m512i n[MAX_K];
    __m512i n0, n1, k0;         /* digits 0 and 1 of n, -1/n mod 2^52, in all lanes */
    uint64_t t[MAX_LANES];      /* first_terms() */
    size_t digits;              /* L */
};

#define EACH_K UNROLL(10) for (int k = 0; k < K; k++)

RI __m512i lo52(__m512i c, __m512i a, __m512i b)
{
    return _mm512_madd52lo_epu64(c, a, b);
}

RI __m512i hi52(__m512i c, __m512i a, __m512i b)
{
    return _mm512_madd52hi_epu64(c, a, b);
}

/* Digit i, from memory, in all lanes. */
RI __m512i spread(const uint64_t *x, size_t i, const int W)
{
    if (W == 1)
        return _mm512_set1_epi64((long long)x[i]);
    return _mm512_broadcast_i64x2(x_load(x + 2 * i));
}

/* Digit `at` (1 or 2) of v in all lanes. */
RI __m512i spread_lane(__m512i v, const int at, const int W)
{
    if (W == 1)
        return _mm512_permutexvar_epi64(_mm512_set1_epi64(at), v);
    return at == 1 ? _mm512_shuffle_i64x2(v, v, 0x55) : _mm512_shuffle_i64x2(v, v, 0xaa);
}

/* One or two digits down. */
RI __m512i down1(__m512i high, __m512i low, const int W)
{
    return W == 1 ? _mm512_alignr_epi64(high, low, 1) : _mm512_alignr_epi64(high, low, 2);
}

RI __m512i down2(__m512i high, __m512i low, const int W)
{
    return W == 1 ? _mm512_alignr_epi64(high, low, 2) : _mm512_alignr_epi64(high, low, 4);
}

/* One digit up. */
RI __m512i up1(__m512i high, __m512i low, const int W)
{
    return W == 1 ? _mm512_alignr_epi64(high, low, 7) : _mm512_alignr_epi64(high, low, 6);
}

/* What digit i leaves to the next once m makes its low 52 bits zero: those were
 * zero already, or they carry. */
RI __m512i carry_out(__m512i x)
{
    const __m512i mask = _mm512_set1_epi64((long long)DIGIT_MASK);

    return _mm512_srli_epi64(_mm512_add_epi64(x, mask), DIGIT_BITS);
}

typedef unsigned __int128 lanes_t;

/* Lanes that get a carry, from those that make one (g) and those that pass one
 * on (p): an addition finds out. With W = 2, bits of the other number pass. */
static inline __attribute__((always_inline)) lanes_t ripple(lanes_t g, lanes_t p, const int W)
{
    const lanes_t even = ~(lanes_t)0 / 3;
    lanes_t a, b;

    if (W == 1)
        return ((g << 1) + p) ^ p;
    a = p | ~even;
    b = p | even;
    return (((((g & even) << 1) + a) ^ a) & even) | (((((g & ~even) << 1) + b) ^ b) & ~even);
}

/* Lanes of up to 2^63 to digits below 2^52. */
RI void normalise(uint64_t *r, __m512i x[MAX_K], const int K, const int W)
{
    const __m512i mask = _mm512_set1_epi64((long long)DIGIT_MASK);
    __m512i c[MAX_K], below = _mm512_setzero_si512();
    lanes_t g = 0, p = 0, in;

    EACH_K
        c[k] = _mm512_srli_epi64(x[k], DIGIT_BITS);
    EACH_K {
        x[k] = _mm512_add_epi64(_mm512_and_si512(x[k], mask), up1(c[k], below, W));
        below = c[k];
    }
    EACH_K {
        g |= (lanes_t)_cvtmask8_u32(_mm512_cmpgt_epu64_mask(x[k], mask)) << (8 * k);
        p |= (lanes_t)_cvtmask8_u32(_mm512_cmpeq_epu64_mask(x[k], mask)) << (8 * k);
    }
    if (K <= 8)                 /* one word does: nothing above matters */
        in = (uint64_t)ripple((uint64_t)g, (uint64_t)p, W);
    else
        in = ripple(g, p, W);
    EACH_K {
        const __mmask8 one = (__mmask8)(in >> (8 * k));

        x[k] = _mm512_mask_sub_epi64(x[k], one, x[k], _mm512_set1_epi64(-1));
        _mm512_store_si512(r + 8 * k, _mm512_and_si512(x[k], mask));
    }
}

/*
 * By digit i: low halves of a[0] b[i] and high halves of a[0] b[i - 1]. They come
 * too late for X in E and O.
 */
RI void first_terms(uint64_t *t, __m512i a, const uint64_t *b, const int K, const int W)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i below = zero, x, a0;

    a0 = W == 1 ? _mm512_broadcastq_epi64(_mm512_castsi512_si128(a))
                : _mm512_broadcast_i64x2(_mm512_castsi512_si128(a));
    EACH_K {
        x = _mm512_load_si512(b + 8 * k);
        _mm512_store_si512(t + 8 * k, hi52(lo52(zero, a0, x), a0, up1(x, below, W)));
        below = x;
    }
}

RI void amm(uint64_t *r, const uint64_t *a_mem, const uint64_t *b, struct modulus *mod,
            const int K, const int W)
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i n0 = mod->n0, n1 = mod->n1, k0 = mod->k0;
    uint64_t *t = mod->t;
    __m512i E[MAX_K], O[MAX_K], a[MAX_K], n[MAX_K], X, Y, m, c, d;
    size_t i, L = mod->digits;

    EACH_K {
        a[k] = _mm512_load_si512(a_mem + 8 * k);
        n[k] = mod->n[k];
    }
    first_terms(t, a[0], b, K, W);
    c = spread(b, 0, W);
    d = spread(b, 1, W);
    EACH_K {
        E[k] = lo52(zero, a[k], c);
        O[k] = lo52(hi52(zero, a[k], c), a[k], d);
    }
    X = spread(t, 0, W);
    Y = _mm512_add_epi64(spread(t, 1, W), spread_lane(E[0], 1, W));
    for (i = 0;; i += 2) {
        m = lo52(zero, X, k0);
        X = _mm512_add_epi64(lo52(Y, n1, m), hi52(carry_out(X), n0, m));
        EACH_K {
            E[k] = lo52(E[k], n[k], m);
            O[k] = hi52(O[k], n[k], m);
        }
        c = _mm512_add_epi64(spread_lane(E[0], 2, W), spread_lane(O[0], 1, W));
        m = lo52(zero, X, k0);
        EACH_K {
            E[k] = down2(k + 1 < K ? E[k + 1] : zero, E[k], W);
            E[k] = hi52(E[k], a[k], d);
        }
        if (i + 2 == L)
            break;
        Y = _mm512_add_epi64(c, spread(t, i + 2, W));
        X = _mm512_add_epi64(lo52(Y, n1, m), hi52(carry_out(X), n0, m));
        c = spread(b, i + 2, W);
        d = spread(b, i + 3, W);
        EACH_K {
            O[k] = lo52(O[k], n[k], m);
            E[k] = hi52(lo52(E[k], a[k], c), n[k], m);
        }
        Y = _mm512_add_epi64(spread_lane(O[0], 2, W), spread_lane(E[0], 1, W));
        Y = _mm512_add_epi64(Y, spread(t, i + 3, W));
        EACH_K {
            O[k] = down2(k + 1 < K ? O[k + 1] : zero, O[k], W);
            O[k] = lo52(hi52(O[k], a[k], c), a[k], d);
        }
    }
    EACH_K {
        O[k] = lo52(O[k], n[k], m);
        E[k] = hi52(E[k], n[k], m);
    }
    EACH_K
        E[k] = _mm512_add_epi64(E[k], down1(k + 1 < K ? O[k + 1] : zero, O[k], W));
    E[0] = _mm512_mask_add_epi64(E[0], (1 << W) - 1, E[0], carry_out(X));
    normalise(r, E, K, W);
}

#endif
