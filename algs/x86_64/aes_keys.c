/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES round keys (FIPS 197 5.2, 5.3.5), written where they are wanted.
 * wc_AesSetKey() makes the same, but only inside an Aes, four times as large, from
 * which they would have to be copied.
 */
#include "accel_x86.h"
#include "aes_expand.h"

/* The equivalent inverse cipher: backwards, the inner ones through InvMixColumns. */
__attribute__((target(WN_T128_AES))) static void invert(__m128i *rk, unsigned rounds)
{
    unsigned i, j;
    __m128i t;

    for (i = 0, j = rounds; i < j; i++, j--) {
        t = rk[i];
        rk[i] = i == 0 ? rk[j] : _mm_aesimc_si128(rk[j]);
        rk[j] = i == 0 ? t : _mm_aesimc_si128(t);
    }
    rk[i] = _mm_aesimc_si128(rk[i]);    /* the number of rounds is even */
}

__attribute__((target(WN_T128_AES))) static unsigned keys(void *rk, const uint8_t *key,
                                                          size_t keylen, int enc)
{
    unsigned rounds = x_expand(rk, key, keylen);

    if (!enc)
        invert(rk, rounds);
    return rounds;
}

void wn_accel_aes_keys(struct wn_accel *a)
{
    a->aes_keys = keys;
}
