/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The KDFs under a core of our own: every allocation failing in turn, of a
 * context's whole life; which KDFs there are, and what getters say, by version.
 */
#include <string.h>

#include <openssl/core_names.h>

#include "fakecore.h"
#include "wntest.h"

#define CALL(table, ID, type) ((OSSL_FUNC_##type##_fn *)fake_function(table, OSSL_FUNC_##ID))

struct kdf {
    const char *name;
    size_t n;                       /* bytes to derive */
    const char *text[12];           /* names and values of UTF-8 strings */
    const char *octets[12];         /* names and values of octet strings */
    const char *number;             /* name of a number, 2 */
};

static const struct kdf kdfs[] = {
    { "HKDF", 40, { "digest", "SHA256" }, { "key", "k", "salt", "s", "info", "i" }, NULL },
    { "HKDF-SHA512", 40, { NULL }, { "key", "k", "salt", "s", "info", "i" }, NULL },
    { "TLS13-KDF", 40, { "mode", "EXPAND_ONLY", "digest", "SHA256" },
      { "key", "k", "prefix", "p", "label", "l", "data", "d" }, NULL },
    { "TLS1-PRF", 40, { "digest", "MD5-SHA1" }, { "secret", "s", "seed", "a", "seed", "b" },
      NULL },
    { "PBKDF2", 40, { "digest", "SHA1" }, { "pass", "p", "salt", "s" }, "iter" },
    { "PBKDF1", 16, { "digest", "MD5" }, { "pass", "p", "salt", "s" }, "iter" },
    { "PKCS12KDF", 40, { "digest", "SHA1" }, { "pass", "p", "salt", "s" }, "id" },
    { "PVKKDF", 20, { "digest", "SHA1" }, { "pass", "p", "salt", "s" }, NULL },
    { "SSKDF", 40, { "digest", "SHA1" }, { "secret", "s", "info", "i", "info", "j" }, NULL },
    { "SSKDF", 40, { "mac", "HMAC", "digest", "SHA1" }, { "secret", "s", "salt", "i" }, NULL },
    { "SSKDF", 40, { "mac", "KMAC-128" }, { "secret", "s", "salt", "salt" }, NULL },
    { "X963KDF", 40, { "digest", "SHA1" }, { "secret", "s", "info", "i" }, NULL },
    { "X942KDF-ASN1", 32, { "digest", "SHA1", "cekalg", "id-aes256-wrap" },
      { "secret", "s", "ukm", "i" }, NULL },
    { "KBKDF", 40, { "mac", "HMAC", "digest", "SHA1" }, { "key", "s", "info", "i" }, NULL },
    { "KBKDF", 40, { "mac", "CMAC", "cipher", "AES-128-CBC" },
      { "key", "sixteen byte key", "salt", "i" }, NULL },
    { "KBKDF", 40, { "mac", "KMAC256" }, { "key", "a key", "info", "i" }, NULL },
    { "KRB5KDF", 16, { "cipher", "AES-128-CBC" }, { "key", "sixteen byte key", "constant", "c" },
      NULL },
    { "SSHKDF", 40, { "digest", "SHA1", "type", "A" },
      { "key", "k", "xcghash", "x", "session_id", "s" }, NULL },
    { "SCRYPT", 40, { NULL }, { "pass", "p", "salt", "s" }, "n" },
    { "HMAC-DRBG-KDF", 40, { "digest", "SHA1" }, { "entropy", "e", "nonce", "n" }, NULL },
};
#define N_KDFS (sizeof(kdfs) / sizeof(kdfs[0]))

static void params_of(const struct kdf *kdf, OSSL_PARAM *p)
{
    static int two = 2;
    size_t i;

    for (i = 0; kdf->text[i] != NULL; i += 2)
        *p++ = OSSL_PARAM_construct_utf8_string(kdf->text[i], (char *)kdf->text[i + 1], 0);
    for (i = 0; kdf->octets[i] != NULL; i += 2)
        *p++ = OSSL_PARAM_construct_octet_string(kdf->octets[i], (void *)kdf->octets[i + 1],
                                                 strlen(kdf->octets[i + 1]));
    if (kdf->number != NULL)
        *p++ = OSSL_PARAM_construct_int(kdf->number, &two);
    *p = OSSL_PARAM_construct_end();
}

/* A context made, duplicated, used, reset and used again: 1 if all went well. */
static int life(struct fake_core *fc, const struct kdf *kdf)
{
    const OSSL_DISPATCH *f = fake_algorithm(fc, OSSL_OP_KDF, kdf->name);
    OSSL_FUNC_kdf_derive_fn *derive = CALL(f, KDF_DERIVE, kdf_derive);
    unsigned char a[40], b[40];
    OSSL_PARAM params[14];
    void *ctx, *copy = NULL;
    int ok = 0;

    params_of(kdf, params);
    ctx = CALL(f, KDF_NEWCTX, kdf_newctx)(fc->provctx);
    if (ctx != NULL
        && CALL(f, KDF_SET_CTX_PARAMS, kdf_set_ctx_params)(ctx, params) == 1
        && (copy = CALL(f, KDF_DUPCTX, kdf_dupctx)(ctx)) != NULL
        && derive(copy, a, kdf->n, NULL) == 1) {
        CALL(f, KDF_RESET, kdf_reset)(ctx);
        ok = derive(ctx, b, kdf->n, params) == 1;
        if (ok)
            assert_memory_equal(a, b, kdf->n);
    }
    CALL(f, KDF_FREECTX, kdf_freectx)(ctx);
    CALL(f, KDF_FREECTX, kdf_freectx)(copy);
    return ok;
}

static void allocations_fail(void **state)
{
    struct fake_core fc;
    size_t i;

    (void)state;
    fake_init(&fc, "3.6.0");
    /* the secure heap's allocations would be made up for by plain ones */
    fc.hide[0] = OSSL_FUNC_CRYPTO_SECURE_MALLOC;
    assert_true(fake_load(&fc));
    for (i = 0; i < N_KDFS; i++) {
        unsigned long at, first = fc.allocations;
        long live = fc.live;

        if (!life(&fc, &kdfs[i]))
            fail_msg("%s (%zu): reason %u", kdfs[i].name, i, (unsigned)ERR_GET_REASON(fc.reasons[0]));
        assert_int_equal(fc.n_reasons, 0);
        assert_int_equal(fc.live, live);
        first = fc.allocations - first;
        assert_true(first > 3);
        for (at = 1; at <= first; at++) {
            /* the core's allocators raise the error themselves */
            fc.fail_at = fc.allocations + at;
            if (life(&fc, &kdfs[i]) || fc.live != live)
                fail_msg("%s, allocation %lu: %ld blocks", kdfs[i].name, at, fc.live - live);
        }
        fc.fail_at = 0;
        fc.n_reasons = 0;
    }
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

static void offered_by_version(void **state)
{
    static const struct {
        const char *name, *since;
    } later[] = { { "HMAC-DRBG-KDF", "3.2.0" }, { "PVKKDF", "3.2.0" }, { "HKDF-SHA256", "3.6.0" },
                  { "1.2.840.113549.1.9.16.3.30", "3.6.0" }, { "PBKDF1", "3.0.0" } };
    static const char *const versions[] = { "3.0.0", "3.1.4", "3.2.0", "3.5.7", "3.6.0", "4.0.2" };
    struct fake_core fc;
    size_t v, i;

    (void)state;
    for (v = 0; v < sizeof(versions) / sizeof(versions[0]); v++) {
        fake_init(&fc, versions[v]);
        assert_true(fake_load(&fc));
        for (i = 0; i < sizeof(later) / sizeof(later[0]); i++)
            if ((fake_algorithm(&fc, OSSL_OP_KDF, later[i].name) != NULL)
                != (strcmp(versions[v], later[i].since) >= 0))
                fail_msg("%s in %s", later[i].name, versions[v]);
        fake_unload(&fc);
    }
}

/* A getter without a parameter it knows: -2 from old versions' KDFs, else 1. */
static void unknown_parameters(void **state)
{
    static const struct {
        const char *version;
        int result;
    } cases[] = { { "3.0.0", -2 }, { "3.3.9", -2 }, { "3.4.0", 1 }, { "4.0.0", 1 } };
    unsigned char info[4];
    OSSL_PARAM none[2] = { OSSL_PARAM_construct_octet_string("what", info, 4), OSSL_PARAM_END };
    OSSL_PARAM known[2] = { OSSL_PARAM_construct_octet_string("info", info, 4), OSSL_PARAM_END };
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const OSSL_DISPATCH *f;
        void *ctx;

        fake_init(&fc, cases[i].version);
        assert_true(fake_load(&fc));
        f = fake_algorithm(&fc, OSSL_OP_KDF, "HKDF");
        ctx = CALL(f, KDF_NEWCTX, kdf_newctx)(fc.provctx);
        assert_int_equal(CALL(f, KDF_GET_CTX_PARAMS, kdf_get_ctx_params)(ctx, none),
                         cases[i].result);
        known[0].return_size = OSSL_PARAM_UNMODIFIED;
        assert_int_equal(CALL(f, KDF_GET_CTX_PARAMS, kdf_get_ctx_params)(ctx, known), 1);
        assert_int_equal(known[0].return_size, 0);
        CALL(f, KDF_FREECTX, kdf_freectx)(ctx);
        fake_unload(&fc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_fail),
        cmocka_unit_test(offered_by_version),
        cmocka_unit_test(unknown_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
