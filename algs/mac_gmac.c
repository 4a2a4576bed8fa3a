/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC "GMAC" (NIST SP 800-38D section 3): the tag of AES-GCM over AAD.
 *
 * Every message needs an IV of its own. Without a new one an init is good only
 * as long as the message has not begun; later it is refused, since it would use
 * the IV twice. A context is used by one thread at a time.
 */
#include "cmac.h"
#include "gcm.h"

#include <string.h>

#include <openssl/evp.h>

#include "../provider/alglist.h"
#include "../provider/names.h"
#include "mac.h"
#include "other_ctx.h"

#define MAX_IV 128              /* as the default provider */

struct wn_gmac_ctx {
    const struct wn_prov *prov;
    struct wn_other_ctx *other; /* not NULL: another provider has the cipher */
    enum wn_mac_state state;    /* READY: a message has begun */
    size_t keylen;              /* of the cipher; 0: none chosen */
    size_t ivlen;               /* of an IV not yet used; 0: none */
    int key_set;
    unsigned char iv[MAX_IV];
    union wn_gcm_state gcm;     /* last: allocated as far as it exists */
};

static size_t ctx_size(void)
{
    return offsetof(struct wn_gmac_ctx, gcm) + wn_gcm_size();
}

static void *wn_gmac_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_gmac_ctx *ctx = wn_ctx_new(prov, ctx_size());

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_gmac_freectx(void *vctx)
{
    struct wn_gmac_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_other_ctx_free(ctx->other);
    wn_ctx_free(ctx->prov, ctx, ctx_size());
}

static void *wn_gmac_dupctx(void *vctx)
{
    const struct wn_gmac_ctx *ctx = vctx;
    struct wn_gmac_ctx *copy = wn_ctx_new(ctx->prov, ctx_size());

    if (copy == NULL)
        return NULL;
    memcpy(copy, ctx, ctx_size());
    if (ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL) {
        wn_gmac_freectx(copy);
        return NULL;
    }
    return copy;
}

/* ---- parameters ----------------------------------------------------------- */

#define GMAC_GET(P) P(size, size_t, OSSL_MAC_PARAM_SIZE)
WN_PARAMS(gmac_get, GMAC_GET);

#define GMAC_SET(P)                                         \
    P(cipher, utf8_string, OSSL_MAC_PARAM_CIPHER)           \
    P(properties, utf8_string, OSSL_MAC_PARAM_PROPERTIES)   \
    P(key, octet_string, OSSL_MAC_PARAM_KEY)                \
    P(iv, octet_string, OSSL_MAC_PARAM_IV)
WN_PARAMS(gmac_set, GMAC_SET);

static const OSSL_PARAM *wn_gmac_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return gmac_set_list;
}

static const OSSL_PARAM *wn_gmac_gettable_params(void *vprov)
{
    (void)vprov;
    return gmac_get_list;
}

/* No context, hence no error queue. */
static int wn_gmac_get_params(OSSL_PARAM params[])
{
    static const struct wn_prov any_version;
    struct gmac_get p;

    return WN_PARAMS_SCAN(&any_version, gmac_get, params, &p)
        && (p.size == NULL || wn_param_set_size_t(p.size, WN_GCM_TAG));
}

/* 1; 0 and an error; -1: a cipher that wolfnano does not have, nothing raised */
static int take_cipher(const struct wn_prov *prov, const OSSL_PARAM *p, size_t *keylen)
{
    static const struct {
        const char *names;
        size_t keylen;
    } ciphers[] = {
        { "AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46", 32 },
        { "AES-192-GCM:id-aes192-GCM:2.16.840.1.101.3.4.1.26", 24 },
        { "AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6", 16 },
    };
    char name[64];
    size_t i;

    if (p == NULL)
        return 1;
    if (!wn_param_get_utf8(p, name, sizeof(name))) {
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return 0;
    }
    for (i = 0; i < sizeof(ciphers) / sizeof(ciphers[0]); i++) {
        if (wn_name_listed(ciphers[i].names, name)) {
            *keylen = ciphers[i].keylen;
            return 1;
        }
    }
    if (!wn_query_offers(prov, OSSL_OP_CIPHER, name))
        return -1;
    WN_RAISE_MSG(prov, PROV_R_INVALID_MODE, "cipher %s", name);
    return 0;
}

/* With the cipher of another provider. */
static int continue_elsewhere(struct wn_gmac_ctx *ctx, const OSSL_PARAM params[],
                              const OSSL_PARAM *cipher)
{
    ctx->other = wn_other_mac_find(ctx->prov, "GMAC", params);
    return ctx->other != NULL || wn_cmac_raise_unknown(ctx->prov, cipher);
}

static int key_length_ok(const struct wn_gmac_ctx *ctx, size_t wanted, size_t n)
{
    if (wanted == 0)
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EVP, EVP_R_NO_CIPHER_SET);
    else if (n != wanted)
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
    return wanted != 0 && n == wanted;
}

static int set_key(struct wn_gmac_ctx *ctx, const unsigned char *key, size_t n)
{
    ctx->state = WN_MAC_IDLE;
    ctx->key_set = wn_gcm_set_key(ctx->prov, &ctx->gcm, key, n);
    return ctx->key_set;
}

static int wn_gmac_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_gmac_ctx *ctx = vctx;
    const unsigned char *key = NULL, *iv = NULL;
    size_t keylen = 0, ivlen = 0, wanted = ctx->keylen;
    struct gmac_set p;
    int found;

    if (wn_params_empty(params))
        return 1;
    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    if (!WN_PARAMS_SCAN(ctx->prov, gmac_set, params, &p))
        return 0;
    found = take_cipher(ctx->prov, p.cipher, &wanted);
    if (found < 0)
        return continue_elsewhere(ctx, params, p.cipher);
    if (!found
        || (p.key != NULL && (!wn_mac_key_param(ctx->prov, p.key, &key, &keylen)
                              || !key_length_ok(ctx, wanted, keylen)))
        || (p.iv != NULL && !wn_mac_key_param(ctx->prov, p.iv, &iv, &ivlen)))
        return 0;
    if (iv != NULL && wanted == 0) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EVP, EVP_R_NO_CIPHER_SET);
        return 0;
    }
    if (iv != NULL && (ivlen == 0 || ivlen > MAX_IV)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (p.cipher != NULL) {     /* starts all over */
        ctx->keylen = wanted;
        ctx->key_set = 0;
        ctx->ivlen = 0;
        ctx->state = WN_MAC_IDLE;
    }
    if (key != NULL && !set_key(ctx, key, keylen))
        return 0;
    if (iv != NULL) {
        memcpy(ctx->iv, iv, ivlen);
        ctx->ivlen = ivlen;
        ctx->state = WN_MAC_IDLE;
    }
    return 1;
}

/* ---- init, update, final ---------------------------------------------------- */

static int wn_gmac_init(void *vctx, const unsigned char *key, size_t keylen,
                        const OSSL_PARAM params[])
{
    struct wn_gmac_ctx *ctx = vctx;

    if (!wn_gmac_set_ctx_params(ctx, params))
        return 0;
    if (ctx->other != NULL)
        return wn_other_mac_init(ctx->other, key, keylen, NULL);
    if (key != NULL)
        return key_length_ok(ctx, ctx->keylen, keylen) && set_key(ctx, key, keylen);
    if (ctx->state == WN_MAC_IDLE)
        return 1;
    WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
    return 0;
}

/* The message begins with its first update or, if empty, with final. */
static int begin(struct wn_gmac_ctx *ctx)
{
    if (ctx->state == WN_MAC_READY)
        return 1;
    if (ctx->state == WN_MAC_DONE) {
        WN_RAISE(ctx->prov, ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        return 0;
    }
    if (!ctx->key_set) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (ctx->ivlen == 0) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (!wn_gcm_start(ctx->prov, &ctx->gcm, ctx->iv, ctx->ivlen))
        return 0;
    ctx->ivlen = 0;
    ctx->state = WN_MAC_READY;
    return 1;
}

static int wn_gmac_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_gmac_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_mac_update(ctx->other, in, n);
    if (n == 0)
        return 1;
    if (!begin(ctx))
        return 0;
    if (wn_gcm_aad(&ctx->gcm, in, n))
        return 1;
    WN_RAISE(ctx->prov, PROV_R_LENGTH_TOO_LARGE);
    return 0;
}

static int wn_gmac_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_gmac_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_mac_final(ctx->other, out, outl, outsize);
    if (!wn_mac_fits(ctx->prov, WN_GCM_TAG, outsize) || !begin(ctx)
        || !wn_gcm_tag(&ctx->gcm, out))
        return 0;
    ctx->state = WN_MAC_DONE;
    *outl = WN_GCM_TAG;
    return 1;
}

const OSSL_DISPATCH wn_gmac_functions[] = {
    WN_FN(MAC_NEWCTX, mac_newctx, wn_gmac_newctx),
    WN_FN(MAC_DUPCTX, mac_dupctx, wn_gmac_dupctx),
    WN_FN(MAC_FREECTX, mac_freectx, wn_gmac_freectx),
    WN_FN(MAC_INIT, mac_init, wn_gmac_init),
    WN_FN(MAC_UPDATE, mac_update, wn_gmac_update),
    WN_FN(MAC_FINAL, mac_final, wn_gmac_final),
    WN_FN(MAC_GETTABLE_PARAMS, mac_gettable_params, wn_gmac_gettable_params),
    WN_FN(MAC_GET_PARAMS, mac_get_params, wn_gmac_get_params),
    WN_FN(MAC_SETTABLE_CTX_PARAMS, mac_settable_ctx_params, wn_gmac_settable_ctx_params),
    WN_FN(MAC_SET_CTX_PARAMS, mac_set_ctx_params, wn_gmac_set_ctx_params),
    WN_FN_END
};
