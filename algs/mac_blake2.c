/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC "BLAKE2BMAC" and "BLAKE2SMAC": keyed BLAKE2 (RFC 7693 section 2.9),
 * with the output size, salt and personalisation of provider-mac(7).
 *
 * Parameters, the key among them, count from the next init on, as in the
 * default provider. A context is used by one thread at a time.
 */
#include <string.h>

#include "../provider/alglist.h"
#include "blake2.h"
#include "mac.h"

struct wn_blake2mac_ctx {
    const struct wn_prov *prov;
    const struct wn_md_desc *desc;
    enum wn_mac_state state;
    size_t size;                        /* of the MAC that is being computed */
    struct wn_blake2_param param;       /* for the next init */
    unsigned char key[2 * WN_BLAKE2_MAX_KEY];   /* a block, zeros behind the key */
    struct wn_md md;
};

static void *wn_blake2mac_newctx(void *vprov, const struct wn_md_desc *desc)
{
    const struct wn_prov *prov = vprov;
    struct wn_blake2mac_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->desc = desc;
        ctx->param.size = desc->size;
    }
    return ctx;
}

static void *wn_blake2bmac_newctx(void *vprov)
{
    return wn_blake2mac_newctx(vprov, &wn_md_blake2b_512);
}

static void *wn_blake2smac_newctx(void *vprov)
{
    return wn_blake2mac_newctx(vprov, &wn_md_blake2s_256);
}

static void wn_blake2mac_freectx(void *vctx)
{
    struct wn_blake2mac_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_blake2mac_dupctx(void *vctx)
{
    const struct wn_blake2mac_ctx *ctx = vctx;
    struct wn_blake2mac_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy != NULL)
        *copy = *ctx;
    return copy;
}

/* ---- parameters ----------------------------------------------------------- */

#define BLAKE2_GET(P)                                \
    P(size, size_t, OSSL_MAC_PARAM_SIZE)             \
    P(block_size, size_t, OSSL_MAC_PARAM_BLOCK_SIZE)
WN_PARAMS(blake2_get, BLAKE2_GET);

#define BLAKE2_SET(P)                               \
    P(size, size_t, OSSL_MAC_PARAM_SIZE)            \
    P(key, octet_string, OSSL_MAC_PARAM_KEY)        \
    P(custom, octet_string, OSSL_MAC_PARAM_CUSTOM)  \
    P(salt, octet_string, OSSL_MAC_PARAM_SALT)
WN_PARAMS(blake2_set, BLAKE2_SET);

static const OSSL_PARAM *wn_blake2mac_gettable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return blake2_get_list;
}

static const OSSL_PARAM *wn_blake2mac_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return blake2_set_list;
}

static int wn_blake2mac_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_blake2mac_ctx *ctx = vctx;
    struct blake2_get p;

    return WN_PARAMS_SCAN(ctx->prov, blake2_get, params, &p)
        && wn_param_give_size_t(ctx->prov, p.size, ctx->param.size)
        && wn_param_give_size_t(ctx->prov, p.block_size, ctx->desc->block);
}

static int key_fits(const struct wn_blake2mac_ctx *ctx, size_t n)
{
    if (n > 0 && n <= ctx->desc->block / 2)
        return 1;
    WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
    return 0;
}

static void keep_key(struct wn_blake2mac_ctx *ctx, const unsigned char *key, size_t n)
{
    wn_clear(ctx->key, sizeof(ctx->key));
    memcpy(ctx->key, key, n);
    ctx->param.keylen = n;
}

/* Salt or personalisation; p may be NULL. */
static int take_part(const struct wn_blake2mac_ctx *ctx, const OSSL_PARAM *p,
                     unsigned char part[WN_BLAKE2_MAX_SALT], int reason)
{
    const unsigned char *bytes;
    size_t n;

    if (p == NULL)
        return 1;
    if (!wn_param_take_octets(ctx->prov, p, &bytes, &n))
        return 0;
    if (n > ctx->desc->block / 8) {
        WN_RAISE(ctx->prov, reason);
        return 0;
    }
    memset(part, 0, WN_BLAKE2_MAX_SALT);
    if (n != 0)
        memcpy(part, bytes, n);
    return 1;
}

static int wn_blake2mac_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_blake2mac_ctx *ctx = vctx;
    struct wn_blake2_param param = ctx->param;
    const unsigned char *key = NULL;
    struct blake2_set p;
    size_t n = 0;

    if (wn_params_empty(params))
        return 1;
    if (!WN_PARAMS_SCAN(ctx->prov, blake2_set, params, &p))
        return 0;
    if (p.size != NULL && (!wn_param_get_size_t(p.size, &param.size) || param.size < 1
                           || param.size > ctx->desc->size)) {
        WN_RAISE(ctx->prov, PROV_R_NOT_XOF_OR_INVALID_LENGTH);
        return 0;
    }
    if ((p.key != NULL && (!wn_mac_key_param(ctx->prov, p.key, &key, &n) || !key_fits(ctx, n)))
        || !take_part(ctx, p.custom, param.personal, PROV_R_INVALID_CUSTOM_LENGTH)
        || !take_part(ctx, p.salt, param.salt, PROV_R_INVALID_SALT_LENGTH))
        return 0;
    ctx->param = param;
    if (key != NULL)
        keep_key(ctx, key, n);
    return 1;
}

/* ---- init, update, final ---------------------------------------------------- */

static int wn_blake2mac_init(void *vctx, const unsigned char *key, size_t keylen,
                             const OSSL_PARAM params[])
{
    struct wn_blake2mac_ctx *ctx = vctx;

    if ((key != NULL && !key_fits(ctx, keylen)) || !wn_blake2mac_set_ctx_params(ctx, params))
        return 0;
    if (key != NULL)
        keep_key(ctx, key, keylen);
    if (ctx->param.keylen == 0) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    wn_blake2_init(&ctx->md, ctx->desc, &ctx->param, ctx->key);
    ctx->size = ctx->param.size;
    ctx->state = WN_MAC_READY;
    return 1;
}

static int wn_blake2mac_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_blake2mac_ctx *ctx = vctx;

    return wn_mac_ready(ctx->prov, ctx->state) && wn_md_update(&ctx->md, in, n);
}

static int wn_blake2mac_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_blake2mac_ctx *ctx = vctx;

    if (!wn_mac_ready(ctx->prov, ctx->state) || !wn_mac_fits(ctx->prov, ctx->size, outsize))
        return 0;
    wn_md_squeeze(&ctx->md, out, ctx->size);
    ctx->state = WN_MAC_DONE;
    *outl = ctx->size;
    return 1;
}

#define TABLE(id)                                                                      \
    const OSSL_DISPATCH wn_##id##_functions[] = {                                      \
        WN_FN(MAC_NEWCTX, mac_newctx, wn_##id##_newctx),                               \
        WN_FN(MAC_DUPCTX, mac_dupctx, wn_blake2mac_dupctx),                            \
        WN_FN(MAC_FREECTX, mac_freectx, wn_blake2mac_freectx),                         \
        WN_FN(MAC_INIT, mac_init, wn_blake2mac_init),                                  \
        WN_FN(MAC_UPDATE, mac_update, wn_blake2mac_update),                            \
        WN_FN(MAC_FINAL, mac_final, wn_blake2mac_final),                               \
        WN_FN(MAC_GETTABLE_CTX_PARAMS, mac_gettable_ctx_params,                        \
              wn_blake2mac_gettable_ctx_params),                                       \
        WN_FN(MAC_GET_CTX_PARAMS, mac_get_ctx_params, wn_blake2mac_get_ctx_params),    \
        WN_FN(MAC_SETTABLE_CTX_PARAMS, mac_settable_ctx_params,                        \
              wn_blake2mac_settable_ctx_params),                                       \
        WN_FN(MAC_SET_CTX_PARAMS, mac_set_ctx_params, wn_blake2mac_set_ctx_params),    \
        WN_FN_END                                                                      \
    };
TABLE(blake2bmac)
TABLE(blake2smac)
