/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MD (provider-digest(7)): SHA-1, SHA-2, MD5, MD5-SHA1, RIPEMD-160, BLAKE2 and
 * the Keccak family. md.c, blake2.c and keccak.c do the work; here are contexts and
 * parameters.
 *
 * One thunk pair per digest, because OpenSSL's newctx and get_params do not say
 * which digest is meant. SHAKE comes twice: until OpenSSL 3.4 it has a default
 * output length, since then it has none. A context is used by one thread at a
 * time.
 */
#include "digest_ctx.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "../provider/params.h"
#include "blake2.h"

static size_t ctx_size(const struct wn_md_desc *desc)
{
    return offsetof(struct wn_digest_ctx, md.u) + desc->state_size;
}

static void *wn_digest_newctx(void *vprov, const struct wn_md_desc *desc, size_t size)
{
    const struct wn_prov *prov = vprov;
    struct wn_digest_ctx *ctx = wn_malloc(prov, ctx_size(desc));

    /* up to 3.x libcrypto makes a context per message: zero no more than needed */
    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->state = WN_DIGEST_IDLE;
        ctx->md.desc = desc;
        ctx->size = size;
        ctx->next = 0;
    }
    return ctx;
}

static void wn_digest_freectx(void *vctx)
{
    struct wn_digest_ctx *ctx = vctx;
    const struct wn_prov *prov;

    if (ctx == NULL)
        return;
    prov = ctx->prov;
    wn_clear(ctx, ctx_size(ctx->md.desc));
    wn_free(prov, ctx);
}

static void wn_digest_copyctx(void *vout, void *vin)
{
    const struct wn_digest_ctx *in = vin;

    memcpy(vout, in, ctx_size(in->md.desc));
}

static void *wn_digest_dupctx(void *vctx)
{
    const struct wn_digest_ctx *ctx = vctx;

    return wn_memdup(ctx->prov, ctx, ctx_size(ctx->md.desc));
}

static int wn_digest_init(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;

    (void)params;
    ctx->state = WN_DIGEST_UPDATE;
    return wn_md_init(&ctx->md, ctx->md.desc);
}

static int wrong_state(const struct wn_digest_ctx *ctx)
{
    WN_RAISE(ctx->prov, ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
    return 0;
}

static int wn_digest_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_digest_ctx *ctx = vctx;

    if (ctx->state != WN_DIGEST_UPDATE)
        return wrong_state(ctx);
    return wn_md_update(&ctx->md, in, n);
}

static int wn_digest_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_digest_ctx *ctx = vctx;

    if (ctx->state != WN_DIGEST_UPDATE)
        return wrong_state(ctx);
    if (outsz < ctx->size) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    wn_md_final(&ctx->md, out);
    ctx->state = WN_DIGEST_IDLE;
    *outl = ctx->size;
    return 1;
}

/* ---- SSL 3.0's use of a master secret (RFC 6101 section 5.6.8) --------------- */

#define SSL3_MS_SIZE 48

static const unsigned char pad1[48] = {
    0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36,
    0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36,
    0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36, 0x36
};
static const unsigned char pad2[48] = {
    0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c,
    0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c,
    0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c
};

/*
 * *s has taken the messages: hash(ms + pad2 + hash(messages + ms + pad1)) is
 * what a final would give afterwards. The pads make ms + pad fill 96 bytes for
 * MD5 and 88 for SHA-1.
 */
static void ssl3_one(const struct wn_md_desc *desc, struct wn_mdh *s, const unsigned char *ms)
{
    size_t pad = desc == &wn_md_md5 ? 48 : 40;
    unsigned char inner[WN_MD_MAX_SIZE];
    struct wn_md md;

    md.desc = desc;
    memcpy(&md.u, s, desc->state_size);     /* all of *s that is allocated */
    wn_md_update(&md, ms, SSL3_MS_SIZE);
    wn_md_update(&md, pad1, pad);
    wn_md_final(&md, inner);
    wn_md_init(&md, desc);
    wn_md_update(&md, ms, SSL3_MS_SIZE);
    wn_md_update(&md, pad2, pad);
    wn_md_update(&md, inner, desc->size);
    memcpy(s, &md.u, desc->state_size);
    wn_clear(inner, sizeof(inner));
    wn_md_clear(&md);
}

#define SSL3_SET(P) P(ms, octet_string, OSSL_DIGEST_PARAM_SSL3_MS)
WN_PARAMS(ssl3_set, SSL3_SET);

static const OSSL_PARAM *wn_ssl3_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return ssl3_set_list;
}

/* A value of another type is ignored, as the default provider does up to 3.5. */
static int wn_ssl3_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;
    struct ssl3_set p;
    const unsigned char *ms;
    size_t n;

    if (wn_params_empty(params))
        return 1;
    if (!WN_PARAMS_SCAN(ctx->prov, ssl3_set, params, &p))
        return 0;
    if (p.ms == NULL || p.ms->data_type != OSSL_PARAM_OCTET_STRING)
        return 1;
    if (!wn_param_take_octets(ctx->prov, p.ms, &ms, &n))
        return 0;
    if (n != SSL3_MS_SIZE) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_INPUT_LENGTH);
        return 0;
    }
    if (ctx->md.desc == &wn_md_md5_sha1) {
        ssl3_one(&wn_md_md5, &ctx->md.u.md5_sha1.md5, ms);
        ssl3_one(&wn_md_sha1, &ctx->md.u.md5_sha1.sha1, ms);
    } else {
        ssl3_one(&wn_md_sha1, &ctx->md.u.mdh, ms);
    }
    return 1;
}

static int wn_ssl3_init(void *vctx, const OSSL_PARAM params[])
{
    return wn_digest_init(vctx, NULL) && wn_ssl3_set_ctx_params(vctx, params);
}

/* ---- extendable output ------------------------------------------------------ */

#define XOF_OLD_SET(P) P(xoflen, size_t, OSSL_DIGEST_PARAM_XOFLEN)
WN_PARAMS(xof_old_set, XOF_OLD_SET);

#define XOF_SET(P)                                 \
    P(xoflen, size_t, OSSL_DIGEST_PARAM_XOFLEN)    \
    P(size, size_t, OSSL_DIGEST_PARAM_SIZE)
WN_PARAMS(xof_set, XOF_SET);

static const OSSL_PARAM *wn_xof_old_settable_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return xof_old_set_list;
}

static const OSSL_PARAM *wn_xof_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return xof_set_list;
}

static int wn_xof_old_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;
    struct xof_old_set p;

    return wn_params_empty(params)
        || (WN_PARAMS_SCAN(ctx->prov, xof_old_set, params, &p)
            && wn_param_take_size_t(ctx->prov, p.xoflen, &ctx->size));
}

static int wn_xof_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;
    struct xof_set p;

    return wn_params_empty(params)
        || (WN_PARAMS_SCAN(ctx->prov, xof_set, params, &p)
            && wn_param_take_size_t(ctx->prov, p.xoflen != NULL ? p.xoflen : p.size,
                                    &ctx->size));
}

static int wn_xof_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_digest_ctx *ctx = vctx;
    struct xof_set p;

    return WN_PARAMS_SCAN(ctx->prov, xof_set, params, &p)
        && wn_param_give_size_t(ctx->prov, p.xoflen, ctx->size)
        && wn_param_give_size_t(ctx->prov, p.size, ctx->size);
}

static int wn_xof_old_init(void *vctx, const OSSL_PARAM params[])
{
    return wn_digest_init(vctx, NULL) && wn_xof_old_set_ctx_params(vctx, params);
}

static int wn_xof_init(void *vctx, const OSSL_PARAM params[])
{
    return wn_digest_init(vctx, NULL) && wn_xof_set_ctx_params(vctx, params);
}

/*
 * outsz is not the space at out: EVP_DigestFinal_ex() before 3.4 passes the
 * digest's constant size whatever "xoflen" says. 0 does mean no output.
 */
static int wn_xof_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_digest_ctx *ctx = vctx;

    if (ctx->state != WN_DIGEST_UPDATE)
        return wrong_state(ctx);
    if (ctx->size == WN_DIGEST_NO_LENGTH) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DIGEST_LENGTH);
        return 0;
    }
    if (outsz > 0) {
        wn_md_squeeze(&ctx->md, out, ctx->size);
        ctx->state = WN_DIGEST_IDLE;
    }
    *outl = ctx->size;
    return 1;
}

static int wn_xof_squeeze(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_digest_ctx *ctx = vctx;

    if (ctx->state == WN_DIGEST_IDLE)
        return wrong_state(ctx);
    if (outsz > 0) {
        wn_md_squeeze(&ctx->md, out, outsz);
        ctx->state = WN_DIGEST_SQUEEZE;
    }
    if (outl != NULL)
        *outl = outsz;
    return 1;
}

/* ---- BLAKE2's output size --------------------------------------------------- */

#define BLAKE2_SIZE(P) P(size, uint, OSSL_DIGEST_PARAM_SIZE)
WN_PARAMS(blake2_size, BLAKE2_SIZE);

static const OSSL_PARAM *wn_blake2_ctx_params(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return blake2_size_list;
}

static int wn_blake2_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;
    struct blake2_size p;
    size_t size;

    if (wn_params_empty(params))
        return 1;
    if (!WN_PARAMS_SCAN(ctx->prov, blake2_size, params, &p))
        return 0;
    if (p.size == NULL)
        return 1;
    if (!wn_param_take_size_t(ctx->prov, p.size, &size))
        return 0;
    if (size < 1 || size > ctx->md.desc->size) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DIGEST_SIZE);
        return 0;
    }
    ctx->next = size;
    return 1;
}

static int wn_blake2_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_digest_ctx *ctx = vctx;
    struct blake2_size p;

    return WN_PARAMS_SCAN(ctx->prov, blake2_size, params, &p)
        && wn_param_give_uint(ctx->prov, p.size, (unsigned)ctx->next);
}

static int wn_blake2_md_init(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;
    struct wn_blake2_param param = { 0 };

    if (!wn_blake2_set_ctx_params(vctx, params))
        return 0;
    if (ctx->next == 0)
        ctx->next = ctx->md.desc->size;
    ctx->size = param.size = ctx->next;
    ctx->state = WN_DIGEST_UPDATE;
    wn_blake2_init(&ctx->md, ctx->md.desc, &param, NULL);
    return 1;
}

/* No room at all is no error: the size is told. */
static int wn_blake2_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_digest_ctx *ctx = vctx;

    if (ctx->state != WN_DIGEST_UPDATE)
        return wrong_state(ctx);
    *outl = ctx->size;
    if (outsz == 0)
        return 1;
    if (outsz < ctx->size) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DIGEST_SIZE);
        return 0;
    }
    wn_md_squeeze(&ctx->md, out, ctx->size);
    ctx->state = WN_DIGEST_IDLE;
    return 1;
}

/* ---- constants and tables ------------------------------------------------------ */

#define DIGEST_GET(P)                                    \
    P(block_size, size_t, OSSL_DIGEST_PARAM_BLOCK_SIZE)  \
    P(size, size_t, OSSL_DIGEST_PARAM_SIZE)              \
    P(xof, int, OSSL_DIGEST_PARAM_XOF)                   \
    P(algid_absent, int, OSSL_DIGEST_PARAM_ALGID_ABSENT)
WN_PARAMS(digest_get, DIGEST_GET);

static const OSSL_PARAM *wn_digest_gettable_params(void *vprov)
{
    (void)vprov;
    return digest_get_list;
}

/* No context, hence no error queue: 0 says it all. */
static int wn_digest_get_params(OSSL_PARAM params[], const struct wn_md_desc *desc, size_t size)
{
    static const struct wn_prov any_version;
    struct digest_get p;

    return WN_PARAMS_SCAN(&any_version, digest_get, params, &p)
        && (p.block_size == NULL || wn_param_set_size_t(p.block_size, desc->block))
        && (p.size == NULL || wn_param_set_size_t(p.size, size))
        && (p.xof == NULL || wn_param_set_int(p.xof, (desc->flags & WN_MD_XOF) != 0))
        && (p.algid_absent == NULL
            || wn_param_set_int(p.algid_absent, (desc->flags & WN_MD_ALGID_ABSENT) != 0));
}

#define COMMON                                                               \
    WN_FN(DIGEST_FREECTX, digest_freectx, wn_digest_freectx),                \
    WN_FN(DIGEST_DUPCTX, digest_dupctx, wn_digest_dupctx),                   \
    WN_FN(DIGEST_COPYCTX, digest_copyctx, wn_digest_copyctx),                \
    WN_FN(DIGEST_UPDATE, digest_update, wn_digest_update),                   \
    WN_FN(DIGEST_GETTABLE_PARAMS, digest_gettable_params, wn_digest_gettable_params)
#define PLAIN                                                                \
    COMMON,                                                                  \
    WN_FN(DIGEST_INIT, digest_init, wn_digest_init),                         \
    WN_FN(DIGEST_FINAL, digest_final, wn_digest_final)
#define SSL3                                                                 \
    COMMON,                                                                  \
    WN_FN(DIGEST_INIT, digest_init, wn_ssl3_init),                           \
    WN_FN(DIGEST_FINAL, digest_final, wn_digest_final),                      \
    WN_FN(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params, wn_ssl3_set_ctx_params), \
    WN_FN(DIGEST_SETTABLE_CTX_PARAMS, digest_settable_ctx_params, wn_ssl3_settable_ctx_params)
#define SHA2                                                                 \
    PLAIN,                                                                   \
    WN_FN(DIGEST_SERIALIZE, digest_serialize, wn_sha2_serialize),            \
    WN_FN(DIGEST_DESERIALIZE, digest_deserialize, wn_sha2_deserialize)
#define SHA3                                                                 \
    PLAIN,                                                                   \
    WN_FN(DIGEST_SERIALIZE, digest_serialize, wn_keccak_serialize),          \
    WN_FN(DIGEST_DESERIALIZE, digest_deserialize, wn_keccak_deserialize)
#define XOF_OLD                                                              \
    COMMON,                                                                  \
    WN_FN(DIGEST_INIT, digest_init, wn_xof_old_init),                        \
    WN_FN(DIGEST_FINAL, digest_final, wn_xof_final),                         \
    WN_FN(DIGEST_SQUEEZE, digest_squeeze, wn_xof_squeeze),                   \
    WN_FN(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params, wn_xof_old_set_ctx_params), \
    WN_FN(DIGEST_SETTABLE_CTX_PARAMS, digest_settable_ctx_params, wn_xof_old_settable_ctx_params)
#define XOF                                                                  \
    COMMON,                                                                  \
    WN_FN(DIGEST_INIT, digest_init, wn_xof_init),                            \
    WN_FN(DIGEST_FINAL, digest_final, wn_xof_final),                         \
    WN_FN(DIGEST_SQUEEZE, digest_squeeze, wn_xof_squeeze),                   \
    WN_FN(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params, wn_xof_set_ctx_params), \
    WN_FN(DIGEST_SETTABLE_CTX_PARAMS, digest_settable_ctx_params, wn_xof_ctx_params), \
    WN_FN(DIGEST_GET_CTX_PARAMS, digest_get_ctx_params, wn_xof_get_ctx_params), \
    WN_FN(DIGEST_GETTABLE_CTX_PARAMS, digest_gettable_ctx_params, wn_xof_ctx_params), \
    WN_FN(DIGEST_SERIALIZE, digest_serialize, wn_keccak_serialize),          \
    WN_FN(DIGEST_DESERIALIZE, digest_deserialize, wn_keccak_deserialize)

#define BLAKE2                                                               \
    COMMON,                                                                  \
    WN_FN(DIGEST_INIT, digest_init, wn_blake2_md_init),                      \
    WN_FN(DIGEST_FINAL, digest_final, wn_blake2_final),                      \
    WN_FN(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params, wn_blake2_set_ctx_params), \
    WN_FN(DIGEST_SETTABLE_CTX_PARAMS, digest_settable_ctx_params, wn_blake2_ctx_params), \
    WN_FN(DIGEST_GET_CTX_PARAMS, digest_get_ctx_params, wn_blake2_get_ctx_params), \
    WN_FN(DIGEST_GETTABLE_CTX_PARAMS, digest_gettable_ctx_params, wn_blake2_ctx_params)

/* size: what EVP_MD_get_size() says; initial: what a new context puts out */
#define TABLE(id, desc, size, initial, FUNCTIONS)                            \
    static void *id##_newctx(void *prov) { return wn_digest_newctx(prov, &desc, initial); } \
    static int id##_get_params(OSSL_PARAM params[])                          \
    { return wn_digest_get_params(params, &desc, size); }                    \
    const OSSL_DISPATCH wn_##id##_functions[] = {                            \
        WN_FN(DIGEST_NEWCTX, digest_newctx, id##_newctx),                    \
        WN_FN(DIGEST_GET_PARAMS, digest_get_params, id##_get_params),        \
        FUNCTIONS,                                                           \
        WN_FN_END                                                            \
    };

TABLE(md5, wn_md_md5, 16, 16, PLAIN)
TABLE(md5_sha1, wn_md_md5_sha1, 36, 36, SSL3)
TABLE(sha1, wn_md_sha1, 20, 20, SSL3)
TABLE(ripemd160, wn_md_ripemd160, 20, 20, PLAIN)
TABLE(blake2b_512_old, wn_md_blake2b_512, 64, 64, PLAIN)
TABLE(blake2s_256_old, wn_md_blake2s_256, 32, 32, PLAIN)
TABLE(blake2b_512, wn_md_blake2b_512, 64, 64, BLAKE2)
TABLE(blake2s_256, wn_md_blake2s_256, 32, 32, BLAKE2)
TABLE(sha224, wn_md_sha224, 28, 28, SHA2)
TABLE(sha256, wn_md_sha256, 32, 32, SHA2)
TABLE(sha256_192, wn_md_sha256_192, 24, 24, SHA2)
TABLE(sha384, wn_md_sha384, 48, 48, SHA2)
TABLE(sha512, wn_md_sha512, 64, 64, SHA2)
TABLE(sha512_224, wn_md_sha512_224, 28, 28, SHA2)
TABLE(sha512_256, wn_md_sha512_256, 32, 32, SHA2)
TABLE(sha3_224, wn_md_sha3_224, 28, 28, SHA3)
TABLE(sha3_256, wn_md_sha3_256, 32, 32, SHA3)
TABLE(sha3_384, wn_md_sha3_384, 48, 48, SHA3)
TABLE(sha3_512, wn_md_sha3_512, 64, 64, SHA3)
TABLE(keccak_224, wn_md_keccak_224, 28, 28, SHA3)
TABLE(keccak_256, wn_md_keccak_256, 32, 32, SHA3)
TABLE(keccak_384, wn_md_keccak_384, 48, 48, SHA3)
TABLE(keccak_512, wn_md_keccak_512, 64, 64, SHA3)
TABLE(shake_128_old, wn_md_shake_128, 16, 16, XOF_OLD)
TABLE(shake_256_old, wn_md_shake_256, 32, 32, XOF_OLD)
TABLE(shake_128, wn_md_shake_128, 0, WN_DIGEST_NO_LENGTH, XOF)
TABLE(shake_256, wn_md_shake_256, 0, WN_DIGEST_NO_LENGTH, XOF)
TABLE(keccak_kmac_128_old, wn_md_keccak_kmac_128, 32, 32, XOF_OLD)
TABLE(keccak_kmac_256_old, wn_md_keccak_kmac_256, 64, 64, XOF_OLD)
TABLE(keccak_kmac_128, wn_md_keccak_kmac_128, 32, 32, XOF)
TABLE(keccak_kmac_256, wn_md_keccak_kmac_256, 64, 64, XOF)
