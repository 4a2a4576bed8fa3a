/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "HKDF" (RFC 5869), "HKDF-SHA256" and its kin with a fixed digest, and
 * "TLS13-KDF" (RFC 8446 section 7.1), which derives TLS 1.3's secrets with it.
 */
#include "kdf.h"

#include <string.h>
#include <strings.h>

#include <openssl/kdf.h>

#include "../provider/alglist.h"
#include "hkdf.h"

#define MAX_INFO (32 * 1024)        /* OpenSSL's limit until 3.5 */

enum { KEY, SALT, INFO, PREFIX, LABEL, HASH, N_BYTES };

struct hkdf_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_md_desc *md;
    int mode;                       /* EVP_KDF_HKDF_MODE_* */
};
WN_KDF_CHECK(hkdf_ctx);

#define PROPERTIES(P) P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)
#define DIGEST(P) P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)
/* a mode is a name or a number */
#define COMMON(P)                                           \
    P(mode, utf8_string, OSSL_KDF_PARAM_MODE)               \
    P(key, octet_string, OSSL_KDF_PARAM_KEY)                \
    P(salt, octet_string, OSSL_KDF_PARAM_SALT)
#define HKDF_SET(P) COMMON(P) PROPERTIES(P) DIGEST(P) P(info, octet_string, OSSL_KDF_PARAM_INFO)
#define HKDF_FIXED_SET(P) COMMON(P) P(info, octet_string, OSSL_KDF_PARAM_INFO)
#define TLS13_SET(P)                                        \
    COMMON(P) PROPERTIES(P) DIGEST(P)                       \
    P(prefix, octet_string, OSSL_KDF_PARAM_PREFIX)          \
    P(label, octet_string, OSSL_KDF_PARAM_LABEL)            \
    P(data, octet_string, OSSL_KDF_PARAM_DATA)
#define HKDF_GET(P)                                         \
    WN_KDF_SIZE(P) DIGEST(P)                                \
    P(mode, utf8_string, OSSL_KDF_PARAM_MODE)               \
    P(salt, octet_string, OSSL_KDF_PARAM_SALT)              \
    P(info, octet_string, OSSL_KDF_PARAM_INFO)

WN_PARAMS(hkdf_set, HKDF_SET);
WN_PARAMS(tls13_set, TLS13_SET);
WN_PARAMS(hkdf_get, HKDF_GET);

#define HKDF_INFO_BIT (1u << (sizeof(hkdf_set_keys) / sizeof(hkdf_set_keys[0]) - 1))

/* Either type of the mode, in the lists that OpenSSL shows: the name first,
 * which is what a text is taken for. */
#define MODE_NUMBER(P) P(mode, int, OSSL_KDF_PARAM_MODE)
static const OSSL_PARAM hkdf_settable[] = {
    HKDF_SET(WN_PARAM_DESC_) MODE_NUMBER(WN_PARAM_DESC_) OSSL_PARAM_END
};
static const OSSL_PARAM hkdf_fixed_settable[] = {
    HKDF_FIXED_SET(WN_PARAM_DESC_) MODE_NUMBER(WN_PARAM_DESC_) OSSL_PARAM_END
};
static const OSSL_PARAM tls13_settable[] = {
    TLS13_SET(WN_PARAM_DESC_) MODE_NUMBER(WN_PARAM_DESC_) OSSL_PARAM_END
};
static const OSSL_PARAM hkdf_gettable[] = {
    HKDF_GET(WN_PARAM_DESC_) MODE_NUMBER(WN_PARAM_DESC_) OSSL_PARAM_END
};

static const char *const mode_names[] = { "EXTRACT_AND_EXPAND", "EXTRACT_ONLY", "EXPAND_ONLY" };

static int bad(const struct hkdf_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static int take_mode(struct hkdf_ctx *c, const OSSL_PARAM *p)
{
    char name[32];
    int i, n;

    if (p == NULL)
        return 1;
    if (wn_param_get_utf8(p, name, sizeof(name))) {
        for (i = 0; i < 3; i++) {
            if (strcasecmp(name, mode_names[i]) == 0) {
                c->mode = i;
                return 1;
            }
        }
    } else if (wn_param_get_int(p, &n) && n >= 0 && n < 3) {
        c->mode = n;
        return 1;
    }
    return bad(c, PROV_R_INVALID_MODE);
}

static int hkdf_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct hkdf_ctx *c = vctx;
    struct hkdf_set p;
    size_t limit = c->kdf.prov->core_version < WN_CORE_VERSION(3, 6) ? MAX_INFO : 0;

    return WN_PARAMS_SCAN_MULTI(c->kdf.prov, hkdf_set, params, &p, HKDF_INFO_BIT)
        && wn_kdf_take_md(c, p.digest, &c->md, 1)
        && take_mode(c, p.mode)
        && wn_kdf_take(c, KEY, p.key, WN_KDF_STRICT)
        && wn_kdf_take(c, SALT, p.salt, WN_KDF_STRICT)
        && (p.info == NULL
            || wn_kdf_take_all(c, INFO, params, OSSL_KDF_PARAM_INFO, 0, limit));
}

static int hkdf_fixed_set_params(void *vctx, const OSSL_PARAM params[])
{
    const struct hkdf_ctx *c = vctx;
    const OSSL_PARAM *p;

    for (p = params; p->key != NULL; p++)
        if (strcmp(p->key, OSSL_KDF_PARAM_DIGEST) == 0)
            return bad(c, ERR_R_UNSUPPORTED);
    return hkdf_set_params(vctx, params);
}

static size_t hkdf_out_size(void *vctx)
{
    const struct hkdf_ctx *c = vctx;

    if (c->mode != EVP_KDF_HKDF_MODE_EXTRACT_ONLY)
        return SIZE_MAX;
    return c->md != NULL ? c->md->size : (size_t)bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
}

/* An empty value is no error here: its length is 0. */
static int give_bytes(const struct hkdf_ctx *c, OSSL_PARAM *p, const struct wn_kdf_bytes *b)
{
    if (p == NULL || b->n != 0)
        return wn_param_give_octets(c->kdf.prov, p, b->d, b->n);
    p->return_size = 0;
    return 1;
}

static int hkdf_get_params(void *vctx, OSSL_PARAM params[])
{
    struct hkdf_ctx *c = vctx;
    char name[WN_MD_NAME_MAX];
    struct hkdf_get p;

    if (!WN_PARAMS_SCAN(c->kdf.prov, hkdf_get, params, &p))
        return 0;
    if (p.digest != NULL && c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (p.mode != NULL && p.mode->data_type == OSSL_PARAM_INTEGER) {
        if (!wn_param_give_int(c->kdf.prov, p.mode, c->mode))
            return 0;
        p.mode = NULL;
    }
    return (p.digest == NULL
            || wn_param_give_utf8(c->kdf.prov, p.digest, wn_md_name(c->md, name)))
        && wn_param_give_utf8(c->kdf.prov, p.mode, mode_names[c->mode])
        && give_bytes(c, p.salt, &c->b[SALT]) && give_bytes(c, p.info, &c->b[INFO]);
}

static int extract(struct hkdf_ctx *c, unsigned char *out, size_t n)
{
    if (n != c->md->size)
        return bad(c, PROV_R_WRONG_OUTPUT_BUFFER_SIZE);
    wn_hkdf_extract(c->md, c->b[SALT].d, c->b[SALT].n, c->b[KEY].d, c->b[KEY].n, out);
    return 1;
}

static int expand(struct hkdf_ctx *c, const unsigned char *prk, size_t prklen,
                  const unsigned char *info, size_t infolen, unsigned char *out, size_t n)
{
    return wn_hkdf_expand(c->md, prk, prklen, info, infolen, out, n)
        || bad(c, PROV_R_INVALID_KEY_LENGTH);
}

static int hkdf_derive(void *vctx, unsigned char *out, size_t n)
{
    struct hkdf_ctx *c = vctx;
    const struct wn_kdf_bytes *key = &c->b[KEY], *info = &c->b[INFO];
    unsigned char prk[WN_MD_MAX_SIZE];
    int ok;

    if (c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (key->d == NULL)
        return bad(c, PROV_R_MISSING_KEY);
    if (n == 0)
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    if (c->mode == EVP_KDF_HKDF_MODE_EXTRACT_ONLY)
        return extract(c, out, n);
    if (c->mode == EVP_KDF_HKDF_MODE_EXPAND_ONLY)
        return expand(c, key->d, key->n, info->d, info->n, out, n);
    wn_hkdf_extract(c->md, c->b[SALT].d, c->b[SALT].n, key->d, key->n, prk);
    ok = expand(c, prk, c->md->size, info->d, info->n, out, n);
    wn_clear(prk, sizeof(prk));
    return ok;
}

static void hkdf_tell(const void *vctx, struct wn_pb *pb)
{
    const struct hkdf_ctx *c = vctx;

    wn_kdf_tell(c, pb, KEY, OSSL_KDF_PARAM_KEY);
    wn_kdf_tell(c, pb, SALT, OSSL_KDF_PARAM_SALT);
    wn_kdf_tell(c, pb, INFO, OSSL_KDF_PARAM_INFO);
    wn_pb_int(pb, OSSL_KDF_PARAM_MODE, c->mode);
}

const struct wn_kdf_desc wn_kdf_hkdf = {
    WN_KDF_LAYOUT(hkdf_ctx, b), WN_CORE_VERSION(3, 4), NULL, hkdf_set_params, hkdf_derive,
    hkdf_out_size, hkdf_get_params, hkdf_settable, hkdf_gettable,
    "HKDF", hkdf_tell
};
WN_KDF_TABLE(hkdf, &wn_kdf_hkdf)

#define FIXED(id)                                                               \
    static void hkdf_##id##_init(void *ctx)                                     \
    { ((struct hkdf_ctx *)ctx)->md = &wn_md_##id; }                             \
    static const struct wn_kdf_desc hkdf_##id##_desc = {                        \
        WN_KDF_LAYOUT(hkdf_ctx, b), 0, hkdf_##id##_init, hkdf_fixed_set_params, \
        hkdf_derive, hkdf_out_size, hkdf_get_params, hkdf_fixed_settable, hkdf_gettable, \
        NULL, NULL                                                              \
    };                                                                          \
    WN_KDF_TABLE(hkdf_##id, &hkdf_##id##_desc)
FIXED(sha256)
FIXED(sha384)
FIXED(sha512)

/* ---- TLS 1.3 ------------------------------------------------------------------- */

static int tls13_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct hkdf_ctx *c = vctx;
    struct tls13_set p;

    if (!WN_PARAMS_SCAN(c->kdf.prov, tls13_set, params, &p)
        || !wn_kdf_take_md(c, p.digest, &c->md, 1) || !take_mode(c, p.mode))
        return 0;
    if (c->mode == EVP_KDF_HKDF_MODE_EXTRACT_AND_EXPAND)
        return bad(c, PROV_R_INVALID_MODE);
    /* until OpenSSL 3.5 each call takes the data away that it does not give */
    if (p.data == NULL && c->kdf.prov->core_version < WN_CORE_VERSION(3, 6)) {
        c->b[HASH].d = NULL;
        c->b[HASH].n = 0;
    }
    return wn_kdf_take(c, KEY, p.key, WN_KDF_STRICT)
        && wn_kdf_take(c, SALT, p.salt, WN_KDF_STRICT)
        && wn_kdf_take(c, PREFIX, p.prefix, WN_KDF_STRICT)
        && wn_kdf_take(c, LABEL, p.label, WN_KDF_STRICT)
        && wn_kdf_take(c, HASH, p.data, WN_KDF_STRICT);
}

/* HKDF-Expand-Label(secret, label, context, n), section 7.1 */
static int expand_label(struct hkdf_ctx *c, const unsigned char *secret, size_t secretlen,
                        const unsigned char *context, size_t contextlen, unsigned char *out,
                        size_t n)
{
    const struct wn_kdf_bytes *prefix = &c->b[PREFIX], *label = &c->b[LABEL];
    unsigned char info[2 + 1 + 255 + 1 + 255], *p = info;

    if (n > 0xffff || contextlen > 255 || prefix->n > 255 || label->n > 255 - prefix->n)
        return bad(c, PROV_R_LENGTH_TOO_LARGE);
    *p++ = (unsigned char)(n >> 8);
    *p++ = (unsigned char)n;
    *p++ = (unsigned char)(prefix->n + label->n);
    if (prefix->n != 0)
        p = (unsigned char *)memcpy(p, prefix->d, prefix->n) + prefix->n;
    if (label->n != 0)
        p = (unsigned char *)memcpy(p, label->d, label->n) + label->n;
    *p++ = (unsigned char)contextlen;
    if (contextlen != 0)
        p = (unsigned char *)memcpy(p, context, contextlen) + contextlen;
    return expand(c, secret, secretlen, info, (size_t)(p - info), out, n);
}

/* One step down the key schedule: HKDF-Extract(Derive-Secret(salt, label, ""), key) */
static int next_secret(struct hkdf_ctx *c, unsigned char *out, size_t n)
{
    static const unsigned char zeros[WN_MD_MAX_SIZE];
    unsigned char empty[WN_MD_MAX_SIZE], secret[WN_MD_MAX_SIZE] = { 0 };
    const struct wn_kdf_bytes *salt = &c->b[SALT], *key = &c->b[KEY];
    int ok = 1;

    if (n != c->md->size)
        return bad(c, PROV_R_WRONG_OUTPUT_BUFFER_SIZE);
    if (salt->d != NULL) {
        wn_md_once(c->md, NULL, 0, empty);
        ok = expand_label(c, salt->d, salt->n, empty, c->md->size, secret, c->md->size);
    }
    if (ok)
        wn_hkdf_extract(c->md, secret, c->md->size, key->d != NULL ? key->d : zeros,
                        key->d != NULL ? key->n : c->md->size, out);
    wn_clear(secret, sizeof(secret));
    return ok;
}

static int tls13_derive(void *vctx, unsigned char *out, size_t n)
{
    struct hkdf_ctx *c = vctx;

    if (c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (c->mode == EVP_KDF_HKDF_MODE_EXTRACT_ONLY)
        return next_secret(c, out, n);
    if (c->mode != EVP_KDF_HKDF_MODE_EXPAND_ONLY)
        return bad(c, PROV_R_INVALID_MODE);
    if (c->b[KEY].d == NULL)
        return bad(c, PROV_R_MISSING_KEY);
    return expand_label(c, c->b[KEY].d, c->b[KEY].n, c->b[HASH].d, c->b[HASH].n, out, n);
}

static void tls13_tell(const void *vctx, struct wn_pb *pb)
{
    const struct hkdf_ctx *c = vctx;

    wn_kdf_tell(c, pb, KEY, OSSL_KDF_PARAM_KEY);
    wn_kdf_tell(c, pb, SALT, OSSL_KDF_PARAM_SALT);
    wn_kdf_tell(c, pb, PREFIX, OSSL_KDF_PARAM_PREFIX);
    wn_kdf_tell(c, pb, LABEL, OSSL_KDF_PARAM_LABEL);
    wn_kdf_tell(c, pb, HASH, OSSL_KDF_PARAM_DATA);
    if (c->mode != EVP_KDF_HKDF_MODE_EXTRACT_AND_EXPAND)     /* not a mode of this one */
        wn_pb_int(pb, OSSL_KDF_PARAM_MODE, c->mode);
}

static const struct wn_kdf_desc tls13_desc = {
    WN_KDF_LAYOUT(hkdf_ctx, b), WN_CORE_VERSION(3, 4), NULL, tls13_set_params, tls13_derive,
    hkdf_out_size, hkdf_get_params, tls13_settable, hkdf_gettable,
    "TLS13-KDF", tls13_tell
};
WN_KDF_TABLE(tls13, &tls13_desc)
