/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TLS1-PRF, HKDF and SCRYPT as EVP_PKEY_derive() knows them since before
 * EVP_KDF: a key type without content and a key exchange whose parameters are
 * the KDF's.
 */
#include "kdf.h"

#include "../provider/alglist.h"
#include "../provider/ref.h"

/* ---- keys -------------------------------------------------------------------- */

struct kdf_key {
    const struct wn_prov *prov;
    wn_ref ref;
};

static void *kdf_key_new(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct kdf_key *key = wn_zalloc(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        wn_ref_init(&key->ref);
    }
    return key;
}

static void kdf_key_free(void *vkey)
{
    struct kdf_key *key = vkey;

    if (key != NULL && wn_ref_down(&key->ref))
        wn_free(key->prov, key);
}

static int kdf_key_has(const void *key, int selection)
{
    (void)key;
    (void)selection;
    return 1;
}

const OSSL_DISPATCH wn_kdf_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, kdf_key_new),
    WN_FN(KEYMGMT_FREE, keymgmt_free, kdf_key_free),
    WN_FN(KEYMGMT_HAS, keymgmt_has, kdf_key_has),
    WN_FN_END
};

/* ---- exchange ------------------------------------------------------------------ */

struct exch_ctx {
    struct wn_kdf *kdf;
    struct kdf_key *key;            /* one reference */
};

static void exch_free(void *vctx)
{
    struct exch_ctx *ctx = vctx;
    const struct wn_prov *prov;

    if (ctx == NULL)
        return;
    prov = ctx->kdf->prov;
    wn_kdf_free(ctx->kdf);
    kdf_key_free(ctx->key);
    wn_free(prov, ctx);
}

static void *exch_new(void *vprov, const struct wn_kdf_desc *desc)
{
    const struct wn_prov *prov = vprov;
    struct exch_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx == NULL)
        return NULL;
    ctx->kdf = wn_kdf_new(vprov, desc);
    if (ctx->kdf == NULL) {
        wn_free(prov, ctx);
        return NULL;
    }
    return ctx;
}

static void *exch_dup(void *vctx)
{
    const struct exch_ctx *ctx = vctx;
    struct exch_ctx *copy = wn_zalloc(ctx->kdf->prov, sizeof(*copy));

    if (copy == NULL)
        return NULL;
    copy->kdf = wn_kdf_dup(ctx->kdf);
    if (copy->kdf == NULL) {
        wn_free(ctx->kdf->prov, copy);
        return NULL;
    }
    copy->key = ctx->key;
    if (copy->key != NULL)
        wn_ref_up(&copy->key->ref);
    return copy;
}

static int exch_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct exch_ctx *ctx = vctx;

    return wn_kdf_set_ctx_params(ctx->kdf, params);
}

static int exch_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct exch_ctx *ctx = vctx;

    return wn_kdf_get_ctx_params(ctx->kdf, params);
}

static int exch_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    struct exch_ctx *ctx = vctx;
    struct kdf_key *key = vkey;

    if (ctx == NULL || key == NULL)
        return 0;
    wn_ref_up(&key->ref);
    kdf_key_free(ctx->key);
    ctx->key = key;
    return exch_set_ctx_params(ctx, params);
}

static int exch_derive(void *vctx, unsigned char *secret, size_t *secretlen, size_t outlen)
{
    struct exch_ctx *ctx = vctx;
    size_t size = wn_kdf_size(ctx->kdf);

    if (secret == NULL) {
        *secretlen = size;
        return 1;
    }
    if (size == 0)
        return 0;
    if (size != SIZE_MAX) {
        if (outlen < size) {
            WN_RAISE(ctx->kdf->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
            return 0;
        }
        outlen = size;
    }
    if (!wn_kdf_derive(ctx->kdf, secret, outlen, NULL))
        return 0;
    *secretlen = outlen;
    return 1;
}

#define EXCH_TABLE(id, desc)                                                              \
    static void *id##_new(void *prov) { return exch_new(prov, desc); }                    \
    static const OSSL_PARAM *id##_settable(void *ctx, void *prov)                         \
    { (void)ctx; (void)prov; return (desc)->settable; }                                   \
    static const OSSL_PARAM *id##_gettable(void *ctx, void *prov)                         \
    { (void)ctx; (void)prov; return (desc)->gettable; }                                   \
    const OSSL_DISPATCH wn_##id##_exch_functions[] = {                                    \
        WN_FN(KEYEXCH_NEWCTX, keyexch_newctx, id##_new),                                  \
        WN_FN(KEYEXCH_INIT, keyexch_init, exch_init),                                     \
        WN_FN(KEYEXCH_DERIVE, keyexch_derive, exch_derive),                               \
        WN_FN(KEYEXCH_FREECTX, keyexch_freectx, exch_free),                               \
        WN_FN(KEYEXCH_DUPCTX, keyexch_dupctx, exch_dup),                                  \
        WN_FN(KEYEXCH_SET_CTX_PARAMS, keyexch_set_ctx_params, exch_set_ctx_params),       \
        WN_FN(KEYEXCH_GET_CTX_PARAMS, keyexch_get_ctx_params, exch_get_ctx_params),       \
        WN_FN(KEYEXCH_SETTABLE_CTX_PARAMS, keyexch_settable_ctx_params, id##_settable),   \
        WN_FN(KEYEXCH_GETTABLE_CTX_PARAMS, keyexch_gettable_ctx_params, id##_gettable),   \
        WN_FN_END                                                                         \
    };
EXCH_TABLE(tls1_prf, &wn_kdf_tls1_prf)
EXCH_TABLE(hkdf, &wn_kdf_hkdf)
EXCH_TABLE(scrypt, &wn_kdf_scrypt)
