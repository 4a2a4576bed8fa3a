/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EC keys on curves that wolfnano lacks, where it is preferred and the default provider
 * is loaded too: everything that can be done with a key, against the default provider
 * alone; errors where there is no other provider or it must not be used; life times and
 * threads.
 */
#include <pthread.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecerr.h>
#include <openssl/pem.h>

#include "ec.h"
#include "fallback.h"

static OSSL_LIB_CTX *both;      /* wolfnano preferred, default loaded */

static const char *const groups[] = { "sect233k1", "sect571r1", "c2pnb163v1",
                                      "wap-wsg-idm-ecid-wtls4", NULL };

static int setup(void **state)
{
    if (wnt_setup(state) != 0)
        return -1;
    both = fallback_ctx(NULL, "?provider=wolfnano");
    return 0;
}

static int teardown(void **state)
{
    OSSL_LIB_CTX_free(both);
    return wnt_teardown(state);
}

static void same_parameters(EVP_PKEY *ours, EVP_PKEY *theirs)
{
    const OSSL_PARAM *p = EVP_PKEY_gettable_params(theirs);
    unsigned char a[256] = { 0 }, b[256] = { 0 };

    for (; p->key != NULL; p++) {
        OSSL_PARAM x[2] = { { p->key, p->data_type, a, sizeof(a), OSSL_PARAM_UNMODIFIED },
                            OSSL_PARAM_construct_end() };
        OSSL_PARAM y[2] = { { p->key, p->data_type, b, sizeof(b), OSSL_PARAM_UNMODIFIED },
                            OSSL_PARAM_construct_end() };

        if (p->data_type == OSSL_PARAM_INTEGER)
            x[0].data_size = y[0].data_size = sizeof(int);
        assert_int_equal(EVP_PKEY_get_params(ours, x), EVP_PKEY_get_params(theirs, y));
        ERR_clear_error();
        if (x[0].return_size != y[0].return_size || memcmp(a, b, sizeof(a)) != 0)
            fail_msg("parameter %s differs", p->key);
    }
}

static void check_all(OSSL_LIB_CTX *lib, EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);

    wnt_ok(EVP_PKEY_check(ctx));
    wnt_ok(EVP_PKEY_public_check(ctx));
    wnt_ok(EVP_PKEY_private_check(ctx));
    wnt_ok(EVP_PKEY_param_check(ctx));
    EVP_PKEY_CTX_free(ctx);
}

/* ---- keys -------------------------------------------------------------------------- */

static void test_keys(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; groups[i] != NULL; i++) {
        EVP_PKEY *ours = ec_generate(both, groups[i]), *theirs, *back, *dup, *other, *p256;

        assert_non_null(ours);
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours));
        assert_true(EVP_PKEY_is_a(ours, "EC"));
        theirs = ec_copy(wnt_default(), ours, EVP_PKEY_KEYPAIR);
        back = ec_copy(both, theirs, EVP_PKEY_PUBLIC_KEY);
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(back));
        dup = EVP_PKEY_dup(ours);
        other = ec_generate(wnt_default(), groups[i]);
        p256 = ec_generate(both, "P-256");
        same_parameters(ours, theirs);
        assert_int_equal(EVP_PKEY_eq(ours, theirs), 1);
        assert_int_equal(EVP_PKEY_eq(theirs, ours), 1);
        assert_int_equal(EVP_PKEY_eq(back, ours), 1);
        assert_int_equal(EVP_PKEY_eq(dup, back), 1);
        assert_int_equal(EVP_PKEY_eq(ours, other), 0);
        assert_int_equal(EVP_PKEY_eq(other, ours), 0);
        assert_int_not_equal(EVP_PKEY_eq(ours, p256), 1);
        assert_int_not_equal(EVP_PKEY_eq(p256, ours), 1);
        assert_int_equal(EVP_PKEY_parameters_eq(ours, p256), 0);
        assert_int_equal(EVP_PKEY_parameters_eq(ours, back), 1);
        ERR_clear_error();
        check_all(both, ours);
        check_all(both, dup);
        wnt_ok(EVP_PKEY_set_utf8_string_param(ours, "point-format", "compressed"));
        wnt_assert_no_errors();
        EVP_PKEY_free(ours), EVP_PKEY_free(theirs), EVP_PKEY_free(back), EVP_PKEY_free(dup);
        EVP_PKEY_free(other), EVP_PKEY_free(p256);
    }
}

/* Parameters alone, and keys made from them. */
static void test_parameters(void **state)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(both, "EC", NULL);
    EVP_PKEY *params = NULL, *key = NULL;

    (void)state;
    wnt_ok(EVP_PKEY_paramgen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_group_name(ctx, "P-256"));
    wnt_ok(EVP_PKEY_CTX_set_group_name(ctx, "sect283k1"));
    wnt_ok(EVP_PKEY_generate(ctx, &params));
    EVP_PKEY_CTX_free(ctx);
    ctx = EVP_PKEY_CTX_new_from_pkey(both, params, NULL);
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    assert_int_equal(EVP_PKEY_get_bits(key), 281);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
    key = NULL;
    /* and back to a curve of our own */
    ctx = EVP_PKEY_CTX_new_from_name(both, "EC", NULL);
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_group_name(ctx, "sect283k1"));
    wnt_ok(EVP_PKEY_CTX_set_ec_param_enc(ctx, OPENSSL_EC_NAMED_CURVE));
    wnt_ok(EVP_PKEY_CTX_set_group_name(ctx, "P-384"));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    assert_int_equal(EVP_PKEY_get_bits(key), 384);
    EVP_PKEY_CTX_free(ctx);
    wnt_assert_no_errors();
    EVP_PKEY_free(key), EVP_PKEY_free(params);
}

/* A prime curve as nobody names it: P-256 with another generator. */
static EVP_PKEY *strange_curve(OSSL_LIB_CTX *lib, const EVP_PKEY *p256)
{
    unsigned char numbers[5][64], g[65];
    size_t n = sizeof(g), len;
    const char *const names[] = { "p", "a", "b", "order" };
    OSSL_PARAM params[8];
    BIGNUM *bn = NULL;
    int i;

    for (i = 0; i < 4; i++) {
        bn = NULL;
        wnt_ok(EVP_PKEY_get_bn_param(p256, names[i], &bn));
        len = (size_t)BN_num_bytes(bn);
        BN_bn2nativepad(bn, numbers[i], (int)len);
        params[i] = OSSL_PARAM_construct_BN(names[i], numbers[i], len);
        BN_free(bn);
    }
    wnt_ok(EVP_PKEY_get_octet_string_param(p256, "pub", g, sizeof(g), &n));
    params[4] = OSSL_PARAM_construct_octet_string("generator", g, n);
    params[5] = OSSL_PARAM_construct_utf8_string("field-type", (char *)"prime-field", 0);
    params[6] = OSSL_PARAM_construct_octet_string("pub", g, n);
    params[7] = OSSL_PARAM_construct_end();
    return ec_import(lib, EVP_PKEY_PUBLIC_KEY, params);
}

static void test_explicit(void **state)
{
    EVP_PKEY *p256 = ec_generate(wnt_default(), "P-256"), *ours, *theirs, *key = NULL;
    EVP_PKEY_CTX *ctx;

    (void)state;
    ours = strange_curve(both, p256);
    theirs = strange_curve(wnt_default(), p256);
    assert_non_null(ours);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours));
    assert_int_equal(EVP_PKEY_eq(ours, theirs), 1);
    ctx = EVP_PKEY_CTX_new_from_pkey(both, ours, NULL);
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    check_all(both, key);
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key), EVP_PKEY_free(ours);
    assert_null(strange_curve(wnt_wolf(), p256));
    wnt_assert_prov_error(PROV_R_INVALID_CURVE);
    EVP_PKEY_free(p256), EVP_PKEY_free(theirs);
}

static EVP_PKEY *through_pem(OSSL_LIB_CTX *to, EVP_PKEY *key, int private)
{
    BIO *bio = BIO_new(BIO_s_mem());
    EVP_PKEY *back;

    if (private)
        wnt_ok(PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL));
    else
        wnt_ok(PEM_write_bio_PUBKEY(bio, key));
    back = private ? PEM_read_bio_PrivateKey_ex(bio, NULL, NULL, NULL, to, NULL)
                   : PEM_read_bio_PUBKEY_ex(bio, NULL, NULL, NULL, to, NULL);
    assert_non_null(back);
    BIO_free(bio);
    return back;
}

static void test_files(void **state)
{
    size_t i;
    int private;

    (void)state;
    for (i = 0; groups[i] != NULL; i++) {
        EVP_PKEY *ours = ec_generate(both, groups[i]), *theirs, *back;

        for (private = 0; private < 2; private++) {
            theirs = through_pem(wnt_default(), ours, private);
            back = through_pem(both, theirs, private);
            /* which may have stayed with the decoder's provider: both must do */
            assert_int_equal(EVP_PKEY_eq(back, ours), 1);
            if (private)
                check_all(both, back);
            assert_int_equal(EVP_PKEY_eq(theirs, ours), 1);
            wnt_assert_no_errors();
            EVP_PKEY_free(theirs), EVP_PKEY_free(back);
        }
        EVP_PKEY_free(ours);
    }
}

/* ---- operations --------------------------------------------------------------------- */

static void test_sign(void **state)
{
    unsigned char hash[32], sig[256];
    size_t i, n;

    (void)state;
    for (i = 0; groups[i] != NULL; i++) {
        EVP_PKEY *ours = ec_generate(both, groups[i]);
        EVP_PKEY *theirs = ec_copy(wnt_default(), ours, EVP_PKEY_KEYPAIR);

        wnt_rand_bytes(hash, sizeof(hash));
        wnt_ok(ec_sign(both, ours, hash, sizeof(hash), sig, &n));
        wnt_ok(ec_verify(wnt_default(), theirs, hash, sizeof(hash), sig, n));
        wnt_ok(ec_sign(wnt_default(), theirs, hash, sizeof(hash), sig, &n));
        wnt_ok(ec_verify(both, ours, hash, sizeof(hash), sig, n));
        wnt_assert_no_errors();
        hash[0] ^= 1;
        assert_int_equal(ec_verify(both, ours, hash, sizeof(hash), sig, n), 0);
        ERR_clear_error();
        EVP_PKEY_free(ours), EVP_PKEY_free(theirs);
    }
}

static int message_verify(OSSL_LIB_CTX *lib, EVP_PKEY *key, const char *md, const void *data,
                          size_t n, const unsigned char *sig, size_t siglen)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int ok;

    wnt_ok(EVP_DigestVerifyInit_ex(ctx, NULL, md, lib, NULL, key, NULL));
    ok = EVP_DigestVerify(ctx, sig, siglen, data, n);
    EVP_MD_CTX_free(ctx);
    return ok;
}

/* Streaming, a copy in the middle, and the same context with other keys. */
static void test_messages(void **state)
{
    static const char *const digests[] = { "SHA256", "SHA3-384", "SM3", NULL };
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx;
    unsigned char data[100], sig[256];
    size_t i, j, n;

    (void)state;
    wnt_rand_bytes(data, sizeof(data));
    for (i = 0; groups[i] != NULL; i++) {
        EVP_PKEY *ours = ec_generate(both, groups[i]), *p256 = ec_generate(both, "P-256");
        EVP_PKEY *theirs = ec_copy(wnt_default(), ours, EVP_PKEY_KEYPAIR);

        for (j = 0; digests[j] != NULL; j++) {
            pctx = NULL;
            wnt_ok(EVP_DigestSignInit_ex(ctx, &pctx, digests[j], both, NULL, ours, NULL));
            wnt_assert_wolfnano(EVP_PKEY_CTX_get0_provider(pctx));
            wnt_ok(EVP_DigestSignUpdate(ctx, data, 10));
            wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
            wnt_ok(EVP_DigestSignUpdate(ctx, data + 10, 90));
            n = sizeof(sig);
            wnt_ok(EVP_DigestSignFinal(ctx, sig, &n));
            wnt_ok(message_verify(wnt_default(), theirs, digests[j], data, 100, sig, n));
            wnt_ok(message_verify(both, ours, digests[j], data, 100, sig, n));
            assert_int_not_equal(message_verify(both, ours, digests[j], data, 99, sig, n), 1);
            ERR_clear_error();
            wnt_ok(EVP_DigestSignUpdate(copy, data + 10, 40));
            n = sizeof(sig);
            wnt_ok(EVP_DigestSignFinal(copy, sig, &n));
            wnt_ok(message_verify(wnt_default(), theirs, digests[j], data, 50, sig, n));
            /* a key of our own (OpenSSL forgets to change the key without a reset) */
            EVP_MD_CTX_reset(ctx);
            wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, "SHA256", both, NULL, p256, NULL));
            n = sizeof(sig);
            wnt_ok(EVP_DigestSign(ctx, sig, &n, data, 100));
            wnt_ok(message_verify(both, p256, "SHA256", data, 100, sig, n));
            EVP_MD_CTX_reset(ctx);
            wnt_assert_no_errors();
        }
        EVP_PKEY_free(ours), EVP_PKEY_free(theirs), EVP_PKEY_free(p256);
    }
    EVP_MD_CTX_free(ctx), EVP_MD_CTX_free(copy);
}

static void test_derive(void **state)
{
    unsigned char a[128], b[128];
    size_t i, na, nb;

    (void)state;
    for (i = 0; groups[i] != NULL; i++) {
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string("kdf-type", (char *)"X963KDF", 0),
            OSSL_PARAM_construct_utf8_string("kdf-digest", (char *)"SHA256", 0),
            OSSL_PARAM_construct_size_t("kdf-outlen", &na), OSSL_PARAM_construct_end()
        };
        EVP_PKEY *ours = ec_generate(both, groups[i]), *peer = ec_generate(wnt_default(), groups[i]);
        EVP_PKEY *theirs = ec_copy(wnt_default(), ours, EVP_PKEY_KEYPAIR);
        EVP_PKEY *share = ec_copy(both, peer, EVP_PKEY_PUBLIC_KEY), *p256 = ec_generate(both, "P-256");
        int kdf;

        for (kdf = 0; kdf < 2; kdf++) {
            na = nb = kdf ? 60 : sizeof(a);
            wnt_ok(ec_derive(both, ours, share, kdf ? params : NULL, a, &na));
            wnt_ok(ec_derive(wnt_default(), theirs, peer, kdf ? params : NULL, b, &nb));
            assert_int_equal(na, nb);
            assert_memory_equal(a, b, na);
            wnt_assert_no_errors();
        }
        na = sizeof(a);
        assert_int_not_equal(ec_derive(both, ours, p256, NULL, a, &na), 1);
        assert_int_not_equal(ec_derive(both, p256, ours, NULL, a, &na), 1);
        assert_int_not_equal(ERR_peek_error(), 0);
        ERR_clear_error();
        EVP_PKEY_free(ours), EVP_PKEY_free(theirs), EVP_PKEY_free(peer), EVP_PKEY_free(share);
        EVP_PKEY_free(p256);
    }
}

/* ---- errors ------------------------------------------------------------------------- */

static void no_curve(OSSL_LIB_CTX *lib)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, "EC", "?provider=wolfnano");
    EVP_PKEY *key = NULL;

    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_assert_no_errors();
    assert_int_not_equal(EVP_PKEY_CTX_set_group_name(ctx, "sect233k1"), 1);
    wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_CURVE);
    wnt_ok(EVP_PKEY_CTX_set_group_name(ctx, "P-256"));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
}

static void test_no_fallback(void **state)
{
    OSSL_LIB_CTX *off = fallback_ctx("fallback = no", "?provider=wolfnano");
    OSSL_LIB_CTX *strict = fallback_ctx(NULL, "provider = 'wolfnano'");
    OSSL_LIB_CTX *bad = wnt_new_ctx("fallback = perhaps", "default");

    (void)state;
    assert_null(bad);
    ERR_clear_error();
    no_curve(wnt_wolf());
    no_curve(off);
    no_curve(strict);
    OSSL_LIB_CTX_free(off), OSSL_LIB_CTX_free(strict);
}

/* A curve that nobody has is an error when it is set; what works after it still works. */
static void test_unknown_everywhere(void **state)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(both, "EC", NULL);
    EVP_PKEY *key = NULL;

    (void)state;
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    assert_int_not_equal(EVP_PKEY_CTX_set_group_name(ctx, "no such curve"), 1);
    wnt_assert_error(ERR_LIB_EC, EC_R_INVALID_CURVE);
    wnt_ok(EVP_PKEY_CTX_set_group_name(ctx, "sect163k1"));
    assert_int_not_equal(EVP_PKEY_CTX_set_group_name(ctx, "no such curve"), 1);
    ERR_clear_error();
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    assert_int_equal(EVP_PKEY_get_bits(key), 163);
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
}

/* ---- life times and threads ------------------------------------------------------------ */

static void sign_and_verify(OSSL_LIB_CTX *lib, EVP_PKEY *key)
{
    unsigned char hash[32] = { 7 }, sig[256];
    size_t n;

    wnt_ok(ec_sign(lib, key, hash, sizeof(hash), sig, &n));
    wnt_ok(ec_verify(lib, key, hash, sizeof(hash), sig, n));
}

/* The default provider comes and goes; keys stay good. */
static void test_unload(void **state)
{
    OSSL_LIB_CTX *lib = wnt_new_ctx(NULL, NULL);
    OSSL_PROVIDER *other;
    EVP_PKEY *key, *dup;
    int i;

    (void)state;
    no_curve(lib);
    for (i = 0; i < 3; i++) {
        other = OSSL_PROVIDER_load(lib, "default");
        wnt_ok(EVP_set_default_properties(lib, "?provider=wolfnano"));
        key = ec_generate(lib, "sect233k1");
        assert_non_null(key);
        OSSL_PROVIDER_unload(other);
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
        dup = EVP_PKEY_dup(key);
        assert_non_null(dup);
        EVP_PKEY_free(key);
        sign_and_verify(lib, dup);
        wnt_assert_no_errors();
        EVP_PKEY_free(dup);
        no_curve(lib);
    }
    OSSL_LIB_CTX_free(lib);
}

/* The library context goes first. */
static void test_outlives_context(void **state)
{
    OSSL_LIB_CTX *lib = fallback_ctx(NULL, "?provider=wolfnano");
    EVP_PKEY *key = ec_generate(lib, "sect233k1");

    (void)state;
    assert_non_null(key);
    OSSL_LIB_CTX_free(lib);
    EVP_PKEY_free(key);
    wnt_assert_no_errors();
}

static EVP_PKEY *shared;

static void *work(void *arg)
{
    int i;

    for (i = 0; i < 10; i++) {
        EVP_PKEY *key = ec_generate(arg, i & 1 ? "sect233k1" : "sect163r2");

        assert_non_null(key);
        sign_and_verify(arg, key);
        sign_and_verify(arg, shared);
        assert_int_equal(EVP_PKEY_eq(shared, key), 0);
        EVP_PKEY_free(key);
    }
    return NULL;
}

static void test_threads(void **state)
{
    OSSL_LIB_CTX *second = fallback_ctx(NULL, "?provider=wolfnano");
    pthread_t threads[8];
    OSSL_PROVIDER *other;
    int i;

    (void)state;
    shared = ec_generate(both, "sect233k1");
    for (i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, i & 1 ? both : second), 0);
    for (i = 0; i < 20; i++) {          /* others appear meanwhile */
        other = OSSL_PROVIDER_load(both, "base");
        OSSL_PROVIDER_unload(other);
    }
    for (i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    EVP_PKEY_free(shared);
    OSSL_LIB_CTX_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_explicit),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_sign),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_derive),
        cmocka_unit_test(test_no_fallback),
        cmocka_unit_test(test_unknown_everywhere),
        cmocka_unit_test(test_unload),
        cmocka_unit_test(test_outlives_context),
        cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
