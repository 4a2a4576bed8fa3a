/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors of four blocks: VAES and VPCLMULQDQ on zmm registers, AVX-512
 * F+BW+DQ+VL.
 *
 *   v_loadb, v_storeb   1 .. LANES blocks, nothing beyond them touched
 *   v_bcast             one block in every lane; v_key: the same from memory
 *   v_lane0             one block in lane 0, zeros in the others
 *   v_iota              lane i holds the 64-bit number i in its low half
 *   v_low64(a, b)       low halves of a's lanes, low, and of b's lanes, high
 *   v_up64              low half of each lane into its high half, low half zero
 *   v_shl64i, v_shr64i  shift the halves of lane i left by i, right by 64 - i
 *   v_lane(a, i)        lane i < LANES, i not known to the compiler
 *   v_after(x, a)       x, then a's lanes but the last: the blocks before a's
 *   v_left1, v_left3    rotate the words of each lane down by 1, by 3 places
 *   v_rol32(a, n)       n = 16, 12, 8 or 7, known to the compiler
 *   v_lanes4            r[i] lane l is the i-th quarter of block l: afterwards
 *                       the four vectors are LANES blocks of 64 bytes in order
 *   v_fold              xor of all lanes; v_low, v_last: lane 0, the last lane
 */
#ifndef WN_X86_VEC_H
#define WN_X86_VEC_H

#include "simd.h"

/* clang-format off */ /* one line a name */

typedef __m512i vec;
#define LANES 4
#define VT __attribute__((target(WN_T512)))
#define VI static inline __attribute__((always_inline, target(WN_T512)))
#define CT __attribute__((target(WN_T512_AES)))
#define CI static inline __attribute__((always_inline, target(WN_T512_AES)))
#define VNAME(n) n##_512

VI vec v_load(const void *p) { return _mm512_loadu_si512(p); }
VI void v_store(void *p, vec v) { _mm512_storeu_si512(p, v); }
VI vec v_bcast(__m128i x) { return _mm512_broadcast_i32x4(x); }
VI vec v_lane0(__m128i x) { return _mm512_zextsi128_si512(x); }
VI vec v_key(const uint8_t *rk) { return v_bcast(x_load(rk)); }
VI vec v_iota(void) { return _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0); }
VI vec v_zero(void) { return _mm512_setzero_si512(); }
VI vec v_xor(vec a, vec b) { return _mm512_xor_si512(a, b); }
VI vec v_xor3(vec a, vec b, vec c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
VI vec v_add32(vec a, vec b) { return _mm512_add_epi32(a, b); }
VI vec v_add64(vec a, vec b) { return _mm512_add_epi64(a, b); }
VI vec v_shuf8(vec a, vec m) { return _mm512_shuffle_epi8(a, m); }
VI vec v_swap64(vec a) { return _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0x4e); }
VI vec v_left1(vec a) { return _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0x39); }
VI vec v_left3(vec a) { return _mm512_shuffle_epi32(a, (_MM_PERM_ENUM)0x93); }
VI vec v_low64(vec a, vec b) { return _mm512_unpacklo_epi64(a, b); }
VI vec v_high64(vec a, vec b) { return _mm512_unpackhi_epi64(a, b); }
VI vec v_shl64(vec a, int n) { return _mm512_slli_epi64(a, (unsigned)n); }
VI vec v_shr64(vec a, int n) { return _mm512_srli_epi64(a, (unsigned)n); }
VI vec v_up64(vec a) { return _mm512_bslli_epi128(a, 8); }
VI vec v_after(__m128i x, vec a) { return _mm512_alignr_epi64(a, v_bcast(x), 6); }
VI vec v_shl64i(vec a) { return _mm512_sllv_epi64(a, _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0)); }
VI vec v_shr64i(vec a)
{
    return _mm512_srlv_epi64(a, _mm512_set_epi64(61, 61, 62, 62, 63, 63, 64, 64));
}
VI __m128i v_lane(vec a, size_t i)
{
    return _mm512_castsi512_si128(_mm512_maskz_compress_epi64((__mmask8)(3u << 2 * i), a));
}
#define v_bslli(a, n) _mm512_bslli_epi128(a, n)
#define v_bsrli(a, n) _mm512_bsrli_epi128(a, n)
CI vec v_enc(vec a, vec k) { return _mm512_aesenc_epi128(a, k); }
CI vec v_enclast(vec a, vec k) { return _mm512_aesenclast_epi128(a, k); }
CI vec v_dec(vec a, vec k) { return _mm512_aesdec_epi128(a, k); }
CI vec v_declast(vec a, vec k) { return _mm512_aesdeclast_epi128(a, k); }
VI vec v_bcast32(const uint32_t *p) { return _mm512_set1_epi32((int)*p); }
VI vec v_unlo32(vec a, vec b) { return _mm512_unpacklo_epi32(a, b); }
VI vec v_unhi32(vec a, vec b) { return _mm512_unpackhi_epi32(a, b); }
VI vec v_rol32(vec a, int n)
{
    return n == 16 ? _mm512_rol_epi32(a, 16) : n == 12 ? _mm512_rol_epi32(a, 12)
         : n == 8  ? _mm512_rol_epi32(a, 8)  : _mm512_rol_epi32(a, 7);
}
VI void v_lanes4(vec r[4])
{
    vec ab = _mm512_shuffle_i32x4(r[0], r[1], 0x44), AB = _mm512_shuffle_i32x4(r[0], r[1], 0xee);
    vec cd = _mm512_shuffle_i32x4(r[2], r[3], 0x44), CD = _mm512_shuffle_i32x4(r[2], r[3], 0xee);

    r[0] = _mm512_shuffle_i32x4(ab, cd, 0x88);
    r[1] = _mm512_shuffle_i32x4(ab, cd, 0xdd);
    r[2] = _mm512_shuffle_i32x4(AB, CD, 0x88);
    r[3] = _mm512_shuffle_i32x4(AB, CD, 0xdd);
}
VI __m128i v_low(vec a) { return _mm512_castsi512_si128(a); }
VI __m128i v_last(vec a) { return _mm512_extracti32x4_epi32(a, 3); }
#define v_clmul(a, b, imm) _mm512_clmulepi64_epi128(a, b, imm)

VI __m128i v_fold(vec a)
{
    __m256i b = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));

    return _mm_xor_si128(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));
}

/* No masks here: what a masked store wrote cannot be forwarded to a load. */
VI vec v_loadb(const void *p, size_t nb)
{
    const __m256i *q = (const __m256i *)p;
    vec a;

    if (nb >= LANES)
        return v_load(p);
    if (nb == 1)
        return v_lane0(x_load(p));
    a = _mm512_zextsi256_si512(_mm256_loadu_si256(q));
    return nb == 2 ? a : _mm512_inserti32x4(a, x_load(q + 1), 2);
}

VI void v_storeb(void *p, vec v, size_t nb)
{
    __m256i *q = (__m256i *)p;

    if (nb >= LANES) {
        v_store(p, v);
    } else if (nb == 1) {
        x_store(p, v_low(v));
    } else {
        _mm256_storeu_si256(q, _mm512_castsi512_si256(v));
        if (nb == 3)
            x_store(q + 1, _mm512_extracti32x4_epi32(v, 2));
    }
}

#include "vec_wipe.h"

#endif
