/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC "POLY1305" (RFC 8439 section 2.5). The key is good for one message,
 * so a restart with the same key is refused. A context is used by one thread.
 */
#include "mac.h"

#include <wolfssl/wolfcrypt/poly1305.h>

#include "../provider/alglist.h"
#include "accel.h"

#define KEY_SIZE 32
#define TAG_SIZE 16

struct wn_poly1305_ctx {
    const struct wn_prov *prov;
    enum wn_mac_state state;
    int updated;
    union {
        struct wn_poly1305 kernel;      /* if there are kernels */
        _Alignas(64) Poly1305 wolf;
    } poly;
};

static int has_kernels(void)
{
    return wn_accel.poly_init != NULL;
}

static void *wn_poly1305_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_poly1305_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_poly1305_freectx(void *vctx)
{
    struct wn_poly1305_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_poly1305_dupctx(void *vctx)
{
    const struct wn_poly1305_ctx *ctx = vctx;
    struct wn_poly1305_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy != NULL)
        *copy = *ctx;
    return copy;
}

static int set_key(struct wn_poly1305_ctx *ctx, const unsigned char *key, size_t keylen)
{
    if (keylen != KEY_SIZE) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    ctx->state = WN_MAC_IDLE;
    if (has_kernels())
        wn_accel.poly_init(&ctx->poly.kernel, key);
    else if (!WN_WC(ctx->prov, wc_Poly1305SetKey(&ctx->poly.wolf, key, KEY_SIZE)))
        return 0;
    ctx->state = WN_MAC_READY;
    ctx->updated = 0;
    return 1;
}

#define POLY1305_SET(P) P(key, octet_string, OSSL_MAC_PARAM_KEY)
WN_PARAMS(poly1305_set, POLY1305_SET);

#define POLY1305_GET(P) P(size, size_t, OSSL_MAC_PARAM_SIZE)
WN_PARAMS(poly1305_get, POLY1305_GET);

static const OSSL_PARAM *wn_poly1305_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return poly1305_set_list;
}

static const OSSL_PARAM *wn_poly1305_gettable_params(void *vprov)
{
    (void)vprov;
    return poly1305_get_list;
}

/* No context, hence no error queue. */
static int wn_poly1305_get_params(OSSL_PARAM params[])
{
    static const struct wn_prov any_version;
    struct poly1305_get p;

    return WN_PARAMS_SCAN(&any_version, poly1305_get, params, &p)
        && (p.size == NULL || wn_param_set_size_t(p.size, TAG_SIZE));
}

static int wn_poly1305_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_poly1305_ctx *ctx = vctx;
    struct poly1305_set p;
    const unsigned char *key;
    size_t n;

    if (!WN_PARAMS_SCAN(ctx->prov, poly1305_set, params, &p))
        return 0;
    return p.key == NULL
        || (wn_mac_key_param(ctx->prov, p.key, &key, &n) && set_key(ctx, key, n));
}

static int wn_poly1305_init(void *vctx, const unsigned char *key, size_t keylen,
                            const OSSL_PARAM params[])
{
    struct wn_poly1305_ctx *ctx = vctx;

    if (!wn_poly1305_set_ctx_params(ctx, params))
        return 0;
    if (key != NULL)
        return set_key(ctx, key, keylen);
    if (ctx->updated) {
        WN_RAISE(ctx->prov, ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        return 0;
    }
    return 1;
}

static int wn_poly1305_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_poly1305_ctx *ctx = vctx;
    size_t piece;

    if (!wn_mac_ready(ctx->prov, ctx->state))
        return 0;
    ctx->updated = 1;
    if (has_kernels()) {
        wn_accel.poly_update(&ctx->poly.kernel, in, n);
        return 1;
    }
    for (; n > 0; in += piece, n -= piece) {
        piece = n < WN_CHUNK ? n : WN_CHUNK;
        if (!WN_WC(ctx->prov, wc_Poly1305Update(&ctx->poly.wolf, in, (word32)piece)))
            return 0;
    }
    return 1;
}

static int wn_poly1305_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_poly1305_ctx *ctx = vctx;

    if (!wn_mac_ready(ctx->prov, ctx->state) || !wn_mac_fits(ctx->prov, TAG_SIZE, outsize))
        return 0;
    if (has_kernels())
        wn_accel.poly_tag(&ctx->poly.kernel, out);
    else if (!WN_WC(ctx->prov, wc_Poly1305Final(&ctx->poly.wolf, out)))
        return 0;
    ctx->updated = 1;
    ctx->state = WN_MAC_DONE;
    *outl = TAG_SIZE;
    return 1;
}

static size_t wn_poly1305_size(void *vctx)
{
    (void)vctx;
    return TAG_SIZE;
}

const struct wn_mac_ops wn_poly1305_ops = {
    wn_poly1305_newctx, wn_poly1305_dupctx, wn_poly1305_freectx, wn_poly1305_init,
    wn_poly1305_update, wn_poly1305_final, wn_poly1305_set_ctx_params,
    wn_poly1305_settable_ctx_params, wn_poly1305_size
};

const OSSL_DISPATCH wn_poly1305_functions[] = {
    WN_FN(MAC_NEWCTX, mac_newctx, wn_poly1305_newctx),
    WN_FN(MAC_DUPCTX, mac_dupctx, wn_poly1305_dupctx),
    WN_FN(MAC_FREECTX, mac_freectx, wn_poly1305_freectx),
    WN_FN(MAC_INIT, mac_init, wn_poly1305_init),
    WN_FN(MAC_UPDATE, mac_update, wn_poly1305_update),
    WN_FN(MAC_FINAL, mac_final, wn_poly1305_final),
    WN_FN(MAC_GETTABLE_PARAMS, mac_gettable_params, wn_poly1305_gettable_params),
    WN_FN(MAC_GET_PARAMS, mac_get_params, wn_poly1305_get_params),
    WN_FN(MAC_SETTABLE_CTX_PARAMS, mac_settable_ctx_params, wn_poly1305_settable_ctx_params),
    WN_FN(MAC_SET_CTX_PARAMS, mac_set_ctx_params, wn_poly1305_set_ctx_params),
    WN_FN_END
};
