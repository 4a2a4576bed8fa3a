/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-DSA signatures (FIPS 204 sections 5.2 and 6, provider-signature(7)):
 * one-shot, and message update/final of OpenSSL 3.6 and later. The message
 * representative mu is computed here, wolfCrypt signs and verifies mu.
 */
#include "mldsa.h"
#include "pqsig.h"

#include <string.h>

#include <wolfssl/wolfcrypt/sha3.h>

#include "../provider/alglist.h"
#include "../provider/rng.h"

struct wn_mldsa_ctx {
    const struct wn_prov *prov;
    const struct wn_mldsa_desc *desc;
    struct wn_mldsa_key *key;
    struct wn_pqsig options;    /* its entropy is rnd */
    int mu;                     /* what is signed is mu itself */
    int streaming;              /* `shake` has taken the head of M', perhaps more */
    wc_Shake shake;
    unsigned char *sig;         /* to verify at the end of a stream */
    size_t siglen;
};

static void *newctx(const struct wn_prov *prov, const struct wn_mldsa_desc *desc)
{
    struct wn_mldsa_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->desc = desc;
        ctx->options.encoding = WN_PQSIG_PURE;
    }
    return ctx;
}

static void wn_mldsa_freectx(void *vctx)
{
    struct wn_mldsa_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_mldsa_key_free(ctx->key);
    wn_free(ctx->prov, ctx->sig);
    wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_mldsa_dupctx(void *vctx)
{
    const struct wn_mldsa_ctx *ctx = vctx;
    struct wn_mldsa_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy == NULL)
        return NULL;
    *copy = *ctx;
    if (ctx->sig != NULL && (copy->sig = wn_memdup(ctx->prov, ctx->sig, ctx->siglen)) == NULL) {
        wn_ctx_free(ctx->prov, copy, sizeof(*copy));
        return NULL;
    }
    if (copy->key != NULL)
        wn_ref_up(&copy->key->ref);
    return copy;
}

/* ---- parameters ------------------------------------------------------------------------ */

#define MLDSA_SET(P)                                                \
    WN_PQSIG_SET(P)                                                 \
    P(mu, int, OSSL_SIGNATURE_PARAM_MU)                             \
    P(sig, octet_string, OSSL_SIGNATURE_PARAM_SIGNATURE)
WN_PARAMS(mldsa_set, MLDSA_SET);

static const OSSL_PARAM *wn_mldsa_settable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return mldsa_set_list;
}

/* Nothing changes unless all of it is good. */
static int wn_mldsa_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_mldsa_ctx *ctx = vctx;
    const unsigned char *sig = NULL;
    unsigned char *copy = NULL;
    size_t siglen = 0;
    struct mldsa_set p;
    int mu;

    if (ctx == NULL || !WN_PARAMS_SCAN(ctx->prov, mldsa_set, params, &p))
        return 0;
    mu = ctx->mu;
    if (!wn_param_take_octets(ctx->prov, p.sig, &sig, &siglen)
        || !wn_param_take_int(ctx->prov, p.mu, &mu)
        || (p.sig != NULL && (copy = wn_memdup(ctx->prov, sig, siglen)) == NULL))
        return 0;
    if (!wn_pqsig_set(ctx->prov, &ctx->options,
                      &(struct wn_pqsig_params){ p.context, p.entropy, p.deterministic,
                                                 p.encoding },
                      WN_MLDSA_RND)) {
        wn_free(ctx->prov, copy);
        return 0;
    }
    if (copy != NULL) {
        wn_free(ctx->prov, ctx->sig);
        ctx->sig = copy;
        ctx->siglen = siglen;
    }
    ctx->mu = mu;
    return 1;
}

static int wn_mldsa_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_mldsa_ctx *ctx = vctx;

    return wn_pqsig_get(ctx->prov, ctx->desc->oid, params);
}

/* ---- start ----------------------------------------------------------------------------- */

static int wn_mldsa_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    struct wn_mldsa_ctx *ctx = vctx;
    struct wn_mldsa_key *key = vkey;

    if (ctx == NULL
        || !wn_pqsig_key_fits(ctx->prov, ctx->desc->name, key != NULL ? key->desc->name : NULL,
                              ctx->key != NULL))
        return 0;
    if (key != NULL) {
        wn_ref_up(&key->ref);
        wn_mldsa_key_free(ctx->key);
        ctx->key = key;
    }
    ctx->mu = 0;
    ctx->streaming = 0;
    return wn_mldsa_set_ctx_params(ctx, params);
}

static int wn_mldsa_digest_init(void *vctx, const char *mdname, void *vkey,
                                const OSSL_PARAM params[])
{
    const struct wn_mldsa_ctx *ctx = vctx;

    return wn_pqsig_no_digest(ctx->prov, "ML-DSA", mdname) && wn_mldsa_init(vctx, vkey, params);
}

/* ---- mu = H(tr || M') -------------------------------------------------------------------- */

static int shake_update(const struct wn_prov *prov, wc_Shake *shake, const unsigned char *d,
                        size_t n)
{
    while (n != 0) {
        size_t now = n < WN_CHUNK ? n : WN_CHUNK;

        if (!WN_WC(prov, wc_Shake256_Update(shake, d, (word32)now)))
            return 0;
        d += now;
        n -= now;
    }
    return 1;
}

/* M' = 0 || |ctx| || ctx || M, or M (algorithms 2 and 7) */
static int mu_begin(const struct wn_mldsa_ctx *ctx, const struct wn_mldsa_decoded *d,
                    wc_Shake *shake)
{
    const unsigned char head[2] = { 0, (unsigned char)ctx->options.context_len };

    return WN_WC(ctx->prov, wc_InitShake256(shake, NULL, INVALID_DEVID))
        && shake_update(ctx->prov, shake, d->tr, sizeof(d->tr))
        && (ctx->options.encoding == WN_PQSIG_RAW
            || (shake_update(ctx->prov, shake, head, sizeof(head))
                && shake_update(ctx->prov, shake, ctx->options.context, ctx->options.context_len)));
}

static int mu_of(const struct wn_mldsa_ctx *ctx, const struct wn_mldsa_decoded *d,
                 const unsigned char *msg, size_t n, unsigned char mu[WN_MLDSA_MU])
{
    wc_Shake shake;
    int ok;

    if (ctx->mu && n != WN_MLDSA_MU) {
        WN_RAISE_MSG(ctx->prov,
                     ctx->prov->core_version >= WN_CORE_VERSION(4, 0) ? PROV_R_BAD_LENGTH
                                                                      : PROV_R_INVALID_DATA,
                     "mu of %zu bytes, not %d", n, WN_MLDSA_MU);
        return 0;
    }
    if (ctx->mu) {
        memcpy(mu, msg, WN_MLDSA_MU);
        return 1;
    }
    ok = mu_begin(ctx, d, &shake) && shake_update(ctx->prov, &shake, msg, n)
        && WN_WC(ctx->prov, wc_Shake256_Final(&shake, mu, WN_MLDSA_MU));
    wn_clear(&shake, sizeof(shake));
    return ok;
}

/* ---- sign and verify mu ------------------------------------------------------------------ */

/* What is common to one-shot and streamed signing before mu is known: 1 go on, 0 error,
 * -1 done (a size query). */
static int sign_ready(const struct wn_mldsa_ctx *ctx, const unsigned char *sig, size_t *siglen,
                      size_t sigsize)
{
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (!ctx->key->has_private) {
        WN_RAISE(ctx->prov, PROV_R_NOT_A_PRIVATE_KEY);
        return 0;
    }
    if (sig == NULL) {
        *siglen = ctx->desc->sig;
        return -1;
    }
    if (sigsize < ctx->desc->sig) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        if (ctx->prov->core_version >= WN_CORE_VERSION(3, 6))
            *siglen = ctx->desc->sig;
        return 0;
    }
    return 1;
}

static int sign_mu(const struct wn_mldsa_ctx *ctx, const struct wn_mldsa_decoded *d,
                   const unsigned char mu[WN_MLDSA_MU], unsigned char *sig, size_t *siglen)
{
    unsigned char rnd[WN_MLDSA_RND] = { 0 };    /* zeros: the deterministic variant */
    word32 len = (word32)ctx->desc->sig;
    wc_MlDsaKey local;
    int rc;

    if (ctx->options.has_entropy)
        memcpy(rnd, ctx->options.entropy, sizeof(rnd));
    else if (!ctx->options.deterministic && !wn_rng_bytes(ctx->prov, rnd, sizeof(rnd)))
        return 0;
    local = d->key;
    rc = wc_MlDsaKey_SignMuWithSeed(&local, sig, &len, mu, WN_MLDSA_MU, rnd);
    wn_clear(&local, sizeof(local));
    wn_clear(rnd, sizeof(rnd));
    if (!WN_WC(ctx->prov, rc)) {
        wn_clear(sig, ctx->desc->sig);
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_SIGN);
        return 0;
    }
    *siglen = len;
    return 1;
}

/* A wrong signature is 0 without an error, as it is for the default provider, which from
 * 4.0 on has one for a wrong length. */
static int verify_mu(const struct wn_mldsa_ctx *ctx, const struct wn_mldsa_decoded *d,
                     const unsigned char mu[WN_MLDSA_MU], const unsigned char *sig, size_t siglen)
{
    int good = 0;

    if (sig == NULL || siglen != ctx->desc->sig) {
        if (ctx->prov->core_version >= WN_CORE_VERSION(4, 0))
            WN_RAISE(ctx->prov, PROV_R_BAD_LENGTH);
        return 0;
    }
    /* a private key's object has the public key too */
    return wn_mldsa_verify_mu(&d->key, sig, (word32)siglen, mu, &good) == 0 && good == 1;
}

static int wn_mldsa_sign(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize,
                         const unsigned char *msg, size_t n)
{
    const struct wn_mldsa_ctx *ctx = vctx;
    const struct wn_mldsa_decoded *d;
    unsigned char mu[WN_MLDSA_MU];
    int ready = sign_ready(ctx, sig, siglen, sigsize), ok;

    if (ready <= 0)
        return ready != 0;
    ok = (d = wn_mldsa_key_decoded(ctx->key)) != NULL && mu_of(ctx, d, msg, n, mu)
        && sign_mu(ctx, d, mu, sig, siglen);
    wn_clear(mu, sizeof(mu));
    return ok;
}

static int wn_mldsa_verify(void *vctx, const unsigned char *sig, size_t siglen,
                           const unsigned char *msg, size_t n)
{
    const struct wn_mldsa_ctx *ctx = vctx;
    const struct wn_mldsa_decoded *d;
    unsigned char mu[WN_MLDSA_MU];

    if (ctx->key == NULL || ctx->key->pub == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    return (d = wn_mldsa_key_decoded(ctx->key)) != NULL && mu_of(ctx, d, msg, n, mu)
        && verify_mu(ctx, d, mu, sig, siglen);
}

/* ---- streamed ----------------------------------------------------------------------------- */

static int wn_mldsa_update(void *vctx, const unsigned char *data, size_t n)
{
    struct wn_mldsa_ctx *ctx = vctx;
    const struct wn_mldsa_decoded *d;

    if (ctx == NULL || ctx->key == NULL || ctx->mu)
        return 0;
    if (!ctx->streaming) {
        d = ctx->key->pub == NULL ? NULL : wn_mldsa_key_decoded(ctx->key);
        if (d == NULL || !mu_begin(ctx, d, &ctx->shake))
            return 0;
        ctx->streaming = 1;
    }
    return shake_update(ctx->prov, &ctx->shake, data, n);
}

static int stream_mu(struct wn_mldsa_ctx *ctx, unsigned char mu[WN_MLDSA_MU])
{
    ctx->streaming = 0;
    return WN_WC(ctx->prov, wc_Shake256_Final(&ctx->shake, mu, WN_MLDSA_MU));
}

static int sign_final(struct wn_mldsa_ctx *ctx, unsigned char *sig, size_t *siglen,
                      size_t sigsize)
{
    const struct wn_mldsa_decoded *d;
    unsigned char mu[WN_MLDSA_MU];
    int ready, ok;

    ready = sign_ready(ctx, sig, siglen, sigsize);
    if (ready <= 0)
        return ready != 0;
    ok = (d = wn_mldsa_key_decoded(ctx->key)) != NULL && stream_mu(ctx, mu)
        && sign_mu(ctx, d, mu, sig, siglen);
    wn_clear(mu, sizeof(mu));
    return ok;
}

static int verify_final(struct wn_mldsa_ctx *ctx, const unsigned char *sig, size_t siglen)
{
    const struct wn_mldsa_decoded *d = wn_mldsa_key_decoded(ctx->key);
    unsigned char mu[WN_MLDSA_MU];

    return d != NULL && stream_mu(ctx, mu) && verify_mu(ctx, d, mu, sig, siglen);
}

static int wn_mldsa_sign_final(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize)
{
    struct wn_mldsa_ctx *ctx = vctx;

    return ctx != NULL && ctx->streaming && sign_final(ctx, sig, siglen, sigsize);
}

static int wn_mldsa_verify_final(void *vctx)
{
    struct wn_mldsa_ctx *ctx = vctx;

    return ctx != NULL && ctx->streaming && verify_final(ctx, ctx->sig, ctx->siglen);
}

/* For OpenSSL before 3.4: EVP_DigestSignFinal() and its twin, with or without data
 * before them. A context that has signed starts anew. */
static int wn_mldsa_digest_sign_final(void *vctx, unsigned char *sig, size_t *siglen,
                                      size_t sigsize)
{
    struct wn_mldsa_ctx *ctx = vctx;

    return (ctx->streaming || sig == NULL || wn_mldsa_update(ctx, NULL, 0))
        && sign_final(ctx, sig, siglen, sigsize);
}

static int wn_mldsa_digest_verify_final(void *vctx, const unsigned char *sig, size_t siglen)
{
    struct wn_mldsa_ctx *ctx = vctx;

    return (ctx->streaming || wn_mldsa_update(ctx, NULL, 0))
        && verify_final(ctx, sig, siglen);
}

/* ---- dispatch ------------------------------------------------------------------------------ */

#define MLDSA_SIGNATURE(n)                                                              \
    static void *mldsa##n##_newctx(void *prov, const char *propq)                       \
    {                                                                                   \
        (void)propq;            /* nothing is fetched here */                           \
        return newctx(prov, &wn_mldsa##n##_desc);                                       \
    }                                                                                   \
    static const char **mldsa##n##_key_types(void)                                      \
    {                                                                                   \
        static const char *types[] = { "ML-DSA-" #n, NULL };                            \
        return types;                                                                   \
    }                                                                                   \
    const OSSL_DISPATCH wn_mldsa##n##_signature_functions[] = {                         \
        WN_FN(SIGNATURE_NEWCTX, signature_newctx, mldsa##n##_newctx),                   \
        WN_FN(SIGNATURE_QUERY_KEY_TYPES, signature_query_key_types, mldsa##n##_key_types), \
        MLDSA_SIGNATURE_COMMON,                                                         \
        MLDSA_SIGNATURE_MESSAGE,                                                        \
        WN_FN_END                                                                       \
    };                                                                                  \
    const OSSL_DISPATCH wn_mldsa##n##_old_signature_functions[] = {                     \
        WN_FN(SIGNATURE_NEWCTX, signature_newctx, mldsa##n##_newctx),                   \
        MLDSA_SIGNATURE_COMMON,                                                         \
        MLDSA_SIGNATURE_DIGEST,                                                         \
        WN_FN_END                                                                       \
    };
/* OpenSSL before 3.4 takes SIGN only beside a SIGN_INIT, which is for digests and which
 * ML-DSA has not. Its programs sign with EVP_DigestSignUpdate() whatever is not EdDSA;
 * later ones know better, and there it is an error as with the default provider. */
#define MLDSA_SIGNATURE_DIGEST                                                          \
    WN_FN(SIGNATURE_DIGEST_SIGN_UPDATE, signature_digest_sign_update, wn_mldsa_update), \
    WN_FN(SIGNATURE_DIGEST_SIGN_FINAL, signature_digest_sign_final,                     \
          wn_mldsa_digest_sign_final),                                                  \
    WN_FN(SIGNATURE_DIGEST_VERIFY_UPDATE, signature_digest_verify_update, wn_mldsa_update), \
    WN_FN(SIGNATURE_DIGEST_VERIFY_FINAL, signature_digest_verify_final,                 \
          wn_mldsa_digest_verify_final)
#define MLDSA_SIGNATURE_MESSAGE                                                         \
    WN_FN(SIGNATURE_SIGN_MESSAGE_INIT, signature_sign_message_init, wn_mldsa_init),     \
    WN_FN(SIGNATURE_SIGN_MESSAGE_UPDATE, signature_sign_message_update, wn_mldsa_update), \
    WN_FN(SIGNATURE_SIGN_MESSAGE_FINAL, signature_sign_message_final, wn_mldsa_sign_final), \
    WN_FN(SIGNATURE_SIGN, signature_sign, wn_mldsa_sign),                               \
    WN_FN(SIGNATURE_VERIFY_MESSAGE_INIT, signature_verify_message_init, wn_mldsa_init), \
    WN_FN(SIGNATURE_VERIFY_MESSAGE_UPDATE, signature_verify_message_update, wn_mldsa_update), \
    WN_FN(SIGNATURE_VERIFY_MESSAGE_FINAL, signature_verify_message_final, wn_mldsa_verify_final), \
    WN_FN(SIGNATURE_VERIFY, signature_verify, wn_mldsa_verify)
#define MLDSA_SIGNATURE_COMMON                                                          \
    WN_FN(SIGNATURE_FREECTX, signature_freectx, wn_mldsa_freectx),                      \
    WN_FN(SIGNATURE_DUPCTX, signature_dupctx, wn_mldsa_dupctx),                         \
    WN_FN(SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init, wn_mldsa_digest_init), \
    WN_FN(SIGNATURE_DIGEST_SIGN, signature_digest_sign, wn_mldsa_sign),                 \
    WN_FN(SIGNATURE_DIGEST_VERIFY_INIT, signature_digest_verify_init, wn_mldsa_digest_init), \
    WN_FN(SIGNATURE_DIGEST_VERIFY, signature_digest_verify, wn_mldsa_verify),           \
    WN_FN(SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params, wn_mldsa_set_ctx_params), \
    WN_FN(SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable_ctx_params, wn_mldsa_settable), \
    WN_FN(SIGNATURE_GET_CTX_PARAMS, signature_get_ctx_params, wn_mldsa_get_ctx_params), \
    WN_FN(SIGNATURE_GETTABLE_CTX_PARAMS, signature_gettable_ctx_params, wn_pqsig_gettable)

MLDSA_SIGNATURE(44)
MLDSA_SIGNATURE(65)
MLDSA_SIGNATURE(87)
