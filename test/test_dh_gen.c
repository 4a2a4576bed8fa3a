/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DHX parameters made by FIPS 186-2 and 186-4, against OpenSSL's default provider: from
 * the seed that one of them used the other makes the same; what is refused, with its
 * reason; settings; each takes the other's.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/dherr.h>

#include "wntest.h"

struct form {
    const char *type, *digest; /* digest: NULL for the one of q's size */
    size_t pbits, qbits;
    int gindex;
};

/* seed NULL: a random one. NULL with errors on the queue if it fails. */
static EVP_PKEY *make(OSSL_LIB_CTX *lib, const struct form *form, const unsigned char *seed,
                      size_t n)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, "DHX", NULL);
    struct form f = *form;
    OSSL_PARAM params[7], *p = params;
    EVP_PKEY *key = NULL;

    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_FFC_TYPE, (char *)(uintptr_t)f.type, 0);
    *p++ = OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_FFC_PBITS, &f.pbits);
    *p++ = OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_FFC_QBITS, &f.qbits);
    *p++ = OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_FFC_GINDEX, &f.gindex);
    if (f.digest != NULL)
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_FFC_DIGEST,
                                                (char *)(uintptr_t)f.digest, 0);
    if (seed != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_FFC_SEED,
                                                 (void *)(uintptr_t)seed, n);
    *p = OSSL_PARAM_construct_end();
    wnt_ok(EVP_PKEY_paramgen_init(ctx));
    if (EVP_PKEY_CTX_set_params(ctx, params) != 1 || EVP_PKEY_generate(ctx, &key) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static void same_number(EVP_PKEY *a, EVP_PKEY *b, const char *name)
{
    BIGNUM *x = NULL, *y = NULL;

    wnt_ok(EVP_PKEY_get_bn_param(a, name, &x));
    wnt_ok(EVP_PKEY_get_bn_param(b, name, &y));
    if (BN_cmp(x, y) != 0)
        fail_msg("%s differs", name);
    BN_free(x);
    BN_free(y);
}

static void same_int(EVP_PKEY *a, EVP_PKEY *b, const char *name)
{
    int x = -7, y = -7;

    wnt_ok(EVP_PKEY_get_int_param(a, name, &x));
    wnt_ok(EVP_PKEY_get_int_param(b, name, &y));
    assert_int_equal(x, y);
}

/* lib makes what `key` is, from the seed in it. */
static void made_again(OSSL_LIB_CTX *lib, const struct form *form, EVP_PKEY *key)
{
    unsigned char seed[64], again[64];
    size_t n = 0, m = 0;
    EVP_PKEY *other;

    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_FFC_SEED, seed, sizeof(seed), &n));
    other = make(lib, form, seed, n);
    wnt_ok(other != NULL);
    same_number(key, other, OSSL_PKEY_PARAM_FFC_P);
    same_number(key, other, OSSL_PKEY_PARAM_FFC_Q);
    same_number(key, other, OSSL_PKEY_PARAM_FFC_G);
    same_int(key, other, OSSL_PKEY_PARAM_FFC_PCOUNTER);
    if (form->gindex >= 0)
        same_int(key, other, OSSL_PKEY_PARAM_FFC_GINDEX);
    else
        same_int(key, other, OSSL_PKEY_PARAM_FFC_H);
    wnt_ok(EVP_PKEY_get_octet_string_param(other, OSSL_PKEY_PARAM_FFC_SEED, again, sizeof(again),
                                           &m));
    assert_int_equal(m, n);
    assert_memory_equal(again, seed, n);
    EVP_PKEY_free(other);
}

static int valid(OSSL_LIB_CTX *lib, EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    int ok = EVP_PKEY_param_check(ctx) == 1;

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static const struct form forms[] = {
    { "fips186_4", NULL, 1024, 160, -1 },     { "fips186_4", NULL, 1024, 160, 1 },
    { "fips186_4", "SHA256", 1024, 160, 0 },  { "fips186_2", NULL, 512, 160, -1 },
    { "fips186_2", NULL, 512, 224, -1 },      { "fips186_2", NULL, 576, 256, -1 },
    { "fips186_2", "SHA256", 512, 160, -1 },  { "fips186_2", NULL, 1000, 160, -1 },
};

static void test_same_from_a_seed(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        EVP_PKEY *ours = make(wnt_wolf(), &forms[i], NULL, 0);
        EVP_PKEY *theirs = make(wnt_default(), &forms[i], NULL, 0);

        wnt_ok(ours != NULL && theirs != NULL);
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours));
        assert_int_equal(EVP_PKEY_get_bits(ours), (forms[i].pbits + 63) / 64 * 64);
        made_again(wnt_default(), &forms[i], ours);
        made_again(wnt_wolf(), &forms[i], theirs);
        assert_true(valid(wnt_wolf(), ours) && valid(wnt_default(), ours));
        assert_true(valid(wnt_wolf(), theirs));
        EVP_PKEY_free(ours);
        EVP_PKEY_free(theirs);
    }
    wnt_assert_no_errors();
}

static void test_refused(void **state)
{
    static const struct form refused[] = {
        { "fips186_4", NULL, 1024, 224, -1 },    { "fips186_4", NULL, 2048, 160, -1 },
        { "fips186_4", NULL, 3072, 256, -1 },    { "fips186_4", NULL, 512, 160, -1 },
        { "fips186_4", "SHA1", 2048, 224, -1 },  { "fips186_2", NULL, 1024, 200, -1 },
        { "fips186_2", "SHA1", 1024, 224, -1 },
    };
    static const struct form small = { "fips186_4", NULL, 1024, 160, -1 };
    unsigned char seed[65];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        assert_null(make(wnt_wolf(), &refused[i], NULL, 0));
        wnt_assert_error(ERR_LIB_DH, DH_R_BAD_FFC_PARAMETERS);
        /* the default provider takes a digest that is too short for q, filling up */
        if (refused[i].digest == NULL) {
            assert_null(make(wnt_default(), &refused[i], NULL, 0));
            ERR_clear_error();
        }
    }
    memset(seed, 1, sizeof(seed));
    assert_null(make(wnt_wolf(), &small, seed, 19));
    wnt_assert_error(ERR_LIB_DH, DH_R_BAD_FFC_PARAMETERS);
    assert_null(make(wnt_wolf(), &small, seed, 65));
    wnt_assert_prov_error(PROV_R_INVALID_SEED_LENGTH);
    /* a seed of which no q comes */
    for (i = 0; i < 4; i++) {
        EVP_PKEY *ours, *theirs;

        memset(seed, (int)i + 1, sizeof(seed));
        ours = make(wnt_wolf(), &small, seed, 20);
        theirs = make(wnt_default(), &small, seed, 20);
        assert_int_equal(ours == NULL, theirs == NULL);
        EVP_PKEY_free(ours);
        EVP_PKEY_free(theirs);
        ERR_clear_error();
    }
}

/* Ours can be set all that the default provider's can. */
static void test_settings(void **state)
{
    EVP_PKEY_CTX *ours = EVP_PKEY_CTX_new_from_name(wnt_wolf(), "DHX", NULL);
    EVP_PKEY_CTX *theirs = EVP_PKEY_CTX_new_from_name(wnt_default(), "DHX", NULL);
    const OSSL_PARAM *p;

    (void)state;
    wnt_ok(EVP_PKEY_paramgen_init(ours));
    wnt_ok(EVP_PKEY_paramgen_init(theirs));
    for (p = EVP_PKEY_CTX_settable_params(theirs); p->key != NULL; p++)
        if (OSSL_PARAM_locate_const(EVP_PKEY_CTX_settable_params(ours), p->key) == NULL)
            fail_msg("%s cannot be set", p->key);
    EVP_PKEY_CTX_free(ours);
    EVP_PKEY_CTX_free(theirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_from_a_seed),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_settings),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
