/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-512's block function (FIPS 180-4 section 6.4.2) with BMI2: rounds in plain
 * registers and beside them, sixteen rounds ahead, the message schedule in
 * vectors of two words. wolfCrypt's assembly trails OpenSSL's here, most on
 * short messages: it is unrolled to many times this one's 2 KB.
 *
 * Included once for each vector extension, which defines SHA512_TARGET,
 * SHA512_NAME, and on vectors v_ror(x, n) and v_xor3(a, b, c). No branch and no
 * address depends on data.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../../provider/mem.h"

#define FN static inline __attribute__((always_inline, target(SHA512_TARGET)))

/* Section 4.2.3. */
static const uint64_t k512[80] __attribute__((aligned(16))) = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817
};

#define WORD     uint64_t
#define SIGMA0(a) (ror(a, 28) ^ ror(a, 34) ^ ror(a, 39)) /* section 4.1.3 */
#define SIGMA1(e) (ror(e, 14) ^ ror(e, 18) ^ ror(e, 41))
#include "sha2_round.h"

/* Words 2i and 2i + 1 of the next sixteen, in place of these of the last sixteen. */
FN __m128i sha512_schedule(__m128i w[8], unsigned i)
{
#define W(k) w[((k) + i) & 7]
    __m128i t15 = _mm_alignr_epi8(W(1), W(0), 8), t7 = _mm_alignr_epi8(W(5), W(4), 8);
    __m128i t2 = W(7);
    __m128i s0 = v_xor3(v_ror(t15, 1), v_ror(t15, 8), _mm_srli_epi64(t15, 7));
    __m128i s1 = v_xor3(v_ror(t2, 19), v_ror(t2, 61), _mm_srli_epi64(t2, 6));

    W(0) = _mm_add_epi64(_mm_add_epi64(W(0), t7), _mm_add_epi64(s0, s1));
    return W(0);
#undef W
}

FN __m128i sha512_add_k(__m128i w, const uint64_t *k)
{
    return _mm_add_epi64(w, _mm_load_si128((const __m128i *)(const void *)k));
}

FN void sha512_block(uint64_t st[8], const unsigned char *in, uint64_t wk[16])
{
    const __m128i swap = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    uint64_t s[8], bxc = st[1] ^ st[2], bac = st[1] & st[2];
    __m128i w[8], *v = (__m128i *)(void *)wk;
    unsigned i, t;

    /* every loop over s is unrolled, or s would live in memory */
#pragma GCC unroll 8
    for (i = 0; i < 8; i++) {
        s[i] = st[i];
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(in + 16 * i)),
                                swap);
        _mm_store_si128(&v[i], sha512_add_k(w[i], k512 + 2 * i));
    }
    for (t = 16; t < 80; t += 16) {
#pragma GCC unroll 8
        for (i = 0; i < 8; i++) {
            __m128i next = sha512_add_k(sha512_schedule(w, i), k512 + t + 2 * i);

            sha2_round(s, 2 * i, wk[2 * i], &bxc, &bac);
            sha2_round(s, 2 * i + 1, wk[2 * i + 1], &bxc, &bac);
            _mm_store_si128(&v[i], next);
        }
    }
#pragma GCC unroll 16
    for (i = 0; i < 16; i++)
        sha2_round(s, i, wk[i], &bxc, &bac);
#pragma GCC unroll 8
    for (i = 0; i < 8; i++)
        st[i] += s[i];
}

void SHA512_NAME(void *h, const unsigned char *in, size_t n);

__attribute__((aligned(64), target(SHA512_TARGET)))
void SHA512_NAME(void *h, const unsigned char *in, size_t n)
{
    uint64_t wk[16] __attribute__((aligned(16)));

    for (; n > 0; n--, in += 128)
        sha512_block(h, in, wk);
    wn_clear(wk, sizeof(wk));
}
