/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLH-DSA signatures (FIPS 205 sections 9 and 10.2, provider-signature(7)), one-shot
 * only: the message is hashed twice, the second time after what the first has given.
 * Pure signatures, or of a message that the caller has encoded (section 9's internal
 * interface).
 */
#include "long.h"
#include "pqsig.h"
#include "slhdsa.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/rng.h"

struct wn_slhdsa_ctx {
    const struct wn_prov *prov;
    const struct wn_slhdsa_desc *desc;
    struct wn_slhdsa_key *key;
    struct wn_pqsig options;    /* its entropy is addrnd */
};

static void *newctx(const struct wn_prov *prov, const struct wn_slhdsa_desc *desc)
{
    struct wn_slhdsa_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->desc = desc;
        ctx->options.encoding = WN_PQSIG_PURE;
    }
    return ctx;
}

static void wn_slhdsa_freectx(void *vctx)
{
    struct wn_slhdsa_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_slhdsa_key_free(ctx->key);
    wn_clear_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_slhdsa_dupctx(void *vctx)
{
    const struct wn_slhdsa_ctx *ctx = vctx;
    struct wn_slhdsa_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy != NULL && copy->key != NULL)
        wn_ref_up(&copy->key->ref);
    return copy;
}

/* ---- parameters ------------------------------------------------------------------------ */

WN_PARAMS(slhdsa_set, WN_PQSIG_SET);

static const OSSL_PARAM *wn_slhdsa_settable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return slhdsa_set_list;
}

static int wn_slhdsa_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_slhdsa_ctx *ctx = vctx;
    struct slhdsa_set p;

    return ctx != NULL && WN_PARAMS_SCAN(ctx->prov, slhdsa_set, params, &p)
        && wn_pqsig_set(ctx->prov, &ctx->options,
                        &(struct wn_pqsig_params){ p.context, p.entropy, p.deterministic,
                                                   p.encoding },
                        ctx->desc->n);
}

static int wn_slhdsa_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_slhdsa_ctx *ctx = vctx;

    return wn_pqsig_get(ctx->prov, ctx->desc->oid, params);
}

/* ---- start ----------------------------------------------------------------------------- */

static int wn_slhdsa_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    struct wn_slhdsa_ctx *ctx = vctx;
    struct wn_slhdsa_key *key = vkey;

    if (ctx == NULL
        || !wn_pqsig_key_fits(ctx->prov, ctx->desc->name, key != NULL ? key->desc->name : NULL,
                              ctx->key != NULL))
        return 0;
    if (key != NULL) {
        wn_ref_up(&key->ref);
        wn_slhdsa_key_free(ctx->key);
        ctx->key = key;
    }
    return wn_slhdsa_set_ctx_params(ctx, params);
}

static int wn_slhdsa_digest_init(void *vctx, const char *mdname, void *vkey,
                                 const OSSL_PARAM params[])
{
    const struct wn_slhdsa_ctx *ctx = vctx;

    return wn_pqsig_no_digest(ctx->prov, "SLH-DSA", mdname) && wn_slhdsa_init(vctx, vkey, params);
}

/* ---- sign and verify --------------------------------------------------------------------- */

/* addrnd, which is PK.seed in the deterministic variant (algorithm 22, step 2) */
static int take_addrnd(const struct wn_slhdsa_ctx *ctx, unsigned char addrnd[WN_SLHDSA_MAX_N])
{
    const size_t n = ctx->desc->n;

    if (ctx->options.has_entropy)
        memcpy(addrnd, ctx->options.entropy, n);
    else if (ctx->options.deterministic)
        memcpy(addrnd, wn_slhdsa_pub(ctx->key), n);
    else
        return wn_rng_bytes(ctx->prov, addrnd, n);
    return 1;
}

static int sign(const struct wn_slhdsa_ctx *ctx, unsigned char *sig, const unsigned char *msg,
                size_t n)
{
    const struct wn_pqsig *o = &ctx->options;
    unsigned char addrnd[WN_SLHDSA_MAX_N];
    word32 len = (word32)ctx->desc->sig;
    struct wn_message m;
    SlhDsaKey work;
    int rc, ok;

    if (!take_addrnd(ctx, addrnd))
        return 0;
    wn_message_set(&m, msg, n);
    ok = wn_slhdsa_work_init(ctx->key, &work);
    if (ok) {
        rc = o->encoding == WN_PQSIG_RAW
            ? wc_SlhDsaKey_SignMsgWithRandom(&work, m.p, m.n, sig, &len, addrnd)
            : wc_SlhDsaKey_SignWithRandom(&work, o->context, (byte)o->context_len, m.p, m.n, sig,
                                          &len, addrnd);
        ok = WN_WC(ctx->prov, rc);
    }
    wn_slhdsa_work_clear(&work);
    wn_clear(addrnd, sizeof(addrnd));
    if (!ok) {
        wn_clear(sig, ctx->desc->sig);
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_SIGN);
    }
    return ok;
}

static int wn_slhdsa_sign(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize,
                          const unsigned char *msg, size_t n)
{
    const struct wn_slhdsa_ctx *ctx = vctx;

    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (sig == NULL) {
        *siglen = ctx->desc->sig;
        return 1;
    }
    if (sigsize < ctx->desc->sig) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_SIGNATURE_SIZE, "is %zu, should be at least %zu",
                     sigsize, ctx->desc->sig);
        return 0;
    }
    if (!ctx->key->has_private) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (!sign(ctx, sig, msg, n))
        return 0;
    *siglen = ctx->desc->sig;
    return 1;
}

/* A wrong signature is 0 without an error, as it is for the default provider. */
static int wn_slhdsa_verify(void *vctx, const unsigned char *sig, size_t siglen,
                            const unsigned char *msg, size_t n)
{
    const struct wn_slhdsa_ctx *ctx = vctx;
    const struct wn_pqsig *o = &ctx->options;
    struct wn_message m;
    SlhDsaKey work;
    int ok;

    if (ctx->key == NULL || !ctx->key->has_public) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (sig == NULL || siglen != ctx->desc->sig)
        return 0;
    wn_message_set(&m, msg, n);
    ok = wn_slhdsa_work_init(ctx->key, &work)
        && (o->encoding == WN_PQSIG_RAW
                ? wc_SlhDsaKey_VerifyMsg(&work, m.p, m.n, sig, (word32)siglen)
                : wc_SlhDsaKey_Verify(&work, o->context, (byte)o->context_len, m.p, m.n, sig,
                                      (word32)siglen))
            == 0;
    wn_slhdsa_work_clear(&work);
    return ok;
}

/* ---- dispatch ------------------------------------------------------------------------------ */

#define SLHDSA_SIGNATURE_COMMON                                                            \
    WN_FN(SIGNATURE_FREECTX, signature_freectx, wn_slhdsa_freectx),                        \
    WN_FN(SIGNATURE_DUPCTX, signature_dupctx, wn_slhdsa_dupctx),                           \
    WN_FN(SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init, wn_slhdsa_digest_init),  \
    WN_FN(SIGNATURE_DIGEST_SIGN, signature_digest_sign, wn_slhdsa_sign),                   \
    WN_FN(SIGNATURE_DIGEST_VERIFY_INIT, signature_digest_verify_init, wn_slhdsa_digest_init), \
    WN_FN(SIGNATURE_DIGEST_VERIFY, signature_digest_verify, wn_slhdsa_verify),             \
    WN_FN(SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params, wn_slhdsa_set_ctx_params),   \
    WN_FN(SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable_ctx_params, wn_slhdsa_settable), \
    WN_FN(SIGNATURE_GET_CTX_PARAMS, signature_get_ctx_params, wn_slhdsa_get_ctx_params),   \
    WN_FN(SIGNATURE_GETTABLE_CTX_PARAMS, signature_gettable_ctx_params, wn_pqsig_gettable)
/* OpenSSL before 3.4 takes SIGN only beside a SIGN_INIT, which is for digests and which
 * SLH-DSA has not. */
#define SLHDSA_SIGNATURE(id, name, param, oid, n, sig, category)                           \
    static void *slhdsa_##id##_newctx(void *prov, const char *propq)                       \
    {                                                                                      \
        (void)propq;            /* nothing is fetched here */                              \
        return newctx(prov, &wn_slhdsa_##id##_desc);                                       \
    }                                                                                      \
    const OSSL_DISPATCH wn_slhdsa_##id##_signature_functions[] = {                         \
        WN_FN(SIGNATURE_NEWCTX, signature_newctx, slhdsa_##id##_newctx),                   \
        WN_FN(SIGNATURE_SIGN_MESSAGE_INIT, signature_sign_message_init, wn_slhdsa_init),   \
        WN_FN(SIGNATURE_SIGN, signature_sign, wn_slhdsa_sign),                             \
        WN_FN(SIGNATURE_VERIFY_MESSAGE_INIT, signature_verify_message_init, wn_slhdsa_init), \
        WN_FN(SIGNATURE_VERIFY, signature_verify, wn_slhdsa_verify),                       \
        SLHDSA_SIGNATURE_COMMON,                                                           \
        WN_FN_END                                                                          \
    };                                                                                     \
    const OSSL_DISPATCH wn_slhdsa_##id##_old_signature_functions[] = {                     \
        WN_FN(SIGNATURE_NEWCTX, signature_newctx, slhdsa_##id##_newctx),                   \
        SLHDSA_SIGNATURE_COMMON,                                                           \
        WN_FN_END                                                                          \
    };
WN_SLHDSA_SETS(SLHDSA_SIGNATURE)
