/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-1's block function (FIPS 180-4 section 6.1.2) with BMI2, for processors
 * without the SHA extensions: rounds in plain registers and beside them, sixteen
 * rounds ahead, the message schedule in vectors of four words.
 *
 * Included once for each vector extension, which defines SHA1_TARGET, SHA1_NAME,
 * and on vectors of four words v_rol(x, n), v_xor3(a, b, c). No branch and no
 * address depends on data.
 */
#include "accel_x86.h"

#include "../../provider/mem.h"

#define FN static inline __attribute__((always_inline, target(SHA1_TARGET)))

/* Section 4.2.2. */
static const uint32_t k1[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };

/* The value must exist here, in a register: keeps sums from being regrouped. */
#define HOLD(v) __asm__("" : "+r"(v))

static inline __attribute__((always_inline)) uint32_t rol(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/*
 * Round i, whose variable a is s[-i], b s[1 - i] ... The way from a to the next a
 * is a rotation and an addition, so the sum takes them last. Ch and Maj (section
 * 4.1.1) are sums of disjoint halves.
 */
FN void sha1_round(uint32_t s[5], unsigned i, uint32_t wk, unsigned kind)
{
#define S(k) s[((k) + 80 - i) % 5]
    uint32_t e = S(4) + wk, b = S(1), c = S(2), d = S(3), f;

    HOLD(e);
    if (kind == 0) {
        f = ~b & d;
        e += b & c;
        HOLD(e);
        e += f;
    } else if (kind == 2) {
        f = b & (c ^ d);
        e += c & d;
        HOLD(e);
        e += f;
    } else {
        e += b ^ c ^ d;
    }
    HOLD(e);
    S(4) = e + rol(S(0), 5);
    S(1) = rol(b, 30);
#undef S
}

/*
 * Vector i of the schedule, words 4i .. 4i + 3, into w[i % 8]. Twice the recurrence of
 * the standard is W_t = rol^2(W_(t-6) + W_(t-16) + W_(t-28) + W_(t-32)), in which no
 * word needs another of its own vector; it serves from word 32 on. Before, the last
 * word of a vector needs the first, and that is put in afterwards.
 */
FN __m128i sha1_schedule(__m128i w[8], unsigned i)
{
#define W(k) w[(i - (k)) & 7]
    __m128i x;

    if (i < 8) {
        x = v_xor3(W(4), _mm_alignr_epi8(W(3), W(4), 8), W(2));
        x = _mm_xor_si128(x, _mm_srli_si128(W(1), 4));
        W(0) = _mm_xor_si128(v_rol(x, 1), v_rol(_mm_slli_si128(x, 12), 2));
    } else {
        x = v_xor3(W(4), W(7), W(8));
        W(0) = v_rol(_mm_xor_si128(x, _mm_alignr_epi8(W(1), W(2), 8)), 2);
    }
    return W(0);
#undef W
}

/* The compiler may not see through this store: it would take the words out of the vector. */
FN void sha1_keep(__m128i *v, __m128i words)
{
    _mm_store_si128(v, words);
    __asm__("" : "+m"(*v));
}

FN void sha1_block(uint32_t st[5], const uint8_t *in, uint32_t wk[16])
{
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    uint32_t s[5] = { st[0], st[1], st[2], st[3], st[4] };
    __m128i w[8], *v = (__m128i *)(void *)wk;

    UNROLL(4)
    for (unsigned i = 0; i < 4; i++) {
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(in + 16 * i)),
                                swap);
        sha1_keep(&v[i], _mm_add_epi32(w[i], _mm_set1_epi32((int)k1[0])));
    }
    /* all unrolled, or s would live in memory */
    UNROLL(20)
    for (unsigned i = 0; i < 20; i++) {
        __m128i next = w[0];

        if (i < 16)
            next = _mm_add_epi32(sha1_schedule(w, i + 4), _mm_set1_epi32((int)k1[(i + 4) / 5]));
        UNROLL(4)
        for (unsigned j = 0; j < 4; j++)
            sha1_round(s, 4 * i + j, wk[4 * (i % 4) + j], i / 5);
        if (i < 16)
            sha1_keep(&v[i % 4], next);
    }
    UNROLL(5)
    for (unsigned i = 0; i < 5; i++)
        st[i] += s[i];
}

__attribute__((target(SHA1_TARGET)))
static void sha1_blocks(uint32_t st[5], const uint8_t *in, size_t n)
{
    uint32_t wk[16] __attribute__((aligned(16)));

    for (; n > 0; n--, in += 64)
        sha1_block(st, in, wk);
    wn_clear(wk, sizeof(wk));
}

void SHA1_NAME(struct wn_accel *a)
{
    a->sha1_blocks = sha1_blocks;
}
