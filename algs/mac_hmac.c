/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC "HMAC" (FIPS 198-1).
 *
 * A digest parameter counts from the next key on, as in the default provider;
 * an init without a key starts over with the key and digest in use. With
 * "tls-data-size" set, the first update brings the record's header and the
 * second its data, and the MAC is computed in constant time (hmac_tls.c).
 * A context is used by one thread at a time.
 */
#include "hmac.h"

#include <string.h>

#include "../provider/alglist.h"
#include "mac.h"
#include "other_ctx.h"

struct wn_hmac_ctx {
    const struct wn_prov *prov;
    struct wn_other_ctx *other;         /* not NULL: another provider has the digest */
    const struct wn_md_desc *next;      /* the digest parameter; NULL: none yet */
    enum wn_mac_state state;
    int tls_header_set;
    size_t tls_size;                    /* "tls-data-size"; 0: no TLS record */
    size_t tls_mac_size;                /* 0: no record yet */
    unsigned char tls_header[WN_TLS_HEADER];
    unsigned char tls_mac[WN_MD_MAX_SIZE];
    struct wn_hmac hmac;
};

static void *wn_hmac_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_hmac_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_hmac_freectx(void *vctx)
{
    struct wn_hmac_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_other_ctx_free(ctx->other);
    wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_hmac_dupctx(void *vctx)
{
    const struct wn_hmac_ctx *ctx = vctx;
    struct wn_hmac_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy == NULL)
        return NULL;
    *copy = *ctx;
    if (ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL) {
        wn_hmac_freectx(copy);
        return NULL;
    }
    return copy;
}

/* The digest in use; NULL before there was a key. */
static const struct wn_md_desc *digest(const struct wn_hmac_ctx *ctx)
{
    return ctx->state == WN_MAC_IDLE ? NULL : ctx->hmac.md.desc;
}

static void restart(struct wn_hmac_ctx *ctx)
{
    wn_hmac_restart(&ctx->hmac);
    ctx->state = WN_MAC_READY;
    ctx->tls_header_set = 0;
    ctx->tls_mac_size = 0;
}

static int set_key(struct wn_hmac_ctx *ctx, const unsigned char *key, size_t keylen)
{
    const struct wn_md_desc *desc = ctx->next;

    if (desc == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_MESSAGE_DIGEST);
        return 0;
    }
    if (!wn_hmac_init(&ctx->hmac, desc, key, keylen)) {
        WN_RAISE(ctx->prov, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        return 0;
    }
    restart(ctx);
    return 1;
}

/* ---- parameters ----------------------------------------------------------- */

#define HMAC_GET(P)                                  \
    P(size, size_t, OSSL_MAC_PARAM_SIZE)             \
    P(block_size, size_t, OSSL_MAC_PARAM_BLOCK_SIZE)
WN_PARAMS(hmac_get, HMAC_GET);

#define HMAC_SET(P)                                         \
    P(digest, utf8_string, OSSL_MAC_PARAM_DIGEST)           \
    P(properties, utf8_string, OSSL_MAC_PARAM_PROPERTIES)   \
    P(key, octet_string, OSSL_MAC_PARAM_KEY)                \
    P(tls_size, size_t, OSSL_MAC_PARAM_TLS_DATA_SIZE)
/* Two flags that OpenSSL 3.6 took away; they never changed a MAC. */
#define HMAC_OLD_SET(P)                                     \
    HMAC_SET(P)                                             \
    P(noinit, int, OSSL_MAC_PARAM_DIGEST_NOINIT)            \
    P(oneshot, int, OSSL_MAC_PARAM_DIGEST_ONESHOT)
WN_PARAMS(hmac_old_set, HMAC_OLD_SET);
static const OSSL_PARAM hmac_set_list[] = { HMAC_SET(WN_PARAM_DESC_) OSSL_PARAM_END };

static const OSSL_PARAM *wn_hmac_gettable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return hmac_get_list;
}

static const OSSL_PARAM *wn_hmac_settable_ctx_params(void *vctx, void *vprov)
{
    const struct wn_prov *prov = vprov;

    (void)vctx;
    return prov->core_version < WN_CORE_VERSION(3, 6) ? hmac_old_set_list : hmac_set_list;
}

static size_t wn_hmac_size(void *vctx)
{
    const struct wn_hmac_ctx *ctx = vctx;
    const struct wn_md_desc *desc = digest(ctx);

    if (ctx->other != NULL)
        return wn_other_mac_size(ctx->other);
    return desc != NULL ? desc->size : 0;
}

static int wn_hmac_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_hmac_ctx *ctx = vctx;
    struct hmac_get p;

    if (ctx->other != NULL)
        return wn_other_get_params(ctx->other, params);
    return WN_PARAMS_SCAN(ctx->prov, hmac_get, params, &p)
        && wn_param_give_size_t(ctx->prov, p.size, wn_hmac_size(vctx))
        && wn_param_give_size_t(ctx->prov, p.block_size,
                                ctx->next != NULL ? ctx->next->block : 0);
}

/* With the digest of another provider; the key, if one was set, is not taken along. */
static int continue_elsewhere(struct wn_hmac_ctx *ctx, const OSSL_PARAM params[],
                              const OSSL_PARAM *digest_param)
{
    ctx->other = wn_other_mac_find(ctx->prov, "HMAC", params);
    return ctx->other != NULL || wn_md_raise_unknown(ctx->prov, digest_param);
}

static int wn_hmac_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_hmac_ctx *ctx = vctx;
    const struct wn_md_desc *next = ctx->next;
    const unsigned char *key = NULL;
    size_t keylen = 0, tls_size = ctx->tls_size;
    struct hmac_old_set p;
    int flag, found;

    if (wn_params_empty(params))
        return 1;
    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    if (!WN_PARAMS_SCAN(ctx->prov, hmac_old_set, params, &p))
        return 0;
    found = wn_md_try(ctx->prov, p.digest, &next);
    if (found < 0)
        return continue_elsewhere(ctx, params, p.digest);
    if (!found
        || !wn_param_take_int(ctx->prov, p.noinit, &flag)
        || !wn_param_take_int(ctx->prov, p.oneshot, &flag)
        || !wn_param_take_size_t(ctx->prov, p.tls_size, &tls_size)
        || (p.key != NULL && !wn_mac_key_param(ctx->prov, p.key, &key, &keylen)))
        return 0;
    ctx->next = next;
    if (key != NULL && !set_key(ctx, key, keylen))
        return 0;
    ctx->tls_size = tls_size;
    return 1;
}

/* ---- init, update, final ---------------------------------------------------- */

static int wn_hmac_ctx_init(void *vctx, const unsigned char *key, size_t keylen,
                            const OSSL_PARAM params[])
{
    struct wn_hmac_ctx *ctx = vctx;

    if (!wn_hmac_set_ctx_params(ctx, params))
        return 0;
    if (ctx->other != NULL)
        return wn_other_mac_init(ctx->other, key, keylen, NULL);
    if (key != NULL)
        return set_key(ctx, key, keylen);
    if (ctx->state == WN_MAC_IDLE) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    restart(ctx);
    return 1;
}

static int tls_update(struct wn_hmac_ctx *ctx, const unsigned char *in, size_t n)
{
    if (!ctx->tls_header_set && n == WN_TLS_HEADER) {
        memcpy(ctx->tls_header, in, n);
        ctx->tls_header_set = 1;
        return 1;
    }
    if (!ctx->tls_header_set
        || !wn_hmac_tls_record(&ctx->hmac, ctx->tls_header, in, n, ctx->tls_size, ctx->tls_mac)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_INPUT_LENGTH);
        return 0;
    }
    ctx->tls_mac_size = ctx->hmac.md.desc->size;
    return 1;
}

static int wn_hmac_ctx_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_hmac_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_mac_update(ctx->other, in, n);
    if (!wn_mac_ready(ctx->prov, ctx->state))
        return 0;
    if (ctx->tls_size > 0)
        return tls_update(ctx, in, n);
    return wn_hmac_update(&ctx->hmac, in, n);
}

static int wn_hmac_ctx_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    struct wn_hmac_ctx *ctx = vctx;
    size_t size;

    if (ctx->other != NULL)
        return wn_other_mac_final(ctx->other, out, outl, outsize);
    if (!wn_mac_ready(ctx->prov, ctx->state))
        return 0;
    size = ctx->hmac.md.desc->size;
    if (!wn_mac_fits(ctx->prov, size, outsize))
        return 0;
    if (ctx->tls_size > 0) {
        if (ctx->tls_mac_size == 0) {
            WN_RAISE(ctx->prov, ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
            return 0;
        }
        memcpy(out, ctx->tls_mac, size);
    } else {
        wn_hmac_final(&ctx->hmac, out);
        ctx->state = WN_MAC_DONE;
    }
    *outl = size;
    return 1;
}

const struct wn_mac_ops wn_hmac_ops = {
    wn_hmac_newctx, wn_hmac_dupctx, wn_hmac_freectx, wn_hmac_ctx_init, wn_hmac_ctx_update,
    wn_hmac_ctx_final, wn_hmac_set_ctx_params, wn_hmac_settable_ctx_params, wn_hmac_size
};

const OSSL_DISPATCH wn_hmac_functions[] = {
    WN_FN(MAC_NEWCTX, mac_newctx, wn_hmac_newctx),
    WN_FN(MAC_DUPCTX, mac_dupctx, wn_hmac_dupctx),
    WN_FN(MAC_FREECTX, mac_freectx, wn_hmac_freectx),
    WN_FN(MAC_INIT, mac_init, wn_hmac_ctx_init),
    WN_FN(MAC_UPDATE, mac_update, wn_hmac_ctx_update),
    WN_FN(MAC_FINAL, mac_final, wn_hmac_ctx_final),
    WN_FN(MAC_GETTABLE_CTX_PARAMS, mac_gettable_ctx_params, wn_hmac_gettable_ctx_params),
    WN_FN(MAC_GET_CTX_PARAMS, mac_get_ctx_params, wn_hmac_get_ctx_params),
    WN_FN(MAC_SETTABLE_CTX_PARAMS, mac_settable_ctx_params, wn_hmac_settable_ctx_params),
    WN_FN(MAC_SET_CTX_PARAMS, mac_set_ctx_params, wn_hmac_set_ctx_params),
    WN_FN_END
};
