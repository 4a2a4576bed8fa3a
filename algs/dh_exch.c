/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diffie-Hellman key exchange (SP 800-56A rev. 3 section 5.7.1.1), with padding
 * and with the KDF of X9.42 (provider-keyexch(7)).
 */
#include "dh.h"

#include <string.h>

#include <openssl/dherr.h>

#include "../provider/alglist.h"
#include "digest.h"
#include "other_ctx.h"
#include "x942.h"

struct wn_dh_ctx {
    const struct wn_prov *prov;
    struct wn_dh_key *key, *peer;
    unsigned pad;
    int x942;                   /* derive through the KDF */
    const struct wn_md_desc *md;
    char other_md[WN_MD_NAME_MAX];      /* not empty: the digest, which another provider has */
    char cek[40];
    unsigned char *ukm;
    size_t ukm_len, outlen;
};

static void *wn_dh_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_dh_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_dh_freectx(void *vctx)
{
    struct wn_dh_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_dh_key_free(ctx->key);
    wn_dh_key_free(ctx->peer);
    wn_clear_free(ctx->prov, ctx->ukm, ctx->ukm_len);
    wn_free(ctx->prov, ctx);
}

static void *wn_dh_dupctx(void *vctx)
{
    const struct wn_dh_ctx *ctx = vctx;
    struct wn_dh_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy == NULL)
        return NULL;
    copy->ukm = NULL;
    if (copy->key != NULL)
        wn_dh_key_up(copy->key);
    if (copy->peer != NULL)
        wn_dh_key_up(copy->peer);
    if (ctx->ukm != NULL && (copy->ukm = wn_memdup(ctx->prov, ctx->ukm, ctx->ukm_len)) == NULL) {
        wn_dh_freectx(copy);
        return NULL;
    }
    return copy;
}

/* ---- parameters ------------------------------------------------------------------- */

#define DH_CTX_SET(P)                                            \
    P(pad, uint, OSSL_EXCHANGE_PARAM_PAD)                        \
    P(kdf, utf8_string, OSSL_EXCHANGE_PARAM_KDF_TYPE)            \
    P(md, utf8_string, OSSL_EXCHANGE_PARAM_KDF_DIGEST)           \
    P(md_props, utf8_string, OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS) \
    P(outlen, size_t, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)            \
    P(ukm, octet_string, OSSL_EXCHANGE_PARAM_KDF_UKM)            \
    P(cek, utf8_string, OSSL_KDF_PARAM_CEK_ALG)
WN_PARAMS(dh_ctx_set, DH_CTX_SET);
#define DH_CTX_GET(P)                                            \
    P(kdf, utf8_string, OSSL_EXCHANGE_PARAM_KDF_TYPE)            \
    P(md, utf8_string, OSSL_EXCHANGE_PARAM_KDF_DIGEST)           \
    P(outlen, size_t, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)            \
    P(ukm, octet_ptr, OSSL_EXCHANGE_PARAM_KDF_UKM)               \
    P(cek, utf8_string, OSSL_KDF_PARAM_CEK_ALG)
WN_PARAMS(dh_ctx_get, DH_CTX_GET);

static const OSSL_PARAM *wn_dh_ctx_settable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return dh_ctx_set_list;
}

static const OSSL_PARAM *wn_dh_ctx_gettable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return dh_ctx_get_list;
}

static int take_kdf(const struct wn_dh_ctx *ctx, const OSSL_PARAM *p, int *x942)
{
    char name[32];

    if (p == NULL)
        return 1;
    if (!wn_param_take_utf8(ctx->prov, p, name, sizeof(name)))
        return 0;
    if (name[0] != '\0' && strcmp(name, OSSL_KDF_NAME_X942KDF_ASN1) != 0) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DATA);
        return 0;
    }
    *x942 = name[0] != '\0';
    return 1;
}

/* An empty one, which CMS gives for a message without, takes the old one away. */
static int take_ukm(const struct wn_dh_ctx *ctx, const OSSL_PARAM *p, unsigned char **ukm,
                    size_t *len)
{
    const unsigned char *d;

    if (p->data == NULL || p->data_size == 0) {
        *ukm = NULL;
        *len = 0;
        return 1;
    }
    return wn_param_take_octets(ctx->prov, p, &d, len)
        && (*ukm = wn_memdup(ctx->prov, d, *len)) != NULL;
}

static int wn_dh_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_dh_ctx *ctx = vctx, v = *ctx;
    struct dh_ctx_set p;
    int found;

    if (!WN_PARAMS_SCAN(ctx->prov, dh_ctx_set, params, &p)
        || !wn_param_take_uint(ctx->prov, p.pad, &v.pad) || !take_kdf(ctx, p.kdf, &v.x942)
        || !(found = wn_md_try(ctx->prov, p.md, &v.md))
        || !wn_param_take_size_t(ctx->prov, p.outlen, &v.outlen)
        || !wn_param_take_utf8(ctx->prov, p.cek, v.cek, sizeof(v.cek)))
        return 0;
    if (p.md != NULL)
        v.other_md[0] = '\0';
    if (found < 0) {
        v.md = NULL;
        (void)wn_param_get_utf8(p.md, v.other_md, sizeof(v.other_md));
        if (!wn_other_kdf_takes(ctx->prov, OSSL_KDF_NAME_X942KDF_ASN1, v.other_md))
            return wn_md_raise_unknown(ctx->prov, p.md);
    }
    if (p.md != NULL && v.md != NULL && (v.md->flags & WN_MD_XOF) != 0) {
        WN_RAISE(ctx->prov, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        return 0;
    }
    if (p.ukm != NULL) {
        if (!take_ukm(ctx, p.ukm, &v.ukm, &v.ukm_len))
            return 0;
        wn_clear_free(ctx->prov, ctx->ukm, ctx->ukm_len);
    }
    *ctx = v;
    return 1;
}

static int wn_dh_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_dh_ctx *ctx = vctx;
    char name[WN_MD_NAME_MAX] = "";
    struct dh_ctx_get p;

    if (ctx->md != NULL)
        wn_md_name(ctx->md, name);
    else
        memcpy(name, ctx->other_md, sizeof(name));
    return WN_PARAMS_SCAN(ctx->prov, dh_ctx_get, params, &p)
        && wn_param_give_utf8(ctx->prov, p.kdf, ctx->x942 ? OSSL_KDF_NAME_X942KDF_ASN1 : "")
        && wn_param_give_utf8(ctx->prov, p.md, name)
        && wn_param_give_size_t(ctx->prov, p.outlen, ctx->outlen)
        && wn_param_give_octets(ctx->prov, p.ukm, ctx->ukm, ctx->ukm_len)
        && wn_param_give_utf8(ctx->prov, p.cek, ctx->cek);
}

/* ---- operations ------------------------------------------------------------------------ */

static int wn_dh_exch_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    struct wn_dh_ctx *ctx = vctx;
    struct wn_dh_key *key = vkey;

    if (key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    wn_dh_key_up(key);
    wn_dh_key_free(ctx->key);
    ctx->key = key;
    ctx->x942 = 0;
    return wn_dh_set_ctx_params(ctx, params);
}

/* The peer must have our parameters; q need not be known on both sides. */
static int wn_dh_set_peer(void *vctx, void *vkey)
{
    struct wn_dh_ctx *ctx = vctx;
    struct wn_dh_key *peer = vkey;

    if (peer == NULL || ctx->key == NULL || ctx->key->p == NULL || peer->p == NULL
        || mp_cmp(ctx->key->p, peer->p) != MP_EQ || mp_cmp(ctx->key->g, peer->g) != MP_EQ) {
        WN_RAISE(ctx->prov, PROV_R_MISMATCHING_DOMAIN_PARAMETERS);
        return 0;
    }
    wn_dh_key_up(peer);
    wn_dh_key_free(ctx->peer);
    ctx->peer = peer;
    return 1;
}

static int check_keys(const struct wn_dh_ctx *ctx)
{
    int reason = 0;

    if (ctx->key == NULL || ctx->peer == NULL || ctx->peer->pub == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (ctx->key->bits < WN_DH_MIN_BITS)
        reason = DH_R_MODULUS_TOO_SMALL;
    else if (ctx->key->priv == NULL)
        reason = DH_R_NO_PRIVATE_VALUE;
    else if (!wn_dh_public_ok(ctx->key, ctx->peer->pub))
        reason = DH_R_INVALID_PUBKEY;
    if (reason != 0)
        WN_RAISE_LIB(ctx->prov, ERR_LIB_DH, reason);
    return reason == 0;
}

/* z (key->size bytes) = the shared secret; 1 and p - 1 are refused (5.7.1.1). */
static int shared_secret(const struct wn_dh_ctx *ctx, unsigned char *z)
{
    unsigned char first, last = 0, all;
    unsigned char p[WN_DH_MAX_SIZE];
    size_t n = ctx->key->size, i;

    if (!check_keys(ctx) || !wn_dh_power(ctx->key, ctx->peer->pub, ctx->key->priv, z))
        return 0;
    wn_num_bytes(ctx->key->p, p, n);
    p[n - 1] ^= 1;              /* p - 1 */
    for (i = 0, first = 0, all = 0; i < n; i++) {
        last |= z[i] ^ p[i];
        if (i + 1 < n)
            first |= z[i];
    }
    all = first | (z[n - 1] & 0xfe);
    if (all == 0 || last == 0) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_DH, DH_R_INVALID_SECRET);
        return 0;
    }
    return 1;
}

static int other_x942(const struct wn_dh_ctx *ctx, const unsigned char *z, unsigned char *out)
{
    struct wn_pb pb;

    wn_pb_init(&pb, ctx->prov);
    wn_pb_utf8(&pb, OSSL_KDF_PARAM_DIGEST, ctx->other_md);
    wn_pb_octets(&pb, OSSL_KDF_PARAM_KEY, z, ctx->key->size);
    if (ctx->ukm_len != 0)
        wn_pb_octets(&pb, OSSL_KDF_PARAM_UKM, ctx->ukm, ctx->ukm_len);
    wn_pb_utf8(&pb, OSSL_KDF_PARAM_CEK_ALG, ctx->cek);
    return wn_other_kdf_once(ctx->prov, OSSL_KDF_NAME_X942KDF_ASN1, &pb, out, ctx->outlen);
}

static int derive_x942(const struct wn_dh_ctx *ctx, const unsigned char *z, unsigned char *out)
{
    const struct wn_x942_cek *cek = wn_x942_cek_find(ctx->cek);

    if (cek != NULL && ctx->other_md[0] != '\0')
        return other_x942(ctx, z, out);
    if (cek == NULL || ctx->md == NULL) {
        WN_RAISE(ctx->prov, cek == NULL ? PROV_R_MISSING_CEK_ALG : PROV_R_MISSING_MESSAGE_DIGEST);
        return 0;
    }
    return wn_x942_derive(ctx->md, z, ctx->key->size, cek, ctx->ukm, ctx->ukm_len, out,
                          ctx->outlen);
}

static int wn_dh_derive(void *vctx, unsigned char *out, size_t *outlen, size_t room)
{
    struct wn_dh_ctx *ctx = vctx;
    unsigned char z[WN_DH_MAX_SIZE];
    size_t n, skip = 0;
    int ok;

    if (ctx->key == NULL || ctx->peer == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    n = ctx->x942 ? ctx->outlen : ctx->key->size;
    if (out == NULL) {
        *outlen = n;
        return 1;
    }
    if (room < n) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    ok = shared_secret(ctx, z);
    if (ok && ctx->x942) {
        ok = derive_x942(ctx, z, out);
    } else if (ok) {
        /* TLS 1.2 drops leading zeros (RFC 5246, 8.1.2), and so tells their number */
        while (!ctx->pad && skip < n && z[skip] == 0)
            skip++;
        memcpy(out, z + skip, n - skip);
    }
    if (ok)
        *outlen = n - skip;
    wn_clear(z, ctx->key->size);
    return ok;
}

const OSSL_DISPATCH wn_dh_keyexch_functions[] = {
    WN_FN(KEYEXCH_NEWCTX, keyexch_newctx, wn_dh_newctx),
    WN_FN(KEYEXCH_FREECTX, keyexch_freectx, wn_dh_freectx),
    WN_FN(KEYEXCH_DUPCTX, keyexch_dupctx, wn_dh_dupctx),
    WN_FN(KEYEXCH_INIT, keyexch_init, wn_dh_exch_init),
    WN_FN(KEYEXCH_SET_PEER, keyexch_set_peer, wn_dh_set_peer),
    WN_FN(KEYEXCH_DERIVE, keyexch_derive, wn_dh_derive),
    WN_FN(KEYEXCH_SET_CTX_PARAMS, keyexch_set_ctx_params, wn_dh_set_ctx_params),
    WN_FN(KEYEXCH_SETTABLE_CTX_PARAMS, keyexch_settable_ctx_params, wn_dh_ctx_settable),
    WN_FN(KEYEXCH_GET_CTX_PARAMS, keyexch_get_ctx_params, wn_dh_get_ctx_params),
    WN_FN(KEYEXCH_GETTABLE_CTX_PARAMS, keyexch_gettable_ctx_params, wn_dh_ctx_gettable),
    WN_FN_END
};
