/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight sponges with AVX-512, and their output in bytes. */
#ifndef WN_X86_LANES_512_H
#define WN_X86_LANES_512_H

#include "keccak_x86.h"
#include "lanes.h"
#include "simd.h"

#define LANES      8
#define NAME(n)    n##_x8
#define TARGET     __attribute__((target(WN_T512)))
#define PERMUTE(s) wn_keccak_p_x8_512(s)
#include "lanes_impl.h"

/* Words 8g to 8g + 7 of each lane. */
TARGET static inline void unlace8(const word64 *s, byte *o, size_t stride)
{
    __m512i r[8], t[8];
    unsigned i;

    UNROLL(8)
    for (i = 0; i < 8; i++)
        r[i] = _mm512_load_si512(s + 8 * i);
    UNROLL(4)
    for (i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
    }
    /* t[i] and t[i + 2]: pairs of words, of the even lanes or the odd ones */
    UNROLL(2)
    for (i = 0; i < 2; i++) {
        r[i] = _mm512_shuffle_i64x2(t[i], t[i + 2], 0x88);     /* lanes 0 4 */
        r[i + 2] = _mm512_shuffle_i64x2(t[i], t[i + 2], 0xdd); /* 2 6 */
        r[i + 4] = _mm512_shuffle_i64x2(t[i + 4], t[i + 6], 0x88);
        r[i + 6] = _mm512_shuffle_i64x2(t[i + 4], t[i + 6], 0xdd);
    }
    UNROLL(2)
    for (i = 0; i < 2; i++) {
        _mm512_storeu_si512(o + stride * i, _mm512_shuffle_i64x2(r[i], r[i + 4], 0x88));
        _mm512_storeu_si512(o + stride * (i + 4), _mm512_shuffle_i64x2(r[i], r[i + 4], 0xdd));
        _mm512_storeu_si512(o + stride * (i + 2), _mm512_shuffle_i64x2(r[i + 2], r[i + 6], 0x88));
        _mm512_storeu_si512(o + stride * (i + 6), _mm512_shuffle_i64x2(r[i + 2], r[i + 6], 0xdd));
    }
}

/* The first 24 words of each lane. */
TARGET static inline void unlace24(const word64 *s, byte *o, size_t stride)
{
    unlace8(s, o, stride);
    unlace8(s + 64, o + 64, stride);
    unlace8(s + 128, o + 128, stride);
}

/* As x_wipe; n is a multiple of 64. */
TARGET static inline void wipe_x8(void *p, size_t n)
{
    byte *d = (byte *)p;

    for (; n > 0; n -= 64, d += 64) {
        _mm512_storeu_si512(d, _mm512_setzero_si512());
        __asm__ __volatile__("" : : : "memory");
    }
}

#endif
