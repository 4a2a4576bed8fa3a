/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See wc_keccak.h. */
#include "wc_keccak.h"

#include <string.h>

#include <wolfssl/wolfcrypt/sha3.h>

void (*wn_sha3_block_p)(word64 *s) = BlockSha3;
void (*wn_sha3_blocksx4_p)(word64 *s) = sha3_blocksx4_avx2;

void wn_sha3_block(word64 *s)
{
    wn_sha3_block_p(s);
}

void wn_sha3_blocksx4(word64 *s)
{
    wn_sha3_blocksx4_p(s);
}

void wn_sha3_block_n(word64 *s, const byte *data, word32 n, word64 rate)
{
    word64 w, i;

    for (; n > 0; n--, data += rate) {
        for (i = 0; i < rate / 8; i++) {
            memcpy(&w, data + 8 * i, 8);
            s[i] ^= w;
        }
        wn_sha3_block_p(s);
    }
}

/* Seed, the word that differs, the end of SHAKE's padding in word `rate` - 1. */
static void start_x4(word64 *s, const byte *seed, size_t words, size_t rate)
{
    word64 w;
    size_t i, j;

    for (i = 0; i < words; i++) {
        memcpy(&w, seed + 8 * i, 8);
        for (j = 0; j < 4; j++)
            s[4 * i + j] = w;
    }
    memset(s + 4 * (words + 1), 0, (25 - (words + 1)) * 4 * sizeof(*s));
    for (j = 0; j < 4; j++)
        s[4 * (rate - 1) + j] = (word64)1 << 63;
    wn_sha3_blocksx4_p(s);
}

void wn_sha3_128_blocksx4_seed(word64 *s, byte *seed)
{
    start_x4(s, seed, 4, WC_SHA3_128_COUNT);
}

void wn_sha3_256_blocksx4_seed(word64 *s, byte *seed)
{
    start_x4(s, seed, 4, WC_SHA3_256_COUNT);
}

void wn_sha3_256_blocksx4_seed_64(word64 *s, byte *seed)
{
    start_x4(s, seed, 8, WC_SHA3_256_COUNT);
}
