/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256's block function (FIPS 180-4 section 6.2.2) with BMI2, for processors
 * without the SHA extensions: rounds in plain registers and beside them, sixteen
 * rounds ahead, the message schedule in vectors of four words. wolfCrypt's AVX2
 * code takes two blocks at a time and so loses most on short messages.
 *
 * Included once for each vector extension, which defines SHA256_TARGET,
 * SHA256_NAME, and on vectors of four words v_sigma0 (section 4.1.2), v_sigma1_low,
 * sigma1 of lanes 2 and 3 in lanes 0 and 1, and v_sigma1_high, the other way round;
 * the other lanes are zero. No branch and no address depends on data.
 */
#include <stddef.h>
#include <stdint.h>

#include "../../provider/mem.h"

#define FN static inline __attribute__((always_inline, target(SHA256_TARGET)))

/* Section 4.2.2. */
static const uint32_t k256[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

#define WORD      uint32_t
#define SIGMA0(a) (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) /* section 4.1.2 */
#define SIGMA1(e) (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25))
#include "sha2_round.h"

/* Words 4i .. 4i + 3 of the next sixteen, in place of these of the last sixteen. */
FN __m128i sha256_schedule(__m128i w[4], unsigned i)
{
#define W(k) w[((k) + i) & 3]
    __m128i t15 = _mm_alignr_epi8(W(1), W(0), 4), t7 = _mm_alignr_epi8(W(3), W(2), 4), t;

    t = _mm_add_epi32(_mm_add_epi32(W(0), t7), v_sigma0(t15));
    t = _mm_add_epi32(t, v_sigma1_low(W(3)));
    W(0) = _mm_add_epi32(t, v_sigma1_high(t));
    return W(0);
#undef W
}

FN __m128i sha256_add_k(__m128i w, const uint32_t *k)
{
    return _mm_add_epi32(w, _mm_load_si128((const __m128i *)(const void *)k));
}

FN void sha256_block(uint32_t st[8], const unsigned char *in, uint32_t wk[16])
{
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    uint32_t s[8], bxc = st[1] ^ st[2], bac = st[1] & st[2];
    __m128i w[4], *v = (__m128i *)(void *)wk;
    unsigned i, j, t;

    /* every loop over s is unrolled, or s would live in memory */
#pragma GCC unroll 8
    for (i = 0; i < 8; i++)
        s[i] = st[i];
#pragma GCC unroll 4
    for (i = 0; i < 4; i++) {
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(in + 16 * i)),
                                swap);
        _mm_store_si128(&v[i], sha256_add_k(w[i], k256 + 4 * i));
    }
    for (t = 16; t < 64; t += 16) {
#pragma GCC unroll 4
        for (i = 0; i < 4; i++) {
            __m128i next = sha256_add_k(sha256_schedule(w, i), k256 + t + 4 * i);

#pragma GCC unroll 4
            for (j = 0; j < 4; j++)
                sha2_round(s, 4 * i + j, wk[4 * i + j], &bxc, &bac);
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

void SHA256_NAME(void *h, const unsigned char *in, size_t n);

__attribute__((target(SHA256_TARGET)))
void SHA256_NAME(void *h, const unsigned char *in, size_t n)
{
    uint32_t wk[16] __attribute__((aligned(16)));

    for (; n > 0; n--, in += 64)
        sha256_block(h, in, wk);
    wn_clear(wk, sizeof(wk));
}
