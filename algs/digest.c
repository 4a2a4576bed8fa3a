/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MD: SHA-1 (FIPS 180-4, no longer for signatures) and SHA-2 (FIPS 180-4),
 * provider-digest(7).
 *
 * One descriptor per digest, shared functions, and one thunk pair per digest
 * because OpenSSL's newctx and get_params do not say which digest is meant.
 * A context is used by one thread at a time.
 */
#include "digest.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "../provider/params.h"

struct wn_digest_ctx {
    const struct wn_prov *prov;
    int ready;                  /* initialised and not yet finished */
    struct wn_md md;            /* last: allocated up to desc->state_size only */
};

static size_t ctx_size(const struct wn_md_desc *desc)
{
    return offsetof(struct wn_digest_ctx, md.u) + desc->state_size;
}

/* ---- EVP ------------------------------------------------------------------ */

static void *wn_digest_newctx(void *vprov, const struct wn_md_desc *desc)
{
    const struct wn_prov *prov = vprov;
    struct wn_digest_ctx *ctx = wn_ctx_new(prov, ctx_size(desc));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->md.desc = desc;
    }
    return ctx;
}

static void wn_digest_freectx(void *vctx)
{
    struct wn_digest_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, ctx_size(ctx->md.desc));
}

static void *wn_digest_dupctx(void *vctx)
{
    const struct wn_digest_ctx *ctx = vctx;
    struct wn_digest_ctx *copy = wn_ctx_new(ctx->prov, ctx_size(ctx->md.desc));

    if (copy != NULL)
        memcpy(copy, ctx, ctx_size(ctx->md.desc));
    return copy;
}

static void wn_digest_copyctx(void *vout, void *vin)
{
    const struct wn_digest_ctx *in = vin;

    memcpy(vout, in, ctx_size(in->md.desc));
}

static int wn_digest_init(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;

    (void)params;
    ctx->ready = wn_md_init(&ctx->md, ctx->md.desc);
    return ctx->ready;
}

static int wn_digest_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_digest_ctx *ctx = vctx;

    return ctx->ready && wn_md_update(&ctx->md, in, n);
}

static int wn_digest_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_digest_ctx *ctx = vctx;

    if (!ctx->ready || outsz < ctx->md.desc->size || !wn_md_final(&ctx->md, out))
        return 0;
    ctx->ready = 0;
    *outl = ctx->md.desc->size;
    return 1;
}

#define DIGEST_GET(P)                                    \
    P(block_size, size_t, OSSL_DIGEST_PARAM_BLOCK_SIZE)  \
    P(size, size_t, OSSL_DIGEST_PARAM_SIZE)              \
    P(xof, int, OSSL_DIGEST_PARAM_XOF)                   \
    P(algid_absent, int, OSSL_DIGEST_PARAM_ALGID_ABSENT)
WN_PARAMS(digest_get, DIGEST_GET);

static const OSSL_PARAM *wn_digest_gettable_params(void *vprov)
{
    (void)vprov;
    return digest_get_list;
}

/* No context, hence no error queue: 0 says it all. */
static int wn_digest_get_params(OSSL_PARAM params[], const struct wn_md_desc *desc)
{
    static const struct wn_prov any_version;
    struct digest_get p;

    return WN_PARAMS_SCAN(&any_version, digest_get, params, &p)
        && (p.block_size == NULL || wn_param_set_size_t(p.block_size, desc->block))
        && (p.size == NULL || wn_param_set_size_t(p.size, desc->size))
        && (p.xof == NULL || wn_param_set_int(p.xof, (desc->flags & WN_MD_XOF) != 0))
        && (p.algid_absent == NULL || wn_param_set_int(p.algid_absent, 1));
}

#define DIGEST_COMMON                                                        \
    WN_FN(DIGEST_FREECTX, digest_freectx, wn_digest_freectx),                \
    WN_FN(DIGEST_DUPCTX, digest_dupctx, wn_digest_dupctx),                   \
    WN_FN(DIGEST_COPYCTX, digest_copyctx, wn_digest_copyctx),                \
    WN_FN(DIGEST_INIT, digest_init, wn_digest_init),                         \
    WN_FN(DIGEST_UPDATE, digest_update, wn_digest_update),                   \
    WN_FN(DIGEST_FINAL, digest_final, wn_digest_final),                      \
    WN_FN(DIGEST_GETTABLE_PARAMS, digest_gettable_params, wn_digest_gettable_params)

#define DEFINE_TABLE(id)                                                     \
    static void *id##_newctx(void *prov) { return wn_digest_newctx(prov, &wn_md_##id); } \
    static int id##_get_params(OSSL_PARAM params[])                          \
    { return wn_digest_get_params(params, &wn_md_##id); }                    \
    const OSSL_DISPATCH wn_##id##_functions[] = {                            \
        WN_FN(DIGEST_NEWCTX, digest_newctx, id##_newctx),                    \
        WN_FN(DIGEST_GET_PARAMS, digest_get_params, id##_get_params),        \
        DIGEST_COMMON,                                                       \
        WN_FN_END                                                            \
    };
DEFINE_TABLE(sha1)
DEFINE_TABLE(sha224)
DEFINE_TABLE(sha256)
DEFINE_TABLE(sha384)
DEFINE_TABLE(sha512)
