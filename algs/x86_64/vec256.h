/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors of two blocks: VAES and VPCLMULQDQ on ymm registers, AVX2. See
 * vec512.h for the meaning of each name.
 */
#ifndef WN_X86_VEC_H
#define WN_X86_VEC_H

#include "simd.h"

/* clang-format off */ /* one line a name */

typedef __m256i vec;
#define LANES 2
#define VT __attribute__((target(WN_T256)))
#define VI static inline __attribute__((always_inline, target(WN_T256)))
#define CT __attribute__((target(WN_T256_AES)))
#define CI static inline __attribute__((always_inline, target(WN_T256_AES)))
#define VNAME(n) n##_256

VI vec v_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
VI void v_store(void *p, vec v) { _mm256_storeu_si256((__m256i *)p, v); }
VI vec v_lane0(__m128i x) { return _mm256_zextsi128_si256(x); }
VI vec v_bcast(__m128i x) { return _mm256_broadcastsi128_si256(x); }
VI vec v_key(const uint8_t *rk) { return v_bcast(x_load(rk)); }
VI vec v_iota(void) { return _mm256_set_epi64x(0, 1, 0, 0); }
VI vec v_zero(void) { return _mm256_setzero_si256(); }
VI vec v_xor(vec a, vec b) { return _mm256_xor_si256(a, b); }
VI vec v_xor3(vec a, vec b, vec c) { return v_xor(v_xor(a, b), c); }
VI vec v_add32(vec a, vec b) { return _mm256_add_epi32(a, b); }
VI vec v_add64(vec a, vec b) { return _mm256_add_epi64(a, b); }
VI vec v_shuf8(vec a, vec m) { return _mm256_shuffle_epi8(a, m); }
VI vec v_swap64(vec a) { return _mm256_shuffle_epi32(a, 0x4e); }
VI vec v_left1(vec a) { return _mm256_shuffle_epi32(a, 0x39); }
VI vec v_left3(vec a) { return _mm256_shuffle_epi32(a, 0x93); }
VI vec v_low64(vec a, vec b) { return _mm256_unpacklo_epi64(a, b); }
VI vec v_high64(vec a, vec b) { return _mm256_unpackhi_epi64(a, b); }
VI vec v_shl64(vec a, int n) { return _mm256_slli_epi64(a, n); }
VI vec v_shr64(vec a, int n) { return _mm256_srli_epi64(a, n); }
VI vec v_up64(vec a) { return _mm256_bslli_epi128(a, 8); }
VI vec v_after(__m128i x, vec a) { return _mm256_inserti128_si256(v_bcast(_mm256_castsi256_si128(a)), x, 0); }
VI vec v_shl64i(vec a) { return _mm256_sllv_epi64(a, _mm256_set_epi64x(1, 1, 0, 0)); }
VI vec v_shr64i(vec a) { return _mm256_srlv_epi64(a, _mm256_set_epi64x(63, 63, 64, 64)); }
VI __m128i v_lane(vec a, size_t i)
{
    return i == 0 ? _mm256_castsi256_si128(a) : _mm256_extracti128_si256(a, 1);
}
#define v_bslli(a, n) _mm256_bslli_epi128(a, n)
#define v_bsrli(a, n) _mm256_bsrli_epi128(a, n)
CI vec v_enc(vec a, vec k) { return _mm256_aesenc_epi128(a, k); }
CI vec v_enclast(vec a, vec k) { return _mm256_aesenclast_epi128(a, k); }
CI vec v_dec(vec a, vec k) { return _mm256_aesdec_epi128(a, k); }
CI vec v_declast(vec a, vec k) { return _mm256_aesdeclast_epi128(a, k); }
VI vec v_bcast32(const uint32_t *p) { return _mm256_set1_epi32((int)*p); }
VI vec v_unlo32(vec a, vec b) { return _mm256_unpacklo_epi32(a, b); }
VI vec v_unhi32(vec a, vec b) { return _mm256_unpackhi_epi32(a, b); }
VI vec v_rol32(vec a, int n)
{
    const __m128i by16 = _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2);
    const __m128i by8 = _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3);

    return n == 16  ? v_shuf8(a, v_bcast(by16))
           : n == 8 ? v_shuf8(a, v_bcast(by8))
                    : _mm256_or_si256(_mm256_slli_epi32(a, n), _mm256_srli_epi32(a, 32 - n));
}
VI void v_lanes4(vec r[4])
{
    vec a = r[0], b = r[1], c = r[2], d = r[3];

    r[0] = _mm256_permute2x128_si256(a, b, 0x20);
    r[1] = _mm256_permute2x128_si256(c, d, 0x20);
    r[2] = _mm256_permute2x128_si256(a, b, 0x31);
    r[3] = _mm256_permute2x128_si256(c, d, 0x31);
}
VI __m128i v_low(vec a) { return _mm256_castsi256_si128(a); }
VI __m128i v_last(vec a) { return _mm256_extracti128_si256(a, 1); }
VI __m128i v_fold(vec a) { return _mm_xor_si128(_mm256_castsi256_si128(a), v_last(a)); }
#define v_clmul(a, b, imm) _mm256_clmulepi64_epi128(a, b, imm)

VI vec v_loadb(const void *p, size_t nb)
{
    return nb >= 2 ? v_load(p) : v_lane0(x_load(p));
}

VI void v_storeb(void *p, vec v, size_t nb)
{
    if (nb >= 2)
        v_store(p, v);
    else
        x_store(p, _mm256_castsi256_si128(v));
}

#include "vec_wipe.h"

#endif
