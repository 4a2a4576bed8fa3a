/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA encryption: PKCS#1 v1.5 (with implicit rejection), OAEP (RFC 8017), none,
 * and the TLS premaster secret (provider-asym_cipher(7)).
 */
#include <string.h>

#include <openssl/rsaerr.h>

#include "../provider/alglist.h"
#include "ct.h"
#include "rsa_sig.h"

#ifndef OSSL_ASYM_CIPHER_PARAM_IMPLICIT_REJECTION
# define OSSL_ASYM_CIPHER_PARAM_IMPLICIT_REJECTION "implicit-rejection"
#endif

struct wn_rsa_enc_ctx {
    const struct wn_prov *prov;
    struct wn_rsa_key *key;
    struct wn_other_ctx *other; /* not NULL: another provider does all (other_ctx.h) */
    int how;                    /* the function id of the init */
    int pad;
    const struct wn_md_desc *md, *mgf1_md;      /* OAEP; NULL: SHA-1, the same as md */
    unsigned char *label;
    size_t labellen;
    unsigned tls_version, tls_alternative;
    unsigned implicit_rejection;
};

static void *wn_rsa_enc_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_rsa_enc_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_rsa_enc_freectx(void *vctx)
{
    struct wn_rsa_enc_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_rsa_key_free(ctx->key);
    wn_other_ctx_free(ctx->other);
    wn_free(ctx->prov, ctx->label);
    wn_free(ctx->prov, ctx);
}

static void *wn_rsa_enc_dupctx(void *vctx)
{
    const struct wn_rsa_enc_ctx *ctx = vctx;
    struct wn_rsa_enc_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy == NULL)
        return NULL;
    copy->other = NULL;
    copy->label = NULL;
    if (copy->key != NULL)
        wn_rsa_key_up(copy->key);
    if (ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL) {
        wn_rsa_enc_freectx(copy);
        return NULL;
    }
    if (ctx->label != NULL
        && (copy->label = wn_memdup(ctx->prov, ctx->label, ctx->labellen)) == NULL) {
        wn_rsa_enc_freectx(copy);
        return NULL;
    }
    return copy;
}

/* ---- parameters --------------------------------------------------------------- */

#define RSA_ENC_COMMON(P)                                                    \
    P(md, utf8_string, OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST)                   \
    P(pad, utf8_string, OSSL_ASYM_CIPHER_PARAM_PAD_MODE)                     \
    P(mgf1_md, utf8_string, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST)              \
    P(tls_version, uint, OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION)          \
    P(tls_alternative, uint, OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION)  \
    P(implicit_rejection, uint, OSSL_ASYM_CIPHER_PARAM_IMPLICIT_REJECTION)
#define RSA_ENC_SET(P)                                                       \
    RSA_ENC_COMMON(P)                                                        \
    P(md_props, utf8_string, OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST_PROPS)       \
    P(mgf1_props, utf8_string, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST_PROPS)     \
    P(label, octet_string, OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL)
#define RSA_ENC_GET(P)                                                       \
    RSA_ENC_COMMON(P)                                                        \
    P(label, octet_ptr, OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL)
WN_PARAMS(rsa_enc_set, RSA_ENC_SET);
WN_PARAMS(rsa_enc_get, RSA_ENC_GET);

static const OSSL_PARAM *wn_rsa_enc_settable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return rsa_enc_set_list;
}

static const OSSL_PARAM *wn_rsa_enc_gettable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return rsa_enc_get_list;
}

static int take_pad(const struct wn_rsa_enc_ctx *ctx, const OSSL_PARAM *p, int *pad)
{
    int mode = wn_rsa_pad_mode(p);

    if (mode == WN_RSA_PSS || mode == 0) {     /* PSS is for signatures */
        WN_RAISE(ctx->prov, PROV_R_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE);
        return 0;
    }
    *pad = mode;
    return 1;
}

/* OAEP over a digest that another provider has: it goes on with this key. */
static int continue_elsewhere(struct wn_rsa_enc_ctx *ctx, const OSSL_PARAM params[],
                              const OSSL_PARAM *unknown)
{
    struct wn_other_key_try t = { .keymgmt = "RSA", .export = wn_rsa_export, .key = ctx->key,
                                  .how = ctx->how, .params = params };
    char name[WN_MD_NAME_MAX];
    struct wn_pb pb;
    int found;

    wn_pb_init(&pb, ctx->prov);
    wn_pb_int(&pb, OSSL_ASYM_CIPHER_PARAM_PAD_MODE, ctx->pad);
    if (ctx->md != NULL)
        wn_pb_utf8(&pb, OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, wn_md_name(ctx->md, name));
    if (ctx->mgf1_md != NULL)
        wn_pb_utf8(&pb, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, wn_md_name(ctx->mgf1_md, name));
    if (ctx->label != NULL)
        wn_pb_octets(&pb, OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, ctx->label, ctx->labellen);
    t.before = wn_pb_params(&pb);
    found = ctx->key != NULL && t.before != NULL && wn_other_enc_find(ctx->prov, "RSA", &t);
    wn_pb_clear(&pb);
    if (!found)
        return wn_md_raise_unknown(ctx->prov, unknown);
    ctx->other = t.out;
    return 1;
}

static int wn_rsa_enc_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_rsa_enc_ctx *ctx = vctx, v = *ctx;
    const unsigned char *label;
    struct rsa_enc_set p;
    int md, mgf1_md;

    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    if (!WN_PARAMS_SCAN(ctx->prov, rsa_enc_set, params, &p)
        || !(md = wn_md_try(ctx->prov, p.md, &v.md))
        || !(mgf1_md = wn_md_try(ctx->prov, p.mgf1_md, &v.mgf1_md)))
        return 0;
    if (md < 0 || mgf1_md < 0)
        return continue_elsewhere(ctx, params, md < 0 ? p.md : p.mgf1_md);
    if ((p.pad != NULL && !take_pad(ctx, p.pad, &v.pad))
        || !wn_param_take_uint(ctx->prov, p.tls_version, &v.tls_version)
        || !wn_param_take_uint(ctx->prov, p.tls_alternative, &v.tls_alternative)
        || !wn_param_take_uint(ctx->prov, p.implicit_rejection, &v.implicit_rejection))
        return 0;
    if (p.label != NULL) {
        if (!wn_param_take_octets(ctx->prov, p.label, &label, &v.labellen)
            || (v.label = wn_memdup(ctx->prov, label, v.labellen)) == NULL)
            return 0;
        wn_free(ctx->prov, ctx->label);
    }
    *ctx = v;
    return 1;
}

static int wn_rsa_enc_get_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_rsa_enc_ctx *ctx = vctx;
    const struct wn_md_desc *md = ctx->md;
    const struct wn_md_desc *mgf1_md = ctx->mgf1_md != NULL ? ctx->mgf1_md : ctx->md;
    char name[WN_MD_NAME_MAX] = "", mgf1[WN_MD_NAME_MAX] = "";
    struct rsa_enc_get p;

    if (ctx->other != NULL)
        return wn_other_get_params(ctx->other, params);
    if (md != NULL)
        wn_md_name(md, name);
    if (mgf1_md != NULL)
        wn_md_name(mgf1_md, mgf1);
    return WN_PARAMS_SCAN(ctx->prov, rsa_enc_get, params, &p)
        && wn_rsa_give_pad_mode(ctx->prov, p.pad, ctx->pad)
        && wn_param_give_utf8(ctx->prov, p.md, name)
        && wn_param_give_utf8(ctx->prov, p.mgf1_md, mgf1)
        && wn_param_give_octets(ctx->prov, p.label, ctx->label, ctx->labellen)
        && wn_param_give_uint(ctx->prov, p.tls_version, ctx->tls_version)
        && wn_param_give_uint(ctx->prov, p.tls_alternative, ctx->tls_alternative)
        && wn_param_give_uint(ctx->prov, p.implicit_rejection, ctx->implicit_rejection);
}

/* ---- operations ------------------------------------------------------------------ */

static int enc_init(struct wn_rsa_enc_ctx *ctx, struct wn_rsa_key *key, int how,
                    const OSSL_PARAM params[])
{

    if (key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (key->is_pss) {
        WN_RAISE(ctx->prov, PROV_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE);
        return 0;
    }
    wn_rsa_key_up(key);
    wn_rsa_key_free(ctx->key);
    ctx->key = key;
    wn_other_ctx_free(ctx->other);
    ctx->other = NULL;
    ctx->how = how;
    ctx->pad = WN_RSA_PKCS1;
    /* what the default provider of the running version does unasked */
    ctx->implicit_rejection = ctx->prov->core_version >= WN_CORE_VERSION(3, 2);
    return wn_rsa_enc_set_params(ctx, params);
}

static int wn_rsa_encrypt_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    return enc_init(ctx, key, OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, params);
}

static int wn_rsa_decrypt_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    return enc_init(ctx, key, OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, params);
}

static const struct wn_md_desc *oaep_md(const struct wn_rsa_enc_ctx *ctx)
{
    return ctx->md != NULL ? ctx->md : &wn_md_sha1;
}

static const struct wn_md_desc *oaep_mgf1(const struct wn_rsa_enc_ctx *ctx)
{
    return ctx->mgf1_md != NULL ? ctx->mgf1_md : oaep_md(ctx);
}

static int pad(const struct wn_rsa_enc_ctx *ctx, unsigned char *em, const unsigned char *in,
               size_t n)
{
    size_t k = ctx->key->size;

    switch (ctx->pad) {
    case WN_RSA_PKCS1:
        return wn_rsa_pad_type2(ctx->prov, em, k, in, n);
    case WN_RSA_OAEP:
        return wn_rsa_pad_oaep(ctx->prov, em, k, in, n, ctx->label, ctx->labellen, oaep_md(ctx),
                               oaep_mgf1(ctx));
    case WN_RSA_NONE:
        if (n != k) {
            WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, n > k ? RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE
                                                       : RSA_R_DATA_TOO_SMALL_FOR_KEY_SIZE);
            return 0;
        }
        memcpy(em, in, n);
        return 1;
    default:
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_UNKNOWN_PADDING_TYPE);
        return 0;
    }
}

static int wn_rsa_encrypt(void *vctx, unsigned char *out, size_t *outlen, size_t outsize,
                          const unsigned char *in, size_t n)
{
    struct wn_rsa_enc_ctx *ctx = vctx;
    unsigned char em[WN_RSA_MAX_SIZE];
    int ok;

    if (ctx->other != NULL)
        return wn_other_encrypt(ctx->other, out, outlen, outsize, in, n);
    if (ctx->key == NULL || ctx->key->size == 0) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY);
        return 0;
    }
    if (out == NULL) {
        *outlen = ctx->key->size;
        return 1;
    }
    if (outsize < ctx->key->size) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    ok = pad(ctx, em, in, n) && wn_rsa_public(ctx->key, em, em);
    if (ok) {
        memcpy(out, em, ctx->key->size);
        *outlen = ctx->key->size;
    }
    wn_clear(em, ctx->key->size);
    return ok;
}

/* Sizes: needed room, 0 with an error raised if there is less. */
static int check_decrypt_room(const struct wn_rsa_enc_ctx *ctx, size_t room)
{
    size_t need = ctx->pad == WN_RSA_TLS ? WN_TLS_PREMASTER : ctx->key->size;

    if (room >= need)
        return 1;
    WN_RAISE(ctx->prov, PROV_R_BAD_LENGTH);
    return 0;
}

static int decrypt_tls(const struct wn_rsa_enc_ctx *ctx, const unsigned char *em,
                       unsigned char *out, size_t *outlen)
{
    if (ctx->tls_version == 0) {
        WN_RAISE(ctx->prov, PROV_R_BAD_TLS_CLIENT_VERSION);
        return 0;
    }
    if (ctx->key->size < 11 + WN_TLS_PREMASTER) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_PKCS_DECODING_ERROR);
        return 0;
    }
    if (!wn_rsa_unpad_tls(ctx->prov, em, ctx->key->size, out, ctx->tls_version,
                          ctx->tls_alternative))
        return 0;
    *outlen = WN_TLS_PREMASTER;
    return 1;
}

/* em is the decrypted block; `in` the ciphertext in full length. */
static int remove_padding(const struct wn_rsa_enc_ctx *ctx, const unsigned char *in,
                          unsigned char *em, unsigned char *out, size_t *outlen, size_t outsize)
{
    size_t k = ctx->key->size, good;

    switch (ctx->pad) {
    case WN_RSA_TLS:
        return decrypt_tls(ctx, em, out, outlen);
    case WN_RSA_NONE:
        memcpy(out, em, k);
        *outlen = k;
        return 1;
    case WN_RSA_OAEP:
        good = wn_rsa_unpad_oaep(em, k, out, outlen, outsize, ctx->label, ctx->labellen,
                                 oaep_md(ctx), oaep_mgf1(ctx));
        /* which check failed stays hidden, that one did is the result itself */
        if (good == 0)
            WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_OAEP_DECODING_ERROR);
        break;
    case WN_RSA_PKCS1:
        if (k < 11) {
            WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_PKCS_DECODING_ERROR);
            return 0;
        }
        if (ctx->implicit_rejection)
            return wn_rsa_unpad_type2_implicit(ctx->key, in, em, out, outlen, outsize);
        good = wn_rsa_unpad_type2(em, k, out, outlen, outsize);
        break;
    default:
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_UNKNOWN_PADDING_TYPE);
        return 0;
    }
    /* PKCS #1: no error entry, raising one only on failure would be the oracle */
    return (int)wn_ct_select(good, 1, 0);
}

static int wn_rsa_decrypt(void *vctx, unsigned char *out, size_t *outlen, size_t outsize,
                          const unsigned char *in, size_t n)
{
    struct wn_rsa_enc_ctx *ctx = vctx;
    unsigned char cipher[WN_RSA_MAX_SIZE], em[WN_RSA_MAX_SIZE];
    size_t k;
    int ok;

    if (ctx->other != NULL)
        return wn_other_decrypt(ctx->other, out, outlen, outsize, in, n);
    if (ctx->key == NULL || ctx->key->size == 0) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY);
        return 0;
    }
    k = ctx->key->size;
    if (out == NULL) {
        *outlen = ctx->pad == WN_RSA_TLS ? WN_TLS_PREMASTER : k;
        return 1;
    }
    if (!check_decrypt_room(ctx, outsize))
        return 0;
    if (n > k) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_DATA_GREATER_THAN_MOD_LEN);
        return 0;
    }
    memset(cipher, 0, k - n);
    memcpy(cipher + k - n, in, n);
    ok = wn_rsa_private(ctx->key, cipher, em, WN_RSA_SECRET)
        && remove_padding(ctx, cipher, em, out, outlen, outsize);
    wn_clear(em, k);
    return ok;
}

const OSSL_DISPATCH wn_rsa_asym_cipher_functions[] = {
    WN_FN(ASYM_CIPHER_NEWCTX, asym_cipher_newctx, wn_rsa_enc_newctx),
    WN_FN(ASYM_CIPHER_FREECTX, asym_cipher_freectx, wn_rsa_enc_freectx),
    WN_FN(ASYM_CIPHER_DUPCTX, asym_cipher_dupctx, wn_rsa_enc_dupctx),
    WN_FN(ASYM_CIPHER_ENCRYPT_INIT, asym_cipher_encrypt_init, wn_rsa_encrypt_init),
    WN_FN(ASYM_CIPHER_ENCRYPT, asym_cipher_encrypt, wn_rsa_encrypt),
    WN_FN(ASYM_CIPHER_DECRYPT_INIT, asym_cipher_decrypt_init, wn_rsa_decrypt_init),
    WN_FN(ASYM_CIPHER_DECRYPT, asym_cipher_decrypt, wn_rsa_decrypt),
    WN_FN(ASYM_CIPHER_GET_CTX_PARAMS, asym_cipher_get_ctx_params, wn_rsa_enc_get_params),
    WN_FN(ASYM_CIPHER_GETTABLE_CTX_PARAMS, asym_cipher_gettable_ctx_params, wn_rsa_enc_gettable),
    WN_FN(ASYM_CIPHER_SET_CTX_PARAMS, asym_cipher_set_ctx_params, wn_rsa_enc_set_params),
    WN_FN(ASYM_CIPHER_SETTABLE_CTX_PARAMS, asym_cipher_settable_ctx_params, wn_rsa_enc_settable),
    WN_FN_END
};
