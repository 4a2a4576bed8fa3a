/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-1 (FIPS 180-4 section 6.1.2) with the SHA extensions: sha1rnds4 does
 * four rounds on a, b, c, d (a in the top word), sha1nexte forms the next
 * four's e plus message words from the a of four rounds ago, sha1msg1 and
 * sha1msg2 extend the message schedule by four words.
 */
#include "accel_x86.h"
#include "simd.h"

#define SHA  __attribute__((target("sha,sse4.1")))
#define SHAI static inline __attribute__((always_inline, target("sha,sse4.1")))

struct sha1 {
    __m128i abcd, e; /* e: a of four rounds ago, or the sum for the first four */
    __m128i w[4];    /* the last 16 words of the schedule */
};

/* Rounds 4i .. 4i + 3, with the round function k = i / 5. */
#define ROUNDS4(s, i, k)                                               \
    do {                                                               \
        __m128i e_ = (s)->abcd;                                        \
        (s)->abcd = _mm_sha1rnds4_epu32((s)->abcd, (s)->e, k);         \
        (s)->e = e_;                                                   \
        if ((i) < 19)                                                  \
            (s)->e = _mm_sha1nexte_epu32(e_, sha1_word((s), (i) + 1)); \
    } while (0)

/* Words 4i .. 4i + 3: from the message for i < 4, else W_t of section 6.1.2. */
SHAI __m128i sha1_word(struct sha1 *s, unsigned i)
{
    __m128i t = s->w[i & 3];

    if (i >= 4) {
        t = _mm_sha1msg1_epu32(t, s->w[(i + 1) & 3]);
        t = _mm_xor_si128(t, s->w[(i + 2) & 3]);
        t = s->w[i & 3] = _mm_sha1msg2_epu32(t, s->w[(i + 3) & 3]);
    }
    return t;
}

SHA static void sha1_blocks(uint32_t st[5], const uint8_t *in, size_t n)
{
    __m128i abcd = _mm_shuffle_epi32(x_load(st), 0x1b);
    __m128i e = _mm_set_epi32((int)st[4], 0, 0, 0);

    for (; n > 0; n--, in += 64) {
        struct sha1 s = { .abcd = abcd };

        for (unsigned i = 0; i < 4; i++)
            s.w[i] = x_bswap(x_load(in + 16 * i));
        s.e = _mm_add_epi32(e, s.w[0]);
        UNROLL(5)
        for (unsigned i = 0; i < 5; i++)
            ROUNDS4(&s, i, 0);
        UNROLL(5)
        for (unsigned i = 5; i < 10; i++)
            ROUNDS4(&s, i, 1);
        UNROLL(5)
        for (unsigned i = 10; i < 15; i++)
            ROUNDS4(&s, i, 2);
        UNROLL(5)
        for (unsigned i = 15; i < 20; i++)
            ROUNDS4(&s, i, 3);
        e = _mm_sha1nexte_epu32(s.e, e);
        abcd = _mm_add_epi32(abcd, s.abcd);
    }
    x_store(st, _mm_shuffle_epi32(abcd, 0x1b));
    st[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

void wn_accel_sha1(struct wn_accel *a)
{
    a->sha1_path = "sha-ni";
    a->sha1_blocks = sha1_blocks;
}
