/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA and ECDSA signatures, OAEP and key exchanges with keys of wolfnano over digests
 * that it lacks, where it is preferred and the default (and legacy) provider is loaded
 * too: each made by one and verified by the other; errors where there is no other.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/rsa.h>

#include "ec.h"
#include "fallback.h"

static OSSL_LIB_CTX *both, *theirs;     /* each with legacy */
static OSSL_PROVIDER *loaded[3];

static const unsigned char message[] = "a message of some length that is signed";

static int setup(void **state)
{
    if (wnt_setup(state) != 0)
        return -1;
    both = fallback_ctx(NULL, "?provider=wolfnano");
    theirs = OSSL_LIB_CTX_new();
    loaded[0] = OSSL_PROVIDER_load(both, "legacy");
    loaded[1] = OSSL_PROVIDER_load(theirs, "default");
    loaded[2] = OSSL_PROVIDER_load(theirs, "legacy");
    return loaded[0] != NULL && loaded[1] != NULL && loaded[2] != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    size_t i;

    for (i = 0; i < 3; i++)
        OSSL_PROVIDER_unload(loaded[i]);
    OSSL_LIB_CTX_free(both);
    OSSL_LIB_CTX_free(theirs);
    return wnt_teardown(state);
}

static EVP_PKEY *copy_to(OSSL_LIB_CTX *lib, EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, EVP_PKEY_get0_type_name(key), NULL);
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy = NULL;

    wnt_ok(EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &params));
    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    wnt_ok(EVP_PKEY_fromdata(ctx, &copy, EVP_PKEY_KEYPAIR, params));
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(ctx);
    return copy;
}

static EVP_PKEY *rsa_key(OSSL_LIB_CTX *lib)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(lib, NULL, "RSA", (size_t)2048);

    assert_non_null(key);
    return key;
}

/* ---- signatures ------------------------------------------------------------------------- */

struct how {
    const char *md, *pad, *mgf1;
    int saltlen;
};

static size_t settings(const struct how *how, OSSL_PARAM params[4])
{
    size_t n = 0;

    if (how->pad != NULL)
        params[n++] = OSSL_PARAM_construct_utf8_string("pad-mode", (char *)how->pad, 0);
    if (how->saltlen != 0)
        params[n++] = OSSL_PARAM_construct_int("saltlen", (int *)&how->saltlen);
    if (how->mgf1 != NULL)
        params[n++] = OSSL_PARAM_construct_utf8_string("mgf1-digest", (char *)how->mgf1, 0);
    params[n] = OSSL_PARAM_construct_end();
    return n;
}

static void stream_sign(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct how *how,
                        unsigned char *sig, size_t *n)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx = NULL;
    OSSL_PARAM params[4];

    settings(how, params);
    wnt_ok(EVP_DigestSignInit_ex(ctx, &pctx, how->md, lib, NULL, key, NULL));
    wnt_ok(EVP_PKEY_CTX_set_params(pctx, params));
    wnt_ok(EVP_DigestSignUpdate(ctx, message, 7));
    wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
    wnt_ok(EVP_DigestSignUpdate(copy, message + 7, sizeof(message) - 7));
    wnt_ok(EVP_DigestSignFinal(copy, NULL, n));
    wnt_ok(EVP_DigestSignFinal(copy, sig, n));
    EVP_MD_CTX_free(ctx), EVP_MD_CTX_free(copy);
}

static int stream_verify(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct how *how,
                         const unsigned char *sig, size_t n)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx = NULL;
    OSSL_PARAM params[4];
    int ok;

    settings(how, params);
    wnt_ok(EVP_DigestVerifyInit_ex(ctx, &pctx, how->md, lib, NULL, key, NULL));
    wnt_ok(EVP_PKEY_CTX_set_params(pctx, params));
    ok = EVP_DigestVerify(ctx, sig, n, message, sizeof(message));
    EVP_MD_CTX_free(ctx);
    return ok;
}

/* Over a digest: padding first, then its name. */
static int hash_op(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct how *how, int verify,
                   unsigned char *sig, size_t *n)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    EVP_MD *md = EVP_MD_fetch(lib, how->md, NULL);
    unsigned char hash[64];
    OSSL_PARAM params[4];
    unsigned size;
    int ok;

    assert_non_null(md);
    settings(how, params);
    wnt_ok(EVP_Digest(message, sizeof(message), hash, &size, md, NULL));
    wnt_ok(verify ? EVP_PKEY_verify_init(ctx) : EVP_PKEY_sign_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_CTX_set_signature_md(ctx, md));
    ok = verify ? EVP_PKEY_verify(ctx, sig, *n, hash, size)
                : EVP_PKEY_sign(ctx, sig, n, hash, size);
    EVP_PKEY_CTX_free(ctx);
    EVP_MD_free(md);
    return ok;
}

static void both_ways(EVP_PKEY *ours, EVP_PKEY *key, const struct how *how)
{
    unsigned char sig[512];
    size_t n = sizeof(sig);

    wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours));
    stream_sign(both, ours, how, sig, &n);
    wnt_ok(stream_verify(theirs, key, how, sig, n));
    wnt_ok(stream_verify(both, ours, how, sig, n));
    stream_sign(theirs, key, how, sig, &n);
    wnt_ok(stream_verify(both, ours, how, sig, n));
    n = sizeof(sig);
    wnt_ok(hash_op(both, ours, how, 0, sig, &n));
    wnt_ok(hash_op(theirs, key, how, 1, sig, &n));
    wnt_ok(hash_op(both, ours, how, 1, sig, &n));
    wnt_assert_no_errors();
    sig[10] ^= 1;
    assert_int_not_equal(hash_op(both, ours, how, 1, sig, &n), 1);
    assert_int_not_equal(stream_verify(both, ours, how, sig, n), 1);
    ERR_clear_error();
}

static void test_rsa(void **state)
{
    static const struct how hows[] = {
        { "MD4", NULL, NULL, 0 },
        { "SHA256", "pss", "MD4", 20 },
        { "MD4", "pss", NULL, 10 },
        { "MD4", "pss", "SHA1", 10 },
    };
    EVP_PKEY *ours = rsa_key(both), *key = copy_to(theirs, ours);
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
        both_ways(ours, key, &hows[i]);
    EVP_PKEY_free(ours), EVP_PKEY_free(key);
}

static void test_ecdsa(void **state)
{
    static const struct how hows[] = { { "SM3", NULL, NULL, 0 }, { "MD4", NULL, NULL, 0 } };
    EVP_PKEY *ours = ec_generate(both, "P-256"), *key = copy_to(theirs, ours);
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
        both_ways(ours, key, &hows[i]);
    EVP_PKEY_free(ours), EVP_PKEY_free(key);
}

static void test_recover(void **state)
{
    EVP_PKEY *ours = rsa_key(both);
    EVP_MD *md4 = EVP_MD_fetch(both, "MD4", NULL);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(both, ours, NULL);
    struct how how = { "MD4", NULL, NULL, 0 };
    unsigned char sig[512], out[512], hash[64];
    size_t n = sizeof(sig), outlen = sizeof(out);
    unsigned size;

    (void)state;
    wnt_ok(hash_op(both, ours, &how, 0, sig, &n));
    wnt_ok(EVP_Digest(message, sizeof(message), hash, &size, md4, NULL));
    wnt_ok(EVP_PKEY_verify_recover_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_signature_md(ctx, md4));
    wnt_ok(EVP_PKEY_verify_recover(ctx, out, &outlen, sig, n));
    assert_int_equal(outlen, size);
    assert_memory_equal(out, hash, size);
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);
    EVP_MD_free(md4);
    EVP_PKEY_free(ours);
}

/* ---- encryption -------------------------------------------------------------------------- */

static int oaep(OSSL_LIB_CTX *lib, EVP_PKEY *key, const char *md, const char *mgf1, int decrypt,
                const unsigned char *in, size_t n, unsigned char *out, size_t *outlen)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL), *copy;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("mgf1-digest", (char *)mgf1, 0),
        OSSL_PARAM_construct_utf8_string("digest", (char *)md, 0), OSSL_PARAM_construct_end()
    };
    int ok;

    wnt_ok(decrypt ? EVP_PKEY_decrypt_init(ctx) : EVP_PKEY_encrypt_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING));
    wnt_ok(EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, OPENSSL_strdup("label"), 5));
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    copy = EVP_PKEY_CTX_dup(ctx);
    EVP_PKEY_CTX_free(ctx);
    ok = decrypt ? EVP_PKEY_decrypt(copy, out, outlen, in, n)
                 : EVP_PKEY_encrypt(copy, out, outlen, in, n);
    EVP_PKEY_CTX_free(copy);
    return ok;
}

static void test_oaep(void **state)
{
    static const char *const mds[][2] = { { "SM3", "SM3" }, { "SHA256", "SM3" },
                                          { "MD4", "SHA256" } };
    EVP_PKEY *ours = rsa_key(both), *key = copy_to(theirs, ours);
    unsigned char c[512], out[512];
    size_t i, n, len;

    (void)state;
    for (i = 0; i < 3; i++) {
        n = sizeof(c);
        wnt_ok(oaep(both, ours, mds[i][0], mds[i][1], 0, message, sizeof(message), c, &n));
        len = sizeof(out);
        wnt_ok(oaep(theirs, key, mds[i][0], mds[i][1], 1, c, n, out, &len));
        assert_int_equal(len, sizeof(message));
        assert_memory_equal(out, message, len);
        n = sizeof(c);
        wnt_ok(oaep(theirs, key, mds[i][0], mds[i][1], 0, message, sizeof(message), c, &n));
        len = sizeof(out);
        wnt_ok(oaep(both, ours, mds[i][0], mds[i][1], 1, c, n, out, &len));
        assert_int_equal(len, sizeof(message));
        assert_memory_equal(out, message, len);
        wnt_assert_no_errors();
        c[3] ^= 1;
        len = sizeof(out);
        assert_int_not_equal(oaep(both, ours, mds[i][0], mds[i][1], 1, c, n, out, &len), 1);
        ERR_clear_error();
    }
    EVP_PKEY_free(ours), EVP_PKEY_free(key);
}

/* ---- key exchange ------------------------------------------------------------------------- */

static void test_exchange(void **state)
{
    EVP_PKEY *ec = ec_generate(both, "P-256"), *dh = EVP_PKEY_Q_keygen(both, NULL, "X25519");
    size_t outlen = 50, na = 50, nb = 50;
    unsigned char a[64], b[64];
    OSSL_PARAM ecdh[] = {
        OSSL_PARAM_construct_utf8_string("kdf-type", (char *)"X963KDF", 0),
        OSSL_PARAM_construct_utf8_string("kdf-digest", (char *)"SM3", 0),
        OSSL_PARAM_construct_octet_string("kdf-ukm", (void *)message, 9),
        OSSL_PARAM_construct_size_t("kdf-outlen", &outlen), OSSL_PARAM_construct_end()
    };
    OSSL_PARAM x942[] = {
        OSSL_PARAM_construct_utf8_string("kdf-type", (char *)"X942KDF-ASN1", 0),
        OSSL_PARAM_construct_utf8_string("kdf-digest", (char *)"SM3", 0),
        OSSL_PARAM_construct_octet_string("kdf-ukm", (void *)message, 9),
        OSSL_PARAM_construct_utf8_string("cekalg", (char *)"AES-128-WRAP", 0),
        OSSL_PARAM_construct_size_t("kdf-outlen", &outlen), OSSL_PARAM_construct_end()
    };
    OSSL_PARAM group[] = {
        OSSL_PARAM_construct_utf8_string("group", (char *)"ffdhe2048", 0),
        OSSL_PARAM_construct_end()
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(both, "DH", NULL);
    EVP_PKEY *key = copy_to(theirs, ec);

    (void)state;
    wnt_ok(ec_derive(both, ec, ec, ecdh, a, &na));
    wnt_ok(ec_derive(theirs, key, key, ecdh, b, &nb));
    assert_int_equal(na, nb);
    assert_memory_equal(a, b, na);
    EVP_PKEY_free(key), EVP_PKEY_free(dh);
    dh = NULL;
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, group));
    wnt_ok(EVP_PKEY_generate(ctx, &dh));
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(dh));
    key = copy_to(theirs, dh);
    outlen = na = nb = 16;
    wnt_ok(ec_derive(both, dh, dh, x942, a, &na));
    wnt_ok(ec_derive(theirs, key, key, x942, b, &nb));
    assert_int_equal(na, nb);
    assert_memory_equal(a, b, na);
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key), EVP_PKEY_free(dh), EVP_PKEY_free(ec);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void refused(OSSL_LIB_CTX *lib, EVP_PKEY *key, const char *md)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, "?provider=wolfnano");
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("digest", (char *)md, 0), OSSL_PARAM_construct_end()
    };
    unsigned char hash[32] = { 1 }, sig[256];
    size_t n = sizeof(sig);

    wnt_ok(EVP_PKEY_sign_init(ctx));
    assert_int_not_equal(EVP_PKEY_CTX_set_params(ctx, params), 1);
    wnt_assert_prov_error(PROV_R_INVALID_DIGEST);
    params[0] = OSSL_PARAM_construct_utf8_string("digest", (char *)"SHA256", 0);
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_sign(ctx, sig, &n, hash, sizeof(hash)));
    wnt_assert_no_errors();
    EVP_PKEY_CTX_free(ctx);
}

static void test_refused(void **state)
{
    OSSL_LIB_CTX *off = fallback_ctx("fallback = no", "?provider=wolfnano");
    OSSL_LIB_CTX *libs[] = { wnt_wolf(), off, both };
    const char *const digests[] = { "SM3", "SM3", "no such digest" };
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        EVP_PKEY *rsa = rsa_key(libs[i]), *ec = ec_generate(libs[i], "P-256");

        refused(libs[i], rsa, digests[i]);
        refused(libs[i], ec, digests[i]);
        EVP_PKEY_free(rsa), EVP_PKEY_free(ec);
    }
    OSSL_LIB_CTX_free(off);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rsa),
        cmocka_unit_test(test_ecdsa),
        cmocka_unit_test(test_recover),
        cmocka_unit_test(test_oaep),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
