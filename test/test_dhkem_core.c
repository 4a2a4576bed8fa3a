/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DHKEM (RFC 9180) under a core of our own, which can be any OpenSSL version: the
 * RFC's vectors for encapsulation, decapsulation and key derivation, random round
 * trips, refusals with their reasons, copied contexts, failing allocations, and
 * which versions get it. pytest/test_pkey.py compares with OpenSSL's own.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ecerr.h>

#include "fakecore.h"
#include "provider/compat.h"
#include "wntest.h"

#define CALL(table, ID, type) ((OSSL_FUNC_##type##_fn *)fake_function(table, OSSL_FUNC_##ID))
#define MAX_PUBLIC 133
#define MAX_SECRET 64

static const char *const kems[] = { "P-256", "P-384", "P-521", "X25519", "X448" };
static const size_t pk_len[] = { 65, 97, 133, 32, 56 };
static const size_t secret_len[] = { 32, 48, 64, 32, 64 };
#define N_KEMS (sizeof(kems) / sizeof(kems[0]))

/* One fake core, and the tables of one KEM's keys. */
struct side {
    struct fake_core fc;
    const char *group;
    const OSSL_DISPATCH *keys, *kem;
};

static void start(struct side *s, const char *version)
{
    fake_init(&s->fc, version);
    s->fc.hide[0] = OSSL_FUNC_CRYPTO_SECURE_MALLOC;
    assert_true(fake_load(&s->fc));
}

static void choose(struct side *s, const char *group)
{
    const char *type = group[0] == 'X' ? group : "EC";

    s->group = group;
    s->keys = fake_algorithm(&s->fc, OSSL_OP_KEYMGMT, type);
    s->kem = fake_algorithm(&s->fc, OSSL_OP_KEM, type);
    assert_non_null(s->keys);
}

static void finish(struct side *s)
{
    fake_unload(&s->fc);
    assert_int_equal(s->fc.live, 0);
}

static OSSL_PARAM octets(const char *name, const void *d, size_t n)
{
    return OSSL_PARAM_construct_octet_string(name, (void *)(uintptr_t)d, n);
}

static OSSL_PARAM group_param(const struct side *s)
{
    return OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                            (char *)(uintptr_t)s->group, 0);
}

/* A key from a record's fields, the private one if it has that. */
static void *import(struct side *s, const struct wnt_record *r, const char *pub_name,
                    const char *priv_name)
{
    unsigned char *pub = NULL, *priv = NULL, little[MAX_PUBLIC];
    void *key = CALL(s->keys, KEYMGMT_NEW, keymgmt_new)(s->fc.provctx);
    OSSL_PARAM params[4], *p = params;
    size_t n = 0, m = 0, i;

    *p++ = group_param(s);
    assert_true(wnt_hex(r, pub_name, &pub, &n));
    *p++ = octets(OSSL_PKEY_PARAM_PUB_KEY, pub, n);
    if (priv_name != NULL && wnt_hex(r, priv_name, &priv, &m)) {
        *p = octets(OSSL_PKEY_PARAM_PRIV_KEY, priv, m);
        if (s->group[0] == 'P') {
            for (i = 0; i < m; i++)
                little[i] = priv[m - 1 - i];
            *p = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, little, m);
        }
        p++;
    }
    *p = OSSL_PARAM_construct_end();
    assert_non_null(key);
    assert_true(CALL(s->keys, KEYMGMT_IMPORT, keymgmt_import)(key, EVP_PKEY_KEYPAIR, params));
    free(pub);
    free(priv);
    return key;
}

/* A generated key pair; ikm: NULL, or what it is to be derived from. */
static void *generate(struct side *s, const void *ikm, size_t n)
{
    OSSL_PARAM params[3] = { group_param(s) };
    void *gen, *key = NULL;

    params[1] = OSSL_PARAM_construct_end();
    if (ikm != NULL) {
        params[1] = octets(OSSL_PKEY_PARAM_DHKEM_IKM, ikm, n);
        params[2] = OSSL_PARAM_construct_end();
    }
    gen = CALL(s->keys, KEYMGMT_GEN_INIT, keymgmt_gen_init)(s->fc.provctx, EVP_PKEY_KEYPAIR,
                                                            params);
    if (gen != NULL)
        key = CALL(s->keys, KEYMGMT_GEN, keymgmt_gen)(gen, NULL, NULL);
    CALL(s->keys, KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup)(gen);
    return key;
}

static void free_key(struct side *s, void *key)
{
    CALL(s->keys, KEYMGMT_FREE, keymgmt_free)(key);
}

static void *new_ctx(struct side *s)
{
    return CALL(s->kem, KEM_NEWCTX, kem_newctx)(s->fc.provctx);
}

static void free_ctx(struct side *s, void *ctx)
{
    CALL(s->kem, KEM_FREECTX, kem_freectx)(ctx);
}

static int init(struct side *s, void *ctx, void *key, void *sender, int decapsulate,
                const OSSL_PARAM *params)
{
    if (decapsulate && sender != NULL)
        return CALL(s->kem, KEM_AUTH_DECAPSULATE_INIT, kem_auth_decapsulate_init)(ctx, key, sender,
                                                                                  params);
    if (decapsulate)
        return CALL(s->kem, KEM_DECAPSULATE_INIT, kem_decapsulate_init)(ctx, key, params);
    if (sender != NULL)
        return CALL(s->kem, KEM_AUTH_ENCAPSULATE_INIT, kem_auth_encapsulate_init)(ctx, key, sender,
                                                                                  params);
    return CALL(s->kem, KEM_ENCAPSULATE_INIT, kem_encapsulate_init)(ctx, key, params);
}

static int encapsulate(struct side *s, void *ctx, unsigned char *enc, size_t *n,
                       unsigned char *secret, size_t *m)
{
    return CALL(s->kem, KEM_ENCAPSULATE, kem_encapsulate)(ctx, enc, n, secret, m);
}

static int decapsulate(struct side *s, void *ctx, unsigned char *secret, size_t *m,
                       const unsigned char *enc, size_t n)
{
    return CALL(s->kem, KEM_DECAPSULATE, kem_decapsulate)(ctx, secret, m, enc, n);
}

/* ---- known answers ---------------------------------------------------------------- */

struct expected {
    unsigned char *ikm, *enc, *secret;
    size_t ikmlen, enclen, secretlen;
};

static void check_record(struct side *s, const struct wnt_record *r, const struct expected *e)
{
    int auth = wnt_text(r, "pkSm") != NULL;
    void *recipient = import(s, r, "pkRm", "skRm"), *public = import(s, r, "pkRm", NULL);
    void *sender = auth ? import(s, r, "pkSm", "skSm") : NULL;
    void *sender_public = auth ? import(s, r, "pkSm", NULL) : NULL, *ctx = new_ctx(s);
    unsigned char enc[MAX_PUBLIC], secret[MAX_SECRET];
    size_t n = sizeof(enc), m = sizeof(secret);
    OSSL_PARAM params[] = { octets("ikme", e->ikm, e->ikmlen), OSSL_PARAM_END };

    assert_int_equal(init(s, ctx, public, sender, 0, params), 1);
    assert_int_equal(encapsulate(s, ctx, enc, &n, secret, &m), 1);
    assert_int_equal(n, e->enclen);
    assert_memory_equal(enc, e->enc, n);
    assert_int_equal(m, e->secretlen);
    assert_memory_equal(secret, e->secret, m);

    memset(secret, 0, sizeof(secret));
    m = sizeof(secret);
    assert_int_equal(init(s, ctx, recipient, sender_public, 1, NULL), 1);
    assert_int_equal(decapsulate(s, ctx, secret, &m, e->enc, e->enclen), 1);
    assert_int_equal(m, e->secretlen);
    assert_memory_equal(secret, e->secret, m);
    free_ctx(s, ctx);
    free_key(s, recipient);
    free_key(s, public);
    free_key(s, sender);
    free_key(s, sender_public);
}

/* The ephemeral key is DeriveKeyPair(ikmE): generated, it has that public key. */
static void check_derived(struct side *s, const struct expected *e)
{
    void *key = generate(s, e->ikm, e->ikmlen);
    unsigned char pub[MAX_PUBLIC];
    OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, pub, sizeof(pub)),
        OSSL_PARAM_END
    };

    assert_non_null(key);
    assert_true(CALL(s->keys, KEYMGMT_GET_PARAMS, keymgmt_get_params)(key, params));
    assert_int_equal(params[0].return_size, e->enclen);
    assert_memory_equal(pub, e->enc, e->enclen);
    free_key(s, key);
}

static void known_answers(void **state)
{
    FILE *f = wnt_vectors("dhkem.txt");
    struct wnt_record r;
    struct side s;
    int records = 0;

    (void)state;
    start(&s, "3.5.0");
    for (; wnt_next(f, &r); wnt_record_free(&r), records++) {
        struct expected e;

        choose(&s, wnt_text(&r, "Kem"));
        assert_true(wnt_hex(&r, "ikmE", &e.ikm, &e.ikmlen) && wnt_hex(&r, "enc", &e.enc, &e.enclen)
                    && wnt_hex(&r, "shared_secret", &e.secret, &e.secretlen));
        check_record(&s, &r, &e);
        check_derived(&s, &e);
        free(e.ikm);
        free(e.enc);
        free(e.secret);
    }
    fclose(f);
    assert_int_equal(records, 6);
    assert_int_equal(s.fc.n_reasons, 0);
    finish(&s);
}

/* ---- round trips, contexts ---------------------------------------------------------- */

static void round_trip(struct side *s, size_t i, int auth)
{
    void *recipient = generate(s, NULL, 0), *sender = auth ? generate(s, NULL, 0) : NULL;
    void *ctx = new_ctx(s), *copy, *other = new_ctx(s);
    unsigned char enc[2][MAX_PUBLIC], sent[2][MAX_SECRET], got[MAX_SECRET];
    size_t n = sizeof(enc[0]), m = sizeof(got);

    assert_int_equal(init(s, ctx, recipient, sender, 0, NULL), 1);
    copy = CALL(s->kem, KEM_DUPCTX, kem_dupctx)(ctx);
    assert_non_null(copy);
    assert_int_equal(encapsulate(s, ctx, enc[0], &n, sent[0], &m), 1);
    free_ctx(s, ctx);
    assert_true(n == pk_len[i] && m == secret_len[i]);
    assert_int_equal(encapsulate(s, copy, enc[1], &n, sent[1], &m), 1);
    assert_memory_not_equal(enc[0], enc[1], n);
    assert_int_equal(init(s, copy, recipient, sender, 1, NULL), 1);
    assert_int_equal(decapsulate(s, copy, got, &m, enc[0], n), 1);
    assert_memory_equal(got, sent[0], m);
    assert_int_equal(decapsulate(s, copy, got, &m, enc[1], n), 1);
    assert_memory_equal(got, sent[1], m);
    /* without the sender's key the secret is another one */
    assert_int_equal(init(s, other, recipient, NULL, 1, NULL), 1);
    assert_int_equal(decapsulate(s, other, got, &m, enc[1], n), 1);
    assert_int_equal(memcmp(got, sent[1], m) == 0, !auth);
    free_ctx(s, copy);
    free_ctx(s, other);
    free_key(s, recipient);
    free_key(s, sender);
}

static void round_trips(void **state)
{
    struct side s;
    size_t i;
    int auth;

    (void)state;
    start(&s, "3.5.0");
    for (i = 0; i < N_KEMS; i++) {
        choose(&s, kems[i]);
        for (auth = 0; auth <= 1; auth++)
            round_trip(&s, i, auth);
    }
    assert_int_equal(s.fc.n_reasons, 0);
    finish(&s);
}

/* ---- sizes and refusals --------------------------------------------------------------- */

static void refuse_lengths(struct side *s, size_t i)
{
    void *key = generate(s, NULL, 0), *ctx = new_ctx(s);
    unsigned char enc[MAX_PUBLIC + 1], sent[MAX_SECRET], got[MAX_SECRET];
    size_t n = 0, m = 0;

    assert_int_equal(init(s, ctx, key, NULL, 0, NULL), 1);
    assert_int_equal(encapsulate(s, ctx, NULL, &n, NULL, &m), 1);
    assert_true(n == pk_len[i] && m == secret_len[i]);
    assert_int_equal(encapsulate(s, ctx, NULL, NULL, NULL, NULL), 0);
    m--;
    assert_int_equal(encapsulate(s, ctx, enc, &n, sent, &m), 0);
    assert_true(fake_raised(&s->fc, PROV_R_BAD_LENGTH));
    m++, n--;
    assert_int_equal(encapsulate(s, ctx, enc, &n, sent, &m), 0);
    assert_true(fake_raised(&s->fc, PROV_R_BAD_LENGTH));
    n++;
    assert_int_equal(encapsulate(s, ctx, enc, &n, sent, &m), 1);

    assert_int_equal(init(s, ctx, key, NULL, 1, NULL), 1);
    m = 0;
    assert_int_equal(decapsulate(s, ctx, NULL, &m, enc, n), 1);
    assert_int_equal(m, secret_len[i]);
    m--;
    assert_int_equal(decapsulate(s, ctx, got, &m, enc, n), 0);
    assert_true(fake_raised(&s->fc, PROV_R_BAD_LENGTH));
    m++;
    for (n = 0; n <= pk_len[i] + 1; n++) {
        if (n == pk_len[i])
            continue;
        assert_int_equal(decapsulate(s, ctx, got, &m, enc, n), 0);
        assert_true(fake_raised(&s->fc, PROV_R_INVALID_KEY));
        s->fc.n_reasons = 0;
    }
    n = pk_len[i];
    if (kems[i][0] == 'X') {    /* of low order: no contribution */
        memset(got, 0x55, sizeof(got));
        memset(enc, 0, sizeof(enc));
        assert_int_equal(decapsulate(s, ctx, got, &m, enc, n), 0);
        assert_true(fake_raised(&s->fc, PROV_R_FAILED_DURING_DERIVATION));
    } else {                    /* not on the curve */
        enc[n - 1] ^= 1;
        assert_int_equal(decapsulate(s, ctx, got, &m, enc, n), 0);
        assert_int_equal(s->fc.reasons[0], ERR_PACK(ERR_LIB_EC, 0, EC_R_POINT_IS_NOT_ON_CURVE));
        enc[n - 1] ^= 1;
        assert_int_equal(decapsulate(s, ctx, got, &m, enc, n), 1);  /* usable again */
        assert_memory_equal(got, sent, m);
    }
    s->fc.n_reasons = 0;
    free_ctx(s, ctx);
    free_key(s, key);
}

static void lengths(void **state)
{
    struct side s;
    size_t i;

    (void)state;
    start(&s, "3.5.0");
    for (i = 0; i < N_KEMS; i++) {
        choose(&s, kems[i]);
        refuse_lengths(&s, i);
    }
    finish(&s);
}

/* Seed material: too short, given twice, taken away again. */
static void seeds(void **state)
{
    unsigned char ikm[66], enc[3][MAX_PUBLIC], secret[MAX_SECRET];
    size_t i, j, n, m;
    struct side s;

    (void)state;
    memset(ikm, 7, sizeof(ikm));
    start(&s, "3.5.0");
    for (i = 0; i < N_KEMS; i++) {
        static const size_t n_sk[] = { 32, 48, 66, 32, 56 };
        OSSL_PARAM params[] = { octets("ikme", ikm, n_sk[i] - 1), OSSL_PARAM_END };
        void *key, *ctx;

        choose(&s, kems[i]);
        key = generate(&s, NULL, 0);
        ctx = new_ctx(&s);
        n = sizeof(enc[0]), m = sizeof(secret);
        assert_int_equal(init(&s, ctx, key, NULL, 0, params), 1);
        assert_int_equal(encapsulate(&s, ctx, enc[0], &n, secret, &m), 0);
        assert_true(fake_raised(&s.fc, PROV_R_INVALID_INPUT_LENGTH));
        assert_null(generate(&s, ikm, n_sk[i] - 1));
        assert_true(fake_raised(&s.fc, PROV_R_INVALID_INPUT_LENGTH));
        for (j = 0; j < 3; j++) {
            params[0].data_size = j < 2 ? n_sk[i] : 0;
            if (j != 1)
                assert_true(CALL(s.kem, KEM_SET_CTX_PARAMS, kem_set_ctx_params)(ctx, params));
            assert_int_equal(encapsulate(&s, ctx, enc[j], &n, secret, &m), 1);
        }
        assert_memory_equal(enc[0], enc[1], n);
        assert_memory_not_equal(enc[0], enc[2], n);
        free_ctx(&s, ctx);
        free_key(&s, key);
        s.fc.n_reasons = 0;
    }
    finish(&s);
}

static void wrong_keys(void **state)
{
    struct side s;
    void *key, *p384, *k1, *ctx;

    (void)state;
    start(&s, "3.5.0");
    choose(&s, "secp256k1");
    k1 = generate(&s, NULL, 0);
    choose(&s, "P-384");
    p384 = generate(&s, NULL, 0);
    choose(&s, "P-256");
    key = generate(&s, NULL, 0);
    ctx = new_ctx(&s);
    assert_true(k1 != NULL && p384 != NULL && key != NULL);
    assert_int_equal(init(&s, ctx, k1, NULL, 0, NULL), -2);
    assert_true(fake_raised(&s.fc, PROV_R_INVALID_CURVE));
    assert_int_equal(init(&s, ctx, key, p384, 0, NULL), 0);
    assert_true(fake_raised(&s.fc, PROV_R_MISMATCHING_DOMAIN_PARAMETERS));
    assert_int_equal(init(&s, ctx, NULL, NULL, 0, NULL), 0);
    assert_true(fake_raised(&s.fc, PROV_R_NO_KEY_SET));
    free_key(&s, k1);
    free_key(&s, p384);
    free_key(&s, key);
    key = CALL(s.keys, KEYMGMT_NEW, keymgmt_new)(s.fc.provctx);     /* nothing in it */
    assert_int_equal(init(&s, ctx, key, NULL, 0, NULL), 0);
    assert_true(fake_raised(&s.fc, PROV_R_NOT_A_PUBLIC_KEY));
    free_key(&s, key);
    free_ctx(&s, ctx);
    finish(&s);
}

/* Decapsulation takes a private key, and so does a sender that encapsulates. */
static void halves(void **state)
{
    FILE *f = wnt_vectors("dhkem.txt");
    struct wnt_record r;
    struct side s;

    (void)state;
    start(&s, "3.5.0");
    for (; wnt_next(f, &r); wnt_record_free(&r)) {
        void *public, *ctx;

        choose(&s, wnt_text(&r, "Kem"));
        public = import(&s, &r, "pkRm", NULL);
        ctx = new_ctx(&s);
        assert_int_equal(init(&s, ctx, public, NULL, 1, NULL), 0);
        assert_true(fake_raised(&s.fc, PROV_R_NOT_A_PRIVATE_KEY));
        assert_int_equal(init(&s, ctx, public, public, 0, NULL), 0);
        assert_true(fake_raised(&s.fc, PROV_R_NOT_A_PRIVATE_KEY));
        assert_int_equal(init(&s, ctx, public, NULL, 0, NULL), 1);
        free_ctx(&s, ctx);
        free_key(&s, public);
    }
    fclose(f);
    finish(&s);
}

/* ---- versions, memory ------------------------------------------------------------------ */

static void versions(void **state)
{
    char name[] = "dhkem";
    OSSL_PARAM op[] = { OSSL_PARAM_utf8_string(OSSL_KEM_PARAM_OPERATION, name, 5), OSSL_PARAM_END };
    unsigned char enc[MAX_PUBLIC], secret[MAX_SECRET];
    size_t n = sizeof(enc), m = sizeof(secret);
    void *key, *ctx;
    struct side s;

    (void)state;
    start(&s, "3.1.0");
    choose(&s, "X25519");
    assert_null(s.kem);
    choose(&s, "P-256");
    assert_null(s.kem);
    assert_non_null(fake_algorithm(&s.fc, OSSL_OP_KEM, "RSA"));
    finish(&s);

    start(&s, "3.2.0");         /* no default operation yet */
    choose(&s, "X25519");
    key = generate(&s, NULL, 0);
    ctx = new_ctx(&s);
    assert_int_equal(init(&s, ctx, key, NULL, 0, NULL), 1);
    assert_int_equal(encapsulate(&s, ctx, enc, &n, secret, &m), -2);
    assert_true(fake_raised(&s.fc, PROV_R_INVALID_MODE));
    assert_int_equal(init(&s, ctx, key, NULL, 0, op), 1);
    assert_int_equal(encapsulate(&s, ctx, enc, &n, secret, &m), 1);
    name[0] = 'X';
    assert_int_equal(init(&s, ctx, key, NULL, 0, op), 0);
    assert_true(fake_raised(&s.fc, PROV_R_INVALID_MODE));
    free_ctx(&s, ctx);
    free_key(&s, key);
    finish(&s);
}

/* Every allocation fails in turn: no leak, and then it works. (From 3.2 on it is the
 * core's allocator that raises the error.) */
static void allocations_fail(void **state)
{
    unsigned char ikm[66] = { 1 }, enc[MAX_PUBLIC], secret[MAX_SECRET];
    OSSL_PARAM params[] = { octets("ikme", ikm, sizeof(ikm)), OSSL_PARAM_END };
    size_t i, n, m;
    unsigned long at;

    (void)state;
    for (i = 0; i < N_KEMS; i++) {
        void *key, *ctx, *copy;
        struct side s;
        int ok = 0;

        start(&s, "3.5.0");
        choose(&s, kems[i]);
        key = generate(&s, NULL, 0);
        for (at = 1; !ok; at++) {
            assert_true(at < 100);
            s.fc.fail_at = s.fc.allocations + at;
            n = sizeof(enc), m = sizeof(secret);
            copy = NULL;
            ctx = new_ctx(&s);
            ok = ctx != NULL && init(&s, ctx, key, key, 0, params) == 1
                && (copy = CALL(s.kem, KEM_DUPCTX, kem_dupctx)(ctx)) != NULL
                && encapsulate(&s, copy, enc, &n, secret, &m) == 1
                && init(&s, ctx, key, key, 1, NULL) == 1
                && decapsulate(&s, ctx, secret, &m, enc, n) == 1;
            free_ctx(&s, ctx);
            free_ctx(&s, copy);
        }
        s.fc.fail_at = 0;
        assert_true(at > 3);
        free_key(&s, key);
        finish(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(lengths),
        cmocka_unit_test(seeds),
        cmocka_unit_test(wrong_keys),
        cmocka_unit_test(halves),
        cmocka_unit_test(versions),
        cmocka_unit_test(allocations_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
