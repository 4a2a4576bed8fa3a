/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See chapoly.h. Section numbers are those of RFC 8439. */
#include "chapoly.h"

#include <string.h>

/* Section 2.8: 2^32 - 1 blocks, since block 0 makes the Poly1305 key. */
#define MAX_TEXT (((UINT64_C(1) << 32) - 1) * WN_CHACHA_BLOCK)
#define MAX_AAD UINT64_MAX

static int has_kernels(void)
{
    return wn_accel.cp_init != NULL;
}

size_t wn_chapoly_size(void)
{
    return has_kernels() ? sizeof(struct wn_chapoly) : sizeof(struct wn_chapoly_soft);
}

/* ---- wolfCrypt's form ------------------------------------------------------------ */

static const unsigned char zeros[WN_CHACHA_BLOCK];

/* Key stream block 0 is the one-time key of Poly1305, section 2.6. */
static void soft_start(struct wn_chapoly_soft *c, const unsigned char *key,
                       const unsigned char *nonce)
{
    unsigned char iv[WN_CHACHA_IV] = { 0 }, block[WN_CHACHA_BLOCK];

    memcpy(iv + 4, nonce, WN_CHAPOLY_NONCE);
    wn_chacha_set_key(&c->stream, key);
    wn_chacha_set_iv(&c->stream, iv);
    wn_chacha_crypt(&c->stream, block, zeros, sizeof(block));
    wc_Poly1305SetKey(&c->poly, block, 32);
    wn_clear(block, sizeof(block));
    c->aad_len = c->len = 0;
}

static void soft_mac(struct wn_chapoly_soft *c, const unsigned char *in, size_t n)
{
    for (; n > WN_CHUNK; in += WN_CHUNK, n -= WN_CHUNK)
        wc_Poly1305Update(&c->poly, in, WN_CHUNK);
    wc_Poly1305Update(&c->poly, in, (word32)n);
}

static void soft_pad(struct wn_chapoly_soft *c, uint64_t len)
{
    soft_mac(c, zeros, (size_t)(-len & 15));
}

/* In pieces that are still in the cache when the second pass reads them. */
#define PIECE 65536

static void soft_crypt(struct wn_chapoly_soft *c, int enc, unsigned char *out,
                       const unsigned char *in, size_t n)
{
    size_t piece;

    if (c->len == 0)
        soft_pad(c, c->aad_len);
    for (; n > 0; out += piece, in += piece, n -= piece) {
        piece = n < PIECE ? n : PIECE;
        if (!enc)
            soft_mac(c, in, piece);
        wn_chacha_crypt(&c->stream, out, in, piece);
        if (enc)
            soft_mac(c, out, piece);
    }
}

static void put_le64(unsigned char *p, uint64_t v)
{
    int i;

    for (i = 0; i < 8; i++, v >>= 8)
        p[i] = (unsigned char)v;
}

static void soft_tag(struct wn_chapoly_soft *c, unsigned char *tag)
{
    unsigned char lengths[16];

    soft_pad(c, c->len == 0 ? c->aad_len : c->len);
    put_le64(lengths, c->aad_len);
    put_le64(lengths + 8, c->len);
    soft_mac(c, lengths, sizeof(lengths));
    wc_Poly1305Final(&c->poly, tag);
}

/* ---- both -------------------------------------------------------------------------- */

void wn_chapoly_start(union wn_chapoly_state *c, const unsigned char key[WN_CHACHA_KEY],
                      const unsigned char nonce[WN_CHAPOLY_NONCE])
{
    if (has_kernels())
        wn_accel.cp_init(&c->hw, key, nonce);
    else
        soft_start(&c->soft, key, nonce);
}

int wn_chapoly_aad(union wn_chapoly_state *c, const unsigned char *aad, size_t n)
{
    if (n == 0)
        return 1;
    if (has_kernels()) {
        if (c->hw.len != 0 || n > MAX_AAD - c->hw.aad_len)
            return 0;
        wn_accel.cp_aad(&c->hw, aad, n);
        return 1;
    }
    if (c->soft.len != 0 || n > MAX_AAD - c->soft.aad_len)
        return 0;
    soft_mac(&c->soft, aad, n);
    c->soft.aad_len += n;
    return 1;
}

int wn_chapoly_crypt(union wn_chapoly_state *c, int enc, unsigned char *out,
                     const unsigned char *in, size_t n)
{
    if (n == 0)
        return 1;
    if (has_kernels()) {
        if (n > MAX_TEXT - c->hw.len)
            return 0;
        (enc ? wn_accel.cp_enc : wn_accel.cp_dec)(&c->hw, in, out, n);
        return 1;
    }
    if (n > MAX_TEXT - c->soft.len)
        return 0;
    soft_crypt(&c->soft, enc, out, in, n);
    c->soft.len += n;
    return 1;
}

void wn_chapoly_tag(union wn_chapoly_state *c, unsigned char tag[WN_CHAPOLY_TAG])
{
    if (has_kernels())
        wn_accel.cp_tag(&c->hw, tag);
    else
        soft_tag(&c->soft, tag);
}
