/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES-ECB and AES-CBC (SP 800-38A 6.1, 6.2), and the key of all AES modes; see
 * aes_mode.h.
 */
#include "aes_mode.h"

#include <string.h>

#include "../provider/alglist.h"

/* Input that wolfCrypt wants aligned is copied in pieces of this size. */
#define BOUNCE 2048

size_t wn_aes_ctx_size(void)
{
    return offsetof(struct wn_aes_ctx, k) + wn_aes_key_size();
}

int wn_aes_mode_set_key(struct wn_cipher_ctx *c)
{
    const struct wn_aes_mode *mode = c->desc->impl;

    c->run = (wn_aes_kernels() ? mode->hw : mode->soft)[c->enc];
    return wn_aes_set_key(c->prov, wn_aes_key_of(c), c->key, c->desc->base.keylen,
                          c->enc || !mode->inverse);
}

int wn_aes_soft_ecb(const struct wn_prov *prov, Aes *aes, int enc, unsigned char *out,
                    const unsigned char *in, size_t n)
{
    size_t m;

    for (; n > 0; n -= m, in += m, out += m) {
        m = n < WN_CHUNK ? n : WN_CHUNK;
        if (!(enc ? WN_WC(prov, wc_AesEcbEncrypt(aes, out, in, (word32)m))
                  : WN_WC(prov, wc_AesEcbDecrypt(aes, out, in, (word32)m))))
            return 0;
    }
    return 1;
}

/* ---- ECB ------------------------------------------------------------------- */

static int ecb_hw_encrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                          size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_ecb_enc(k->rk, k->rounds, in, out, n / WN_AES_BLOCK);
    return 1;
}

static int ecb_hw_decrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                          size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_ecb_dec(k->rk, k->rounds, in, out, n / WN_AES_BLOCK);
    return 1;
}

static int ecb_soft(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                    size_t n)
{
    return wn_aes_soft_ecb(c->prov, &wn_aes_key_of(c)->soft, c->enc, out, in, n);
}

static const struct wn_aes_mode ecb = {
    1, { ecb_hw_decrypt, ecb_hw_encrypt }, { ecb_soft, ecb_soft }
};

/* ---- CBC ------------------------------------------------------------------- */

static int cbc_hw_encrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                          size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_cbc_enc(k->rk, k->rounds, c->iv, in, out, n / WN_AES_BLOCK);
    return 1;
}

static int cbc_hw_decrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                          size_t n)
{
    const struct wn_aes_rk *k = &wn_aes_key_of(c)->hw;

    wn_accel.aes_cbc_dec(k->rk, k->rounds, c->iv, in, out, n / WN_AES_BLOCK);
    return 1;
}

/*
 * wolfCrypt's AES-NI CBC encryption copies unaligned input as a whole to memory
 * that it allocates; small pieces on the stack do the same without.
 */
static int cbc_soft_encrypt(struct wn_cipher_ctx *c, unsigned char *out,
                            const unsigned char *in, size_t n)
{
    Aes *aes = &wn_aes_key_of(c)->soft;
    _Alignas(16) unsigned char piece[BOUNCE];
    int aligned = ((uintptr_t)in & 15) == 0, ok = 1;
    size_t limit = aligned ? WN_CHUNK : sizeof(piece), used = 0, m;

    memcpy(aes->reg, c->iv, WN_AES_BLOCK);
    for (; ok && n > 0; n -= m, in += m, out += m) {
        m = n < limit ? n : limit;
        if (!aligned) {
            memcpy(piece, in, m);
            used = m > used ? m : used;
        }
        ok = WN_WC(c->prov, wc_AesCbcEncrypt(aes, out, aligned ? in : piece, (word32)m));
    }
    memcpy(c->iv, aes->reg, WN_AES_BLOCK);
    wn_clear(piece, used);
    return ok;
}

static int cbc_soft_decrypt(struct wn_cipher_ctx *c, unsigned char *out,
                            const unsigned char *in, size_t n)
{
    Aes *aes = &wn_aes_key_of(c)->soft;
    int ok = 1;
    size_t m;

    memcpy(aes->reg, c->iv, WN_AES_BLOCK);
    for (; ok && n > 0; n -= m, in += m, out += m) {
        m = n < WN_CHUNK ? n : WN_CHUNK;
        ok = WN_WC(c->prov, wc_AesCbcDecrypt(aes, out, in, (word32)m));
    }
    memcpy(c->iv, aes->reg, WN_AES_BLOCK);
    return ok;
}

const struct wn_aes_mode wn_aes_cbc = {
    1, { cbc_hw_decrypt, cbc_hw_encrypt }, { cbc_soft_decrypt, cbc_soft_encrypt }
};

#define BLOCK_MODES(bits)                                                    \
    WN_AES_TABLE(ecb, bits, ECB, 0, 0, WN_AES_BLOCK, ecb, WN_CIPHER_MODE_COMMON(block)); \
    WN_AES_TABLE(cbc, bits, CBC, 0, WN_AES_BLOCK, WN_AES_BLOCK, wn_aes_cbc,       \
                 WN_CIPHER_MODE_COMMON(block));
WN_AES_EACH_SIZE(BLOCK_MODES)
