/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ChaCha20 as a stream cipher: RFC 8439's answers, and against OpenSSL's default
 * provider in random pieces, over the wrap of the 32-bit counter, in place,
 * duplicated, re-initialised; its parameters and errors.
 */
#define OPENSSL_SUPPRESS_DEPRECATED     /* EVP_CIPHER_CTX_iv() */
#include <stdlib.h>
#include <string.h>

#include "aead.h"

#define MAX_LEN 5000

static EVP_CIPHER *ours, *theirs;

static int setup(void **state)
{
    if (wnt_setup(state) != 0)
        return -1;
    ours = aead_fetch(wnt_wolf(), "ChaCha20");
    theirs = aead_fetch(wnt_default(), "ChaCha20");
    return 0;
}

static int teardown(void **state)
{
    EVP_CIPHER_free(ours);
    EVP_CIPHER_free(theirs);
    return wnt_teardown(state);
}

static void crypt_whole(EVP_CIPHER *c, const unsigned char *key, const unsigned char *iv,
                        unsigned char *out, const unsigned char *in, size_t n)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int got, end;

    wnt_ok(EVP_EncryptInit_ex2(ctx, c, key, iv, NULL));
    wnt_ok(EVP_EncryptUpdate(ctx, out, &got, in, (int)n));
    wnt_ok(EVP_EncryptFinal_ex(ctx, out + got, &end));
    assert_int_equal(got + end, n);
    EVP_CIPHER_CTX_free(ctx);
}

static void known_answers(void **state)
{
    unsigned char *key, *iv, *plain, *sealed, out[1024];
    size_t kn, ivn, n, sn, count = 0;
    FILE *f = wnt_vectors("chacha20.txt");
    struct wnt_record r;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r)) {
        if (strcmp(wnt_text(&r, "Cipher"), "ChaCha20") != 0)
            continue;
        wnt_hex(&r, "Key", &key, &kn);
        wnt_hex(&r, "IV", &iv, &ivn);
        wnt_hex(&r, "Plain", &plain, &n);
        wnt_hex(&r, "Sealed", &sealed, &sn);
        assert_true(n == sn && n <= sizeof(out) && kn == 32 && ivn == 16);
        crypt_whole(ours, key, iv, out, plain, n);
        assert_memory_equal(out, sealed, n);
        crypt_whole(ours, key, iv, out, sealed, n);
        assert_memory_equal(out, plain, n);
        free(key);
        free(iv);
        free(plain);
        free(sealed);
        count++;
    }
    fclose(f);
    assert_true(count >= 5);
    wnt_assert_no_errors();
}

/* Counters close to where 32 bits, and sometimes the 64, wrap. */
static void random_iv(unsigned char iv[16])
{
    uint32_t low;

    wnt_rand_bytes(iv, 16);
    if (wnt_rand_below(3) == 0)
        return;
    low = UINT32_MAX - (uint32_t)wnt_rand_below(MAX_LEN / 64 + 2);
    iv[0] = (unsigned char)low;
    iv[1] = (unsigned char)(low >> 8);
    iv[2] = iv[3] = 0xff;
    if (wnt_rand_below(3) == 0)
        memset(iv + 4, 0xff, 4);
}

/* What OpenSSL from 3.6 on tells as the updated IV: the counter of the next fresh block. */
static void expected_iv(unsigned char want[16], const unsigned char iv[16], size_t done)
{
    uint64_t counter = 0;
    int i;

    for (i = 7; i >= 0; i--)
        counter = counter << 8 | iv[i];
    counter += (done + 63) / 64;
    memcpy(want, iv, 16);
    for (i = 0; i < 8; i++, counter >>= 8)
        want[i] = (unsigned char)counter;
}

static void one_random(void)
{
    unsigned char key[32], iv[16], in[MAX_LEN], want[MAX_LEN], seen[16], next[16];
    size_t n = wnt_rand_below(2) == 0 ? wnt_rand_below(200) : wnt_rand_below(MAX_LEN), at, piece;
    unsigned char *p = wnt_guarded(n);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new(), *copy;
    int got;

    wnt_rand_bytes(key, sizeof(key));
    random_iv(iv);
    wnt_rand_bytes(in, n);
    memcpy(p, in, n);
    crypt_whole(theirs, key, iv, want, in, n);
    wnt_ok(EVP_CipherInit_ex2(ctx, ours, key, iv, (int)wnt_rand_below(2), NULL));
    for (at = 0; at < n; at += piece) {
        piece = 1 + wnt_rand_below(wnt_rand_below(2) == 0 && n - at > 70 ? 70 : n - at);
        /* in place, or from elsewhere */
        wnt_ok(EVP_CipherUpdate(ctx, p + at, &got, wnt_rand_below(2) == 0 ? p + at : in + at,
                                (int)piece));
        assert_int_equal(got, piece);
        if (wnt_rand_below(4) == 0) {
            copy = EVP_CIPHER_CTX_new();
            wnt_ok(EVP_CIPHER_CTX_copy(copy, ctx));
            wnt_ok(EVP_CipherUpdate(ctx, seen, &got, seen, sizeof(seen)));
            EVP_CIPHER_CTX_free(ctx);
            ctx = copy;
        }
        wnt_ok(EVP_CIPHER_CTX_get_updated_iv(ctx, seen, sizeof(seen)));
        expected_iv(next, iv, at + piece);
        assert_memory_equal(seen, next, 16);
        assert_memory_equal(EVP_CIPHER_CTX_iv(ctx), next, 16);
    }
    assert_memory_equal(p, want, n);
    EVP_CIPHER_CTX_free(ctx);
    wnt_guarded_free(p, n);
    wnt_assert_no_errors();
}

static void agrees_with_default(void **state)
{
    int round;

    (void)state;
    assert_int_equal(EVP_CIPHER_get_flags(ours), EVP_CIPHER_get_flags(theirs));
    assert_int_equal(EVP_CIPHER_get_iv_length(ours), EVP_CIPHER_get_iv_length(theirs));
    assert_int_equal(EVP_CIPHER_get_key_length(ours), EVP_CIPHER_get_key_length(theirs));
    assert_int_equal(EVP_CIPHER_get_block_size(ours), EVP_CIPHER_get_block_size(theirs));
    for (round = 0; round < 600; round++)
        one_random();
}

/* 70 bytes, an initialisation of some kind, 70 bytes: all the same on both sides. */
static void reinit(const unsigned char *key, const unsigned char *iv)
{
    unsigned char first[70] = { 1 }, out[2][140];
    EVP_CIPHER *c[2] = { ours, theirs };
    static const unsigned char k0[32] = { 7 }, iv0[16] = { 0xff, 0xff, 0xff, 0xff, 9 };
    int i, got;

    for (i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

        wnt_ok(EVP_EncryptInit_ex2(ctx, c[i], k0, NULL, NULL));
        wnt_ok(EVP_EncryptInit_ex2(ctx, NULL, NULL, iv0, NULL));
        wnt_ok(EVP_EncryptUpdate(ctx, out[i], &got, first, 70));
        wnt_ok(EVP_EncryptInit_ex2(ctx, NULL, key, iv, NULL));
        wnt_ok(EVP_EncryptUpdate(ctx, out[i] + 70, &got, first, 70));
        EVP_CIPHER_CTX_free(ctx);
    }
    assert_memory_equal(out[0], out[1], 140);
}

static void reinitialised(void **state)
{
    static const unsigned char key[32] = { 5 }, iv[16] = { 3 };

    (void)state;
    reinit(NULL, NULL);
    reinit(NULL, iv);
    reinit(key, iv);
    reinit(key, NULL);
    wnt_assert_no_errors();
}

static void errors(void **state)
{
    unsigned char buf[64] = { 0 };
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int got;

    (void)state;
    wnt_ok(EVP_EncryptInit_ex2(ctx, ours, NULL, buf, NULL));
    assert_int_equal(EVP_EncryptUpdate(ctx, buf, &got, buf, 1), 0);
    wnt_assert_prov_error(PROV_R_NO_KEY_SET);
    assert_int_equal(EVP_EncryptFinal_ex(ctx, buf, &got), 0);
    wnt_assert_prov_error(PROV_R_NO_KEY_SET);
    assert_true(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) <= 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    assert_true(EVP_CIPHER_CTX_set_key_length(ctx, 16) <= 0);
    ERR_clear_error();
    /* and it still works */
    wnt_ok(EVP_EncryptInit_ex2(ctx, NULL, buf, NULL, NULL));
    wnt_ok(EVP_EncryptUpdate(ctx, buf, &got, buf, 64));
    assert_int_equal(EVP_Cipher(ctx, buf, buf, 64), 64);
    assert_int_equal(EVP_Cipher(ctx, buf, buf, 0), 0);
    wnt_ok(EVP_EncryptUpdate(ctx, NULL, &got, NULL, 0));
    wnt_assert_no_errors();
    EVP_CIPHER_CTX_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(agrees_with_default),
        cmocka_unit_test(reinitialised),
        cmocka_unit_test(errors),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
