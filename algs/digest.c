/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MD: SHA-1 (FIPS 180-4, no longer for signatures) and SHA-2 (FIPS 180-4),
 * provider-digest(7).
 *
 * One descriptor per digest, shared functions, and one thunk pair per digest
 * because OpenSSL's newctx and get_params do not say which digest is meant.
 * A context is used by one thread at a time.
 */
#include "digest.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "../provider/params.h"

struct wn_digest_ctx {
    const struct wn_prov *prov;
    struct wn_md md;
    int ready;                  /* initialised and not yet finished */
};

/* ---- descriptors --------------------------------------------------------- */

/* Typed wolfCrypt calls behind the untyped pointers of a descriptor. */
#define DESC_FUNCTIONS(id, type, Prefix)                                     \
    static int id##_init(void *s) { return wc_Init##Prefix##_ex(s, NULL, INVALID_DEVID); } \
    static int id##_update(void *s, const byte *in, word32 n)                \
    { return wc_##Prefix##Update(s, in, n); }                                \
    static int id##_final(void *s, byte *out) { return wc_##Prefix##Final(s, out); }

/* X(id, C type, wolfCrypt prefix, names, size, block, wolfCrypt hash type) */
#define DIGESTS(X)                                                            \
    X(sha1, wc_Sha, Sha, "SHA1:SHA-1:SSL3-SHA1:1.3.14.3.2.26", 20, 64, SHA)   \
    X(sha224, wc_Sha256, Sha224, "SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4", 28, 64, SHA224) \
    X(sha256, wc_Sha256, Sha256, "SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1", 32, 64, SHA256) \
    X(sha384, wc_Sha512, Sha384, "SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2", 48, 128, SHA384) \
    X(sha512, wc_Sha512, Sha512, "SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3", 64, 128, SHA512)

#define DEFINE_FUNCTIONS(id, type, Prefix, names, size, block, wc) DESC_FUNCTIONS(id, type, Prefix)
DIGESTS(DEFINE_FUNCTIONS)

#define DEFINE_DESC(id, type, Prefix, names, size, block, wc)                \
    static const struct wn_md_desc id##_desc = {                             \
        names, size, block, 0, sizeof(type),                                 \
        id##_init, id##_update, id##_final, WC_HASH_TYPE_##wc                \
    };
DIGESTS(DEFINE_DESC)

static const struct wn_md_desc *const descs[] = {
#define DESC_POINTER(id, type, Prefix, names, size, block, wc) &id##_desc,
    DIGESTS(DESC_POINTER)
};

/* ---- for the rest of the module ------------------------------------------ */

static int name_is_listed(const char *names, const char *name)
{
    size_t len = strlen(name), n;

    for (;; names += n + 1) {
        n = strcspn(names, ":");
        if (n == len && strncasecmp(names, name, n) == 0)
            return 1;
        if (names[n] == '\0')
            return 0;
    }
}

const struct wn_md_desc *wn_md_find(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof(descs) / sizeof(descs[0]); i++)
        if (name_is_listed(descs[i]->names, name))
            return descs[i];
    return NULL;
}

int wn_md_init(struct wn_md *md, const struct wn_md_desc *desc)
{
    md->desc = desc;
    return desc->init(&md->u) == 0;
}

int wn_md_update(struct wn_md *md, const void *in, size_t n)
{
    const byte *p = in;

    for (; n > WN_CHUNK; p += WN_CHUNK, n -= WN_CHUNK)
        if (md->desc->update(&md->u, p, (word32)WN_CHUNK) != 0)
            return 0;
    return n == 0 || md->desc->update(&md->u, p, (word32)n) == 0;
}

int wn_md_final(struct wn_md *md, unsigned char *out)
{
    return md->desc->final(&md->u, out) == 0;
}

void wn_md_clear(struct wn_md *md)
{
    wn_clear(md, sizeof(*md));
}

/* ---- EVP ------------------------------------------------------------------ */

static void *wn_digest_newctx(void *vprov, const struct wn_md_desc *desc)
{
    const struct wn_prov *prov = vprov;
    struct wn_digest_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->md.desc = desc;
    }
    return ctx;
}

static void wn_digest_freectx(void *vctx)
{
    struct wn_digest_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_digest_dupctx(void *vctx)
{
    const struct wn_digest_ctx *ctx = vctx;
    struct wn_digest_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy != NULL)
        *copy = *ctx;
    return copy;
}

static void wn_digest_copyctx(void *vout, void *vin)
{
    *(struct wn_digest_ctx *)vout = *(const struct wn_digest_ctx *)vin;
}

static int wn_digest_init(void *vctx, const OSSL_PARAM params[])
{
    struct wn_digest_ctx *ctx = vctx;

    (void)params;
    ctx->ready = wn_md_init(&ctx->md, ctx->md.desc);
    return ctx->ready;
}

static int wn_digest_update(void *vctx, const unsigned char *in, size_t n)
{
    struct wn_digest_ctx *ctx = vctx;

    return ctx->ready && wn_md_update(&ctx->md, in, n);
}

static int wn_digest_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct wn_digest_ctx *ctx = vctx;

    if (!ctx->ready || outsz < ctx->md.desc->size || !wn_md_final(&ctx->md, out))
        return 0;
    ctx->ready = 0;
    *outl = ctx->md.desc->size;
    return 1;
}

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
static int wn_digest_get_params(OSSL_PARAM params[], const struct wn_md_desc *desc)
{
    static const struct wn_prov any_version;
    struct digest_get p;

    return WN_PARAMS_SCAN(&any_version, digest_get, params, &p)
        && (p.block_size == NULL || wn_param_set_size_t(p.block_size, desc->block))
        && (p.size == NULL || wn_param_set_size_t(p.size, desc->size))
        && (p.xof == NULL || wn_param_set_int(p.xof, (desc->flags & WN_MD_XOF) != 0))
        && (p.algid_absent == NULL || wn_param_set_int(p.algid_absent, 1));
}

#define DEFINE_TABLE(id, type, Prefix, names, size, block, wc)               \
    static void *id##_newctx(void *prov) { return wn_digest_newctx(prov, &id##_desc); } \
    static int id##_get_params(OSSL_PARAM params[])                          \
    { return wn_digest_get_params(params, &id##_desc); }                     \
    const OSSL_DISPATCH wn_##id##_functions[] = {                            \
        WN_FN(DIGEST_NEWCTX, digest_newctx, id##_newctx),                    \
        WN_FN(DIGEST_GET_PARAMS, digest_get_params, id##_get_params),        \
        DIGEST_COMMON,                                                       \
        WN_FN_END                                                            \
    };
#define DIGEST_COMMON                                                        \
    WN_FN(DIGEST_FREECTX, digest_freectx, wn_digest_freectx),                \
    WN_FN(DIGEST_DUPCTX, digest_dupctx, wn_digest_dupctx),                   \
    WN_FN(DIGEST_COPYCTX, digest_copyctx, wn_digest_copyctx),                \
    WN_FN(DIGEST_INIT, digest_init, wn_digest_init),                         \
    WN_FN(DIGEST_UPDATE, digest_update, wn_digest_update),                   \
    WN_FN(DIGEST_FINAL, digest_final, wn_digest_final),                      \
    WN_FN(DIGEST_GETTABLE_PARAMS, digest_gettable_params, wn_digest_gettable_params)
DIGESTS(DEFINE_TABLE)
