/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC "KMAC-128" and "KMAC-256" (NIST SP 800-185 section 4).
 *
 * Key and customisation are kept as given: an init takes whatever is set by
 * then, "size" and "xof" count until final. A context is used by one thread.
 */
#include "kmac.h"

#include <string.h>

#include "../provider/alglist.h"
#include "mac.h"

struct wn_kmac_ctx {
    const struct wn_prov *prov;
    enum wn_mac_state state;
    unsigned bits;              /* 128 or 256 */
    int xof;
    size_t size;
    size_t keylen, customlen;   /* keylen 0: no key */
    int fresh;                  /* start is not that of key and custom */
    struct wn_kmac kmac, start; /* start: after the prefix, for restarts */
    unsigned char key[WN_KMAC_MAX_KEY], custom[WN_KMAC_MAX_CUSTOM];
};

static void *wn_kmac_newctx(void *vprov, unsigned bits)
{
    const struct wn_prov *prov = vprov;
    struct wn_kmac_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->bits = bits;
        ctx->size = bits / 4;
    }
    return ctx;
}

static void *wn_kmac128_newctx(void *vprov)
{
    return wn_kmac_newctx(vprov, 128);
}

static void *wn_kmac256_newctx(void *vprov)
{
    return wn_kmac_newctx(vprov, 256);
}

static void wn_kmac_freectx(void *vctx)
{
    struct wn_kmac_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_kmac_dupctx(void *vctx)
{
    const struct wn_kmac_ctx *ctx = vctx;
    struct wn_kmac_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy != NULL)
        *copy = *ctx;
    return copy;
}

#define KMAC_SET(P)                                  \
    P(xof, int, OSSL_MAC_PARAM_XOF)                  \
    P(size, size_t, OSSL_MAC_PARAM_SIZE)             \
    P(key, octet_string, OSSL_MAC_PARAM_KEY)         \
    P(custom, octet_string, OSSL_MAC_PARAM_CUSTOM)
WN_PARAMS(kmac_set, KMAC_SET);

#define KMAC_GET(P)                                  \
    P(size, size_t, OSSL_MAC_PARAM_SIZE)             \
    P(block_size, size_t, OSSL_MAC_PARAM_BLOCK_SIZE)
WN_PARAMS(kmac_get, KMAC_GET);

static const OSSL_PARAM *wn_kmac_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return kmac_set_list;
}

static const OSSL_PARAM *wn_kmac_gettable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return kmac_get_list;
}

static int wn_kmac_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_kmac_ctx *ctx = vctx;
    struct kmac_get p;

    return WN_PARAMS_SCAN(ctx->prov, kmac_get, params, &p)
        && wn_param_give_size_t(ctx->prov, p.size, ctx->size)
        && wn_param_give_size_t(ctx->prov, p.block_size, 200 - ctx->bits / 4);
}

static int key_length_ok(const struct wn_kmac_ctx *ctx, size_t n)
{
    if (n >= WN_KMAC_MIN_KEY && n <= WN_KMAC_MAX_KEY)
        return 1;
    WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
    return 0;
}

static void keep_key(struct wn_kmac_ctx *ctx, const unsigned char *key, size_t n)
{
    wn_clear(ctx->key, sizeof(ctx->key));
    memcpy(ctx->key, key, n);
    ctx->keylen = n;
    ctx->fresh = 1;
}

static int wn_kmac_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_kmac_ctx *ctx = vctx;
    struct kmac_set p;
    const unsigned char *key = NULL, *custom = NULL;
    size_t size = ctx->size, keylen = 0, customlen = 0;
    int xof = ctx->xof;

    if (wn_params_empty(params))
        return 1;
    if (!WN_PARAMS_SCAN(ctx->prov, kmac_set, params, &p)
        || !wn_param_take_int(ctx->prov, p.xof, &xof)
        || !wn_param_take_size_t(ctx->prov, p.size, &size))
        return 0;
    if (size > WN_KMAC_MAX_OUTPUT) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_OUTPUT_LENGTH);
        return 0;
    }
    if (p.key != NULL && (!wn_mac_key_param(ctx->prov, p.key, &key, &keylen)
                          || !key_length_ok(ctx, keylen)))
        return 0;
    if (p.custom != NULL && !wn_mac_key_param(ctx->prov, p.custom, &custom, &customlen))
        return 0;
    if (customlen > WN_KMAC_MAX_CUSTOM) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_CUSTOM_LENGTH);
        return 0;
    }
    ctx->xof = xof;
    ctx->size = size;
    if (key != NULL)
        keep_key(ctx, key, keylen);
    if (custom != NULL) {
        memcpy(ctx->custom, custom, customlen);
        ctx->customlen = customlen;
        ctx->fresh = 1;
    }
    return 1;
}

static int wn_kmac_ctx_init(void *vctx, const unsigned char *key, size_t keylen,
                            const OSSL_PARAM params[])
{
    struct wn_kmac_ctx *ctx = vctx;

    if (!wn_kmac_set_ctx_params(ctx, params))
        return 0;
    if (key != NULL) {
        if (!key_length_ok(ctx, keylen))
            return 0;
        keep_key(ctx, key, keylen);
    } else if (ctx->keylen == 0) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (ctx->fresh)
        wn_kmac_init(&ctx->start, ctx->bits, ctx->key, ctx->keylen, ctx->custom, ctx->customlen);
    ctx->fresh = 0;
    ctx->kmac = ctx->start;
    ctx->state = WN_MAC_READY;
    return 1;
}

static int wn_kmac_ctx_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_kmac_ctx *ctx = vctx;

    if (!wn_mac_ready(ctx->prov, ctx->state))
        return 0;
    wn_kmac_update(&ctx->kmac, in, n);
    return 1;
}

static int wn_kmac_ctx_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_kmac_ctx *ctx = vctx;

    if (!wn_mac_ready(ctx->prov, ctx->state) || !wn_mac_fits(ctx->prov, ctx->size, outsize))
        return 0;
    wn_kmac_final(&ctx->kmac, out, ctx->size, ctx->xof);
    ctx->state = WN_MAC_DONE;
    *outl = ctx->size;
    return 1;
}

#define KMAC_TABLE(bits)                                                     \
    const OSSL_DISPATCH wn_kmac##bits##_functions[] = {                      \
        WN_FN(MAC_NEWCTX, mac_newctx, wn_kmac##bits##_newctx),               \
        WN_FN(MAC_DUPCTX, mac_dupctx, wn_kmac_dupctx),                       \
        WN_FN(MAC_FREECTX, mac_freectx, wn_kmac_freectx),                    \
        WN_FN(MAC_INIT, mac_init, wn_kmac_ctx_init),                         \
        WN_FN(MAC_UPDATE, mac_update, wn_kmac_ctx_update),                   \
        WN_FN(MAC_FINAL, mac_final, wn_kmac_ctx_final),                      \
        WN_FN(MAC_GETTABLE_CTX_PARAMS, mac_gettable_ctx_params, wn_kmac_gettable_ctx_params), \
        WN_FN(MAC_GET_CTX_PARAMS, mac_get_ctx_params, wn_kmac_get_ctx_params), \
        WN_FN(MAC_SETTABLE_CTX_PARAMS, mac_settable_ctx_params, wn_kmac_settable_ctx_params), \
        WN_FN(MAC_SET_CTX_PARAMS, mac_set_ctx_params, wn_kmac_set_ctx_params), \
        WN_FN_END                                                            \
    };
KMAC_TABLE(128)
KMAC_TABLE(256)
