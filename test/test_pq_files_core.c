/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encoders and decoders of ML-KEM, ML-DSA and SLH-DSA keys under a core of our own: round
 * trips of every form, input cut at every length and with wrong bytes in its
 * headers, every allocation failing in turn, a BIO that is full, and which versions
 * get them.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/core_object.h>

#include "fakecore.h"
#include "provider/compat.h"
#include "wntest.h"

#define CALL(table, ID, type) ((OSSL_FUNC_##type##_fn *)fake_function(table, OSSL_FUNC_##ID))
#define ROOM 40000
#define PKI "structure=PrivateKeyInfo"
#define EPKI "structure=EncryptedPrivateKeyInfo"
#define SPKI "structure=SubjectPublicKeyInfo"

static const char *const types[] = { "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "ML-DSA-44",
                                     "ML-DSA-65", "ML-DSA-87", "SLH-DSA-SHA2-128f",
                                     "SLH-DSA-SHAKE-192f" };
#define N_TYPES (sizeof(types) / sizeof(types[0]))

static void *make_key(struct fake_core *fc, const char *type)
{
    const OSSL_DISPATCH *f = fake_algorithm(fc, OSSL_OP_KEYMGMT, type);
    void *gen = CALL(f, KEYMGMT_GEN_INIT, keymgmt_gen_init)(fc->provctx,
                                                            OSSL_KEYMGMT_SELECT_KEYPAIR, NULL);
    void *key = gen == NULL ? NULL : CALL(f, KEYMGMT_GEN, keymgmt_gen)(gen, NULL, NULL);

    CALL(f, KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup)(gen);
    return key;
}

static void free_key(struct fake_core *fc, const char *type, void *key)
{
    CALL(fake_algorithm(fc, OSSL_OP_KEYMGMT, type), KEYMGMT_FREE, keymgmt_free)(key);
}

static int passphrase(char *out, size_t size, size_t *n, const OSSL_PARAM params[], void *arg)
{
    (void)params;
    *n = strlen(arg);
    if (*n > size)
        return 0;
    memcpy(out, arg, *n);
    return 1;
}

/* Encodes to b, which is emptied before. */
static int encode(struct fake_core *fc, const char *type, const char *properties, const void *key,
                  int selection, const char *cipher, struct fake_bio *b)
{
    const OSSL_DISPATCH *f = fake_algorithm_with(fc, OSSL_OP_ENCODER, type, properties);
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, (void *)(uintptr_t)cipher,
                               cipher == NULL ? 0 : strlen(cipher)),
        OSSL_PARAM_END
    };
    void *ctx = CALL(f, ENCODER_NEWCTX, encoder_newctx)(fc->provctx);
    int ok = ctx != NULL;

    b->n = b->at = 0;
    if (ok && cipher != NULL)
        ok = CALL(f, ENCODER_SET_CTX_PARAMS, encoder_set_ctx_params)(ctx, params);
    if (ok)
        ok = CALL(f, ENCODER_ENCODE, encoder_encode)(ctx, FAKE_BIO(b), key, NULL, selection,
                                                     passphrase, (void *)(uintptr_t)"secret");
    CALL(f, ENCODER_FREECTX, encoder_freectx)(ctx);
    return ok;
}

struct decoded {
    struct fake_core *fc;
    const char *type;
    void *key;
    int calls;
};

/* What libcrypto does with the reference: keymgmt_load. */
static int take(const OSSL_PARAM params[], void *arg)
{
    struct decoded *d = arg;
    const OSSL_DISPATCH *f = fake_algorithm(d->fc, OSSL_OP_KEYMGMT, d->type);

    d->calls++;
    for (; params->key != NULL; params++)
        if (strcmp(params->key, OSSL_OBJECT_PARAM_REFERENCE) == 0)
            d->key = CALL(f, KEYMGMT_LOAD, keymgmt_load)(params->data, params->data_size);
    return d->key != NULL;
}

/* 1: *key is a key; 0: an error; -1: not for this decoder */
static int decode(struct fake_core *fc, const char *type, const char *properties,
                  const unsigned char *in, size_t n, void **key)
{
    const OSSL_DISPATCH *f = fake_algorithm_with(fc, OSSL_OP_DECODER, type, properties);
    struct decoded d = { fc, type, NULL, 0 };
    struct fake_bio b = { (unsigned char *)(uintptr_t)in, n, 0, 0 };
    void *ctx = CALL(f, DECODER_NEWCTX, decoder_newctx)(fc->provctx);
    int ok = ctx != NULL
        && CALL(f, DECODER_DECODE, decoder_decode)(ctx, FAKE_BIO(&b), 0, take, &d, NULL, NULL);

    CALL(f, DECODER_FREECTX, decoder_freectx)(ctx);
    *key = d.key;
    return d.key != NULL ? 1 : ok ? -1 : 0;
}

static void start(struct fake_core *fc, const char *version, const char *output)
{
    fake_init(fc, version);
    fc->hide[0] = OSSL_FUNC_CRYPTO_SECURE_MALLOC;
    if (output != NULL) {
        fc->config[0] = "ml-dsa.output_formats";
        fc->config[2] = "ml-kem.output_formats";
        fc->config[1] = fc->config[3] = output;
    }
    assert_true(fake_load(fc));
}

static void finish(struct fake_core *fc)
{
    fake_unload(fc);
    assert_int_equal(fc->live, 0);
}

/* Decoding gives a key that encodes the same. */
static void round_trip(struct fake_core *fc, const char *type, const char *properties,
                       int selection, struct fake_bio *a, struct fake_bio *b)
{
    char der[64];
    void *key;

    assert_int_equal(decode(fc, type, properties, a->d, a->n, &key), 1);
    snprintf(der, sizeof(der), "output=der,%s", properties);
    assert_true(encode(fc, type, der, key, selection, NULL, b));
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->d, b->d, a->n);
    free_key(fc, type, key);
}

struct exported {
    struct fake_core *fc;
    const char *type;
    const OSSL_DISPATCH *encoder;
    void *ctx;
    void *object;
};

/* What libcrypto does with a key of another provider: encoder_import_object. */
static int import(const OSSL_PARAM params[], void *arg)
{
    struct exported *e = arg;

    e->object = CALL(e->encoder, ENCODER_IMPORT_OBJECT, encoder_import_object)(
        e->ctx, OSSL_KEYMGMT_SELECT_KEYPAIR, params);
    return e->object != NULL;
}

/* decoder_export_object, for a key management that is not ours; the key stays. */
static int take_export(const OSSL_PARAM params[], void *arg)
{
    struct exported *e = arg;
    const OSSL_DISPATCH *f = fake_algorithm_with(e->fc, OSSL_OP_DECODER, e->type, PKI);

    for (; params->key != NULL; params++)
        if (strcmp(params->key, OSSL_OBJECT_PARAM_REFERENCE) == 0)
            return CALL(f, DECODER_EXPORT_OBJECT, decoder_export_object)(
                e->object, params->data, params->data_size, import, e);
    return 0;
}

/* Decoded, exported, imported by the encoder: the file is the same. */
static void other_providers(void **state)
{
    struct fake_bio a = { malloc(ROOM), 0, 0, ROOM }, b = { malloc(ROOM), 0, 0, ROOM };
    struct fake_core fc;
    size_t t;

    (void)state;
    start(&fc, "3.0.0", NULL);
    for (t = 0; t < N_TYPES; t++) {
        const OSSL_DISPATCH *dec = fake_algorithm_with(&fc, OSSL_OP_DECODER, types[t], PKI);
        struct exported e = { &fc, types[t],
                              fake_algorithm_with(&fc, OSSL_OP_ENCODER, types[t],
                                                  "output=der," PKI), NULL, NULL };
        void *key = make_key(&fc, types[t]), *decoder;

        assert_true(encode(&fc, types[t], "output=der," PKI, key, OSSL_KEYMGMT_SELECT_ALL, NULL,
                           &a));
        free_key(&fc, types[t], key);
        e.ctx = CALL(e.encoder, ENCODER_NEWCTX, encoder_newctx)(fc.provctx);
        e.object = decoder = CALL(dec, DECODER_NEWCTX, decoder_newctx)(fc.provctx);
        assert_true(CALL(dec, DECODER_DECODE, decoder_decode)(decoder, FAKE_BIO(&a), 0,
                                                              take_export, &e, NULL, NULL));
        CALL(dec, DECODER_FREECTX, decoder_freectx)(decoder);
        assert_true(CALL(e.encoder, ENCODER_ENCODE, encoder_encode)(
            e.ctx, FAKE_BIO(&b), e.object, NULL, OSSL_KEYMGMT_SELECT_ALL, NULL, NULL));
        CALL(e.encoder, ENCODER_FREE_OBJECT, encoder_free_object)(e.object);
        CALL(e.encoder, ENCODER_FREECTX, encoder_freectx)(e.ctx);
        assert_int_equal(a.n, b.n);
        assert_memory_equal(a.d, b.d, a.n);
        b.n = 0;
        assert_int_equal(fc.n_reasons, 0);
    }
    finish(&fc);
    free(a.d);
    free(b.d);
}

static void forms(void **state)
{
    static const char *const names[] = { NULL, "priv-only", "oqskeypair", "seed-only",
                                         "bare-priv", "bare-seed" };
    struct fake_bio a = { malloc(ROOM), 0, 0, ROOM }, b = { malloc(ROOM), 0, 0, ROOM };
    struct fake_core fc;
    size_t t, i, sizes[N_TYPES];

    (void)state;
    for (i = 0; i < 6; i++) {
        start(&fc, "3.0.0", names[i]);
        for (t = 0; t < N_TYPES; t++) {
            void *key = make_key(&fc, types[t]);

            assert_true(encode(&fc, types[t], "output=der," PKI, key, OSSL_KEYMGMT_SELECT_ALL,
                               NULL, &a));
            round_trip(&fc, types[t], PKI, OSSL_KEYMGMT_SELECT_ALL, &a, &b);
            sizes[t] = a.n;
            assert_true(encode(&fc, types[t], "output=der," SPKI, key,
                               OSSL_KEYMGMT_SELECT_PUBLIC_KEY, NULL, &a));
            round_trip(&fc, types[t], SPKI, OSSL_KEYMGMT_SELECT_PUBLIC_KEY, &a, &b);
            free_key(&fc, types[t], key);
            assert_int_equal(fc.n_reasons, 0);
        }
        /* FIPS 204 table 2: 4032 bytes, a seed of 32; headers of 24 to 30 */
        assert_in_range(sizes[4], strstr(names[i] ? names[i] : "", "seed") ? 32 + 20 : 4032 + 24,
                        strstr(names[i] ? names[i] : "", "seed") ? 32 + 24 : 4032 + 1952 + 28);
        finish(&fc);
    }
    free(a.d);
    free(b.d);
}

/* Cut anywhere, a file is not read; whatever its first bytes say, nothing leaks. */
static void malformed(const char *properties, int selection)
{
    struct fake_bio a = { malloc(ROOM), 0, 0, ROOM };
    struct fake_core fc;
    size_t t, i, at;
    char der[64];

    snprintf(der, sizeof(der), "output=der,%s", properties);
    start(&fc, "3.4.0", NULL);
    for (t = 0; t < N_TYPES; t++) {
        void *key = make_key(&fc, types[t]), *got;
        long live = fc.live;
        unsigned char *cut, *end;

        assert_true(encode(&fc, types[t], der, key, selection, NULL, &a));
        cut = wnt_guarded(a.n);
        end = cut + a.n;
        for (i = 0; i < a.n; i++) {
            memcpy(end - i, a.d, i);
            assert_int_equal(decode(&fc, types[t], properties, end - i, i, &got), -1);
        }
        wnt_guarded_free(cut, a.n);
        for (i = 0; i < 600; i++) {
            unsigned char was;

            at = i < 400 ? wnt_rand_below(72) % a.n : wnt_rand_below(a.n);
            was = a.d[at];
            a.d[at] = (unsigned char)wnt_rand();
            fc.n_reasons = 0;
            switch (decode(&fc, types[t], properties, a.d, a.n, &got)) {
            case 1:
                free_key(&fc, types[t], got);
                break;
            case 0:
                assert_int_equal(fc.n_reasons, 1);
                break;
            default:
                assert_int_equal(fc.n_reasons, 0);
            }
            a.d[at] = was;
        }
        assert_int_equal(fc.live, live);
        free_key(&fc, types[t], key);
    }
    finish(&fc);
    free(a.d);
}

static void malformed_private(void **state)
{
    (void)state;
    malformed(PKI, OSSL_KEYMGMT_SELECT_ALL);
}

static void malformed_public(void **state)
{
    (void)state;
    malformed(SPKI, OSSL_KEYMGMT_SELECT_PUBLIC_KEY);
}

static void wrong_contents(void **state)
{
    /* version 2, and the public key that may then follow */
    static const unsigned char rest[] = { 0xa0, 0x02, 0x31, 0x00, 0x81, 0x02, 0x00, 0x05 };
    struct fake_bio a = { malloc(ROOM), 0, 0, ROOM };
    struct fake_core fc;
    void *key, *got;
    size_t n;

    (void)state;
    start(&fc, "3.2.0", NULL);
    key = make_key(&fc, "ML-DSA-44");
    assert_true(encode(&fc, "ML-DSA-44", "output=der," PKI, key, OSSL_KEYMGMT_SELECT_ALL, NULL, &a));
    /* another type's file: silence */
    assert_int_equal(decode(&fc, "ML-DSA-65", PKI, a.d, a.n, &got), -1);
    assert_int_equal(decode(&fc, "ML-DSA-44", SPKI, a.d, a.n, &got), -1);
    /* attributes, and a public key that is not looked at */
    n = a.n;
    memcpy(a.d + n, rest, sizeof(rest));
    a.d[3] += 4;
    assert_int_equal(decode(&fc, "ML-DSA-44", PKI, a.d, n + 4, &got), 1);
    free_key(&fc, "ML-DSA-44", got);
    a.d[3] += 4;
    assert_int_equal(decode(&fc, "ML-DSA-44", PKI, a.d, n + 8, &got), 0);
    assert_true(fake_raised(&fc, PROV_R_BAD_ENCODING));
    a.d[6] = 1;
    assert_int_equal(decode(&fc, "ML-DSA-44", PKI, a.d, n + 8, &got), 1);
    free_key(&fc, "ML-DSA-44", got);
    a.d[6] = 2;
    assert_int_equal(decode(&fc, "ML-DSA-44", PKI, a.d, n + 8, &got), -1);
    a.d[6] = 0;
    a.d[3] -= 8;
    /* the seed of another key */
    a.d[40] ^= 1;
    assert_int_equal(decode(&fc, "ML-DSA-44", PKI, a.d, n, &got), 0);
    assert_true(fake_raised(&fc, PROV_R_INVALID_KEY));
    a.d[40] ^= 1;
    /* parameters in the AlgorithmIdentifier: NULL, which takes two bytes of the key */
    a.d[8] += 2;
    a.d[20] = 5;
    a.d[21] = 0;
    assert_int_equal(decode(&fc, "ML-DSA-44", PKI, a.d, n, &got), 0);
    assert_true(fake_raised(&fc, PROV_R_UNEXPECTED_KEY_PARAMETERS));
    /* a public key that is one byte short, and one that is not reduced */
    free_key(&fc, "ML-DSA-44", key);
    key = make_key(&fc, "ML-KEM-512");
    assert_true(encode(&fc, "ML-KEM-512", "output=der," SPKI, key, OSSL_KEYMGMT_SELECT_PUBLIC_KEY,
                       NULL, &a));
    a.d[3] -= 1;
    a.d[20] -= 1;
    assert_int_equal(decode(&fc, "ML-KEM-512", SPKI, a.d, a.n - 1, &got), 0);
    assert_true(fake_raised(&fc, PROV_R_BAD_ENCODING));
    a.d[3] += 1;
    a.d[20] += 1;
    memset(a.d + 22, 0xff, 3);
    assert_int_equal(decode(&fc, "ML-KEM-512", SPKI, a.d, a.n, &got), 0);
    assert_true(fake_raised(&fc, PROV_R_INVALID_KEY));
    free_key(&fc, "ML-KEM-512", key);
    finish(&fc);
    free(a.d);
}

static void refusals(void **state)
{
    struct fake_bio a = { malloc(ROOM), 0, 0, ROOM };
    struct fake_core fc;
    void *key, *public;

    (void)state;
    start(&fc, "3.0.0", "nothing of the kind");
    key = make_key(&fc, "ML-DSA-44");
    assert_false(encode(&fc, "ML-DSA-44", "output=der," PKI, key, OSSL_KEYMGMT_SELECT_ALL, NULL,
                        &a));
    assert_true(fake_raised(&fc, PROV_R_ML_DSA_NO_FORMAT));
    assert_int_equal(a.n, 0);
    /* neither the cipher's modes nor its name will do */
    assert_false(encode(&fc, "ML-DSA-44", "output=der," PKI, key, OSSL_KEYMGMT_SELECT_ALL,
                        "AES-128-GCM", &a));
    assert_true(fake_raised(&fc, PROV_R_INVALID_CIPHER));
    assert_false(encode(&fc, "ML-DSA-44", "output=der," PKI, key, OSSL_KEYMGMT_SELECT_ALL,
                        "CAMELLIA-128-CBC", &a));
    assert_true(fake_raised(&fc, PROV_R_INVALID_CIPHER));
    /* a public key has no private part to write */
    assert_true(encode(&fc, "ML-DSA-44", "output=der," SPKI, key, OSSL_KEYMGMT_SELECT_PUBLIC_KEY,
                       NULL, &a));
    assert_int_equal(decode(&fc, "ML-DSA-44", SPKI, a.d, a.n, &public), 1);
    fc.n_reasons = 0;
    assert_false(encode(&fc, "ML-DSA-44", "output=pem," PKI, public, OSSL_KEYMGMT_SELECT_ALL, NULL,
                        &a));
    assert_true(fake_raised(&fc, PROV_R_NOT_A_PRIVATE_KEY));
    assert_false(encode(&fc, "ML-DSA-44", "output=text", public, OSSL_KEYMGMT_SELECT_ALL, NULL,
                        &a));
    assert_true(fake_raised(&fc, PROV_R_MISSING_KEY));
    assert_int_equal(fc.n_reasons, 2);
    /* without a cipher there is nothing to encrypt with, which is no error */
    assert_false(encode(&fc, "ML-DSA-44", "output=pem," EPKI, key, OSSL_KEYMGMT_SELECT_ALL, NULL,
                        &a));
    assert_int_equal(fc.n_reasons, 2);
    /* a BIO with too little room */
    a.size = 1000;
    assert_false(encode(&fc, "ML-DSA-44", "output=pem," SPKI, key, OSSL_KEYMGMT_SELECT_PUBLIC_KEY,
                        NULL, &a));
    assert_int_equal(fc.n_reasons, 3);
    free_key(&fc, "ML-DSA-44", public);
    free_key(&fc, "ML-DSA-44", key);
    finish(&fc);
    free(a.d);
}

/* Everything of a key's life in a file, with the at-th allocation failing. */
static int life(struct fake_core *fc, const char *type, const void *key, struct fake_bio *a)
{
    void *got = NULL;
    int ok = encode(fc, type, "output=text", key, OSSL_KEYMGMT_SELECT_ALL, NULL, a)
        && encode(fc, type, "output=pem," EPKI, key, OSSL_KEYMGMT_SELECT_ALL, "AES-256-CBC", a)
        && encode(fc, type, "output=der," PKI, key, OSSL_KEYMGMT_SELECT_ALL, NULL, a)
        && decode(fc, type, PKI, a->d, a->n, &got) == 1;

    free_key(fc, type, got);
    return ok;
}

static void allocations_fail(void **state)
{
    static const char *const few[] = { "ML-KEM-512", "ML-DSA-44", "SLH-DSA-SHAKE-128f" };
    struct fake_bio a = { malloc(ROOM), 0, 0, ROOM };
    struct fake_core fc;
    size_t t;

    (void)state;
    start(&fc, "3.1.0", NULL);
    for (t = 0; t < sizeof(few) / sizeof(few[0]); t++) {
        void *key = make_key(&fc, few[t]);
        unsigned long first, at;
        long live;

        assert_true(life(&fc, few[t], key, &a));        /* the generator exists now */
        live = fc.live;
        first = fc.allocations;
        assert_true(life(&fc, few[t], key, &a));
        assert_int_equal(fc.live, live);
        first = fc.allocations - first;
        for (at = 1; at <= first; at++) {
            fc.n_reasons = 0;
            fc.fail_at = fc.allocations + at;
            if (life(&fc, few[t], key, &a) || fc.live != live || fc.n_reasons == 0)
                fail_msg("%s, allocation %lu: %ld blocks, %zu errors", few[t], at,
                         fc.live - live, fc.n_reasons);
        }
        fc.fail_at = 0;
        free_key(&fc, few[t], key);
    }
    finish(&fc);
    free(a.d);
}

static void offered_by_version(void **state)
{
    static const struct {
        const char *version;
        int has;
    } cases[] = { { "3.0.0", 1 }, { "3.4.9", 1 }, { "3.5.0", 0 }, { "4.0.0", 0 } };
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start(&fc, cases[i].version, NULL);
        assert_int_equal(fake_algorithm(&fc, OSSL_OP_ENCODER, "MLDSA65") != NULL, cases[i].has);
        assert_int_equal(fake_algorithm_with(&fc, OSSL_OP_DECODER, "id-alg-ml-kem-768", SPKI)
                         != NULL, cases[i].has);
        finish(&fc);
    }
    fake_init(&fc, "3.0.0");
    fc.config[0] = "without";
    fc.config[1] = "ML-DSA-65";
    fc.config[2] = "block";
    fc.config[3] = "ML-DSA-44";
    assert_true(fake_load(&fc));
    assert_null(fake_algorithm(&fc, OSSL_OP_DECODER, "ML-DSA-65"));
    /* what is blocked are operations, not files */
    assert_non_null(CALL(fake_algorithm(&fc, OSSL_OP_DECODER, "ML-DSA-44"), DECODER_NEWCTX,
                         decoder_newctx));
    finish(&fc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),
        cmocka_unit_test(other_providers),
        cmocka_unit_test(malformed_private),
        cmocka_unit_test(malformed_public),
        cmocka_unit_test(wrong_contents),
        cmocka_unit_test(refusals),
        cmocka_unit_test(allocations_fail),
        cmocka_unit_test(offered_by_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
