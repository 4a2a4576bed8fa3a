/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ciphers that are no AEADs: standard vectors, names, parameters, padding. */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "ciphers.h"

/* ---- vectors --------------------------------------------------------------- */

static int is_xts_twin(const EVP_CIPHER *c, const unsigned char *key, size_t n)
{
    return EVP_CIPHER_get_mode(c) == EVP_CIPH_XTS_MODE && memcmp(key, key + n / 2, n / 2) == 0;
}

static void one_way(EVP_CIPHER *c, const struct wnt_record *r, int enc, size_t piece)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    unsigned char *key, *iv = NULL, *in, *want, *out;
    size_t keylen, ivlen = 0, n, want_n, at;
    const char *mode = wnt_text(r, "Mode");
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    int got, total = 0;

    wnt_hex(r, "Key", &key, &keylen);
    wnt_hex(r, "IV", &iv, &ivlen);
    wnt_hex(r, enc ? "Plaintext" : "Ciphertext", &in, &n);
    wnt_hex(r, enc ? "Ciphertext" : "Plaintext", &want, &want_n);
    out = malloc(n + 64);
    assert_int_equal(keylen, EVP_CIPHER_get_key_length(c));
    if (mode != NULL)
        params[0] = OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, (char *)mode, 0);
    if (is_xts_twin(c, key, keylen) && enc) {
        /* IEEE 1619's first vector: such keys only decrypt */
        assert_int_equal(EVP_CipherInit_ex2(ctx, c, key, iv, enc, NULL), 0);
        wnt_assert_prov_error(PROV_R_XTS_DUPLICATED_KEYS);
        n = want_n = 0;
    } else {
        wnt_ok(EVP_CipherInit_ex2(ctx, c, key, iv, enc, params));
    }
    EVP_CIPHER_CTX_set_padding(ctx, 0);
    for (at = 0; at < n; at += piece) {
        if (piece > n - at)
            piece = n - at;
        wnt_ok(EVP_CipherUpdate(ctx, out + total, &got, in + at, (int)piece));
        total += got;
    }
    wnt_ok(EVP_CipherFinal_ex(ctx, out + total, &got));
    total += got;
    if ((size_t)total != want_n || memcmp(out, want, want_n) != 0)
        fail_msg("cipher_modes.txt:%d: wrong %s", r->line, enc ? "ciphertext" : "plaintext");
    wnt_assert_no_errors();
    free(key);
    free(iv);
    free(in);
    free(want);
    free(out);
    EVP_CIPHER_CTX_free(ctx);
}

static int one_shot(const EVP_CIPHER *c)
{
    return EVP_CIPHER_get_mode(c) == EVP_CIPH_WRAP_MODE
        || EVP_CIPHER_get_mode(c) == EVP_CIPH_XTS_MODE
        || (EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_CTS) != 0;
}

static void standard_vectors(void **state)
{
    FILE *f = wnt_vectors("cipher_modes.txt");
    struct wnt_record r;
    size_t count = 0;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r), count++) {
        EVP_CIPHER *c = EVP_CIPHER_fetch(wnt_wolf(), wnt_text(&r, "Cipher"), NULL);

        assert_non_null(c);
        wnt_assert_wolfnano(EVP_CIPHER_get0_provider(c));
        one_way(c, &r, 1, 1 << 20);
        one_way(c, &r, 0, 1 << 20);
        if (!one_shot(c)) {
            one_way(c, &r, 1, 1);
            one_way(c, &r, 0, 1);
            one_way(c, &r, 1, 17);
            one_way(c, &r, 0, 23);
        }
        EVP_CIPHER_free(c);
    }
    fclose(f);
    assert_true(count > 80);
}

/* ---- what a cipher says of itself ------------------------------------------ */

static void collect_names(const char *name, void *list)
{
    strcat(strcat(list, name), "\n");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names, sorted, for the order is that of a table of the library context. */
static void sorted_names(const EVP_CIPHER *c, char out[512])
{
    char raw[512] = "", *part[16], *save = NULL, *p;
    size_t n = 0, i;

    wnt_ok(EVP_CIPHER_names_do_all(c, collect_names, raw));
    for (p = strtok_r(raw, "\n", &save); p != NULL; p = strtok_r(NULL, "\n", &save))
        part[n++] = p;
    qsort(part, n, sizeof(part[0]), by_text);
    out[0] = '\0';
    for (i = 0; i < n; i++)
        strcat(strcat(out, part[i]), "\n");
}

static const OSSL_PARAM *find(const OSSL_PARAM *list, const char *name)
{
    while (list->key != NULL && strcmp(list->key, name) != 0)
        list++;
    return list->key != NULL ? list : NULL;
}

/* The same keys and types (3.5 lists some twice, 3.6 calls a pointer a string). */
static void same_list(const char *name, const OSSL_PARAM *w, const OSSL_PARAM *d)
{
    const OSSL_PARAM *p, *q;

    for (p = d; p->key != NULL; p++) {
        q = find(w, p->key);
        if (q == NULL
            || (q->data_type != p->data_type && strcmp(p->key, OSSL_CIPHER_PARAM_TLS_MAC) != 0))
            fail_msg("%s: parameter %s", name, p->key);
    }
    for (; w->key != NULL; w++)
        if (find(d, w->key) == NULL)
            fail_msg("%s: parameter %s is none of the default's", name, w->key);
}

static void same_description(void **state)
{
    struct cipher_pair p;
    char w[512], d[512];
    size_t i;

    (void)state;
    for (i = 0; i <= n_ciphers; i++) {
        cipher_pair_open(&p, i < n_ciphers ? cipher_names[i] : "DES3-WRAP");
        sorted_names(p.wolf, w);
        sorted_names(p.deflt, d);
        assert_string_equal(w, d);
        assert_int_equal(EVP_CIPHER_get_nid(p.wolf), EVP_CIPHER_get_nid(p.deflt));
        assert_int_equal(EVP_CIPHER_get_type(p.wolf), EVP_CIPHER_get_type(p.deflt));
        assert_int_equal(EVP_CIPHER_get_key_length(p.wolf), p.keylen);
        assert_int_equal(EVP_CIPHER_get_iv_length(p.wolf), p.ivlen);
        assert_int_equal(EVP_CIPHER_get_block_size(p.wolf), p.block);
        assert_int_equal(EVP_CIPHER_get_mode(p.wolf), p.mode);
        assert_int_equal(EVP_CIPHER_get_flags(p.wolf), EVP_CIPHER_get_flags(p.deflt));
        same_list(p.name, EVP_CIPHER_gettable_params(p.wolf), EVP_CIPHER_gettable_params(p.deflt));
        same_list(p.name, EVP_CIPHER_gettable_ctx_params(p.wolf),
                  EVP_CIPHER_gettable_ctx_params(p.deflt));
        same_list(p.name, EVP_CIPHER_settable_ctx_params(p.wolf),
                  EVP_CIPHER_settable_ctx_params(p.deflt));
        cipher_pair_close(&p);
    }
    wnt_assert_no_errors();
}

/* All context parameters of a fresh and of a used context. */
static void same_context_params(void **state)
{
    unsigned char key[64], iv[16], in[100], out[2][200];
    struct cipher_pair p;
    size_t i, j;
    int n;

    (void)state;
    for (i = 0; i < n_ciphers; i++) {
        cipher_pair_open(&p, cipher_names[i]);
        wnt_rand_bytes(key, sizeof(key));
        wnt_rand_bytes(iv, sizeof(iv));
        wnt_rand_bytes(in, sizeof(in));
        for (j = 0; j < 2; j++) {
            EVP_CIPHER_CTX *ctx = j == 0 ? p.w : p.d;
            size_t keylen = 99, ivlen = 99;
            unsigned padding = 99, num = 99;
            unsigned char oiv[16] = { 0 }, uiv[16] = { 0 }, *piv = NULL;
            char *mode = NULL;
            OSSL_PARAM get[] = {
                OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, &keylen),
                OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, &ivlen),
                OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, &padding),
                OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, &num),
                OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, oiv, sizeof(oiv)),
                OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, uiv, sizeof(uiv)),
                OSSL_PARAM_END
            }, ptr[] = {
                OSSL_PARAM_octet_ptr(OSSL_CIPHER_PARAM_UPDATED_IV, &piv, 0), OSSL_PARAM_END
            };

            (void)mode;
            wnt_ok(EVP_CipherInit_ex2(ctx, j == 0 ? p.wolf : p.deflt, key, iv, 1, NULL));
            wnt_ok(EVP_CipherUpdate(ctx, out[j] + 100, &n, in, 40));
            wnt_ok(EVP_CIPHER_CTX_get_params(ctx, get));
            wnt_ok(EVP_CIPHER_CTX_get_params(ctx, ptr));
            assert_memory_equal(piv, uiv, ivlen);
            memset(out[j], 0, 100);
            memcpy(out[j], oiv, 16);
            memcpy(out[j] + 16, uiv, 16);
            out[j][32] = (unsigned char)keylen;
            out[j][33] = (unsigned char)ivlen;
            out[j][34] = (unsigned char)padding;
            out[j][35] = (unsigned char)num;
            out[j][36] = (unsigned char)get[4].return_size;
            /* a buffer that is too small */
            get[4].data_size = ivlen > 0 ? ivlen - 1 : 0;
            get[0].key = "x";
            out[j][37] = (unsigned char)EVP_CIPHER_CTX_get_params(ctx, get);
            if (ivlen > 0)
                cipher_assert_error(PROV_R_FAILED_TO_SET_PARAMETER);
        }
        assert_memory_equal(out[0], out[1], 100);
        cipher_pair_close(&p);
    }
}

/* ---- padding --------------------------------------------------------------- */

/* Decrypts one block whose plaintext ends in the given bytes on both sides. */
static void unpad_one(struct cipher_pair *p, const unsigned char *plain)
{
    static const unsigned char key[32] = { 1, 2, 3 }, iv[16] = { 9 };
    unsigned char block[32], w[64], d[64];
    int n, wn = -1, dn = -1, ok;

    wnt_ok(EVP_CipherInit_ex2(p->d, p->deflt, key, iv, 1, NULL));
    EVP_CIPHER_CTX_set_padding(p->d, 0);
    wnt_ok(EVP_CipherUpdate(p->d, block, &n, plain, (int)p->block));
    wnt_ok(EVP_CipherInit_ex2(p->w, p->wolf, key, iv, 0, NULL));
    wnt_ok(EVP_CipherInit_ex2(p->d, p->deflt, key, iv, 0, NULL));
    EVP_CIPHER_CTX_set_padding(p->d, 1);
    wnt_ok(EVP_CipherUpdate(p->w, w, &n, block, (int)p->block));
    assert_int_equal(n, 0);
    wnt_ok(EVP_CipherUpdate(p->d, d, &n, block, (int)p->block));
    ok = EVP_CipherFinal_ex(p->d, d, &dn);
    ERR_clear_error();
    assert_int_equal(EVP_CipherFinal_ex(p->w, w, &wn), ok);
    if (ok) {
        assert_int_equal(wn, dn);
        assert_memory_equal(w, d, wn);
    } else {
        wnt_assert_prov_error(PROV_R_BAD_DECRYPT);
    }
}

static void every_padding(void **state)
{
    static const char *const names[] = { "AES-256-CBC", "AES-128-ECB", "DES-EDE3-CBC",
                                         "DES-EDE3-ECB" };
    unsigned char plain[16];
    struct cipher_pair p;
    size_t i, pad, wrong;

    (void)state;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        cipher_pair_open(&p, names[i]);
        for (pad = 0; pad < 256; pad++) {
            memset(plain, (int)pad, sizeof(plain));
            unpad_one(&p, plain);
            memset(plain, 0x77, sizeof(plain));
            plain[p.block - 1] = (unsigned char)pad;
            unpad_one(&p, plain);
            /* each byte of a right padding wrong in turn, and the one before it */
            for (wrong = 0; pad <= p.block && wrong < p.block; wrong++) {
                memset(plain, 0x77, sizeof(plain));
                memset(plain + p.block - pad, (int)pad, pad);
                plain[wrong] ^= 0x40;
                unpad_one(&p, plain);
            }
        }
        cipher_pair_close(&p);
    }
    wnt_assert_no_errors();
}

/* The old key in the other direction (the default provider can that for Triple
 * DES only; for AES it would give nonsense). */
static void direction_changes_without_a_key(void **state)
{
    unsigned char key[64], iv[16], in[64], out[80], back[80];
    size_t i;

    (void)state;
    for (i = 0; i < n_ciphers; i++) {
        EVP_CIPHER *c = EVP_CIPHER_fetch(wnt_wolf(), cipher_names[i], NULL);
        EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
        int n, m, first;

        for (first = 0; first < 2; first++) {
            wnt_rand_bytes(key, sizeof(key));
            wnt_rand_bytes(iv, sizeof(iv));
            wnt_rand_bytes(in, sizeof(in));
            wnt_ok(EVP_CipherInit_ex2(ctx, c, key, iv, first, NULL));
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 1, NULL));
            EVP_CIPHER_CTX_set_padding(ctx, 0);
            wnt_ok(EVP_CipherUpdate(ctx, out, &n, in, sizeof(in)));
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 0, NULL));
            wnt_ok(EVP_CipherUpdate(ctx, back, &m, out, n));
            assert_int_equal(m, sizeof(in));
            assert_memory_equal(back, in, sizeof(in));
        }
        EVP_CIPHER_CTX_free(ctx);
        EVP_CIPHER_free(c);
    }
    wnt_assert_no_errors();
}

static void random_keys_have_odd_parity(void **state)
{
    EVP_CIPHER *c = EVP_CIPHER_fetch(wnt_wolf(), "DES-EDE3-CBC", NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    unsigned char key[2][24];
    size_t i;

    (void)state;
    wnt_ok(EVP_EncryptInit_ex2(ctx, c, NULL, NULL, NULL));
    wnt_ok(EVP_CIPHER_CTX_rand_key(ctx, key[0]));
    wnt_ok(EVP_CIPHER_CTX_rand_key(ctx, key[1]));
    for (i = 0; i < sizeof(key[0]); i++)
        assert_int_equal(__builtin_parity(key[0][i]), 1);
    assert_memory_not_equal(key[0], key[1], 24);
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(c);
    wnt_assert_no_errors();
}

/* ---- DES3-WRAP, which is random and so in no list of ciphers ------------------ */

static int des3_wrap(EVP_CIPHER *c, int enc, const unsigned char key[24], unsigned char *out,
                     const unsigned char *in, int n)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int got = -1, more = -1, ok;

    EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    ok = EVP_CipherInit_ex2(ctx, c, key, NULL, enc, NULL)
        && EVP_CipherUpdate(ctx, out, &got, in, n) && EVP_CipherFinal_ex(ctx, out + got, &more);
    EVP_CIPHER_CTX_free(ctx);
    assert_true(!ok || more == 0);
    return ok ? got : -1;
}

/* RFC 3217, 3.3 */
static const unsigned char rfc3217_kek[24] = {
    0x25, 0x5e, 0x0d, 0x1c, 0x07, 0xb6, 0x46, 0xdf, 0xb3, 0x13, 0x4c, 0xc8,
    0x43, 0xba, 0x8a, 0xa7, 0x1f, 0x02, 0x5b, 0x7c, 0x08, 0x38, 0x25, 0x1f
}, rfc3217_cek[24] = {
    0x29, 0x23, 0xbf, 0x85, 0xe0, 0x6d, 0xd6, 0xae, 0x52, 0x91, 0x49, 0xf1,
    0xf1, 0xba, 0xe9, 0xea, 0xb3, 0xa7, 0xda, 0x3d, 0x86, 0x0d, 0x3e, 0x98
}, rfc3217_wrapped[40] = {
    0x69, 0x01, 0x07, 0x61, 0x8e, 0xf0, 0x92, 0xb3, 0xb4, 0x8c, 0xa1, 0x79, 0x6b, 0x23,
    0x4a, 0xe9, 0xfa, 0x33, 0xeb, 0xb4, 0x15, 0x96, 0x04, 0x03, 0x7d, 0xb5, 0xd6, 0xa8,
    0x4e, 0xb3, 0xaa, 0xc2, 0x76, 0x8c, 0x63, 0x27, 0x75, 0xa4, 0x67, 0xd4
};

static void triple_des_key_wrap(void **state)
{
    unsigned char key[24], in[256], out[300], back[300];
    struct cipher_pair p;
    int n;

    (void)state;
    cipher_pair_open(&p, "DES3-WRAP");
    assert_int_equal(des3_wrap(p.wolf, 0, rfc3217_kek, back, rfc3217_wrapped, 40), 24);
    assert_memory_equal(back, rfc3217_cek, 24);
    for (n = 8; n <= 256; n += 8) {
        wnt_rand_bytes(key, sizeof(key));
        wnt_rand_bytes(in, sizeof(in));
        assert_int_equal(des3_wrap(p.wolf, 1, key, out, in, n), n + 16);
        assert_int_equal(des3_wrap(p.deflt, 0, key, back, out, n + 16), n);
        assert_memory_equal(back, in, n);
        assert_int_equal(des3_wrap(p.deflt, 1, key, out, in, n), n + 16);
        assert_int_equal(des3_wrap(p.wolf, 0, key, back, out, n + 16), n);
        assert_memory_equal(back, in, n);
        /* in place, and again: another IV */
        memcpy(back, in, n);
        assert_int_equal(des3_wrap(p.wolf, 1, key, back, back, n), n + 16);
        assert_memory_not_equal(back, out, n + 16);
        assert_int_equal(des3_wrap(p.wolf, 0, key, back, back, n + 16), n);
        assert_memory_equal(back, in, n);
    }
    cipher_pair_close(&p);
    wnt_assert_no_errors();
}

static void triple_des_key_wrap_refuses(void **state)
{
    static const unsigned char zeros[24];
    unsigned char bad[40], out[80];
    struct cipher_pair p;
    int i;

    (void)state;
    cipher_pair_open(&p, "DES3-WRAP");
    for (i = 0; i < 40; i++) {
        memcpy(bad, rfc3217_wrapped, sizeof(bad));
        bad[i] ^= 1;
        memset(out, 0xaa, sizeof(out));
        assert_int_equal(des3_wrap(p.wolf, 0, rfc3217_kek, out, bad, 40), -1);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        assert_memory_equal(out, zeros, sizeof(zeros));
    }
    for (i = 1; i < 40; i++)
        if (i % 8 != 0 || i < 24) {
            assert_int_equal(des3_wrap(p.wolf, 0, rfc3217_kek, out, rfc3217_wrapped, i), -1);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            assert_int_equal(des3_wrap(p.deflt, 0, rfc3217_kek, out, rfc3217_wrapped, i), -1);
            ERR_clear_error();
        }
    assert_int_equal(des3_wrap(p.wolf, 1, rfc3217_kek, out, rfc3217_cek, 23), -1);
    wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
    cipher_pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_vectors),
        cmocka_unit_test(same_description),
        cmocka_unit_test(same_context_params),
        cmocka_unit_test(every_padding),
        cmocka_unit_test(direction_changes_without_a_key),
        cmocka_unit_test(random_keys_have_odd_parity),
        cmocka_unit_test(triple_des_key_wrap),
        cmocka_unit_test(triple_des_key_wrap_refuses),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
