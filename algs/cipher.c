/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts of block and stream modes: initialisation, buffering, padding
 * (PKCS#7, RFC 5652 6.3) and parameters; see cipher.h.
 *
 * What an update will write is known before anything is done, so one that
 * fails for want of space has changed nothing. A context is used by one thread
 * at a time.
 */
#include "cipher.h"

#include <string.h>

/* ---- life ------------------------------------------------------------------ */

void *wn_cipher_newctx(void *provctx, const struct wn_mode_desc *desc)
{
    const struct wn_prov *prov = provctx;
    size_t size = desc->ctx_size();
    struct wn_cipher_ctx *ctx = wn_ctx_new(prov, size);

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->desc = desc;
        ctx->size = size;
        ctx->pad = 1;
    }
    return ctx;
}

void wn_cipher_freectx(void *vctx)
{
    struct wn_cipher_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, ctx->size);
}

void *wn_cipher_dupctx(void *vctx)
{
    const struct wn_cipher_ctx *ctx = vctx;
    struct wn_cipher_ctx *copy = wn_ctx_new(ctx->prov, ctx->size);

    if (copy == NULL)
        return NULL;
    memcpy(copy, ctx, ctx->size);
    if (ctx->tlsmac == ctx->tlsmac_buf)
        copy->tlsmac = copy->tlsmac_buf;
    return copy;
}

/* ---- initialisation -------------------------------------------------------- */

int wn_cipher_init_iv(struct wn_cipher_ctx *ctx, const unsigned char *iv, size_t ivlen)
{
    if (ivlen != ctx->desc->base.ivlen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    memcpy(ctx->iv, iv, ivlen);
    memcpy(ctx->oiv, iv, ivlen);
    ctx->iv_set = 1;
    return 1;
}

int wn_cipher_init_key(struct wn_cipher_ctx *ctx, const unsigned char *key, size_t keylen)
{
    if (key != NULL) {
        if (keylen != ctx->desc->base.keylen) {
            WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
            return 0;
        }
        memcpy(ctx->key, key, keylen);
        ctx->key_set = 1;
    } else if (!ctx->key_set || ctx->key_enc == ctx->enc) {
        return 1;
    }
    /* a new key, or the old one in the other direction */
    ctx->key_enc = ctx->enc;
    ctx->key_set = (unsigned char)ctx->desc->set_key(ctx);
    return ctx->key_set;
}

static int wn_cipher_init(struct wn_cipher_ctx *ctx, const unsigned char *key, size_t keylen,
                          const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[], int enc)
{
    unsigned mode = ctx->desc->base.mode;

    ctx->num = 0;
    ctx->bufsz = 0;
    ctx->updated = 0;
    ctx->enc = (unsigned char)enc;
    if (mode != EVP_CIPH_ECB_MODE) {
        if (iv != NULL) {
            if (!wn_cipher_init_iv(ctx, iv, ivlen))
                return 0;
        } else if (ctx->iv_set && mode != EVP_CIPH_CTR_MODE) {
            memcpy(ctx->iv, ctx->oiv, sizeof(ctx->iv));
        }
    }
    return wn_cipher_init_key(ctx, key, keylen)
        && (params == NULL || wn_cipher_set_ctx_params(ctx, params));
}

int wn_cipher_encrypt_init(void *vctx, const unsigned char *key, size_t keylen,
                           const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return wn_cipher_init(vctx, key, keylen, iv, ivlen, params, 1);
}

int wn_cipher_decrypt_init(void *vctx, const unsigned char *key, size_t keylen,
                           const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return wn_cipher_init(vctx, key, keylen, iv, ivlen, params, 0);
}

/* ---- data ------------------------------------------------------------------ */

/* The common conditions of all calls that take data. */
static int ready(const struct wn_cipher_ctx *ctx, const unsigned char *out, size_t need,
                 size_t outsize, const unsigned char *in, size_t inl)
{
    if (outsize < need) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if ((in == NULL && inl > 0) || (out == NULL && need > 0)) {
        WN_RAISE(ctx->prov, ERR_R_PASSED_NULL_PARAMETER);
        return 0;
    }
    return 1;
}

static int has_key(const struct wn_cipher_ctx *ctx)
{
    if (!ctx->key_set)
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
    return ctx->key_set;
}

int wn_cipher_block_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                           const unsigned char *in, size_t inl)
{
    struct wn_cipher_ctx *ctx = vctx;
    size_t block = ctx->desc->base.block, have = ctx->bufsz + inl, now, take;

    if (!has_key(ctx))
        return 0;
    if (ctx->tlsversion != 0)
        return wn_cipher_tls_record(ctx, out, outl, outsize, in, inl);

    /* A padded message's last block waits for final: it may hold the padding. */
    now = have - (have > 0 && !ctx->enc && ctx->pad);
    now -= now & (block - 1);
    if (!ready(ctx, out, now, outsize, in, inl))
        return 0;
    *outl = now;
    if (now > 0 && ctx->bufsz > 0) {
        take = block - ctx->bufsz;
        if (take > 0)
            memcpy(ctx->buf + ctx->bufsz, in, take);
        ctx->bufsz = 0;
        in += take;
        inl -= take;
        if (!ctx->run(ctx, out, ctx->buf, block))
            return 0;
        out += block;
        now -= block;
    }
    if (now > 0 && !ctx->run(ctx, out, in, now))
        return 0;
    if (inl > now) {
        memcpy(ctx->buf + ctx->bufsz, in + now, inl - now);
        ctx->bufsz += (unsigned)(inl - now);
    }
    return 1;
}

static int encrypt_final(struct wn_cipher_ctx *ctx, unsigned char *out, size_t *outl,
                         size_t outsize)
{
    unsigned block = (unsigned)ctx->desc->base.block, left = block - ctx->bufsz;

    if (!ctx->pad && ctx->bufsz != 0) {
        WN_RAISE(ctx->prov, PROV_R_WRONG_FINAL_BLOCK_LENGTH);
        return 0;
    }
    if (!ctx->pad) {
        *outl = 0;
        return 1;
    }
    if (!ready(ctx, out, block, outsize, ctx->buf, 0))
        return 0;
    memset(ctx->buf + ctx->bufsz, (int)left, left);
    ctx->bufsz = 0;
    *outl = block;
    return ctx->run(ctx, out, ctx->buf, block);
}

/*
 * The length of the block without its padding, or > block if the padding is
 * wrong. Time does not depend on the bytes (whether they were right shows in
 * the caller's result all the same).
 */
static unsigned unpad(const unsigned char *buf, unsigned block)
{
    unsigned pad = buf[block - 1], bad, i;

    bad = (pad - 1) >> 8 | (block - pad) >> 8;          /* 1 <= pad <= block */
    for (i = 0; i < block; i++)
        bad |= (i - pad) >> 8 & (buf[block - 1 - i] ^ pad);
    return (block - pad) | (0u - bad) >> 31 << 8;
}

static int decrypt_final(struct wn_cipher_ctx *ctx, unsigned char *out, size_t *outl,
                         size_t outsize)
{
    unsigned block = (unsigned)ctx->desc->base.block, len = block;
    unsigned char last[WN_CIPHER_MAX_BLOCK];
    int ok = 0;

    if (ctx->bufsz == 0 && !ctx->pad) {
        *outl = 0;
        return 1;
    }
    if (ctx->bufsz != block) {
        WN_RAISE(ctx->prov, PROV_R_WRONG_FINAL_BLOCK_LENGTH);
        return 0;
    }
    if (ctx->run(ctx, last, ctx->buf, block)) {
        if (ctx->pad)
            len = unpad(last, block);
        if (len > block) {
            WN_RAISE(ctx->prov, PROV_R_BAD_DECRYPT);
        } else if (ready(ctx, out, len, outsize, last, 0)) {
            if (len > 0)
                memcpy(out, last, len);
            ctx->bufsz = 0;
            *outl = len;
            ok = 1;
        }
    }
    wn_clear(last, sizeof(last));
    return ok;
}

int wn_cipher_block_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_cipher_ctx *ctx = vctx;

    if (!has_key(ctx))
        return 0;
    if (ctx->tlsversion != 0) {
        /* records are complete in themselves */
        WN_RAISE(ctx->prov, PROV_R_CIPHER_OPERATION_FAILED);
        return 0;
    }
    return ctx->enc ? encrypt_final(ctx, out, outl, outsize)
                    : decrypt_final(ctx, out, outl, outsize);
}

int wn_cipher_stream_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                            const unsigned char *in, size_t inl)
{
    struct wn_cipher_ctx *ctx = vctx;

    if (!has_key(ctx))
        return 0;
    if (inl == 0) {
        *outl = 0;
        return 1;
    }
    if (!ready(ctx, out, inl, outsize, in, inl) || !ctx->run(ctx, out, in, inl))
        return 0;
    *outl = inl;
    if (ctx->tlsversion != 0 && !ctx->enc && ctx->tlsmacsize > 0) {
        /* no padding, so the MAC's place is no secret */
        if (inl < ctx->tlsmacsize) {
            WN_RAISE(ctx->prov, PROV_R_CIPHER_OPERATION_FAILED);
            return 0;
        }
        *outl = inl - ctx->tlsmacsize;
        ctx->tlsmac = out + *outl;
    }
    return 1;
}

int wn_cipher_stream_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    const struct wn_cipher_ctx *ctx = vctx;

    (void)out;
    (void)outsize;
    if (!has_key(ctx))
        return 0;
    *outl = 0;
    return 1;
}

/* EVP_Cipher(): no buffering and no padding. */
int wn_cipher_cipher(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                     const unsigned char *in, size_t inl)
{
    struct wn_cipher_ctx *ctx = vctx;
    size_t rest = inl & (ctx->desc->base.block - 1);

    if (!has_key(ctx) || !ready(ctx, out, inl, outsize, in, inl))
        return 0;
    if (rest != 0 && ctx->desc->base.mode != EVP_CIPH_ECB_MODE) {
        WN_RAISE(ctx->prov, PROV_R_WRONG_FINAL_BLOCK_LENGTH);
        return 0;
    }
    if (inl > rest && !ctx->run(ctx, out, in, inl - rest))
        return 0;
    *outl = inl;
    return 1;
}

/* ---- parameters ------------------------------------------------------------ */

#define CIPHER_CTX_GET(P)                                   \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)             \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)               \
    P(padding, uint, OSSL_CIPHER_PARAM_PADDING)             \
    P(num, uint, OSSL_CIPHER_PARAM_NUM)                     \
    P(iv, octet_string, OSSL_CIPHER_PARAM_IV)               \
    P(updated_iv, octet_string, OSSL_CIPHER_PARAM_UPDATED_IV) \
    P(tls_mac, octet_ptr, OSSL_CIPHER_PARAM_TLS_MAC)
WN_PARAMS(cipher_ctx_get, CIPHER_CTX_GET);

#define CIPHER_CTX_SET(P)                                   \
    P(padding, uint, OSSL_CIPHER_PARAM_PADDING)             \
    P(num, uint, OSSL_CIPHER_PARAM_NUM)                     \
    P(use_bits, uint, OSSL_CIPHER_PARAM_USE_BITS)           \
    P(tls_version, uint, OSSL_CIPHER_PARAM_TLS_VERSION)     \
    P(tls_mac_size, size_t, OSSL_CIPHER_PARAM_TLS_MAC_SIZE)
WN_PARAMS(cipher_ctx_set, CIPHER_CTX_SET);

const OSSL_PARAM *wn_cipher_gettable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return cipher_ctx_get_list;
}

const OSSL_PARAM *wn_cipher_settable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return cipher_ctx_set_list;
}

/* A pointer, and NULL before there was a record. */
static int give_tls_mac(const struct wn_cipher_ctx *ctx, OSSL_PARAM *p)
{
    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_PTR) {
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_SET_PARAMETER);
        return 0;
    }
    p->return_size = ctx->tlsmacsize;
    if (p->data != NULL)
        *(const void **)p->data = ctx->tlsmac;
    return 1;
}

int wn_cipher_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_cipher_ctx *ctx = vctx;
    const struct wn_prov *prov = ctx->prov;
    const struct wn_cipher_desc *desc = &ctx->desc->base;
    struct cipher_ctx_get p;

    return WN_PARAMS_SCAN(prov, cipher_ctx_get, params, &p)
        && wn_param_give_size_t(prov, p.keylen, desc->keylen)
        && wn_param_give_size_t(prov, p.ivlen, desc->ivlen)
        && wn_param_give_uint(prov, p.padding, ctx->pad)
        && wn_param_give_uint(prov, p.num, ctx->num)
        && wn_param_give_octets(prov, p.iv, ctx->oiv, desc->ivlen)
        && wn_param_give_octets(prov, p.updated_iv, ctx->iv, desc->ivlen)
        && give_tls_mac(ctx, p.tls_mac);
}

int wn_cipher_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_cipher_ctx *ctx = vctx;
    const struct wn_prov *prov = ctx->prov;
    unsigned pad = ctx->pad, bits = ctx->use_bits, num = ctx->num, version = ctx->tlsversion;
    size_t macsize = ctx->tlsmacsize;
    const struct wn_cipher_desc *desc = &ctx->desc->base;
    size_t limit = desc->block > 1 ? desc->block : desc->ivlen;
    struct cipher_ctx_set p;

    if (!WN_PARAMS_SCAN(prov, cipher_ctx_set, params, &p)
        || !wn_param_take_uint(prov, p.padding, &pad)
        || !wn_param_take_uint(prov, p.use_bits, &bits)
        || !wn_param_take_uint(prov, p.tls_version, &version)
        || !wn_param_take_size_t(prov, p.tls_mac_size, &macsize)
        || !wn_param_take_uint(prov, p.num, &num))
        return 0;
    if (num >= limit) {
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return 0;
    }
    ctx->pad = pad != 0;
    ctx->use_bits = bits != 0;
    ctx->num = num;
    ctx->tlsversion = version;
    ctx->tlsmacsize = macsize;
    return 1;
}

/* XTS and WRAP take a key length only to refuse another than theirs. */
#define CIPHER_FIXED_SET(P) P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)
WN_PARAMS(cipher_fixed_set, CIPHER_FIXED_SET);

const OSSL_PARAM *wn_cipher_settable_fixed_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return cipher_fixed_set_list;
}

int wn_cipher_set_fixed_params(void *vctx, const OSSL_PARAM params[])
{
    const struct wn_cipher_ctx *ctx = vctx;
    size_t keylen = ctx->desc->base.keylen;
    struct cipher_fixed_set p;

    if (!WN_PARAMS_SCAN(ctx->prov, cipher_fixed_set, params, &p)
        || !wn_param_take_size_t(ctx->prov, p.keylen, &keylen))
        return 0;
    if (keylen != ctx->desc->base.keylen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    return 1;
}
