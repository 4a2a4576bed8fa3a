/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC "CMAC" (NIST SP 800-38B). A cipher parameter counts from the next key
 * on; an init without a key starts over with the key in use. A context is used
 * by one thread at a time.
 */
#include "cmac.h"

#include <string.h>

#include <openssl/evp.h>

#include "../provider/alglist.h"
#include "mac.h"
#include "other_ctx.h"

struct wn_cmac_ctx {
    const struct wn_prov *prov;
    struct wn_other_ctx *other;         /* not NULL: another provider has the cipher */
    const struct wn_cmac_cipher *next;  /* the cipher parameter, if not yet in use */
    enum wn_mac_state state;
    struct wn_cmac cmac;                /* last: allocated as far as it exists */
};

static size_t ctx_size(void)
{
    return offsetof(struct wn_cmac_ctx, cmac) + wn_cmac_size();
}

static void *wn_cmac_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_cmac_ctx *ctx = wn_ctx_new(prov, ctx_size());

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_cmac_freectx(void *vctx)
{
    struct wn_cmac_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_other_ctx_free(ctx->other);
    wn_ctx_free(ctx->prov, ctx, ctx_size());
}

static void *wn_cmac_dupctx(void *vctx)
{
    const struct wn_cmac_ctx *ctx = vctx;
    struct wn_cmac_ctx *copy = wn_ctx_new(ctx->prov, ctx_size());

    if (copy == NULL)
        return NULL;
    memcpy(copy, ctx, ctx_size());
    if (ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL) {
        wn_cmac_freectx(copy);
        return NULL;
    }
    return copy;
}

static int set_key(struct wn_cmac_ctx *ctx, const unsigned char *key, size_t keylen)
{
    const struct wn_cmac_cipher *cipher = ctx->next != NULL ? ctx->next : ctx->cmac.cipher;

    if (cipher == NULL) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EVP, EVP_R_NO_CIPHER_SET);
        return 0;
    }
    if (keylen != cipher->keylen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    ctx->state = WN_MAC_IDLE;
    if (!wn_cmac_set_key(ctx->prov, &ctx->cmac, cipher, key))
        return 0;
    ctx->next = NULL;
    ctx->state = WN_MAC_READY;
    return 1;
}

/* ---- parameters ----------------------------------------------------------- */

#define CMAC_GET(P)                                  \
    P(size, size_t, OSSL_MAC_PARAM_SIZE)             \
    P(block_size, size_t, OSSL_MAC_PARAM_BLOCK_SIZE)
WN_PARAMS(cmac_get, CMAC_GET);

#define CMAC_SET(P)                                         \
    P(cipher, utf8_string, OSSL_MAC_PARAM_CIPHER)           \
    P(properties, utf8_string, OSSL_MAC_PARAM_PROPERTIES)   \
    P(key, octet_string, OSSL_MAC_PARAM_KEY)
WN_PARAMS(cmac_set, CMAC_SET);

static const OSSL_PARAM *wn_cmac_gettable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return cmac_get_list;
}

static const OSSL_PARAM *wn_cmac_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return cmac_set_list;
}

static size_t wn_cmac_mac_size(void *vctx)
{
    const struct wn_cmac_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_mac_size(ctx->other);
    return ctx->state == WN_MAC_IDLE ? 0 : ctx->cmac.cipher->block;
}

static int wn_cmac_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_cmac_ctx *ctx = vctx;
    struct cmac_get p;

    if (ctx->other != NULL)
        return wn_other_get_params(ctx->other, params);
    return WN_PARAMS_SCAN(ctx->prov, cmac_get, params, &p)
        && wn_param_give_size_t(ctx->prov, p.size, wn_cmac_mac_size(vctx))
        && wn_param_give_size_t(ctx->prov, p.block_size, wn_cmac_mac_size(vctx));
}

/* With the cipher of another provider; the key, if one was set, is not taken along. */
static int continue_elsewhere(struct wn_cmac_ctx *ctx, const OSSL_PARAM params[],
                              const OSSL_PARAM *cipher)
{
    ctx->other = wn_other_mac_find(ctx->prov, "CMAC", params);
    return ctx->other != NULL || wn_cmac_raise_unknown(ctx->prov, cipher);
}

static int wn_cmac_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_cmac_ctx *ctx = vctx;
    const struct wn_cmac_cipher *next = ctx->next;
    const unsigned char *key = NULL;
    size_t keylen = 0;
    struct cmac_set p;
    int found;

    if (wn_params_empty(params))
        return 1;
    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    if (!WN_PARAMS_SCAN(ctx->prov, cmac_set, params, &p))
        return 0;
    found = wn_cmac_try(ctx->prov, p.cipher, &next);
    if (found < 0)
        return continue_elsewhere(ctx, params, p.cipher);
    if (!found
        || (p.key != NULL && !wn_mac_key_param(ctx->prov, p.key, &key, &keylen)))
        return 0;
    ctx->next = next;
    return key == NULL || set_key(ctx, key, keylen);
}

/* ---- init, update, final ---------------------------------------------------- */

static int wn_cmac_ctx_init(void *vctx, const unsigned char *key, size_t keylen,
                            const OSSL_PARAM params[])
{
    struct wn_cmac_ctx *ctx = vctx;

    if (!wn_cmac_set_ctx_params(ctx, params))
        return 0;
    if (ctx->other != NULL)
        return wn_other_mac_init(ctx->other, key, keylen, NULL);
    if (key != NULL)
        return set_key(ctx, key, keylen);
    if (ctx->state == WN_MAC_IDLE) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    wn_cmac_restart(&ctx->cmac);
    ctx->state = WN_MAC_READY;
    return 1;
}

static int wn_cmac_ctx_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_cmac_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_mac_update(ctx->other, in, n);
    if (!wn_mac_ready(ctx->prov, ctx->state))
        return 0;
    wn_cmac_update(&ctx->cmac, in, n);
    return 1;
}

static int wn_cmac_ctx_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_cmac_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_mac_final(ctx->other, out, outl, outsize);
    if (!wn_mac_ready(ctx->prov, ctx->state)
        || !wn_mac_fits(ctx->prov, ctx->cmac.cipher->block, outsize))
        return 0;
    wn_cmac_final(&ctx->cmac, out);
    ctx->state = WN_MAC_DONE;
    *outl = ctx->cmac.cipher->block;
    return 1;
}

const struct wn_mac_ops wn_cmac_ops = {
    wn_cmac_newctx, wn_cmac_dupctx, wn_cmac_freectx, wn_cmac_ctx_init, wn_cmac_ctx_update,
    wn_cmac_ctx_final, wn_cmac_set_ctx_params, wn_cmac_settable_ctx_params, wn_cmac_mac_size
};

const OSSL_DISPATCH wn_cmac_functions[] = {
    WN_FN(MAC_NEWCTX, mac_newctx, wn_cmac_newctx),
    WN_FN(MAC_DUPCTX, mac_dupctx, wn_cmac_dupctx),
    WN_FN(MAC_FREECTX, mac_freectx, wn_cmac_freectx),
    WN_FN(MAC_INIT, mac_init, wn_cmac_ctx_init),
    WN_FN(MAC_UPDATE, mac_update, wn_cmac_ctx_update),
    WN_FN(MAC_FINAL, mac_final, wn_cmac_ctx_final),
    WN_FN(MAC_GETTABLE_CTX_PARAMS, mac_gettable_ctx_params, wn_cmac_gettable_ctx_params),
    WN_FN(MAC_GET_CTX_PARAMS, mac_get_ctx_params, wn_cmac_get_ctx_params),
    WN_FN(MAC_SETTABLE_CTX_PARAMS, mac_settable_ctx_params, wn_cmac_settable_ctx_params),
    WN_FN(MAC_SET_CTX_PARAMS, mac_set_ctx_params, wn_cmac_set_ctx_params),
    WN_FN_END
};
