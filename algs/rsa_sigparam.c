/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of RSA signatures, digests and AlgorithmIdentifiers (RFC 8017,
 * RFC 4055, provider-signature(7)). */
#include "rsa_sig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../provider/der.h"

/* pkcs-1 is 1.2.840.113549.1.1, nistAlgorithms 2.16.840.1.101.3.4 */
#define PKCS1_OID(n) { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, n }, 9
#define NIST_HASH(n) { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, n }, 9
#define NIST_SIG(n) { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, n }, 9

static const struct wn_rsa_digest digests[] = {
    { &wn_md_sha256, NIST_HASH(1), PKCS1_OID(11), 0x34 },
    { &wn_md_sha384, NIST_HASH(2), PKCS1_OID(12), 0x36 },
    { &wn_md_sha512, NIST_HASH(3), PKCS1_OID(13), 0x35 },
    { &wn_md_sha1, { 0x2b, 0x0e, 0x03, 0x02, 0x1a }, 5, PKCS1_OID(5), 0x33 },
    { &wn_md_sha224, NIST_HASH(4), PKCS1_OID(14), 0 },
    { &wn_md_sha512_224, NIST_HASH(5), PKCS1_OID(15), 0 },
    { &wn_md_sha512_256, NIST_HASH(6), PKCS1_OID(16), 0 },
    { &wn_md_sha3_224, NIST_HASH(7), NIST_SIG(13), 0 },
    { &wn_md_sha3_256, NIST_HASH(8), NIST_SIG(14), 0 },
    { &wn_md_sha3_384, NIST_HASH(9), NIST_SIG(15), 0 },
    { &wn_md_sha3_512, NIST_HASH(10), NIST_SIG(16), 0 },
    { &wn_md_md5, { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05 }, 8, PKCS1_OID(4), 0 },
    { &wn_md_ripemd160, { 0x2b, 0x24, 0x03, 0x02, 0x01 }, 5,
      { 0x2b, 0x24, 0x03, 0x03, 0x01, 0x02 }, 6, 0x31 },
    { &wn_md_md5_sha1, { 0 }, 0, { 0 }, 0, 0 },
};

const struct wn_rsa_digest *wn_rsa_digest_find(const struct wn_md_desc *md)
{
    size_t i;

    for (i = 0; i < sizeof(digests) / sizeof(digests[0]); i++)
        if (digests[i].md == md)
            return &digests[i];
    return NULL;
}

/* ---- padding modes ------------------------------------------------------------ */

static const struct {
    int mode;
    const char *name;
} pad_modes[] = {
    { WN_RSA_PKCS1, "pkcs1" }, { WN_RSA_NONE, "none" }, { WN_RSA_OAEP, "oaep" },
    { WN_RSA_OAEP, "oeap" },    /* an old misspelling that OpenSSL keeps */
    { WN_RSA_X931, "x931" },   { WN_RSA_PSS, "pss" },
};

int wn_rsa_pad_mode(const OSSL_PARAM *p)
{
    char name[16];
    int mode;
    size_t i;

    if (p->data_type == OSSL_PARAM_INTEGER)
        return wn_param_get_int(p, &mode) ? mode : 0;
    if (p->data_type != OSSL_PARAM_UTF8_STRING || !wn_param_get_utf8(p, name, sizeof(name)))
        return 0;
    for (i = 0; i < sizeof(pad_modes) / sizeof(pad_modes[0]); i++)
        if (strcmp(name, pad_modes[i].name) == 0)
            return pad_modes[i].mode;
    return 0;
}

int wn_rsa_give_pad_mode(const struct wn_prov *prov, OSSL_PARAM *p, int pad)
{
    size_t i;

    if (p == NULL)
        return 1;
    if (p->data_type == OSSL_PARAM_INTEGER)
        return wn_param_give_int(prov, p, pad);
    for (i = 0; i < sizeof(pad_modes) / sizeof(pad_modes[0]); i++)
        if (pad == pad_modes[i].mode)
            return wn_param_give_utf8(prov, p, pad_modes[i].name);
    WN_RAISE(prov, ERR_R_INTERNAL_ERROR);
    return 0;
}

/* ---- digests ------------------------------------------------------------------- */

/* What the padding says about the digest. */
static int digest_fits(const struct wn_rsa_sig_ctx *ctx, int pad, const struct wn_md_desc *md)
{
    if (pad == WN_RSA_NONE && md != NULL) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_PADDING_MODE);
        return 0;
    }
    if (pad == WN_RSA_X931 && (md == NULL || wn_rsa_digest_find(md)->x931 == 0)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_X931_DIGEST);
        return 0;
    }
    return 1;
}

static int may_sign(const struct wn_rsa_sig_ctx *ctx, const struct wn_md_desc *md,
                    const char *name)
{
    if (md == NULL) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_DIGEST, "%s could not be fetched", name);
        return 0;
    }
    if ((md->flags & WN_MD_XOF) != 0) {
        WN_RAISE(ctx->prov, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        return 0;
    }
    if (wn_rsa_digest_find(md) == NULL) {
        WN_RAISE_MSG(ctx->prov, PROV_R_DIGEST_NOT_ALLOWED, "digest=%s", name);
        return 0;
    }
    return 1;
}

int wn_rsa_sig_set_md(struct wn_rsa_sig_ctx *ctx, const struct wn_md_desc *md, const char *name)
{
    if (!may_sign(ctx, md, name) || !digest_fits(ctx, ctx->pad, md))
        return 0;
    if ((ctx->md_fixed || ctx->min_saltlen >= 0) && ctx->md != NULL && ctx->md != md) {
        WN_RAISE_MSG(ctx->prov, PROV_R_DIGEST_NOT_ALLOWED, "digest=%s", name);
        return 0;
    }
    ctx->md = md;
    if (!ctx->mgf1_set)
        ctx->mgf1_md = md;
    return 1;
}

int wn_rsa_sig_set_md_name(struct wn_rsa_sig_ctx *ctx, const char *name)
{
    return wn_rsa_sig_set_md(ctx, wn_md_find(name), name);
}

static int set_mgf1(struct wn_rsa_sig_ctx *ctx, const struct wn_md_desc *md, const char *name)
{
    if (!may_sign(ctx, md, name))
        return 0;
    if (ctx->min_saltlen >= 0 && ctx->mgf1_md != md) {
        WN_RAISE_MSG(ctx->prov, PROV_R_DIGEST_NOT_ALLOWED, "digest=%s", name);
        return 0;
    }
    ctx->mgf1_md = md;
    ctx->mgf1_set = 1;
    return 1;
}

/* ---- salt length ------------------------------------------------------------------ */

static const struct {
    int value;
    const char *name;
} salt_words[] = {
    { WN_SALT_DIGEST, "digest" },
    { WN_SALT_MAX, "max" },
    { WN_SALT_AUTO, "auto" },
    { WN_SALT_AUTO_DIGEST_MAX, "auto-digestmax" },
};

static int take_saltlen(const struct wn_rsa_sig_ctx *ctx, const OSSL_PARAM *p, int *saltlen)
{
    char text[32], *end;
    size_t i;
    long v;

    if (p->data_type != OSSL_PARAM_UTF8_STRING)
        return wn_param_take_int(ctx->prov, p, saltlen);
    if (!wn_param_get_utf8(p, text, sizeof(text)))
        return 0;
    for (i = 0; i < sizeof(salt_words) / sizeof(salt_words[0]); i++) {
        if (strcmp(text, salt_words[i].name) == 0) {
            *saltlen = salt_words[i].value;
            return 1;
        }
    }
    v = strtol(text, &end, 10);
    if (end == text || *end != '\0' || v != (int)v) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_SALT_LENGTH, "salt length %s", text);
        return 0;
    }
    *saltlen = (int)v;
    return 1;
}

static int give_saltlen(const struct wn_rsa_sig_ctx *ctx, OSSL_PARAM *p)
{
    char text[16];
    size_t i;

    if (p == NULL || p->data_type == OSSL_PARAM_INTEGER)
        return wn_param_give_int(ctx->prov, p, ctx->saltlen);
    for (i = 0; i < sizeof(salt_words) / sizeof(salt_words[0]); i++)
        if (ctx->saltlen == salt_words[i].value)
            return wn_param_give_utf8(ctx->prov, p, salt_words[i].name);
    snprintf(text, sizeof(text), "%d", ctx->saltlen);
    return wn_param_give_utf8(ctx->prov, p, text);
}

static int saltlen_allowed(const struct wn_rsa_sig_ctx *ctx, int saltlen)
{
    int effective = saltlen;

    if (saltlen < WN_SALT_AUTO_DIGEST_MAX) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_SALT_LENGTH);
        return 0;
    }
    if (ctx->min_saltlen < 0)
        return 1;
    if (saltlen == WN_SALT_AUTO || saltlen == WN_SALT_AUTO_DIGEST_MAX) {
        if (ctx->operation == WN_RSA_VERIFY)
            return 1;
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_SALT_LENGTH,
                     "Cannot use autodetected salt length");
        return 0;
    }
    if (saltlen == WN_SALT_DIGEST)
        effective = (int)ctx->md->size;
    if (effective >= 0 && effective < ctx->min_saltlen) {
        WN_RAISE_MSG(ctx->prov, PROV_R_PSS_SALTLEN_TOO_SMALL,
                     "minimum salt length: %d, actual salt length: %d", ctx->min_saltlen,
                     effective);
        return 0;
    }
    return 1;
}

int wn_rsa_sig_saltlen(const struct wn_rsa_sig_ctx *ctx)
{
    int size = (int)ctx->md->size, len = ctx->saltlen;
    int most = (int)((ctx->key->bits + 6) / 8) - size - 2;

    if (len == WN_SALT_DIGEST)
        len = size;
    else if (len == WN_SALT_AUTO_DIGEST_MAX)
        len = most < size ? most : size;
    else if (len < 0)
        len = most;
    if (len < 0) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY);
        return -1;
    }
    if (len < ctx->min_saltlen) {
        WN_RAISE_MSG(ctx->prov, PROV_R_PSS_SALTLEN_TOO_SMALL,
                     "minimum salt length: %d, actual salt length: %d", ctx->min_saltlen, len);
        return -1;
    }
    return len;
}

/* ---- set ----------------------------------------------------------------------------- */

/* The digest first: a started digest operation offers what comes behind it. */
#define RSA_SIG_SET(P)                                           \
    P(md, utf8_string, OSSL_SIGNATURE_PARAM_DIGEST)              \
    P(properties, utf8_string, OSSL_SIGNATURE_PARAM_PROPERTIES)  \
    P(pad, utf8_string, OSSL_SIGNATURE_PARAM_PAD_MODE)           \
    P(mgf1_md, utf8_string, OSSL_SIGNATURE_PARAM_MGF1_DIGEST)    \
    P(mgf1_properties, utf8_string, OSSL_SIGNATURE_PARAM_MGF1_PROPERTIES) \
    P(saltlen, utf8_string, OSSL_SIGNATURE_PARAM_PSS_SALTLEN)
WN_PARAMS(rsa_sig_set, RSA_SIG_SET);

#define SIGALG_SET(P) P(signature, octet_string, OSSL_SIGNATURE_PARAM_SIGNATURE)
WN_PARAMS(rsa_sigalg_set, SIGALG_SET);

const OSSL_PARAM *wn_rsa_sig_settable(void *vctx, void *vprov)
{
    const struct wn_rsa_sig_ctx *ctx = vctx;

    (void)vprov;
    if (ctx != NULL && ctx->sigalg)
        return ctx->operation == WN_RSA_VERIFY && ctx->message ? rsa_sigalg_set_list
                                                               : rsa_sigalg_set_list + 1;
    return ctx != NULL && ctx->md_fixed ? rsa_sig_set_list + 2 : rsa_sig_set_list;
}

static int take_pad(const struct wn_rsa_sig_ctx *ctx, const OSSL_PARAM *p, int *pad)
{
    const char *why = NULL;
    int mode = wn_rsa_pad_mode(p);

    if (mode == WN_RSA_OAEP)
        why = "OAEP padding not allowed for signing / verifying";
    else if (mode == WN_RSA_PSS && ctx->operation == WN_RSA_RECOVER)
        why = "PSS padding only allowed for sign and verify operations";
    else if (mode != WN_RSA_PSS && mode != WN_RSA_PKCS1 && mode != WN_RSA_NONE
             && mode != WN_RSA_X931)
        why = "unknown padding mode";
    else if (mode != WN_RSA_PSS && ctx->key->is_pss)
        why = "only PSS padding is allowed with RSA-PSS keys";
    if (why != NULL) {
        WN_RAISE_MSG(ctx->prov, PROV_R_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE, "%s", why);
        return 0;
    }
    *pad = mode;
    return 1;
}

static int set_sigalg_params(struct wn_rsa_sig_ctx *ctx, const OSSL_PARAM params[])
{
    const unsigned char *d;
    struct rsa_sigalg_set p;
    unsigned char *copy;
    size_t n;

    if (!WN_PARAMS_SCAN(ctx->prov, rsa_sigalg_set, params, &p))
        return 0;
    if (p.signature == NULL || ctx->operation != WN_RSA_VERIFY)
        return 1;
    if (!wn_param_take_octets(ctx->prov, p.signature, &d, &n)
        || (copy = wn_memdup(ctx->prov, d, n)) == NULL)
        return 0;
    wn_free(ctx->prov, ctx->sig);
    ctx->sig = copy;
    ctx->siglen = n;
    return 1;
}

/* Works on a copy, which replaces the context when all is well. */
int wn_rsa_sig_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_rsa_sig_ctx *ctx = vctx, v = *ctx;
    char name[WN_MD_NAME_MAX];
    struct rsa_sig_set p;

    if (wn_params_empty(params))
        return 1;
    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    if (ctx->sigalg)
        return set_sigalg_params(ctx, params);
    if (!WN_PARAMS_SCAN(ctx->prov, rsa_sig_set, params, &p))
        return 0;
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (p.pad != NULL && !take_pad(ctx, p.pad, &v.pad))
        return 0;
    if (p.saltlen != NULL) {
        if (v.pad != WN_RSA_PSS) {
            WN_RAISE_MSG(ctx->prov, PROV_R_NOT_SUPPORTED, "PSS saltlen can only be specified "
                         "if PSS padding has been specified first");
            return 0;
        }
        if (!take_saltlen(ctx, p.saltlen, &v.saltlen) || !saltlen_allowed(ctx, v.saltlen))
            return 0;
    }
    if (p.mgf1_md != NULL) {
        if (v.pad != WN_RSA_PSS) {
            WN_RAISE(ctx->prov, PROV_R_INVALID_MGF1_MD);
            return 0;
        }
        if (!wn_param_take_utf8(ctx->prov, p.mgf1_md, name, sizeof(name)))
            return 0;
        if (wn_rsa_sig_elsewhere(ctx, name, NULL, params))
            return 1;
        if (!set_mgf1(&v, wn_md_find(name), name))
            return 0;
    }
    if (p.md != NULL) {
        if (!wn_param_take_utf8(ctx->prov, p.md, name, sizeof(name)))
            return 0;
        if (!ctx->md_fixed && wn_rsa_sig_elsewhere(ctx, name, NULL, params))
            return 1;
        if (!wn_rsa_sig_set_md_name(&v, name))
            return 0;
    } else if (v.pad == WN_RSA_PSS && v.md == NULL) {
        if (!wn_rsa_sig_set_md_name(&v, "SHA1"))    /* RFC 8017, A.2.3 */
            return 0;
    } else if (v.md != NULL && !digest_fits(&v, v.pad, v.md)) {
        return 0;
    }
    *ctx = v;
    return 1;
}

/* ---- get ------------------------------------------------------------------------------ */

#define RSA_SIG_GET(P)                                           \
    P(algorithm_id, octet_string, OSSL_SIGNATURE_PARAM_ALGORITHM_ID) \
    P(pad, utf8_string, OSSL_SIGNATURE_PARAM_PAD_MODE)           \
    P(md, utf8_string, OSSL_SIGNATURE_PARAM_DIGEST)              \
    P(mgf1_md, utf8_string, OSSL_SIGNATURE_PARAM_MGF1_DIGEST)    \
    P(saltlen, utf8_string, OSSL_SIGNATURE_PARAM_PSS_SALTLEN)
WN_PARAMS(rsa_sig_get, RSA_SIG_GET);

const OSSL_PARAM *wn_rsa_sig_gettable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return rsa_sig_get_list;
}

/* AlgorithmIdentifier of a digest, with NULL as parameters (RFC 4055 section 2.1) */
static void write_digest_id(struct wn_der_w *w, const struct wn_rsa_digest *d)
{
    size_t mark = wn_der_w_mark(w);

    wn_der_w_null(w);
    wn_der_w_octets(w, WN_DER_OID, d->oid, d->oid_len);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, mark);
}

/* RSASSA-PSS-params, RFC 4055 section 3.1; defaults are left out. */
static int write_pss_id(const struct wn_rsa_sig_ctx *ctx, struct wn_der_w *w)
{
    static const unsigned char pss[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a };
    static const unsigned char mgf1[] = { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08 };
    const unsigned char tag = WN_DER_CONTEXT | WN_DER_CONSTRUCTED;
    size_t all = wn_der_w_mark(w), mark;
    int saltlen = wn_rsa_sig_saltlen(ctx);

    if (saltlen < 0)
        return 0;
    if (saltlen != 20) {
        mark = wn_der_w_mark(w);
        wn_der_w_small(w, (unsigned long)saltlen);
        wn_der_w_wrap(w, tag | 2, mark);
    }
    if (ctx->mgf1_md != &wn_md_sha1) {
        mark = wn_der_w_mark(w);
        write_digest_id(w, wn_rsa_digest_find(ctx->mgf1_md));
        wn_der_w_octets(w, WN_DER_OID, mgf1, sizeof(mgf1));
        wn_der_w_wrap(w, WN_DER_SEQUENCE, mark);
        wn_der_w_wrap(w, tag | 1, mark);
    }
    if (ctx->md != &wn_md_sha1) {
        mark = wn_der_w_mark(w);
        write_digest_id(w, wn_rsa_digest_find(ctx->md));
        wn_der_w_wrap(w, tag | 0, mark);
    }
    wn_der_w_wrap(w, WN_DER_SEQUENCE, all);
    wn_der_w_octets(w, WN_DER_OID, pss, sizeof(pss));
    wn_der_w_wrap(w, WN_DER_SEQUENCE, all);
    return 1;
}

static int give_algorithm_id(const struct wn_rsa_sig_ctx *ctx, OSSL_PARAM *p)
{
    const struct wn_rsa_digest *d = ctx->md == NULL ? NULL : wn_rsa_digest_find(ctx->md);
    unsigned char buf[128];
    struct wn_der_w w;

    if (p == NULL)
        return 1;
    wn_der_w_init(&w, buf, sizeof(buf));
    if (d != NULL && ctx->pad == WN_RSA_PKCS1 && d->sig_oid_len != 0) {
        wn_der_w_null(&w);
        wn_der_w_octets(&w, WN_DER_OID, d->sig_oid, d->sig_oid_len);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
    } else if (d != NULL && ctx->pad == WN_RSA_PSS) {
        if (!write_pss_id(ctx, &w))
            return 0;
    } else {
        WN_RAISE_MSG(ctx->prov, ERR_R_UNSUPPORTED, "Algorithm ID generation - pad mode: %d",
                     ctx->pad);
        return 0;
    }
    return wn_param_give_octets(ctx->prov, p, wn_der_w_start(&w), w.n);
}

int wn_rsa_sig_get_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_rsa_sig_ctx *ctx = vctx;
    char name[WN_MD_NAME_MAX] = "", mgf1[WN_MD_NAME_MAX] = "";
    struct rsa_sig_get p;

    if (ctx->other != NULL)
        return wn_other_get_params(ctx->other, params);
    if (ctx->md != NULL)
        wn_md_name(ctx->md, name);
    if (ctx->mgf1_md != NULL)
        wn_md_name(ctx->mgf1_md, mgf1);
    return WN_PARAMS_SCAN(ctx->prov, rsa_sig_get, params, &p)
        && give_algorithm_id(ctx, p.algorithm_id)
        && wn_rsa_give_pad_mode(ctx->prov, p.pad, ctx->pad)
        && wn_param_give_utf8(ctx->prov, p.md, name)
        && wn_param_give_utf8(ctx->prov, p.mgf1_md, mgf1) && give_saltlen(ctx, p.saltlen);
}
