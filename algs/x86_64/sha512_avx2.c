/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-512 with BMI2 and AVX2; see sha512_impl.h. */
#include <immintrin.h>

#define SHA512_TARGET "avx2,bmi,bmi2"
#define SHA512_NAME wn_sha512_avx2

static inline __attribute__((always_inline, target("avx2"))) __m128i v_ror(__m128i x, int n)
{
    return _mm_or_si128(_mm_srli_epi64(x, n), _mm_slli_epi64(x, 64 - n));
}

static inline __attribute__((always_inline, target("avx2")))
__m128i v_xor3(__m128i a, __m128i b, __m128i c)
{
    return _mm_xor_si128(_mm_xor_si128(a, b), c);
}

#include "sha512_impl.h"
