/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lanes_impl.h needs whatever the number of lanes. */
#ifndef WN_X86_LANES_H
#define WN_X86_LANES_H

#include <string.h>

#include <wolfssl/wolfcrypt/sha3.h>

#include "../../asm-config/x86_64/wc_keccak.h"

#define RATE_128 168 /* SHAKE128 */
#define RATE_256 136 /* SHAKE256, SHA3-256 */

/* Whole words to be hashed. */
struct message {
    const byte *p;
    size_t n;           /* bytes left */
    unsigned blocks;    /* blocks left, the padded one included */
    word64 pad;         /* domain bits and the first bit of padding */
};

static inline struct message message(const byte *p, size_t n, byte pad)
{
    return (struct message){ p, n, (unsigned)(n / RATE_256) + 1, pad };
}

static inline word64 load64(const byte *p)
{
    word64 w;

    memcpy(&w, p, 8);
    return w;
}

/* Padded where the message ends. */
static inline void next_block(word64 block[RATE_256 / 8], struct message *m)
{
    size_t n = m->n < RATE_256 ? m->n : RATE_256;

    if (n < RATE_256) {
        memset(block, 0, RATE_256);
        block[n / 8] = m->pad;
        block[RATE_256 / 8 - 1] |= (word64)1 << 63;
    }
    memcpy(block, m->p, n);
    m->p += n;
    m->n -= n;
    m->blocks--;
}

/* SHA3-256 of the blocks that are left, on one state. */
static inline void hash_rest(byte *h, word64 s[25], struct message *m)
{
    word64 block[RATE_256 / 8];
    unsigned i;

    while (m->blocks > 0) {
        next_block(block, m);
        for (i = 0; i < RATE_256 / 8; i++)
            s[i] ^= block[i];
        wn_sha3_block(s);
    }
    memcpy(h, s, 32);
}

#endif
