/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OFB and CFB (SP 800-38A 6.4, 6.3; also for 64-bit blocks) over any block
 * cipher, block by block, as they are defined: for AES without kernels and for
 * Triple DES. Inline, so that block function and block size become constants.
 *
 * c->iv is the register and c->num the position in an open block of it, 0 when
 * there is none. `fn` encrypts one block, out == in allowed.
 */
#ifndef WN_CIPHER_SERIAL_H
#define WN_CIPHER_SERIAL_H

#include <string.h>

#include "cipher.h"

typedef int wn_block_fn(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in);

static inline int wn_serial_ofb(struct wn_cipher_ctx *c, wn_block_fn *fn, unsigned bs,
                                unsigned char *out, const unsigned char *in, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (c->num == 0 && !fn(c, c->iv, c->iv))
            return 0;
        out[i] = in[i] ^ c->iv[c->num];
        c->num = (c->num + 1) & (bs - 1);
    }
    return 1;
}

static inline int wn_serial_cfb(struct wn_cipher_ctx *c, wn_block_fn *fn, unsigned bs,
                                unsigned char *out, const unsigned char *in, size_t n)
{
    unsigned char x;
    size_t i;

    for (i = 0; i < n; i++) {
        if (c->num == 0 && !fn(c, c->iv, c->iv))
            return 0;
        x = in[i];
        out[i] = x ^ c->iv[c->num];
        c->iv[c->num] = c->enc ? out[i] : x;
        c->num = (c->num + 1) & (bs - 1);
    }
    return 1;
}

static inline int wn_serial_cfb8(struct wn_cipher_ctx *c, wn_block_fn *fn, unsigned bs,
                                 unsigned char *out, const unsigned char *in, size_t n)
{
    unsigned char reg[WN_CIPHER_MAX_BLOCK + 1], stream[WN_CIPHER_MAX_BLOCK], x;
    size_t i;
    int ok = 1;

    memcpy(reg, c->iv, bs);
    for (i = 0; ok && i < n; i++) {
        ok = fn(c, stream, reg);
        x = in[i];
        out[i] = x ^ stream[0];
        reg[bs] = c->enc ? out[i] : x;
        memmove(reg, reg + 1, bs);
    }
    memcpy(c->iv, reg, bs);
    wn_clear(stream, sizeof(stream));
    return ok;
}

/* n counts bits when "use-bits" is set; bits of `out` beyond the last stay. */
static inline int wn_serial_cfb1(struct wn_cipher_ctx *c, wn_block_fn *fn, unsigned bs,
                                 unsigned char *out, const unsigned char *in, size_t n)
{
    size_t bytes = c->use_bits ? n / 8 : n, i;
    unsigned last = c->use_bits ? n % 8 : 0, bits, j, k, x, y, carry;
    unsigned char stream[WN_CIPHER_MAX_BLOCK], got, put;
    int ok = 1;

    for (i = 0; ok && i < bytes + (last != 0); i++) {
        bits = i < bytes ? 8 : last;
        got = in[i];
        put = bits < 8 ? out[i] & (0xff >> bits) : 0;
        for (j = 0; ok && j < bits; j++) {
            ok = fn(c, stream, c->iv);
            x = got >> (7 - j) & 1;
            y = x ^ stream[0] >> 7;
            put |= (unsigned char)(y << (7 - j));
            /* the register moves left by one bit */
            carry = c->enc ? y : x;
            for (k = bs; k-- > 0; carry >>= 8) {
                carry |= (unsigned)c->iv[k] << 1;
                c->iv[k] = (unsigned char)carry;
            }
        }
        out[i] = put;
    }
    wn_clear(stream, sizeof(stream));
    return ok;
}

/* A wn_cipher_run from one of the above. */
#define WN_SERIAL_RUN(name, mode, fn, bs)                                    \
    static int name(struct wn_cipher_ctx *c, unsigned char *out,             \
                    const unsigned char *in, size_t n)                       \
    { return wn_serial_##mode(c, fn, bs, out, in, n); }

#endif
