/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MD through libcrypto: every digest against published values and against
 * the default provider, in random pieces, duplicated mid-stream, re-initialised
 * and used in the wrong order. What depends on OpenSSL's version is in
 * test_digest_versions.c.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "wntest.h"

static const char *const names[] = {
    "SHA1", "SHA2-224", "SHA2-256", "SHA2-384", "SHA2-512", "SHA2-512/224", "SHA2-512/256",
    "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE-128", "SHAKE-256",
    "KECCAK-KMAC-128", "KECCAK-KMAC-256", "MD5", "MD5-SHA1", "RIPEMD-160", "BLAKE2B-512",
    "BLAKE2S-256"
};

#define N_NAMES (sizeof(names) / sizeof(names[0]))

/* A digest of both providers. */
struct pair {
    EVP_MD *w, *d;
};

static struct pair fetch(const char *name)
{
    struct pair p = { EVP_MD_fetch(wnt_wolf(), name, NULL),
                      EVP_MD_fetch(wnt_default(), name, NULL) };

    if (p.w == NULL || p.d == NULL)
        fail_msg("%s is missing", name);
    wnt_assert_wolfnano(EVP_MD_get0_provider(p.w));
    return p;
}

static void release(struct pair p)
{
    EVP_MD_free(p.w);
    EVP_MD_free(p.d);
}

static int is_xof(const EVP_MD *md)
{
    return (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0;
}

/* init, update in two pieces, final; n bytes out */
static void digest(const EVP_MD *md, const unsigned char *in, size_t inl, unsigned char *out,
                   size_t n)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    size_t cut = wnt_rand_below(inl + 1);
    unsigned len = (unsigned)n;

    wnt_ok(EVP_DigestInit_ex2(ctx, md, NULL));
    wnt_ok(EVP_DigestUpdate(ctx, in, cut));
    wnt_ok(EVP_DigestUpdate(ctx, in + cut, inl - cut));
    if (is_xof(md))
        wnt_ok(EVP_DigestFinalXOF(ctx, out, n));
    else
        wnt_ok(EVP_DigestFinal_ex(ctx, out, &len));
    assert_int_equal(len, n);
    EVP_MD_CTX_free(ctx);
}

static void known_answers(void **state)
{
    FILE *f = wnt_vectors("digest.txt");
    struct wnt_record r;
    size_t n = 0;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r)) {
        unsigned char *in = NULL, *want = NULL, got[1024];
        const char *copies = wnt_text(&r, "Copies");
        size_t inl = 0, len = 0, i, times = copies != NULL ? strtoul(copies, NULL, 10) : 1;
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        EVP_MD *md;

        ERR_set_mark();
        md = EVP_MD_fetch(wnt_wolf(), wnt_text(&r, "Digest"), NULL);
        ERR_pop_to_mark();
        /* digests newer than this OpenSSL: see test_digest_versions.c */
        if (md != NULL) {
            wnt_assert_wolfnano(EVP_MD_get0_provider(md));
            assert_int_equal(wnt_hex(&r, "Input", &in, &inl), 1);
            assert_int_equal(wnt_hex(&r, "Output", &want, &len), 1);
            assert_true(len <= sizeof(got));
            wnt_ok(EVP_DigestInit_ex2(ctx, md, NULL));
            for (i = 0; i < times; i++)
                wnt_ok(EVP_DigestUpdate(ctx, in, inl));
            if (is_xof(md))
                wnt_ok(EVP_DigestFinalXOF(ctx, got, len));
            else
                wnt_ok(EVP_DigestFinal_ex(ctx, got, NULL));
            if (memcmp(got, want, len) != 0)
                fail_msg("%s, %s", wnt_text(&r, "Digest"), wnt_text(&r, "Output"));
            n++;
        }
        free(in);
        free(want);
        EVP_MD_CTX_free(ctx);
        EVP_MD_free(md);
    }
    fclose(f);
    assert_true(n > 50);
    wnt_assert_no_errors();
}

/* Names, constants and parameter lists are the default provider's. */
static void same_list(const OSSL_PARAM *a, const OSSL_PARAM *b)
{
    size_t n = 0, m = 0;

    for (; a != NULL && a[n].key != NULL; n++)
        assert_non_null(OSSL_PARAM_locate_const(b, a[n].key));
    for (; b != NULL && b[m].key != NULL; m++) {
        const OSSL_PARAM *p = OSSL_PARAM_locate_const(a, b[m].key);

        assert_non_null(p);
        assert_int_equal(p->data_type, b[m].data_type);
    }
    assert_int_equal(n, m);
}

static void is_in_default(const char *name, void *arg)
{
    if (!EVP_MD_is_a(arg, name))
        fail_msg("the default provider does not call %s so", name);
}

static void is_in_wolfnano(const char *name, void *arg)
{
    if (!EVP_MD_is_a(arg, name))
        fail_msg("wolfnano does not call %s so", name);
}

static void looks_like_default(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        struct pair p = fetch(names[i]);

        assert_string_equal(EVP_MD_get0_name(p.w), EVP_MD_get0_name(p.d));
        EVP_MD_names_do_all(p.w, is_in_default, p.d);
        EVP_MD_names_do_all(p.d, is_in_wolfnano, p.w);
        assert_int_equal(EVP_MD_get_size(p.w), EVP_MD_get_size(p.d));
        assert_int_equal(EVP_MD_get_block_size(p.w), EVP_MD_get_block_size(p.d));
        assert_int_equal(EVP_MD_get_flags(p.w), EVP_MD_get_flags(p.d));
        same_list(EVP_MD_gettable_params(p.w), EVP_MD_gettable_params(p.d));
        same_list(EVP_MD_settable_ctx_params(p.w), EVP_MD_settable_ctx_params(p.d));
        same_list(EVP_MD_gettable_ctx_params(p.w), EVP_MD_gettable_ctx_params(p.d));
        release(p);
    }
    wnt_assert_no_errors();
}

static void agrees_with_default(void **state)
{
    unsigned char in[4096], ours[600], theirs[600];
    size_t i, round;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        struct pair p = fetch(names[i]);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();

        for (round = 0; round < 200; round++) {
            size_t n = wnt_rand_below(sizeof(in)), at = 0, half = wnt_rand_below(n + 1);
            size_t len = is_xof(p.d) ? 1 + wnt_rand_below(sizeof(ours))
                : (size_t)EVP_MD_get_size(p.d);

            wnt_rand_bytes(in, n);
            wnt_ok(EVP_DigestInit_ex2(ctx, p.w, NULL));
            while (at < half) {
                size_t piece = 1 + wnt_rand_below(half - at);

                wnt_ok(EVP_DigestUpdate(ctx, in + at, piece));
                at += piece;
            }
            wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
            wnt_ok(EVP_DigestUpdate(ctx, "x", 1));
            wnt_ok(EVP_DigestUpdate(copy, in + at, n - at));
            if (is_xof(p.d))
                wnt_ok(EVP_DigestFinalXOF(copy, ours, len));
            else
                wnt_ok(EVP_DigestFinal_ex(copy, ours, NULL));
            digest(p.d, in, n, theirs, len);
            assert_memory_equal(ours, theirs, len);
        }
        EVP_MD_CTX_free(ctx);
        EVP_MD_CTX_free(copy);
        release(p);
        wnt_assert_no_errors();
    }
}

/* Every length round the block and padding boundaries, ending at a page's end
 * and at every alignment. */
static void short_lengths(void **state)
{
    unsigned char ours[64], theirs[64];
    size_t i, n;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        struct pair p = fetch(names[i]);
        size_t len = is_xof(p.d) ? 64 : (size_t)EVP_MD_get_size(p.d);

        for (n = 0; n <= 400; n++) {
            unsigned char *in = wnt_guarded(n);

            wnt_rand_bytes(in, n);
            wnt_ok(is_xof(p.w) || EVP_Digest(in, n, ours, NULL, p.w, NULL) == 1);
            if (is_xof(p.w))
                digest(p.w, in, n, ours, len);
            digest(p.d, in, n, theirs, len);
            assert_memory_equal(ours, theirs, len);
            wnt_guarded_free(in, n);
        }
        release(p);
    }
    wnt_assert_no_errors();
}

/* The context serves one message after another, also after a duplicate was
 * freed and after an abandoned message. */
static void reinitialises(void **state)
{
    unsigned char first[64], again[64];
    size_t i;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        struct pair p = fetch(names[i]);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy;
        size_t len = is_xof(p.w) ? 64 : (size_t)EVP_MD_get_size(p.w);

        digest(p.d, (const unsigned char *)"abc", 3, first, len);
        wnt_ok(EVP_DigestInit_ex2(ctx, p.w, NULL));
        wnt_ok(EVP_DigestUpdate(ctx, "something else", 14));
        copy = EVP_MD_CTX_new();
        wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
        EVP_MD_CTX_free(copy);
        wnt_ok(EVP_DigestInit_ex2(ctx, NULL, NULL));
        wnt_ok(EVP_DigestUpdate(ctx, "abc", 3));
        wnt_ok(is_xof(p.w) ? EVP_DigestFinalXOF(ctx, again, len)
                           : EVP_DigestFinal_ex(ctx, again, NULL));
        assert_memory_equal(first, again, len);
        wnt_ok(EVP_DigestInit_ex2(ctx, p.w, NULL));
        wnt_ok(EVP_DigestUpdate(ctx, "abc", 3));
        wnt_ok(is_xof(p.w) ? EVP_DigestFinalXOF(ctx, again, len)
                           : EVP_DigestFinal_ex(ctx, again, NULL));
        assert_memory_equal(first, again, len);
        EVP_MD_CTX_free(ctx);
        release(p);
    }
    wnt_assert_no_errors();
}

/* After final only an init helps. */
static void refuses_the_wrong_order(void **state)
{
    unsigned char out[64];
    size_t i;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        struct pair p = fetch(names[i]);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();

        wnt_ok(EVP_DigestInit_ex2(ctx, p.w, NULL));
        wnt_ok(EVP_DigestFinal_ex(ctx, out, NULL));
        assert_int_equal(EVP_DigestUpdate(ctx, "x", 1), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        assert_int_equal(EVP_DigestFinal_ex(ctx, out, NULL), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        wnt_ok(EVP_DigestInit_ex2(ctx, p.w, NULL));
        wnt_ok(EVP_DigestUpdate(ctx, "x", 1));
        EVP_MD_CTX_free(ctx);
        release(p);
    }
    wnt_assert_no_errors();
}

static OSSL_PARAM *xoflen_params(OSSL_PARAM params[2], size_t *n)
{
    params[0] = OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_XOFLEN, n);
    params[1] = OSSL_PARAM_construct_end();
    return params;
}

static void xof_lengths(void **state)
{
    static const char *const xofs[] = { "SHAKE-128", "SHAKE-256", "KECCAK-KMAC-128",
                                        "KECCAK-KMAC-256" };
    static const size_t lens[] = { 1, 16, 31, 32, 135, 136, 137, 168, 169, 1000 };
    unsigned char ours[1000], theirs[1000];
    OSSL_PARAM params[2];
    size_t i, k, n;

    (void)state;
    for (i = 0; i < sizeof(xofs) / sizeof(xofs[0]); i++) {
        struct pair p = fetch(xofs[i]);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();

        for (k = 0; k < sizeof(lens) / sizeof(lens[0]); k++) {
            unsigned len = 0;

            n = lens[k];
            digest(p.d, (const unsigned char *)"abc", 3, theirs, n);
            /* "xoflen" with init, then a plain final */
            wnt_ok(EVP_DigestInit_ex2(ctx, p.w, xoflen_params(params, &n)));
            wnt_ok(EVP_DigestUpdate(ctx, "abc", 3));
            wnt_ok(EVP_DigestFinal_ex(ctx, ours, &len));
            assert_int_equal(len, n);
            assert_memory_equal(ours, theirs, n);
            /* "xoflen" later */
            wnt_ok(EVP_DigestInit_ex2(ctx, p.w, NULL));
            wnt_ok(EVP_DigestUpdate(ctx, "abc", 3));
            wnt_ok(EVP_MD_CTX_set_params(ctx, xoflen_params(params, &n)));
            wnt_ok(EVP_DigestFinal_ex(ctx, ours, &len));
            assert_int_equal(len, n);
            assert_memory_equal(ours, theirs, n);
        }
        params[0] = OSSL_PARAM_construct_utf8_string(OSSL_DIGEST_PARAM_XOFLEN, (char *)"x", 1);
        wnt_ok(EVP_DigestInit_ex2(ctx, p.w, NULL));
        assert_int_equal(EVP_MD_CTX_set_params(ctx, params), 0);
        wnt_assert_prov_error(PROV_R_FAILED_TO_GET_PARAMETER);
        EVP_MD_CTX_free(ctx);
        release(p);
    }
    wnt_assert_no_errors();
}

/* SSL 3.0's finished and certificate-verify digests. */
static void ssl3_master_secret(void **state)
{
    static const char *const with[] = { "SHA1", "MD5-SHA1" };
    unsigned char ms[48], ours[36], theirs[36], in[100];
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    size_t i, n;

    (void)state;
    for (i = 0; i < 2; i++) {
        struct pair p = fetch(with[i]);
        EVP_MD_CTX *a = EVP_MD_CTX_new(), *b = EVP_MD_CTX_new();

        for (n = 0; n < sizeof(in); n++) {
            wnt_rand_bytes(ms, sizeof(ms));
            wnt_rand_bytes(in, n);
            params[0] = OSSL_PARAM_construct_octet_string(OSSL_DIGEST_PARAM_SSL3_MS, ms, 48);
            wnt_ok(EVP_DigestInit_ex2(a, p.w, NULL));
            wnt_ok(EVP_DigestInit_ex2(b, p.d, NULL));
            wnt_ok(EVP_DigestUpdate(a, in, n));
            wnt_ok(EVP_DigestUpdate(b, in, n));
            wnt_ok(EVP_MD_CTX_set_params(a, params));
            wnt_ok(EVP_MD_CTX_set_params(b, params));
            wnt_ok(EVP_DigestFinal_ex(a, ours, NULL));
            wnt_ok(EVP_DigestFinal_ex(b, theirs, NULL));
            assert_memory_equal(ours, theirs, (size_t)EVP_MD_get_size(p.d));
        }
        params[0] = OSSL_PARAM_construct_octet_string(OSSL_DIGEST_PARAM_SSL3_MS, ms, 47);
        wnt_ok(EVP_DigestInit_ex2(a, p.w, NULL));
        assert_int_equal(EVP_MD_CTX_set_params(a, params), 0);
        wnt_assert_prov_error(PROV_R_INVALID_INPUT_LENGTH);
        wnt_ok(EVP_DigestFinal_ex(a, ours, NULL));
        EVP_MD_CTX_free(a);
        EVP_MD_CTX_free(b);
        release(p);
    }
    wnt_assert_no_errors();
}

/* EVP_Q_digest and the one-call EVP_Digest. */
static void one_call(void **state)
{
    unsigned char ours[64], theirs[64];
    size_t n = 0;

    (void)state;
    wnt_ok(EVP_Q_digest(wnt_wolf(), "sha3-512", NULL, "abc", 3, ours, &n));
    assert_int_equal(n, 64);
    wnt_ok(EVP_Q_digest(wnt_default(), "sha3-512", NULL, "abc", 3, theirs, &n));
    assert_memory_equal(ours, theirs, 64);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(looks_like_default),
        cmocka_unit_test(agrees_with_default),
        cmocka_unit_test(short_lengths),
        cmocka_unit_test(reinitialises),
        cmocka_unit_test(refuses_the_wrong_order),
        cmocka_unit_test(xof_lengths),
        cmocka_unit_test(ssl3_master_secret),
        cmocka_unit_test(one_call),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
