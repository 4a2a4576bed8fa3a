/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_CIPHER AES-128-CCM, AES-192-CCM, AES-256-CCM (NIST SP 800-38C),
 * provider-cipher(7), with the records of TLS 1.2 (RFC 6655).
 *
 * CCM needs the length of the text before the AAD (update with neither input
 * nor output tells it) and takes text and AAD in one piece each. A nonce stays
 * set until the tag was fetched (encryption) or was right (decryption).
 */
#include "aead.h"

#include <string.h>

#include "../provider/alglist.h"
#include "ccm.h"

#define MAX_NONCE 13

enum tag_state { TAG_NONE, TAG_EXPECTED, TAG_MADE };

struct wn_aes_ccm_ctx {
    const struct wn_prov *prov;
    const struct wn_cipher_desc *desc;
    size_t size;                /* bytes allocated */
    size_t len;                 /* of the text, if len_set */
    size_t tls_pad;             /* what a TLS record grows by */
    unsigned q, taglen;         /* q: 15 less the length of the nonce */
    unsigned char enc, key_set, iv_set, len_set;
    unsigned char done;         /* a message came to its end */
    unsigned char tag_state;
    unsigned char tls;          /* the next call is a record with tls_aad */
    unsigned char iv[16];
    unsigned char tag[WN_CCM_TAG];
    unsigned char tls_aad[EVP_AEAD_TLS1_AAD_LEN];
    struct wn_ccm ccm;          /* last: not all of it may be there */
};

/* ---- contexts ------------------------------------------------------------------------- */

static void *wn_aes_ccm_newctx(void *vprov, const struct wn_cipher_desc *desc)
{
    const struct wn_prov *prov = vprov;
    size_t size = offsetof(struct wn_aes_ccm_ctx, ccm) + wn_ccm_size();
    struct wn_aes_ccm_ctx *ctx = wn_ctx_new(prov, size);

    if (ctx == NULL)
        return NULL;
    ctx->prov = prov;
    ctx->desc = desc;
    ctx->size = size;
    ctx->q = 8;
    ctx->taglen = 12;
    return ctx;
}

static void wn_aes_ccm_freectx(void *vctx)
{
    struct wn_aes_ccm_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, ctx->size);
}

static void *wn_aes_ccm_dupctx(void *vctx)
{
    const struct wn_aes_ccm_ctx *ctx = vctx;
    struct wn_aes_ccm_ctx *copy = wn_ctx_new(ctx->prov, ctx->size);

    if (copy != NULL)
        memcpy(copy, ctx, ctx->size);
    return copy;
}

static size_t ivlen_of(const struct wn_aes_ccm_ctx *ctx)
{
    return 15 - ctx->q;
}

/* ---- the course of a message -------------------------------------------------------------- */

/* A message that was begun and not finished ends here, and its tag with it. */
static void ccm_abandon(struct wn_aes_ccm_ctx *ctx)
{
    if (ctx->len_set && ctx->tag_state == TAG_EXPECTED)
        ctx->tag_state = TAG_NONE;
    ctx->len_set = 0;
}

static int ccm_set_length(struct wn_aes_ccm_ctx *ctx, size_t len)
{
    if (!ctx->iv_set)
        return WN_AEAD_FAIL(ctx->prov, "no nonce set");
    if (!wn_ccm_start(&ctx->ccm, ctx->iv, ctx->q, ctx->taglen, len))
        return WN_AEAD_FAIL(ctx->prov, "more text than a nonce of this length allows");
    ctx->len = len;
    ctx->len_set = 1;
    return 1;
}

static int ccm_aad(struct wn_aes_ccm_ctx *ctx, const unsigned char *aad, size_t n)
{
    if (!ctx->iv_set)
        return WN_AEAD_FAIL(ctx->prov, "no nonce set");
    if (n == 0)
        return 1;
    if (!ctx->len_set)
        return WN_AEAD_FAIL(ctx->prov, "AAD before the length of the text");
    return wn_ccm_aad(&ctx->ccm, aad, n)
        || WN_AEAD_FAIL(ctx->prov, "AAD comes in one piece");
}

/* The text of a message: 1, 0 or WN_AEAD_WRONG_TAG. */
static int ccm_text(struct wn_aes_ccm_ctx *ctx, unsigned char *out, const unsigned char *in,
                    size_t n)
{
    unsigned char tag[WN_CCM_TAG];
    int ok;

    if (!ctx->enc && ctx->tag_state != TAG_EXPECTED) {
        WN_RAISE(ctx->prov, PROV_R_TAG_NOT_SET);
        return 0;
    }
    if (!ctx->len_set && !ccm_set_length(ctx, n))
        return 0;
    if (n != ctx->len)
        return WN_AEAD_FAIL(ctx->prov, "the text has not the length that was told");
    ok = wn_ccm_crypt(&ctx->ccm, ctx->enc, out, in, n, tag);
    ctx->len_set = 0;
    if (ok && ctx->enc) {
        memcpy(ctx->tag, tag, sizeof(tag));
        ctx->tag_state = TAG_MADE;
        ctx->done = 1;
        return 1;
    }
    ctx->tag_state = TAG_NONE;
    if (ok && wn_memcmp_ct(tag, ctx->tag, ctx->taglen) == 0) {
        ctx->iv_set = 0;
        ctx->done = 1;
        return 1;
    }
    wn_clear(out, n);
    return ok ? WN_AEAD_WRONG_TAG : WN_AEAD_FAIL(ctx->prov, "AES");
}

/* The end: processes an empty text if there was none, as OpenSSL 4.0 does. */
static int ccm_finish(struct wn_aes_ccm_ctx *ctx)
{
    unsigned char none = 0;

    if (!ctx->key_set)
        return WN_AEAD_FAIL(ctx->prov, "no key set");
    if (ctx->tls)
        return WN_AEAD_FAIL(ctx->prov, "a TLS record is due");
    if (!ctx->iv_set)
        return ctx->done || WN_AEAD_FAIL(ctx->prov, "no nonce set");
    if (ctx->enc && ctx->tag_state == TAG_MADE)
        return 1;
    return ccm_text(ctx, &none, &none, 0);
}

static int ccm_tls_record(struct wn_aes_ccm_ctx *ctx, unsigned char *out, size_t *outl,
                          const unsigned char *in, size_t n);

/* What an update does: 1, 0 or WN_AEAD_WRONG_TAG. *outl is 0 before. */
static int ccm_piece(struct wn_aes_ccm_ctx *ctx, unsigned char *out, size_t *outl,
                     const unsigned char *in, size_t n)
{
    int result;

    if (!ctx->key_set)
        return WN_AEAD_FAIL(ctx->prov, "no key set");
    if (ctx->tls)
        return ccm_tls_record(ctx, out, outl, in, n);
    if (in == NULL)
        result = out != NULL || ccm_set_length(ctx, n);
    else if (out == NULL)
        result = ccm_aad(ctx, in, n);
    else if (!ctx->iv_set)
        result = WN_AEAD_FAIL(ctx->prov, "no nonce set");
    else
        result = ccm_text(ctx, out, in, n);
    if (result == 1 && (in != NULL || out == NULL))
        *outl = n;
    return result;
}

/* ---- TLS 1.2 records, RFC 6655 -------------------------------------------------------------- */

/*
 * Takes the additional data of the next record, whose length field counts the
 * explicit nonce and, for decryption, the tag; both are taken off. 0: bad length.
 */
static int ccm_tls_aad(struct wn_aes_ccm_ctx *ctx, const unsigned char *aad, size_t n)
{
    size_t len, more = EVP_CCM_TLS_EXPLICIT_IV_LEN + (ctx->enc ? 0 : ctx->taglen);

    if (n != EVP_AEAD_TLS1_AAD_LEN)
        return 0;
    len = (size_t)aad[n - 2] << 8 | aad[n - 1];
    if (len < more)
        return 0;
    memcpy(ctx->tls_aad, aad, n);
    ctx->tls_aad[n - 2] = (unsigned char)((len - more) >> 8);
    ctx->tls_aad[n - 1] = (unsigned char)(len - more);
    ctx->tls = 1;
    ctx->tls_pad = ctx->taglen;
    return 1;
}

/* Explicit nonce (encrypting: the sequence number), payload, tag; in place. */
static int ccm_tls_record(struct wn_aes_ccm_ctx *ctx, unsigned char *out, size_t *outl,
                          const unsigned char *in, size_t n)
{
    const size_t explicit = EVP_CCM_TLS_EXPLICIT_IV_LEN, around = explicit + ctx->taglen;
    unsigned char tag[WN_CCM_TAG], *p;

    ctx->tls = 0;
    ccm_abandon(ctx);
    if (in == NULL || out != in || n < around)
        return WN_AEAD_FAIL(ctx->prov, "a TLS record is processed whole and in place");
    if (ctx->enc)
        memcpy(out, ctx->tls_aad, explicit);
    memcpy(ctx->iv + EVP_CCM_TLS_FIXED_IV_LEN, out, explicit);
    p = out + explicit;
    n -= around;
    if (!wn_ccm_start(&ctx->ccm, ctx->iv, ctx->q, ctx->taglen, n)
        || !wn_ccm_aad(&ctx->ccm, ctx->tls_aad, sizeof(ctx->tls_aad))
        || !wn_ccm_crypt(&ctx->ccm, ctx->enc, p, p, n, tag))
        return WN_AEAD_FAIL(ctx->prov, "TLS record");
    if (ctx->enc) {
        memcpy(p + n, tag, ctx->taglen);
        *outl = n + around;
        return 1;
    }
    if (wn_memcmp_ct(tag, p + n, ctx->taglen) != 0) {
        wn_clear(p, n);
        return WN_AEAD_WRONG_TAG;
    }
    *outl = n;
    return 1;
}

/* ---- EVP ---------------------------------------------------------------------------------------- */

static int wn_aes_ccm_set_ctx_params(void *vctx, const OSSL_PARAM params[]);

static int ccm_init(struct wn_aes_ccm_ctx *ctx, int enc, const unsigned char *key, size_t keylen,
                    const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    if (iv != NULL && ivlen != ivlen_of(ctx)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (key != NULL && keylen != ctx->desc->keylen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (ctx->enc != enc || key != NULL || iv != NULL)
        ccm_abandon(ctx);
    if (ctx->enc != enc || (iv != NULL && ctx->tag_state == TAG_MADE))
        ctx->tag_state = TAG_NONE;
    ctx->enc = (unsigned char)enc;
    if (key != NULL) {
        ctx->key_set = 0;
        if (!wn_ccm_set_key(ctx->prov, &ctx->ccm, key, keylen))
            return 0;
        ctx->key_set = 1;
    }
    if (iv != NULL) {
        memcpy(ctx->iv, iv, ivlen);
        ctx->iv_set = 1;
        ctx->done = 0;
    }
    return wn_params_empty(params) || wn_aes_ccm_set_ctx_params(ctx, params);
}

static int wn_aes_ccm_encrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                                   const unsigned char *iv, size_t ivlen,
                                   const OSSL_PARAM params[])
{
    return ccm_init(ctx, 1, key, keylen, iv, ivlen, params);
}

static int wn_aes_ccm_decrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                                   const unsigned char *iv, size_t ivlen,
                                   const OSSL_PARAM params[])
{
    return ccm_init(ctx, 0, key, keylen, iv, ivlen, params);
}

static int wn_aes_ccm_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                             const unsigned char *in, size_t inl)
{
    struct wn_aes_ccm_ctx *ctx = vctx;

    *outl = 0;
    if (outsize < inl) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    return wn_aead_updated(ctx->prov, ccm_piece(ctx, out, outl, in, inl));
}

static int wn_aes_ccm_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    (void)out;
    (void)outsize;
    *outl = 0;
    return ccm_finish(vctx) == 1;
}

/*
 * EVP_Cipher(). No input means the end; but before OpenSSL 4.0, with no output
 * either, it tells the length of the text.
 */
static int wn_aes_ccm_cipher(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                             const unsigned char *in, size_t inl)
{
    struct wn_aes_ccm_ctx *ctx = vctx;
    int tells_length = out == NULL
        && (inl > 0 || ctx->prov->core_version < WN_CORE_VERSION(4, 0));

    *outl = 0;
    if (in == NULL && !ctx->tls && !tells_length)
        return ccm_finish(ctx) == 1;
    if (outsize < inl) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (ccm_piece(ctx, out, outl, in, inl) != 1)
        return 0;
    *outl = inl;                /* of a TLS record too */
    return 1;
}

/* ---- parameters ---------------------------------------------------------------------------------- */

#define CCM_GET_4_0(P)                                                  \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)                           \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)                         \
    P(tag, octet_string, OSSL_CIPHER_PARAM_AEAD_TAG)                    \
    P(taglen, size_t, OSSL_CIPHER_PARAM_AEAD_TAGLEN)                    \
    P(iv, octet_string, OSSL_CIPHER_PARAM_IV)                           \
    P(updated_iv, octet_string, OSSL_CIPHER_PARAM_UPDATED_IV)           \
    P(pad, size_t, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)
WN_PARAMS(ccm_get, CCM_GET_4_0);

#define CCM_SET(P)                                                      \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_AEAD_IVLEN)                      \
    P(tag, octet_string, OSSL_CIPHER_PARAM_AEAD_TAG)                    \
    P(tls_aad, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)           \
    P(fixed, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED)
WN_PARAMS(ccm_set, CCM_SET);

static const OSSL_PARAM *wn_aes_ccm_gettable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return ccm_get_list;
}

static const OSSL_PARAM *wn_aes_ccm_settable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return ccm_set_list;
}

/* A caller with room for more than the nonce gets the buffer behind it too. */
static int ccm_give_iv(const struct wn_aes_ccm_ctx *ctx, OSSL_PARAM *p)
{
    size_t n = ivlen_of(ctx);

    if (p == NULL)
        return 1;
    if (p->data != NULL && n > p->data_size) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (p->data != NULL)
        n = p->data_size < sizeof(ctx->iv) ? p->data_size : sizeof(ctx->iv);
    return wn_param_give_octets(ctx->prov, p, ctx->iv, n);
}

/* The tag can be fetched once, and the nonce is used up with it. */
static int ccm_give_tag(struct wn_aes_ccm_ctx *ctx, OSSL_PARAM *p)
{
    if (p == NULL)
        return 1;
    if (!ctx->enc || ctx->tag_state != TAG_MADE) {
        WN_RAISE(ctx->prov, PROV_R_TAG_NOT_SET);
        return 0;
    }
    if (p->data_type != OSSL_PARAM_OCTET_STRING) {
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_SET_PARAMETER);
        return 0;
    }
    if (p->data == NULL)
        return wn_param_give_octets(ctx->prov, p, ctx->tag, ctx->taglen);
    if (p->data_size != ctx->taglen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_TAG_LENGTH);
        return 0;
    }
    ctx->tag_state = TAG_NONE;
    ctx->iv_set = 0;
    return wn_param_give_octets(ctx->prov, p, ctx->tag, ctx->taglen);
}

static int wn_aes_ccm_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_aes_ccm_ctx *ctx = vctx;
    const struct wn_prov *prov = ctx->prov;
    struct ccm_get p;

    return WN_PARAMS_SCAN(prov, ccm_get, params, &p)
        && wn_param_give_size_t(prov, p.ivlen, ivlen_of(ctx))
        && wn_param_give_size_t(prov, p.taglen, ctx->taglen)
        && ccm_give_iv(ctx, p.iv)
        && ccm_give_iv(ctx, p.updated_iv)
        && wn_param_give_size_t(prov, p.keylen, ctx->desc->keylen)
        && wn_param_give_size_t(prov, p.pad, ctx->tls_pad)
        && ccm_give_tag(ctx, p.tag);
}

static int ccm_check_tag(const struct wn_aes_ccm_ctx *ctx, const OSSL_PARAM *p)
{
    if (p == NULL)
        return 1;
    if (!wn_aead_octets(ctx->prov, p))
        return 0;
    if (p->data_size % 2 != 0 || p->data_size < 4 || p->data_size > WN_CCM_TAG) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_TAG_LENGTH);
        return 0;
    }
    if (p->data != NULL && ctx->enc) {
        WN_RAISE(ctx->prov, PROV_R_TAG_NOT_NEEDED);
        return 0;
    }
    return 1;
}

static void ccm_take_tag(struct wn_aes_ccm_ctx *ctx, const OSSL_PARAM *p)
{
    ctx->taglen = (unsigned)p->data_size;
    if (p->data == NULL)
        return;                 /* only the length is meant */
    memcpy(ctx->tag, p->data, p->data_size);
    ctx->tag_state = TAG_EXPECTED;
}

static int wn_aes_ccm_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_aes_ccm_ctx *ctx = vctx;
    size_t ivlen = ivlen_of(ctx);
    struct ccm_set p;

    if (!WN_PARAMS_SCAN(ctx->prov, ccm_set, params, &p) || !ccm_check_tag(ctx, p.tag)
        || !wn_param_take_size_t(ctx->prov, p.ivlen, &ivlen)
        || !wn_aead_octets(ctx->prov, p.tls_aad) || !wn_aead_octets(ctx->prov, p.fixed))
        return 0;
    if (ivlen < 7 || ivlen > MAX_NONCE
        || (p.fixed != NULL && (p.fixed->data == NULL
                                || p.fixed->data_size != EVP_CCM_TLS_FIXED_IV_LEN))) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (p.tag != NULL)
        ccm_take_tag(ctx, p.tag);
    if (ivlen != ivlen_of(ctx)) {
        ccm_abandon(ctx);
        ctx->q = (unsigned)(15 - ivlen);
        ctx->iv_set = 0;
    }
    if (p.tls_aad != NULL
        && (p.tls_aad->data == NULL
            || !ccm_tls_aad(ctx, p.tls_aad->data, p.tls_aad->data_size))) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DATA);
        return 0;
    }
    if (p.fixed != NULL)
        memcpy(ctx->iv, p.fixed->data, EVP_CCM_TLS_FIXED_IV_LEN);
    return 1;
}

#define CCM_COMMON                                                                     \
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_aes_ccm_freectx),                         \
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_aes_ccm_dupctx),                            \
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, wn_aes_ccm_encrypt_init),          \
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, wn_aes_ccm_decrypt_init),          \
    WN_FN(CIPHER_UPDATE, cipher_update, wn_aes_ccm_update),                            \
    WN_FN(CIPHER_FINAL, cipher_final, wn_aes_ccm_final),                               \
    WN_FN(CIPHER_CIPHER, cipher_cipher, wn_aes_ccm_cipher),                            \
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, wn_aes_ccm_get_ctx_params),    \
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_aes_ccm_set_ctx_params),    \
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params,                      \
          wn_aes_ccm_gettable_ctx_params),                                             \
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,                      \
          wn_aes_ccm_settable_ctx_params)

#define DEFINE_CCM(bits)                                                               \
    static const struct wn_cipher_desc aes##bits##_ccm_desc = {                         \
        EVP_CIPH_CCM_MODE, WN_CIPHER_AEAD | WN_CIPHER_CUSTOM_IV, (bits) / 8, 12, 1     \
    };                                                                                 \
    WN_CIPHER_TABLE(aes##bits##_ccm, aes##bits##_ccm_desc, wn_aes_ccm_newctx,            \
                    aes##bits##_ccm_desc, CCM_COMMON)

DEFINE_CCM(128);
DEFINE_CCM(192);
DEFINE_CCM(256);
