/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1 with BMI2 and AVX-512; see sha1_impl.h. */
#include "simd.h"

#define SHA1_TARGET "avx512f,avx512vl,bmi,bmi2"
#define SHA1_NAME wn_accel_sha1_avx512

#define v_rol(x, n) _mm_rol_epi32(x, n)

#define v_xor3(a, b, c) _mm_ternarylogic_epi32(a, b, c, 0x96)

#include "sha1_impl.h"
