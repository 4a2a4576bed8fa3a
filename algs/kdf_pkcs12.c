/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The older password-based functions: EVP_KDF "PKCS12KDF" (RFC 7292 appendix
 * B.2), "PBKDF1" (RFC 8018 section 5.1) and "PVKKDF" (the one hash behind
 * Microsoft's PVK files).
 */
#include "kdf.h"

#include <string.h>

#include "../provider/alglist.h"

enum { PASS, SALT, N_BYTES };

struct old_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_md_desc *md;
    uint64_t iterations;
    int id;                         /* PKCS #12's purpose of the key */
};
WN_KDF_CHECK(old_ctx);

#define PVK_SET(P)                                                  \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)           \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                   \
    P(pass, octet_string, OSSL_KDF_PARAM_PASSWORD)                  \
    P(salt, octet_string, OSSL_KDF_PARAM_SALT)
#define PBKDF1_SET(P) PVK_SET(P) P(iterations, uint64, OSSL_KDF_PARAM_ITER)
#define OLD_SET(P) PBKDF1_SET(P) P(id, int, OSSL_KDF_PARAM_PKCS12_ID)
WN_PARAMS(old_set, OLD_SET);

static const OSSL_PARAM pvk_settable[] = { PVK_SET(WN_PARAM_DESC_) OSSL_PARAM_END };
static const OSSL_PARAM pbkdf1_settable[] = { PBKDF1_SET(WN_PARAM_DESC_) OSSL_PARAM_END };

static int bad(const struct old_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static int old_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct old_ctx *c = vctx;
    struct old_set p;

    return WN_PARAMS_SCAN(c->kdf.prov, old_set, params, &p)
        && wn_kdf_take_md(c, p.digest, &c->md, 0)
        && wn_param_take_uint64(c->kdf.prov, p.iterations, &c->iterations)
        && wn_param_take_int(c->kdf.prov, p.id, &c->id)
        && wn_kdf_take(c, PASS, p.pass, WN_KDF_LENIENT)
        && wn_kdf_take(c, SALT, p.salt, WN_KDF_LENIENT);
}

static int has_inputs(const struct old_ctx *c)
{
    if (c->b[PASS].d == NULL)
        return bad(c, PROV_R_MISSING_PASS);
    if (c->b[SALT].d == NULL)
        return bad(c, PROV_R_MISSING_SALT);
    return 1;
}

/* h = Hash(h), times - 1 */
static void again(const struct wn_md_desc *md, unsigned char *h, uint64_t times)
{
    uint64_t i;

    for (i = 1; i < times; i++)
        wn_md_once(md, h, md->size, h);
}

/* ---- PKCS #12 ------------------------------------------------------------------ */

/* As many whole blocks as s needs, filled by repeating it; from *at on. */
static void fill(unsigned char **at, const struct wn_kdf_bytes *s, size_t block)
{
    size_t n = (s->n + block - 1) / block * block, i;

    for (i = 0; i < n; i++)
        *(*at)++ = s->d[i % s->n];
}

/* Step 6: each block of I = (I_j + B + 1) modulo 2^(8 block), B repeating A. */
static void next_i(unsigned char *i, size_t n, const unsigned char *a, size_t u, size_t block)
{
    size_t j, k;
    unsigned carry;

    for (j = 0; j < n; j += block) {
        for (carry = 1, k = block; k-- > 0;) {
            carry += i[j + k] + a[k % u];
            i[j + k] = (unsigned char)carry;
            carry >>= 8;
        }
    }
}

static void pkcs12(const struct old_ctx *c, unsigned char *i, size_t ilen, unsigned char *out,
                   size_t n)
{
    unsigned char d[WN_MD_MAX_BLOCK], a[WN_MD_MAX_SIZE];
    size_t u = c->md->size, block = c->md->block, piece;
    struct wn_md md;

    memset(d, c->id, block);
    for (;;) {
        wn_md_init(&md, c->md);
        wn_md_update(&md, d, block);
        wn_md_update(&md, i, ilen);
        wn_md_final(&md, a);
        again(c->md, a, c->iterations);
        piece = n < u ? n : u;
        memcpy(out, a, piece);
        out += piece;
        n -= piece;
        if (n == 0)
            break;
        next_i(i, ilen, a, u, block);
    }
    wn_md_clear(&md);
    wn_clear(a, sizeof(a));
}

static int pkcs12_derive(void *vctx, unsigned char *out, size_t n)
{
    const struct old_ctx *c = vctx;
    const struct wn_kdf_bytes *pass = &c->b[PASS], *salt = &c->b[SALT];
    size_t block, ilen;
    unsigned char *i, *at;

    if (!has_inputs(c))
        return 0;
    if (c->md == NULL)
        return bad(c, PROV_R_INVALID_DIGEST_SIZE);
    block = c->md->block;
    if (salt->n > SIZE_MAX / 4 || pass->n > SIZE_MAX / 4)
        return bad(c, PROV_R_LENGTH_TOO_LARGE);
    ilen = (salt->n + block - 1) / block * block + (pass->n + block - 1) / block * block;
    i = at = wn_malloc(c->kdf.prov, ilen);
    if (i == NULL)
        return 0;
    fill(&at, salt, block);
    fill(&at, pass, block);
    pkcs12(c, i, ilen, out, n);
    wn_clear_free(c->kdf.prov, i, ilen);
    return 1;
}

static void pkcs12_tell(const void *vctx, struct wn_pb *pb)
{
    const struct old_ctx *c = vctx;

    wn_kdf_tell(c, pb, PASS, OSSL_KDF_PARAM_PASSWORD);
    wn_kdf_tell(c, pb, SALT, OSSL_KDF_PARAM_SALT);
    wn_pb_uint64(pb, OSSL_KDF_PARAM_ITER, c->iterations);
    wn_pb_int(pb, OSSL_KDF_PARAM_PKCS12_ID, c->id);
}

static const struct wn_kdf_desc pkcs12_desc = {
    WN_KDF_LAYOUT(old_ctx, b), WN_CORE_VERSION(3, 6), NULL, old_set_params, pkcs12_derive,
    NULL, NULL, old_set_list, wn_kdf_size_list,
    "PKCS12KDF", pkcs12_tell
};
WN_KDF_TABLE(pkcs12, &pkcs12_desc)

/* ---- PBKDF1, PVK -------------------------------------------------------------------- */

static void two_hashed(const struct wn_md_desc *desc, const struct wn_kdf_bytes *first,
                       const struct wn_kdf_bytes *second, unsigned char *out)
{
    struct wn_md md;

    wn_md_init(&md, desc);
    wn_md_update(&md, first->d, first->n);
    wn_md_update(&md, second->d, second->n);
    wn_md_final(&md, out);
    wn_md_clear(&md);
}

static int pbkdf1_derive(void *vctx, unsigned char *out, size_t n)
{
    const struct old_ctx *c = vctx;
    unsigned char h[WN_MD_MAX_SIZE];

    if (!has_inputs(c))
        return 0;
    if (c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (n > c->md->size)
        return bad(c, PROV_R_LENGTH_TOO_LARGE);
    two_hashed(c->md, &c->b[PASS], &c->b[SALT], h);
    again(c->md, h, c->iterations);
    memcpy(out, h, n);
    wn_clear(h, sizeof(h));
    return 1;
}

/* Writes as much as the digest has; OpenSSL's callers take of it what they need. */
static int pvk_derive(void *vctx, unsigned char *out, size_t n)
{
    const struct old_ctx *c = vctx;

    if (!has_inputs(c))
        return 0;
    if (c->md == NULL)
        return bad(c, PROV_R_INVALID_DIGEST);
    if (c->md->size > n)
        return bad(c, PROV_R_LENGTH_TOO_LARGE);
    two_hashed(c->md, &c->b[SALT], &c->b[PASS], out);
    return 1;
}

static void pvk_init(void *vctx)
{
    ((struct old_ctx *)vctx)->md = &wn_md_sha1;
}

static void pbkdf1_tell(const void *vctx, struct wn_pb *pb)
{
    const struct old_ctx *c = vctx;

    wn_kdf_tell(c, pb, PASS, OSSL_KDF_PARAM_PASSWORD);
    wn_kdf_tell(c, pb, SALT, OSSL_KDF_PARAM_SALT);
    wn_pb_uint64(pb, OSSL_KDF_PARAM_ITER, c->iterations);
}

static const struct wn_kdf_desc pbkdf1_desc = {
    WN_KDF_LAYOUT(old_ctx, b), WN_CORE_VERSION(3, 6), NULL, old_set_params, pbkdf1_derive,
    NULL, NULL, pbkdf1_settable, wn_kdf_size_list,
    "PBKDF1", pbkdf1_tell
};
WN_KDF_TABLE(pbkdf1, &pbkdf1_desc)

static void pvk_tell(const void *vctx, struct wn_pb *pb)
{
    const struct old_ctx *c = vctx;

    wn_kdf_tell(c, pb, PASS, OSSL_KDF_PARAM_PASSWORD);
    wn_kdf_tell(c, pb, SALT, OSSL_KDF_PARAM_SALT);
}

static const struct wn_kdf_desc pvk_desc = {
    WN_KDF_LAYOUT(old_ctx, b), WN_CORE_VERSION(3, 6), pvk_init, old_set_params, pvk_derive,
    NULL, NULL, pvk_settable, wn_kdf_size_list,
    "PVKKDF", pvk_tell
};
WN_KDF_TABLE(pvk, &pvk_desc)
