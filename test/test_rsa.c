/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA against OpenSSL's default provider: keys of sizes that go different ways
 * (the kernel, wolfCrypt's assembly, its generic code), every padding both ways,
 * edges of the primitive, implicit rejection, wrong CRT numbers, sizes, errors and
 * what works after them. Known answers are in pytest/ (Wycheproof) and in OpenSSL's
 * own data (scripts/openssl-tests).
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include "rsa.h"

#define PUBLIC  EVP_PKEY_PUBLIC_KEY
#define KEYPAIR EVP_PKEY_KEYPAIR

/* Keys of the default provider, and the same ones imported by wolfnano. */
static const struct {
    size_t bits;
    uint64_t e;
    size_t primes;
} kinds[] = {
    { 1024, 65537, 2 }, { 2048, 65537, 2 }, { 3072, 3, 2 }, { 2048, 0x100000001, 2 },
    { 1037, 17, 2 }, { 1536, 65537, 3 }, { 1100, 65537, 2 }, { 4096, 65537, 2 },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))
static EVP_PKEY *theirs[KINDS], *ours[KINDS], *ours_public[KINDS];

static const struct rsa_mode pkcs1_sha256 = { .pad = "pkcs1", .md = "SHA256", .implicit = -1 };
static const struct rsa_mode pkcs1 = { .pad = "pkcs1", .implicit = -1 };
static const struct rsa_mode none = { .pad = "none", .implicit = -1 };

static int setup(void **state)
{
    size_t i;

    if (wnt_setup(state) != 0)
        return -1;
    for (i = 0; i < KINDS; i++) {
        theirs[i] = rsa_generate(wnt_default(), kinds[i].bits, kinds[i].e, kinds[i].primes);
        assert_non_null(theirs[i]);
        ours[i] = rsa_copy(wnt_wolf(), theirs[i], KEYPAIR);
        ours_public[i] = rsa_copy(wnt_wolf(), theirs[i], PUBLIC);
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours[i]));
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours_public[i]));
    }
    return 0;
}

static int teardown(void **state)
{
    size_t i;

    for (i = 0; i < KINDS; i++) {
        EVP_PKEY_free(theirs[i]);
        EVP_PKEY_free(ours[i]);
        EVP_PKEY_free(ours_public[i]);
    }
    return wnt_teardown(state);
}

/* ---- keys ---- */

/* Both providers tell the same numbers of it. */
static void same_numbers(EVP_PKEY *a, EVP_PKEY *b)
{
    OSSL_PARAM *pa = NULL, *pb = NULL, *p;
    const OSSL_PARAM *q;
    BIGNUM *x = NULL, *y = NULL;
    int n = 0;

    wnt_ok(EVP_PKEY_todata(a, KEYPAIR, &pa));
    wnt_ok(EVP_PKEY_todata(b, KEYPAIR, &pb));
    for (p = pa; p->key != NULL; p++, n++) {
        q = OSSL_PARAM_locate_const(pb, p->key);
        assert_non_null(q);
        assert_true(OSSL_PARAM_get_BN(p, &x) && OSSL_PARAM_get_BN(q, &y));
        assert_int_equal(BN_cmp(x, y), 0);
    }
    assert_true(n >= 8);
    BN_free(x);
    BN_free(y);
    OSSL_PARAM_free(pa);
    OSSL_PARAM_free(pb);
}

static int sign_and_verify(EVP_PKEY *signer, OSSL_LIB_CTX *lib, EVP_PKEY *verifier,
                           OSSL_LIB_CTX *verifier_lib)
{
    unsigned char h[32], sig[RSA_TEST_MAX];
    size_t n = sizeof(sig);

    wnt_rand_bytes(h, sizeof(h));
    return rsa_do(lib, signer, RSA_SIGN, &pkcs1_sha256, h, sizeof(h), sig, &n) == 1
        && rsa_do(verifier_lib, verifier, RSA_VERIFY, &pkcs1_sha256, h, sizeof(h), sig, &n) == 1;
}

static void test_generate(void **state)
{
    static const struct {
        size_t bits;
        uint64_t e;
        size_t primes;
    } good[] = { { 512, 3, 2 }, { 1024, 65537, 2 }, { 1031, 17, 2 }, { 2048, 65537, 2 },
                 { 1500, 65537, 3 } };
    EVP_PKEY *key, *copy;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        EVP_PKEY_CTX *ctx;

        key = rsa_generate(wnt_wolf(), good[i].bits, good[i].e, good[i].primes);
        assert_non_null(key);
        wnt_assert_no_errors();
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
        assert_int_equal(EVP_PKEY_get_bits(key), good[i].bits);
        copy = rsa_copy(wnt_default(), key, KEYPAIR);
        same_numbers(key, copy);
        ctx = EVP_PKEY_CTX_new_from_pkey(wnt_default(), copy, NULL);
        wnt_ok(EVP_PKEY_check(ctx));
        EVP_PKEY_CTX_free(ctx);
        assert_true(sign_and_verify(key, wnt_wolf(), copy, wnt_default()));
        EVP_PKEY_free(copy);
        EVP_PKEY_free(key);
    }
}

static void test_generate_errors(void **state)
{
    (void)state;
    assert_null(rsa_generate(wnt_wolf(), 511, 65537, 2));
    wnt_assert_prov_error(PROV_R_KEY_SIZE_TOO_SMALL);
    assert_null(rsa_generate(wnt_wolf(), 1024, 65536, 2));
    wnt_assert_error(ERR_LIB_RSA, RSA_R_PUB_EXPONENT_OUT_OF_RANGE);
    assert_null(rsa_generate(wnt_wolf(), 1024, 1, 2));
    wnt_assert_error(ERR_LIB_RSA, RSA_R_PUB_EXPONENT_OUT_OF_RANGE);
    assert_null(rsa_generate(wnt_wolf(), 1024, 65537, 4));
    wnt_assert_error(ERR_LIB_RSA, RSA_R_KEY_PRIME_NUM_INVALID);
}

static void test_keys(void **state)
{
    EVP_PKEY *dup;
    size_t i;

    (void)state;
    for (i = 0; i < KINDS; i++) {
        same_numbers(theirs[i], ours[i]);
        assert_int_equal(EVP_PKEY_get_bits(ours[i]), EVP_PKEY_get_bits(theirs[i]));
        assert_int_equal(EVP_PKEY_get_security_bits(ours[i]),
                         EVP_PKEY_get_security_bits(theirs[i]));
        assert_int_equal(EVP_PKEY_get_size(ours[i]), EVP_PKEY_get_size(theirs[i]));
        assert_int_equal(EVP_PKEY_eq(ours[i], ours_public[i]), 1);
        assert_int_equal(EVP_PKEY_eq(ours[i], ours[(i + 1) % KINDS]), 0);
        dup = EVP_PKEY_dup(ours[i]);
        assert_non_null(dup);
        same_numbers(ours[i], dup);
        assert_true(sign_and_verify(dup, wnt_wolf(), theirs[i], wnt_default()));
        EVP_PKEY_free(dup);
        dup = EVP_PKEY_dup(ours_public[i]);
        assert_true(sign_and_verify(theirs[i], wnt_default(), dup, wnt_wolf()));
        EVP_PKEY_free(dup);
    }
    wnt_assert_no_errors();
}

/* One import with a number of a keypair replaced; NULL value: left out. */
static EVP_PKEY *altered(EVP_PKEY *key, const char *name, const BIGNUM *value)
{
    OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    OSSL_PARAM *all = NULL, *params, *p;
    BIGNUM *v[32];
    EVP_PKEY *made;
    int n = 0;

    wnt_ok(EVP_PKEY_todata(key, KEYPAIR, &all));
    for (p = all; p->key != NULL; p++) {
        v[n] = NULL;
        if (strcmp(p->key, name) == 0)
            v[n] = value != NULL ? BN_dup(value) : NULL;
        else
            assert_true(OSSL_PARAM_get_BN(p, &v[n]));
        if (v[n] != NULL)
            OSSL_PARAM_BLD_push_BN(bld, p->key, v[n++]);
    }
    params = OSSL_PARAM_BLD_to_param(bld);
    made = rsa_import(wnt_wolf(), KEYPAIR, params);
    OSSL_PARAM_free(params);
    OSSL_PARAM_free(all);
    OSSL_PARAM_BLD_free(bld);
    while (n > 0)
        BN_free(v[--n]);
    return made;
}

/* A fault in a CRT number must not reach the signature (Boneh, DeMillo, Lipton). */
static void test_wrong_crt(void **state)
{
    static const char *const names[] = {
        OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
        OSSL_PKEY_PARAM_RSA_COEFFICIENT1, OSSL_PKEY_PARAM_RSA_FACTOR1,
        OSSL_PKEY_PARAM_RSA_FACTOR2
    };
    BIGNUM *x = NULL;
    EVP_PKEY *bad;
    size_t i, k;

    (void)state;
    for (k = 0; k < 3; k++)
        for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            wnt_ok(EVP_PKEY_get_bn_param(theirs[k], names[i], &x));
            BN_sub_word(x, 2);
            bad = altered(ours[k], names[i], x);
            assert_non_null(bad);
            assert_true(sign_and_verify(bad, wnt_wolf(), theirs[k], wnt_default()));
            EVP_PKEY_free(bad);
        }
    BN_free(x);
    wnt_assert_no_errors();
}

static void test_import_errors(void **state)
{
    BIGNUM *n = NULL, *x;

    (void)state;
    wnt_ok(EVP_PKEY_get_bn_param(theirs[0], OSSL_PKEY_PARAM_RSA_N, &n));
    assert_null(altered(ours[0], OSSL_PKEY_PARAM_RSA_N, NULL));
    ERR_clear_error();
    assert_null(altered(ours[0], OSSL_PKEY_PARAM_RSA_EXPONENT2, NULL));
    wnt_assert_error(ERR_LIB_RSA, RSA_R_INVALID_MULTI_PRIME_KEY);
    x = BN_dup(n);
    BN_lshift(x, x, 1);
    assert_null(altered(ours[0], OSSL_PKEY_PARAM_RSA_FACTOR1, x));
    wnt_assert_error(ERR_LIB_RSA, RSA_R_INVALID_KEYPAIR);
    BN_free(x);
    BN_free(n);
}

/* ---- signatures ---- */

static const struct {
    struct rsa_mode mode;
    size_t hash;
    int fixed;                  /* one signature only */
} signatures[] = {
    { { .pad = "pkcs1", .md = "SHA1" }, 20, 1 },
    { { .pad = "pkcs1", .md = "SHA256" }, 32, 1 },
    { { .pad = "pkcs1", .md = "SHA512" }, 64, 1 },
    { { .pad = "pkcs1", .md = "MD5-SHA1" }, 36, 1 },
    { { .pad = "x931", .md = "SHA256" }, 32, 1 },
    { { .pad = "pss", .md = "SHA256", .saltlen = "0" }, 32, 1 },
    { { .pad = "pss", .md = "SHA256", .saltlen = "digest" }, 32, 0 },
    { { .pad = "pss", .md = "SHA384", .mgf1 = "SHA1", .saltlen = "max" }, 48, 0 },
    { { .pad = "pss", .md = "SHA512", .saltlen = "20" }, 64, 0 },
};

static void one_signature(size_t k, size_t s)
{
    const struct rsa_mode *m = &signatures[s].mode;
    unsigned char h[64], a[RSA_TEST_MAX], b[RSA_TEST_MAX];
    size_t la = sizeof(a), lb = sizeof(b), n = signatures[s].hash;

    wnt_rand_bytes(h, sizeof(h));
    if (strcmp(m->pad, "x931") == 0 && kinds[k].bits % 8 != 0) {
        /* its first byte is 6b, whatever the modulus begins with */
        assert_int_equal(rsa_do(wnt_default(), theirs[k], RSA_SIGN, m, h, n, b, &lb), 0);
        wnt_assert_error(ERR_LIB_RSA, RSA_R_DATA_TOO_LARGE_FOR_MODULUS);
        assert_int_equal(rsa_do(wnt_wolf(), ours[k], RSA_SIGN, m, h, n, a, &la), 0);
        wnt_assert_error(ERR_LIB_RSA, RSA_R_DATA_TOO_LARGE_FOR_MODULUS);
        return;
    }
    wnt_ok(rsa_do(wnt_wolf(), ours[k], RSA_SIGN, m, h, n, a, &la));
    wnt_ok(rsa_do(wnt_default(), theirs[k], RSA_SIGN, m, h, n, b, &lb));
    assert_int_equal(la, lb);
    if (signatures[s].fixed)
        assert_memory_equal(a, b, la);
    wnt_ok(rsa_do(wnt_default(), theirs[k], RSA_VERIFY, m, h, n, a, &la));
    wnt_ok(rsa_do(wnt_wolf(), ours[k], RSA_VERIFY, m, h, n, b, &lb));
    wnt_ok(rsa_do(wnt_wolf(), ours_public[k], RSA_VERIFY, m, h, n, b, &lb));
    wnt_assert_no_errors();
    h[wnt_rand_below(n)] ^= 0x40;
    assert_int_not_equal(rsa_do(wnt_wolf(), ours[k], RSA_VERIFY, m, h, n, b, &lb), 1);
    ERR_clear_error();
}

static void test_signatures(void **state)
{
    size_t k, s;

    (void)state;
    for (k = 0; k < KINDS; k++)
        for (s = 0; s < sizeof(signatures) / sizeof(signatures[0]); s++)
            one_signature(k, s);
}

/* Changed signatures: not valid, as the default provider says. */
static void test_changed_signatures(void **state)
{
    unsigned char h[32], sig[RSA_TEST_MAX];
    size_t k, i, n, len;

    (void)state;
    for (k = 0; k < KINDS; k++)
        for (i = 0; i < 20; i++) {
            wnt_rand_bytes(h, sizeof(h));
            len = sizeof(sig);
            wnt_ok(rsa_do(wnt_wolf(), ours[k], RSA_SIGN, &pkcs1_sha256, h, 32, sig, &len));
            sig[wnt_rand_below(len)] ^= (unsigned char)(1 << wnt_rand_below(8));
            n = len;
            assert_int_not_equal(
                rsa_do(wnt_wolf(), ours[k], RSA_VERIFY, &pkcs1_sha256, h, 32, sig, &n), 1);
            ERR_clear_error();
        }
    n = len - 1;
    assert_int_not_equal(
        rsa_do(wnt_wolf(), ours[KINDS - 1], RSA_VERIFY, &pkcs1_sha256, h, 32, sig, &n), 1);
    ERR_clear_error();
}

/* Streamed messages of random splits; a duplicate goes on by itself. */
static void test_streams(void **state)
{
    unsigned char text[3000], sig[RSA_TEST_MAX], again[RSA_TEST_MAX];
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *dup = EVP_MD_CTX_new(), *check = EVP_MD_CTX_new();
    size_t at, n, len, len2;

    (void)state;
    wnt_rand_bytes(text, sizeof(text));
    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, "SHA384", wnt_wolf(), NULL, ours[1], NULL));
    for (at = 0; at < sizeof(text); at += n) {
        n = 1 + wnt_rand_below(700);
        if (n > sizeof(text) - at)
            n = sizeof(text) - at;
        wnt_ok(EVP_DigestSignUpdate(ctx, text + at, n));
        if (at == 0)
            wnt_ok(EVP_MD_CTX_copy_ex(dup, ctx));
        else
            wnt_ok(EVP_DigestSignUpdate(dup, text + at, n));
    }
    wnt_ok(EVP_DigestSignFinal(ctx, NULL, &len));
    assert_int_equal(len, 256);
    len = len2 = sizeof(sig);
    wnt_ok(EVP_DigestSignFinal(ctx, sig, &len));
    wnt_ok(EVP_DigestSignFinal(dup, again, &len2));
    assert_int_equal(len, len2);
    assert_memory_equal(sig, again, len);
    wnt_ok(EVP_DigestVerifyInit_ex(check, NULL, "SHA384", wnt_default(), NULL, theirs[1], NULL));
    wnt_ok(EVP_DigestVerify(check, sig, len, text, sizeof(text)));
    EVP_MD_CTX_reset(ctx);      /* without, libcrypto 3.0 keeps the old key */
    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, "SHA256", wnt_wolf(), NULL, ours[0], NULL));
    len = sizeof(sig);
    wnt_ok(EVP_DigestSign(ctx, sig, &len, text, 10));
    assert_int_equal(len, 128);
    wnt_assert_no_errors();
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(dup);
    EVP_MD_CTX_free(check);
}

/* ---- the primitive ---- */

/* Raw operations, both ways, on 0, 1, n - 1, multiples of a prime, random ones. */
static void raw_input(size_t k, const BIGNUM *x)
{
    static const struct {
        enum rsa_op op;
        int private;
    } ops[] = { { RSA_ENCRYPT, 0 }, { RSA_DECRYPT, 1 }, { RSA_SIGN, 1 } };
    unsigned char in[RSA_TEST_MAX], a[RSA_TEST_MAX], b[RSA_TEST_MAX];
    size_t size = (kinds[k].bits + 7) / 8, la, lb, i;

    BN_bn2binpad(x, in, (int)size);
    for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        la = lb = sizeof(a);
        wnt_ok(rsa_do(wnt_wolf(), ours[k], ops[i].op, &none, in, size, a, &la));
        wnt_assert_no_errors();
        wnt_ok(rsa_do(wnt_default(), theirs[k], ops[i].op, &none, in, size, b, &lb));
        assert_int_equal(la, lb);
        assert_memory_equal(a, b, la);
        if (ops[i].private) {
            wnt_ok(rsa_do(wnt_wolf(), ours_public[k], RSA_ENCRYPT, &none, a, la, b, &lb));
            assert_memory_equal(b, in, size);
        }
    }
}

static void test_raw(void **state)
{
    BIGNUM *n = NULL, *p = NULL, *x = BN_new();
    unsigned char in[RSA_TEST_MAX], out[RSA_TEST_MAX];
    size_t k, i, size, len;

    (void)state;
    for (k = 0; k < KINDS; k++) {
        size = (kinds[k].bits + 7) / 8;
        wnt_ok(EVP_PKEY_get_bn_param(theirs[k], OSSL_PKEY_PARAM_RSA_N, &n));
        wnt_ok(EVP_PKEY_get_bn_param(theirs[k], OSSL_PKEY_PARAM_RSA_FACTOR1, &p));
        BN_zero(x);
        raw_input(k, x);
        raw_input(k, BN_value_one());
        raw_input(k, p);
        BN_sub(x, n, p);
        raw_input(k, x);
        BN_sub(x, n, BN_value_one());
        raw_input(k, x);
        for (i = 0; i < 3; i++) {
            wnt_rand_bytes(in, size);
            in[0] = 0;
            BN_bin2bn(in, (int)size, x);
            raw_input(k, x);
        }
        /* n itself, and all ones */
        BN_bn2binpad(n, in, (int)size);
        for (i = 0; i < 2; i++) {
            len = sizeof(out);
            assert_int_not_equal(
                rsa_do(wnt_wolf(), ours[k], RSA_ENCRYPT, &none, in, size, out, &len), 1);
            wnt_assert_error(ERR_LIB_RSA, RSA_R_DATA_TOO_LARGE_FOR_MODULUS);
            assert_int_not_equal(
                rsa_do(wnt_wolf(), ours[k], RSA_DECRYPT, &none, in, size, out, &len), 1);
            wnt_assert_error(ERR_LIB_RSA, RSA_R_DATA_TOO_LARGE_FOR_MODULUS);
            memset(in, 0xff, size);
        }
    }
    BN_free(n);
    BN_free(p);
    BN_free(x);
}

/* ---- encryption ---- */

static const struct rsa_mode ciphers[] = {
    { .pad = "pkcs1", .implicit = -1 },
    { .pad = "oaep", .implicit = -1 },
    { .pad = "oaep", .md = "SHA256", .implicit = -1 },
    { .pad = "oaep", .md = "SHA256", .mgf1 = "SHA1", .label = "a label", .implicit = -1 },
};

static void test_encryption(void **state)
{
    unsigned char in[60], c[RSA_TEST_MAX], out[RSA_TEST_MAX];
    size_t k, i, n, lc, lo;

    (void)state;
    for (k = 0; k < KINDS; k++)
        for (i = 0; i < sizeof(ciphers) / sizeof(ciphers[0]); i++) {
            n = wnt_rand_below(sizeof(in));
            wnt_rand_bytes(in, sizeof(in));
            lc = lo = sizeof(c);
            wnt_ok(rsa_do(wnt_wolf(), ours_public[k], RSA_ENCRYPT, &ciphers[i], in, n, c, &lc));
            assert_int_equal(lc, (kinds[k].bits + 7) / 8);
            wnt_ok(rsa_do(wnt_default(), theirs[k], RSA_DECRYPT, &ciphers[i], c, lc, out, &lo));
            assert_int_equal(lo, n);
            assert_memory_equal(out, in, n);
            lc = lo = sizeof(c);
            wnt_ok(rsa_do(wnt_default(), theirs[k], RSA_ENCRYPT, &ciphers[i], in, n, c, &lc));
            wnt_ok(rsa_do(wnt_wolf(), ours[k], RSA_DECRYPT, &ciphers[i], c, lc, out, &lo));
            assert_int_equal(lo, n);
            assert_memory_equal(out, in, n);
            wnt_assert_no_errors();
            /* spoilt: never the message again */
            c[lc - 1] ^= 1;
            lo = sizeof(out);
            if (rsa_do(wnt_wolf(), ours[k], RSA_DECRYPT, &ciphers[i], c, lc, out, &lo) == 1)
                assert_false(n > 8 && lo == n && memcmp(out, in, n) == 0);
            ERR_clear_error();
        }
}

/* A ciphertext whose block has no padding at all. */
static void test_implicit_rejection(void **state)
{
    static const struct rsa_mode on = { .pad = "pkcs1", .implicit = 1 };
    static const struct rsa_mode off = { .pad = "pkcs1", .implicit = 0 };
    unsigned char em[RSA_TEST_MAX] = { 0 }, c[RSA_TEST_MAX], a[RSA_TEST_MAX], b[RSA_TEST_MAX];
    size_t k, n, lc, la, lb, i, lengths = 0, first = 0;

    (void)state;
    for (k = 0; k < KINDS; k++) {
        n = (kinds[k].bits + 7) / 8;
        for (i = 0; i < 6; i++) {
            wnt_rand_bytes(em + 1, n - 1);
            em[1] = 3;
            lc = la = lb = sizeof(c);
            wnt_ok(rsa_do(wnt_wolf(), ours_public[k], RSA_ENCRYPT, &none, em, n, c, &lc));
            wnt_ok(rsa_do(wnt_wolf(), ours[k], RSA_DECRYPT, &on, c, lc, a, &la));
            wnt_ok(rsa_do(wnt_wolf(), ours[k], RSA_DECRYPT, &on, c, lc, b, &lb));
            wnt_assert_no_errors();
            assert_int_equal(la, lb);
            assert_true(la <= n - 11);
            assert_memory_equal(a, b, la);
            if (i == 0)
                first = la;
            lengths += la != first;
            lb = sizeof(b);
            assert_int_not_equal(rsa_do(wnt_wolf(), ours[k], RSA_DECRYPT, &off, c, lc, b, &lb), 1);
            ERR_clear_error();
        }
    }
    assert_true(lengths > 0);
}

/* ---- sizes, errors, and going on ---- */

static void test_sizes(void **state)
{
    unsigned char h[32] = { 1 }, out[RSA_TEST_MAX];
    EVP_PKEY_CTX *ctx = rsa_ctx(wnt_wolf(), ours[1], RSA_SIGN, &pkcs1_sha256);
    size_t len = 0;

    (void)state;
    wnt_ok(EVP_PKEY_sign(ctx, NULL, &len, h, 32));
    assert_int_equal(len, 256);
    len = 255;
    assert_int_not_equal(EVP_PKEY_sign(ctx, out, &len, h, 32), 1);
    wnt_assert_prov_error(PROV_R_INVALID_SIGNATURE_SIZE);
    len = sizeof(out);
    assert_int_not_equal(EVP_PKEY_sign(ctx, out, &len, h, 31), 1);
    wnt_assert_prov_error(PROV_R_INVALID_DIGEST_LENGTH);
    len = sizeof(out);
    wnt_ok(EVP_PKEY_sign(ctx, out, &len, h, 32));
    assert_int_equal(len, 256);
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);

    ctx = rsa_ctx(wnt_wolf(), ours[1], RSA_ENCRYPT, &pkcs1);
    wnt_ok(EVP_PKEY_encrypt(ctx, NULL, &len, h, 32));
    assert_int_equal(len, 256);
    len = 255;
    assert_int_not_equal(EVP_PKEY_encrypt(ctx, out, &len, h, 32), 1);
    wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    len = sizeof(out);
    assert_int_not_equal(EVP_PKEY_encrypt(ctx, out, &len, out, 246), 1);
    wnt_assert_error(ERR_LIB_RSA, RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE);
    len = sizeof(out);
    wnt_ok(EVP_PKEY_encrypt(ctx, out, &len, h, 32));
    EVP_PKEY_CTX_free(ctx);

    ctx = rsa_ctx(wnt_wolf(), ours[1], RSA_DECRYPT, &pkcs1);
    len = 255;
    assert_int_not_equal(EVP_PKEY_decrypt(ctx, out, &len, out, 256), 1);
    wnt_assert_prov_error(PROV_R_BAD_LENGTH);
    len = sizeof(out);
    wnt_ok(EVP_PKEY_decrypt(ctx, out, &len, out, 256));
    assert_int_equal(len, 32);
    assert_memory_equal(out, h, 32);
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);
}

static void test_no_private_key(void **state)
{
    unsigned char h[256] = { 1 }, out[RSA_TEST_MAX];
    size_t len, k;

    (void)state;
    for (k = 0; k < 3; k++) {
        len = sizeof(out);
        assert_int_not_equal(
            rsa_do(wnt_wolf(), ours_public[k], RSA_SIGN, &pkcs1_sha256, h, 32, out, &len), 1);
        wnt_assert_prov_error(PROV_R_NOT_A_PRIVATE_KEY);
        len = sizeof(out);
        assert_int_not_equal(rsa_do(wnt_wolf(), ours_public[k], RSA_DECRYPT, &none, h,
                                    (kinds[k].bits + 7) / 8 < 256 ? 128 : 256, out, &len), 1);
        wnt_assert_prov_error(PROV_R_NOT_A_PRIVATE_KEY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generate),       cmocka_unit_test(test_generate_errors),
        cmocka_unit_test(test_keys),           cmocka_unit_test(test_wrong_crt),
        cmocka_unit_test(test_import_errors),  cmocka_unit_test(test_signatures),
        cmocka_unit_test(test_changed_signatures), cmocka_unit_test(test_streams),
        cmocka_unit_test(test_raw),            cmocka_unit_test(test_encryption),
        cmocka_unit_test(test_implicit_rejection), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_no_private_key),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
