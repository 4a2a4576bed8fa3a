/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "SSKDF": the one-step derivation of SP 800-56C rev. 2 section 4 with
 * a hash, HMAC or KMAC, and "X963KDF" (ANSI X9.63, SEC 1 section 3.6.1), which
 * is its hash form with the counter after the secret.
 */
#include "kdf.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/names.h"
#include "hmac.h"
#include "kmac.h"
#include "x963.h"

#define MAX_LENGTH ((size_t)1 << 30)     /* OpenSSL's limit of each length */

enum { SECRET, INFO, SALT, N_BYTES };
enum mac { MAC_NONE, MAC_HMAC, MAC_KMAC128, MAC_KMAC256, MAC_OTHER };

struct sskdf_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_md_desc *md;
    enum mac mac;
    size_t mac_size;                    /* KMAC's output per step; 0: all */
};
WN_KDF_CHECK(sskdf_ctx);

static int bad(const struct sskdf_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

/* ---- parameters ------------------------------------------------------------- */

/* "secret" and "key" are the same */
#define SSKDF_SET(P)                                                \
    P(secret, octet_string, OSSL_KDF_PARAM_SECRET)                  \
    P(key, octet_string, OSSL_KDF_PARAM_KEY)                        \
    P(info, octet_string, OSSL_KDF_PARAM_INFO)                      \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)           \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                   \
    P(mac, utf8_string, OSSL_KDF_PARAM_MAC)                         \
    P(salt, octet_string, OSSL_KDF_PARAM_SALT)                      \
    P(mac_size, size_t, OSSL_KDF_PARAM_MAC_SIZE)
WN_PARAMS(sskdf_set, SSKDF_SET);
#define INFO_BIT (1u << 2)

static const struct {
    enum mac mac;
    const char *names;
} macs[] = {
    { MAC_HMAC, "HMAC" },
    { MAC_KMAC128, "KMAC-128:KMAC128:2.16.840.1.101.3.4.2.19" },
    { MAC_KMAC256, "KMAC-256:KMAC256:2.16.840.1.101.3.4.2.20" },
    { MAC_OTHER, "CMAC:GMAC:POLY1305:SIPHASH:BLAKE2BMAC:BLAKE2SMAC" },
};

static int take_mac(struct sskdf_ctx *c, const OSSL_PARAM *p)
{
    char name[64];
    size_t i;

    if (p == NULL)
        return 1;
    if (!wn_param_take_utf8(c->kdf.prov, p, name, sizeof(name)))
        return 0;
    for (i = 0; i < sizeof(macs) / sizeof(macs[0]); i++) {
        if (wn_name_listed(macs[i].names, name)) {
            c->mac = macs[i].mac;
            return 1;
        }
    }
    WN_RAISE_LIB(c->kdf.prov, ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    return 0;
}

static int sskdf_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct sskdf_ctx *c = vctx;
    struct sskdf_set p;
    OSSL_PARAM *secret;

    if (!WN_PARAMS_SCAN_MULTI(c->kdf.prov, sskdf_set, params, &p, INFO_BIT)
        || !wn_kdf_either(c, p.secret, p.key, &secret)
        || !take_mac(c, p.mac)
        || !wn_kdf_take_md(c, p.digest, &c->md, c->mac == MAC_HMAC)
        || !wn_param_take_size_t(c->kdf.prov, p.mac_size, &c->mac_size))
        return 0;
    if (p.mac_size != NULL && c->mac_size == 0)
        return bad(c, PROV_R_INVALID_DIGEST_SIZE);
    return wn_kdf_take(c, SECRET, secret, WN_KDF_CLEARS)
        && (p.info == NULL || wn_kdf_take_all(c, INFO, params, OSSL_KDF_PARAM_INFO, 0, 0))
        && wn_kdf_take(c, SALT, p.salt, WN_KDF_CLEARS);
}

static size_t sskdf_out_size(void *vctx)
{
    const struct sskdf_ctx *c = vctx;

    if (c->mac == MAC_KMAC128 || c->mac == MAC_KMAC256)
        return SIZE_MAX;
    return c->md != NULL ? c->md->size : (size_t)bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
}

/* ---- hash ------------------------------------------------------------------- */

static void be32(unsigned char out[4], uint32_t v)
{
    out[0] = (unsigned char)(v >> 24);
    out[1] = (unsigned char)(v >> 16);
    out[2] = (unsigned char)(v >> 8);
    out[3] = (unsigned char)v;
}

/* Hash(counter || z || info), or z first. */
static void hash_kdf(const struct wn_md_desc *desc, int counter_last, const void *z, size_t zlen,
                     const void *info, size_t infolen, unsigned char *out, size_t n)
{
    unsigned char counter[4], last[WN_MD_MAX_SIZE];
    struct wn_md md;
    uint32_t i;
    size_t piece;

    for (i = 1; n > 0; n -= piece, out += piece, i++) {
        be32(counter, i);
        wn_md_init(&md, desc);
        if (!counter_last)
            wn_md_update(&md, counter, sizeof(counter));
        wn_md_update(&md, z, zlen);
        if (counter_last)
            wn_md_update(&md, counter, sizeof(counter));
        wn_md_update(&md, info, infolen);
        wn_md_final(&md, last);
        piece = n < desc->size ? n : desc->size;
        memcpy(out, last, piece);
    }
    wn_md_clear(&md);
    wn_clear(last, sizeof(last));
}

void wn_x963(const struct wn_md_desc *desc, const void *z, size_t zlen, const void *info,
             size_t infolen, unsigned char *out, size_t n)
{
    if (n > 0)
        hash_kdf(desc, 1, z, zlen, info, infolen, out, n);
}

static int hash_derive(const struct sskdf_ctx *c, int counter_last, unsigned char *out, size_t n)
{
    const struct wn_kdf_bytes *z = &c->b[SECRET], *info = &c->b[INFO];

    hash_kdf(c->md, counter_last, z->d, z->n, info->d, info->n, out, n);
    return 1;
}

/* ---- HMAC, KMAC ---------------------------------------------------------------- */

static int hmac_derive(struct sskdf_ctx *c, unsigned char *out, size_t n)
{
    static const unsigned char zeros[WN_MD_MAX_SIZE];
    const struct wn_kdf_bytes *salt = &c->b[SALT];
    unsigned char counter[4], last[WN_MD_MAX_SIZE];
    struct wn_hmac hmac;
    size_t piece;
    uint32_t i;

    if (!wn_hmac_init(&hmac, c->md, salt->n != 0 ? salt->d : zeros,
                      salt->n != 0 ? salt->n : c->md->size))
        return bad(c, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
    for (i = 1; n > 0; n -= piece, out += piece, i++) {
        be32(counter, i);
        wn_hmac_restart(&hmac);
        wn_hmac_update(&hmac, counter, sizeof(counter));
        wn_hmac_update(&hmac, c->b[SECRET].d, c->b[SECRET].n);
        wn_hmac_update(&hmac, c->b[INFO].d, c->b[INFO].n);
        wn_hmac_final(&hmac, last);
        piece = n < c->md->size ? n : c->md->size;
        memcpy(out, last, piece);
    }
    wn_hmac_clear(&hmac);
    wn_clear(last, sizeof(last));
    return 1;
}

/* Section 4.2 table 3: the size is that of a SHA-2 digest, SHA-1's, or all at once. */
static int kmac_size_ok(size_t size, size_t n)
{
    return size == n || size == 20 || size == 28 || size == 32 || size == 48 || size == 64;
}

static int kmac_derive(struct sskdf_ctx *c, unsigned char *out, size_t n)
{
    static const unsigned char zeros[164];      /* a block less the encoding of its length */
    const struct wn_kdf_bytes *salt = &c->b[SALT];
    unsigned bits = c->mac == MAC_KMAC128 ? 128 : 256;
    size_t size = c->mac_size != 0 ? c->mac_size : n, piece;
    unsigned char counter[4], last[64];
    struct wn_kmac kmac;
    uint32_t i;

    if (!kmac_size_ok(size, n) || size > WN_KMAC_MAX_OUTPUT)
        return bad(c, PROV_R_INVALID_OUTPUT_LENGTH);
    if (salt->n != 0 && (salt->n < WN_KMAC_MIN_KEY || salt->n > WN_KMAC_MAX_KEY))
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    for (i = 1; n > 0; n -= piece, out += piece, i++) {
        be32(counter, i);
        wn_kmac_init(&kmac, bits, salt->n != 0 ? salt->d : zeros,
                     salt->n != 0 ? salt->n : bits == 128 ? 168 - 4 : 136 - 4, "KDF", 3);
        wn_kmac_update(&kmac, counter, sizeof(counter));
        wn_kmac_update(&kmac, c->b[SECRET].d, c->b[SECRET].n);
        wn_kmac_update(&kmac, c->b[INFO].d, c->b[INFO].n);
        piece = n < size ? n : size;
        if (piece == size) {
            wn_kmac_final(&kmac, out, size, 0);
        } else {
            wn_kmac_final(&kmac, last, size, 0);
            memcpy(out, last, piece);
        }
    }
    wn_kmac_clear(&kmac);
    wn_clear(last, sizeof(last));
    return 1;
}

/* ---- both ------------------------------------------------------------------------ */

static int inputs_ok(const struct sskdf_ctx *c, size_t n)
{
    if (c->b[SECRET].d == NULL)
        return bad(c, PROV_R_MISSING_SECRET);
    if (c->mac == MAC_OTHER)
        return bad(c, PROV_R_UNSUPPORTED_MAC_TYPE);
    if (c->md == NULL && (c->mac == MAC_NONE || c->mac == MAC_HMAC))
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (n == 0)
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    if (n > MAX_LENGTH || c->b[SECRET].n > MAX_LENGTH || c->b[INFO].n > MAX_LENGTH)
        return bad(c, PROV_R_LENGTH_TOO_LARGE);
    return 1;
}

static int sskdf_derive(void *vctx, unsigned char *out, size_t n)
{
    struct sskdf_ctx *c = vctx;

    if (!inputs_ok(c, n))
        return 0;
    if (c->mac == MAC_NONE)
        return hash_derive(c, 0, out, n);
    return c->mac == MAC_HMAC ? hmac_derive(c, out, n) : kmac_derive(c, out, n);
}

static int x963_derive(void *vctx, unsigned char *out, size_t n)
{
    struct sskdf_ctx *c = vctx;

    if (c->mac != MAC_NONE && c->b[SECRET].d != NULL)
        return bad(c, PROV_R_NOT_SUPPORTED);
    if (!inputs_ok(c, n))
        return 0;
    return hash_derive(c, 1, out, n);
}

static void sskdf_tell(const void *vctx, struct wn_pb *pb)
{
    const struct sskdf_ctx *c = vctx;
    char name[16] = "";
    size_t i;

    wn_kdf_tell(c, pb, SECRET, OSSL_KDF_PARAM_SECRET);
    wn_kdf_tell(c, pb, INFO, OSSL_KDF_PARAM_INFO);
    wn_kdf_tell(c, pb, SALT, OSSL_KDF_PARAM_SALT);
    for (i = 0; i < sizeof(macs) / sizeof(macs[0]); i++)
        if (macs[i].mac == c->mac)
            memcpy(name, macs[i].names, strcspn(macs[i].names, ":"));
    if (name[0] != '\0')
        wn_pb_utf8(pb, OSSL_KDF_PARAM_MAC, name);
    if (c->mac_size != 0)
        wn_pb_size_t(pb, OSSL_KDF_PARAM_MAC_SIZE, c->mac_size);
}

static const struct wn_kdf_desc sskdf_desc = {
    WN_KDF_LAYOUT(sskdf_ctx, b), WN_CORE_VERSION(3, 4), NULL, sskdf_set_params, sskdf_derive,
    sskdf_out_size, NULL, sskdf_set_list, wn_kdf_size_list,
    "SSKDF", sskdf_tell
};
WN_KDF_TABLE(sskdf, &sskdf_desc)

static void x963_tell(const void *vctx, struct wn_pb *pb)
{
    const struct sskdf_ctx *c = vctx;

    wn_kdf_tell(c, pb, SECRET, OSSL_KDF_PARAM_SECRET);
    wn_kdf_tell(c, pb, INFO, OSSL_KDF_PARAM_INFO);
}

static const struct wn_kdf_desc x963_desc = {
    WN_KDF_LAYOUT(sskdf_ctx, b), WN_CORE_VERSION(3, 4), NULL, sskdf_set_params, x963_derive,
    sskdf_out_size, NULL, sskdf_set_list, wn_kdf_size_list,
    "X963KDF", x963_tell
};
WN_KDF_TABLE(x963, &x963_desc)
