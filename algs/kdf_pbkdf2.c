/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "PBKDF2" (RFC 8018 section 5.2) with HMAC of any digest. "pkcs5" = 0
 * asks for the lower bounds of SP 800-132 section 5.
 */
#include "kdf.h"

#include <limits.h>
#include <string.h>

#include "../provider/alglist.h"
#include "pbkdf2.h"

#define DEFAULT_ITERATIONS 2048
#define MIN_ITERATIONS 1000
#define MIN_KEY_BITS 112
#define MIN_SALT 16
#define MAX_BLOCKS 0xffffffffu

enum { PASS, SALT, N_BYTES };

struct pbkdf2_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_md_desc *md;
    uint64_t iterations;
    int bounds;
};
WN_KDF_CHECK(pbkdf2_ctx);

void wn_pbkdf2(const struct wn_md_desc *md, const void *pass, size_t passlen, const void *salt,
               size_t saltlen, uint64_t iterations, unsigned char *out, size_t n)
{
    unsigned char u[WN_MD_MAX_SIZE], t[WN_MD_MAX_SIZE], number[4];
    struct wn_hmac hmac;
    size_t piece;
    uint32_t i;

    wn_hmac_init(&hmac, md, pass, passlen);
    for (i = 1; n > 0; n -= piece, out += piece, i++) {
        number[0] = (unsigned char)(i >> 24);
        number[1] = (unsigned char)(i >> 16);
        number[2] = (unsigned char)(i >> 8);
        number[3] = (unsigned char)i;
        wn_hmac_restart(&hmac);
        wn_hmac_update(&hmac, salt, saltlen);
        wn_hmac_update(&hmac, number, sizeof(number));
        wn_hmac_final(&hmac, u);
        memcpy(t, u, md->size);
        wn_hmac_iterate(&hmac, u, t, iterations - 1);
        piece = n < md->size ? n : md->size;
        memcpy(out, t, piece);
    }
    wn_hmac_clear(&hmac);
    wn_clear(u, sizeof(u));
    wn_clear(t, sizeof(t));
}

static void pbkdf2_init(void *vctx)
{
    struct pbkdf2_ctx *c = vctx;

    c->md = &wn_md_sha1;
    c->iterations = DEFAULT_ITERATIONS;
}

static int bad(const struct pbkdf2_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static int bounds_hold(const struct pbkdf2_ctx *c, size_t n)
{
    if (c->iterations < 1)
        return bad(c, PROV_R_INVALID_ITERATION_COUNT);
    if (!c->bounds)
        return 1;
    if (n < MIN_KEY_BITS / 8)
        return bad(c, PROV_R_KEY_SIZE_TOO_SMALL);
    if (c->b[SALT].n < MIN_SALT)
        return bad(c, PROV_R_INVALID_SALT_LENGTH);
    if (c->iterations < MIN_ITERATIONS)
        return bad(c, PROV_R_INVALID_ITERATION_COUNT);
    return 1;
}

#define PBKDF2_SET(P)                                               \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)           \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                   \
    P(pass, octet_string, OSSL_KDF_PARAM_PASSWORD)                  \
    P(salt, octet_string, OSSL_KDF_PARAM_SALT)                      \
    P(iterations, uint64, OSSL_KDF_PARAM_ITER)                      \
    P(pkcs5, int, OSSL_KDF_PARAM_PKCS5)
WN_PARAMS(pbkdf2_set, PBKDF2_SET);

static int pbkdf2_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct pbkdf2_ctx *c = vctx;
    struct pbkdf2_set p;
    int pkcs5 = !c->bounds;

    if (!WN_PARAMS_SCAN(c->kdf.prov, pbkdf2_set, params, &p)
        || !wn_kdf_take_md(c, p.digest, &c->md, 1)
        || !wn_param_take_int(c->kdf.prov, p.pkcs5, &pkcs5)
        || !wn_param_take_uint64(c->kdf.prov, p.iterations, &c->iterations))
        return 0;
    c->bounds = pkcs5 == 0;
    if (p.salt != NULL && c->bounds && p.salt->data_size < MIN_SALT)
        return bad(c, PROV_R_INVALID_SALT_LENGTH);
    if (p.iterations != NULL && c->iterations < (c->bounds ? MIN_ITERATIONS : 1))
        return bad(c, PROV_R_INVALID_ITERATION_COUNT);
    if (p.pass != NULL && c->bounds && p.pass->data_size < 1
        && c->kdf.prov->core_version >= WN_CORE_VERSION(4, 0))
        return bad(c, PROV_R_PASSWORD_STRENGTH_TOO_WEAK);
    return wn_kdf_take(c, PASS, p.pass, WN_KDF_LENIENT)
        && wn_kdf_take(c, SALT, p.salt, WN_KDF_LENIENT);
}

static int pbkdf2_derive(void *vctx, unsigned char *out, size_t n)
{
    struct pbkdf2_ctx *c = vctx;
    const struct wn_kdf_bytes *pass = &c->b[PASS], *salt = &c->b[SALT];

    if (pass->d == NULL)
        return bad(c, PROV_R_MISSING_PASS);
    if (salt->d == NULL)
        return bad(c, PROV_R_MISSING_SALT);
    if (n / c->md->size >= MAX_BLOCKS)
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    if (!bounds_hold(c, n))
        return 0;
    wn_pbkdf2(c->md, pass->d, pass->n, salt->d, salt->n, c->iterations, out, n);
    return 1;
}

static void pbkdf2_tell(const void *vctx, struct wn_pb *pb)
{
    const struct pbkdf2_ctx *c = vctx;

    wn_pb_int(pb, OSSL_KDF_PARAM_PKCS5, !c->bounds);
    wn_kdf_tell(c, pb, PASS, OSSL_KDF_PARAM_PASSWORD);
    wn_kdf_tell(c, pb, SALT, OSSL_KDF_PARAM_SALT);
    wn_pb_uint64(pb, OSSL_KDF_PARAM_ITER, c->iterations);
}

static const struct wn_kdf_desc pbkdf2_desc = {
    WN_KDF_LAYOUT(pbkdf2_ctx, b), WN_CORE_VERSION(3, 4), pbkdf2_init, pbkdf2_set_params,
    pbkdf2_derive, NULL, NULL, pbkdf2_set_list, wn_kdf_size_list,
    "PBKDF2", pbkdf2_tell
};
WN_KDF_TABLE(pbkdf2, &pbkdf2_desc)
