/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "KBKDF": SP 800-108 rev. 1 in counter mode (section 4.1) and feedback
 * mode (4.2) with HMAC or CMAC, and with KMAC (4.4).
 *
 * The fixed input is Label || 0x00 || Context || [L]2, "salt" being the label
 * and "info" the context; separator and length can be left out.
 */
#include "kdf.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/compat.h"
#include "../provider/names.h"
#include "cmac.h"
#include "hmac.h"
#include "kmac.h"

enum { KEY, LABEL, CONTEXT, SEED, N_BYTES };
enum mac { MAC_NONE, MAC_HMAC, MAC_CMAC, MAC_KMAC128, MAC_KMAC256 };

struct kbkdf_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    enum mac mac;
    const struct wn_md_desc *md;
    const struct wn_cmac_cipher *cipher;
    int feedback;
    int r;                          /* bits of the counter */
    int use_l, use_separator;
};
WN_KDF_CHECK(kbkdf_ctx);

static int bad(const struct kbkdf_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static void kbkdf_init(void *vctx)
{
    struct kbkdf_ctx *c = vctx;

    c->r = 32;
    c->use_l = c->use_separator = 1;
}

/* ---- parameters ------------------------------------------------------------- */

#define KBKDF_SET(P)                                                    \
    P(info, octet_string, OSSL_KDF_PARAM_INFO)                          \
    P(salt, octet_string, OSSL_KDF_PARAM_SALT)                          \
    P(key, octet_string, OSSL_KDF_PARAM_KEY)                            \
    P(seed, octet_string, OSSL_KDF_PARAM_SEED)                          \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                       \
    P(cipher, utf8_string, OSSL_KDF_PARAM_CIPHER)                       \
    P(mac, utf8_string, OSSL_KDF_PARAM_MAC)                             \
    P(mode, utf8_string, OSSL_KDF_PARAM_MODE)                           \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)               \
    P(use_l, int, OSSL_KDF_PARAM_KBKDF_USE_L)                           \
    P(use_separator, int, OSSL_KDF_PARAM_KBKDF_USE_SEPARATOR)           \
    P(r, int, OSSL_KDF_PARAM_KBKDF_R)
WN_PARAMS(kbkdf_set, KBKDF_SET);
#define INFO_BIT (1u << 0)

static int take_mac(struct kbkdf_ctx *c, const OSSL_PARAM *p)
{
    static const char *const names[] = {
        [MAC_HMAC] = "HMAC", [MAC_CMAC] = "CMAC",
        [MAC_KMAC128] = "KMAC-128:KMAC128:2.16.840.1.101.3.4.2.19",
        [MAC_KMAC256] = "KMAC-256:KMAC256:2.16.840.1.101.3.4.2.20",
    };
    char name[64];
    int i;

    if (p == NULL)
        return 1;
    if (!wn_param_take_utf8(c->kdf.prov, p, name, sizeof(name)))
        return 0;
    for (i = MAC_HMAC; i <= MAC_KMAC256; i++) {
        if (wn_name_listed(names[i], name)) {
            c->mac = (enum mac)i;
            return 1;
        }
    }
    return bad(c, PROV_R_INVALID_MAC);
}

/* Digest or cipher, whichever the MAC wants; it does not look at the other. */
static int take_engine(struct kbkdf_ctx *c, const struct kbkdf_set *p)
{
    if (c->mac == MAC_HMAC)
        return wn_kdf_take_md(c, p->digest, &c->md, 1);
    return c->mac != MAC_CMAC || wn_kdf_take_cipher(c, p->cipher, &c->cipher);
}

/* As OpenSSL has it, the beginning of a mode's name will do. */
static int take_mode(struct kbkdf_ctx *c, const OSSL_PARAM *p)
{
    char name[16];

    if (p == NULL)
        return 1;
    if (wn_param_get_utf8(p, name, sizeof(name))) {
        if (strncasecmp("counter", name, strlen(name)) == 0) {
            c->feedback = 0;
            return 1;
        }
        if (strncasecmp("feedback", name, strlen(name)) == 0) {
            c->feedback = 1;
            return 1;
        }
    }
    return bad(c, PROV_R_INVALID_MODE);
}

static int take_numbers(struct kbkdf_ctx *c, const struct kbkdf_set *p)
{
    const struct wn_prov *prov = c->kdf.prov;

    if (!wn_param_take_int(prov, p->use_l, &c->use_l)
        || !wn_param_take_int(prov, p->use_separator, &c->use_separator)
        || !wn_param_take_int(prov, p->r, &c->r))
        return 0;
    if (c->r != 8 && c->r != 16 && c->r != 24 && c->r != 32)
        return bad(c, PROV_R_VALUE_ERROR);
    return 1;
}

/* With a key the MAC must be complete, and take it. */
static int key_fits(const struct kbkdf_ctx *c)
{
    size_t n = c->b[KEY].n;
    int ok = 1;

    if (n == 0)
        return 1;
    if (c->mac == MAC_HMAC && c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (c->mac == MAC_CMAC && c->cipher == NULL)
        return bad(c, PROV_R_MISSING_CIPHER);
    if (c->mac == MAC_CMAC)
        ok = n == c->cipher->keylen;
    else if (c->mac == MAC_KMAC128 || c->mac == MAC_KMAC256)
        ok = n >= WN_KMAC_MIN_KEY && n <= WN_KMAC_MAX_KEY
            && c->b[LABEL].n <= WN_KMAC_MAX_CUSTOM;
    return ok || bad(c, PROV_R_INVALID_KEY_LENGTH);
}

static int kbkdf_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct kbkdf_ctx *c = vctx;
    struct kbkdf_set p;

    return WN_PARAMS_SCAN_MULTI(c->kdf.prov, kbkdf_set, params, &p, INFO_BIT)
        && take_mac(c, p.mac)
        && take_engine(c, &p)
        && take_mode(c, p.mode)
        && take_numbers(c, &p)
        && wn_kdf_take(c, KEY, p.key, WN_KDF_CLEARS)
        && wn_kdf_take(c, LABEL, p.salt, WN_KDF_CLEARS)
        && (p.info == NULL
            || wn_kdf_take_all(c, CONTEXT, params, OSSL_KDF_PARAM_INFO, 0, 0))
        && wn_kdf_take(c, SEED, p.seed, WN_KDF_CLEARS)
        && key_fits(c);
}

/* ---- derivation ---------------------------------------------------------------- */

/* HMAC or CMAC, keyed once, restarted for each block. */
struct prf {
    size_t size;
    int is_cmac;
    union {
        struct wn_hmac hmac;
        struct wn_cmac cmac;
    } u;
};

static int prf_key(const struct kbkdf_ctx *c, struct prf *prf)
{
    const struct wn_kdf_bytes *key = &c->b[KEY];

    prf->is_cmac = c->mac == MAC_CMAC;
    if (prf->is_cmac) {
        prf->size = c->cipher->block;
        return wn_cmac_set_key(c->kdf.prov, &prf->u.cmac, c->cipher, key->d);
    }
    prf->size = c->md->size;
    return wn_hmac_init(&prf->u.hmac, c->md, key->d, key->n);
}

static void prf_update(struct prf *prf, const unsigned char *d, size_t n)
{
    if (n == 0)
        return;
    if (prf->is_cmac)
        wn_cmac_update(&prf->u.cmac, d, n);
    else
        wn_hmac_update(&prf->u.hmac, d, n);
}

static void prf_final(struct prf *prf, unsigned char *out)
{
    if (prf->is_cmac) {
        wn_cmac_final(&prf->u.cmac, out);
        wn_cmac_restart(&prf->u.cmac);
    } else {
        wn_hmac_final(&prf->u.hmac, out);
        wn_hmac_restart(&prf->u.hmac);
    }
}

static void be32(unsigned char out[4], uint32_t v)
{
    out[0] = (unsigned char)(v >> 24);
    out[1] = (unsigned char)(v >> 16);
    out[2] = (unsigned char)(v >> 8);
    out[3] = (unsigned char)v;
}

static void blocks(const struct kbkdf_ctx *c, struct prf *prf, unsigned char *out, size_t n)
{
    unsigned char k[WN_MD_MAX_SIZE], counter[4], l[4];
    size_t klen = c->b[SEED].n, piece, width = (size_t)c->r / 8;
    uint32_t i;

    if (klen != 0)
        memcpy(k, c->b[SEED].d, klen);
    be32(l, (uint32_t)(n * 8));
    for (i = 1; n > 0; n -= piece, out += piece, i++) {
        be32(counter, i);
        if (c->feedback)
            prf_update(prf, k, klen);
        prf_update(prf, counter + 4 - width, width);
        prf_update(prf, c->b[LABEL].d, c->b[LABEL].n);
        if (c->use_separator)
            prf_update(prf, (const unsigned char *)"", 1);
        prf_update(prf, c->b[CONTEXT].d, c->b[CONTEXT].n);
        if (c->use_l)
            prf_update(prf, l, sizeof(l));
        prf_final(prf, k);
        klen = prf->size;
        piece = n < klen ? n : klen;
        memcpy(out, k, piece);
    }
    wn_clear(k, sizeof(k));
}

static int kmac_derive(const struct kbkdf_ctx *c, unsigned char *out, size_t n)
{
    const struct wn_kdf_bytes *key = &c->b[KEY], *label = &c->b[LABEL], *info = &c->b[CONTEXT];
    struct wn_kmac kmac;

    if (n > WN_KMAC_MAX_OUTPUT)
        return bad(c, PROV_R_INVALID_OUTPUT_LENGTH);
    wn_kmac_init(&kmac, c->mac == MAC_KMAC128 ? 128 : 256, key->d, key->n, label->d, label->n);
    wn_kmac_update(&kmac, info->d, info->n);
    wn_kmac_final(&kmac, out, n, 0);
    wn_kmac_clear(&kmac);
    return 1;
}

static int prf_derive(const struct kbkdf_ctx *c, struct prf *prf, unsigned char *out, size_t n)
{
    if (!prf_key(c, prf))
        return 0;
    if (c->b[SEED].n != 0 && c->b[SEED].n != prf->size)
        return bad(c, PROV_R_INVALID_SEED_LENGTH);
    if (!c->feedback && n / prf->size >= (uint64_t)1 << c->r)
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    blocks(c, prf, out, n);
    return 1;
}

static int kbkdf_derive(void *vctx, unsigned char *out, size_t n)
{
    const struct kbkdf_ctx *c = vctx;
    struct prf prf;
    int ok;

    if (c->mac == MAC_NONE)
        return bad(c, c->b[KEY].n == 0 ? PROV_R_NO_KEY_SET : PROV_R_MISSING_MAC);
    if (n == 0)
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    if (c->b[KEY].n == 0)
        return bad(c, PROV_R_NO_KEY_SET);
    if (c->mac == MAC_KMAC128 || c->mac == MAC_KMAC256)
        return kmac_derive(c, out, n);
    ok = prf_derive(c, &prf, out, n);
    wn_clear(&prf, sizeof(prf));
    return ok;
}

static void kbkdf_tell(const void *vctx, struct wn_pb *pb)
{
    const struct kbkdf_ctx *c = vctx;
    static const char *const macs[] = { [MAC_HMAC] = "HMAC", [MAC_CMAC] = "CMAC",
                                        [MAC_KMAC128] = "KMAC-128", [MAC_KMAC256] = "KMAC-256" };
    
    if (c->mac != MAC_NONE)
        wn_pb_utf8(pb, OSSL_KDF_PARAM_MAC, macs[c->mac]);
    wn_kdf_tell(c, pb, KEY, OSSL_KDF_PARAM_KEY);
    wn_kdf_tell(c, pb, LABEL, OSSL_KDF_PARAM_SALT);
    wn_kdf_tell(c, pb, CONTEXT, OSSL_KDF_PARAM_INFO);
    wn_kdf_tell(c, pb, SEED, OSSL_KDF_PARAM_SEED);
    wn_pb_utf8(pb, OSSL_KDF_PARAM_MODE, c->feedback ? "feedback" : "counter");
    wn_pb_int(pb, OSSL_KDF_PARAM_KBKDF_USE_L, c->use_l);
    wn_pb_int(pb, OSSL_KDF_PARAM_KBKDF_USE_SEPARATOR, c->use_separator);
    wn_pb_int(pb, OSSL_KDF_PARAM_KBKDF_R, c->r);
}

static const struct wn_kdf_desc kbkdf_desc = {
    WN_KDF_LAYOUT(kbkdf_ctx, b), WN_CORE_VERSION(3, 4), kbkdf_init, kbkdf_set_params,
    kbkdf_derive, NULL, NULL, kbkdf_set_list, wn_kdf_size_list,
    "KBKDF", kbkdf_tell
};
WN_KDF_TABLE(kbkdf, &kbkdf_desc)
