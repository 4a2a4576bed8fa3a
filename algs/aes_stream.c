/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES-CTR, OFB and CFB with 128, 8 and 1 bit segments (SP 800-38A 6.5, 6.4,
 * 6.3); see aes_mode.h.
 *
 * Without kernels the key stream of CTR and of CFB decryption is made by
 * wolfCrypt's ECB in pieces of a buffer on the stack, which is many times
 * faster than block by block; the other modes are serial by nature.
 *
 * c->num is the position in an open block, 0 when there is none: of c->buf in
 * CTR, of c->iv in OFB and CFB128.
 */
#include "aes_mode.h"
#include "cipher_serial.h"

#include <string.h>

#include "../provider/alglist.h"

#define PIECE 2048              /* whole blocks */

/* ---- on kernels ------------------------------------------------------------ */

static int ctr_hw(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in, size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_ctr(k->rk, k->rounds, c->iv, c->buf, &c->num, in, out, n);
    return 1;
}

static int ofb_hw(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in, size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_ofb(k->rk, k->rounds, c->iv, &c->num, in, out, n);
    return 1;
}

static int cfb_hw_encrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                          size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_cfb_enc(k->rk, k->rounds, c->iv, &c->num, in, out, n);
    return 1;
}

static int cfb_hw_decrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                          size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_cfb_dec(k->rk, k->rounds, c->iv, &c->num, in, out, n);
    return 1;
}

static int hw_block(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_ecb_enc(k->rk, k->rounds, in, out, 1);
    return 1;
}

WN_SERIAL_RUN(cfb8_hw, cfb8, hw_block, WN_AES_BLOCK)
WN_SERIAL_RUN(cfb1_hw, cfb1, hw_block, WN_AES_BLOCK)

/* ---- on wolfCrypt ---------------------------------------------------------- */

static int soft_block(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in)
{
    return WN_WC(c->prov, wc_AesEncryptDirect(&wn_aes_key_of(c)->soft, out, in));
}

/* n counter blocks from ctr, which moves on (B.1: 128 bits, big-endian). */
static void counters(unsigned char *out, unsigned char ctr[16], size_t n)
{
    size_t i;
    int j;

    for (i = 0; i < n; i++, out += WN_AES_BLOCK) {
        memcpy(out, ctr, WN_AES_BLOCK);
        for (j = WN_AES_BLOCK - 1; j >= 0 && ++ctr[j] == 0; j--)
            ;
    }
}

static int ctr_soft(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                    size_t n)
{
    _Alignas(16) unsigned char stream[PIECE];
    Aes *aes = &wn_aes_key_of(c)->soft;
    size_t m, used = 0;
    int ok = 1;

    for (; c->num != 0 && n > 0; n--, c->num = (c->num + 1) % WN_AES_BLOCK)
        *out++ = *in++ ^ c->buf[c->num];
    for (; ok && n >= WN_AES_BLOCK; n -= m, in += m, out += m) {
        m = n < sizeof(stream) ? n - n % WN_AES_BLOCK : sizeof(stream);
        used = m > used ? m : used;
        counters(stream, c->iv, m / WN_AES_BLOCK);
        ok = wn_aes_soft_ecb(c->prov, aes, 1, stream, stream, m);
        if (ok)
            wn_xor_blocks(out, in, stream, m);
    }
    if (ok && n > 0) {
        counters(c->buf, c->iv, 1);
        ok = soft_block(c, c->buf, c->buf);
        for (; ok && c->num < n; c->num++)
            out[c->num] = in[c->num] ^ c->buf[c->num];
    }
    wn_clear(stream, used);
    return ok;
}

/* Decryption needs only ciphertext for its key stream. */
static int cfb_soft_decrypt(struct wn_cipher_ctx *c, unsigned char *out,
                            const unsigned char *in, size_t n)
{
    _Alignas(16) unsigned char stream[PIECE];
    Aes *aes = &wn_aes_key_of(c)->soft;
    size_t m = (WN_AES_BLOCK - c->num) % WN_AES_BLOCK, used = 0;
    int ok;

    m = m < n ? m : n;
    ok = wn_serial_cfb(c, soft_block, WN_AES_BLOCK, out, in, m);
    for (n -= m, in += m, out += m; ok && n >= WN_AES_BLOCK; n -= m, in += m, out += m) {
        m = n < sizeof(stream) ? n - n % WN_AES_BLOCK : sizeof(stream);
        used = m > used ? m : used;
        memcpy(stream, c->iv, WN_AES_BLOCK);
        memcpy(stream + WN_AES_BLOCK, in, m - WN_AES_BLOCK);
        memcpy(c->iv, in + m - WN_AES_BLOCK, WN_AES_BLOCK);
        ok = wn_aes_soft_ecb(c->prov, aes, 1, stream, stream, m);
        if (ok)
            wn_xor_blocks(out, in, stream, m);
    }
    ok = ok && wn_serial_cfb(c, soft_block, WN_AES_BLOCK, out, in, n);
    wn_clear(stream, used);
    return ok;
}

WN_SERIAL_RUN(cfb_soft_encrypt, cfb, soft_block, WN_AES_BLOCK)
WN_SERIAL_RUN(ofb_soft, ofb, soft_block, WN_AES_BLOCK)
WN_SERIAL_RUN(cfb8_soft, cfb8, soft_block, WN_AES_BLOCK)
WN_SERIAL_RUN(cfb1_soft, cfb1, soft_block, WN_AES_BLOCK)

/* ---- tables ---------------------------------------------------------------- */

static const struct wn_aes_mode
    ctr_mode = { 0, { ctr_hw, ctr_hw }, { ctr_soft, ctr_soft } },
    ofb_mode = { 0, { ofb_hw, ofb_hw }, { ofb_soft, ofb_soft } },
    cfb_mode = { 0, { cfb_hw_decrypt, cfb_hw_encrypt }, { cfb_soft_decrypt, cfb_soft_encrypt } },
    cfb8_mode = { 0, { cfb8_hw, cfb8_hw }, { cfb8_soft, cfb8_soft } },
    cfb1_mode = { 0, { cfb1_hw, cfb1_hw }, { cfb1_soft, cfb1_soft } };

#define STREAM_MODE(id, bits, evp)                                           \
    WN_AES_TABLE(id, bits, evp, 0, WN_AES_BLOCK, 1, id##_mode, WN_CIPHER_MODE_COMMON(stream));
#define STREAM_MODES(bits)                                                   \
    STREAM_MODE(ctr, bits, CTR)                                              \
    STREAM_MODE(ofb, bits, OFB)                                              \
    STREAM_MODE(cfb, bits, CFB)                                              \
    STREAM_MODE(cfb8, bits, CFB)                                             \
    STREAM_MODE(cfb1, bits, CFB)
WN_AES_EACH_SIZE(STREAM_MODES)
