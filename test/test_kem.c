/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSASVE against OpenSSL's default provider: both directions, range of the secret,
 * size queries, refusals with their reasons, contexts copied and used again.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include "rsa.h"

#define ROOM 600

static EVP_PKEY_CTX *kem_ctx(OSSL_LIB_CTX *lib, EVP_PKEY *key, int decapsulate)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);

    assert_non_null(ctx);
    wnt_ok(decapsulate ? EVP_PKEY_decapsulate_init(ctx, NULL)
                       : EVP_PKEY_encapsulate_init(ctx, NULL));
    wnt_ok(EVP_PKEY_CTX_set_kem_op(ctx, "RSASVE"));
    return ctx;
}

static void encapsulate(OSSL_LIB_CTX *lib, EVP_PKEY *key, unsigned char *out, unsigned char *secret)
{
    EVP_PKEY_CTX *ctx = kem_ctx(lib, key, 0);
    size_t n = ROOM, m = ROOM;

    wnt_ok(EVP_PKEY_encapsulate(ctx, out, &n, secret, &m));
    assert_int_equal(n, EVP_PKEY_get_size(key));
    assert_int_equal(m, n);
    EVP_PKEY_CTX_free(ctx);
}

static int decapsulate(OSSL_LIB_CTX *lib, EVP_PKEY *key, const unsigned char *in, size_t n,
                       unsigned char *secret)
{
    EVP_PKEY_CTX *ctx = kem_ctx(lib, key, 1);
    size_t m = ROOM;
    int ok = EVP_PKEY_decapsulate(ctx, secret, &m, in, n);

    if (ok == 1)
        assert_int_equal(m, EVP_PKEY_get_size(key));
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static void test_both_ways(void **state)
{
    static const size_t bits[] = { 512, 1024, 1031, 1536, 2048 };
    unsigned char c[ROOM], sent[ROOM], got[ROOM];
    size_t i, n;
    int round;

    (void)state;
    for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        EVP_PKEY *theirs = rsa_generate(wnt_default(), bits[i], 65537, 2);
        EVP_PKEY *ours = rsa_copy(wnt_wolf(), theirs, EVP_PKEY_KEYPAIR);

        wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours));
        n = (bits[i] + 7) / 8;
        for (round = 0; round < 20; round++) {
            encapsulate(wnt_wolf(), ours, c, sent);
            assert_int_equal(decapsulate(wnt_default(), theirs, c, n, got), 1);
            assert_memory_equal(got, sent, n);
            encapsulate(wnt_default(), theirs, c, sent);
            assert_int_equal(decapsulate(wnt_wolf(), ours, c, n, got), 1);
            assert_memory_equal(got, sent, n);
        }
        EVP_PKEY_free(ours);
        EVP_PKEY_free(theirs);
    }
    wnt_assert_no_errors();
}

static void test_served(void **state)
{
    EVP_KEM *kem = EVP_KEM_fetch(wnt_wolf(), "RSA", NULL);

    (void)state;
    assert_non_null(kem);
    wnt_assert_wolfnano(EVP_KEM_get0_provider(kem));
    assert_true(EVP_KEM_is_a(kem, "1.2.840.113549.1.1.1"));
    EVP_KEM_free(kem);
}

/* Secrets are below the modulus, differ, and use its top bits. */
static void test_secrets(void **state)
{
    EVP_PKEY *key = rsa_generate(wnt_wolf(), 1025, 65537, 2);
    unsigned char c[ROOM], a[ROOM], b[ROOM] = { 0 };
    int i, top = 0;

    (void)state;
    for (i = 0; i < 40; i++) {
        encapsulate(wnt_wolf(), key, c, a);
        assert_true(a[0] <= 1);
        top += a[0];
        assert_memory_not_equal(a, b, 129);
        memcpy(b, a, 129);
    }
    assert_true(top < 40);
    EVP_PKEY_free(key);
}

static void test_sizes(void **state)
{
    EVP_PKEY *key = rsa_generate(wnt_wolf(), 1024, 65537, 2);
    EVP_PKEY_CTX *ctx = kem_ctx(wnt_wolf(), key, 0);
    unsigned char c[ROOM], sent[ROOM], got[ROOM];
    size_t n = 0, m = 0;

    (void)state;
    wnt_ok(EVP_PKEY_encapsulate(ctx, NULL, &n, NULL, &m));
    assert_true(n == 128 && m == 128);
    n = 0;
    wnt_ok(EVP_PKEY_encapsulate(ctx, NULL, &n, NULL, NULL));
    assert_int_equal(n, 128);
    assert_int_equal(EVP_PKEY_encapsulate(ctx, NULL, NULL, NULL, NULL), 0);
    n = 127;
    memset(sent, 0x55, sizeof(sent));
    assert_int_equal(EVP_PKEY_encapsulate(ctx, c, &n, sent, &m), 0);
    wnt_assert_prov_error(PROV_R_INVALID_OUTPUT_LENGTH);
    assert_int_equal(sent[0], 0x55);
    n = 128;
    wnt_ok(EVP_PKEY_encapsulate(ctx, c, &n, sent, &m));     /* usable again */
    EVP_PKEY_CTX_free(ctx);

    ctx = kem_ctx(wnt_wolf(), key, 1);
    wnt_ok(EVP_PKEY_decapsulate(ctx, NULL, &m, c, 128));
    assert_int_equal(m, 128);
    for (n = 1; n < 200; n += n == 127 ? 2 : 1) {
        m = sizeof(got);
        assert_int_equal(EVP_PKEY_decapsulate(ctx, got, &m, c, n), 0);
        wnt_assert_prov_error(PROV_R_BAD_LENGTH);
    }
    m = 127;
    assert_int_equal(EVP_PKEY_decapsulate(ctx, got, &m, c, 128), 0);
    wnt_assert_prov_error(PROV_R_INVALID_OUTPUT_LENGTH);
    m = 128;
    wnt_ok(EVP_PKEY_decapsulate(ctx, got, &m, c, 128));
    assert_memory_equal(got, sent, 128);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    wnt_assert_no_errors();
}

/* The operation: by default only from 3.5 on, by name in any case. */
static void test_operation(void **state)
{
    EVP_PKEY *theirs = rsa_generate(wnt_default(), 1024, 65537, 2);
    EVP_PKEY *ours = rsa_copy(wnt_wolf(), theirs, EVP_PKEY_KEYPAIR);
    EVP_PKEY_CTX *a = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), ours, NULL);
    EVP_PKEY_CTX *b = EVP_PKEY_CTX_new_from_pkey(wnt_default(), theirs, NULL);
    unsigned char c[ROOM], s[ROOM];
    size_t n = ROOM, m = ROOM;

    (void)state;
    wnt_ok(EVP_PKEY_encapsulate_init(a, NULL));
    wnt_ok(EVP_PKEY_encapsulate_init(b, NULL));
    assert_int_equal(EVP_PKEY_encapsulate(a, c, &n, s, &m), EVP_PKEY_encapsulate(b, c, &n, s, &m));
    ERR_clear_error();
    assert_int_equal(EVP_PKEY_CTX_set_kem_op(b, "RSA-OAEP"), 0);
    ERR_clear_error();
    assert_int_equal(EVP_PKEY_CTX_set_kem_op(a, "RSA-OAEP"), 0);
    wnt_assert_prov_error(PROV_R_INVALID_MODE);
    wnt_ok(EVP_PKEY_CTX_set_kem_op(a, "rsasve"));
    wnt_ok(EVP_PKEY_encapsulate(a, c, &n, s, &m));
    EVP_PKEY_CTX_free(a);
    EVP_PKEY_CTX_free(b);
    EVP_PKEY_free(ours);
    EVP_PKEY_free(theirs);
    wnt_assert_no_errors();
}

/* Ciphertexts 0, 1, n - 1, n, n + 1 and all ones: the default provider's verdict. */
static void test_ciphertexts(void **state)
{
    EVP_PKEY *theirs = rsa_generate(wnt_default(), 1024, 65537, 2);
    EVP_PKEY *ours = rsa_copy(wnt_wolf(), theirs, EVP_PKEY_KEYPAIR);
    unsigned char c[6][128] = { { 0 } }, got[ROOM], want[ROOM];
    BIGNUM *n = NULL;
    int i, ok;

    (void)state;
    wnt_ok(EVP_PKEY_get_bn_param(theirs, OSSL_PKEY_PARAM_RSA_N, &n));
    c[1][127] = 1;
    for (i = 2; i < 5; i++)
        BN_bn2binpad(n, c[i], 128);
    c[2][127]--;                /* n is odd */
    wnt_ok(BN_add_word(n, 1) && BN_bn2binpad(n, c[4], 128) == 128);
    memset(c[5], 0xff, 128);
    for (i = 0; i < 6; i++) {
        memset(got, 0, sizeof(got));
        memset(want, 0, sizeof(want));
        ok = decapsulate(wnt_default(), theirs, c[i], 128, want);
        ERR_clear_error();
        assert_int_equal(decapsulate(wnt_wolf(), ours, c[i], 128, got), ok);
        if (ok == 1)
            assert_memory_equal(got, want, 128);
        else if (i >= 3)
            wnt_assert_error(ERR_LIB_RSA, RSA_R_DATA_TOO_LARGE_FOR_MODULUS);
        ERR_clear_error();
    }
    BN_free(n);
    EVP_PKEY_free(ours);
    EVP_PKEY_free(theirs);
}

static void test_wrong_keys(void **state)
{
    EVP_PKEY *key = rsa_generate(wnt_wolf(), 1024, 65537, 2);
    EVP_PKEY *public = rsa_copy(wnt_wolf(), key, EVP_PKEY_PUBLIC_KEY), *pss = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), "RSA-PSS", NULL);
    unsigned char c[ROOM], sent[ROOM], got[ROOM];

    (void)state;
    encapsulate(wnt_wolf(), public, c, sent);
    assert_int_equal(decapsulate(wnt_wolf(), public, c, 128, got), 0);
    wnt_assert_prov_error(PROV_R_NOT_A_PRIVATE_KEY);
    assert_int_equal(decapsulate(wnt_wolf(), key, c, 128, got), 1);
    assert_memory_equal(got, sent, 128);

    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 1024));
    wnt_ok(EVP_PKEY_generate(ctx, &pss));
    EVP_PKEY_CTX_free(ctx);
    ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), pss, NULL);
    assert_true(EVP_PKEY_encapsulate_init(ctx, NULL) <= 0);
    wnt_assert_prov_error(PROV_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(pss);
    EVP_PKEY_free(public);
    EVP_PKEY_free(key);
}

/* A copy lives without its original; initialised anew a context takes the other part. */
static void test_contexts(void **state)
{
    EVP_PKEY *key = rsa_generate(wnt_wolf(), 1024, 65537, 2);
    EVP_PKEY_CTX *ctx = kem_ctx(wnt_wolf(), key, 0), *copy;
    unsigned char c[ROOM], sent[ROOM], got[ROOM];
    size_t n = ROOM, m = ROOM;

    (void)state;
    copy = EVP_PKEY_CTX_dup(ctx);
    assert_non_null(copy);
    EVP_PKEY_CTX_free(ctx);
    wnt_ok(EVP_PKEY_encapsulate(copy, c, &n, sent, &m));
    wnt_ok(EVP_PKEY_decapsulate_init(copy, NULL));
    wnt_ok(EVP_PKEY_CTX_set_kem_op(copy, "RSASVE"));
    m = ROOM;
    wnt_ok(EVP_PKEY_decapsulate(copy, got, &m, c, n));
    assert_memory_equal(got, sent, 128);
    EVP_PKEY_CTX_free(copy);
    EVP_PKEY_free(key);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_served),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_operation),
        cmocka_unit_test(test_ciphertexts),
        cmocka_unit_test(test_wrong_keys),
        cmocka_unit_test(test_contexts),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
