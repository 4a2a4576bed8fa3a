/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MAC keys as EVP_PKEYs and EVP_DigestSign() with them: every way to make such
 * a key, comparison, export to and import from the default provider, the MACs
 * themselves, the parameters that libssl passes through, and a fake core whose
 * allocations fail.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "fakecore.h"
#include "provider/compat.h"
#include "wntest.h"

struct kind {
    const char *type, *digest, *cipher;
    size_t keylen;              /* 0: any */
};

static const struct kind kinds[] = {
    { "HMAC", "SHA2-256", NULL, 0 }, { "HMAC", "SHA3-384", NULL, 0 }, { "HMAC", "SHA1", NULL, 0 },
    { "POLY1305", NULL, NULL, 32 }, { "CMAC", NULL, "AES-128-CBC", 16 },
    { "CMAC", NULL, "AES-256-CBC", 32 }, { "CMAC", NULL, "DES-EDE3-CBC", 24 }
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* By EVP_PKEY_fromdata(). */
static EVP_PKEY *make(OSSL_LIB_CTX *lib, const struct kind *k, unsigned char *key, size_t keylen)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, k->type, NULL);
    EVP_PKEY *pkey = NULL;
    OSSL_PARAM params[3], *p = params;

    assert_non_null(ctx);
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, key, keylen);
    if (k->cipher != NULL)
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_CIPHER, (char *)k->cipher, 0);
    *p = OSSL_PARAM_construct_end();
    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    wnt_ok(EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_KEYPAIR, params));
    EVP_PKEY_CTX_free(ctx);
    if (lib == wnt_wolf())
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(pkey));
    return pkey;
}

static size_t sign(OSSL_LIB_CTX *lib, const struct kind *k, EVP_PKEY *pkey,
                   const unsigned char *in, size_t n, unsigned char *out)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx = NULL;
    size_t len = 0, cut = wnt_rand_below(n + 1);

    wnt_ok(EVP_DigestSignInit_ex(ctx, &pctx, k->digest, lib, NULL, pkey, NULL));
    if (lib == wnt_wolf())
        wnt_assert_wolfnano(EVP_PKEY_CTX_get0_provider(pctx));
    wnt_ok(EVP_DigestSignUpdate(ctx, in, cut));
    wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
    wnt_ok(EVP_DigestSignUpdate(ctx, "?", 1));
    wnt_ok(EVP_DigestSignUpdate(copy, in + cut, n - cut));
    wnt_ok(EVP_DigestSignFinal(copy, NULL, &len));
    assert_true(len >= 8 && len <= 64);
    wnt_ok(EVP_DigestSignFinal(copy, out, &len));
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(copy);
    return len;
}

static void signs_like_default(void **state)
{
    unsigned char key[100], in[500], ours[64], theirs[64];
    size_t i, round;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        for (round = 0; round < 30; round++) {
            size_t keylen = kinds[i].keylen != 0 ? kinds[i].keylen : wnt_rand_below(sizeof(key));
            size_t n = wnt_rand_below(sizeof(in)), len;
            EVP_PKEY *w, *d;

            wnt_rand_bytes(key, sizeof(key));
            wnt_rand_bytes(in, n);
            w = make(wnt_wolf(), &kinds[i], key, keylen);
            d = make(wnt_default(), &kinds[i], key, keylen);
            len = sign(wnt_wolf(), &kinds[i], w, in, n, ours);
            assert_int_equal(sign(wnt_default(), &kinds[i], d, in, n, theirs), len);
            assert_memory_equal(ours, theirs, len);
            EVP_PKEY_free(w);
            EVP_PKEY_free(d);
        }
    }
    wnt_assert_no_errors();
}

/* EVP_PKEY_keygen() with the key set before, and EVP_PKEY_new_raw_private_key_ex(). */
static void other_ways_to_a_key(void **state)
{
    static const struct kind hmac = { "HMAC", "SHA2-256", NULL, 0 };
    unsigned char key[] = "sixteen byte key", a[64], b[64];
    OSSL_PARAM params[3] = { OSSL_PARAM_END, OSSL_PARAM_END, OSSL_PARAM_END };
    EVP_PKEY *raw, *made = NULL, *data = make(wnt_wolf(), &hmac, key, 16);
    EVP_PKEY_CTX *ctx;

    (void)state;
    raw = EVP_PKEY_new_raw_private_key_ex(wnt_wolf(), "HMAC", NULL, key, 16);
    assert_non_null(raw);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(raw));
    assert_int_equal(EVP_PKEY_eq(raw, data), 1);
    sign(wnt_wolf(), &hmac, raw, key, 16, a);

    ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), "HMAC", NULL);
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    assert_int_not_equal(EVP_PKEY_generate(ctx, &made), 1);     /* nothing to copy */
    wnt_assert_prov_error(PROV_R_INVALID_KEY);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, key, 16);
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_generate(ctx, &made));
    sign(wnt_wolf(), &hmac, made, key, 16, b);
    assert_memory_equal(a, b, 32);
    EVP_PKEY_free(made);
    EVP_PKEY_CTX_free(ctx);

    ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), "CMAC", NULL);
    made = NULL;
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    params[1] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_CIPHER, (char *)"AES-512-CBC", 0);
    assert_int_not_equal(EVP_PKEY_CTX_set_params(ctx, params), 1);
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    params[1] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_CIPHER, (char *)"AES-128-CBC", 0);
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_generate(ctx, &made));
    sign(wnt_wolf(), &kinds[4], made, key, 16, b);
    EVP_PKEY_free(made);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(raw);
    EVP_PKEY_free(data);
    wnt_assert_no_errors();
}

static void compares_and_exports(void **state)
{
    unsigned char key[32], out[64];
    size_t i, n;

    (void)state;
    wnt_rand_bytes(key, sizeof(key));
    for (i = 0; i < N_KINDS; i++) {
        size_t keylen = kinds[i].keylen != 0 ? kinds[i].keylen : 20;
        EVP_PKEY *a = make(wnt_wolf(), &kinds[i], key, keylen);
        EVP_PKEY *same = make(wnt_wolf(), &kinds[i], key, keylen), *other;
        EVP_PKEY *theirs = make(wnt_default(), &kinds[i], key, keylen), *theirs_other;
        OSSL_PARAM *params = NULL;
        int differ;

        key[0] ^= 1;
        other = make(wnt_wolf(), &kinds[i], key, keylen);
        theirs_other = make(wnt_default(), &kinds[i], key, keylen);
        key[0] ^= 1;
        /* a MAC key has no public part, which is all that OpenSSL may compare */
        differ = EVP_PKEY_eq(theirs, theirs_other);
        assert_int_equal(EVP_PKEY_eq(a, same), 1);
        assert_int_equal(EVP_PKEY_eq(a, other), differ);
        assert_int_equal(EVP_PKEY_is_a(a, kinds[i].type), 1);

        wnt_ok(EVP_PKEY_get_octet_string_param(a, OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0, &n));
        assert_int_equal(n, keylen);
        wnt_ok(EVP_PKEY_get_octet_string_param(a, OSSL_PKEY_PARAM_PRIV_KEY, out, sizeof(out), &n));
        assert_memory_equal(out, key, keylen);
        assert_int_equal(EVP_PKEY_get_octet_string_param(a, OSSL_PKEY_PARAM_PRIV_KEY, out,
                                                         keylen - 1, &n), 0);
        ERR_clear_error();
        n = sizeof(out);
        wnt_ok(EVP_PKEY_get_raw_private_key(a, out, &n));
        assert_int_equal(n, keylen);
        assert_memory_equal(out, key, keylen);

        wnt_ok(EVP_PKEY_todata(a, EVP_PKEY_KEYPAIR, &params));
        assert_non_null(OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_PRIV_KEY));
        if (kinds[i].cipher != NULL) {
            const OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_CIPHER);

            assert_non_null(p);
            assert_string_equal(p->data, kinds[i].cipher);
        }
        OSSL_PARAM_free(params);
        EVP_PKEY_free(a);
        EVP_PKEY_free(same);
        EVP_PKEY_free(other);
        EVP_PKEY_free(theirs);
        EVP_PKEY_free(theirs_other);
    }
    wnt_assert_no_errors();
}

/* As libssl checks a TLS 1.0 to 1.2 record: parameters through the signature. */
static void tls_record(void **state)
{
    static const struct kind hmac = { "HMAC", "SHA2-256", NULL, 0 };
    unsigned char key[32] = { 5 }, header[13] = { 1 }, record[300], want[32], got[32];
    EVP_PKEY *pkey = make(wnt_wolf(), &hmac, key, 32);
    EVP_MD_CTX *base = EVP_MD_CTX_new(), *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx = NULL;
    size_t size = sizeof(record), n, len;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, &size),
        OSSL_PARAM_construct_end()
    };

    (void)state;
    wnt_rand_bytes(record, sizeof(record));
    wnt_ok(EVP_DigestSignInit_ex(base, &pctx, "SHA2-256", wnt_wolf(), NULL, pkey, NULL));
    for (n = size - 33 - 255; n <= size - 33; n++) {
        wnt_ok(EVP_MD_CTX_copy_ex(ctx, base));
        wnt_ok(EVP_DigestSignUpdate(ctx, header, 13));
        wnt_ok(EVP_DigestSignUpdate(ctx, record, n));
        len = sizeof(want);
        wnt_ok(EVP_DigestSignFinal(ctx, want, &len));
        wnt_ok(EVP_MD_CTX_copy_ex(ctx, base));
        wnt_ok(EVP_PKEY_CTX_set_params(EVP_MD_CTX_get_pkey_ctx(ctx), params));
        wnt_ok(EVP_DigestSignUpdate(ctx, header, 13));
        wnt_ok(EVP_DigestSignUpdate(ctx, record, n));
        len = sizeof(got);
        wnt_ok(EVP_DigestSignFinal(ctx, got, &len));
        assert_memory_equal(want, got, 32);
    }
    EVP_MD_CTX_free(base);
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(pkey);
    wnt_assert_no_errors();
}

static void misuse(void **state)
{
    static const struct kind hmac = { "HMAC", "SHA2-256", NULL, 0 };
    unsigned char key[32] = { 5 };
    EVP_PKEY *pkey = make(wnt_wolf(), &hmac, key, 32), *none = NULL;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx;
    OSSL_PARAM empty[] = { OSSL_PARAM_END };

    (void)state;
    assert_int_equal(EVP_DigestSignInit_ex(ctx, NULL, NULL, wnt_wolf(), NULL, pkey, NULL), 0);
    wnt_assert_prov_error(PROV_R_MISSING_MESSAGE_DIGEST);
    EVP_MD_CTX_reset(ctx);
    pctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), "HMAC", NULL);
    wnt_ok(EVP_PKEY_fromdata_init(pctx));
    assert_int_not_equal(EVP_PKEY_fromdata(pctx, &none, EVP_PKEY_KEYPAIR, empty), 1);
    wnt_assert_prov_error(PROV_R_MISSING_KEY);
    EVP_PKEY_CTX_free(pctx);
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(pkey);
    wnt_assert_no_errors();
}

/* ---- without libcrypto: versions and failing allocations ---------------------- */

#define FN(table, id, type) ((OSSL_FUNC_##type##_fn *)fake_function(table, OSSL_FUNC_##id))

/* One key, one signature; 0 if an allocation failed on the way. */
static int use_once(struct fake_core *fc)
{
    const OSSL_DISPATCH *km = fake_algorithm(fc, OSSL_OP_KEYMGMT, "CMAC");
    const OSSL_DISPATCH *sig = fake_algorithm(fc, OSSL_OP_SIGNATURE, "CMAC");
    unsigned char key[16] = { 1 }, out[16];
    OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, key, sizeof(key)),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_CIPHER, (char *)"AES-128-CBC", 0),
        OSSL_PARAM_END
    };
    void *k = NULL, *ctx = NULL, *copy = NULL;
    size_t n;
    int ok;

    params[1].data_size = strlen(params[1].data);
    ok = (k = FN(km, KEYMGMT_NEW, keymgmt_new)(fc->provctx)) != NULL
        && FN(km, KEYMGMT_IMPORT, keymgmt_import)(k, OSSL_KEYMGMT_SELECT_KEYPAIR, params)
        && (ctx = FN(sig, SIGNATURE_NEWCTX, signature_newctx)(fc->provctx, NULL)) != NULL
        && FN(sig, SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init)(ctx, NULL, k, NULL)
        && (copy = FN(sig, SIGNATURE_DUPCTX, signature_dupctx)(ctx)) != NULL
        && FN(sig, SIGNATURE_DIGEST_SIGN_UPDATE, signature_digest_sign_update)(copy, key, 16)
        && FN(sig, SIGNATURE_DIGEST_SIGN_FINAL, signature_digest_sign_final)(copy, out, &n, 16);
    FN(sig, SIGNATURE_FREECTX, signature_freectx)(copy);
    FN(sig, SIGNATURE_FREECTX, signature_freectx)(ctx);
    FN(km, KEYMGMT_FREE, keymgmt_free)(k);
    return ok;
}

static void matches(void **state)
{
    struct fake_core fc;
    const OSSL_DISPATCH *km;
    unsigned char one[2] = { 1, 2 }, two[2] = { 1, 3 };
    OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, one, 2), OSSL_PARAM_END
    };
    OSSL_FUNC_keymgmt_match_fn *match;
    OSSL_FUNC_keymgmt_import_fn *import;
    void *a, *b, *c;

    (void)state;
    fake_init(&fc, "3.0.0");
    assert_int_equal(fake_load(&fc), 1);
    km = fake_algorithm(&fc, OSSL_OP_KEYMGMT, "HMAC");
    match = FN(km, KEYMGMT_MATCH, keymgmt_match);
    import = FN(km, KEYMGMT_IMPORT, keymgmt_import);
    a = FN(km, KEYMGMT_NEW, keymgmt_new)(fc.provctx);
    b = FN(km, KEYMGMT_NEW, keymgmt_new)(fc.provctx);
    c = FN(km, KEYMGMT_NEW, keymgmt_new)(fc.provctx);
    assert_int_equal(match(a, b, OSSL_KEYMGMT_SELECT_PRIVATE_KEY), 1);
    assert_int_equal(import(a, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, params), 1);
    assert_int_equal(match(a, b, OSSL_KEYMGMT_SELECT_PRIVATE_KEY), 0);
    assert_int_equal(match(b, a, OSSL_KEYMGMT_SELECT_PRIVATE_KEY), 0);
    assert_int_equal(match(a, b, OSSL_KEYMGMT_SELECT_PUBLIC_KEY), 1);
    assert_int_equal(import(b, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, params), 1);
    params[0].data = two;
    assert_int_equal(import(c, OSSL_KEYMGMT_SELECT_PRIVATE_KEY, params), 1);
    assert_int_equal(match(a, b, OSSL_KEYMGMT_SELECT_PRIVATE_KEY), 1);
    assert_int_equal(match(a, c, OSSL_KEYMGMT_SELECT_PRIVATE_KEY), 0);
    assert_int_equal(import(c, OSSL_KEYMGMT_SELECT_PUBLIC_KEY, params), 0);
    FN(km, KEYMGMT_FREE, keymgmt_free)(a);
    FN(km, KEYMGMT_FREE, keymgmt_free)(b);
    FN(km, KEYMGMT_FREE, keymgmt_free)(c);
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

static void failing_allocations(void **state)
{
    struct fake_core fc;
    unsigned long n;
    int failures = 0;

    (void)state;
    fake_init(&fc, "3.0.0");
    assert_int_equal(fake_load(&fc), 1);
    for (n = 1; n < 10; n++) {
        long live = fc.live;

        fc.n_reasons = 0;
        fc.fail_at = fc.allocations + n;
        if (!use_once(&fc)) {
            failures++;
            assert_true(fake_raised(&fc, ERR_R_MALLOC_FAILURE));
        }
        assert_int_equal(fc.live, live);
    }
    /* all but that of secure memory, for which plain memory steps in */
    assert_int_equal(failures, 5);
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

static void failing_mac_contexts(void **state)
{
    static const char *const macs[] = { "HMAC", "CMAC", "GMAC", "KMAC-128", "POLY1305" };
    struct fake_core fc;
    size_t i;

    (void)state;
    fake_init(&fc, "3.0.0");
    assert_int_equal(fake_load(&fc), 1);
    for (i = 0; i < sizeof(macs) / sizeof(macs[0]); i++) {
        const OSSL_DISPATCH *t = fake_algorithm(&fc, OSSL_OP_MAC, macs[i]);
        void *ctx;
        long live;

        fc.fail_at = fc.allocations + 1;
        assert_null(FN(t, MAC_NEWCTX, mac_newctx)(fc.provctx));
        ctx = FN(t, MAC_NEWCTX, mac_newctx)(fc.provctx);
        assert_non_null(ctx);
        live = fc.live;
        fc.fail_at = fc.allocations + 1;
        assert_null(FN(t, MAC_DUPCTX, mac_dupctx)(ctx));
        assert_int_equal(fc.live, live);
        FN(t, MAC_FREECTX, mac_freectx)(ctx);
        FN(t, MAC_FREECTX, mac_freectx)(NULL);
    }
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

/* HMAC's two flags are settable up to OpenSSL 3.5. */
static void flags_by_version(void **state)
{
    struct fake_core fc;
    const OSSL_PARAM *list;

    (void)state;
    fake_init(&fc, "3.5.0");
    assert_int_equal(fake_load(&fc), 1);
    list = FN(fake_algorithm(&fc, OSSL_OP_MAC, "HMAC"), MAC_SETTABLE_CTX_PARAMS,
              mac_settable_ctx_params)(NULL, fc.provctx);
    assert_non_null(OSSL_PARAM_locate_const(list, OSSL_MAC_PARAM_DIGEST_NOINIT));
    fake_unload(&fc);
    fake_init(&fc, "3.6.0");
    assert_int_equal(fake_load(&fc), 1);
    list = FN(fake_algorithm(&fc, OSSL_OP_MAC, "HMAC"), MAC_SETTABLE_CTX_PARAMS,
              mac_settable_ctx_params)(NULL, fc.provctx);
    assert_null(OSSL_PARAM_locate_const(list, OSSL_MAC_PARAM_DIGEST_NOINIT));
    assert_non_null(OSSL_PARAM_locate_const(list, OSSL_MAC_PARAM_TLS_DATA_SIZE));
    fake_unload(&fc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_like_default),
        cmocka_unit_test(other_ways_to_a_key),
        cmocka_unit_test(compares_and_exports),
        cmocka_unit_test(tls_record),
        cmocka_unit_test(misuse),
        cmocka_unit_test(matches),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(failing_mac_contexts),
        cmocka_unit_test(flags_by_version),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
