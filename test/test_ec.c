/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EC keys and ECDH against OpenSSL's default provider: import and export in
 * every form, all parameters, explicit parameters, checks, what must be refused
 * and why; shared secrets, with and without X9.63 KDF; fall-back to another
 * provider for curves that wolfnano does not have.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ecerr.h>
#include <openssl/pem.h>

#include "ec.h"

/* Every parameter that can be read from both keys has the same bytes. */
static void same_parameters(EVP_PKEY *ours, EVP_PKEY *theirs)
{
    const OSSL_PARAM *p = EVP_PKEY_gettable_params(theirs);
    unsigned char a[256], b[256];

    for (; p->key != NULL; p++) {
        OSSL_PARAM x[2] = { { p->key, p->data_type, a, sizeof(a), OSSL_PARAM_UNMODIFIED },
                            OSSL_PARAM_construct_end() };
        OSSL_PARAM y[2] = { { p->key, p->data_type, b, sizeof(b), OSSL_PARAM_UNMODIFIED },
                            OSSL_PARAM_construct_end() };

        memset(a, 0, sizeof(a));
        memset(b, 0, sizeof(b));
        if (p->data_type == OSSL_PARAM_INTEGER)
            x[0].data_size = y[0].data_size = sizeof(int);
        assert_int_equal(EVP_PKEY_get_params(ours, x), EVP_PKEY_get_params(theirs, y));
        ERR_clear_error();
        if (x[0].return_size != y[0].return_size || memcmp(a, b, sizeof(a)) != 0)
            fail_msg("parameter %s differs", p->key);
    }
}

static void test_round_trip(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; ec_groups[i] != NULL; i++) {
        EVP_PKEY *ours = ec_generate(wnt_wolf(), ec_groups[i]), *theirs, *back, *dup, *other;

        assert_non_null(ours);
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours));
        theirs = ec_copy(wnt_default(), ours, EVP_PKEY_KEYPAIR);
        back = ec_copy(wnt_wolf(), theirs, EVP_PKEY_PUBLIC_KEY);
        other = ec_generate(wnt_default(), ec_groups[i]);
        dup = EVP_PKEY_dup(ours);
        same_parameters(ours, theirs);
        assert_int_equal(EVP_PKEY_eq(ours, theirs), 1);
        assert_int_equal(EVP_PKEY_eq(theirs, ours), 1);
        assert_int_equal(EVP_PKEY_eq(back, ours), 1);
        assert_int_equal(EVP_PKEY_eq(dup, back), 1);
        assert_int_equal(EVP_PKEY_eq(ours, other), 0);
        assert_int_equal(EVP_PKEY_eq(other, ours), 0);
        {
            EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), ours, NULL);

            wnt_ok(EVP_PKEY_check(ctx));
            wnt_ok(EVP_PKEY_public_check(ctx));
            wnt_ok(EVP_PKEY_public_check_quick(ctx));
            wnt_ok(EVP_PKEY_private_check(ctx));
            wnt_ok(EVP_PKEY_param_check(ctx));
            EVP_PKEY_CTX_free(ctx);
        }
        wnt_assert_no_errors();
        EVP_PKEY_free(ours), EVP_PKEY_free(theirs), EVP_PKEY_free(back), EVP_PKEY_free(dup);
        EVP_PKEY_free(other);
    }
}

static EVP_PKEY *import_point(OSSL_LIB_CTX *lib, const char *group, const void *p, size_t n)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("group", (char *)group, 0),
        OSSL_PARAM_construct_octet_string("pub", (void *)p, n), OSSL_PARAM_construct_end()
    };

    return ec_import(lib, EVP_PKEY_PUBLIC_KEY, params);
}

/* Compressed, hybrid and uncompressed points of each curve; bad ones. */
static void test_points(void **state)
{
    size_t i, n, size;

    (void)state;
    for (i = 0; ec_groups[i] != NULL; i++) {
        EVP_PKEY *theirs = ec_generate(wnt_default(), ec_groups[i]), *key;
        unsigned char p[140], q[140];
        int form;

        wnt_ok(EVP_PKEY_get_octet_string_param(theirs, "encoded-pub-key", p, sizeof(p), &n));
        size = (n - 1) / 2;
        for (form = 2; form <= 6; form += 2) {
            memcpy(q, p, n);
            q[0] = (unsigned char)(form == 4 ? 4 : form | (p[n - 1] & 1));
            key = import_point(wnt_wolf(), ec_groups[i], q, form == 2 ? 1 + size : n);
            assert_non_null(key);
            assert_int_equal(EVP_PKEY_eq(key, theirs), 1);
            EVP_PKEY_free(key);
            q[n - 1] ^= 2;                      /* off the curve */
            if (form != 2) {
                assert_null(import_point(wnt_wolf(), ec_groups[i], q, n));
                wnt_assert_error(ERR_LIB_EC, EC_R_POINT_IS_NOT_ON_CURVE);
            }
            q[n - 1] ^= 2;
            q[0] ^= 1;                          /* wrong parity bit */
            if (form != 2) {
                assert_null(import_point(wnt_wolf(), ec_groups[i], q, n));
                wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_ENCODING);
            }
            q[0] ^= 1;
            assert_null(import_point(wnt_wolf(), ec_groups[i], q, (form == 2 ? size : n - 1)));
            wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_ENCODING);
        }
        memset(q + 1, 0xff, sizeof(q) - 1);     /* not below p */
        q[0] = 4;
        assert_null(import_point(wnt_wolf(), ec_groups[i], q, n));
        wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_ENCODING);
        q[0] = 0;
        assert_null(import_point(wnt_wolf(), ec_groups[i], q, 1));
        wnt_assert_error(ERR_LIB_EC, EC_R_POINT_AT_INFINITY);
        EVP_PKEY_free(theirs);
    }
}

/* Half of all x have no point: the same verdict as the default provider. */
static void test_compressed_verdicts(void **state)
{
    static const char *const groups[] = { "P-256", "P-384", "P-521", "P-224", "secp224k1",
                                          "brainpoolP256r1" };
    size_t sizes[] = { 32, 48, 66, 28, 28, 32 }, i, j;
    unsigned char p[67];

    (void)state;
    for (i = 0; i < 6; i++) {
        for (j = 0; j < 20; j++) {
            EVP_PKEY *a, *b;

            wnt_rand_bytes(p, sizeof(p));
            p[0] = 2 + (p[0] & 1);
            p[1] &= i == 2 ? 1 : 0x7f;
            a = import_point(wnt_wolf(), groups[i], p, 1 + sizes[i]);
            b = import_point(wnt_default(), groups[i], p, 1 + sizes[i]);
            assert_int_equal(a != NULL, b != NULL);
            if (a != NULL)
                assert_int_equal(EVP_PKEY_eq(a, b), 1);
            ERR_clear_error();
            EVP_PKEY_free(a);
            EVP_PKEY_free(b);
        }
    }
}

/* Private keys of 0, n and above are refused; leading zeros are not. */
static void test_private(void **state)
{
    static const char n[] = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    unsigned char *order, native[40];
    size_t len, i, j;

    (void)state;
    order = wnt_unhex(n, &len);
    for (i = 0; i < 4; i++) {
        OSSL_PARAM params[3];
        EVP_PKEY *key;

        memset(native, 0, sizeof(native));
        for (j = 0; i != 0 && i != 3 && j < 32; j++)
            native[j] = order[31 - j];
        native[0] = (unsigned char)(native[0] - (i == 2) + (i == 3));
        params[0] = OSSL_PARAM_construct_utf8_string("group", (char *)"P-256", 0);
        params[1] = OSSL_PARAM_construct_BN("priv", native, sizeof(native));
        params[2] = OSSL_PARAM_construct_end();
        key = ec_import(wnt_wolf(), EVP_PKEY_KEYPAIR, params);
        assert_int_equal(key != NULL, i >= 2);
        if (i < 2)
            wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_PRIVATE_KEY);
        EVP_PKEY_free(key);
    }
    free(order);
}

/* Explicit parameters of a known curve are that curve; others are refused. */
static void test_explicit(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; ec_groups[i] != NULL; i++) {
        EVP_PKEY *key = ec_generate(wnt_wolf(), ec_groups[i]), *back, *theirs;
        static const char *const names[] = { "p", "a", "b", "order", "cofactor" };
        BIGNUM *v[5] = { NULL };
        unsigned char native[5][70], g[140], pub[140];
        size_t j, gn, pn;
        OSSL_PARAM params[9];

        for (j = 0; j < 5; j++) {
            wnt_ok(EVP_PKEY_get_bn_param(key, names[j], &v[j]));
            BN_bn2nativepad(v[j], native[j], 70);
            params[j] = OSSL_PARAM_construct_BN(names[j], native[j], 70);
        }
        wnt_ok(EVP_PKEY_get_octet_string_param(key, "generator", g, sizeof(g), &gn));
        wnt_ok(EVP_PKEY_get_octet_string_param(key, "pub", pub, sizeof(pub), &pn));
        params[5] = OSSL_PARAM_construct_utf8_string("field-type", (char *)"prime-field", 0);
        params[6] = OSSL_PARAM_construct_octet_string("generator", g, gn);
        params[7] = OSSL_PARAM_construct_octet_string("pub", pub, pn);
        params[8] = OSSL_PARAM_construct_end();
        back = ec_import(wnt_wolf(), EVP_PKEY_PUBLIC_KEY, params);
        theirs = ec_import(wnt_default(), EVP_PKEY_PUBLIC_KEY, params);
        assert_non_null(back);
        assert_non_null(theirs);
        wnt_assert_no_errors();
        native[2][1] ^= 1;
        assert_null(ec_import(wnt_wolf(), EVP_PKEY_PUBLIC_KEY, params));
        wnt_assert_prov_error(PROV_R_INVALID_CURVE);
        for (j = 0; j < 5; j++)
            BN_free(v[j]);
        EVP_PKEY_free(key), EVP_PKEY_free(back), EVP_PKEY_free(theirs);
    }
}

/* A TLS peer's share: set on a copy of the parameters; never in hybrid form. */
static void test_encoded(void **state)
{
    EVP_PKEY *peer = ec_generate(wnt_default(), "P-256"), *key;
    EVP_PKEY *ours = ec_generate(wnt_wolf(), "P-256");
    unsigned char p[65], q[200];
    size_t n;

    (void)state;
    wnt_ok(EVP_PKEY_get_octet_string_param(peer, "encoded-pub-key", p, sizeof(p), &n));
    key = EVP_PKEY_new();
    wnt_ok(EVP_PKEY_copy_parameters(key, ours));
    wnt_ok(EVP_PKEY_set1_encoded_public_key(key, p, n));
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
    assert_int_equal(EVP_PKEY_eq(key, peer), 1);
    wnt_assert_no_errors();
    p[0] = (unsigned char)(6 | (p[64] & 1));
    assert_int_not_equal(EVP_PKEY_set1_encoded_public_key(key, p, n), 1);
    wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_ENCODING);
    assert_int_equal(EVP_PKEY_eq(key, peer), 1);
    p[0] = 4;
    p[64] ^= 1;
    assert_int_not_equal(EVP_PKEY_set1_encoded_public_key(key, p, n), 1);
    wnt_assert_error(ERR_LIB_EC, EC_R_POINT_IS_NOT_ON_CURVE);
    wnt_ok(EVP_PKEY_set_utf8_string_param(key, "point-format", "compressed"));
    wnt_ok(EVP_PKEY_get_octet_string_param(key, "pub", q, sizeof(q), &n));
    assert_int_equal(n, 33);
    wnt_ok(EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", q, sizeof(q), &n));
    assert_int_equal(n, 65);
    assert_int_equal(EVP_PKEY_set_utf8_string_param(key, "point-format", "sideways"), 0);
    ERR_clear_error();
    /* no private value of a public key */
    assert_int_equal(EVP_PKEY_get_octet_string_param(key, "priv", q, sizeof(q), &n), 0);
    ERR_clear_error();
    EVP_PKEY_free(key), EVP_PKEY_free(peer), EVP_PKEY_free(ours);
}

static void test_ecdh(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; ec_groups[i] != NULL; i++) {
        EVP_PKEY *a = ec_generate(wnt_wolf(), ec_groups[i]);
        EVP_PKEY *b = ec_generate(wnt_default(), ec_groups[i]);
        EVP_PKEY *a2 = ec_copy(wnt_default(), a, EVP_PKEY_PUBLIC_KEY);
        EVP_PKEY *b2 = ec_copy(wnt_wolf(), b, EVP_PKEY_PUBLIC_KEY);
        unsigned char x[100], y[100];
        size_t n, m, round, outlen = 77;
        int mode = 1;
        OSSL_PARAM kdf[] = {
            OSSL_PARAM_construct_utf8_string("kdf-type", (char *)"X963KDF", 0),
            OSSL_PARAM_construct_utf8_string("kdf-digest", (char *)"SHA384", 0),
            OSSL_PARAM_construct_size_t("kdf-outlen", &outlen),
            OSSL_PARAM_construct_octet_string("kdf-ukm", (char *)"some bytes", 10),
            OSSL_PARAM_construct_int("ecdh-cofactor-mode", &mode), OSSL_PARAM_construct_end()
        };

        for (round = 0; round < 8; round++) {       /* with and without a table */
            const OSSL_PARAM *p = round & 1 ? kdf : round & 2 ? kdf + 4 : NULL;

            n = m = sizeof(x);
            assert_int_equal(ec_derive(wnt_wolf(), a, b2, p, x, &n), 1);
            assert_int_equal(ec_derive(wnt_default(), b, a2, p, y, &m), 1);
            assert_int_equal(n, m);
            assert_memory_equal(x, y, n);
        }
        m = 5;                                      /* truncated, as by default */
        assert_int_equal(ec_derive(wnt_wolf(), a, b2, NULL, x, &m), 1);
        assert_int_equal(m, 5);
        n = 76;
        assert_int_not_equal(ec_derive(wnt_wolf(), a, b2, kdf, x, &n), 1);
        wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        n = 1;
        assert_int_equal(ec_derive(wnt_wolf(), a, b2, NULL, NULL, &n), 1);
        assert_true(n > 1);
        wnt_assert_no_errors();
        EVP_PKEY_free(a), EVP_PKEY_free(b), EVP_PKEY_free(a2), EVP_PKEY_free(b2);
    }
}

static void test_ecdh_mismatch(void **state)
{
    EVP_PKEY *a = ec_generate(wnt_wolf(), "P-256"), *b = ec_generate(wnt_wolf(), "secp256k1");
    unsigned char x[32];
    size_t n = 32;

    (void)state;
    assert_int_not_equal(ec_derive(wnt_wolf(), a, b, NULL, x, &n), 1);
    ERR_clear_error();
    EVP_PKEY_free(a), EVP_PKEY_free(b);
}

/* A curve that is not here: a reason in a strict context, the default provider's
 * key where that is loaded too. */
static void test_other_curves(void **state)
{
    OSSL_LIB_CTX *both = wnt_new_ctx(NULL, "default");
    EVP_PKEY *theirs = ec_generate(wnt_default(), "sect233k1"), *key = NULL;
    BIO *bio = BIO_new(BIO_s_mem());
    unsigned char h[32] = { 1 }, sig[256];
    size_t n;

    (void)state;
    assert_non_null(both);
    wnt_ok(EVP_set_default_properties(both, "?provider=wolfnano"));
    assert_null(ec_generate(wnt_wolf(), "sect233k1"));
    wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_CURVE);
    wnt_ok(PEM_write_bio_PKCS8PrivateKey(bio, theirs, NULL, NULL, 0, NULL, NULL));
    key = PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, both, NULL);
    assert_non_null(key);
    wnt_assert_no_errors();
    assert_int_equal(ec_sign(both, key, h, 32, sig, &n), 1);
    assert_int_equal(ec_verify(wnt_default(), theirs, h, 32, sig, n), 1);
    wnt_assert_no_errors();
    EVP_PKEY_free(key), EVP_PKEY_free(theirs);
    BIO_free(bio);
    OSSL_LIB_CTX_free(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_points),
        cmocka_unit_test(test_compressed_verdicts), cmocka_unit_test(test_private),
        cmocka_unit_test(test_explicit),      cmocka_unit_test(test_encoded),
        cmocka_unit_test(test_ecdh),          cmocka_unit_test(test_ecdh_mismatch),
        cmocka_unit_test(test_other_curves),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
