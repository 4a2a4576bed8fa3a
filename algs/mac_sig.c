/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_DigestSign() with a key of mac_key.c: the MAC of that type, given the
 * key's bytes, its cipher or the caller's digest. Parameters go to the MAC
 * (libssl sets "tls-data-size"). A context is used by one thread at a time.
 */
#include "mac_key.h"

#include <string.h>

#include "../provider/alglist.h"
#include "mac.h"

struct wn_mac_sig {
    const struct wn_prov *prov;
    const struct wn_mac_ops *ops;
    struct wn_mac_key *key;
    void *mac;
};

static void wn_mac_sig_freectx(void *vctx)
{
    struct wn_mac_sig *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_mac_key_free(ctx->key);
    ctx->ops->freectx(ctx->mac);
    wn_free(ctx->prov, ctx);
}

static void *newctx(void *vprov, const struct wn_mac_ops *ops)
{
    const struct wn_prov *prov = vprov;
    struct wn_mac_sig *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx == NULL)
        return NULL;
    ctx->prov = prov;
    ctx->ops = ops;
    ctx->mac = ops->newctx(vprov);
    if (ctx->mac != NULL)
        return ctx;
    wn_mac_sig_freectx(ctx);
    return NULL;
}

static void *wn_mac_sig_dupctx(void *vctx)
{
    const struct wn_mac_sig *ctx = vctx;
    struct wn_mac_sig *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy == NULL)
        return NULL;
    copy->key = NULL;
    copy->mac = ctx->ops->dupctx(ctx->mac);
    if (copy->mac == NULL) {
        wn_mac_sig_freectx(copy);
        return NULL;
    }
    if (ctx->key != NULL)
        wn_ref_up(&ctx->key->ref);
    copy->key = ctx->key;
    return copy;
}

/* The MAC's digest and cipher; either may be absent. */
static int set_algorithms(struct wn_mac_sig *ctx, const struct wn_mac_key *key,
                          const char *mdname)
{
    OSSL_PARAM params[3], *p = params;
    char name[32];
    size_t n;

    if (mdname != NULL && *mdname != '\0')
        *p++ = (OSSL_PARAM)OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)mdname,
                                                  strlen(mdname));
    if (key->cipher != NULL) {
        n = strcspn(key->cipher->names, ":");
        memcpy(name, key->cipher->names, n);
        *p++ = (OSSL_PARAM)OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_CIPHER, name, n);
    }
    *p = (OSSL_PARAM)OSSL_PARAM_END;
    return ctx->ops->set_ctx_params(ctx->mac, params);
}

static int wn_mac_sig_init(void *vctx, const char *mdname, void *vkey, const OSSL_PARAM params[])
{
    struct wn_mac_sig *ctx = vctx;
    struct wn_mac_key *key = vkey != NULL ? vkey : ctx->key;

    if (key == NULL || key->priv == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (!set_algorithms(ctx, key, mdname)
        || !ctx->ops->init(ctx->mac, key->priv, key->len, params))
        return 0;
    if (key != ctx->key) {
        wn_ref_up(&key->ref);
        wn_mac_key_free(ctx->key);
        ctx->key = key;
    }
    return 1;
}

static int wn_mac_sig_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_mac_sig *ctx = vctx;

    return ctx->ops->update(ctx->mac, in, n);
}

static int wn_mac_sig_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_mac_sig *ctx = vctx;

    if (out != NULL)
        return ctx->ops->final(ctx->mac, out, outl, outsize);
    *outl = ctx->ops->size(ctx->mac);
    return 1;
}

static int wn_mac_sig_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_mac_sig *ctx = vctx;

    return ctx->ops->set_ctx_params(ctx->mac, params);
}

#define TABLE(id)                                                            \
    static void *id##_newctx(void *vprov, const char *propq)                 \
    {                                                                        \
        (void)propq;                                                         \
        return newctx(vprov, &wn_##id##_ops);                                \
    }                                                                        \
    static const OSSL_PARAM *id##_settable(void *vctx, void *vprov)          \
    { (void)vctx; return wn_##id##_ops.settable_ctx_params(NULL, vprov); }   \
    const OSSL_DISPATCH wn_##id##_signature_functions[] = {                  \
        WN_FN(SIGNATURE_NEWCTX, signature_newctx, id##_newctx),              \
        WN_FN(SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable_ctx_params, id##_settable), \
        COMMON,                                                              \
        WN_FN_END                                                            \
    };
#define COMMON                                                               \
    WN_FN(SIGNATURE_FREECTX, signature_freectx, wn_mac_sig_freectx),         \
    WN_FN(SIGNATURE_DUPCTX, signature_dupctx, wn_mac_sig_dupctx),            \
    WN_FN(SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init, wn_mac_sig_init), \
    WN_FN(SIGNATURE_DIGEST_SIGN_UPDATE, signature_digest_sign_update, wn_mac_sig_update), \
    WN_FN(SIGNATURE_DIGEST_SIGN_FINAL, signature_digest_sign_final, wn_mac_sig_final), \
    WN_FN(SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params, wn_mac_sig_set_ctx_params)
TABLE(hmac)
TABLE(poly1305)
TABLE(cmac)
