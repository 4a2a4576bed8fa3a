/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The random generators under a core of our own: every allocation failing in
 * turn, no entropy, a core without optional functions, limits that libcrypto
 * hides (it splits large requests), and the provider's random_bytes function.
 */
#include <string.h>

#include <openssl/core_names.h>

#include "fakecore.h"
#include "wntest.h"

#define FUNC_RANDOM_BYTES 1032      /* OSSL_FUNC_PROVIDER_RANDOM_BYTES, since 3.5 */
typedef int random_bytes_fn(void *provctx, int which, void *buf, size_t n, unsigned strength);

#define CALL(table, ID, type) ((OSSL_FUNC_##type##_fn *)fake_function(table, OSSL_FUNC_##ID))

static const char *const rands[] = { "CTR-DRBG", "HASH-DRBG", "HMAC-DRBG" };

static void params_of(const char *name, OSSL_PARAM *p)
{
    static int df = 1;

    if (strcmp(name, "CTR-DRBG") == 0) {
        *p++ = OSSL_PARAM_construct_utf8_string("cipher", (char *)"AES-256-CTR", 0);
        *p++ = OSSL_PARAM_construct_int("use_derivation_function", &df);
    } else {
        *p++ = OSSL_PARAM_construct_utf8_string("digest", (char *)"SHA512", 0);
        *p++ = OSSL_PARAM_construct_utf8_string("mac", (char *)"HMAC", 0);
    }
    *p = OSSL_PARAM_construct_end();
}

/* A generator under SEED-SRC: made, used, freed. 1 if all of it went well. */
static int life(struct fake_core *fc, const char *name)
{
    const OSSL_DISPATCH *seed = fake_algorithm(fc, OSSL_OP_RAND, "SEED-SRC");
    const OSSL_DISPATCH *rand = fake_algorithm(fc, OSSL_OP_RAND, name);
    void *s, *r = NULL;
    unsigned char out[40], *given = NULL;
    OSSL_PARAM params[3];
    size_t n = 0;
    int ok = 0;

    params_of(name, params);
    s = CALL(seed, RAND_NEWCTX, rand_newctx)(fc->provctx, NULL, NULL);
    if (s != NULL)
        r = CALL(rand, RAND_NEWCTX, rand_newctx)(fc->provctx, s, seed);
    if (r != NULL)
        ok = CALL(seed, RAND_INSTANTIATE, rand_instantiate)(s, 0, 0, NULL, 0, NULL)
            && CALL(rand, RAND_ENABLE_LOCKING, rand_enable_locking)(r)
            && CALL(rand, RAND_INSTANTIATE, rand_instantiate)(r, 256, 0, NULL, 0, params)
            && CALL(rand, RAND_GENERATE, rand_generate)(r, out, sizeof(out), 256, 1, out, 3)
            && CALL(rand, RAND_RESEED, rand_reseed)(r, 1, NULL, 0, NULL, 0)
            && (n = CALL(rand, RAND_GET_SEED, rand_get_seed)(r, &given, 256, 0, 99, 0, NULL, 0))
                != 0;
    if (ok)
        ok = n == 32;
    if (n != 0)
        CALL(rand, RAND_CLEAR_SEED, rand_clear_seed)(r, given, n);
    CALL(rand, RAND_FREECTX, rand_freectx)(r);
    CALL(seed, RAND_FREECTX, rand_freectx)(s);
    return ok;
}

static void allocations_fail(void **state)
{
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        unsigned long at, first;
        long live;

        fake_init(&fc, "3.0.0");
        /* the secure heap's allocations would be made up for by plain ones */
        fc.hide[0] = OSSL_FUNC_CRYPTO_SECURE_MALLOC;
        assert_true(fake_load(&fc));
        live = fc.live;
        first = fc.allocations;
        assert_true(life(&fc, rands[i]));
        assert_int_equal(fc.n_reasons, 0);
        assert_int_equal(fc.live, live);
        first = fc.allocations - first;
        assert_true(first > 2);
        for (at = 1; at <= first; at++) {
            fc.n_reasons = 0;
            fc.fail_at = fc.allocations + at;
            assert_false(life(&fc, rands[i]));
            assert_true(fc.n_reasons > 0);
            assert_int_equal(fc.live, live);
        }
        fc.fail_at = 0;
        assert_true(life(&fc, rands[i]));
        fake_unload(&fc);
        assert_int_equal(fc.live, 0);
    }
}

static void limits(void **state)
{
    static unsigned char big[65537];
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        const OSSL_DISPATCH *f;
        OSSL_FUNC_rand_generate_fn *generate;
        OSSL_PARAM params[3];
        void *r;

        fake_init(&fc, "3.5.0");
        assert_true(fake_load(&fc));
        f = fake_algorithm(&fc, OSSL_OP_RAND, rands[i]);
        generate = CALL(f, RAND_GENERATE, rand_generate);
        r = CALL(f, RAND_NEWCTX, rand_newctx)(fc.provctx, NULL, NULL);
        params_of(rands[i], params);
        assert_true(CALL(f, RAND_INSTANTIATE, rand_instantiate)(r, 0, 0, NULL, 0, params));
        assert_true(generate(r, big, 65536, 0, 0, NULL, 0));
        memset(big, 0x5a, sizeof(big));
        assert_false(generate(r, big, 65537, 0, 0, NULL, 0));
        assert_true(fake_raised(&fc, PROV_R_REQUEST_TOO_LARGE_FOR_DRBG));
        assert_int_equal(big[0], 0x5a);
        assert_false(generate(r, big, 1, 0, 0, big, (size_t)INT32_MAX + 1));
        assert_true(fake_raised(&fc, PROV_R_ADDITIONAL_INPUT_TOO_LONG));
        assert_true(generate(r, big, 0, 0, 0, NULL, 0));
        assert_true(generate(r, big, 1, 0, 0, NULL, 0));
        /* without a parent the core's entropy is used, and missed */
        fc.no_entropy = 1;
        assert_false(generate(r, big, 1, 0, 1, NULL, 0));
        assert_true(fake_raised(&fc, PROV_R_RESEED_ERROR));
        fc.no_entropy = 0;
        assert_true(generate(r, big, 1, 0, 0, NULL, 0));
        CALL(f, RAND_FREECTX, rand_freectx)(r);
        CALL(f, RAND_FREECTX, rand_freectx)(NULL);
        fake_unload(&fc);
        assert_int_equal(fc.live, 0);
    }
}

/* OpenSSL 4.0 asks for no MAC; before, HMAC-DRBG is nothing without. */
static void mac_by_version(void **state)
{
    static const char *const versions[] = { "3.0.0", "3.6.0", "4.0.0" };
    OSSL_PARAM digest[] = {
        OSSL_PARAM_construct_utf8_string("digest", (char *)"SHA256", 0),
        OSSL_PARAM_construct_end()
    };
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        const OSSL_DISPATCH *f;
        void *r;

        fake_init(&fc, versions[i]);
        assert_true(fake_load(&fc));
        f = fake_algorithm(&fc, OSSL_OP_RAND, "HMAC-DRBG");
        r = CALL(f, RAND_NEWCTX, rand_newctx)(fc.provctx, NULL, NULL);
        assert_int_equal(CALL(f, RAND_INSTANTIATE, rand_instantiate)(r, 0, 0, NULL, 0, digest),
                         i == 2);
        if (i != 2)
            assert_int_equal(ERR_GET_REASON(fc.reasons[0]), PROV_R_MISSING_MAC);
        CALL(f, RAND_FREECTX, rand_freectx)(r);
        fake_unload(&fc);
    }
}

static void random_bytes(void **state)
{
    static const int hidden[][16] = {
        { 0 },
        { OSSL_FUNC_GET_ENTROPY, OSSL_FUNC_GET_NONCE, OSSL_FUNC_CORE_THREAD_START,
          OSSL_FUNC_CRYPTO_SECURE_MALLOC, OSSL_FUNC_CRYPTO_SECURE_CLEAR_FREE, 0 },
    };
    unsigned char a[100], b[100];
    struct fake_core fc;
    random_bytes_fn *f;
    size_t i;

    (void)state;
    for (i = 0; i < 2; i++) {
        fake_init(&fc, "3.5.0");
        memcpy(fc.hide, hidden[i], sizeof(fc.hide));
        assert_true(fake_load(&fc));
        f = (random_bytes_fn *)fake_function(fc.functions, FUNC_RANDOM_BYTES);
        assert_non_null(f);
        assert_int_equal(f(fc.provctx, 0, a, sizeof(a), 256), 1);
        assert_int_equal(f(fc.provctx, 1, b, sizeof(b), 0), 1);
        assert_memory_not_equal(a, b, sizeof(a));
        assert_int_equal(f(fc.provctx, 0, a, sizeof(a), 257), 0);
        assert_true(fake_raised(&fc, PROV_R_INSUFFICIENT_DRBG_STRENGTH));
        assert_int_equal(fc.n_threads, i == 0);
        fake_unload(&fc);
        assert_int_equal(fc.live, 0);
    }
    /* no memory for the thread's generator */
    fake_init(&fc, "3.5.0");
    fc.hide[0] = OSSL_FUNC_CRYPTO_SECURE_MALLOC;
    assert_true(fake_load(&fc));
    f = (random_bytes_fn *)fake_function(fc.functions, FUNC_RANDOM_BYTES);
    fc.fail_at = fc.allocations + 1;
    memset(a, 1, sizeof(a));
    assert_int_equal(f(fc.provctx, 0, a, sizeof(a), 0), 0);
    for (i = 0; i < sizeof(a); i++)
        assert_int_equal(a[i], 0);
    fc.fail_at = 0;
    assert_int_equal(f(fc.provctx, 0, a, sizeof(a), 0), 1);
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
    /* the secure heap is full: another one serves */
    fake_init(&fc, "3.5.0");
    assert_true(fake_load(&fc));
    f = (random_bytes_fn *)fake_function(fc.functions, FUNC_RANDOM_BYTES);
    fc.fail_at = fc.allocations + 1;
    assert_int_equal(f(fc.provctx, 0, a, sizeof(a), 0), 1);
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

/* Loading, making contexts and querying draw nothing. */
static void no_random_before_use(void **state)
{
    struct fake_core fc;
    const OSSL_DISPATCH *f;
    void *r;
    size_t i;

    (void)state;
    fake_init(&fc, "3.0.0");
    fc.no_entropy = 1;
    assert_true(fake_load(&fc));
    for (i = 0; i < 3; i++) {
        f = fake_algorithm(&fc, OSSL_OP_RAND, rands[i]);
        r = CALL(f, RAND_NEWCTX, rand_newctx)(fc.provctx, NULL, NULL);
        assert_non_null(r);
        CALL(f, RAND_FREECTX, rand_freectx)(r);
    }
    assert_int_equal(fc.n_reasons, 0);
    assert_int_equal(fc.n_threads, 0);
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_fail),
        cmocka_unit_test(limits),
        cmocka_unit_test(mac_by_version),
        cmocka_unit_test(random_bytes),
        cmocka_unit_test(no_random_before_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
