/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keccak-p[1600, 24] with AVX-512VL, on one state and on four at once. Rotations
 * and three-input logic in one instruction each make it twice as fast as AVX2 on
 * four states, and a little faster than the integer registers on one.
 */
#include "keccak_x86.h"

#include "simd.h"

/* FIPS 202 section 3.2.5 */
static const uint64_t iota[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

#define PERMUTE            wn_keccak_p_512
#define V                  __m128i
#define V_XOR(a, b)        _mm_xor_si128(a, b)
#define V_ROL(a, n)        _mm_rol_epi64(a, n)
#define V_TERN(a, b, c, t) _mm_ternarylogic_epi64(a, b, c, t)
#define V_SET(w)           _mm_set1_epi64x((long long)(w))
#define V_LOAD(s, i)       _mm_loadl_epi64((const __m128i *)(const void *)((s) + (i)))
#define V_STORE(s, i, v)   _mm_storel_epi64((__m128i *)(void *)((s) + (i)), v)
#include "keccak_512_impl.h"

#define PERMUTE            wn_keccak_p_x4_512
#define V                  __m256i
#define V_XOR(a, b)        _mm256_xor_si256(a, b)
#define V_ROL(a, n)        _mm256_rol_epi64(a, n)
#define V_TERN(a, b, c, t) _mm256_ternarylogic_epi64(a, b, c, t)
#define V_SET(w)           _mm256_set1_epi64x((long long)(w))
#define V_LOAD(s, i)       _mm256_loadu_si256((const __m256i *)(const void *)((s) + 4 * (i)))
#define V_STORE(s, i, v)   _mm256_storeu_si256((__m256i *)(void *)((s) + 4 * (i)), v)
#include "keccak_512_impl.h"

#define PERMUTE            wn_keccak_p_x8_512
#define V                  __m512i
#define V_XOR(a, b)        _mm512_xor_si512(a, b)
#define V_ROL(a, n)        _mm512_rol_epi64(a, n)
#define V_TERN(a, b, c, t) _mm512_ternarylogic_epi64(a, b, c, t)
#define V_SET(w)           _mm512_set1_epi64((long long)(w))
#define V_LOAD(s, i)       _mm512_loadu_si512((s) + 8 * (i))
#define V_STORE(s, i, v)   _mm512_storeu_si512((s) + 8 * (i), v)
#include "keccak_512_impl.h"
