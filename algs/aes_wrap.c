/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES key wrap: KW and KWP of SP 800-38F 6.2, 6.3 (RFC 3394, RFC 5649), and the
 * same over the inverse cipher (SP 800-38F 5.1). One update call is one key.
 *
 * As in the default provider the IV parameter replaces the constant ICV1 (8
 * bytes) or ICV2 (4 bytes), and input is limited to 2^31 bytes. EVP declares
 * less output space than a padded wrap needs, so that is not checked.
 * Wrong integrity and wrong lengths are one error, and the output is wiped.
 */
#include "aes_mode.h"

#include <limits.h>
#include <string.h>

#include "../provider/alglist.h"

#define SEMI 8                  /* bytes in a semiblock */
#define WRAP_MAX ((size_t)1 << 31)

struct wrap_mode {
    int padded, inverse;
};

static const unsigned char icv1[SEMI] = { 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6 };
static const unsigned char icv2[4] = { 0xa6, 0x59, 0x59, 0xa6 };

static const struct wrap_mode *wrap_mode_of(const struct wn_cipher_ctx *c)
{
    return c->desc->impl;
}

/* Which way round the block cipher runs: wrapping is "forward", or, for the
 * inverse forms, unwrapping is. */
static int forward(const struct wn_cipher_ctx *c)
{
    return wrap_mode_of(c)->inverse ? !c->enc : c->enc;
}

static int wrap_set_key(struct wn_cipher_ctx *c)
{
    return wn_aes_set_key(c->prov, wn_aes_key_of(c), c->key, c->desc->base.keylen, forward(c));
}

static int block(struct wn_cipher_ctx *c, unsigned char b[WN_AES_BLOCK])
{
    union wn_aes_key *k = wn_aes_key_of(c);

    if (!wn_aes_kernels())
        return wn_aes_soft_ecb(c->prov, &k->soft, forward(c), b, b, WN_AES_BLOCK);
    (forward(c) ? wn_accel.aes_ecb_enc : wn_accel.aes_ecb_dec)(k->hw.rk, k->hw.rounds, b, b, 1);
    return 1;
}

/* a ^= t, big-endian */
static void xor_step(unsigned char a[SEMI], uint64_t t)
{
    int i;

    for (i = SEMI - 1; t != 0; i--, t >>= 8)
        a[i] ^= (unsigned char)t;
}

/* W (6.1, Algorithm 1): a = first semiblock, r = the n others, in place. */
static int wrap_w(struct wn_cipher_ctx *c, unsigned char a[SEMI], unsigned char *r, size_t n)
{
    unsigned char b[WN_AES_BLOCK];
    uint64_t t = 1;
    size_t i;
    int j, ok = 1;

    memcpy(b, a, SEMI);
    for (j = 0; ok && j < 6; j++)
        for (i = 0; ok && i < n; i++, t++) {
            memcpy(b + SEMI, r + i * SEMI, SEMI);
            ok = block(c, b);
            xor_step(b, t);
            memcpy(r + i * SEMI, b + SEMI, SEMI);
        }
    memcpy(a, b, SEMI);
    wn_clear(b, sizeof(b));
    return ok;
}

/* Its inverse (6.1, Algorithm 2). */
static int wrap_w_inverse(struct wn_cipher_ctx *c, unsigned char a[SEMI], unsigned char *r,
                          size_t n)
{
    unsigned char b[WN_AES_BLOCK];
    uint64_t t = 6 * (uint64_t)n;
    size_t i;
    int j, ok = 1;

    memcpy(b, a, SEMI);
    for (j = 0; ok && j < 6; j++)
        for (i = n; ok && i > 0; i--, t--) {
            xor_step(b, t);
            memcpy(b + SEMI, r + (i - 1) * SEMI, SEMI);
            ok = block(c, b);
            memcpy(r + (i - 1) * SEMI, b + SEMI, SEMI);
        }
    memcpy(a, b, SEMI);
    wn_clear(b, sizeof(b));
    return ok;
}

/* Both return the output length, 0 on failure. out may be in. */
static size_t wrap(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                   size_t n)
{
    size_t padded = (n + SEMI - 1) / SEMI * SEMI;
    unsigned char a[SEMI];

    if (n > WRAP_MAX || (!wrap_mode_of(c)->padded && n < 2 * SEMI))
        return 0;
    memmove(out + SEMI, in, n);
    memset(out + SEMI + n, 0, padded - n);
    if (!wrap_mode_of(c)->padded) {
        memcpy(out, c->iv_set ? c->iv : icv1, SEMI);
    } else {
        memcpy(out, c->iv_set ? c->iv : icv2, sizeof(icv2));
        out[4] = (unsigned char)(n >> 24);
        out[5] = (unsigned char)(n >> 16);
        out[6] = (unsigned char)(n >> 8);
        out[7] = (unsigned char)n;
    }
    if (padded == SEMI)
        return block(c, out) ? WN_AES_BLOCK : 0;
    memcpy(a, out, SEMI);
    if (!wrap_w(c, a, out + SEMI, padded / SEMI))
        return 0;
    memcpy(out, a, SEMI);
    return SEMI + padded;
}

/* The checks of 6.3, Algorithm 6: length field and zero padding of n semiblocks;
 * returns the plaintext's length, 0 if any is wrong. */
static size_t padded_length(const unsigned char a[SEMI], const unsigned char *out, size_t n)
{
    size_t len = (size_t)a[4] << 24 | (size_t)a[5] << 16 | (size_t)a[6] << 8 | a[7], i;
    unsigned char rest = 0;

    if (len <= (n - 1) * SEMI || len > n * SEMI)
        return 0;
    for (i = len; i < n * SEMI; i++)
        rest |= out[i];
    return rest == 0 ? len : 0;
}

static size_t unwrap(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                     size_t n)
{
    const struct wrap_mode *m = wrap_mode_of(c);
    unsigned char a[WN_AES_BLOCK];
    size_t len = n - SEMI;
    int ok;

    if (n > WRAP_MAX + SEMI || (!m->padded && n < 3 * SEMI))
        return 0;
    if (n == 2 * SEMI) {
        memcpy(a, in, WN_AES_BLOCK);
        ok = block(c, a);
        memcpy(out, a + SEMI, SEMI);
    } else {
        memcpy(a, in, SEMI);
        memmove(out, in + SEMI, len);
        ok = wrap_w_inverse(c, a, out, len / SEMI);
    }
    if (m->padded)
        ok = ok && wn_memcmp_ct(a, c->iv_set ? c->iv : icv2, sizeof(icv2)) == 0;
    else
        ok = ok && wn_memcmp_ct(a, c->iv_set ? c->iv : icv1, SEMI) == 0;
    n = len;
    if (ok && m->padded)
        n = padded_length(a, out, len / SEMI);
    wn_clear(a, sizeof(a));
    if (!ok || n == 0) {
        wn_clear(out, len);
        return 0;
    }
    return n;
}

/* ---- EVP ------------------------------------------------------------------- */

static void *wrap_newctx(void *provctx, const struct wn_mode_desc *desc)
{
    struct wn_cipher_ctx *c = wn_cipher_newctx(provctx, desc);

    if (c != NULL)
        c->pad = (unsigned char)wrap_mode_of(c)->padded;
    return c;
}

static int wrap_init(void *vctx, const unsigned char *key, size_t keylen,
                     const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[], int enc)
{
    struct wn_cipher_ctx *c = vctx;

    c->updated = 0;
    c->enc = (unsigned char)enc;
    return (iv == NULL || wn_cipher_init_iv(c, iv, ivlen))
        && wn_cipher_init_key(c, key, keylen)
        && wn_cipher_set_fixed_params(c, params);
}

static int wrap_encrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                             const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return wrap_init(ctx, key, keylen, iv, ivlen, params, 1);
}

static int wrap_decrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                             const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return wrap_init(ctx, key, keylen, iv, ivlen, params, 0);
}

static int wrap_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                       const unsigned char *in, size_t inl)
{
    struct wn_cipher_ctx *c = vctx;
    int padded = wrap_mode_of(c)->padded, reason = 0;
    size_t len;

    if (inl == 0) {
        *outl = 0;
        return 1;
    }
    if (outsize < inl)
        reason = PROV_R_OUTPUT_BUFFER_TOO_SMALL;
    else if (in == NULL)
        reason = ERR_R_PASSED_NULL_PARAMETER;
    else if (inl > INT_MAX || ((!c->enc || !padded) && inl % SEMI != 0)
             || (!c->enc && inl < 2 * SEMI))
        reason = PROV_R_INVALID_INPUT_LENGTH;
    if (reason == 0 && out == NULL) {
        *outl = c->enc ? (inl + SEMI - 1) / SEMI * SEMI + SEMI : inl - SEMI;
        return 1;
    }
    /* From 4.0 on a second key needs a new init. */
    if (reason == 0 && c->updated && c->prov->core_version >= WN_CORE_VERSION(4, 0))
        reason = PROV_R_UPDATE_CALL_OUT_OF_ORDER;
    if (reason == 0 && !c->key_set)
        reason = PROV_R_NO_KEY_SET;
    if (reason == 0) {
        c->updated = 1;
        len = (c->enc ? wrap : unwrap)(c, out, in, inl);
        if (len > 0) {
            *outl = len;
            return 1;
        }
        reason = PROV_R_CIPHER_OPERATION_FAILED;
    }
    WN_RAISE(c->prov, reason);
    return 0;
}

static int wrap_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize)
{
    (void)ctx;
    (void)out;
    (void)outsize;
    *outl = 0;
    return 1;
}

/* Before 4.0 the list was that of CBC, whatever was taken. */
static const OSSL_PARAM *wrap_settable_ctx_params(void *ctx, void *vprov)
{
    const struct wn_prov *prov = vprov;

    return prov->core_version >= WN_CORE_VERSION(4, 0)
        ? wn_cipher_settable_fixed_params(ctx, vprov)
        : wn_cipher_settable_ctx_params(ctx, vprov);
}

#define WRAP_COMMON                                                          \
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_cipher_freectx),                \
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_cipher_dupctx),                   \
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, wrap_encrypt_init),      \
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, wrap_decrypt_init),      \
    WN_FN(CIPHER_UPDATE, cipher_update, wrap_update),                        \
    WN_FN(CIPHER_FINAL, cipher_final, wrap_final),                           \
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, wn_cipher_get_ctx_params), \
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params,            \
          wn_cipher_gettable_ctx_params),                                    \
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_cipher_set_fixed_params), \
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,            \
          wrap_settable_ctx_params)

static const struct wrap_mode wrap_kw = { 0, 0 }, wrap_kwp = { 1, 0 },
                              wrap_kw_inv = { 0, 1 }, wrap_kwp_inv = { 1, 1 };

#define WRAP(id, bits, iv, impl)                                             \
    static const struct wn_mode_desc aes##bits##_##id##_desc = {             \
        { EVP_CIPH_WRAP_MODE, WN_CIPHER_CUSTOM_IV, bits / 8, iv, SEMI },     \
        wn_aes_ctx_size, wrap_set_key, &impl                                 \
    };                                                                       \
    WN_CIPHER_TABLE(aes##bits##_##id, aes##bits##_##id##_desc, wrap_newctx,  \
                    aes##bits##_##id##_desc.base, WRAP_COMMON)
#define WRAPS(bits)                                                          \
    WRAP(wrap, bits, 8, wrap_kw);                                            \
    WRAP(wrap_pad, bits, 4, wrap_kwp);                                       \
    WRAP(wrap_inv, bits, 8, wrap_kw_inv);                                    \
    WRAP(wrap_pad_inv, bits, 4, wrap_kwp_inv);
WN_AES_EACH_SIZE(WRAPS)
