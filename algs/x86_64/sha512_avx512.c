/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-512 with BMI2 and AVX-512; see sha512_impl.h. */
#include <immintrin.h>

#define SHA512_TARGET "avx512f,avx512vl,bmi,bmi2"
#define SHA512_NAME wn_sha512_avx512

#define v_ror(x, n) _mm_ror_epi64(x, n)

#define v_xor3(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0x96)

#include "sha512_impl.h"
