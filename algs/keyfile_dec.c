/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of ML-KEM, ML-DSA and SLH-DSA keys (provider-decoder(7)): DER of
 * SubjectPublicKeyInfo and PrivateKeyInfo (RFC 5958, both versions) into key objects
 * of our key management. Input of another key type is passed over in silence, which
 * is how OpenSSL tries one decoder after the other; a key of ours that is wrong is
 * an error.
 */
#include "keyfile.h"

#include <string.h>

#include <openssl/core_object.h>

#include "../provider/alglist.h"
#include "../provider/bio.h"

#define MAX_KEY_FILE 65536         /* the largest key has 8 KB; attributes may follow it */
#define MAX_OID 16

struct wn_decoder {
    const struct wn_prov *prov;
    const struct wn_keyfile_type *type;
    int mask;                   /* what it decodes: private or public keys */
    int selection;              /* of the last call, for the export */
};

static void *new_decoder(const struct wn_prov *prov, const struct wn_keyfile_type *type, int mask)
{
    struct wn_decoder *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->type = type;
        ctx->mask = mask;
    }
    return ctx;
}

static void wn_decoder_free(void *vctx)
{
    struct wn_decoder *ctx = vctx;

    if (ctx != NULL)
        wn_free(ctx->prov, ctx);
}

static int bad(const struct wn_decoder *ctx, int reason, const char *what)
{
    WN_RAISE_MSG(ctx->prov, reason, "%s key: %s", ctx->type->name, what);
    return -1;
}

/* ---- parsing: 1 ours, 0 of another kind, -1 ours and wrong (raised) --------------- */

/* AlgorithmIdentifier with our OID and no parameters */
static int read_algorithm(const struct wn_decoder *ctx, struct wn_der_r *r)
{
    unsigned char oid[MAX_OID];
    struct wn_der_r alg, got;
    struct wn_der_w w;

    if (!wn_der_r_enter(r, WN_DER_SEQUENCE, &alg) || !wn_der_r_enter(&alg, WN_DER_OID, &got))
        return 0;
    wn_der_w_init(&w, oid, sizeof(oid));
    wn_der_w_oid(&w, ctx->type->oid);
    if (w.failed || got.n != w.n - 2 || memcmp(got.p, wn_der_w_start(&w) + 2, got.n) != 0)
        return 0;
    return alg.n == 0 ? 1 : bad(ctx, PROV_R_UNEXPECTED_KEY_PARAMETERS, "unexpected parameters");
}

static int read_spki(const struct wn_decoder *ctx, struct wn_der_r r,
                     struct wn_keyfile_parts *parts)
{
    struct wn_der_r bits;
    int is = read_algorithm(ctx, &r);

    if (is != 1)
        return is;
    if (!wn_der_r_bits(&r, &bits) || r.n != 0 || bits.n != ctx->type->pub)
        return bad(ctx, PROV_R_BAD_ENCODING, "malformed public key");
    parts->pub = bits.p;
    return 1;
}

/* What may follow the key: [0] attributes, and from version 2 on [1] the public key,
 * which the private key tells better. */
static int read_rest(struct wn_der_r *r, int version)
{
    struct wn_der_r in;

    return (wn_der_r_peek(r) != (WN_DER_CONTEXT | WN_DER_CONSTRUCTED)
            || wn_der_r_enter(r, WN_DER_CONTEXT | WN_DER_CONSTRUCTED, &in))
        && (version == 0 || wn_der_r_peek(r) != (WN_DER_CONTEXT | 1)
            || wn_der_r_enter(r, WN_DER_CONTEXT | 1, &in))
        && r->n == 0;
}

static int read_pki(const struct wn_decoder *ctx, struct wn_der_r r,
                    struct wn_keyfile_parts *parts)
{
    const unsigned char *version;
    struct wn_der_r key;
    size_t n;
    int is;

    if (!wn_der_r_integer(&r, &version, &n) || n > 1 || (n == 1 && version[0] != 1))
        return 0;
    is = read_algorithm(ctx, &r);
    if (is != 1)
        return is;
    if (!wn_der_r_enter(&r, WN_DER_OCTET_STRING, &key) || !read_rest(&r, n == 1))
        return bad(ctx, PROV_R_BAD_ENCODING, "malformed PKCS #8 structure");
    return wn_keyfile_r_private(ctx->prov, ctx->type, key.p, key.n, parts) ? 1 : -1;
}

/* ---- provider-decoder(7) ------------------------------------------------------------- */

/* Hands the key over; the callback takes it out of `key`, or it is freed. */
static int give(const struct wn_decoder *ctx, void *key, OSSL_CALLBACK *cb, void *arg)
{
    int type = OSSL_OBJECT_PKEY, ok;
    OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_OBJECT_PARAM_TYPE, &type),
        OSSL_PARAM_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, (void *)(uintptr_t)ctx->type->name,
                               strlen(ctx->type->name)),
        OSSL_PARAM_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof(key)),
        OSSL_PARAM_END
    };

    ok = cb(params, arg);
    wn_keyfile_free(ctx->type, key);
    return ok;
}

static int wn_decoder_decode(void *vctx, OSSL_CORE_BIO *bio, int selection, OSSL_CALLBACK *cb,
                             void *arg, OSSL_PASSPHRASE_CALLBACK *pw, void *pw_arg)
{
    struct wn_decoder *ctx = vctx;
    struct wn_keyfile_parts parts;
    unsigned char *der;
    struct wn_der_r r, in;
    void *key = NULL;
    size_t n;
    int is;

    (void)pw, (void)pw_arg;
    if (selection != 0 && (selection & ctx->mask) == 0) {
        WN_RAISE(ctx->prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    ctx->selection = selection;
    memset(&parts, 0, sizeof(parts));
    is = wn_bio_read_der(ctx->prov, bio, MAX_KEY_FILE, &der, &n);
    if (is == 1) {
        r.p = der;
        r.n = n;
        is = wn_der_r_enter(&r, WN_DER_SEQUENCE, &in)
            ? (WN_SELECTS_PRIVATE(ctx->mask) ? read_pki : read_spki)(ctx, in, &parts) : 0;
        if (is == 1 && (key = wn_keyfile_make(ctx->prov, ctx->type, &parts)) == NULL)
            is = -1;
        wn_clear_free(ctx->prov, der, n);
    }
    return is == 1 ? give(ctx, key, cb, arg) : is == 0;
}

static int wn_decoder_export(void *vctx, const void *reference, size_t size, OSSL_CALLBACK *cb,
                             void *arg)
{
    const struct wn_decoder *ctx = vctx;
    void *key;

    if (size != sizeof(key))
        return 0;
    key = *(void *const *)reference;
    return wn_keyfile_export(ctx->type, key,
                             ctx->selection != 0 ? ctx->selection : OSSL_KEYMGMT_SELECT_ALL,
                             cb, arg);
}

#define PKI_MASK OSSL_KEYMGMT_SELECT_PRIVATE_KEY
#define SPKI_MASK OSSL_KEYMGMT_SELECT_PUBLIC_KEY

static int pki_serves(void *vprov, int selection)
{
    (void)vprov;
    return wn_keyfile_serves(selection, PKI_MASK);
}

static int spki_serves(void *vprov, int selection)
{
    (void)vprov;
    return wn_keyfile_serves(selection, SPKI_MASK);
}

#define DECODER(id, name, mask)                                                             \
    static void *id##_##name##_new(void *prov)                                              \
    { return new_decoder(prov, &wn_keyfile_##id, mask); }                                   \
    const OSSL_DISPATCH wn_##id##_##name##_decoder_functions[] = {                          \
        WN_FN(DECODER_NEWCTX, decoder_newctx, id##_##name##_new),                           \
        WN_FN(DECODER_FREECTX, decoder_freectx, wn_decoder_free),                           \
        WN_FN(DECODER_DOES_SELECTION, decoder_does_selection, name##_serves),               \
        WN_FN(DECODER_DECODE, decoder_decode, wn_decoder_decode),                           \
        WN_FN(DECODER_EXPORT_OBJECT, decoder_export_object, wn_decoder_export),             \
        WN_FN_END                                                                           \
    };
#define DECODERS(id)                                                                        \
    DECODER(id, pki, PKI_MASK)                                                              \
    DECODER(id, spki, SPKI_MASK)

DECODERS(mlkem512)
DECODERS(mlkem768)
DECODERS(mlkem1024)
DECODERS(mldsa44)
DECODERS(mldsa65)
DECODERS(mldsa87)
DECODERS(slhdsa_sha2_128s)
DECODERS(slhdsa_sha2_128f)
DECODERS(slhdsa_sha2_192s)
DECODERS(slhdsa_sha2_192f)
DECODERS(slhdsa_sha2_256s)
DECODERS(slhdsa_sha2_256f)
DECODERS(slhdsa_shake_128s)
DECODERS(slhdsa_shake_128f)
DECODERS(slhdsa_shake_192s)
DECODERS(slhdsa_shake_192f)
DECODERS(slhdsa_shake_256s)
DECODERS(slhdsa_shake_256f)
