/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_CIPHER AES-128-GCM, AES-192-GCM, AES-256-GCM (NIST SP 800-38D),
 * provider-cipher(7), with the IV constructions of section 8.2 and the records
 * of TLS 1.2 (RFC 5288).
 *
 * An IV lives through the states below. It is given to the mode when the
 * message begins, so that what changes it in between takes effect, and it is
 * not used for a second message.
 */
#include "aead.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/rng.h"
#include "gcm.h"

#define MAX_IV 128
#define MIN_RANDOM_IV 12        /* SP 800-38D section 8.2.2: at least 96 bits */
#define INVOCATION 8            /* bytes of an IV that IV_GEN counts up */

enum iv_state { IV_NONE, IV_SET, IV_STARTED, IV_USED };
enum tag_state { TAG_NONE, TAG_EXPECTED, TAG_MADE };

struct wn_aes_gcm_ctx {
    const struct wn_prov *prov;
    const struct wn_cipher_desc *desc;
    size_t size;                /* bytes allocated */
    size_t ivlen, taglen;
    size_t tls_pad;             /* what a TLS record grows by */
    uint64_t tls_records;       /* encrypted with this key */
    unsigned char enc, key_set;
    unsigned char iv_state, tag_state;
    unsigned char iv_gen;       /* a fixed field was set: IV_GEN may count */
    unsigned char iv_random;    /* drawn, not given */
    unsigned char tls;          /* the next call is a record with tls_aad */
    unsigned char iv[MAX_IV];
    unsigned char tag[WN_GCM_TAG];
    unsigned char tls_aad[EVP_AEAD_TLS1_AAD_LEN];
    union wn_gcm_state gcm;     /* last: not all of it may be there */
};

/* ---- contexts -------------------------------------------------------------- */

static void *wn_aes_gcm_newctx(void *vprov, const struct wn_cipher_desc *desc)
{
    const struct wn_prov *prov = vprov;
    size_t size = offsetof(struct wn_aes_gcm_ctx, gcm) + wn_gcm_size();
    struct wn_aes_gcm_ctx *ctx = wn_ctx_new(prov, size);

    if (ctx == NULL)
        return NULL;
    ctx->prov = prov;
    ctx->desc = desc;
    ctx->size = size;
    ctx->ivlen = desc->ivlen;
    ctx->taglen = WN_GCM_TAG;
    return ctx;
}

static void wn_aes_gcm_freectx(void *vctx)
{
    struct wn_aes_gcm_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, ctx->size);
}

static void *wn_aes_gcm_dupctx(void *vctx)
{
    const struct wn_aes_gcm_ctx *ctx = vctx;
    struct wn_aes_gcm_ctx *copy = wn_ctx_new(ctx->prov, ctx->size);

    if (copy != NULL)
        memcpy(copy, ctx, ctx->size);
    return copy;
}

/* ---- the course of a message ----------------------------------------------- */

/* A message that was begun and not finished ends here, and its tag with it. */
static void gcm_abandon(struct wn_aes_gcm_ctx *ctx)
{
    if (ctx->iv_state != IV_STARTED)
        return;
    ctx->iv_state = IV_USED;
    ctx->tag_state = TAG_NONE;
}

static int gcm_start(struct wn_aes_gcm_ctx *ctx)
{
    if (!wn_gcm_start(ctx->prov, &ctx->gcm, ctx->iv, ctx->ivlen))
        return 0;
    ctx->iv_state = IV_STARTED;
    if (ctx->tag_state == TAG_MADE)
        ctx->tag_state = TAG_NONE;
    return 1;
}

/* Fills the IV from byte `from` on with random bytes. */
static int gcm_random_iv(struct wn_aes_gcm_ctx *ctx, size_t from)
{
    if (!wn_rng_bytes(ctx->prov, ctx->iv + from, ctx->ivlen - from))
        return 0;
    ctx->iv_state = IV_SET;
    ctx->iv_random = 1;
    return 1;
}

/* An encryption that was given a key and no IV draws one. */
static int gcm_own_iv(struct wn_aes_gcm_ctx *ctx)
{
    if (!ctx->enc)
        return WN_AEAD_FAIL(ctx->prov, "no IV set");
    if (ctx->ivlen < MIN_RANDOM_IV)
        return WN_AEAD_FAIL(ctx->prov, "no IV set, and one so short is not drawn at random");
    return gcm_random_iv(ctx, 0);
}

/* Makes sure that a message is under way. */
static int gcm_begin(struct wn_aes_gcm_ctx *ctx)
{
    if (ctx->iv_state == IV_STARTED)
        return 1;
    if (!ctx->key_set)
        return WN_AEAD_FAIL(ctx->prov, "no key set");
    if (ctx->iv_state == IV_USED)
        return WN_AEAD_FAIL(ctx->prov, "the IV was used for an earlier message");
    if (ctx->iv_state == IV_NONE && !gcm_own_iv(ctx))
        return 0;
    return gcm_start(ctx);
}

/* One piece of AAD (out NULL) or of text. */
static int gcm_piece(struct wn_aes_gcm_ctx *ctx, unsigned char *out, const unsigned char *in,
                     size_t n)
{
    if (in == NULL)
        return WN_AEAD_FAIL(ctx->prov, "no input");
    if (!gcm_begin(ctx))
        return 0;
    if (out == NULL)
        return wn_gcm_aad(&ctx->gcm, in, n)
            || WN_AEAD_FAIL(ctx->prov, "AAD after text, or too much of it");
    return wn_gcm_crypt(&ctx->gcm, ctx->enc, out, in, n)
        || WN_AEAD_FAIL(ctx->prov, "more text than GCM allows");
}

/* Makes the tag, or compares it: 1, 0 or WN_AEAD_WRONG_TAG. */
static int gcm_finish(struct wn_aes_gcm_ctx *ctx)
{
    int ok;

    if (ctx->tls)
        return WN_AEAD_FAIL(ctx->prov, "a TLS record is due");
    if (!gcm_begin(ctx))
        return 0;
    if (!ctx->enc && ctx->tag_state != TAG_EXPECTED) {
        WN_RAISE(ctx->prov, PROV_R_TAG_NOT_SET);
        return 0;
    }
    ctx->iv_state = IV_USED;
    if (!ctx->enc) {
        ctx->tag_state = TAG_NONE;
        return wn_gcm_check(&ctx->gcm, ctx->tag, ctx->taglen) ? 1 : WN_AEAD_WRONG_TAG;
    }
    ok = wn_gcm_tag(&ctx->gcm, ctx->tag);
    ctx->tag_state = ok ? TAG_MADE : TAG_NONE;
    ctx->taglen = WN_GCM_TAG;
    return ok || WN_AEAD_FAIL(ctx->prov, "no tag");
}

/* ---- IVs that are built here, SP 800-38D section 8.2.1 ----------------------- */

static void count_up(unsigned char counter[INVOCATION])
{
    int i = INVOCATION;

    while (i > 0 && ++counter[--i] == 0)
        ;
}

static int gcm_may_build_iv(const struct wn_aes_gcm_ctx *ctx)
{
    if (!ctx->key_set) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (ctx->iv_gen && ctx->ivlen >= INVOCATION)
        return 1;
    WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_IV_LENGTH, "no fixed field of the IV was set");
    return 0;
}

/* Begins a message with the IV as it is, shows its last n bytes (0: all of it),
 * and counts it up for the message after it. */
static int gcm_generate_iv(struct wn_aes_gcm_ctx *ctx, unsigned char *out, size_t n)
{
    if (!gcm_may_build_iv(ctx))
        return 0;
    gcm_abandon(ctx);
    if (!gcm_start(ctx))
        return 0;
    if (n == 0 || n > ctx->ivlen)
        n = ctx->ivlen;
    memcpy(out, ctx->iv + ctx->ivlen - n, n);
    count_up(ctx->iv + ctx->ivlen - INVOCATION);
    return 1;
}

/* Begins a decryption with the last n bytes of the IV as the sender shows them. */
static int gcm_take_iv(struct wn_aes_gcm_ctx *ctx, const unsigned char *in, size_t n)
{
    if (!gcm_may_build_iv(ctx))
        return 0;
    if (ctx->enc || n > ctx->ivlen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    gcm_abandon(ctx);
    memcpy(ctx->iv + ctx->ivlen - n, in, n);
    return gcm_start(ctx);
}

/*
 * Sets the fixed field, for encryption with random bytes after it. SIZE_MAX
 * (control EVP_CTRL_GCM_SET_IV_FIXED with -1): the whole IV.
 */
static int gcm_fixed_iv(struct wn_aes_gcm_ctx *ctx, const unsigned char *fixed, size_t n)
{
    const int whole = n == SIZE_MAX;

    if (ctx->ivlen < INVOCATION
        || (!whole && (n < EVP_GCM_TLS_FIXED_IV_LEN || n > ctx->ivlen - INVOCATION))) {
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return 0;
    }
    gcm_abandon(ctx);
    memcpy(ctx->iv, fixed, whole ? ctx->ivlen : n);
    if (!whole && ctx->enc && !gcm_random_iv(ctx, n)) {
        ctx->iv_state = IV_NONE;        /* it is half overwritten */
        return 0;
    }
    ctx->iv_state = IV_SET;
    ctx->iv_gen = 1;
    return 1;
}

/* ---- TLS 1.2 records, RFC 5288 ------------------------------------------------ */

/*
 * Takes the additional data of the next record, whose length field counts the
 * explicit IV and, for decryption, the tag; both are taken off. 0: bad length.
 */
static int gcm_tls_aad(struct wn_aes_gcm_ctx *ctx, const unsigned char *aad, size_t n)
{
    size_t len, more = EVP_GCM_TLS_EXPLICIT_IV_LEN + (ctx->enc ? 0 : EVP_GCM_TLS_TAG_LEN);

    if (n != EVP_AEAD_TLS1_AAD_LEN)
        return 0;
    len = (size_t)aad[n - 2] << 8 | aad[n - 1];
    if (len < more)
        return 0;
    memcpy(ctx->tls_aad, aad, n);
    ctx->tls_aad[n - 2] = (unsigned char)((len - more) >> 8);
    ctx->tls_aad[n - 1] = (unsigned char)(len - more);
    ctx->tls = 1;
    ctx->tls_pad = EVP_GCM_TLS_TAG_LEN;
    return 1;
}

/* Payload and tag of a record whose IV is set. */
static int gcm_tls_payload(struct wn_aes_gcm_ctx *ctx, unsigned char *p, size_t n)
{
    if (!wn_gcm_aad(&ctx->gcm, ctx->tls_aad, sizeof(ctx->tls_aad))
        || !wn_gcm_crypt(&ctx->gcm, ctx->enc, p, p, n))
        return WN_AEAD_FAIL(ctx->prov, "TLS record");
    if (ctx->enc)
        return wn_gcm_tag(&ctx->gcm, p + n) || WN_AEAD_FAIL(ctx->prov, "no tag");
    if (wn_gcm_check(&ctx->gcm, p + n, EVP_GCM_TLS_TAG_LEN))
        return 1;
    wn_clear(p, n);
    return WN_AEAD_WRONG_TAG;
}

/* Explicit IV, payload, tag: one record, in place. *outl: encrypted the whole
 * record, decrypted the payload. */
static int gcm_tls_record(struct wn_aes_gcm_ctx *ctx, unsigned char *out, size_t *outl,
                          const unsigned char *in, size_t n)
{
    const size_t around = EVP_GCM_TLS_EXPLICIT_IV_LEN + EVP_GCM_TLS_TAG_LEN;
    int result;

    ctx->tls = 0;
    gcm_abandon(ctx);
    if (out == NULL || out != in || n < around)
        return WN_AEAD_FAIL(ctx->prov, "a TLS record is processed whole and in place");
    if (ctx->enc && ++ctx->tls_records == 0) {
        WN_RAISE(ctx->prov, PROV_R_TOO_MANY_RECORDS);
        return 0;
    }
    if (!(ctx->enc ? gcm_generate_iv(ctx, out, EVP_GCM_TLS_EXPLICIT_IV_LEN)
                   : gcm_take_iv(ctx, out, EVP_GCM_TLS_EXPLICIT_IV_LEN)))
        return 0;
    result = gcm_tls_payload(ctx, out + EVP_GCM_TLS_EXPLICIT_IV_LEN, n - around);
    ctx->iv_state = IV_USED;
    ctx->taglen = WN_GCM_TAG;
    if (result == 1)
        *outl = ctx->enc ? n : n - around;
    return result;
}

/* ---- EVP ----------------------------------------------------------------------- */

static int wn_aes_gcm_set_ctx_params(void *vctx, const OSSL_PARAM params[]);

static int gcm_init(struct wn_aes_gcm_ctx *ctx, int enc, const unsigned char *key, size_t keylen,
                    const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    if (iv != NULL && (ivlen == 0 || ivlen > MAX_IV)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (key != NULL && keylen != ctx->desc->keylen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (ctx->enc != enc || key != NULL || iv != NULL)
        gcm_abandon(ctx);
    if (ctx->enc != enc) {
        ctx->enc = (unsigned char)enc;
        ctx->tag_state = TAG_NONE;
    }
    if (key != NULL) {
        ctx->key_set = 0;
        if (!wn_gcm_set_key(ctx->prov, &ctx->gcm, key, keylen))
            return 0;
        ctx->key_set = 1;
        ctx->tls_records = 0;
    }
    if (iv != NULL) {
        memcpy(ctx->iv, iv, ivlen);
        ctx->ivlen = ivlen;
        ctx->iv_state = IV_SET;
        ctx->iv_random = 0;
    }
    return wn_params_empty(params) || wn_aes_gcm_set_ctx_params(ctx, params);
}

static int wn_aes_gcm_encrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                                   const unsigned char *iv, size_t ivlen,
                                   const OSSL_PARAM params[])
{
    return gcm_init(ctx, 1, key, keylen, iv, ivlen, params);
}

static int wn_aes_gcm_decrypt_init(void *ctx, const unsigned char *key, size_t keylen,
                                   const unsigned char *iv, size_t ivlen,
                                   const OSSL_PARAM params[])
{
    return gcm_init(ctx, 0, key, keylen, iv, ivlen, params);
}

static int wn_aes_gcm_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                             const unsigned char *in, size_t inl)
{
    struct wn_aes_gcm_ctx *ctx = vctx;

    *outl = 0;
    if (inl == 0)
        return 1;
    if (outsize < inl) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (ctx->tls)
        return wn_aead_updated(ctx->prov, gcm_tls_record(ctx, out, outl, in, inl));
    if (!gcm_piece(ctx, out, in, inl))
        return 0;
    *outl = inl;
    return 1;
}

static int wn_aes_gcm_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    (void)out;
    (void)outsize;
    *outl = 0;
    return gcm_finish(vctx) == 1;
}

/* Everything in one function: EVP_Cipher(). No input means the end. */
static int wn_aes_gcm_cipher(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                             const unsigned char *in, size_t inl)
{
    struct wn_aes_gcm_ctx *ctx = vctx;
    size_t done = 0;
    int result;

    *outl = 0;
    if (outsize < inl) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (ctx->tls)
        result = gcm_tls_record(ctx, out, &done, in, inl);
    else
        result = in == NULL ? gcm_finish(ctx) : gcm_piece(ctx, out, in, inl);
    if (result != 1)
        return 0;
    *outl = inl;                /* of a TLS record too */
    return 1;
}

/* ---- parameters ------------------------------------------------------------------ */

#define GCM_GET_3_0(P)                                                  \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)                           \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)                         \
    P(tag, octet_string, OSSL_CIPHER_PARAM_AEAD_TAG)                    \
    P(taglen, size_t, OSSL_CIPHER_PARAM_AEAD_TAGLEN)                    \
    P(iv, octet_string, OSSL_CIPHER_PARAM_IV)                           \
    P(updated_iv, octet_string, OSSL_CIPHER_PARAM_UPDATED_IV)           \
    P(pad, size_t, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD)                 \
    P(generate, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)
#define GCM_GET(P)                                                      \
    GCM_GET_3_0(P)                                                      \
    P(generated, uint, OSSL_CIPHER_PARAM_AEAD_IV_GENERATED)
WN_PARAMS(gcm_get, GCM_GET);
static const OSSL_PARAM gcm_get_3_0_list[] = { GCM_GET_3_0(WN_PARAM_DESC_) OSSL_PARAM_END };

#define GCM_SET(P)                                                      \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_AEAD_IVLEN)                      \
    P(tag, octet_string, OSSL_CIPHER_PARAM_AEAD_TAG)                    \
    P(tls_aad, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)           \
    P(fixed, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED)        \
    P(take, octet_string, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV)
WN_PARAMS(gcm_set, GCM_SET);

static const OSSL_PARAM *wn_aes_gcm_gettable_ctx_params(void *vctx, void *vprov)
{
    const struct wn_prov *prov = vprov;

    (void)vctx;
    return prov->core_version >= WN_CORE_VERSION(3, 4) ? gcm_get_list : gcm_get_3_0_list;
}

static const OSSL_PARAM *wn_aes_gcm_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return gcm_set_list;
}

/* OpenSSL 4.0 draws an IV when it is asked for, earlier ones when it is used. */
static int gcm_give_iv(struct wn_aes_gcm_ctx *ctx, OSSL_PARAM *p)
{
    if (p == NULL)
        return 1;
    if (ctx->iv_state == IV_NONE) {
        if (ctx->prov->core_version < WN_CORE_VERSION(4, 0) || ctx->tls)
            return WN_AEAD_FAIL(ctx->prov, "no IV set");
        if (!gcm_own_iv(ctx))
            return 0;
    }
    if (p->data != NULL && ctx->ivlen > p->data_size) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    return wn_param_give_octets(ctx->prov, p, ctx->iv, ctx->ivlen);
}

static int gcm_give_tag(const struct wn_aes_gcm_ctx *ctx, OSSL_PARAM *p)
{
    size_t n;

    if (p == NULL)
        return 1;
    n = p->data == NULL ? WN_GCM_TAG : p->data_size;
    if (ctx->tag_state != TAG_MADE || n == 0 || n > WN_GCM_TAG) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_TAG);
        return 0;
    }
    return wn_param_give_octets(ctx->prov, p, ctx->tag, n);
}

static int gcm_give_generated(struct wn_aes_gcm_ctx *ctx, OSSL_PARAM *p)
{
    if (p == NULL)
        return 1;
    if (p->data == NULL || p->data_type != OSSL_PARAM_OCTET_STRING) {
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_SET_PARAMETER);
        return 0;
    }
    return gcm_generate_iv(ctx, p->data, p->data_size);
}

static int wn_aes_gcm_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_aes_gcm_ctx *ctx = vctx;
    const struct wn_prov *prov = ctx->prov;
    struct gcm_get p;

    return WN_PARAMS_SCAN(prov, gcm_get, params, &p)
        && wn_param_give_size_t(prov, p.ivlen, ctx->ivlen)
        && wn_param_give_size_t(prov, p.keylen, ctx->desc->keylen)
        && wn_param_give_size_t(prov, p.taglen, ctx->taglen)
        && gcm_give_iv(ctx, p.iv)
        && gcm_give_iv(ctx, p.updated_iv)
        && wn_param_give_size_t(prov, p.pad, ctx->tls_pad)
        && gcm_give_tag(ctx, p.tag)
        && gcm_give_generated(ctx, p.generate)
        && wn_param_give_uint(prov, p.generated, ctx->iv_random);
}

/* The octet strings of one call, checked. */
struct gcm_given {
    const unsigned char *tag, *tls_aad, *fixed, *take;
    size_t tag_n, tls_aad_n, fixed_n, take_n;
};

static int take_string(const struct wn_prov *prov, const OSSL_PARAM *p, const unsigned char **d,
                       size_t *n)
{
    *d = NULL;
    *n = 0;
    if (p == NULL)
        return 1;
    if (!wn_aead_octets(prov, p))
        return 0;
    if (p->data == NULL) {
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return 0;
    }
    *d = p->data;
    *n = p->data_size;
    return 1;
}

static int gcm_check_given(const struct wn_aes_gcm_ctx *ctx, const struct gcm_set *p,
                           struct gcm_given *g, size_t *ivlen)
{
    const struct wn_prov *prov = ctx->prov;

    if (!take_string(prov, p->tag, &g->tag, &g->tag_n)
        || !take_string(prov, p->tls_aad, &g->tls_aad, &g->tls_aad_n)
        || !take_string(prov, p->fixed, &g->fixed, &g->fixed_n)
        || !take_string(prov, p->take, &g->take, &g->take_n)
        || !wn_param_take_size_t(prov, p->ivlen, ivlen))
        return 0;
    if (g->tag_n > WN_GCM_TAG) {
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return 0;
    }
    if (g->tag != NULL && (g->tag_n == 0 || ctx->enc)) {
        WN_RAISE(prov, PROV_R_INVALID_TAG);
        return 0;
    }
    if (*ivlen == 0 || *ivlen > MAX_IV) {
        WN_RAISE(prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    return 1;
}

static int wn_aes_gcm_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_aes_gcm_ctx *ctx = vctx;
    size_t ivlen = ctx->ivlen;
    struct gcm_given g;
    struct gcm_set p;

    if (!WN_PARAMS_SCAN(ctx->prov, gcm_set, params, &p) || !gcm_check_given(ctx, &p, &g, &ivlen))
        return 0;
    if (g.tag != NULL) {
        memcpy(ctx->tag, g.tag, g.tag_n);
        ctx->taglen = g.tag_n;
        ctx->tag_state = TAG_EXPECTED;
    }
    if (ivlen != ctx->ivlen) {
        /* an IV of another length is not the one to use */
        gcm_abandon(ctx);
        if (ctx->iv_state != IV_NONE)
            ctx->iv_state = IV_USED;
        ctx->ivlen = ivlen;
    }
    if (g.tls_aad != NULL && !gcm_tls_aad(ctx, g.tls_aad, g.tls_aad_n)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_AAD);
        return 0;
    }
    if (g.fixed != NULL && !gcm_fixed_iv(ctx, g.fixed, g.fixed_n))
        return 0;
    return g.take == NULL || gcm_take_iv(ctx, g.take, g.take_n);
}

#define GCM_COMMON                                                                     \
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_aes_gcm_freectx),                         \
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_aes_gcm_dupctx),                            \
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, wn_aes_gcm_encrypt_init),          \
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, wn_aes_gcm_decrypt_init),          \
    WN_FN(CIPHER_UPDATE, cipher_update, wn_aes_gcm_update),                            \
    WN_FN(CIPHER_FINAL, cipher_final, wn_aes_gcm_final),                               \
    WN_FN(CIPHER_CIPHER, cipher_cipher, wn_aes_gcm_cipher),                            \
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, wn_aes_gcm_get_ctx_params),    \
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_aes_gcm_set_ctx_params),    \
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params,                      \
          wn_aes_gcm_gettable_ctx_params),                                             \
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,                      \
          wn_aes_gcm_settable_ctx_params)

#define DEFINE_GCM(bits)                                                               \
    static const struct wn_cipher_desc aes##bits##_gcm_desc = {                         \
        EVP_CIPH_GCM_MODE, WN_CIPHER_AEAD | WN_CIPHER_CUSTOM_IV, (bits) / 8, 12, 1     \
    };                                                                                 \
    WN_CIPHER_TABLE(aes##bits##_gcm, aes##bits##_gcm_desc, wn_aes_gcm_newctx,            \
                    aes##bits##_gcm_desc, GCM_COMMON)

DEFINE_GCM(128);
DEFINE_GCM(192);
DEFINE_GCM(256);
