/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MD "CSHAKE-128" and "CSHAKE-256" (NIST SP 800-185 section 3), which
 * OpenSSL has since 4.0.
 *
 * Function name and customisation may be set until the first update, final or
 * squeeze; only then is it known whether this is plain SHAKE (both empty) and
 * the prefix is absorbed. A context is used by one thread at a time.
 */
#include "digest_ctx.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "../provider/params.h"
#include "kmac.h"

/* Longest customisation, as the default provider: fewer than 512 bytes. */
#define MAX_CUSTOM 511

struct wn_cshake_ctx {
    const struct wn_prov *prov;
    enum wn_digest_state state;
    int begun;                  /* the prefix, if any, is absorbed */
    unsigned char pad;
    unsigned bits;              /* 128 or 256 */
    size_t size;                /* "xoflen" */
    const char *function;       /* one of functions[] */
    size_t customlen;
    char custom[MAX_CUSTOM];
    struct wn_keccak k;
};

/* The function names that SP 800-185 defines (section 3.4). */
static const char *const functions[] = { "", "KMAC", "TupleHash", "ParallelHash" };

static size_t rate(const struct wn_cshake_ctx *ctx)
{
    return 200 - ctx->bits / 4;
}

static void *newctx(void *vprov, unsigned bits)
{
    const struct wn_prov *prov = vprov;
    struct wn_cshake_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->bits = bits;
        ctx->function = functions[0];
    }
    return ctx;
}

static void *wn_cshake_128_newctx(void *vprov)
{
    return newctx(vprov, 128);
}

static void *wn_cshake_256_newctx(void *vprov)
{
    return newctx(vprov, 256);
}

static void wn_cshake_freectx(void *vctx)
{
    struct wn_cshake_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void wn_cshake_copyctx(void *vout, void *vin)
{
    *(struct wn_cshake_ctx *)vout = *(const struct wn_cshake_ctx *)vin;
}

static void *wn_cshake_dupctx(void *vctx)
{
    const struct wn_cshake_ctx *ctx = vctx;
    struct wn_cshake_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy != NULL)
        *copy = *ctx;
    return copy;
}

/* ---- parameters ----------------------------------------------------------- */

#define CSHAKE_SET(P)                                              \
    P(xoflen, size_t, OSSL_DIGEST_PARAM_XOFLEN)                    \
    P(size, size_t, OSSL_DIGEST_PARAM_SIZE)                        \
    P(function, utf8_string, OSSL_DIGEST_PARAM_FUNCTION_NAME)      \
    P(custom, utf8_string, OSSL_DIGEST_PARAM_CUSTOMIZATION)        \
    P(properties, utf8_string, OSSL_ALG_PARAM_PROPERTIES)
WN_PARAMS(cshake_set, CSHAKE_SET);

#define CSHAKE_GET(P)                              \
    P(xoflen, size_t, OSSL_DIGEST_PARAM_XOFLEN)    \
    P(size, size_t, OSSL_DIGEST_PARAM_SIZE)
WN_PARAMS(cshake_get, CSHAKE_GET);

static const OSSL_PARAM *wn_cshake_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return cshake_set_list;
}

static const OSSL_PARAM *wn_cshake_gettable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return cshake_get_list;
}

static int wn_cshake_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_cshake_ctx *ctx = vctx;
    struct cshake_get p;

    return WN_PARAMS_SCAN(ctx->prov, cshake_get, params, &p)
        && wn_param_give_size_t(ctx->prov, p.xoflen, ctx->size)
        && wn_param_give_size_t(ctx->prov, p.size, ctx->size);
}

static int take_function(const struct wn_cshake_ctx *ctx, const OSSL_PARAM *p,
                         const char **function)
{
    char name[16];
    size_t i;

    if (p == NULL)
        return 1;
    if (wn_param_get_utf8(p, name, sizeof(name))) {
        for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
            if (strcasecmp(name, functions[i]) == 0) {
                *function = functions[i];
                return 1;
            }
        }
    }
    WN_RAISE(ctx->prov, PROV_R_INVALID_FUNCTION_NAME);
    return 0;
}

static int wn_cshake_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_cshake_ctx *ctx = vctx;
    const char *function = ctx->function;
    char custom[MAX_CUSTOM + 1];
    struct cshake_set p;

    if (!WN_PARAMS_SCAN(ctx->prov, cshake_set, params, &p)
        || !take_function(ctx, p.function, &function))
        return 0;
    if (p.custom != NULL && !wn_param_get_utf8(p.custom, custom, sizeof(custom))) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_CUSTOM_LENGTH);
        return 0;
    }
    if (!wn_param_take_size_t(ctx->prov, p.xoflen != NULL ? p.xoflen : p.size, &ctx->size))
        return 0;
    ctx->function = function;
    if (p.custom != NULL) {
        ctx->customlen = strlen(custom);
        memcpy(ctx->custom, custom, ctx->customlen);
    }
    return 1;
}

/* ---- init, update, final, squeeze --------------------------------------------- */

static int wn_cshake_init(void *vctx, const OSSL_PARAM params[])
{
    struct wn_cshake_ctx *ctx = vctx;

    ctx->state = WN_DIGEST_UPDATE;
    ctx->begun = 0;
    ctx->size = ctx->bits / 4;
    ctx->function = functions[0];
    ctx->customlen = 0;
    return wn_cshake_set_ctx_params(vctx, params);
}

/* Section 3.3. */
static void begin(struct wn_cshake_ctx *ctx)
{
    if (ctx->begun)
        return;
    ctx->begun = 1;
    ctx->pad = 0x1f;
    wn_keccak_init(&ctx->k);
    if (*ctx->function == '\0' && ctx->customlen == 0)
        return;
    ctx->pad = 0x04;
    wn_sp185_bytepad(&ctx->k, rate(ctx));
    wn_sp185_string(&ctx->k, rate(ctx), ctx->function, strlen(ctx->function));
    wn_sp185_string(&ctx->k, rate(ctx), ctx->custom, ctx->customlen);
    wn_keccak_fill(&ctx->k);
}

static int may(const struct wn_cshake_ctx *ctx, int ok)
{
    if (!ok)
        WN_RAISE(ctx->prov, ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
    return ok;
}

static int wn_cshake_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_cshake_ctx *ctx = vctx;

    if (!may(ctx, ctx->state == WN_DIGEST_UPDATE))
        return 0;
    begin(ctx);
    wn_keccak_absorb(&ctx->k, rate(ctx), in, n);
    return 1;
}

static int squeeze(struct wn_cshake_ctx *ctx, unsigned char *out, size_t n)
{
    begin(ctx);
    wn_keccak_squeeze(&ctx->k, rate(ctx), ctx->pad, out, n);
    return 1;
}

static int wn_cshake_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_cshake_ctx *ctx = vctx;

    if (!may(ctx, ctx->state == WN_DIGEST_UPDATE))
        return 0;
    if (outsz > 0) {
        squeeze(ctx, out, ctx->size);
        ctx->state = WN_DIGEST_IDLE;
    }
    *outl = ctx->size;
    return 1;
}

static int wn_cshake_squeeze(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_cshake_ctx *ctx = vctx;

    if (!may(ctx, ctx->state != WN_DIGEST_IDLE))
        return 0;
    if (outsz > 0) {
        squeeze(ctx, out, outsz);
        ctx->state = WN_DIGEST_SQUEEZE;
    }
    if (outl != NULL)
        *outl = outsz;
    return 1;
}

/* ---- tables ---------------------------------------------------------------- */

#define CONSTANTS(P)                                     \
    P(block_size, size_t, OSSL_DIGEST_PARAM_BLOCK_SIZE)  \
    P(size, size_t, OSSL_DIGEST_PARAM_SIZE)              \
    P(xof, int, OSSL_DIGEST_PARAM_XOF)                   \
    P(algid_absent, int, OSSL_DIGEST_PARAM_ALGID_ABSENT)
WN_PARAMS(constants, CONSTANTS);

static const OSSL_PARAM *wn_cshake_gettable_params(void *vprov)
{
    (void)vprov;
    return constants_list;
}

static int get_params(OSSL_PARAM params[], unsigned bits)
{
    static const struct wn_prov any_version;
    struct constants p;

    return WN_PARAMS_SCAN(&any_version, constants, params, &p)
        && (p.block_size == NULL || wn_param_set_size_t(p.block_size, 200 - bits / 4))
        && (p.size == NULL || wn_param_set_size_t(p.size, bits / 4))
        && (p.xof == NULL || wn_param_set_int(p.xof, 1))
        && (p.algid_absent == NULL || wn_param_set_int(p.algid_absent, 1));
}

#define TABLE(bits)                                                          \
    static int wn_cshake_##bits##_get_params(OSSL_PARAM params[])            \
    { return get_params(params, bits); }                                     \
    const OSSL_DISPATCH wn_cshake_##bits##_functions[] = {                   \
        WN_FN(DIGEST_NEWCTX, digest_newctx, wn_cshake_##bits##_newctx),      \
        WN_FN(DIGEST_GET_PARAMS, digest_get_params, wn_cshake_##bits##_get_params), \
        COMMON,                                                              \
        WN_FN_END                                                            \
    };
#define COMMON                                                               \
    WN_FN(DIGEST_FREECTX, digest_freectx, wn_cshake_freectx),                \
    WN_FN(DIGEST_DUPCTX, digest_dupctx, wn_cshake_dupctx),                   \
    WN_FN(DIGEST_COPYCTX, digest_copyctx, wn_cshake_copyctx),                \
    WN_FN(DIGEST_INIT, digest_init, wn_cshake_init),                         \
    WN_FN(DIGEST_UPDATE, digest_update, wn_cshake_update),                   \
    WN_FN(DIGEST_FINAL, digest_final, wn_cshake_final),                      \
    WN_FN(DIGEST_SQUEEZE, digest_squeeze, wn_cshake_squeeze),                \
    WN_FN(DIGEST_GETTABLE_PARAMS, digest_gettable_params, wn_cshake_gettable_params), \
    WN_FN(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params, wn_cshake_set_ctx_params), \
    WN_FN(DIGEST_SETTABLE_CTX_PARAMS, digest_settable_ctx_params, wn_cshake_settable_ctx_params), \
    WN_FN(DIGEST_GET_CTX_PARAMS, digest_get_ctx_params, wn_cshake_get_ctx_params), \
    WN_FN(DIGEST_GETTABLE_CTX_PARAMS, digest_gettable_ctx_params, wn_cshake_gettable_ctx_params)
TABLE(128)
TABLE(256)
