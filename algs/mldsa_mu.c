/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The digest "ML-DSA-MU" of OpenSSL 4.0: mu = SHAKE256(tr || M'), tr = SHAKE256(pk), of
 * FIPS 204 algorithms 2 (M' = 0 || |ctx| || ctx || M) and 4 (M' = 1 || |ctx| || ctx ||
 * OID || PH(M)), for those who hash here and sign mu elsewhere. The public key, the
 * context and the pre-hash are parameters and stay when a context is set up anew.
 */
#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "../provider/params.h"
#include "digest.h"

#define MU_SIZE 64
#define RATE    136             /* bytes of SHAKE256 */
#define PAD     0x1f

struct wn_mu_ctx {
    const struct wn_prov *prov;
    struct wn_keccak shake;     /* from the first byte on */
    int begun, has_key;
    unsigned char tr[MU_SIZE];
    unsigned char context[255];
    size_t context_len;
    unsigned char oid;          /* last byte of 2.16.840.1.101.3.4.2.x; 0: no pre-hash */
    size_t hash_len, missing;   /* bytes of the pre-hash; those still to come */
};

static void *wn_mu_newctx(void *vprov)
{
    struct wn_mu_ctx *ctx = wn_zalloc(vprov, sizeof(*ctx));

    if (ctx != NULL)
        ctx->prov = vprov;
    return ctx;
}

static void wn_mu_freectx(void *vctx)
{
    struct wn_mu_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_clear_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_mu_dupctx(void *vctx)
{
    const struct wn_mu_ctx *ctx = vctx;

    return wn_memdup(ctx->prov, ctx, sizeof(*ctx));
}

/* ---- parameters ------------------------------------------------------------ */

#define MU_SET(P)                                                    \
    P(context, octet_string, OSSL_SIGNATURE_PARAM_CONTEXT_STRING)    \
    P(properties, utf8_string, OSSL_ALG_PARAM_PROPERTIES)            \
    P(pub, octet_string, OSSL_PKEY_PARAM_PUB_KEY)                    \
    P(digest, utf8_string, OSSL_ALG_PARAM_DIGEST)
WN_PARAMS(mu_set, MU_SET);

static const OSSL_PARAM *wn_mu_settable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return mu_set_list;
}

/* The pre-hashes that OpenSSL takes, under just these names. */
static int take_prehash(const struct wn_mu_ctx *ctx, const char *name, unsigned char *oid,
                        size_t *len)
{
    static const struct {
        const char *name;
        unsigned char oid, len;
    } hashes[] = {
        { "SHA-256", 1, 32 },   { "SHA-384", 2, 48 },    { "SHA-512", 3, 64 },
        { "SHA-224", 4, 28 },   { "SHA3-224", 7, 28 },   { "SHA3-256", 8, 32 },
        { "SHA3-384", 9, 48 },  { "SHA3-512", 10, 64 },  { "SHAKE-128", 11, 32 },
        { "SHAKE-256", 12, 64 },
    };
    size_t i;

    for (i = 0; i < sizeof(hashes) / sizeof(hashes[0]); i++)
        if (strcasecmp(name, hashes[i].name) == 0) {
            *oid = hashes[i].oid;
            *len = hashes[i].len;
            return 1;
        }
    WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_DIGEST, "%s is not supported", name);
    return 0;
}

static void hash_key(const unsigned char *pub, size_t n, unsigned char tr[MU_SIZE])
{
    struct wn_keccak k;

    wn_keccak_init(&k);
    wn_keccak_absorb(&k, RATE, pub, n);
    wn_keccak_squeeze(&k, RATE, PAD, tr, MU_SIZE);
}

/* Nothing changes unless all of it is good. */
static int wn_mu_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_mu_ctx *ctx = vctx;
    const unsigned char *context = NULL, *pub = NULL;
    size_t context_len = 0, pub_len = 0, hash_len = 0;
    char digest[16] = "";       /* properties serve no fetch here */
    unsigned char oid = 0;
    struct mu_set p;

    if (ctx == NULL || !WN_PARAMS_SCAN(ctx->prov, mu_set, params, &p)
        || !wn_param_take_octets(ctx->prov, p.context, &context, &context_len)
        || !wn_param_take_octets(ctx->prov, p.pub, &pub, &pub_len)
        || !wn_param_take_utf8(ctx->prov, p.digest, digest, sizeof(digest))
        || (p.digest != NULL && !take_prehash(ctx, digest, &oid, &hash_len)))
        return 0;
    if (context_len > sizeof(ctx->context)) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_DATA, "context string of %zu bytes, at most 255",
                     context_len);
        return 0;
    }
    if (p.pub != NULL && pub_len != 1312 && pub_len != 1952 && pub_len != 2592) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);     /* FIPS 204 table 2 */
        return 0;
    }
    if (p.context != NULL) {
        if (context_len != 0)
            memcpy(ctx->context, context, context_len);
        ctx->context_len = context_len;
    }
    if (p.pub != NULL) {
        hash_key(pub, pub_len, ctx->tr);
        ctx->has_key = 1;
    }
    if (p.digest != NULL) {
        ctx->oid = oid;
        ctx->hash_len = ctx->missing = hash_len;
    }
    return 1;
}

#define MU_GET(P)                                \
    P(size, uint, OSSL_DIGEST_PARAM_SIZE)        \
    P(xoflen, size_t, OSSL_DIGEST_PARAM_XOFLEN)
WN_PARAMS(mu_get, MU_GET);

static const OSSL_PARAM *wn_mu_gettable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return mu_get_list;
}

static int wn_mu_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_mu_ctx *ctx = vctx;
    struct mu_get p;

    return ctx != NULL && WN_PARAMS_SCAN(ctx->prov, mu_get, params, &p)
        && wn_param_give_size_t(ctx->prov, p.size, MU_SIZE)
        && wn_param_give_size_t(ctx->prov, p.xoflen, MU_SIZE);
}

/* ---- the digest ------------------------------------------------------------- */

static int wn_mu_init(void *vctx, const OSSL_PARAM params[])
{
    struct wn_mu_ctx *ctx = vctx;

    ctx->begun = 0;
    ctx->missing = ctx->hash_len;
    return wn_mu_set_ctx_params(ctx, params);
}

static int begin(struct wn_mu_ctx *ctx)
{
    const unsigned char head[2] = { ctx->oid != 0, (unsigned char)ctx->context_len };
    const unsigned char oid[] = { 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02,
                                  ctx->oid };

    if (ctx->begun)
        return 1;
    if (!ctx->has_key) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    wn_keccak_init(&ctx->shake);
    wn_keccak_absorb(&ctx->shake, RATE, ctx->tr, sizeof(ctx->tr));
    wn_keccak_absorb(&ctx->shake, RATE, head, sizeof(head));
    wn_keccak_absorb(&ctx->shake, RATE, ctx->context, ctx->context_len);
    if (ctx->oid != 0)
        wn_keccak_absorb(&ctx->shake, RATE, oid, sizeof(oid));
    ctx->begun = 1;
    return 1;
}

static int wn_mu_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_mu_ctx *ctx = vctx;

    if (ctx->oid != 0 && n > ctx->missing) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DATA);
        return 0;
    }
    if (!begin(ctx))
        return 0;
    if (ctx->oid != 0)
        ctx->missing -= n;
    if (n != 0)
        wn_keccak_absorb(&ctx->shake, RATE, in, n);
    return 1;
}

static int wn_mu_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_mu_ctx *ctx = vctx;

    if (out != NULL && outsz != 0) {
        if (outsz < MU_SIZE || ctx->missing != 0 || !begin(ctx))
            return 0;
        wn_keccak_squeeze(&ctx->shake, RATE, PAD, out, MU_SIZE);
        ctx->begun = 0;
    }
    *outl = MU_SIZE;
    return 1;
}

#define MU_INFO(P)                                      \
    P(block_size, size_t, OSSL_DIGEST_PARAM_BLOCK_SIZE) \
    P(size, size_t, OSSL_DIGEST_PARAM_SIZE)             \
    P(xof, int, OSSL_DIGEST_PARAM_XOF)                  \
    P(algid_absent, int, OSSL_DIGEST_PARAM_ALGID_ABSENT)
WN_PARAMS(mu_info, MU_INFO);

static const OSSL_PARAM *wn_mu_gettable_params(void *vprov)
{
    (void)vprov;
    return mu_info_list;
}

static int wn_mu_get_params(OSSL_PARAM params[])
{
    static const struct wn_prov any_version;
    struct mu_info p;

    return WN_PARAMS_SCAN(&any_version, mu_info, params, &p)
        && (p.block_size == NULL || wn_param_set_size_t(p.block_size, RATE))
        && (p.size == NULL || wn_param_set_size_t(p.size, MU_SIZE))
        && (p.xof == NULL || wn_param_set_int(p.xof, 0))
        && (p.algid_absent == NULL || wn_param_set_int(p.algid_absent, 1));
}

const OSSL_DISPATCH wn_mldsa_mu_functions[] = {
    WN_FN(DIGEST_NEWCTX, digest_newctx, wn_mu_newctx),
    WN_FN(DIGEST_FREECTX, digest_freectx, wn_mu_freectx),
    WN_FN(DIGEST_DUPCTX, digest_dupctx, wn_mu_dupctx),
    WN_FN(DIGEST_INIT, digest_init, wn_mu_init),
    WN_FN(DIGEST_UPDATE, digest_update, wn_mu_update),
    WN_FN(DIGEST_FINAL, digest_final, wn_mu_final),
    WN_FN(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params, wn_mu_set_ctx_params),
    WN_FN(DIGEST_SETTABLE_CTX_PARAMS, digest_settable_ctx_params, wn_mu_settable),
    WN_FN(DIGEST_GET_CTX_PARAMS, digest_get_ctx_params, wn_mu_get_ctx_params),
    WN_FN(DIGEST_GETTABLE_CTX_PARAMS, digest_gettable_ctx_params, wn_mu_gettable),
    WN_FN(DIGEST_GET_PARAMS, digest_get_params, wn_mu_get_params),
    WN_FN(DIGEST_GETTABLE_PARAMS, digest_gettable_params, wn_mu_gettable_params),
    WN_FN_END
};
