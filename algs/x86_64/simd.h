/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all x86_64 kernels share: the instruction sets of the three levels,
 * unaligned 128-bit access (whole and partial blocks), AES and counters on one
 * block. Functions are always_inline with the smallest target, so that they
 * take the encoding of the kernel that uses them; nothing here needs compiler
 * options. "x_" names work on one 16-byte block, "v_" names (vec*.h) on
 * LANES of them.
 */
#ifndef WN_X86_SIMD_H
#define WN_X86_SIMD_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WN_T128     "sse4.1"
#define WN_T128_AES "sse4.1,aes,pclmul"
#define WN_T256     "avx2"
#define WN_T256_AES "avx2,aes,pclmul,vaes,vpclmulqdq"
#define WN_T512     "avx512f,avx512bw,avx512dq,avx512vl"
#define WN_T512_AES WN_T512 ",aes,pclmul,vaes,vpclmulqdq"

#define XI        static inline __attribute__((always_inline, target("sse4.1")))
#define AI        static inline __attribute__((always_inline, target("sse4.1,aes")))
#define UNROLL(n) _Pragma(WN_STR(GCC unroll n))
#define WN_STR(x) #x

/* The value must exist here, in a register: keeps sums from being regrouped. */
#define PIN(v) __asm__("" : "+v"(v))

XI __m128i x_load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

XI void x_store(void *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

/* Up to 8 bytes at p as a little-endian number, reading nothing beyond. */
XI uint64_t x_load64n(const uint8_t *p, size_t n)
{
    uint64_t q = 0;
    uint32_t a, b;

    if (n >= 8) {
        memcpy(&q, p, 8);
    } else if (n >= 4) {
        memcpy(&a, p, 4);
        memcpy(&b, p + n - 4, 4);
        q = a | (uint64_t)b << (8 * (n - 4));
    } else if (n > 0) {
        q = p[0] | (uint32_t)p[n / 2] << (8 * (n / 2)) | (uint32_t)p[n - 1] << (8 * (n - 1));
    }
    return q;
}

XI void x_store64n(uint8_t *p, uint64_t q, size_t n)
{
    uint32_t a = (uint32_t)q, b;

    if (n >= 8) {
        memcpy(p, &q, 8);
    } else if (n >= 4) {
        b = (uint32_t)(q >> (8 * (n - 4)));
        memcpy(p, &a, 4);
        memcpy(p + n - 4, &b, 4);
    } else {
        for (; n > 0; n--, a >>= 8)
            *p++ = (uint8_t)a;
    }
}

/* n = 0 .. 15 bytes, the rest zero. */
XI __m128i x_loadn(const uint8_t *p, size_t n)
{
    if (n <= 8)
        return _mm_cvtsi64_si128((long long)x_load64n(p, n));
    return _mm_set_epi64x((long long)x_load64n(p + 8, n - 8), (long long)x_load64n(p, 8));
}

XI void x_storen(uint8_t *p, __m128i v, size_t n)
{
    if (n > 8) {
        x_store64n(p, (uint64_t)_mm_cvtsi128_si64(v), 8);
        x_store64n(p + 8, (uint64_t)_mm_extract_epi64(v, 1), n - 8);
    } else {
        x_store64n(p, (uint64_t)_mm_cvtsi128_si64(v), n);
    }
}

/* The first n (0 .. 16) bytes of v, the rest zero. */
XI __m128i x_first(__m128i v, size_t n)
{
    const __m128i idx = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);

    return _mm_and_si128(v, _mm_cmpgt_epi8(_mm_set1_epi8((char)n), idx));
}

XI __m128i x_bswap(__m128i v)
{
    return _mm_shuffle_epi8(v, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/*
 * Zeros that the compiler may not leave out, nor write with REP STOS, which takes
 * longer to begin than all of this. v_wipe (vec_wipe.h) is for larger things.
 */
static inline __attribute__((always_inline)) void x_wipe(void *p, size_t n)
{
    uint8_t *d = (uint8_t *)p;

    for (; n >= 16; n -= 16, d += 16) {
        _mm_storeu_si128((__m128i *)(void *)d, _mm_setzero_si128());
        __asm__ __volatile__("" : : : "memory");
    }
    for (; n > 0; n--, d++) {
        *d = 0;
        __asm__ __volatile__("" : : : "memory");
    }
}

/* FIPS 197 section 5.1, with the schedule rk of 10, 12 or 14 rounds. */
AI __m128i x_aesenc(const uint8_t *rk, unsigned rounds, __m128i b)
{
    b = _mm_xor_si128(b, x_load(rk));
    UNROLL(9)
    for (unsigned r = 1; r < 10; r++)
        b = _mm_aesenc_si128(b, x_load(rk + 16 * r));
    for (unsigned r = 10; r < rounds; r++)
        b = _mm_aesenc_si128(b, x_load(rk + 16 * r));
    return _mm_aesenclast_si128(b, x_load(rk + 16 * rounds));
}

#endif
