/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ciphers that are no AEADs: calls that must fail, with the reason, and that the
 * context is usable afterwards; through EVP, beside the default provider. */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "ciphers.h"

static const unsigned char key[64] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, iv[16] = { 1 };

/* Both sides do the same and fail alike (or succeed alike). */
#define BOTH_FAIL(p, reason, call)                                           \
    do {                                                                     \
        EVP_CIPHER_CTX *ctx = (p)->w;                                        \
        assert_int_equal(call, 0);                                           \
        wnt_assert_prov_error(reason);                                       \
        ctx = (p)->d;                                                        \
        assert_int_equal(call, 0);                                           \
        cipher_assert_error(reason);                                         \
    } while (0)
#define BOTH_OK(p, call)                                                     \
    do {                                                                     \
        EVP_CIPHER_CTX *ctx = (p)->w;                                        \
        wnt_ok(call);                                                        \
        ctx = (p)->d;                                                        \
        wnt_ok(call);                                                        \
    } while (0)

static void init(struct cipher_pair *p, const unsigned char *k, const unsigned char *v, int enc)
{
    wnt_ok(EVP_CipherInit_ex2(p->w, p->wolf, k, v, enc, NULL));
    wnt_ok(EVP_CipherInit_ex2(p->d, p->deflt, k, v, enc, NULL));
}

/* A message in both directions, to see that the contexts work. */
static void still_works(struct cipher_pair *p)
{
    unsigned char in[32], w[64], d[64];
    int wn, dn;

    wnt_rand_bytes(in, sizeof(in));
    init(p, key, iv, 1);
    BOTH_OK(p, EVP_CIPHER_CTX_set_padding(ctx, 0));
    wnt_ok(EVP_CipherUpdate(p->w, w, &wn, in, sizeof(in)));
    wnt_ok(EVP_CipherUpdate(p->d, d, &dn, in, sizeof(in)));
    assert_int_equal(wn, dn);
    assert_memory_equal(w, d, wn);
    init(p, key, iv, 0);
    wnt_ok(EVP_CipherUpdate(p->w, d, &dn, w, wn));
    assert_int_equal(dn, sizeof(in));
    assert_memory_equal(d, in, sizeof(in));
    BOTH_OK(p, EVP_CIPHER_CTX_set_padding(ctx, 1));
    wnt_assert_no_errors();
}

static void without_a_key(void **state)
{
    unsigned char buf[64] = { 0 };
    struct cipher_pair p;
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < n_ciphers; i++) {
        cipher_pair_open(&p, cipher_names[i]);
        init(&p, NULL, iv, 1);
        if (p.cts || p.mode == EVP_CIPH_WRAP_MODE) {
            /* the default provider crashes here (WRAP: up to 3.6) */
            assert_int_equal(EVP_CipherUpdate(p.w, buf, &n, buf, 32), 0);
            wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        } else if (p.mode == EVP_CIPH_XTS_MODE) {
            BOTH_FAIL(&p, PROV_R_CIPHER_OPERATION_FAILED,
                      EVP_CipherUpdate(ctx, buf, &n, buf, 32));
            /* and without an IV */
            EVP_CIPHER_CTX_reset(p.w);
            EVP_CIPHER_CTX_reset(p.d);
            init(&p, key, NULL, 1);
            BOTH_FAIL(&p, PROV_R_CIPHER_OPERATION_FAILED,
                      EVP_CipherUpdate(ctx, buf, &n, buf, 32));
        } else {
            BOTH_FAIL(&p, PROV_R_NO_KEY_SET, EVP_CipherUpdate(ctx, buf, &n, buf, 32));
            BOTH_FAIL(&p, PROV_R_NO_KEY_SET, EVP_CipherFinal_ex(ctx, buf, &n));
            assert_int_equal(EVP_Cipher(p.w, buf, buf, 32), -1);
            wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        }
        still_works(&p);
        cipher_pair_close(&p);
    }
}

/* Nothing at all, with pointers and without. */
static void empty_input(void **state)
{
    unsigned char buf[64];
    struct cipher_pair p;
    size_t i, round;

    (void)state;
    for (i = 0; i < n_ciphers; i++)
        for (round = 0; round < 4; round++) {
            unsigned char *ptr = round & 1 ? buf : NULL;
            int wn = -1, dn = -1, w, d;

            cipher_pair_open(&p, cipher_names[i]);
            init(&p, key, iv, round >> 1);
            w = EVP_CipherUpdate(p.w, ptr, &wn, ptr, 0);
            if (w)
                wnt_assert_no_errors();
            ERR_clear_error();
            d = EVP_CipherUpdate(p.d, ptr, &dn, ptr, 0);
            ERR_clear_error();
            if (w != d || wn != dn)
                fail_msg("%s: %d %d, default %d %d", p.name, w, wn, d, dn);
            w = EVP_Cipher(p.w, ptr, ptr, 0);
            ERR_clear_error();
            d = EVP_Cipher(p.d, ptr, ptr, 0);
            ERR_clear_error();
            /* what has no cipher function gets 1 for an update by EVP of old */
            if (p.mode != EVP_CIPH_WRAP_MODE)
                assert_int_equal(w, d);
            still_works(&p);
            cipher_pair_close(&p);
        }
}

static void wrong_final_length(void **state)
{
    static const char *const names[] = { "AES-128-CBC", "AES-256-ECB", "DES-EDE3-CBC" };
    unsigned char buf[64] = { 0 };
    struct cipher_pair p;
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        cipher_pair_open(&p, names[i]);
        init(&p, key, iv, 1);
        BOTH_OK(&p, EVP_CIPHER_CTX_set_padding(ctx, 0));
        BOTH_OK(&p, EVP_CipherUpdate(ctx, buf, &n, buf, 17));
        BOTH_FAIL(&p, PROV_R_WRONG_FINAL_BLOCK_LENGTH, EVP_CipherFinal_ex(ctx, buf, &n));
        still_works(&p);
        init(&p, key, iv, 0);
        BOTH_FAIL(&p, PROV_R_WRONG_FINAL_BLOCK_LENGTH, EVP_CipherFinal_ex(ctx, buf, &n));
        BOTH_OK(&p, EVP_CipherUpdate(ctx, buf, &n, buf, 33));
        BOTH_FAIL(&p, PROV_R_WRONG_FINAL_BLOCK_LENGTH, EVP_CipherFinal_ex(ctx, buf, &n));
        still_works(&p);
        /* EVP_Cipher() of a broken block: the default reads and writes beyond */
        init(&p, key, iv, 1);
        n = EVP_Cipher(p.w, buf, buf, 17);
        if (p.mode == EVP_CIPH_ECB_MODE) {
            assert_int_equal(n, EVP_Cipher(p.d, buf, buf, 17));
        } else {
            assert_int_equal(n, -1);
            wnt_assert_prov_error(PROV_R_WRONG_FINAL_BLOCK_LENGTH);
        }
        still_works(&p);
        cipher_pair_close(&p);
    }
}

static void xts_limits(void **state)
{
    const size_t max = (size_t)16 << 20;
    unsigned char twins[64] = { 0 }, *big = calloc(1, max + 1);
    struct cipher_pair p;
    int i, n;

    (void)state;
    for (i = 0; i < 2; i++) {
        cipher_pair_open(&p, i == 0 ? "AES-128-XTS" : "AES-256-XTS");
        init(&p, key, iv, 1);
        BOTH_FAIL(&p, PROV_R_CIPHER_OPERATION_FAILED, EVP_CipherUpdate(ctx, big, &n, big, 15));
        BOTH_FAIL(&p, PROV_R_XTS_DATA_UNIT_IS_TOO_LARGE,
                  EVP_CipherUpdate(ctx, big, &n, big, (int)max + 1));
        BOTH_OK(&p, EVP_CipherUpdate(ctx, big, &n, big, (int)max));
        BOTH_FAIL(&p, PROV_R_XTS_DUPLICATED_KEYS,
                  EVP_CipherInit_ex2(ctx, NULL, twins, iv, 1, NULL));
        BOTH_OK(&p, EVP_CipherInit_ex2(ctx, NULL, twins, iv, 0, NULL));
        still_works(&p);
        cipher_pair_close(&p);
    }
    free(big);
}

static int all_zero(const unsigned char *b, size_t n)
{
    while (n > 0 && b[n - 1] == 0)
        n--;
    return n == 0;
}

static void wrap_failures(void **state)
{
    unsigned char in[64] = { 7, 7, 7 }, out[128], back[128];
    struct cipher_pair p;
    size_t i, bit, len;
    int n, m, padded;

    (void)state;
    for (i = 0; i < n_ciphers; i++) {
        cipher_pair_open(&p, cipher_names[i]);
        if (p.mode != EVP_CIPH_WRAP_MODE) {
            cipher_pair_close(&p);
            continue;
        }
        padded = p.ivlen == 4;
        init(&p, key, NULL, 1);
        if (!padded) {
            BOTH_FAIL(&p, PROV_R_INVALID_INPUT_LENGTH, EVP_CipherUpdate(ctx, out, &n, in, 17));
            BOTH_FAIL(&p, PROV_R_CIPHER_OPERATION_FAILED, EVP_CipherUpdate(ctx, out, &n, in, 8));
        }
        /* what length will it be? */
        wnt_ok(EVP_CipherUpdate(p.w, NULL, &n, in, padded ? 17 : 24));
        wnt_ok(EVP_CipherUpdate(p.d, NULL, &m, in, padded ? 17 : 24));
        assert_int_equal(n, m);
        init(&p, key, NULL, 0);
        BOTH_FAIL(&p, PROV_R_INVALID_INPUT_LENGTH, EVP_CipherUpdate(ctx, out, &n, in, 8));
        BOTH_FAIL(&p, PROV_R_INVALID_INPUT_LENGTH, EVP_CipherUpdate(ctx, out, &n, in, 31));
        wnt_ok(EVP_CipherUpdate(p.w, NULL, &n, in, 40));
        assert_int_equal(n, 32);
        /* every bit counts, in the short form too; the output is wiped */
        for (len = padded ? 5 : 16; len <= 24; len += padded ? 3 : 8) {
            init(&p, key, NULL, 1);
            wnt_ok(EVP_CipherUpdate(p.w, out, &n, in, (int)len));
            for (bit = 0; bit < 8 * (size_t)n; bit++) {
                out[bit / 8] ^= (unsigned char)(1 << bit % 8);
                memset(back, 0xaa, sizeof(back));
                init(&p, key, NULL, 0);
                BOTH_FAIL(&p, PROV_R_CIPHER_OPERATION_FAILED,
                          EVP_CipherUpdate(ctx, back, &m, out, n));
                assert_true(all_zero(back, (size_t)n - 8));
                out[bit / 8] ^= (unsigned char)(1 << bit % 8);
            }
            init(&p, key, NULL, 0);
            wnt_ok(EVP_CipherUpdate(p.w, back, &m, out, n));
            assert_int_equal(m, len);
            assert_memory_equal(back, in, len);
        }
        still_works(&p);
        cipher_pair_close(&p);
    }
}

static int set_cts(EVP_CIPHER_CTX *ctx, const char *mode)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, (char *)mode, strlen(mode)),
        OSSL_PARAM_END
    };

    return EVP_CIPHER_CTX_set_params(ctx, params);
}

static void cts_failures(void **state)
{
    unsigned char buf[64] = { 0 };
    char name[16] = "";
    OSSL_PARAM get[] = {
        OSSL_PARAM_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, name, sizeof(name)), OSSL_PARAM_END
    };
    struct cipher_pair p;
    int n;

    (void)state;
    cipher_pair_open(&p, "AES-192-CBC-CTS");
    init(&p, key, iv, 1);
    BOTH_OK(&p, set_cts(ctx, "cs3"));
    BOTH_FAIL(&p, PROV_R_FAILED_TO_SET_PARAMETER, set_cts(ctx, "CS4"));
    BOTH_FAIL(&p, PROV_R_FAILED_TO_SET_PARAMETER, set_cts(ctx, ""));
    BOTH_FAIL(&p, PROV_R_FAILED_TO_SET_PARAMETER, set_cts(ctx, "CS1-and-more"));
    wnt_ok(EVP_CIPHER_CTX_get_params(p.w, get));
    assert_string_equal(name, "CS3");
    assert_int_equal(EVP_CipherUpdate(p.d, buf, &n, buf, 15), 0);
    assert_int_equal(EVP_CipherUpdate(p.w, buf, &n, buf, 15), 0);
    wnt_assert_prov_error(PROV_R_INVALID_INPUT_LENGTH);
    BOTH_OK(&p, EVP_CipherUpdate(ctx, buf, &n, buf, 17));
    assert_int_equal(EVP_CipherUpdate(p.d, buf, &n, buf, 17), 0);
    assert_int_equal(EVP_CipherUpdate(p.w, buf, &n, buf, 17), 0);
    assert_int_equal(ERR_GET_REASON(ERR_get_error()), 240);     /* UPDATE_CALL_OUT_OF_ORDER */
    BOTH_OK(&p, EVP_CipherUpdate(ctx, NULL, &n, buf, 17));
    assert_int_equal(n, 17);
    still_works(&p);
    cipher_pair_close(&p);
    ERR_clear_error();
}

/* Parameters of the wrong type or value change nothing, not even the others. */
static void bad_parameters(void **state)
{
    static unsigned char octets[4] = "1234";
    struct cipher_pair p;
    unsigned pad = 0, num = 16, seven = 7;
    OSSL_PARAM wrong[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, &pad),
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_TLS_VERSION, octets, 4),
        OSSL_PARAM_END
    }, bad_num[] = { OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, &num), OSSL_PARAM_END },
       good_num[] = { OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, &seven), OSSL_PARAM_END },
       get[] = { OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, &pad), OSSL_PARAM_END };

    (void)state;
    cipher_pair_open(&p, "AES-128-CBC");
    init(&p, key, iv, 1);
    BOTH_FAIL(&p, PROV_R_FAILED_TO_GET_PARAMETER, EVP_CIPHER_CTX_set_params(ctx, wrong));
    wnt_ok(EVP_CIPHER_CTX_get_params(p.w, get));
    assert_int_equal(pad, 1);
    assert_int_equal(EVP_CIPHER_CTX_set_params(p.w, bad_num), 0);
    wnt_assert_prov_error(PROV_R_FAILED_TO_GET_PARAMETER);
    cipher_pair_close(&p);
    /* a stream mode's number is a place in a block of 16 */
    cipher_pair_open(&p, "AES-128-CTR");
    init(&p, key, iv, 1);
    assert_int_equal(EVP_CIPHER_CTX_set_params(p.w, bad_num), 0);
    wnt_assert_prov_error(PROV_R_FAILED_TO_GET_PARAMETER);
    wnt_ok(EVP_CIPHER_CTX_set_params(p.w, good_num));
    assert_int_equal(EVP_CIPHER_CTX_get_num(p.w), 7);
    cipher_pair_close(&p);
    wnt_assert_no_errors();
}

static void key_length_is_fixed(void **state)
{
    struct cipher_pair p;
    size_t i, n;

    (void)state;
    for (i = 0; i < n_ciphers; i++) {
        cipher_pair_open(&p, cipher_names[i]);
        init(&p, NULL, NULL, 1);
        for (n = 0; n < 70; n++) {
            int w = EVP_CIPHER_CTX_set_key_length(p.w, (int)n);
            unsigned long e = ERR_get_error();

            ERR_clear_error();
            assert_int_equal(w, EVP_CIPHER_CTX_set_key_length(p.d, (int)n));
            if (ERR_peek_error() != 0 && ERR_GET_LIB(ERR_peek_error()) != ERR_LIB_PROV)
                assert_int_equal(ERR_GET_REASON(e), ERR_GET_REASON(ERR_peek_error()));
            ERR_clear_error();
        }
        still_works(&p);
        cipher_pair_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_key),
        cmocka_unit_test(empty_input),
        cmocka_unit_test(wrong_final_length),
        cmocka_unit_test(xts_limits),
        cmocka_unit_test(wrap_failures),
        cmocka_unit_test(cts_failures),
        cmocka_unit_test(bad_parameters),
        cmocka_unit_test(key_length_is_fixed),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
