/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ECDH (SP 800-56A rev. 3 section 5.7.1.2, with or without the cofactor), plain
 * or followed by the X9.63 key derivation function (SEC 1 section 3.6.1).
 * Contexts hold references to keys; nothing of a key is copied.
 */
#include "digest.h"
#include "ec.h"

#include <string.h>
#include <strings.h>

#include <openssl/ecerr.h>

#include "../provider/alglist.h"

struct wn_ecdh_ctx {
    const struct wn_prov *prov;
    struct wn_ec_key *key, *peer;
    struct wn_other_ctx *other; /* not NULL: another provider does all (other_ctx.h) */
    int cofactor_mode;          /* -1: as the key has it */
    int kdf;                    /* X9.63 */
    const struct wn_md_desc *md;
    char other_md[WN_MD_NAME_MAX];      /* not empty: the digest, which another provider has */
    unsigned char *ukm;
    size_t ukmlen, outlen;
};

static void *wn_ecdh_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_ecdh_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->cofactor_mode = -1;
    }
    return ctx;
}

static void wn_ecdh_freectx(void *vctx)
{
    struct wn_ecdh_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_ec_key_free(ctx->key);
    wn_ec_key_free(ctx->peer);
    wn_other_ctx_free(ctx->other);
    wn_clear_free(ctx->prov, ctx->ukm, ctx->ukmlen);
    wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_ecdh_dupctx(void *vctx)
{
    const struct wn_ecdh_ctx *ctx = vctx;
    struct wn_ecdh_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy == NULL)
        return NULL;
    *copy = *ctx;
    copy->ukm = NULL;
    copy->other = NULL;
    if (copy->key != NULL)
        wn_ec_key_up(copy->key);
    if (copy->peer != NULL)
        wn_ec_key_up(copy->peer);
    if ((ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL)
        || (ctx->ukm != NULL
            && (copy->ukm = wn_memdup(ctx->prov, ctx->ukm, ctx->ukmlen)) == NULL)) {
        wn_ecdh_freectx(copy);
        return NULL;
    }
    return copy;
}

/* ---- parameters ------------------------------------------------------------------- */

#define ECDH_SET(P)                                                      \
    P(cofactor_mode, int, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE)     \
    P(kdf, utf8_string, OSSL_EXCHANGE_PARAM_KDF_TYPE)                    \
    P(md, utf8_string, OSSL_EXCHANGE_PARAM_KDF_DIGEST)                   \
    P(md_properties, utf8_string, OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS)  \
    P(outlen, size_t, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)                    \
    P(ukm, octet_string, OSSL_EXCHANGE_PARAM_KDF_UKM)
WN_PARAMS(ecdh_set, ECDH_SET);

static const OSSL_PARAM *wn_ecdh_settable(void *vctx, void *vprov)
{
    (void)vctx, (void)vprov;
    return ecdh_set_list;
}

static int take_ukm(struct wn_ecdh_ctx *ctx, const OSSL_PARAM *p)
{
    unsigned char *copy = NULL;
    const unsigned char *d;
    size_t n;

    if (p == NULL)
        return 1;
    if (!wn_param_take_octets(ctx->prov, p, &d, &n)
        || (n != 0 && (copy = wn_memdup(ctx->prov, d, n)) == NULL))
        return 0;
    wn_clear_free(ctx->prov, ctx->ukm, ctx->ukmlen);
    ctx->ukm = copy;
    ctx->ukmlen = n;
    return 1;
}

static int wn_ecdh_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_ecdh_ctx *ctx = vctx;
    const struct wn_md_desc *md = ctx->md;
    int mode = ctx->cofactor_mode;
    char kdf[32] = "";
    char other_md[WN_MD_NAME_MAX] = "";
    size_t outlen = ctx->outlen;
    struct ecdh_set p;
    int found;

    if (wn_params_empty(params))
        return 1;
    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    if (!WN_PARAMS_SCAN(ctx->prov, ecdh_set, params, &p)
        || !wn_param_take_int(ctx->prov, p.cofactor_mode, &mode)
        || !wn_param_take_utf8(ctx->prov, p.kdf, kdf, sizeof(kdf))
        || !wn_param_take_size_t(ctx->prov, p.outlen, &outlen)
        || !(found = wn_md_try(ctx->prov, p.md, &md)))
        return 0;
    if (found < 0) {
        md = NULL;
        (void)wn_param_get_utf8(p.md, other_md, sizeof(other_md));
        if (!wn_other_kdf_takes(ctx->prov, OSSL_KDF_NAME_X963KDF, other_md))
            return wn_md_raise_unknown(ctx->prov, p.md);
    }
    if (mode < -1 || mode > 1) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_MODE);
        return 0;
    }
    if (kdf[0] != '\0' && strcmp(kdf, OSSL_KDF_NAME_X963KDF) != 0) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_KDF, "%s", kdf);
        return 0;
    }
    if (p.md != NULL && md != NULL && (md->flags & WN_MD_XOF) != 0) {
        WN_RAISE(ctx->prov, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        return 0;
    }
    if (!take_ukm(ctx, p.ukm))
        return 0;
    ctx->cofactor_mode = mode;
    if (p.kdf != NULL)
        ctx->kdf = kdf[0] != '\0';
    ctx->md = md;
    if (p.md != NULL)
        memcpy(ctx->other_md, other_md, sizeof(other_md));
    ctx->outlen = outlen;
    return 1;
}

#define ECDH_GET(P)                                                      \
    P(cofactor_mode, int, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE)     \
    P(kdf, utf8_string, OSSL_EXCHANGE_PARAM_KDF_TYPE)                    \
    P(md, utf8_string, OSSL_EXCHANGE_PARAM_KDF_DIGEST)                   \
    P(outlen, size_t, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)                    \
    P(ukm, octet_ptr, OSSL_EXCHANGE_PARAM_KDF_UKM)
WN_PARAMS(ecdh_get, ECDH_GET);

static const OSSL_PARAM *wn_ecdh_gettable(void *vctx, void *vprov)
{
    (void)vctx, (void)vprov;
    return ecdh_get_list;
}

static int cofactor_mode(const struct wn_ecdh_ctx *ctx)
{
    if (ctx->cofactor_mode != -1)
        return ctx->cofactor_mode;
    return ctx->key != NULL && ctx->key->cofactor_mode;
}

static int wn_ecdh_get_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_ecdh_ctx *ctx = vctx;
    char name[WN_MD_NAME_MAX] = "";
    struct ecdh_get p;

    if (ctx->other != NULL)
        return wn_other_get_params(ctx->other, params);
    if (ctx->md != NULL)
        wn_md_name(ctx->md, name);
    else
        memcpy(name, ctx->other_md, sizeof(name));
    return WN_PARAMS_SCAN(ctx->prov, ecdh_get, params, &p)
        && wn_param_give_int(ctx->prov, p.cofactor_mode, cofactor_mode(ctx))
        && wn_param_give_utf8(ctx->prov, p.kdf, ctx->kdf ? OSSL_KDF_NAME_X963KDF : "")
        && wn_param_give_utf8(ctx->prov, p.md, name)
        && wn_param_give_size_t(ctx->prov, p.outlen, ctx->outlen)
        && wn_param_give_octets(ctx->prov, p.ukm, ctx->ukm, ctx->ukmlen);
}

/* ---- operation ----------------------------------------------------------------------- */

static int init_elsewhere(struct wn_ecdh_ctx *ctx, const struct wn_ec_key *key,
                          const OSSL_PARAM params[])
{
    struct wn_other_ctx *other = wn_other_ctx_for_key(key->other, OSSL_OP_KEYEXCH, "ECDH");
    OSSL_FUNC_keyexch_init_fn *f;

    if (other == NULL)
        return 0;
    wn_other_ctx_free(ctx->other);
    ctx->other = other;
    f = WN_OTHER_FN(other->impl, KEYEXCH_INIT, keyexch_init);
    return f != NULL ? f(other->ctx, key->other->data, params) : wn_other_lacks(other->impl);
}

static int set_peer_elsewhere(const struct wn_other_ctx *other, const struct wn_ec_key *peer)
{
    OSSL_FUNC_keyexch_set_peer_fn *f = WN_OTHER_FN(other->impl, KEYEXCH_SET_PEER,
                                                   keyexch_set_peer);

    if (peer == NULL || peer->other == NULL
        || peer->other->keymgmt->provider != other->impl->provider) {
        WN_RAISE(other->impl->prov, PROV_R_MISMATCHING_DOMAIN_PARAMETERS);
        return 0;
    }
    return f != NULL ? f(other->ctx, peer->other->data) : wn_other_lacks(other->impl);
}

static int derive_elsewhere(const struct wn_other_ctx *other, unsigned char *secret,
                            size_t *secretlen, size_t outsize)
{
    OSSL_FUNC_keyexch_derive_fn *f = WN_OTHER_FN(other->impl, KEYEXCH_DERIVE, keyexch_derive);

    return f != NULL ? f(other->ctx, secret, secretlen, outsize) : wn_other_lacks(other->impl);
}

static int wn_ecdh_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    struct wn_ecdh_ctx *ctx = vctx;
    struct wn_ec_key *key = vkey;

    if (key != NULL && key->other != NULL)
        return init_elsewhere(ctx, key, params);
    if (key == NULL || key->curve == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    wn_ec_key_up(key);
    wn_ec_key_free(ctx->key);
    ctx->key = key;
    wn_other_ctx_free(ctx->other);
    ctx->other = NULL;
    ctx->cofactor_mode = -1;
    ctx->kdf = 0;
    return wn_ecdh_set_params(ctx, params);
}

static int wn_ecdh_set_peer(void *vctx, void *vkey)
{
    struct wn_ecdh_ctx *ctx = vctx;
    struct wn_ec_key *key = vkey;

    if (ctx->other != NULL)
        return set_peer_elsewhere(ctx->other, key);
    if (key == NULL || ctx->key == NULL || key->curve != ctx->key->curve) {
        WN_RAISE(ctx->prov, PROV_R_MISMATCHING_DOMAIN_PARAMETERS);
        return 0;
    }
    wn_ec_key_up(key);
    wn_ec_key_free(ctx->peer);
    ctx->peer = key;
    return 1;
}

static int check_keys(const struct wn_ecdh_ctx *ctx)
{
    if (ctx->key == NULL || ctx->peer == NULL || !ctx->peer->has_public) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    return 1;
}

/* z: curve->size bytes */
static int shared_secret(const struct wn_ecdh_ctx *ctx, unsigned char *z)
{
    if (!ctx->key->has_private) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EC, EC_R_MISSING_PRIVATE_KEY);
        return 0;
    }
    return wn_ec_ecdh(ctx->key, ctx->peer,
                      cofactor_mode(ctx) && ctx->key->curve->dp.cofactor != 1, z);
}

/* Hash(Z || counter || ukm) ... */
static void x963_kdf(const struct wn_ecdh_ctx *ctx, const unsigned char *z, size_t zlen,
                     unsigned char *out)
{
    unsigned char block[WN_MD_MAX_SIZE], counter[4];
    size_t left = ctx->outlen, take;
    struct wn_md md;
    uint32_t i;

    for (i = 1; left > 0; i++, left -= take, out += take) {
        counter[0] = (unsigned char)(i >> 24);
        counter[1] = (unsigned char)(i >> 16);
        counter[2] = (unsigned char)(i >> 8);
        counter[3] = (unsigned char)i;
        wn_md_init(&md, ctx->md);
        wn_md_update(&md, z, zlen);
        wn_md_update(&md, counter, sizeof(counter));
        wn_md_update(&md, ctx->ukm, ctx->ukmlen);
        wn_md_final(&md, block);
        take = left < ctx->md->size ? left : ctx->md->size;
        memcpy(out, block, take);
    }
    wn_md_clear(&md);
    wn_clear(block, sizeof(block));
}

static int other_kdf(const struct wn_ecdh_ctx *ctx, const unsigned char *z, unsigned char *out)
{
    struct wn_pb pb;

    wn_pb_init(&pb, ctx->prov);
    wn_pb_utf8(&pb, OSSL_KDF_PARAM_DIGEST, ctx->other_md);
    wn_pb_octets(&pb, OSSL_KDF_PARAM_KEY, z, ctx->key->curve->size);
    if (ctx->ukmlen != 0)
        wn_pb_octets(&pb, OSSL_KDF_PARAM_INFO, ctx->ukm, ctx->ukmlen);
    return wn_other_kdf_once(ctx->prov, OSSL_KDF_NAME_X963KDF, &pb, out, ctx->outlen);
}

static int derive_kdf(const struct wn_ecdh_ctx *ctx, unsigned char *secret, size_t *secretlen,
                      size_t outsize)
{
    unsigned char z[WN_EC_MAX_BYTES];
    int ok;

    if (secret == NULL) {
        *secretlen = ctx->outlen;
        return 1;
    }
    if (ctx->outlen > outsize) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (!check_keys(ctx))
        return 0;
    if (ctx->md == NULL && ctx->other_md[0] == '\0') {
        WN_RAISE(ctx->prov, PROV_R_MISSING_MESSAGE_DIGEST);
        return 0;
    }
    if (ctx->outlen == 0
        || (ctx->md != NULL && (uint64_t)ctx->outlen > (uint64_t)UINT32_MAX * ctx->md->size)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_OUTPUT_LENGTH);
        return 0;
    }
    ok = shared_secret(ctx, z);
    if (ok && ctx->md != NULL)
        x963_kdf(ctx, z, ctx->key->curve->size, secret);
    else if (ok)
        ok = other_kdf(ctx, z, secret);
    if (ok)
        *secretlen = ctx->outlen;
    wn_clear(z, sizeof(z));
    return ok;
}

/* Too small a buffer gets the first bytes of the secret. */
static int wn_ecdh_derive(void *vctx, unsigned char *secret, size_t *secretlen, size_t outsize)
{
    const struct wn_ecdh_ctx *ctx = vctx;
    unsigned char z[WN_EC_MAX_BYTES];
    size_t size;
    int ok;

    if (ctx->other != NULL)
        return derive_elsewhere(ctx->other, secret, secretlen, outsize);
    if (ctx->kdf)
        return derive_kdf(ctx, secret, secretlen, outsize);
    if (!check_keys(ctx))
        return 0;
    size = ctx->key->curve->size;
    if (secret == NULL) {
        *secretlen = size;
        return 1;
    }
    ok = shared_secret(ctx, z);
    if (ok) {
        *secretlen = outsize < size ? outsize : size;
        memcpy(secret, z, *secretlen);
    }
    wn_clear(z, sizeof(z));
    return ok;
}

const OSSL_DISPATCH wn_ecdh_keyexch_functions[] = {
    WN_FN(KEYEXCH_NEWCTX, keyexch_newctx, wn_ecdh_newctx),
    WN_FN(KEYEXCH_FREECTX, keyexch_freectx, wn_ecdh_freectx),
    WN_FN(KEYEXCH_DUPCTX, keyexch_dupctx, wn_ecdh_dupctx),
    WN_FN(KEYEXCH_INIT, keyexch_init, wn_ecdh_init),
    WN_FN(KEYEXCH_SET_PEER, keyexch_set_peer, wn_ecdh_set_peer),
    WN_FN(KEYEXCH_DERIVE, keyexch_derive, wn_ecdh_derive),
    WN_FN(KEYEXCH_SET_CTX_PARAMS, keyexch_set_ctx_params, wn_ecdh_set_params),
    WN_FN(KEYEXCH_SETTABLE_CTX_PARAMS, keyexch_settable_ctx_params, wn_ecdh_settable),
    WN_FN(KEYEXCH_GET_CTX_PARAMS, keyexch_get_ctx_params, wn_ecdh_get_params),
    WN_FN(KEYEXCH_GETTABLE_CTX_PARAMS, keyexch_gettable_ctx_params, wn_ecdh_gettable),
    WN_FN_END
};
