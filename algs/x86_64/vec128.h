/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors of one block: AES-NI, PCLMULQDQ, SSE4.1. See vec512.h for the
 * meaning of each name; kernels written against these names are compiled once
 * for every width.
 */
#ifndef WN_X86_VEC_H
#define WN_X86_VEC_H

#include "simd.h"

/* clang-format off */ /* one line a name */

typedef __m128i vec;
#define LANES 1
#define VT __attribute__((target(WN_T128)))
#define VI static inline __attribute__((always_inline, target(WN_T128)))
#define CT __attribute__((target(WN_T128_AES)))
#define CI static inline __attribute__((always_inline, target(WN_T128_AES)))
#define VNAME(n) n##_128

VI vec v_load(const void *p) { return x_load(p); }
VI void v_store(void *p, vec v) { x_store(p, v); }
VI vec v_loadb(const void *p, size_t nb) { (void)nb; return x_load(p); }
VI void v_storeb(void *p, vec v, size_t nb) { (void)nb; x_store(p, v); }
VI vec v_bcast(__m128i x) { return x; }
VI vec v_lane0(__m128i x) { return x; }
VI vec v_key(const uint8_t *rk) { return x_load(rk); }
VI vec v_iota(void) { return _mm_setzero_si128(); }
VI vec v_zero(void) { return _mm_setzero_si128(); }
VI vec v_xor(vec a, vec b) { return _mm_xor_si128(a, b); }
VI vec v_xor3(vec a, vec b, vec c) { return _mm_xor_si128(_mm_xor_si128(a, b), c); }
VI vec v_add32(vec a, vec b) { return _mm_add_epi32(a, b); }
VI vec v_add64(vec a, vec b) { return _mm_add_epi64(a, b); }
VI vec v_shuf8(vec a, vec m) { return _mm_shuffle_epi8(a, m); }
VI vec v_swap64(vec a) { return _mm_shuffle_epi32(a, 0x4e); }
VI vec v_left1(vec a) { return _mm_shuffle_epi32(a, 0x39); }
VI vec v_left3(vec a) { return _mm_shuffle_epi32(a, 0x93); }
VI vec v_low64(vec a, vec b) { return _mm_unpacklo_epi64(a, b); }
VI vec v_high64(vec a, vec b) { return _mm_unpackhi_epi64(a, b); }
VI vec v_shl64(vec a, int n) { return _mm_slli_epi64(a, n); }
VI vec v_shr64(vec a, int n) { return _mm_srli_epi64(a, n); }
VI vec v_up64(vec a) { return _mm_slli_si128(a, 8); }
VI vec v_after(__m128i x, vec a) { (void)a; return x; }
VI vec v_shl64i(vec a) { return a; }
VI vec v_shr64i(vec a) { (void)a; return _mm_setzero_si128(); }
VI __m128i v_lane(vec a, size_t i) { (void)i; return a; }
#define v_bslli(a, n) _mm_slli_si128(a, n)
#define v_bsrli(a, n) _mm_srli_si128(a, n)
CI vec v_enc(vec a, vec k) { return _mm_aesenc_si128(a, k); }
CI vec v_enclast(vec a, vec k) { return _mm_aesenclast_si128(a, k); }
CI vec v_dec(vec a, vec k) { return _mm_aesdec_si128(a, k); }
CI vec v_declast(vec a, vec k) { return _mm_aesdeclast_si128(a, k); }
VI __m128i v_fold(vec a) { return a; }
VI vec v_bcast32(const uint32_t *p) { return _mm_set1_epi32((int)*p); }
VI vec v_unlo32(vec a, vec b) { return _mm_unpacklo_epi32(a, b); }
VI vec v_unhi32(vec a, vec b) { return _mm_unpackhi_epi32(a, b); }
VI vec v_rol32(vec a, int n)
{
    const __m128i by16 = _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2);
    const __m128i by8 = _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3);

    return n == 16  ? v_shuf8(a, by16)
           : n == 8 ? v_shuf8(a, by8)
                    : _mm_or_si128(_mm_slli_epi32(a, n), _mm_srli_epi32(a, 32 - n));
}
VI void v_lanes4(vec r[4]) { (void)r; }
VI __m128i v_low(vec a) { return a; }
VI __m128i v_last(vec a) { return a; }
#define v_clmul(a, b, imm) _mm_clmulepi64_si128(a, b, imm)

#include "vec_wipe.h"

#endif
