/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 with BMI2 and AVX-512; see sha256_impl.h. */
#include <immintrin.h>

#define SHA256_TARGET "avx512f,avx512vl,bmi,bmi2"
#define SHA256_NAME wn_sha256_avx512

#define FN512 static inline __attribute__((always_inline, target(SHA256_TARGET)))

FN512 __m128i v_sigma0(__m128i x)
{
    return _mm_ternarylogic_epi32(_mm_ror_epi32(x, 7), _mm_ror_epi32(x, 18),
                                  _mm_srli_epi32(x, 3), 0x96);
}

FN512 __m128i v_sigma1(__m128i x)
{
    return _mm_ternarylogic_epi32(_mm_ror_epi32(x, 17), _mm_ror_epi32(x, 19),
                                  _mm_srli_epi32(x, 10), 0x96);
}

FN512 __m128i v_sigma1_low(__m128i w)
{
    return v_sigma1(_mm_srli_si128(w, 8));
}

FN512 __m128i v_sigma1_high(__m128i w)
{
    return v_sigma1(_mm_slli_si128(w, 8));
}

#include "sha256_impl.h"
