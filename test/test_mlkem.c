/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-KEM against what OpenSSL 3.5 makes of the same seeds and messages, whichever
 * operation is a key's first: an operation finds its hash and matrix there or not, and
 * may be one of several that do at once.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "wntest.h"

#define ROOM 3200

struct vector {
    const char *name;
    unsigned char *seed, *pub, *priv, *m, *cipher, *secret, *rejected;  /* pub .. cipher: hashes */
};

static void is_hash_of(const unsigned char *want, const unsigned char *p, size_t n)
{
    unsigned char got[32];

    wnt_ok(EVP_Digest(p, n, got, NULL, EVP_sha256(), NULL));
    assert_memory_equal(got, want, sizeof(got));
}

/* ---- operations ---------------------------------------------------------------------- */

static EVP_PKEY *generate(const struct vector *v)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), v->name, NULL);
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string("seed", v->seed, 64), OSSL_PARAM_END };
    EVP_PKEY *key = NULL;

    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    EVP_PKEY_CTX_free(ctx);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
    return key;
}

/* NULL if the key is refused. */
static EVP_PKEY *try_import(const struct vector *v, const char *param, unsigned char *p, size_t n)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), v->name, NULL);
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string(param, p, n), OSSL_PARAM_END };
    EVP_PKEY *key = NULL;

    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    if (EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params) != 1)
        assert_null(key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *import(const struct vector *v, const char *param, unsigned char *p, size_t n)
{
    EVP_PKEY *key = try_import(v, param, p, n);

    assert_non_null(key);
    return key;
}

/* Returns the ciphertext's length. */
static size_t encapsulate(const struct vector *v, EVP_PKEY *key, unsigned char *cipher)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string("ikme", v->m, 32), OSSL_PARAM_END };
    unsigned char secret[32];
    size_t n = ROOM, m = sizeof(secret);

    wnt_ok(EVP_PKEY_encapsulate_init(ctx, params));
    wnt_ok(EVP_PKEY_encapsulate(ctx, cipher, &n, secret, &m));
    EVP_PKEY_CTX_free(ctx);
    is_hash_of(v->cipher, cipher, n);
    assert_memory_equal(secret, v->secret, sizeof(secret));
    return n;
}

/* `times` a ciphertext is decapsulated by one context; 1 if each gave the right secret. */
static int decapsulates(const struct vector *v, EVP_PKEY *key, const unsigned char *cipher,
                        size_t n, int forged, int times)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    unsigned char c[ROOM], secret[32];
    size_t m = sizeof(secret);
    int ok = EVP_PKEY_decapsulate_init(ctx, NULL) == 1;

    memcpy(c, cipher, n);
    c[0] ^= (unsigned char)forged;
    for (; times > 0 && ok; times--)
        ok = EVP_PKEY_decapsulate(ctx, secret, &m, c, n) == 1 && m == sizeof(secret)
            && memcmp(secret, forged ? v->rejected : v->secret, sizeof(secret)) == 0;
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static size_t get(EVP_PKEY *key, const char *param, unsigned char *out)
{
    size_t n = 0;

    wnt_ok(EVP_PKEY_get_octet_string_param(key, param, out, ROOM, &n));
    return n;
}

/* ---- tests -------------------------------------------------------------------------------- */

static void for_each(void (*test)(const struct vector *v))
{
    FILE *f = wnt_vectors("mlkem.txt");
    struct wnt_record r;
    struct vector v;
    size_t n, count = 0;

    while (wnt_next(f, &r)) {
        v.name = wnt_text(&r, "Algorithm");
        assert_true(wnt_hex(&r, "Seed", &v.seed, &n) && n == 64);
        assert_true(wnt_hex(&r, "PubSHA256", &v.pub, &n) && n == 32);
        assert_true(wnt_hex(&r, "PrivSHA256", &v.priv, &n) && n == 32);
        assert_true(wnt_hex(&r, "M", &v.m, &n) && n == 32);
        assert_true(wnt_hex(&r, "CipherSHA256", &v.cipher, &n) && n == 32);
        assert_true(wnt_hex(&r, "Secret", &v.secret, &n) && n == 32);
        assert_true(wnt_hex(&r, "Rejected", &v.rejected, &n) && n == 32);
        test(&v);
        free(v.seed);
        free(v.pub);
        free(v.priv);
        free(v.m);
        free(v.cipher);
        free(v.secret);
        free(v.rejected);
        wnt_record_free(&r);
        count++;
    }
    fclose(f);
    assert_int_equal(count, 18);
    wnt_assert_no_errors();
}

/* Each operation first, on a generated key, its copy, and the imported parts. */
static void first_uses(const struct vector *v)
{
    unsigned char pub[ROOM], priv[ROOM], cipher[ROOM];
    size_t publen, privlen, n, i;
    EVP_PKEY *key = generate(v), *others[2], *copy;

    publen = get(key, "pub", pub);
    is_hash_of(v->pub, pub, publen);
    privlen = get(key, "priv", priv);               /* which has H(ek) in it */
    is_hash_of(v->priv, priv, privlen);
    n = encapsulate(v, key, cipher);
    assert_true(decapsulates(v, key, cipher, n, 0, 2));
    EVP_PKEY_free(key);

    for (i = 0; i < 9; i++) {
        key = i < 3 ? generate(v) : import(v, i < 6 ? "priv" : "seed", i < 6 ? priv : v->seed,
                                           i < 6 ? privlen : 64);
        copy = EVP_PKEY_dup(key);
        others[0] = key;
        others[1] = copy;
        for (size_t j = 0; j < 2; j++) {
            if (i % 3 == 0)
                encapsulate(v, others[j], cipher);
            else
                assert_true(decapsulates(v, others[j], cipher, n, i % 3 == 2, 2));
            assert_true(decapsulates(v, others[j], cipher, n, 0, 1));
            assert_true(decapsulates(v, others[j], cipher, n, 1, 1));
            assert_int_equal(encapsulate(v, others[j], cipher), n);
            assert_int_equal(get(others[j], "priv", priv), privlen);
            is_hash_of(v->priv, priv, privlen);
            EVP_PKEY_free(others[j]);
        }
    }

    key = import(v, "pub", pub, publen);
    encapsulate(v, key, cipher);
    encapsulate(v, key, cipher);
    copy = EVP_PKEY_dup(key);
    encapsulate(v, copy, cipher);
    EVP_PKEY_free(copy);
    EVP_PKEY_free(key);
}

static void test_first_uses(void **state)
{
    (void)state;
    for_each(first_uses);
}

static void put_coefficient(unsigned char *p, size_t i, unsigned value)
{
    p += i / 2 * 3;
    if (i % 2 == 0) {
        p[0] = (unsigned char)value;
        p[1] = (unsigned char)((p[1] & 0xf0) | value >> 8);
    } else {
        p[1] = (unsigned char)((p[1] & 0x0f) | value << 4);
        p[2] = (unsigned char)(value >> 4);
    }
}

/* Each coefficient at q - 1, at q and at the most that 12 bits hold. */
static void modulus(const struct vector *v)
{
    static const unsigned values[] = { 3328, 3329, 4095 };
    unsigned char pub[ROOM], priv[ROOM], bad[ROOM];
    EVP_PKEY *key = generate(v);
    size_t publen = get(key, "pub", pub), privlen = get(key, "priv", priv), i, j;

    EVP_PKEY_free(key);
    for (i = 0; i < (publen - 32) / 3 * 2; i++) {
        for (j = 0; j < 3; j++) {
            memcpy(bad, pub, publen);
            put_coefficient(bad, i, values[j]);
            key = try_import(v, "pub", bad, publen);
            assert_int_equal(key != NULL, j == 0);
            EVP_PKEY_free(key);
            if (j == 0)
                continue;
            wnt_assert_prov_error(PROV_R_INVALID_KEY);
            memcpy(bad, priv, privlen);
            put_coefficient(bad, i, values[j]);
            assert_null(try_import(v, "priv", bad, privlen));
            wnt_assert_prov_error(PROV_R_INVALID_KEY);
        }
    }
}

static void test_modulus(void **state)
{
    (void)state;
    for_each(modulus);
}

struct shared {
    const struct vector *v;
    EVP_PKEY *key;
    const unsigned char *cipher;
    size_t n;
    pthread_barrier_t barrier;
};

static void *work(void *arg)
{
    struct shared *s = arg;
    int i, ok = 1;

    pthread_barrier_wait(&s->barrier);
    for (i = 0; i < 3; i++)
        ok &= decapsulates(s->v, s->key, s->cipher, s->n, i == 1, 1);
    return ok ? NULL : s;
}

/* Four threads find neither hash nor matrix. */
static void at_once(const struct vector *v)
{
    unsigned char cipher[ROOM], priv[ROOM];
    EVP_PKEY *first = generate(v);
    struct shared s = { v, NULL, cipher, encapsulate(v, first, cipher), { { 0 } } };
    size_t privlen = get(first, "priv", priv);
    pthread_t threads[4];
    int i, round;
    void *bad;

    assert_int_equal(pthread_barrier_init(&s.barrier, NULL, 4), 0);
    for (round = 0; round < 10; round++) {
        s.key = round & 1 ? generate(v) : import(v, "priv", priv, privlen);
        for (i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, work, &s), 0);
        for (i = 0; i < 4; i++) {
            pthread_join(threads[i], &bad);
            assert_null(bad);
        }
        EVP_PKEY_free(s.key);
    }
    pthread_barrier_destroy(&s.barrier);
    EVP_PKEY_free(first);
}

static void test_at_once(void **state)
{
    (void)state;
    for_each(at_once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_uses),
        cmocka_unit_test(test_modulus),
        cmocka_unit_test(test_at_once),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
