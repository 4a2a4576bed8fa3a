/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the handling of a decrypted TLS record depend on its bytes? They are marked
 * as undefined under valgrind (ctgrind.h). A second run leaks on purpose, to see
 * that it would be noticed.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/prov_ssl.h>

#include "ctgrind.h"
#include "fakecore.h"
#include "wntest.h"

/* ---- under valgrind -------------------------------------------------------- */

static const OSSL_DISPATCH *table;

static void one_record(void *ctx, unsigned version, size_t macsize, size_t len, int leak)
{
    static const unsigned char key[16] = { 1 }, iv[16] = { 2 };
    OSSL_FUNC_cipher_decrypt_init_fn *init =
        (OSSL_FUNC_cipher_decrypt_init_fn *)fake_function(table, OSSL_FUNC_CIPHER_DECRYPT_INIT);
    OSSL_FUNC_cipher_update_fn *update =
        (OSSL_FUNC_cipher_update_fn *)fake_function(table, OSSL_FUNC_CIPHER_UPDATE);
    unsigned char record[1200] = { 0 };
    volatile size_t sink = 0;
    size_t outl = 0;
    OSSL_PARAM params[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &macsize),
        OSSL_PARAM_END
    };

    if (!init(ctx, key, sizeof(key), iv, sizeof(iv), params))
        exit(2);
    VALGRIND_MAKE_MEM_UNDEFINED(record, len);
    if (!update(ctx, record, &outl, sizeof(record), record, len))
        exit(3);
    if (leak && outl > 100)
        sink++;
}

static int inner(int leak)
{
    static const unsigned versions[] = { TLS1_2_VERSION, TLS1_VERSION, SSL3_VERSION };
    static const size_t macs[] = { 20, 32, 48 };
    struct fake_core fc;
    size_t v, m, len;
    void *ctx;

    fake_init(&fc, "3.0.0");
    if (!fake_load(&fc))
        return 4;
    table = fake_algorithm(&fc, OSSL_OP_CIPHER, "AES-128-CBC");
    ctx = ((OSSL_FUNC_cipher_newctx_fn *)fake_function(table, OSSL_FUNC_CIPHER_NEWCTX))(fc.provctx);
    for (v = 0; v < 3; v++)
        for (m = 0; m < 3; m++)
            for (len = 80; len < 1200; len += 272)
                one_record(ctx, versions[v], macs[m], len, leak);
    ((OSSL_FUNC_cipher_freectx_fn *)fake_function(table, OSSL_FUNC_CIPHER_FREECTX))(ctx);
    fake_unload(&fc);
    return 0;
}

/* ---- the tests ------------------------------------------------------------- */

static const char *self;

static int served_by_aes_instructions(void)
{
    const char *info = NULL;
    OSSL_PARAM params[] = { OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &info, 0),
                            OSSL_PARAM_END };
    struct fake_core fc;
    int aes;

    fake_init(&fc, "3.0.0");
    assert_int_equal(fake_load(&fc), 1);
    assert_int_equal(((OSSL_FUNC_provider_get_params_fn *)fake_function(
                         fc.functions, OSSL_FUNC_PROVIDER_GET_PARAMS))(fc.provctx, params), 1);
    aes = strstr(info, "aesni") != NULL;
    fake_unload(&fc);
    return aes;
}

static void record_is_handled_in_constant_time(void **state)
{
    (void)state;
    /* AES from tables looks at addresses made of the text in any case; masks do
     * not reach the fake core, so one run is enough */
    if (!served_by_aes_instructions() || wnt_cpu()[0] != '\0')
        skip();
    if (WN_CTGRIND_CANNOT || wn_ctgrind(self, "good", NULL) == WN_CTGRIND_ABSENT)
        skip();                 /* no valgrind here */
    assert_int_equal(wn_ctgrind(self, "good", NULL), 0);
    assert_int_equal(wn_ctgrind(self, "leak", NULL), WN_CTGRIND_FOUND);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record_is_handled_in_constant_time),
    };

    self = argv[0];
    if (argc > 1)
        return inner(strcmp(argv[1], "leak") == 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
