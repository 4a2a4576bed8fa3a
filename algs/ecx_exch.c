/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key exchange with X25519 and X448 (RFC 7748 section 6, provider-keyexch(7)).
 * A context holds references to both keys and nothing else.
 */
#include "ecx.h"

#include "../provider/alglist.h"

struct wn_ecx_ctx {
    const struct wn_prov *prov;
    const struct wn_ecx_desc *desc;
    struct wn_ecx_key *key, *peer;
};

static void *wn_ecx_newctx(const struct wn_prov *prov, const struct wn_ecx_desc *desc)
{
    struct wn_ecx_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->desc = desc;
    }
    return ctx;
}

static void wn_ecx_freectx(void *vctx)
{
    struct wn_ecx_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_ecx_key_free(ctx->key);
    wn_ecx_key_free(ctx->peer);
    wn_free(ctx->prov, ctx);
}

static void *wn_ecx_dupctx(void *vctx)
{
    const struct wn_ecx_ctx *ctx = vctx;
    struct wn_ecx_ctx *copy = wn_ecx_newctx(ctx->prov, ctx->desc);

    if (copy == NULL)
        return NULL;
    if (ctx->key != NULL)
        copy->key = wn_ecx_key_up(ctx->key);
    if (ctx->peer != NULL)
        copy->peer = wn_ecx_key_up(ctx->peer);
    return copy;
}

static int set_key(struct wn_ecx_ctx *ctx, struct wn_ecx_key **slot, struct wn_ecx_key *key)
{
    if (key == NULL || key->desc != ctx->desc) {
        WN_RAISE(ctx->prov, ERR_R_INTERNAL_ERROR);
        return 0;
    }
    wn_ecx_key_up(key);
    wn_ecx_key_free(*slot);
    *slot = key;
    return 1;
}

static int wn_ecx_exch_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    struct wn_ecx_ctx *ctx = vctx;

    (void)params;
    return set_key(ctx, &ctx->key, vkey);
}

static int wn_ecx_set_peer(void *vctx, void *vkey)
{
    struct wn_ecx_ctx *ctx = vctx;

    return set_key(ctx, &ctx->peer, vkey);
}

static int wn_ecx_derive(void *vctx, unsigned char *secret, size_t *secretlen, size_t outlen)
{
    struct wn_ecx_ctx *ctx = vctx;
    size_t len = ctx->desc->len;

    if (ctx->key == NULL || !ctx->key->has_private || ctx->peer == NULL
        || !ctx->peer->has_public) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    *secretlen = len;
    if (secret == NULL)
        return 1;
    if (outlen < len) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (!wn_ecx_shared_secret(ctx->desc, secret, ctx->key->priv, ctx->peer->pub)) {
        wn_clear(secret, len);
        WN_RAISE(ctx->prov, PROV_R_FAILED_DURING_DERIVATION);
        return 0;
    }
    return 1;
}

#define ECX_KEYEXCH(id)                                                          \
    static void *id##_newctx(void *prov) { return wn_ecx_newctx(prov, &wn_##id##_desc); } \
    const OSSL_DISPATCH wn_##id##_keyexch_functions[] = {                        \
        WN_FN(KEYEXCH_NEWCTX, keyexch_newctx, id##_newctx),                      \
        WN_FN(KEYEXCH_FREECTX, keyexch_freectx, wn_ecx_freectx),                 \
        WN_FN(KEYEXCH_DUPCTX, keyexch_dupctx, wn_ecx_dupctx),                    \
        WN_FN(KEYEXCH_INIT, keyexch_init, wn_ecx_exch_init),                     \
        WN_FN(KEYEXCH_SET_PEER, keyexch_set_peer, wn_ecx_set_peer),              \
        WN_FN(KEYEXCH_DERIVE, keyexch_derive, wn_ecx_derive),                    \
        WN_FN_END                                                                \
    };
ECX_KEYEXCH(x25519)
ECX_KEYEXCH(x448)
