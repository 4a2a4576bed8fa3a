/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-DSA's matrix and masks with AVX-512. wolfCrypt's code makes four polynomials at
 * once, and ML-DSA-65, which has five masks, the fifth alone.
 */
#include "mldsa_x86.h"

#include "lanes_512.h"

/* Five blocks: 280 candidates, of which 279.7 serve. */
#define MATRIX_ROOM (5 * RATE_128 + 56)
#define MASK_ROOM   (5 * RATE_256 + 88)

/*
 * RejNTTPoly (algorithm 30) with CoeffFromThreeBytes (algorithm 14) for the candidates
 * in `len` bytes, a multiple of 24: up to n coefficients. Returns how many.
 */
TARGET static unsigned sample(sword32 *p, unsigned n, const byte *in, unsigned len)
{
    const __m512i dwords = _mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
    const __m512i bytes =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
    const __m512i low = _mm512_set1_epi32(0x7fffff), q = _mm512_set1_epi32(MLDSA_Q);
    unsigned got = 0;

    for (; len > 0 && got < n; in += 48, len -= len < 48 ? len : 48) {
        __m512i d = _mm512_permutexvar_epi32(dwords, _mm512_loadu_si512(in));
        unsigned ok, room = n - got < 16 ? (1u << (n - got)) - 1 : 0xffff;

        d = _mm512_and_si512(_mm512_shuffle_epi8(d, bytes), low);
        ok = _mm512_cmplt_epu32_mask(d, q) & (len < 48 ? 0xff : 0xffff);
        d = _mm512_maskz_compress_epi32((__mmask16)ok, d);
        _mm512_mask_storeu_epi32(p + got, (__mmask16)room, d);
        got += (unsigned)__builtin_popcount(ok);
    }
    return got < n ? got : n;
}

/* A polynomial from the five blocks of lane j, and more if they do not suffice. */
static void finish(sword32 *p, const byte *blocks, const word64 *state, unsigned j)
{
    unsigned n = sample(p, MLDSA_N, blocks, 5 * RATE_128);
    word64 s[25 + 8] = { 0 };

    if (n == MLDSA_N)
        return;
    take_x8(s, state, 25, j);
    while (n < MLDSA_N) {
        wn_sha3_block(s);
        n += sample(p + n, MLDSA_N - n, (const byte *)s, RATE_128);
    }
}

TARGET void wn_mldsa_matrix_512(sword32 *a, unsigned k, unsigned l, const byte *rho)
{
    _Alignas(64) word64 s[25 * 8] = { 0 }, nonce[8];
    byte out[8][MATRIX_ROOM];
    const row_x8 keep = { 0 };
    unsigned at, i, total = k * l;

    for (at = 0; at < total; at += 8) {
        for (i = 0; i < 8; i++) /* rho || column || row */
            nonce[i] = 0x1f0000 | (at + i) / l << 8 | (at + i) % l;
        start_x8(s, rho, 4, nonce, RATE_128, &keep);
        for (i = 0; i < 5; i++) {
            PERMUTE(s);
            unlace24(s, out[0] + RATE_128 * i, MATRIX_ROOM);
        }
        for (i = 0; i < 8 && at + i < total; i++)
            finish(a + MLDSA_N * (at + i), out[i], s, i);
    }
}

TARGET void wn_mldsa_mask_512(sword32 *y, unsigned l, const byte *rho, word16 kappa,
                              unsigned gamma1_bits)
{
    _Alignas(64) word64 s[25 * 8] = { 0 }, nonce[8];
    _Alignas(64) byte out[8][MASK_ROOM];
    const row_x8 keep = { 0 };
    unsigned i;

    for (i = 0; i < 8; i++)
        nonce[i] = 0x1f0000 | (word16)(kappa + i);
    start_x8(s, rho, 8, nonce, RATE_256, &keep);
    for (i = 0; i < 5; i++) {
        PERMUTE(s);
        unlace24(s, out[0] + RATE_256 * i, MASK_ROOM);
    }
    for (i = 0; i < l; i++) {
        if (gamma1_bits == 17)
            wc_mldsa_decode_gamma1_17_avx2(out[i], y + MLDSA_N * i);
        else
            wc_mldsa_decode_gamma1_19_avx2(out[i], y + MLDSA_N * i);
    }
    wipe_x8(out, sizeof(out));
    wipe_x8(s, sizeof(s));
}
