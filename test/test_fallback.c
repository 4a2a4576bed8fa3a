/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MACs and KDFs over digests and ciphers that wolfnano lacks, where it is preferred and
 * the default provider is loaded too: in one go, parameter by parameter, copied, used
 * again, against the default provider alone; errors where there is no other provider or
 * it must not be used; life times and threads. EC keys are in test_fallback_ec.c.
 */
#include <pthread.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "fallback.h"

static OSSL_LIB_CTX *both;      /* wolfnano preferred, default loaded */

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

/* ---- MACs ---------------------------------------------------------------------------- */

static const struct mac {
    const char *mac, *key, *value;
    size_t keylen;
    const char *hexiv;
} macs[] = {
    { "HMAC", "digest", "SM3", 20, NULL },
    { "CMAC", "cipher", "CAMELLIA-128-CBC", 16, NULL },
    { "CMAC", "cipher", "ARIA-256-CBC", 32, NULL },
    { "CMAC", "cipher", "SM4-CBC", 16, NULL },
    { "GMAC", "cipher", "ARIA-128-GCM", 16, "000102030405060708090a0b" },
    { NULL, NULL, NULL, 0, NULL },
};

static EVP_MAC_CTX *mac_new(OSSL_LIB_CTX *lib, const struct mac *m)
{
    EVP_MAC *mac = EVP_MAC_fetch(lib, m->mac, NULL);
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);

    assert_non_null(ctx);
    if (lib != wnt_default())
        wnt_assert_wolfnano(EVP_MAC_get0_provider(mac));
    EVP_MAC_free(mac);
    return ctx;
}

static void mac_params(const struct mac *m, OSSL_PARAM params[3], unsigned char iv[16])
{
    size_t n;

    *params++ = OSSL_PARAM_construct_utf8_string(m->key, (char *)m->value, 0);
    if (m->hexiv != NULL) {
        OPENSSL_hexstr2buf_ex(iv, 16, &n, m->hexiv, '\0');
        *params++ = OSSL_PARAM_construct_octet_string("iv", iv, n);
    }
    *params = OSSL_PARAM_construct_end();
}

static void mac_of(EVP_MAC_CTX *ctx, const unsigned char *data, size_t n, unsigned char out[64],
                   size_t *outl)
{
    memset(out, 0, 64);
    wnt_ok(EVP_MAC_update(ctx, data, n / 2));
    wnt_ok(EVP_MAC_update(ctx, data + n / 2, n - n / 2));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx) > 0, 1);
    wnt_ok(EVP_MAC_final(ctx, out, outl, 64));
}

static void test_macs(void **state)
{
    unsigned char key[32], data[200], iv[16], a[64], b[64];
    const struct mac *m;
    OSSL_PARAM params[3];
    size_t na, nb;

    (void)state;
    wnt_rand_bytes(key, sizeof(key));
    wnt_rand_bytes(data, sizeof(data));
    for (m = macs; m->mac != NULL; m++) {
        EVP_MAC_CTX *ours = mac_new(both, m), *theirs = mac_new(wnt_default(), m), *copy;

        mac_params(m, params, iv);
        wnt_ok(EVP_MAC_init(theirs, key, m->keylen, params));
        mac_of(theirs, data, sizeof(data), b, &nb);
        wnt_ok(EVP_MAC_init(ours, key, m->keylen, params));
        assert_int_equal(EVP_MAC_CTX_get_mac_size(ours), nb);
        mac_of(ours, data, sizeof(data), a, &na);
        assert_int_equal(na, nb);
        assert_memory_equal(a, b, 64);
        /* parameters first, and a copy in the middle */
        EVP_MAC_CTX_free(ours);
        ours = mac_new(both, m);
        wnt_ok(EVP_MAC_CTX_set_params(ours, params));
        wnt_ok(EVP_MAC_init(ours, key, m->keylen, NULL));
        wnt_ok(EVP_MAC_update(ours, data, 50));
        copy = EVP_MAC_CTX_dup(ours);
        assert_non_null(copy);
        EVP_MAC_CTX_free(ours);
        mac_of(copy, data + 50, sizeof(data) - 50, a, &na);
        assert_memory_equal(a, b, 64);
        /* the key in use again (GMAC would use its IV twice) */
        if (m->hexiv == NULL) {
            wnt_ok(EVP_MAC_init(copy, NULL, 0, NULL));
            mac_of(copy, data, sizeof(data), a, &na);
            assert_memory_equal(a, b, 64);
        }
        wnt_assert_no_errors();
        EVP_MAC_CTX_free(copy), EVP_MAC_CTX_free(theirs);
    }
}

/* From a digest of ours to another's and back. */
static void test_mac_changes(void **state)
{
    static const char *const digests[] = { "SHA256", "SM3", "SHA512", "SM3", "SHA1", NULL };
    EVP_MAC_CTX *ours = mac_new(both, &macs[0]), *theirs = mac_new(wnt_default(), &macs[0]);
    unsigned char key[] = "a key", a[64], b[64];
    size_t i, na, nb;

    (void)state;
    for (i = 0; digests[i] != NULL; i++) {
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string("digest", (char *)digests[i], 0),
            OSSL_PARAM_construct_end()
        };

        wnt_ok(EVP_MAC_init(ours, key, sizeof(key), params));
        wnt_ok(EVP_MAC_init(theirs, key, sizeof(key), params));
        mac_of(ours, key, sizeof(key), a, &na);
        mac_of(theirs, key, sizeof(key), b, &nb);
        assert_int_equal(na, nb);
        assert_memory_equal(a, b, 64);
    }
    wnt_assert_no_errors();
    EVP_MAC_CTX_free(ours), EVP_MAC_CTX_free(theirs);
}

static void no_mac(OSSL_LIB_CTX *lib, const char *digest)
{
    EVP_MAC *mac = EVP_MAC_fetch(lib, "HMAC", "?provider=wolfnano");
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("digest", (char *)digest, 0), OSSL_PARAM_construct_end()
    };
    unsigned char a[64];
    size_t n;

    assert_int_equal(EVP_MAC_init(ctx, (unsigned char *)"k", 1, params), 0);
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    params[0] = OSSL_PARAM_construct_utf8_string("digest", (char *)"SHA256", 0);
    wnt_ok(EVP_MAC_init(ctx, (unsigned char *)"k", 1, params));
    mac_of(ctx, (unsigned char *)"abc", 3, a, &n);
    assert_int_equal(n, 32);
    wnt_assert_no_errors();
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
}

/* The MAC of an EVP_PKEY, as `openssl dgst -hmac` has it. */
static void mac_key(OSSL_LIB_CTX *lib, unsigned char *out, size_t *n)
{
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(lib, "HMAC", NULL, (unsigned char *)"k", 1);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, "SM3", lib, NULL, key, NULL));
    wnt_ok(EVP_DigestSignUpdate(ctx, "abc", 3));
    wnt_ok(EVP_DigestSignFinal(ctx, NULL, n));
    wnt_ok(EVP_DigestSignFinal(ctx, out, n));
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
}

static void test_mac_keys(void **state)
{
    unsigned char a[64], b[64];
    size_t na, nb;

    (void)state;
    mac_key(both, a, &na);
    mac_key(wnt_default(), b, &nb);
    assert_int_equal(na, 32);
    assert_int_equal(nb, 32);
    assert_memory_equal(a, b, 32);
    wnt_assert_no_errors();
}

/* ---- KDFs ----------------------------------------------------------------------------- */

/* What is foreign comes last, save for KBKDF's key, which OpenSSL wants behind it. */
static const struct kdf {
    const char *kdf;
    size_t outlen;
    const char *params[9][2];
} kdfs[] = {
    { "HKDF", 50, { { "hexkey", "0102030405" }, { "hexsalt", "0607" }, { "hexinfo", "aabb" },
                    { "digest", "SM3" } } },
    { "HKDF", 32, { { "mode", "EXTRACT_ONLY" }, { "hexkey", "0102030405" }, { "hexsalt", "0607" },
                    { "digest", "SM3" } } },
    { "PBKDF2", 40, { { "pass", "secret" }, { "salt", "saltsalt" }, { "iter", "3" },
                      { "digest", "SM3" } } },
    { "PBKDF2", 40, { { "pkcs5", "1" }, { "pass", "secret" }, { "salt", "salt" },
                      { "digest", "SM3" } } },
    { "PKCS12KDF", 24, { { "hexpass", "00610062" }, { "salt", "salt" }, { "iter", "5" },
                         { "id", "2" }, { "digest", "SM3" } } },
    { "X963KDF", 70, { { "hexkey", "0102030405" }, { "hexinfo", "0607" }, { "digest", "SM3" } } },
    { "SSKDF", 70, { { "hexkey", "0102030405" }, { "hexinfo", "0607" }, { "digest", "SM3" } } },
    { "SSKDF", 70, { { "mac", "HMAC" }, { "hexkey", "0102030405" }, { "hexsalt", "09" },
                     { "hexinfo", "0607" }, { "digest", "SM3" } } },
    { "X942KDF-ASN1", 16, { { "hexkey", "0102030405" }, { "hexukm", "0607" },
                            { "cekalg", "AES-128-WRAP" }, { "digest", "SM3" } } },
    { "X942KDF-ASN1", 16, { { "hexkey", "0102030405" }, { "use-keybits", "0" },
                            { "hexpartyv-info", "09" }, { "cekalg", "AES-128-WRAP" },
                            { "digest", "SM3" } } },
    { "TLS1-PRF", 48, { { "hexsecret", "0102030405" }, { "hexseed", "0607" },
                        { "digest", "SM3" } } },
    { "SSHKDF", 48, { { "hexkey", "0102030405" }, { "hexxcghash", "0607" },
                      { "hexsession_id", "08" }, { "type", "C" }, { "digest", "SM3" } } },
    { "KBKDF", 48, { { "mac", "HMAC" }, { "mode", "feedback" },
                     { "hexsalt", "0607" }, { "hexinfo", "aabb" },
                     { "hexseed", "0102030405060708090a0b0c0d0e0f10"
                                  "1112131415161718191a1b1c1d1e1f20" }, { "use-l", "0" }, { "digest", "SM3" }, { "hexkey", "0102030405" } } },
    { "KBKDF", 48, { { "mac", "CMAC" }, { "hexsalt", "0607" }, { "use-separator", "0" },
                     { "cipher", "CAMELLIA-128-CBC" },
                     { "hexkey", "000102030405060708090a0b0c0d0e0f" } } },
    { "KRB5KDF", 16, { { "hexkey", "000102030405060708090a0b0c0d0e0f" },
                       { "hexconstant", "6b65726265726f73" }, { "cipher", "CAMELLIA-128-CBC" } } },
    { "TLS13-KDF", 32, { { "mode", "EXPAND_ONLY" },
                         { "hexkey", "000102030405060708090a0b0c0d0e0f"
                                     "000102030405060708090a0b0c0d0e0f" },
                         { "prefix", "tls13 " }, { "label", "key" }, { "digest", "SM3" } } },
    { NULL, 0, { { NULL, NULL } } },
};

static EVP_KDF_CTX *kdf_new(OSSL_LIB_CTX *lib, const char *name)
{
    EVP_KDF *kdf = EVP_KDF_fetch(lib, name, NULL);
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);

    assert_non_null(ctx);
    if (lib != wnt_default())
        wnt_assert_wolfnano(EVP_KDF_get0_provider(kdf));
    EVP_KDF_free(kdf);
    return ctx;
}

static OSSL_PARAM kdf_param(EVP_KDF_CTX *ctx, const char *const text[2])
{
    OSSL_PARAM p;

    wnt_ok(OSSL_PARAM_allocate_from_text(&p, EVP_KDF_CTX_settable_params(ctx), text[0], text[1],
                                         strlen(text[1]), NULL));
    return p;
}

/* In one go with the derivation, or one by one before it. */
static void kdf_derive(EVP_KDF_CTX *ctx, const struct kdf *k, int one_by_one, unsigned char *out)
{
    OSSL_PARAM params[10], one[2] = { OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end() };
    size_t i, n;

    for (n = 0; k->params[n][0] != NULL; n++) {
        params[n] = kdf_param(ctx, k->params[n]);
        one[0] = params[n];
        if (one_by_one)
            wnt_ok(EVP_KDF_CTX_set_params(ctx, one));
    }
    params[n] = OSSL_PARAM_construct_end();
    memset(out, 0, 100);
    if (!EVP_KDF_derive(ctx, out, k->outlen, one_by_one ? NULL : params)) {
        ERR_print_errors_fp(stderr);
        fail_msg("%s, one by one %d", k->kdf, one_by_one);
    }
    for (i = 0; i < n; i++)
        OPENSSL_free(params[i].data);
}

static void test_kdfs(void **state)
{
    unsigned char a[100], b[100];
    const struct kdf *k;

    (void)state;
    for (k = kdfs; k->kdf != NULL; k++) {
        EVP_KDF_CTX *ours = kdf_new(both, k->kdf), *theirs = kdf_new(wnt_default(), k->kdf);
        EVP_KDF_CTX *copy;

        kdf_derive(theirs, k, 0, b);
        kdf_derive(ours, k, 0, a);
        assert_memory_equal(a, b, sizeof(a));
        assert_int_equal(EVP_KDF_CTX_get_kdf_size(ours), EVP_KDF_CTX_get_kdf_size(theirs));
        copy = EVP_KDF_CTX_dup(ours);
        if (copy != NULL) {     /* OpenSSL 3.0 cannot */
            memset(a, 0, sizeof(a));
            wnt_ok(EVP_KDF_derive(copy, a, k->outlen, NULL));
            assert_memory_equal(a, b, sizeof(a));
        }
        EVP_KDF_CTX_reset(ours);
        kdf_derive(ours, k, 1, a);
        assert_memory_equal(a, b, sizeof(a));
        ERR_clear_error();
        EVP_KDF_CTX_free(ours), EVP_KDF_CTX_free(theirs), EVP_KDF_CTX_free(copy);
    }
}

static void no_kdf(OSSL_LIB_CTX *lib, const char *digest)
{
    EVP_KDF *kdf = EVP_KDF_fetch(lib, "HKDF", "?provider=wolfnano");
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("digest", (char *)digest, 0),
        OSSL_PARAM_construct_octet_string("key", (void *)"key", 3), OSSL_PARAM_construct_end()
    };
    unsigned char a[20];

    assert_int_equal(EVP_KDF_derive(ctx, a, sizeof(a), params), 0);
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    params[0] = OSSL_PARAM_construct_utf8_string("digest", (char *)"SHA256", 0);
    wnt_ok(EVP_KDF_derive(ctx, a, sizeof(a), params));
    wnt_assert_no_errors();
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
}

/* EVP_PKEY_derive() with HKDF. */
static void test_kdf_exchange(void **state)
{
    unsigned char a[2][40];
    size_t n;
    int i;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(i ? both : wnt_default(), "HKDF", NULL);
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string("key", (void *)"key", 3),
            OSSL_PARAM_construct_octet_string("salt", (void *)"salt", 4),
            OSSL_PARAM_construct_utf8_string("digest", (char *)"SM3", 0),
            OSSL_PARAM_construct_end()
        };

        n = sizeof(a[0]);
        wnt_ok(EVP_PKEY_derive_init_ex(ctx, params));
        wnt_ok(EVP_PKEY_derive(ctx, a[i], &n));
        EVP_PKEY_CTX_free(ctx);
    }
    assert_memory_equal(a[0], a[1], sizeof(a[0]));
    wnt_assert_no_errors();
}

/* ---- errors, life times, threads --------------------------------------------------------- */

static void test_no_fallback(void **state)
{
    OSSL_LIB_CTX *libs[] = { wnt_wolf(), fallback_ctx("fallback = off", "?provider=wolfnano"),
                             fallback_ctx(NULL, "fips != yes, provider=wolfnano") };
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        no_mac(libs[i], "SM3");
        no_kdf(libs[i], "SM3");
    }
    no_mac(both, "no such digest");
    no_kdf(both, "no such digest");
    OSSL_LIB_CTX_free(libs[1]), OSSL_LIB_CTX_free(libs[2]);
}

static void test_unload(void **state)
{
    OSSL_LIB_CTX *lib = wnt_new_ctx(NULL, NULL);
    unsigned char iv[16], a[64], b[64];
    EVP_MAC_CTX *ctx, *copy;
    OSSL_PROVIDER *other;
    OSSL_PARAM params[3];
    size_t n;
    int i;

    (void)state;
    mac_params(&macs[0], params, iv);
    for (i = 0; i < 3; i++) {
        no_mac(lib, "SM3");
        other = OSSL_PROVIDER_load(lib, "default");
        wnt_ok(EVP_set_default_properties(lib, "?provider=wolfnano"));
        ctx = mac_new(lib, &macs[0]);
        wnt_ok(EVP_MAC_init(ctx, (unsigned char *)"k", 1, params));
        OSSL_PROVIDER_unload(other);
        copy = EVP_MAC_CTX_dup(ctx);
        mac_of(ctx, (unsigned char *)"abc", 3, a, &n);
        mac_of(copy, (unsigned char *)"abc", 3, b, &n);
        assert_memory_equal(a, b, 32);
        wnt_assert_no_errors();
        EVP_MAC_CTX_free(ctx), EVP_MAC_CTX_free(copy);
    }
    OSSL_LIB_CTX_free(lib);
}

static void *work(void *lib)
{
    unsigned char a[64], iv[16];
    OSSL_PARAM params[3];
    size_t n;
    int i;

    mac_params(&macs[0], params, iv);
    for (i = 0; i < 50; i++) {
        EVP_MAC_CTX *ctx = mac_new(lib, &macs[0]);

        wnt_ok(EVP_MAC_init(ctx, (unsigned char *)"k", 1, params));
        mac_of(ctx, (unsigned char *)"abc", 3, a, &n);
        EVP_MAC_CTX_free(ctx);
    }
    return NULL;
}

static void test_threads(void **state)
{
    OSSL_LIB_CTX *second = fallback_ctx(NULL, "?provider=wolfnano");
    pthread_t threads[8];
    int i;

    (void)state;
    for (i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, i & 1 ? both : second), 0);
    for (i = 0; i < 20; i++)
        OSSL_PROVIDER_unload(OSSL_PROVIDER_load(both, "base"));
    for (i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    OSSL_LIB_CTX_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_macs),
        cmocka_unit_test(test_mac_changes),
        cmocka_unit_test(test_mac_keys),
        cmocka_unit_test(test_kdfs),
        cmocka_unit_test(test_kdf_exchange),
        cmocka_unit_test(test_no_fallback),
        cmocka_unit_test(test_unload),
        cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
