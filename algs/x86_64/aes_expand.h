/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES key expansion (FIPS 197 section 5.2) in registers. SubWord() is taken from
 * AESENCLAST on a block of four equal words, which ShiftRows leaves alone: that
 * is quicker than AESKEYGENASSIST on many processors, and RotWord() comes free
 * with the shuffle that makes the four words. No table, no branch on the key.
 */
#ifndef WN_X86_AES_EXPAND_H
#define WN_X86_AES_EXPAND_H

#include "simd.h"

/* wolfcrypt/src/aes_asm.S; the schedule is aligned to 16. */
void AES_192_Key_Expansion_AESNI(const unsigned char *key, unsigned char *schedule);

/* The words w0, w0 + w1, w0 + w1 + w2, w0 + w1 + w2 + w3. */
XI __m128i x_sums(__m128i k)
{
    k = _mm_xor_si128(k, _mm_slli_si128(k, 4));
    return _mm_xor_si128(k, _mm_slli_si128(k, 8));
}

/* The round key after k and last, the one before it in the schedule (or k itself):
 * with RotWord and a round constant, or with SubWord alone. */
AI __m128i x_next_rot(__m128i k, __m128i last, int rcon)
{
    __m128i t = _mm_shuffle_epi8(last, _mm_set1_epi32(0x0c0f0e0d));

    return _mm_xor_si128(_mm_aesenclast_si128(t, _mm_set1_epi32(rcon)), x_sums(k));
}

AI __m128i x_next_sub(__m128i k, __m128i last)
{
    __m128i t = _mm_shuffle_epi32(last, 0xff);

    return _mm_xor_si128(_mm_aesenclast_si128(t, _mm_setzero_si128()), x_sums(k));
}

AI void x_expand128(uint8_t *rk, const uint8_t *key)
{
    __m128i k = x_load(key);

    x_store(rk, k);
    UNROLL(10)
    for (int i = 1; i <= 10; i++) {
        k = x_next_rot(k, k, i < 9 ? 1 << (i - 1) : i == 9 ? 0x1b : 0x36);
        x_store(rk + 16 * i, k);
    }
}

AI void x_expand256(uint8_t *rk, const uint8_t *key)
{
    __m128i k = x_load(key), l = x_load(key + 16);

    x_store(rk, k);
    x_store(rk + 16, l);
    UNROLL(6)
    for (int i = 1; i <= 6; i++) {
        k = x_next_rot(k, l, 1 << (i - 1));
        l = x_next_sub(l, k);
        x_store(rk + 32 * i, k);
        x_store(rk + 32 * i + 16, l);
    }
    x_store(rk + 32 * 7, x_next_rot(k, l, 1 << 6));
}

/* rk: 240 bytes aligned to 16; returns the number of rounds. */
AI unsigned x_expand(uint8_t *rk, const uint8_t *key, size_t keylen)
{
    if (keylen == 16)
        x_expand128(rk, key);
    else if (keylen == 24)
        AES_192_Key_Expansion_AESNI(key, rk);
    else
        x_expand256(rk, key);
    return (unsigned)keylen / 4 + 6;
}

#endif
