/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLH-DSA: NIST's vectors for each parameter set (generation, pure, raw, hedged and
 * deterministic signatures), signatures of every wrong length and with wrong bits, wrong
 * keys, contexts and parameters, key objects. The libcrypto that this is built with need
 * not know SLH-DSA; comparison with the default provider is pytest's. The small sets
 * take long and run on the full CPU alone.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>

#include "provider/compat.h"
#include "wntest.h"

#define MAX_SIG 49856
#define FAST "SLH-DSA-SHAKE-128f"
#define FAST_N 16
#define FAST_SIG 17088

/* ---- helpers ------------------------------------------------------------------------- */

static EVP_PKEY *from_bytes(const char *set, const unsigned char *priv, size_t privlen,
                            const unsigned char *pub, size_t publen)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), set, NULL);
    OSSL_PARAM params[3], *p = params;
    EVP_PKEY *key = NULL;

    if (priv != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY,
                                                 (void *)(uintptr_t)priv, privlen);
    if (pub != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY,
                                                 (void *)(uintptr_t)pub, publen);
    *p = OSSL_PARAM_construct_end();
    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    EVP_PKEY_fromdata(ctx, &key, priv != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params);
    EVP_PKEY_CTX_free(ctx);
    if (key != NULL)
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
    return key;
}

/* seed NULL: a random key. NULL: generation failed, errors left on the queue. */
static EVP_PKEY *generate(const char *set, const unsigned char *seed, size_t n)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), set, NULL);
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    EVP_PKEY *key = NULL;

    if (seed != NULL)
        params[0] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_SLH_DSA_SEED,
                                                      (void *)(uintptr_t)seed, n);
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    if (EVP_PKEY_CTX_set_params(ctx, params) == 1)
        EVP_PKEY_generate(ctx, &key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

struct how {
    const unsigned char *context, *entropy;
    size_t context_len, entropy_len;
    int raw, deterministic;
};

static int apply(EVP_PKEY_CTX *ctx, const struct how *how)
{
    int encoding = !how->raw, deterministic = how->deterministic;
    OSSL_PARAM params[5], *p = params;

    *p++ = OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING, &encoding);
    *p++ = OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_DETERMINISTIC, &deterministic);
    if (how->context != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_CONTEXT_STRING,
                                                 (void *)(uintptr_t)how->context,
                                                 how->context_len);
    if (how->entropy != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_TEST_ENTROPY,
                                                 (void *)(uintptr_t)how->entropy,
                                                 how->entropy_len);
    *p = OSSL_PARAM_construct_end();
    return EVP_PKEY_CTX_set_params(ctx, params);
}

static const struct how hedged, fixed = { NULL, NULL, 0, 0, 0, 1 };

static EVP_MD_CTX *begin(EVP_PKEY *key, int verify, const struct how *how)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx;

    wnt_ok((verify ? EVP_DigestVerifyInit_ex : EVP_DigestSignInit_ex)(ctx, &pctx, NULL, wnt_wolf(),
                                                                    NULL, key, NULL));
    wnt_ok(apply(pctx, how));
    return ctx;
}

static void sign(EVP_PKEY *key, const struct how *how, const void *msg, size_t n,
                 unsigned char *sig, size_t *len)
{
    EVP_MD_CTX *ctx = begin(key, 0, how);
    size_t need = 0;

    wnt_ok(EVP_DigestSign(ctx, NULL, &need, msg, n));
    assert_int_equal(need, EVP_PKEY_get_size(key));
    *len = need;
    wnt_ok(EVP_DigestSign(ctx, sig, len, msg, n));
    assert_int_equal(*len, need);
    EVP_MD_CTX_free(ctx);
}

static int verify(EVP_PKEY *key, const struct how *how, const void *msg, size_t n,
                  const unsigned char *sig, size_t len)
{
    EVP_MD_CTX *ctx = begin(key, 1, how);
    int ok = EVP_DigestVerify(ctx, sig, len, msg, n);

    EVP_MD_CTX_free(ctx);
    return ok;
}

/* ---- NIST's vectors -------------------------------------------------------------------- */

static void get_pub(EVP_PKEY *key, unsigned char pub[64], size_t *n)
{
    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, pub, 64, n));
}

/* The key that the seed makes is the one given, in every form that it can be given in. */
static void check_keys(const char *set, const unsigned char *priv, size_t n, EVP_PKEY *key)
{
    EVP_PKEY *made = generate(set, priv, 3 * n / 4), *halves, *copy;
    unsigned char out[128];
    size_t len;
    int v;

    assert_non_null(made);
    wnt_ok(EVP_PKEY_get_octet_string_param(made, OSSL_PKEY_PARAM_PRIV_KEY, out, sizeof(out), &len));
    assert_int_equal(len, n);
    assert_memory_equal(out, priv, n);
    get_pub(made, out, &len);
    assert_int_equal(len, n / 2);
    assert_memory_equal(out, priv + n / 2, n / 2);
    halves = from_bytes(set, priv, n / 2, priv + n / 2, n / 2);
    copy = EVP_PKEY_dup(made);
    wnt_ok(EVP_PKEY_eq(made, key));
    wnt_ok(EVP_PKEY_eq(made, halves));
    wnt_ok(EVP_PKEY_eq(made, copy));
    assert_int_equal(EVP_PKEY_get_bits(key), 4 * n);
    assert_int_equal(EVP_PKEY_get_security_bits(key), 2 * n);
    wnt_ok(EVP_PKEY_get_int_param(key, OSSL_PKEY_PARAM_SECURITY_CATEGORY, &v));
    assert_int_equal(v, n == 64 ? 1 : n == 96 ? 3 : 5);
    EVP_PKEY_free(made);
    EVP_PKEY_free(halves);
    EVP_PKEY_free(copy);
}

static void check_record(const struct wnt_record *r)
{
    static unsigned char sig[MAX_SIG], again[MAX_SIG];
    const char *set = wnt_text(r, "Set");
    unsigned char *priv = NULL, *msg = NULL, *context = NULL, *entropy = NULL, *hash = NULL, md[32];
    size_t privlen, n, context_len = 0, entropy_len = 0, hashlen, len, len2;
    struct how how = { 0 };
    EVP_PKEY *key, *public;

    wnt_hex(r, "Private", &priv, &privlen);
    wnt_hex(r, "Message", &msg, &n);
    wnt_hex(r, "SHA-256", &hash, &hashlen);
    wnt_hex(r, "Context", &context, &context_len);
    wnt_hex(r, "Entropy", &entropy, &entropy_len);
    how = (struct how){ context, entropy, context_len, entropy_len,
                        atoi(wnt_text(r, "Encoding")) == 0, entropy == NULL };
    key = from_bytes(set, priv, privlen, NULL, 0);
    public = from_bytes(set, NULL, 0, priv + privlen / 2, privlen / 2);
    sign(key, &how, msg, n, sig, &len);
    assert_int_equal(len, atoi(wnt_text(r, "Length")));
    wnt_ok(EVP_Digest(sig, len, md, NULL, EVP_sha256(), NULL));
    assert_memory_equal(md, hash, 32);
    wnt_ok(verify(public, &how, msg, n, sig, len));
    how.raw = !how.raw;
    assert_int_equal(verify(public, &how, msg, n, sig, len), 0);
    sig[len / 2] ^= 1;
    how.raw = !how.raw;
    assert_int_equal(verify(public, &how, msg, n, sig, len), 0);
    if (set[strlen(set) - 1] == 'f') {
        how.entropy = NULL;
        how.deterministic = 0;
        sign(key, &how, msg, n, again, &len2);
        wnt_ok(verify(key, &how, msg, n, again, len2));
        assert_memory_not_equal(again, sig, 16);
    }
    check_keys(set, priv, privlen, key);
    wnt_assert_no_errors();
    EVP_PKEY_free(key);
    EVP_PKEY_free(public);
    free(priv), free(msg), free(context), free(entropy), free(hash);
}

static void test_vectors(void **state)
{
    FILE *f = wnt_vectors("slhdsa.txt");
    struct wnt_record r;
    int fast = 0, small = 0;

    (void)state;
    while (wnt_next(f, &r)) {
        const char *set = wnt_text(&r, "Set");
        int is_small = set[strlen(set) - 1] == 's';

        if (!is_small || wnt_cpu()[0] == '\0') {
            check_record(&r);
            *(is_small ? &small : &fast) += 1;
        }
        wnt_record_free(&r);
    }
    fclose(f);
    assert_int_equal(fast, 18);
    assert_int_equal(small, wnt_cpu()[0] == '\0' ? 6 : 0);
}

/* ---- what is wrong ------------------------------------------------------------------------ */

static void wrong_signatures(const char *set, size_t n)
{
    EVP_PKEY *key = generate(set, NULL, 0), *other = generate(set, NULL, 0);
    unsigned char *sig = wnt_guarded(MAX_SIG), *cut;
    const struct how named = { (const unsigned char *)"name", NULL, 4, 0, 0, 0 };
    EVP_MD_CTX *ctx;
    size_t len, i;

    sign(key, &hedged, "message", 7, sig, &len);
    wnt_ok(verify(key, &hedged, "message", 7, sig, len));
    assert_int_equal(verify(other, &hedged, "message", 7, sig, len), 0);
    assert_int_equal(verify(key, &hedged, "massage", 7, sig, len), 0);
    assert_int_equal(verify(key, &hedged, "message", 6, sig, len), 0);
    assert_int_equal(verify(key, &hedged, NULL, 0, sig, len), 0);
    assert_int_equal(verify(key, &named, "message", 7, sig, len), 0);
    ctx = begin(key, 1, &hedged);
    for (i = 0; i < len; i++)
        assert_int_equal(EVP_DigestVerify(ctx, sig, i, (const unsigned char *)"message", 7), 0);
    assert_int_equal(EVP_DigestVerify(ctx, sig, len + 1, (const unsigned char *)"message", 7), 0);
    wnt_ok(EVP_DigestVerify(ctx, sig, len, (const unsigned char *)"message", 7));
    /* one bit in R, in the FORS part, in the trees, at the end */
    for (i = 0; i < len; i += i < n ? n - 1 : len / 23) {
        sig[i] ^= 0x10;
        assert_int_equal(EVP_DigestVerify(ctx, sig, len, (const unsigned char *)"message", 7), 0);
        sig[i] ^= 0x10;
    }
    sig[len - 1] ^= 1;
    assert_int_equal(EVP_DigestVerify(ctx, sig, len, (const unsigned char *)"message", 7), 0);
    sig[len - 1] ^= 1;
    EVP_MD_CTX_free(ctx);
    /* nothing is read behind the end */
    cut = wnt_guarded(len);
    memcpy(cut, sig, len);
    wnt_ok(verify(key, &hedged, "message", 7, cut, len));
    wnt_guarded_free(cut, len);
    wnt_guarded_free(sig, MAX_SIG);
    wnt_assert_no_errors();
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
}

static void test_wrong_signatures(void **state)
{
    (void)state;
    wrong_signatures("SLH-DSA-SHAKE-128f", 16);
    wrong_signatures("SLH-DSA-SHA2-128f", 16);
    wrong_signatures("SLH-DSA-SHA2-192f", 24);
}

static void test_parameters(void **state)
{
    static unsigned char sig[FAST_SIG], second[FAST_SIG];
    unsigned char bytes[256], id[32];
    OSSL_PARAM get[] = { OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, id, sizeof(id)),
                         OSSL_PARAM_END };
    const struct how full = { bytes, NULL, 255, 0, 0, 1 }, longer = { bytes, NULL, 256, 0, 0, 1 },
                     entropy = { NULL, bytes, 0, FAST_N + 1, 0, 0 },
                     less = { NULL, bytes, 0, FAST_N - 1, 0, 0 },
                     none = { bytes, NULL, 0, 0, 0, 1 };
    EVP_PKEY *key = generate(FAST, NULL, 0);
    EVP_MD_CTX *ctx, *copy;
    EVP_PKEY_CTX *pctx;
    size_t len, len2;

    (void)state;
    wnt_rand_bytes(bytes, sizeof(bytes));
    ctx = begin(key, 0, &full);
    pctx = EVP_MD_CTX_get_pkey_ctx(ctx);
    assert_int_not_equal(apply(pctx, &longer), 1);
    wnt_assert_prov_error(PROV_R_INVALID_DATA);
    assert_int_not_equal(apply(pctx, &entropy), 1);
    wnt_assert_prov_error(PROV_R_INVALID_SEED_LENGTH);
    assert_int_not_equal(apply(pctx, &less), 1);
    wnt_assert_prov_error(PROV_R_INVALID_SEED_LENGTH);
    wnt_ok(EVP_PKEY_CTX_get_params(pctx, get));
    assert_int_equal(get[0].return_size, 13);
    assert_int_equal(id[12], 27);
    /* what was set before the errors still holds, in a copy too */
    copy = EVP_MD_CTX_new();
    wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
    len = sizeof(sig);
    wnt_ok(EVP_DigestSign(ctx, sig, &len, (const unsigned char *)"m", 1));
    EVP_MD_CTX_free(ctx);
    len2 = sizeof(second);
    wnt_ok(EVP_DigestSign(copy, second, &len2, (const unsigned char *)"m", 1));
    assert_memory_equal(sig, second, FAST_SIG);
    wnt_ok(verify(key, &full, "m", 1, sig, len));
    /* a context is as good after it signed: context string off, the message empty */
    wnt_ok(EVP_DigestSignInit_ex(copy, &pctx, NULL, wnt_wolf(), NULL, key, NULL));
    wnt_ok(apply(pctx, &none));
    wnt_ok(EVP_DigestSign(copy, second, &len2, NULL, 0));
    wnt_ok(verify(key, &hedged, NULL, 0, second, len2));
    assert_int_equal(verify(key, &full, NULL, 0, second, len2), 0);
    wnt_assert_no_errors();
    EVP_MD_CTX_free(copy);
    EVP_PKEY_free(key);
}

static void test_errors(void **state)
{
    static unsigned char sig[FAST_SIG], zero[FAST_SIG];
    EVP_PKEY *key = generate(FAST, NULL, 0), *public;
    unsigned char pub[64];
    EVP_MD_CTX *ctx = begin(key, 0, &fixed);
    size_t len = FAST_SIG - 1, publen;

    (void)state;
    assert_int_equal(EVP_DigestSign(ctx, sig, &len, (const unsigned char *)"m", 1), 0);
    wnt_assert_prov_error(PROV_R_INVALID_SIGNATURE_SIZE);
    assert_memory_equal(sig, zero, FAST_SIG);
    len = FAST_SIG;
    wnt_ok(EVP_DigestSign(ctx, sig, &len, (const unsigned char *)"m", 1));
    EVP_MD_CTX_free(ctx);
    get_pub(key, pub, &publen);
    public = from_bytes(FAST, NULL, 0, pub, publen);
    ctx = begin(public, 0, &fixed);
    memset(sig, 0, sizeof(sig));
    assert_int_equal(EVP_DigestSign(ctx, sig, &len, (const unsigned char *)"m", 1), 0);
    wnt_assert_prov_error(PROV_R_MISSING_KEY);
    assert_memory_equal(sig, zero, FAST_SIG);
    EVP_MD_CTX_free(ctx);
    /* it hashes by itself, and not in pieces */
    ctx = EVP_MD_CTX_new();
    assert_int_not_equal(EVP_DigestSignInit_ex(ctx, NULL, "SHA256", wnt_wolf(), NULL, key, NULL),
                         1);
    wnt_assert_prov_error(PROV_R_INVALID_DIGEST);
    EVP_MD_CTX_free(ctx);
    ctx = begin(key, 0, &fixed);
    assert_int_not_equal(EVP_DigestSignUpdate(ctx, "m", 1), 1);
    ERR_clear_error();
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    EVP_PKEY_free(public);
}

/* ---- keys --------------------------------------------------------------------------------- */

static int pairwise(EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    int ok = EVP_PKEY_pairwise_check(ctx);

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static void test_keys(void **state)
{
    unsigned char priv[65] = { 0 }, seed[97] = { 1 };
    EVP_PKEY *key = generate(FAST, NULL, 0), *other = generate(FAST, NULL, 0), *bad;
    OSSL_PARAM *params = NULL;
    size_t n, i;

    (void)state;
    assert_int_equal(EVP_PKEY_eq(key, other), 0);
    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PRIV_KEY, priv, 64, &n));
    wnt_ok(pairwise(key));
    /* wrong bits in any of the four values: SK.prf is in none of the others */
    for (i = 0; i < 64; i += 9) {
        priv[i] ^= 1;
        bad = from_bytes(FAST, priv, 64, NULL, 0);
        assert_int_equal(pairwise(bad), i / 16 == 1);
        EVP_PKEY_free(bad);
        priv[i] ^= 1;
    }
    wnt_ok(EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &params));
    assert_int_equal(OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_PRIV_KEY)->data_size, 64);
    assert_int_equal(OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_PUB_KEY)->data_size, 32);
    OSSL_PARAM_free(params);
    wnt_assert_no_errors();
    for (i = 0; i <= 65; i++) {
        if (i == 64)
            continue;
        /* no public key beside, or of a wrong length */
        assert_null(from_bytes(FAST, priv, i, NULL, 0));
        wnt_assert_prov_error(i == 32 ? PROV_R_MISSING_KEY : PROV_R_INVALID_KEY_LENGTH);
        if (i != 32) {
            assert_null(from_bytes(FAST, NULL, 0, priv, i));
            wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
            assert_null(from_bytes(FAST, priv, 32, priv, i));
            wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
        }
    }
    for (i = 1; i <= 97; i++)
        if (i != 3 * FAST_N) {
            assert_null(generate(FAST, seed, i));
            wnt_assert_prov_error(PROV_R_INVALID_SEED_LENGTH);
        }
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors), cmocka_unit_test(test_wrong_signatures),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_keys),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
