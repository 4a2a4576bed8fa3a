/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The provider's shell against a fake core: loading, parameters, configuration,
 * versions, blocked and left-out algorithms, every failing allocation. */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "fakecore.h"
#include "provider/err.h"
#include "wntest.h"

static void loads_on_every_core(void **state)
{
    static const char *const versions[] = { "3.0.0", "3.5.9", "3.6.1", "4.0.0", "nonsense" };
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        fake_init(&fc, versions[i]);
        assert_int_equal(fake_load(&fc), 1);
        assert_non_null(fake_algorithm(&fc, OSSL_OP_DIGEST, "sha2-256"));
        fake_unload(&fc);
        assert_int_equal(fc.live, 0);
        assert_int_equal(fc.n_reasons, 0);
    }
}

static void names_itself(void **state)
{
    struct fake_core fc;
    const char *name = NULL, *version = NULL, *build = NULL;
    int status = 0;
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, &name, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, &version, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &build, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, &status),
        OSSL_PARAM_END
    };
    OSSL_FUNC_provider_get_params_fn *get;

    (void)state;
    fake_init(&fc, "3.0.0");
    assert_int_equal(fake_load(&fc), 1);
    get = (OSSL_FUNC_provider_get_params_fn *)fake_function(fc.functions,
                                                            OSSL_FUNC_PROVIDER_GET_PARAMS);
    assert_int_equal(get(fc.provctx, params), 1);
    assert_string_equal(name, "wolfnano");
    assert_non_null(strchr(version, '.'));
    assert_ptr_equal(strstr(build, "wolfSSL 5.9.2"), build);
    assert_int_equal(status, 1);
    fake_unload(&fc);
}

static void refuses_a_core_without_what_it_needs(void **state)
{
    static const int needed[] = { OSSL_FUNC_CORE_GET_PARAMS, OSSL_FUNC_CORE_VSET_ERROR,
                                  OSSL_FUNC_CRYPTO_ZALLOC, OSSL_FUNC_OPENSSL_CLEANSE };
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        fake_init(&fc, "3.0.0");
        fc.hide[0] = needed[i];
        assert_int_equal(fake_load(&fc), 0);
        assert_int_equal(fc.live, 0);
    }
}

static void does_without_optional_functions(void **state)
{
    struct fake_core fc;

    (void)state;
    fake_init(&fc, "3.0.0");
    fc.hide[0] = OSSL_FUNC_CORE_THREAD_START;
    fc.hide[1] = OSSL_FUNC_GET_ENTROPY;
    fc.hide[2] = OSSL_FUNC_GET_NONCE;
    fc.hide[3] = OSSL_FUNC_CRYPTO_SECURE_MALLOC;
    assert_int_equal(fake_load(&fc), 1);
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

static void survives_every_failing_allocation(void **state)
{
    struct fake_core fc;
    unsigned long n;
    int loaded = 0;

    (void)state;
    for (n = 1; !loaded; n++) {
        assert_true(n < 1000);
        fake_init(&fc, "3.0.0");
        fc.fail_at = n;
        fc.config[0] = "block";
        fc.config[1] = "SHA256, SHA1";
        loaded = fake_load(&fc);
        if (loaded)
            fake_unload(&fc);
        else if (fc.n_reasons > 0)
            assert_true(fake_raised(&fc, ERR_R_MALLOC_FAILURE));
        assert_int_equal(fc.live, 0);
    }
    assert_true(n > 3);
}

static void leaves_out_and_blocks(void **state)
{
    struct fake_core fc;
    const OSSL_DISPATCH *table;
    OSSL_FUNC_digest_newctx_fn *newctx;

    (void)state;
    fake_init(&fc, "3.0.0");
    fc.config[0] = "without";
    fc.config[1] = "sha-1 , 2.16.840.1.101.3.4.2.3";
    fc.config[2] = "block";
    fc.config[3] = "SHA256";
    assert_int_equal(fake_load(&fc), 1);
    assert_null(fake_algorithm(&fc, OSSL_OP_DIGEST, "SHA1"));
    assert_null(fake_algorithm(&fc, OSSL_OP_DIGEST, "SHA2-512"));
    assert_non_null(fake_algorithm(&fc, OSSL_OP_DIGEST, "SHA2-384"));
    table = fake_algorithm(&fc, OSSL_OP_DIGEST, "SHA2-256");
    newctx = (OSSL_FUNC_digest_newctx_fn *)fake_function(table, OSSL_FUNC_DIGEST_NEWCTX);
    assert_null(newctx(fc.provctx));
    assert_true(fake_raised(&fc, WN_R_BLOCKED));
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

static void refuses_bad_configuration(void **state)
{
    struct fake_core fc;

    (void)state;
    fake_init(&fc, "3.0.0");
    fc.config[0] = "cpu";
    fc.config[1] = "-avx2 -warpdrive";
    assert_int_equal(fake_load(&fc), 0);
    assert_true(fake_raised(&fc, WN_R_BAD_CONFIGURATION));
    assert_non_null(strstr(fc.last_text, "-warpdrive"));
    assert_int_equal(fc.live, 0);
}

static void refuses_bad_fallback(void **state)
{
    struct fake_core fc;

    (void)state;
    fake_init(&fc, "3.0.0");
    fc.config[0] = "fallback";
    fc.config[1] = "perhaps";
    assert_int_equal(fake_load(&fc), 0);
    assert_true(fake_raised(&fc, WN_R_BAD_CONFIGURATION));
    assert_non_null(strstr(fc.last_text, "perhaps"));
    assert_int_equal(fc.live, 0);
}

static void two_at_once(void **state)
{
    struct fake_core a, b;

    (void)state;
    fake_init(&a, "3.0.0");
    fake_init(&b, "3.6.0");
    assert_int_equal(fake_load(&a), 1);
    assert_int_equal(fake_load(&b), 1);
    assert_ptr_not_equal(a.provctx, b.provctx);
    fake_unload(&a);
    assert_non_null(fake_algorithm(&b, OSSL_OP_DIGEST, "SHA1"));
    fake_unload(&b);
    assert_int_equal(a.live, 0);
    assert_int_equal(b.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_on_every_core),
        cmocka_unit_test(names_itself),
        cmocka_unit_test(refuses_a_core_without_what_it_needs),
        cmocka_unit_test(does_without_optional_functions),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(leaves_out_and_blocks),
        cmocka_unit_test(refuses_bad_configuration),
        cmocka_unit_test(refuses_bad_fallback),
        cmocka_unit_test(two_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
