/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 with BMI2 and AVX2; see sha256_impl.h. */
#include <immintrin.h>

#define SHA256_TARGET "avx2,bmi,bmi2"
#define SHA256_NAME wn_sha256_avx2

#define FN2 static inline __attribute__((always_inline, target(SHA256_TARGET)))

FN2 __m128i v_ror(__m128i x, int n)
{
    return _mm_or_si128(_mm_srli_epi32(x, n), _mm_slli_epi32(x, 32 - n));
}

FN2 __m128i v_sigma0(__m128i x)
{
    return _mm_xor_si128(_mm_xor_si128(v_ror(x, 7), v_ror(x, 18)), _mm_srli_epi32(x, 3));
}

/* Of two words, each twice: then shifts of 64 bits rotate. The results are in the
 * even lanes, from where pick takes them. */
FN2 __m128i v_sigma1(__m128i x, __m128i pick)
{
    __m128i r = _mm_xor_si128(_mm_srli_epi64(x, 17), _mm_srli_epi64(x, 19));

    return _mm_shuffle_epi8(_mm_xor_si128(r, _mm_srli_epi32(x, 10)), pick);
}

FN2 __m128i v_sigma1_low(__m128i w)
{
    return v_sigma1(_mm_shuffle_epi32(w, 0xfa),
                    _mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 11, 10, 9, 8, 3, 2, 1, 0));
}

FN2 __m128i v_sigma1_high(__m128i w)
{
    return v_sigma1(_mm_shuffle_epi32(w, 0x50),
                    _mm_set_epi8(11, 10, 9, 8, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1));
}

#include "sha256_impl.h"
