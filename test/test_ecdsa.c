/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ECDSA against OpenSSL's default provider: both directions on every curve,
 * digests of any length, malformed signatures, deterministic nonces (RFC 6979
 * appendix A.2.5), streams, contexts, errors. Threads that share a key: test_threads.c.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ecerr.h>

#include "ec.h"

static void both_ways(const char *group, int rounds)
{
    EVP_PKEY *theirs = ec_generate(wnt_default(), group);
    EVP_PKEY *ours = ec_copy(wnt_wolf(), theirs, EVP_PKEY_KEYPAIR);
    unsigned char h[80], sig[256];
    size_t n, len;
    int i;

    wnt_assert_wolfnano(EVP_PKEY_get0_provider(ours));
    for (i = 0; i < rounds; i++) {
        wnt_rand_bytes(h, sizeof(h));
        n = i == 0 ? 32 : wnt_rand_below(sizeof(h));
        if (i == 1)
            memset(h, 0, sizeof(h));
        assert_int_equal(ec_sign(wnt_wolf(), ours, h, n, sig, &len), 1);
        assert_int_equal(ec_verify(wnt_default(), theirs, h, n, sig, len), 1);
        assert_int_equal(ec_sign(wnt_default(), theirs, h, n, sig, &len), 1);
        assert_int_equal(ec_verify(wnt_wolf(), ours, h, n, sig, len), 1);
        sig[len - 1] ^= 1;
        assert_int_equal(ec_verify(wnt_wolf(), ours, h, n, sig, len), 0);
    }
    wnt_assert_no_errors();
    EVP_PKEY_free(theirs);
    EVP_PKEY_free(ours);
}

static void test_curves(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; ec_groups[i] != NULL; i++)
        both_ways(ec_groups[i], i < 3 ? 60 : 6);
}

/* Any change of a signature: the same verdict, -1 for what is no DER included. */
static void test_malformed(void **state)
{
    EVP_PKEY *theirs = ec_generate(wnt_default(), "P-256"), *ours;
    unsigned char h[32], sig[256], bad[300];
    size_t len, n, i;
    int want, got;

    (void)state;
    ours = ec_copy(wnt_wolf(), theirs, EVP_PKEY_PUBLIC_KEY);
    wnt_rand_bytes(h, sizeof(h));
    assert_int_equal(ec_sign(wnt_default(), theirs, h, sizeof(h), sig, &len), 1);
    for (i = 0; i < 3000; i++) {
        n = len;
        memcpy(bad, sig, len);
        memset(bad + len, 0, sizeof(bad) - len);
        switch (wnt_rand_below(4)) {
        case 0:
            bad[wnt_rand_below(len)] = (unsigned char)wnt_rand();
            break;
        case 1:
            n = wnt_rand_below(len + 4);
            break;
        case 2:     /* a leading zero more in r */
            memmove(bad + 5, bad + 4, len - 4);
            bad[1]++, bad[3]++, bad[4] = 0;
            n++;
            break;
        default:
            bad[wnt_rand_below(8)] ^= (unsigned char)(1 << wnt_rand_below(8));
        }
        want = ec_verify(wnt_default(), theirs, h, sizeof(h), bad, n);
        ERR_clear_error();
        got = ec_verify(wnt_wolf(), ours, h, sizeof(h), bad, n);
        ERR_clear_error();
        assert_int_equal(got, want);
    }
    EVP_PKEY_free(theirs);
    EVP_PKEY_free(ours);
}

/* r or s of 0, n, n - 1, n + 1, 2^256 - 1 */
static void test_ranges(void **state)
{
    static const char n[] = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc6325";
    static const char *const last[] = { "51", "50", "52" };
    EVP_PKEY *ours = ec_generate(wnt_wolf(), "P-256");
    EVP_PKEY *theirs = ec_copy(wnt_default(), ours, EVP_PKEY_PUBLIC_KEY);
    unsigned char h[32] = { 1 }, sig[80];
    char text[80];
    size_t i, j, k, len;

    (void)state;
    for (i = 0; i < 5; i++) {
        for (j = 0; j < 5; j++) {
            len = 2;
            for (k = 0; k < 2; k++) {
                size_t which = k == 0 ? i : j, m = 0;
                unsigned char *v;

                if (which < 3)
                    snprintf(text, sizeof(text), "022100%s%s", n, last[which]);
                else
                    snprintf(text, sizeof(text), "%s", which == 3 ? "020100" : "020101");
                v = wnt_unhex(text, &m);
                memcpy(sig + len, v, m);
                free(v);
                len += m;
            }
            sig[0] = 0x30;
            sig[1] = (unsigned char)(len - 2);
            assert_int_equal(ec_verify(wnt_wolf(), ours, h, 32, sig, len),
                             ec_verify(wnt_default(), theirs, h, 32, sig, len));
            ERR_clear_error();
        }
    }
    EVP_PKEY_free(theirs);
    EVP_PKEY_free(ours);
}

static void test_deterministic(void **state)
{
    FILE *f = wnt_vectors("ecdsa_rfc6979.txt");
    struct wnt_record r;
    int records = 0;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r), records++) {
        unsigned nonce_type = 1;
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_uint("nonce-type", &nonce_type), OSSL_PARAM_construct_end()
        };
        unsigned char *d, *want, sig[256], native[80];
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        EVP_PKEY_CTX *pctx;
        size_t n, i, wantlen, len = sizeof(sig);
        OSSL_PARAM key[3];
        EVP_PKEY *pkey;

        assert_true(wnt_hex(&r, "Private", &d, &n) && wnt_hex(&r, "Signature", &want, &wantlen));
        for (i = 0; i < n; i++)
            native[i] = d[n - 1 - i];
        key[0] = OSSL_PARAM_construct_utf8_string("group", (char *)wnt_text(&r, "Group"), 0);
        key[1] = OSSL_PARAM_construct_BN("priv", native, n);
        key[2] = OSSL_PARAM_construct_end();
        pkey = ec_import(wnt_wolf(), EVP_PKEY_KEYPAIR, key);
        assert_non_null(pkey);
        wnt_ok(EVP_DigestSignInit_ex(ctx, &pctx, wnt_text(&r, "Digest"), wnt_wolf(), NULL, pkey,
                                     NULL));
        wnt_ok(EVP_PKEY_CTX_set_params(pctx, params));
        wnt_ok(EVP_DigestSign(ctx, sig, &len, (const unsigned char *)wnt_text(&r, "Message"),
                              strlen(wnt_text(&r, "Message"))));
        assert_int_equal(len, wantlen);
        assert_memory_equal(sig, want, len);
        EVP_MD_CTX_free(ctx);
        EVP_PKEY_free(pkey);
        free(d);
        free(want);
    }
    fclose(f);
    assert_true(records >= 4);
}

/* AlgorithmIdentifier and other parameters of a signing context */
static void test_parameters(void **state)
{
    static const char *const digests[] = {
        "SHA1", "SHA224", "sha256", "SHA2-384", "SHA-512", "SHA3-224", "SHA3-256", "SHA3-384",
        "SHA3-512", "SHA512-256", "MD5", "RIPEMD160", "BLAKE2b512"
    };
    EVP_PKEY *key[2] = { ec_generate(wnt_wolf(), "P-384"), NULL };
    size_t i, j;

    (void)state;
    key[1] = ec_copy(wnt_default(), key[0], EVP_PKEY_KEYPAIR);
    for (i = 0; i < sizeof(digests) / sizeof(digests[0]); i++) {
        unsigned char id[2][64];
        char name[2][64];
        size_t size[2] = { 0 }, idlen[2];
        int ok[2];      /* an identifier that does not exist cannot be read */

        for (j = 0; j < 2; j++) {
            EVP_MD_CTX *ctx = EVP_MD_CTX_new();
            EVP_PKEY_CTX *pctx;
            OSSL_PARAM p[] = {
                OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, id[j], 64),
                OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, name[j], 64),
                OSSL_PARAM_construct_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, &size[j]),
                OSSL_PARAM_construct_end()
            };

            wnt_ok(EVP_DigestSignInit_ex(ctx, &pctx, digests[i], j ? wnt_default() : wnt_wolf(),
                                         NULL, key[j], NULL));
            ok[j] = EVP_PKEY_CTX_get_params(pctx, p);
            ERR_clear_error();
            idlen[j] = p[0].return_size;
            EVP_MD_CTX_free(ctx);
        }
        assert_int_equal(ok[0], ok[1]);
        if (!ok[0])
            continue;
        assert_int_equal(idlen[0], idlen[1]);
        assert_memory_equal(id[0], id[1], idlen[0]);
        assert_string_equal(name[0], name[1]);
        assert_int_equal(size[0], size[1]);
    }
    EVP_PKEY_free(key[0]);
    EVP_PKEY_free(key[1]);
}

/* Pieces, a duplicate mid-stream, size query, re-init with NULL, too small a buffer */
static void test_stream(void **state)
{
    EVP_PKEY *key = ec_generate(wnt_wolf(), "P-521"), *theirs;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    unsigned char msg[500], sig[256], sig2[256];
    size_t n, n2;

    (void)state;
    theirs = ec_copy(wnt_default(), key, EVP_PKEY_PUBLIC_KEY);
    wnt_rand_bytes(msg, sizeof(msg));
    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, "SHA384", wnt_wolf(), NULL, key, NULL));
    wnt_ok(EVP_DigestSignUpdate(ctx, msg, 123));
    wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
    wnt_ok(EVP_DigestSignUpdate(ctx, msg + 123, sizeof(msg) - 123));
    wnt_ok(EVP_DigestSignUpdate(copy, msg + 123, sizeof(msg) - 123));
    wnt_ok(EVP_DigestSignFinal(ctx, NULL, &n));
    assert_int_equal(n, 139);
    n2 = n - 1;
    assert_int_equal(EVP_DigestSignFinal(copy, sig2, &n2), 0);
    wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    n2 = n;
    wnt_ok(EVP_DigestSignFinal(ctx, sig, &n));
    EVP_MD_CTX_free(copy);
    copy = EVP_MD_CTX_new();
    wnt_ok(EVP_DigestVerifyInit_ex(copy, NULL, "SHA384", wnt_default(), NULL, theirs, NULL));
    wnt_ok(EVP_DigestVerify(copy, sig, n, msg, sizeof(msg)));
    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, NULL, NULL));
    n = sizeof(sig);
    wnt_ok(EVP_DigestSign(ctx, sig, &n, msg, 7));
    wnt_ok(EVP_DigestVerifyInit_ex(copy, NULL, "SHA384", wnt_default(), NULL, theirs, NULL));
    wnt_ok(EVP_DigestVerify(copy, sig, n, msg, 7));
    wnt_assert_no_errors();
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(copy);
    EVP_PKEY_free(key);
    EVP_PKEY_free(theirs);
}

static void test_errors(void **state)
{
    EVP_PKEY *key = ec_generate(wnt_wolf(), "P-256");
    EVP_PKEY *public_only = ec_copy(wnt_wolf(), key, EVP_PKEY_PUBLIC_KEY);
    unsigned char h[32] = { 0 }, sig[256];
    EVP_PKEY_CTX *ctx;
    EVP_MD *md = EVP_MD_fetch(wnt_default(), "SHA256", NULL);
    OSSL_PARAM nonsense[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, (char *)"nonsense", 0),
        OSSL_PARAM_construct_end()
    };
    size_t n;

    (void)state;
    assert_int_not_equal(ec_sign(wnt_wolf(), public_only, h, sizeof(h), sig, &n), 1);
    wnt_assert_error(ERR_LIB_EC, EC_R_MISSING_PRIVATE_KEY);
    ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    wnt_ok(EVP_PKEY_sign_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_signature_md(ctx, md));
    n = sizeof(sig);
    assert_int_not_equal(EVP_PKEY_sign(ctx, sig, &n, h, 31), 1);
    wnt_assert_prov_error(PROV_R_INVALID_DIGEST_LENGTH);
    n = 71;
    assert_int_not_equal(EVP_PKEY_sign(ctx, sig, &n, h, 32), 1);
    wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    n = 72;
    wnt_ok(EVP_PKEY_sign(ctx, sig, &n, h, 32));     /* still usable */
    assert_int_not_equal(EVP_PKEY_CTX_set_params(ctx, nonsense), 1);
    wnt_assert_prov_error(PROV_R_INVALID_DIGEST);
    EVP_PKEY_CTX_free(ctx);
    {
        EVP_MD_CTX *m = EVP_MD_CTX_new();

        /* as the default provider: refused from 3.4 on */
        int ok = EVP_DigestSignInit_ex(m, NULL, "SHAKE128", wnt_wolf(), NULL, key, NULL);

        if (OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 4) {
            assert_int_not_equal(ok, 1);
            wnt_assert_prov_error(PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        } else {
            assert_int_equal(ok, 1);
        }
        EVP_MD_CTX_free(m);
    }
    EVP_MD_free(md);
    EVP_PKEY_free(key);
    EVP_PKEY_free(public_only);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves),     cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_ranges),     cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_stream),
        cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
