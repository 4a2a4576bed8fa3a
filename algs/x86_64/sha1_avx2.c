/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1 with BMI2 and AVX2; see sha1_impl.h. */
#include "simd.h"

#define SHA1_TARGET "avx2,bmi,bmi2"
#define SHA1_NAME wn_accel_sha1_avx2

static inline __attribute__((always_inline, target("avx2"))) __m128i v_rol(__m128i x, int n)
{
    return _mm_or_si128(_mm_slli_epi32(x, n), _mm_srli_epi32(x, 32 - n));
}

static inline __attribute__((always_inline, target("avx2")))
__m128i v_xor3(__m128i a, __m128i b, __m128i c)
{
    return _mm_xor_si128(_mm_xor_si128(a, b), c);
}

#include "sha1_impl.h"
