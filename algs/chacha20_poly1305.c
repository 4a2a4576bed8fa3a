/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_CIPHER ChaCha20-Poly1305 (RFC 8439), provider-cipher(7), with the records
 * of TLS 1.2 (RFC 7905).
 *
 * A nonce serves one message. TLS records make theirs from the one that was
 * given and a sequence number, so for them it stays.
 */
#include "aead.h"

#include <string.h>

#include "../provider/alglist.h"
#include "chapoly.h"

enum msg_state { MSG_NONE, MSG_READY, MSG_STARTED, MSG_DONE };
enum tag_state { TAG_NONE, TAG_EXPECTED, TAG_MADE };

#define NO_TLS SIZE_MAX

struct wn_chapoly_ctx {
    const struct wn_prov *prov;
    size_t size;                /* bytes allocated */
    size_t taglen;              /* of the expected tag; 0: never set */
    size_t tls_pad;             /* what a TLS record grows by */
    size_t tls_len;             /* payload of the record that is due, or NO_TLS */
    unsigned char enc, key_set, nonce_set;
    unsigned char state, tag_state;
    unsigned char key[WN_CHACHA_KEY], nonce[WN_CHAPOLY_NONCE];
    unsigned char tag[WN_CHAPOLY_TAG];
    unsigned char tls_aad[EVP_AEAD_TLS1_AAD_LEN];
    union wn_chapoly_state c;   /* last: not all of it may be there */
};

/* ---- contexts ------------------------------------------------------------------------ */

static void *wn_chapoly_newctx(void *vprov, const struct wn_cipher_desc *desc)
{
    const struct wn_prov *prov = vprov;
    size_t size = offsetof(struct wn_chapoly_ctx, c) + wn_chapoly_size();
    struct wn_chapoly_ctx *ctx = wn_ctx_new(prov, size);

    (void)desc;
    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->size = size;
        ctx->tls_len = NO_TLS;
    }
    return ctx;
}

static void wn_chapoly_freectx(void *vctx)
{
    struct wn_chapoly_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, ctx->size);
}

static void *wn_chapoly_dupctx(void *vctx)
{
    const struct wn_chapoly_ctx *ctx = vctx;
    struct wn_chapoly_ctx *copy = wn_ctx_new(ctx->prov, ctx->size);

    if (copy != NULL)
        memcpy(copy, ctx, ctx->size);
    return copy;
}

/* ---- the course of a message ----------------------------------------------------------- */

/* A message that was begun and not finished ends here, and its tag with it. */
static void chapoly_abandon(struct wn_chapoly_ctx *ctx)
{
    if (ctx->state != MSG_STARTED)
        return;
    ctx->state = MSG_DONE;
    ctx->tag_state = TAG_NONE;
}

static void chapoly_set_nonce(struct wn_chapoly_ctx *ctx, const unsigned char *nonce)
{
    chapoly_abandon(ctx);
    memcpy(ctx->nonce, nonce, sizeof(ctx->nonce));
    ctx->nonce_set = 1;
    ctx->state = MSG_READY;
}

/* Makes sure that a message is under way. */
static int chapoly_begin(struct wn_chapoly_ctx *ctx)
{
    if (ctx->state == MSG_STARTED)
        return 1;
    if (!ctx->key_set)
        return WN_AEAD_FAIL(ctx->prov, "no key set");
    if (ctx->state == MSG_NONE)
        return WN_AEAD_FAIL(ctx->prov, "no nonce set");
    if (ctx->state == MSG_DONE)
        return WN_AEAD_FAIL(ctx->prov, "the nonce was used for an earlier message");
    wn_chapoly_start(&ctx->c, ctx->key, ctx->nonce);
    ctx->state = MSG_STARTED;
    if (ctx->tag_state == TAG_MADE)
        ctx->tag_state = TAG_NONE;
    return 1;
}

/* One piece of AAD (out NULL) or of text. */
static int chapoly_piece(struct wn_chapoly_ctx *ctx, unsigned char *out, const unsigned char *in,
                         size_t n)
{
    if (in == NULL)
        return WN_AEAD_FAIL(ctx->prov, "no input");
    if (!chapoly_begin(ctx))
        return 0;
    if (out == NULL)
        return wn_chapoly_aad(&ctx->c, in, n)
            || WN_AEAD_FAIL(ctx->prov, "AAD after text, or too much of it");
    return wn_chapoly_crypt(&ctx->c, ctx->enc, out, in, n)
        || WN_AEAD_FAIL(ctx->prov, "more text than ChaCha20-Poly1305 allows");
}

/* Makes the tag, or compares it: 1, 0 or WN_AEAD_WRONG_TAG. */
static int chapoly_finish(struct wn_chapoly_ctx *ctx)
{
    unsigned char computed[WN_CHAPOLY_TAG];

    if (ctx->tls_len != NO_TLS)
        return WN_AEAD_FAIL(ctx->prov, "a TLS record is due");
    if (!chapoly_begin(ctx))
        return 0;
    if (!ctx->enc && ctx->tag_state != TAG_EXPECTED) {
        WN_RAISE(ctx->prov, PROV_R_TAG_NOT_SET);
        return 0;
    }
    ctx->state = MSG_DONE;
    if (ctx->enc) {
        wn_chapoly_tag(&ctx->c, ctx->tag);
        ctx->tag_state = TAG_MADE;
        return 1;
    }
    ctx->tag_state = TAG_NONE;
    wn_chapoly_tag(&ctx->c, computed);
    return wn_memcmp_ct(computed, ctx->tag, ctx->taglen) == 0 ? 1 : WN_AEAD_WRONG_TAG;
}

/* ---- TLS 1.2 records, RFC 7905 ----------------------------------------------------------- */

/*
 * Takes the additional data of the next record, whose length field counts the tag
 * for decryption; it is taken off. 0: bad length.
 */
static int chapoly_tls_aad(struct wn_chapoly_ctx *ctx, const unsigned char *aad, size_t n)
{
    size_t len, more = ctx->enc ? 0 : WN_CHAPOLY_TAG;

    if (n != EVP_AEAD_TLS1_AAD_LEN)
        return 0;
    len = (size_t)aad[n - 2] << 8 | aad[n - 1];
    if (len < more)
        return 0;
    memcpy(ctx->tls_aad, aad, n);
    ctx->tls_len = len - more;
    ctx->tls_aad[n - 2] = (unsigned char)(ctx->tls_len >> 8);
    ctx->tls_aad[n - 1] = (unsigned char)ctx->tls_len;
    ctx->tls_pad = WN_CHAPOLY_TAG;
    return 1;
}

/* Begins a record: the nonce is the one given, xored with the sequence number. */
static void chapoly_tls_start(struct wn_chapoly_ctx *ctx)
{
    unsigned char nonce[WN_CHAPOLY_NONCE];
    size_t i;

    memcpy(nonce, ctx->nonce, sizeof(nonce));
    for (i = 0; i < 8; i++)
        nonce[4 + i] ^= ctx->tls_aad[i];
    wn_chapoly_start(&ctx->c, ctx->key, nonce);
}

/* Payload and tag: one record. *outl: encrypted the whole, decrypted the payload. */
static int chapoly_tls_record(struct wn_chapoly_ctx *ctx, unsigned char *out, size_t *outl,
                              const unsigned char *in, size_t n)
{
    size_t len = ctx->tls_len;
    unsigned char computed[WN_CHAPOLY_TAG];

    ctx->tls_len = NO_TLS;
    chapoly_abandon(ctx);
    if (!ctx->key_set || !ctx->nonce_set)
        return WN_AEAD_FAIL(ctx->prov, "no key or no nonce set");
    if (out == NULL || in == NULL || n != len + WN_CHAPOLY_TAG)
        return WN_AEAD_FAIL(ctx->prov, "a TLS record is processed whole");
    chapoly_tls_start(ctx);
    ctx->state = MSG_DONE;
    ctx->tag_state = TAG_NONE;
    if (!wn_chapoly_aad(&ctx->c, ctx->tls_aad, sizeof(ctx->tls_aad))
        || !wn_chapoly_crypt(&ctx->c, ctx->enc, out, in, len))
        return WN_AEAD_FAIL(ctx->prov, "TLS record");
    if (ctx->enc) {
        wn_chapoly_tag(&ctx->c, out + len);
        *outl = n;
        return 1;
    }
    wn_chapoly_tag(&ctx->c, computed);
    if (wn_memcmp_ct(computed, in + len, sizeof(computed)) != 0) {
        wn_clear(out, len);
        return WN_AEAD_WRONG_TAG;
    }
    *outl = len;
    return 1;
}

/* ---- EVP ------------------------------------------------------------------------------------ */

static int wn_chapoly_set_ctx_params(void *vctx, const OSSL_PARAM params[]);

static int chapoly_init(struct wn_chapoly_ctx *ctx, int enc, const unsigned char *key,
                        size_t keylen, const unsigned char *iv, size_t ivlen,
                        const OSSL_PARAM params[])
{
    if (iv != NULL && ivlen != WN_CHAPOLY_NONCE) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (key != NULL && keylen != WN_CHACHA_KEY) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (ctx->enc != enc || key != NULL)
        chapoly_abandon(ctx);
    if (ctx->enc != enc) {
        ctx->enc = (unsigned char)enc;
        ctx->tag_state = TAG_NONE;
    }
    if (key != NULL) {
        memcpy(ctx->key, key, keylen);
        ctx->key_set = 1;
    }
    if (iv != NULL)
        chapoly_set_nonce(ctx, iv);
    if (key != NULL || iv != NULL)
        ctx->tls_len = NO_TLS;
    return wn_params_empty(params) || wn_chapoly_set_ctx_params(ctx, params);
}

static int wn_chapoly_encrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                                   const unsigned char *iv, size_t ivlen,
                                   const OSSL_PARAM params[])
{
    return chapoly_init(ctx, 1, key, keylen, iv, ivlen, params);
}

static int wn_chapoly_decrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                                   const unsigned char *iv, size_t ivlen,
                                   const OSSL_PARAM params[])
{
    return chapoly_init(ctx, 0, key, keylen, iv, ivlen, params);
}

/* Also EVP_Cipher(), for which no input means the end. */
static int wn_chapoly_cipher(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                             const unsigned char *in, size_t inl)
{
    struct wn_chapoly_ctx *ctx = vctx;

    *outl = 0;
    if (outsize < inl) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (ctx->tls_len != NO_TLS)
        return chapoly_tls_record(ctx, out, outl, in, inl) == 1;
    if (in == NULL && inl == 0)
        return chapoly_finish(ctx) == 1;
    if (!chapoly_piece(ctx, out, in, inl))
        return 0;
    *outl = inl;
    return 1;
}

static int wn_chapoly_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                             const unsigned char *in, size_t inl)
{
    *outl = 0;
    return inl == 0 || wn_chapoly_cipher(vctx, out, outl, outsize, in, inl);
}

static int wn_chapoly_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    (void)out;
    (void)outsize;
    *outl = 0;
    return chapoly_finish(vctx) == 1;
}

/* ---- parameters ----------------------------------------------------------------------------- */

#define CHAPOLY_GET(P)                                      \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)               \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)             \
    P(tag, octet_string, OSSL_CIPHER_PARAM_AEAD_TAG)        \
    P(taglen, size_t, OSSL_CIPHER_PARAM_AEAD_TAGLEN)        \
    P(pad, size_t, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)
WN_PARAMS(chapoly_get, CHAPOLY_GET);

#define CHAPOLY_SET(P)                                      \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)             \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)               \
    P(tag, octet_string, OSSL_CIPHER_PARAM_AEAD_TAG)        \
    P(tls_aad, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD) \
    P(fixed, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED)
WN_PARAMS(chapoly_set, CHAPOLY_SET);

static const OSSL_PARAM *wn_chapoly_gettable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return chapoly_get_list;
}

static const OSSL_PARAM *wn_chapoly_settable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return chapoly_set_list;
}

static int chapoly_give_tag(const struct wn_chapoly_ctx *ctx, OSSL_PARAM *p)
{
    size_t n;

    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING) {
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_SET_PARAMETER);
        return 0;
    }
    if (ctx->tag_state != TAG_MADE) {
        WN_RAISE(ctx->prov, PROV_R_TAG_NOT_SET);
        return 0;
    }
    n = p->data == NULL ? WN_CHAPOLY_TAG : p->data_size;
    if (n == 0 || n > WN_CHAPOLY_TAG) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_TAG_LENGTH);
        return 0;
    }
    return wn_param_give_octets(ctx->prov, p, ctx->tag, n);
}

static int wn_chapoly_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_chapoly_ctx *ctx = vctx;
    const struct wn_prov *prov = ctx->prov;
    struct chapoly_get p;

    return WN_PARAMS_SCAN(prov, chapoly_get, params, &p)
        && wn_param_give_size_t(prov, p.ivlen, WN_CHAPOLY_NONCE)
        && wn_param_give_size_t(prov, p.keylen, WN_CHACHA_KEY)
        && wn_param_give_size_t(prov, p.taglen, ctx->taglen)
        && wn_param_give_size_t(prov, p.pad, ctx->tls_pad)
        && chapoly_give_tag(ctx, p.tag);
}

static int chapoly_check_lengths(const struct wn_prov *prov, const struct chapoly_set *p)
{
    size_t keylen = WN_CHACHA_KEY, ivlen = WN_CHAPOLY_NONCE;

    if (!wn_param_take_size_t(prov, p->keylen, &keylen)
        || !wn_param_take_size_t(prov, p->ivlen, &ivlen))
        return 0;
    if (keylen != WN_CHACHA_KEY) {
        WN_RAISE(prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (ivlen != WN_CHAPOLY_NONCE) {
        WN_RAISE(prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    return 1;
}

static int chapoly_check_tag(const struct wn_chapoly_ctx *ctx, const OSSL_PARAM *p)
{
    if (p == NULL)
        return 1;
    if (p->data_size == 0 || p->data_size > WN_CHAPOLY_TAG) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_TAG_LENGTH);
        return 0;
    }
    if (p->data != NULL && ctx->enc) {
        WN_RAISE(ctx->prov, PROV_R_TAG_NOT_NEEDED);
        return 0;
    }
    return 1;
}

static int wn_chapoly_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_chapoly_ctx *ctx = vctx;
    struct chapoly_set p;

    if (!WN_PARAMS_SCAN(ctx->prov, chapoly_set, params, &p)
        || !chapoly_check_lengths(ctx->prov, &p)
        || !wn_aead_octets(ctx->prov, p.tag) || !wn_aead_octets(ctx->prov, p.tls_aad)
        || !wn_aead_octets(ctx->prov, p.fixed) || !chapoly_check_tag(ctx, p.tag))
        return 0;
    if (p.fixed != NULL && (p.fixed->data == NULL || p.fixed->data_size != WN_CHAPOLY_NONCE)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (p.tls_aad != NULL
        && (p.tls_aad->data == NULL
            || !chapoly_tls_aad(ctx, p.tls_aad->data, p.tls_aad->data_size))) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DATA);
        return 0;
    }
    if (p.tag != NULL) {
        ctx->taglen = p.tag->data_size;
        /* no data: only the length is meant */
        if (p.tag->data != NULL) {
            memcpy(ctx->tag, p.tag->data, ctx->taglen);
            ctx->tag_state = TAG_EXPECTED;
        }
    }
    if (p.fixed != NULL)
        chapoly_set_nonce(ctx, p.fixed->data);
    return 1;
}

static const struct wn_cipher_desc chacha20_poly1305_desc = {
    0, WN_CIPHER_AEAD | WN_CIPHER_CUSTOM_IV, WN_CHACHA_KEY, WN_CHAPOLY_NONCE, 1
};

WN_CIPHER_TABLE(chacha20_poly1305, chacha20_poly1305_desc, wn_chapoly_newctx,
                chacha20_poly1305_desc,
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_chapoly_freectx),
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_chapoly_dupctx),
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, wn_chapoly_encrypt_init),
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, wn_chapoly_decrypt_init),
    WN_FN(CIPHER_UPDATE, cipher_update, wn_chapoly_update),
    WN_FN(CIPHER_FINAL, cipher_final, wn_chapoly_final),
    WN_FN(CIPHER_CIPHER, cipher_cipher, wn_chapoly_cipher),
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, wn_chapoly_get_ctx_params),
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_chapoly_set_ctx_params),
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params, wn_chapoly_gettable_ctx_params),
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,
          wn_chapoly_settable_ctx_params));
