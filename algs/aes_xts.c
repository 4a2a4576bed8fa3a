/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES-XTS (IEEE 1619-2018, SP 800-38E): one update call is one data unit of 16
 * bytes to 2^20 blocks under the tweak that the IV gives. As in the default
 * provider the IV stays, so that a further update is a data unit under the same
 * tweak.
 *
 * Without kernels the tweaks of a piece are made in a buffer, so that
 * wolfCrypt's ECB works on many blocks at once, in place too.
 */
#include "aes_mode.h"

#include <string.h>

#include "../provider/alglist.h"

#define XTS_MAX ((size_t)1 << 24)       /* 2^20 blocks */
#define PIECE 1024                      /* whole blocks */

/* Both forms of the two keys; xts_ctx_size() tells which exists. */
struct xts_ctx {
    struct wn_cipher_ctx c;
    union {
        struct {
            struct wn_aes_rk data, tweak;
        } hw;
        struct {
            Aes data, tweak;
        } soft;
    } k;
};

static size_t xts_ctx_size(void)
{
    const struct xts_ctx *x = NULL;

    return offsetof(struct xts_ctx, k) + (wn_aes_kernels() ? sizeof(x->k.hw) : sizeof(x->k.soft));
}

static int xts_hw(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in, size_t n)
{
    struct xts_ctx *x = (struct xts_ctx *)c;

    (c->enc ? wn_accel.aes_xts_enc : wn_accel.aes_xts_dec)(
        x->k.hw.data.rk, x->k.hw.tweak.rk, x->k.hw.data.rounds, c->iv, in, out, n);
    return 1;
}

/* t *= x in GF(2^128), least significant byte first (IEEE 1619 5.2). */
static void next_tweak(unsigned char t[WN_AES_BLOCK])
{
    unsigned carry = 0, i;

    for (i = 0; i < WN_AES_BLOCK; i++) {
        carry |= (unsigned)t[i] << 1;
        t[i] = (unsigned char)carry;
        carry >>= 8;
    }
    t[0] ^= (unsigned char)(0x87 & (0u - carry));
}

/* Whole blocks, at most PIECE bytes; tweak moves on. */
static int xts_soft_piece(struct wn_cipher_ctx *c, unsigned char tweak[WN_AES_BLOCK],
                          unsigned char *out, const unsigned char *in, size_t n)
{
    struct xts_ctx *x = (struct xts_ctx *)c;
    _Alignas(16) unsigned char tweaks[PIECE];
    size_t i;
    int ok;

    for (i = 0; i < n; i += WN_AES_BLOCK) {
        memcpy(tweaks + i, tweak, WN_AES_BLOCK);
        next_tweak(tweak);
    }
    wn_xor_blocks(out, in, tweaks, n);
    ok = wn_aes_soft_ecb(c->prov, &x->k.soft.data, c->enc, out, out, n);
    if (ok)
        wn_xor_blocks(out, out, tweaks, n);
    wn_clear(tweaks, n);
    return ok;
}

/*
 * The last whole block and the d < 16 bytes after it (5.3.2, 5.4.2): the block
 * is processed first, lends its end to the short one, and moves there; then the
 * completed block takes its place. Decryption uses the two tweaks in reverse.
 */
static int xts_soft_steal(struct wn_cipher_ctx *c, unsigned char tweak[WN_AES_BLOCK],
                          unsigned char *out, const unsigned char *in, size_t d)
{
    unsigned char first[WN_AES_BLOCK], second[WN_AES_BLOCK], next[WN_AES_BLOCK];
    int ok;

    memcpy(next, tweak, WN_AES_BLOCK);
    next_tweak(next);
    memcpy(second, in + WN_AES_BLOCK, d);
    ok = xts_soft_piece(c, c->enc ? tweak : next, first, in, WN_AES_BLOCK);
    memcpy(second + d, first + d, WN_AES_BLOCK - d);
    memcpy(out + WN_AES_BLOCK, first, d);
    ok = ok && xts_soft_piece(c, tweak, out, second, WN_AES_BLOCK);
    wn_clear(first, sizeof(first));
    wn_clear(second, sizeof(second));
    return ok;
}

static int xts_soft(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                    size_t n)
{
    struct xts_ctx *x = (struct xts_ctx *)c;
    unsigned char tweak[WN_AES_BLOCK];
    size_t d = n % WN_AES_BLOCK, m;
    int ok = wn_aes_soft_ecb(c->prov, &x->k.soft.tweak, 1, tweak, c->iv, WN_AES_BLOCK);

    if (d != 0)
        d += WN_AES_BLOCK;
    for (; ok && n > d; n -= m, in += m, out += m) {
        m = n - d < PIECE ? n - d : PIECE;
        ok = xts_soft_piece(c, tweak, out, in, m);
    }
    if (ok && d != 0)
        ok = xts_soft_steal(c, tweak, out, in, d - WN_AES_BLOCK);
    wn_clear(tweak, sizeof(tweak));
    return ok;
}

static int xts_set_key(struct wn_cipher_ctx *c)
{
    struct xts_ctx *x = (struct xts_ctx *)c;
    size_t n = c->desc->base.keylen / 2;

    if (wn_aes_kernels()) {
        c->run = xts_hw;
        return wn_aes_expand(c->prov, &x->k.hw.data, c->key, n, c->enc)
            && wn_aes_expand(c->prov, &x->k.hw.tweak, c->key + n, n, 1);
    }
    c->run = xts_soft;
    return wn_aes_set_soft(c->prov, &x->k.soft.data, c->key, n, c->enc)
        && wn_aes_set_soft(c->prov, &x->k.soft.tweak, c->key + n, n, 1);
}

/* ---- EVP ------------------------------------------------------------------- */

/* Equal halves undo the tweak (SP 800-38E, IEEE 1619 D.4.3); data that was so
 * encrypted may still be decrypted. */
static int halves_differ(const struct wn_cipher_ctx *c, const unsigned char *key, size_t keylen)
{
    if (keylen == c->desc->base.keylen && c->enc
        && wn_memcmp_ct(key, key + keylen / 2, keylen / 2) == 0) {
        WN_RAISE(c->prov, PROV_R_XTS_DUPLICATED_KEYS);
        return 0;
    }
    return 1;
}

static int xts_init(void *vctx, const unsigned char *key, size_t keylen, const unsigned char *iv,
                    size_t ivlen, const OSSL_PARAM params[], int enc)
{
    struct wn_cipher_ctx *c = vctx;

    c->enc = (unsigned char)enc;
    return (iv == NULL || wn_cipher_init_iv(c, iv, ivlen))
        && (key == NULL || halves_differ(c, key, keylen))
        && wn_cipher_init_key(c, key, keylen)
        && wn_cipher_set_fixed_params(c, params);
}

static int xts_encrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                            const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return xts_init(ctx, key, keylen, iv, ivlen, params, 1);
}

static int xts_decrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                            const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return xts_init(ctx, key, keylen, iv, ivlen, params, 0);
}

static int xts_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                      const unsigned char *in, size_t inl)
{
    struct wn_cipher_ctx *c = vctx;
    int reason = 0;

    if (outsize < inl)
        reason = PROV_R_OUTPUT_BUFFER_TOO_SMALL;
    else if (inl > XTS_MAX)
        reason = PROV_R_XTS_DATA_UNIT_IS_TOO_LARGE;
    else if (!c->key_set || !c->iv_set || out == NULL || in == NULL || inl < WN_AES_BLOCK)
        reason = PROV_R_CIPHER_OPERATION_FAILED;
    if (reason != 0) {
        WN_RAISE(c->prov, reason);
        return 0;
    }
    if (!c->run(c, out, in, inl))
        return 0;
    *outl = inl;
    return 1;
}

static int xts_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize)
{
    (void)ctx;
    (void)out;
    (void)outsize;
    *outl = 0;
    return 1;
}

#define XTS_COMMON                                                           \
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_cipher_freectx),                \
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_cipher_dupctx),                   \
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, xts_encrypt_init),       \
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, xts_decrypt_init),       \
    WN_FN(CIPHER_UPDATE, cipher_update, xts_update),                         \
    WN_FN(CIPHER_FINAL, cipher_final, xts_final),                            \
    WN_FN(CIPHER_CIPHER, cipher_cipher, xts_update),                         \
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, wn_cipher_get_ctx_params), \
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params,            \
          wn_cipher_gettable_ctx_params),                                    \
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_cipher_set_fixed_params), \
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,            \
          wn_cipher_settable_fixed_params)

#define XTS(bits)                                                            \
    static const struct wn_mode_desc aes##bits##_xts_desc = {                \
        { EVP_CIPH_XTS_MODE, WN_CIPHER_CUSTOM_IV, bits / 4, WN_AES_BLOCK, 1 }, \
        xts_ctx_size, xts_set_key, NULL                                      \
    };                                                                       \
    WN_CIPHER_TABLE(aes##bits##_xts, aes##bits##_xts_desc, wn_cipher_newctx, \
                    aes##bits##_xts_desc.base, XTS_COMMON);
XTS(256)
XTS(128)
