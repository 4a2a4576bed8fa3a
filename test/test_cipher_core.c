/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ciphers that are no AEADs, called as libcrypto's core would, on a core of our
 * own: key, IV and buffer lengths that EVP never passes, failing allocation and
 * entropy, behaviour that depends on the core's version.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/prov_ssl.h>

#include "ciphers.h"
#include "fakecipher.h"
#include "provider/compat.h"
#include "provider/err.h"

static struct fake_core fc;
static const unsigned char key[64] = { 1, 2, 3 }, iv[32] = { 4, 5 };

static void load(const char *version)
{
    fake_init(&fc, version);
    assert_int_equal(fake_load(&fc), 1);
}

static void unload(void)
{
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

static void find(struct fake_cipher *a, const char *name)
{
    fake_cipher_find(&fc, a, name);
}

static void assert_raised(uint32_t reason)
{
    if (fc.n_reasons != 1 || !fake_raised(&fc, reason))
        fail_msg("%zu errors raised, the last one %#x instead of %u", fc.n_reasons,
                 fc.n_reasons == 0 ? 0 : fc.reasons[fc.n_reasons - 1], reason);
    fc.n_reasons = 0;
}

static void lengths_of_key_and_iv(void **state)
{
    struct fake_cipher a;
    size_t i, n;
    int enc;

    (void)state;
    load("3.0.0");
    for (i = 0; i < n_ciphers; i++)
        for (enc = 0; enc < 2; enc++) {
            unsigned char out[80], again[80];
            size_t len = 0, len2;
            void *ctx;

            find(&a, cipher_names[i]);
            ctx = a.newctx(fc.provctx);
            assert_int_equal(a.init[1](ctx, key, a.keylen, iv, a.ivlen, NULL), 1);
            assert_int_equal(a.update(ctx, out, &len, sizeof(out), key, 48), 1);
            for (n = 0; n <= 64; n++)
                if (n != a.keylen) {
                    assert_int_equal(a.init[enc](ctx, key, n, NULL, 0, NULL), 0);
                    assert_raised(PROV_R_INVALID_KEY_LENGTH);
                }
            for (n = 0; n <= 32 && a.mode != EVP_CIPH_ECB_MODE; n++)
                if (n != a.ivlen) {
                    assert_int_equal(a.init[enc](ctx, NULL, 0, iv, n, NULL), 0);
                    assert_raised(PROV_R_INVALID_IV_LENGTH);
                }
            /* the key of before is still there */
            assert_int_equal(a.init[1](ctx, NULL, 0, iv, a.ivlen, NULL), 1);
            assert_int_equal(a.update(ctx, again, &len2, sizeof(again), key, 48), 1);
            assert_int_equal(len, len2);
            assert_memory_equal(out, again, len);
            a.freectx(ctx);
        }
    a.freectx(NULL);
    assert_int_equal(fc.n_reasons, 0);
    unload();
}

/* An update that has no room does nothing at all: the next one goes on as if it
 * had not been. */
static void too_little_space(void **state)
{
    struct fake_cipher a;
    size_t i, room;

    (void)state;
    load("3.0.0");
    for (i = 0; i < n_ciphers; i++) {
        unsigned char in[64], out[3][96];
        size_t len[2] = { 0, 0 }, more;
        void *ctx;
        int run;

        find(&a, cipher_names[i]);
        wnt_rand_bytes(in, sizeof(in));
        for (run = 0; run < 2; run++) {
            int one_shot = a.mode == EVP_CIPH_WRAP_MODE || a.mode == EVP_CIPH_XTS_MODE
                || strstr(cipher_names[i], "CTS") != NULL;

            ctx = a.newctx(fc.provctx);
            memset(out[run], 0, sizeof(out[run]));
            assert_int_equal(a.init[1](ctx, key, a.keylen, iv, a.ivlen, NULL), 1);
            if (!one_shot) {
                assert_int_equal(a.update(ctx, out[run], &more, 96, in, 5), 1);
                len[run] += more;
            }
            memset(out[2], 0x5a, sizeof(out[2]));
            for (room = 0; run == 1 && room < (a.mode == EVP_CIPH_WRAP_MODE ? 40 : 32); room++) {
                assert_int_equal(a.update(ctx, out[2], &more, room, in + 5, 40), 0);
                assert_raised(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
                assert_int_equal(out[2][0], 0x5a);
            }
            assert_int_equal(a.update(ctx, out[run] + len[run], &more, 96 - len[run], in + 5, 40), 1);
            len[run] += more;
            for (room = 0; run == 1 && a.block > 1 && room < a.block && !one_shot; room++) {
                assert_int_equal(a.final(ctx, out[2], &more, room), 0);
                assert_raised(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
            }
            assert_int_equal(a.final(ctx, out[run] + len[run], &more, 96 - len[run]), 1);
            len[run] += more;
            if (a.cipher != NULL) {
                assert_int_equal(a.cipher(ctx, out[2], &more, 15, in, 16), 0);
                assert_raised(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
            }
            a.freectx(ctx);
        }
        assert_int_equal(len[0], len[1]);
        assert_memory_equal(out[0], out[1], len[0]);
    }
    unload();
}

static void null_pointers(void **state)
{
    struct fake_cipher a;
    size_t i, n;

    (void)state;
    load("3.0.0");
    for (i = 0; i < n_ciphers; i++) {
        unsigned char buf[96] = { 0 };
        void *ctx;
        int enc;

        find(&a, cipher_names[i]);
        ctx = a.newctx(fc.provctx);
        for (enc = 0; enc < 2; enc++) {
            int sized = a.mode == EVP_CIPH_WRAP_MODE || strstr(cipher_names[i], "CTS") != NULL;

            assert_int_equal(a.init[enc](ctx, key, a.keylen, iv, a.ivlen, NULL), 1);
            assert_int_equal(a.update(ctx, buf, &n, 96, NULL, 48), 0);
            assert_raised(a.mode == EVP_CIPH_XTS_MODE ? PROV_R_CIPHER_OPERATION_FAILED
                                                      : ERR_R_PASSED_NULL_PARAMETER);
            if (!sized) {               /* those say what they need */
                assert_int_equal(a.update(ctx, NULL, &n, 96, buf, 48), 0);
                assert_raised(a.mode == EVP_CIPH_XTS_MODE ? PROV_R_CIPHER_OPERATION_FAILED
                                                          : ERR_R_PASSED_NULL_PARAMETER);
            }
            if (a.mode == EVP_CIPH_WRAP_MODE && !enc) {
                assert_int_equal(a.update(ctx, buf, &n, 96, buf, 48), 0);   /* no wrapped key */
                assert_raised(PROV_R_CIPHER_OPERATION_FAILED);
            } else {
                assert_int_equal(a.update(ctx, buf, &n, 96, buf, 48), 1);
            }
        }
        a.freectx(ctx);
    }
    unload();
}

static void no_memory(void **state)
{
    static const char *const versions[] = { "3.0.0", "3.5.0" };
    struct fake_cipher a;
    size_t i, v;

    (void)state;
    for (v = 0; v < 2; v++) {
        load(versions[v]);
        for (i = 0; i < n_ciphers; i++) {
            void *ctx;

            find(&a, cipher_names[i]);
            fc.fail_at = fc.allocations + 1;
            assert_null(a.newctx(fc.provctx));
            ctx = a.newctx(fc.provctx);
            assert_non_null(ctx);
            assert_int_equal(a.init[1](ctx, key, a.keylen, iv, a.ivlen, NULL), 1);
            fc.fail_at = fc.allocations + 1;
            assert_null(a.dupctx(ctx));
            fc.fail_at = 0;
            a.freectx(ctx);
            /* from 3.2 on the core's own functions raise */
            assert_int_equal(fc.n_reasons, v == 0 ? 2 : 0);
            fc.n_reasons = 0;
        }
        unload();
    }
}

static void no_entropy(void **state)
{
    unsigned version = TLS1_2_VERSION;
    size_t macsize = 20, n;
    unsigned char buf[64] = { 0 }, random[24];
    OSSL_PARAM tls[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &macsize),
        OSSL_PARAM_END
    }, get[] = {
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_RANDOM_KEY, random, sizeof(random)),
        OSSL_PARAM_END
    };
    struct fake_cipher a;
    void *ctx;

    (void)state;
    fake_init(&fc, "3.0.0");
    fc.no_entropy = 1;
    assert_int_equal(fake_load(&fc), 1);
    find(&a, "DES-EDE3-CBC");
    ctx = a.newctx(fc.provctx);
    assert_int_equal(a.init[0](ctx, key, a.keylen, iv, a.ivlen, tls), 1);
    assert_int_equal(a.update(ctx, buf, &n, sizeof(buf), buf, 48), 0);
    assert_true(fc.n_reasons >= 1);
    fc.n_reasons = 0;
    assert_int_equal(a.get(ctx, get), 0);
    assert_true(fc.n_reasons >= 1);
    a.freectx(ctx);
    unload();
}

static int has(const OSSL_PARAM *list, const char *name)
{
    for (; list->key != NULL; list++)
        if (strcmp(list->key, name) == 0)
            return 1;
    return 0;
}

/* What differs between the versions of the default provider. */
static void versions(void **state)
{
    static const char *const text[] = { "3.0.0", "3.5.0", "3.6.0", "4.0.0" };
    unsigned one = 1, zero = 0, pad = 7;
    unsigned char out[64];
    OSSL_PARAM twice[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, &zero),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, &one),
        OSSL_PARAM_END
    }, get[] = { OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, &pad), OSSL_PARAM_END };
    const OSSL_DISPATCH *t;
    struct fake_cipher a;
    size_t v, n;
    void *ctx;
    int ok;

    (void)state;
    for (v = 0; v < 4; v++) {
        load(text[v]);
        /* a second key in one wrap context */
        find(&a, "AES-128-WRAP");
        ctx = a.newctx(fc.provctx);
        assert_int_equal(a.init[1](ctx, key, 16, NULL, 0, NULL), 1);
        assert_int_equal(a.update(ctx, out, &n, sizeof(out), key, 16), 1);
        assert_int_equal(a.update(ctx, out, &n, sizeof(out), key, 16), v < 3);
        if (v == 3)
            assert_raised(PROV_R_UPDATE_CALL_OUT_OF_ORDER);
        assert_int_equal(a.init[1](ctx, NULL, 0, NULL, 0, NULL), 1);
        assert_int_equal(a.update(ctx, out, &n, sizeof(out), key, 16), 1);
        a.freectx(ctx);
        t = fake_algorithm(&fc, OSSL_OP_CIPHER, "AES-128-WRAP");
        assert_int_equal(has(((OSSL_FUNC_cipher_settable_ctx_params_fn *)fake_function(
                                 t, OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS))(NULL, fc.provctx),
                             OSSL_CIPHER_PARAM_KEYLEN), v == 3);
        assert_int_equal(has(((OSSL_FUNC_cipher_gettable_params_fn *)fake_function(
                                 t, OSSL_FUNC_CIPHER_GETTABLE_PARAMS))(fc.provctx),
                             OSSL_CIPHER_PARAM_ENCRYPT_THEN_MAC), v >= 2);
        /* a parameter given twice */
        find(&a, "AES-128-CBC");
        ctx = a.newctx(fc.provctx);
        ok = a.set(ctx, twice);
        assert_int_equal(ok, v < 2);
        if (!ok)
            assert_raised(PROV_R_REPEATED_PARAMETER);
        assert_int_equal(a.get(ctx, get), 1);
        assert_int_equal(pad, v < 2 ? 0 : 1);
        a.freectx(ctx);
        assert_int_equal(fc.n_reasons, 0);
        unload();
    }
}

static int take_bytes(const OSSL_PARAM params[], void *arg)
{
    assert_string_equal(params[0].key, OSSL_SKEY_PARAM_RAW_BYTES);
    assert_int_equal(params[0].data_size, *(size_t *)arg);
    assert_memory_equal(params[0].data, key, params[0].data_size);
    return 7;
}

/* Opaque keys, which 3.5 introduced. */
static void secret_keys(void **state)
{
    static const char *const names[] = { "AES", "GENERIC-SECRET" };
    size_t i, n;

    (void)state;
    load("3.4.9");
    assert_null(fake_algorithm(&fc, OSSL_OP_SKEYMGMT, "AES"));
    unload();
    load("3.5.0");
    for (i = 0; i < 2; i++) {
        const OSSL_DISPATCH *t = fake_algorithm(&fc, OSSL_OP_SKEYMGMT, names[i]);
        OSSL_FUNC_skeymgmt_import_fn *import;
        OSSL_FUNC_skeymgmt_export_fn *export;
        OSSL_FUNC_skeymgmt_free_fn *release;

        assert_non_null(t);
        import = (OSSL_FUNC_skeymgmt_import_fn *)fake_function(t, OSSL_FUNC_SKEYMGMT_IMPORT);
        export = (OSSL_FUNC_skeymgmt_export_fn *)fake_function(t, OSSL_FUNC_SKEYMGMT_EXPORT);
        release = (OSSL_FUNC_skeymgmt_free_fn *)fake_function(t, OSSL_FUNC_SKEYMGMT_FREE);
        for (n = 0; n <= sizeof(key); n++) {
            OSSL_PARAM raw[] = {
                OSSL_PARAM_octet_string(OSSL_SKEY_PARAM_RAW_BYTES, (void *)key, n), OSSL_PARAM_END
            };
            void *k = import(fc.provctx, OSSL_SKEYMGMT_SELECT_SECRET_KEY, raw);

            assert_int_equal(k != NULL, i == 1 || n == 16 || n == 24 || n == 32);
            assert_null(import(fc.provctx, OSSL_SKEYMGMT_SELECT_PARAMETERS, raw));
            if (k == NULL)
                continue;
            assert_int_equal(export(k, OSSL_SKEYMGMT_SELECT_SECRET_KEY, take_bytes, &n), 7);
            assert_int_equal(export(k, OSSL_SKEYMGMT_SELECT_PARAMETERS, take_bytes, &n), 0);
            release(k);
            fc.fail_at = fc.allocations + 1;
            assert_null(import(fc.provctx, OSSL_SKEYMGMT_SELECT_SECRET_KEY, raw));
            fc.fail_at = 0;
        }
        release(NULL);
        assert_null(import(fc.provctx, OSSL_SKEYMGMT_SELECT_SECRET_KEY, NULL));
    }
    assert_int_equal(fc.n_reasons, 0);
    unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_key_and_iv),
        cmocka_unit_test(too_little_space),
        cmocka_unit_test(null_pointers),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(no_entropy),
        cmocka_unit_test(versions),
        cmocka_unit_test(secret_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
