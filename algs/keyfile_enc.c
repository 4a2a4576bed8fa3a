/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encoders of ML-KEM, ML-DSA and SLH-DSA keys (provider-encoder(7)): DER and PEM of
 * SubjectPublicKeyInfo, PrivateKeyInfo and EncryptedPrivateKeyInfo, and text. As
 * with OpenSSL's own, the encoder of PrivateKeyInfo encrypts when a cipher is set.
 */
#include "keyfile.h"

#include "../provider/alglist.h"
#include "../provider/bio.h"
#include "pbes2.h"

enum structure { TEXT, EPKI, PKI, SPKI };

struct wn_encoder {
    const struct wn_prov *prov;
    const struct wn_keyfile_type *type;
    enum structure structure;
    int pem;
    const OSSL_ALGORITHM *cipher;       /* NULL: do not encrypt */
};

static void *new_encoder(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                         enum structure structure, int pem)
{
    struct wn_encoder *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->type = type;
        ctx->structure = structure;
        ctx->pem = pem;
    }
    return ctx;
}

static void wn_encoder_free(void *vctx)
{
    struct wn_encoder *ctx = vctx;

    if (ctx != NULL)
        wn_free(ctx->prov, ctx);
}

#define ENCODER_SET(P)                                            \
    P(cipher, utf8_string, OSSL_ENCODER_PARAM_CIPHER)             \
    P(properties, utf8_string, OSSL_ENCODER_PARAM_PROPERTIES)
WN_PARAMS(encoder_set, ENCODER_SET);

static const OSSL_PARAM *wn_encoder_settable(void *vprov)
{
    (void)vprov;
    return encoder_set_list;
}

static int wn_encoder_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_encoder *ctx = vctx;
    const OSSL_ALGORITHM *cipher = NULL;
    struct encoder_set p;
    char name[64];

    if (!WN_PARAMS_SCAN(ctx->prov, encoder_set, params, &p))
        return 0;
    if (p.cipher == NULL)
        return 1;
    /* no name: no encryption any more */
    if (p.cipher->data != NULL
        && (!wn_param_take_utf8(ctx->prov, p.cipher, name, sizeof(name))
            || (cipher = wn_pbes2_cipher(ctx->prov, name)) == NULL))
        return 0;
    ctx->cipher = cipher;
    return 1;
}

static void *wn_encoder_import(void *vctx, int selection, const OSSL_PARAM params[])
{
    const struct wn_encoder *ctx = vctx;

    return wn_keyfile_import(ctx->prov, ctx->type, selection, params);
}

/* ---- structures ----------------------------------------------------------------------- */

#define HEADERS 64              /* more than all that stands around the values */

struct der {
    unsigned char *buf;
    size_t size;
    const unsigned char *p;     /* the encoding, inside buf */
    size_t n;
};

static int write_spki(struct wn_der_w *w, const struct wn_encoder *ctx,
                      const struct wn_keyfile_parts *parts)
{
    static const unsigned char no_unused_bits = 0;

    if (parts->pub == NULL) {
        WN_RAISE_MSG(ctx->prov, PROV_R_NOT_A_PUBLIC_KEY, "no %s public key data available",
                     ctx->type->name);
        return 0;
    }
    wn_der_w_bytes(w, parts->pub, ctx->type->pub);
    wn_der_w_bytes(w, &no_unused_bits, 1);
    wn_der_w_wrap(w, WN_DER_BIT_STRING, 0);
    wn_keyfile_w_algorithm(w, ctx->type);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, 0);
    return 1;
}

/* PrivateKeyInfo, that is OneAsymmetricKey of version 1 */
static int write_pki(struct wn_der_w *w, const struct wn_encoder *ctx,
                     const struct wn_keyfile_parts *parts)
{
    if (parts->priv == NULL) {
        WN_RAISE_MSG(ctx->prov, PROV_R_NOT_A_PRIVATE_KEY, "no %s private key data available",
                     ctx->type->name);
        return 0;
    }
    if (!wn_keyfile_w_private(w, ctx->prov, ctx->type, parts))
        return 0;
    wn_der_w_wrap(w, WN_DER_OCTET_STRING, 0);
    wn_keyfile_w_algorithm(w, ctx->type);
    wn_der_w_small(w, 0);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, 0);
    return 1;
}

static int make_der(const struct wn_encoder *ctx, const struct wn_keyfile_parts *parts,
                    struct der *der)
{
    struct wn_der_w w;

    der->size = ctx->type->seed + ctx->type->priv + ctx->type->pub + HEADERS;
    der->buf = wn_malloc(ctx->prov, der->size);
    if (der->buf == NULL)
        return 0;
    wn_der_w_init(&w, der->buf, der->size);
    if (!(ctx->structure == SPKI ? write_spki : write_pki)(&w, ctx, parts))
        return 0;
    der->p = wn_der_w_start(&w);
    der->n = w.n;
    return der->p != NULL;
}

/* Replaces the encoding by its encryption. */
static int encrypt_der(const struct wn_encoder *ctx, OSSL_PASSPHRASE_CALLBACK *cb, void *arg,
                       struct der *der)
{
    unsigned char *out;
    size_t n;

    if (!wn_pbes2_encrypt(ctx->prov, ctx->cipher, cb, arg, der->p, der->n, &out, &n))
        return 0;
    wn_clear_free(ctx->prov, der->buf, der->size);
    der->p = der->buf = out;
    der->n = der->size = n;
    return 1;
}

static int encode_der(const struct wn_encoder *ctx, OSSL_CORE_BIO *bio,
                      const struct wn_keyfile_parts *parts, OSSL_PASSPHRASE_CALLBACK *cb,
                      void *arg)
{
    const char *label = ctx->structure == SPKI ? "PUBLIC KEY"
        : ctx->cipher != NULL ? "ENCRYPTED PRIVATE KEY" : "PRIVATE KEY";
    struct der der = { NULL, 0, NULL, 0 };
    int ok = make_der(ctx, parts, &der)
        && (ctx->structure == SPKI || ctx->cipher == NULL || encrypt_der(ctx, cb, arg, &der))
        && (ctx->pem ? wn_bio_pem(ctx->prov, bio, label, der.p, der.n)
                     : wn_bio_write(ctx->prov, bio, der.p, der.n));

    wn_clear_free(ctx->prov, der.buf, der.size);
    return ok;
}

static int encode_text(const struct wn_encoder *ctx, OSSL_CORE_BIO *bio,
                       const struct wn_keyfile_parts *parts, int selection)
{
    const struct wn_keyfile_type *type = ctx->type;
    int private = WN_SELECTS_PRIVATE(selection) && parts->priv != NULL;

    /* what an ML-KEM key lacks is left out */
    if (parts->pub == NULL
        || (WN_SELECTS_PRIVATE(selection) && parts->priv == NULL && !type->kem)) {
        WN_RAISE_MSG(ctx->prov, PROV_R_MISSING_KEY, "no %s key material available", type->name);
        return 0;
    }
    if ((private || type->kem || WN_SELECTS_PUBLIC(selection))
        && !(wn_bio_puts(ctx->prov, bio, type->name)
             && wn_bio_puts(ctx->prov, bio, private ? " Private-Key:\n" : " Public-Key:\n")))
        return 0;
    return (!private
            || ((parts->seed == NULL
                 || wn_bio_hex(ctx->prov, bio, "seed:", parts->seed, type->seed))
                && wn_bio_hex(ctx->prov, bio, type->kem ? "dk:" : "priv:", parts->priv,
                              type->priv)))
        && wn_bio_hex(ctx->prov, bio, type->kem ? "ek:" : "pub:", parts->pub, type->pub);
}

/* ---- provider-encoder(7) ------------------------------------------------------------- */

static int mask_of(enum structure structure)
{
    return structure == SPKI ? OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        : structure == TEXT ? OSSL_KEYMGMT_SELECT_ALL : OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
}

static int wn_encoder_encode(void *vctx, OSSL_CORE_BIO *bio, const void *key,
                             const OSSL_PARAM abstract[], int selection,
                             OSSL_PASSPHRASE_CALLBACK *cb, void *arg)
{
    const struct wn_encoder *ctx = vctx;
    struct wn_keyfile_parts parts;
    int ok, needs = selection;

    if (key == NULL) {
        WN_RAISE(ctx->prov, ERR_R_PASSED_NULL_PARAMETER);
        return 0;
    }
    if (abstract != NULL
        || (ctx->structure != TEXT && (selection & mask_of(ctx->structure)) == 0)) {
        WN_RAISE(ctx->prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    if (ctx->structure == EPKI && ctx->cipher == NULL)
        return 0;               /* OpenSSL goes on to the next encoder */
    if (ctx->structure == SPKI)
        needs = OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
    ok = wn_keyfile_get(ctx->prov, ctx->type, key, needs, &parts)
        && (ctx->structure == TEXT ? encode_text(ctx, bio, &parts, selection)
                                   : encode_der(ctx, bio, &parts, cb, arg));
    wn_keyfile_clear(ctx->prov, &parts);
    return ok;
}

#define SERVES(name, structure)                                                             \
    static int name##_serves(void *vprov, int selection)                                    \
    {                                                                                       \
        (void)vprov;                                                                        \
        return wn_keyfile_serves(selection, mask_of(structure));                            \
    }
SERVES(epki, EPKI)
SERVES(pki, PKI)
SERVES(spki, SPKI)

#define ENCODER_COMMON(id)                                                                  \
    WN_FN(ENCODER_FREECTX, encoder_freectx, wn_encoder_free),                               \
    WN_FN(ENCODER_IMPORT_OBJECT, encoder_import_object, wn_encoder_import),                 \
    WN_FN(ENCODER_FREE_OBJECT, encoder_free_object, id##_free),                             \
    WN_FN(ENCODER_ENCODE, encoder_encode, wn_encoder_encode)

#define DER_ENCODER(id, name, structure, output, pem)                                       \
    static void *id##_##name##_##output##_new(void *prov)                                   \
    { return new_encoder(prov, &wn_keyfile_##id, structure, pem); }                         \
    const OSSL_DISPATCH wn_##id##_##name##_##output##_encoder_functions[] = {               \
        WN_FN(ENCODER_NEWCTX, encoder_newctx, id##_##name##_##output##_new),                \
        WN_FN(ENCODER_SET_CTX_PARAMS, encoder_set_ctx_params, wn_encoder_set_params),       \
        WN_FN(ENCODER_SETTABLE_CTX_PARAMS, encoder_settable_ctx_params, wn_encoder_settable), \
        WN_FN(ENCODER_DOES_SELECTION, encoder_does_selection, name##_serves),               \
        ENCODER_COMMON(id),                                                                 \
        WN_FN_END                                                                           \
    };

#define ENCODERS(id)                                                                        \
    static void id##_free(void *key) { wn_keyfile_free(&wn_keyfile_##id, key); }            \
    static void *id##_text_new(void *prov)                                                  \
    { return new_encoder(prov, &wn_keyfile_##id, TEXT, 0); }                                \
    const OSSL_DISPATCH wn_##id##_text_encoder_functions[] = {                              \
        WN_FN(ENCODER_NEWCTX, encoder_newctx, id##_text_new),                               \
        ENCODER_COMMON(id),                                                                 \
        WN_FN_END                                                                           \
    };                                                                                      \
    DER_ENCODER(id, epki, EPKI, der, 0)                                                     \
    DER_ENCODER(id, epki, EPKI, pem, 1)                                                     \
    DER_ENCODER(id, pki, PKI, der, 0)                                                       \
    DER_ENCODER(id, pki, PKI, pem, 1)                                                       \
    DER_ENCODER(id, spki, SPKI, der, 0)                                                     \
    DER_ENCODER(id, spki, SPKI, pem, 1)

ENCODERS(mlkem512)
ENCODERS(mlkem768)
ENCODERS(mlkem1024)
ENCODERS(mldsa44)
ENCODERS(mldsa65)
ENCODERS(mldsa87)
ENCODERS(slhdsa_sha2_128s)
ENCODERS(slhdsa_sha2_128f)
ENCODERS(slhdsa_sha2_192s)
ENCODERS(slhdsa_sha2_192f)
ENCODERS(slhdsa_sha2_256s)
ENCODERS(slhdsa_sha2_256f)
ENCODERS(slhdsa_shake_128s)
ENCODERS(slhdsa_shake_128f)
ENCODERS(slhdsa_shake_192s)
ENCODERS(slhdsa_shake_192f)
ENCODERS(slhdsa_shake_256s)
ENCODERS(slhdsa_shake_256f)
