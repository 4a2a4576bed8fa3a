/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The digest "ML-DSA-MU" under a core that says it is OpenSSL 4.0, against SHAKE256 of
 * OpenSSL's default provider over what FIPS 204 says; OpenSSL 4.0's own test data are
 * run by scripts/openssl-tests.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "fakecore.h"
#include "wntest.h"

#define CALL(ID, type) ((OSSL_FUNC_##type##_fn *)fake_function(mu, OSSL_FUNC_##ID))

static struct fake_core fc;
static const OSSL_DISPATCH *mu;
static unsigned char pk[1952], msg[300];

static int setup(void **state)
{
    fake_init(&fc, "4.0.0");
    assert_true(fake_load(&fc));
    mu = fake_algorithm(&fc, OSSL_OP_DIGEST, "ML-DSA-MU");
    assert_non_null(mu);
    wnt_rand_bytes(pk, sizeof(pk));
    wnt_rand_bytes(msg, sizeof(msg));
    return wnt_setup(state);
}

static int teardown(void **state)
{
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
    return wnt_teardown(state);
}

static void shake256(const unsigned char *a, size_t na, const unsigned char *b, size_t nb,
                     const unsigned char *c, size_t nc, unsigned char out[64])
{
    EVP_MD *md = EVP_MD_fetch(wnt_default(), "SHAKE256", NULL);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    assert_int_equal(EVP_DigestInit_ex(ctx, md, NULL), 1);
    assert_int_equal(EVP_DigestUpdate(ctx, a, na), 1);
    assert_int_equal(EVP_DigestUpdate(ctx, b, nb), 1);
    assert_int_equal(EVP_DigestUpdate(ctx, c, nc), 1);
    assert_int_equal(EVP_DigestFinalXOF(ctx, out, 64), 1);
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

/* FIPS 204 algorithms 2 and 4; oid: last byte of the pre-hash's, 0 for none */
static void expected(const char *context, unsigned char oid, const unsigned char *m, size_t n,
                     unsigned char out[64])
{
    static const unsigned char id[10] = { 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2 };
    unsigned char tr[64], head[300];
    size_t len = strlen(context), h = 0;

    shake256(pk, sizeof(pk), NULL, 0, NULL, 0, tr);
    head[h++] = oid != 0;
    head[h++] = (unsigned char)len;
    memcpy(head + h, context, len);
    h += len;
    if (oid != 0) {
        memcpy(head + h, id, sizeof(id));
        h += sizeof(id);
        head[h++] = oid;
    }
    shake256(tr, 64, head, h, m, n, out);
}

static int start(void *ctx, const char *context, const char *digest)
{
    OSSL_PARAM params[4], *p = params;

    *p++ = OSSL_PARAM_construct_octet_string("pub", pk, sizeof(pk));
    if (context != NULL)
        *p++ = OSSL_PARAM_construct_octet_string("context-string", (void *)(uintptr_t)context,
                                                 strlen(context));
    if (digest != NULL)
        *p++ = OSSL_PARAM_construct_utf8_string("digest", (char *)(uintptr_t)digest, 0);
    *p = OSSL_PARAM_construct_end();
    return CALL(DIGEST_INIT, digest_init)(ctx, params);
}

static int update(void *ctx, const unsigned char *d, size_t n)
{
    return CALL(DIGEST_UPDATE, digest_update)(ctx, d, n);
}

static int final(void *ctx, unsigned char out[64], size_t size)
{
    size_t n = 0;

    return CALL(DIGEST_FINAL, digest_final)(ctx, out, &n, size) && n == 64;
}

static void *new_ctx(void)
{
    void *ctx = CALL(DIGEST_NEWCTX, digest_newctx)(fc.provctx);

    assert_non_null(ctx);
    return ctx;
}

static void free_ctx(void *ctx)
{
    CALL(DIGEST_FREECTX, digest_freectx)(ctx);
}

static void pure(void **state)
{
    static const char *const contexts[] = { "", "context" };
    unsigned char want[64], got[64];
    void *ctx = new_ctx(), *copy;
    size_t i, n, cut;

    (void)state;
    for (i = 0; i < 2; i++)
        for (n = 0; n <= sizeof(msg); n += 50) {
            expected(contexts[i], 0, msg, n, want);
            cut = n == 0 ? 0 : wnt_rand_below(n);
            assert_int_equal(start(ctx, contexts[i], NULL), 1);
            assert_int_equal(update(ctx, msg, cut), 1);
            copy = CALL(DIGEST_DUPCTX, digest_dupctx)(ctx);
            assert_int_equal(final(ctx, NULL, 0), 1);           /* a size query */
            assert_int_equal(final(ctx, got, 63), 0);
            assert_int_equal(update(ctx, msg + cut, n - cut), 1);
            assert_int_equal(final(ctx, got, 64), 1);
            assert_memory_equal(got, want, 64);
            assert_int_equal(update(copy, msg + cut, n - cut), 1);
            assert_int_equal(final(copy, got, 64), 1);
            assert_memory_equal(got, want, 64);
            free_ctx(copy);
        }
    /* key and context stay */
    expected("context", 0, msg, 10, want);
    assert_int_equal(CALL(DIGEST_INIT, digest_init)(ctx, NULL), 1);
    assert_int_equal(update(ctx, msg, 10), 1);
    assert_int_equal(final(ctx, got, 64), 1);
    assert_memory_equal(got, want, 64);
    free_ctx(ctx);
}

static void prehash(void **state)
{
    static const struct {
        const char *name;
        unsigned char oid;
        size_t n;
    } hashes[] = {
        { "SHA-256", 1, 32 }, { "sha-384", 2, 48 }, { "SHA-512", 3, 64 }, { "SHA-224", 4, 28 },
        { "SHA3-224", 7, 28 }, { "SHA3-256", 8, 32 }, { "SHA3-384", 9, 48 },
        { "SHA3-512", 10, 64 }, { "SHAKE-128", 11, 32 }, { "SHAKE-256", 12, 64 },
    };
    unsigned char want[64], got[64];
    void *ctx = new_ctx();
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(hashes) / sizeof(hashes[0]); i++) {
        expected("c", hashes[i].oid, msg, hashes[i].n, want);
        assert_int_equal(start(ctx, "c", hashes[i].name), 1);
        assert_int_equal(update(ctx, msg, hashes[i].n - 1), 1);
        assert_int_equal(final(ctx, got, 64), 0);               /* one byte is missing */
        assert_int_equal(update(ctx, msg, 2), 0);               /* one too many */
        assert_true(fake_raised(&fc, PROV_R_INVALID_DATA));
        assert_int_equal(update(ctx, msg + hashes[i].n - 1, 1), 1);
        assert_int_equal(final(ctx, got, 64), 1);
        assert_memory_equal(got, want, 64);
    }
    free_ctx(ctx);
}

static void refused(void **state)
{
    static unsigned char long_context[256];
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    unsigned char want[64], got[64];
    void *ctx = new_ctx();

    (void)state;
    assert_int_equal(CALL(DIGEST_INIT, digest_init)(ctx, NULL), 1);
    assert_int_equal(update(ctx, msg, 1), 0);
    assert_true(fake_raised(&fc, PROV_R_MISSING_KEY));
    params[0] = OSSL_PARAM_construct_octet_string("pub", pk, sizeof(pk) - 1);
    assert_int_equal(CALL(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params)(ctx, params), 0);
    assert_true(fake_raised(&fc, PROV_R_INVALID_KEY_LENGTH));
    assert_int_equal(start(ctx, "c", "SHA-1"), 0);
    assert_true(fake_raised(&fc, PROV_R_INVALID_DIGEST));
    params[0] = OSSL_PARAM_construct_octet_string("context-string", long_context, 256);
    assert_int_equal(CALL(DIGEST_SET_CTX_PARAMS, digest_set_ctx_params)(ctx, params), 0);
    assert_true(fake_raised(&fc, PROV_R_INVALID_DATA));
    /* none of that left a trace */
    expected("ok", 0, msg, 5, want);
    assert_int_equal(start(ctx, "ok", NULL), 1);
    assert_int_equal(update(ctx, msg, 5), 1);
    assert_int_equal(final(ctx, got, 64), 1);
    assert_memory_equal(got, want, 64);
    free_ctx(ctx);
}

static void only_from_4_0(void **state)
{
    struct fake_core old;

    (void)state;
    fake_init(&old, "3.6.0");
    assert_true(fake_load(&old));
    assert_null(fake_algorithm(&old, OSSL_OP_DIGEST, "ML-DSA-MU"));
    fake_unload(&old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pure),
        cmocka_unit_test(prehash),
        cmocka_unit_test(refused),
        cmocka_unit_test(only_from_4_0),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
