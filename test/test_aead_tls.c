/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AEAD ciphers as TLS 1.2 (RFC 5288, 6655, 7905) and OpenSSH drive them: records
 * and packets of one provider are opened by the other.
 */
#include <string.h>

#include "aead.h"

#define AAD_LEN EVP_AEAD_TLS1_AAD_LEN
#define MAX_RECORD (16384 + 64)

static const unsigned char key[32] = { 4, 5, 6 };
static const unsigned char fixed[12] = { 0xf0, 0xf1, 0xf2, 0xf3, 1, 2, 3, 4, 5, 6, 7, 8 };

struct kind {
    const char *name;
    size_t fixed;               /* bytes of the IV that the key exchange gives */
    size_t explicit;            /* bytes of the nonce in each record */
    int taglen;
};

static const struct kind kinds[] = {
    { "AES-128-GCM", 4, 8, 16 },
    { "AES-256-GCM", 4, 8, 16 },
    { "AES-128-CCM", 4, 8, 16 },
    { "AES-256-CCM", 4, 8, 8 },
    { "ChaCha20-Poly1305", 12, 0, 16 },
};
#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static int is_ccm(const struct kind *k)
{
    return strstr(k->name, "CCM") != NULL;
}

static EVP_CIPHER_CTX *end_of(OSSL_LIB_CTX *libctx, const struct kind *k, int enc)
{
    EVP_CIPHER *c = aead_fetch(libctx, k->name);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    wnt_ok(EVP_CipherInit_ex2(ctx, c, NULL, NULL, enc, NULL));
    if (is_ccm(k)) {
        wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL));
        wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, k->taglen, NULL));
    }
    wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, NULL, enc, NULL));
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IV_FIXED, (int)k->fixed, (void *)fixed));
    EVP_CIPHER_free(c);
    return ctx;
}

/* Sequence number, type, version, and a length that counts what the direction adds. */
static void make_aad(unsigned char aad[AAD_LEN], uint64_t seq, size_t len)
{
    int i;

    for (i = 7; i >= 0; i--, seq >>= 8)
        aad[i] = (unsigned char)seq;
    aad[8] = 23;
    aad[9] = 3;
    aad[10] = 3;
    aad[11] = (unsigned char)(len >> 8);
    aad[12] = (unsigned char)len;
}

/* Seals n bytes at record + explicit; the length of the record. */
static size_t seal_record(EVP_CIPHER_CTX *ctx, const struct kind *k, uint64_t seq,
                          unsigned char *record, size_t n)
{
    unsigned char aad[AAD_LEN];
    size_t all = k->explicit + n + (size_t)k->taglen;
    int got;

    make_aad(aad, seq, k->explicit + n);
    assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad), k->taglen);
    wnt_ok(EVP_CipherUpdate(ctx, record, &got, record, (int)all));
    assert_int_equal(got, all);
    wnt_assert_no_errors();
    return all;
}

/* Opens a record of `all` bytes in place; the payload's length or -1. */
static int open_record(EVP_CIPHER_CTX *ctx, const struct kind *k, uint64_t seq,
                       unsigned char *record, size_t all)
{
    unsigned char aad[AAD_LEN];
    int got = -1;

    make_aad(aad, seq, all);
    assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad), k->taglen);
    return EVP_CipherUpdate(ctx, record, &got, record, (int)all) == 1 ? got : -1;
}

static void records(OSSL_LIB_CTX *from, OSSL_LIB_CTX *to, const struct kind *k)
{
    static unsigned char record[MAX_RECORD], sent[MAX_RECORD], plain[MAX_RECORD];
    EVP_CIPHER_CTX *w = end_of(from, k, 1), *r = end_of(to, k, 0);
    uint64_t seq = UINT64_C(0xfffffffe);
    size_t n, all;

    for (n = 0; n <= 16384; n = n < 300 ? n + 1 : n * 2 + 1, seq++) {
        wnt_rand_bytes(plain, n);
        memcpy(record + k->explicit, plain, n);
        all = seal_record(w, k, seq, record, n);
        memcpy(sent, record, all);
        assert_int_equal(open_record(r, k, seq, record, all), n);
        assert_memory_equal(record + k->explicit, plain, n);
        wnt_assert_no_errors();
        /* one bit wrong anywhere: refused, and no plaintext is left */
        memcpy(record, sent, all);
        record[wnt_rand_below(all)] ^= (unsigned char)(1 << wnt_rand_below(8));
        assert_int_equal(open_record(r, k, seq, record, all), -1);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(record[k->explicit + i], 0);
        ERR_clear_error();
        /* another record's place */
        memcpy(record, sent, all);
        assert_int_equal(open_record(r, k, seq + 1, record, all), -1);
        ERR_clear_error();
        /* and the next good one passes */
        memcpy(record, sent, all);
        assert_int_equal(open_record(r, k, seq, record, all), n);
    }
    EVP_CIPHER_CTX_free(w);
    EVP_CIPHER_CTX_free(r);
}

static void both_directions(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        records(wnt_wolf(), wnt_default(), &kinds[i]);
        records(wnt_default(), wnt_wolf(), &kinds[i]);
        records(wnt_wolf(), wnt_wolf(), &kinds[i]);
    }
}

/* A record through EVP_Cipher(): tells the record's length, for GCM and CCM also
 * when it decrypts, as the default provider does. */
static void through_evp_cipher(void **state)
{
    unsigned char record[200], aad[AAD_LEN];
    size_t i, all;
    int want;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        const struct kind *k = &kinds[i];
        EVP_CIPHER_CTX *w = end_of(wnt_wolf(), k, 1), *r = end_of(wnt_wolf(), k, 0);
        EVP_CIPHER_CTX *d = end_of(wnt_default(), k, 0);

        memset(record, 'x', sizeof(record));
        all = k->explicit + 100 + (size_t)k->taglen;
        make_aad(aad, 7, k->explicit + 100);
        wnt_ok(EVP_CIPHER_CTX_ctrl(w, EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad) > 0);
        assert_int_equal(EVP_Cipher(w, record, record, (unsigned)all), all);
        make_aad(aad, 7, all);
        {
            unsigned char copy[200];

            memcpy(copy, record, sizeof(copy));
            wnt_ok(EVP_CIPHER_CTX_ctrl(d, EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad) > 0);
            want = EVP_Cipher(d, copy, copy, (unsigned)all);
        }
        wnt_ok(EVP_CIPHER_CTX_ctrl(r, EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad) > 0);
        assert_int_equal(EVP_Cipher(r, record, record, (unsigned)all), want);
        assert_int_equal(record[k->explicit + 99], 'x');
        wnt_assert_no_errors();
        EVP_CIPHER_CTX_free(w);
        EVP_CIPHER_CTX_free(r);
        EVP_CIPHER_CTX_free(d);
    }
}

/* A record, then an ordinary message on the same context, then a record. */
static void message_between_records(void **state)
{
    unsigned char record[100], out[2][40], tag[2][16];
    static const unsigned char text[40] = { 't' }, nonce[12] = { 'n' };
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        const struct kind *k = &kinds[i];
        EVP_CIPHER_CTX *w = end_of(wnt_wolf(), k, 1), *r = end_of(wnt_default(), k, 0);
        EVP_CIPHER *d = aead_fetch(wnt_default(), k->name);
        struct aead_msg m = { key, nonce, NULL, text, 12, 0, 40, (size_t)k->taglen, 0, 0 };
        size_t all;

        all = seal_record(w, k, 1, record, 30);
        assert_int_equal(open_record(r, k, 1, record, all), 30);
        wnt_ok(EVP_CipherInit_ex2(w, NULL, NULL, nonce, 1, NULL));
        wnt_ok(EVP_CipherUpdate(w, out[0], &n, text, 40));
        wnt_ok(EVP_CipherFinal_ex(w, out[0], &n));
        wnt_ok(EVP_CIPHER_CTX_ctrl(w, EVP_CTRL_AEAD_GET_TAG, k->taglen, tag[0]));
        aead_seal(d, NULL, &m, out[1], tag[1]);
        assert_memory_equal(out[0], out[1], 40);
        assert_memory_equal(tag[0], tag[1], k->taglen);
        wnt_ok(EVP_CIPHER_CTX_ctrl(w, EVP_CTRL_AEAD_SET_IV_FIXED, (int)k->fixed, (void *)fixed));
        all = seal_record(w, k, 2, record, 30);
        assert_int_equal(open_record(r, k, 2, record, all), 30);
        EVP_CIPHER_CTX_free(w);
        EVP_CIPHER_CTX_free(r);
        EVP_CIPHER_free(d);
    }
}

/* Additional data of other lengths, and lengths in it that are too small. */
static void bad_additional_data(void **state)
{
    static const int reasons[] = { PROV_R_INVALID_AAD, PROV_R_INVALID_AAD, PROV_R_INVALID_DATA,
                                   PROV_R_INVALID_DATA, PROV_R_INVALID_DATA };
    unsigned char aad[20] = { 0 }, record[100] = { 0 };
    size_t i;
    int enc, n, got;

    (void)state;
    for (i = 0; i < N_KINDS; i++)
        for (enc = 0; enc < 2; enc++) {
            const struct kind *k = &kinds[i];
            EVP_CIPHER_CTX *ctx = end_of(wnt_wolf(), k, enc);
            int least = (int)k->explicit + (enc ? 0 : k->taglen);

            for (n = 0; n < 20; n++) {
                if (n == AAD_LEN)
                    continue;
                assert_true(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_TLS1_AAD, n, aad) <= 0);
                wnt_assert_prov_error(reasons[i]);
            }
            for (n = 0; n <= least; n++) {
                make_aad(aad, 3, (size_t)n);
                got = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad);
                if (n < least) {
                    assert_true(got <= 0);
                    wnt_assert_prov_error(reasons[i]);
                } else {
                    assert_int_equal(got, k->taglen);
                }
            }
            /* shorter than what surrounds the payload */
            assert_int_equal(EVP_CipherUpdate(ctx, record, &got, record,
                                              (int)k->explicit + k->taglen - 1), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            EVP_CIPHER_CTX_free(ctx);
        }
}

/* GCM and CCM records are processed in place only. */
static void not_in_place(void **state)
{
    unsigned char aad[AAD_LEN], in[100] = { 0 }, out[100];
    size_t i;
    int got;

    (void)state;
    for (i = 0; i < 4; i++) {
        EVP_CIPHER_CTX *ctx = end_of(wnt_wolf(), &kinds[i], 1);

        make_aad(aad, 3, 50);
        wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_TLS1_AAD, AAD_LEN, aad) > 0);
        assert_int_equal(EVP_CipherUpdate(ctx, out, &got, in, 80), 0);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        EVP_CIPHER_CTX_free(ctx);
    }
}

/* ---- OpenSSH ------------------------------------------------------------------------ */

/* OpenSSH's cipher_init(): IV first, then "restore whole IV", then the key. */
static EVP_CIPHER_CTX *ssh_end(OSSL_LIB_CTX *libctx, const char *name, const unsigned char *iv,
                               int enc)
{
    EVP_CIPHER *c = aead_fetch(libctx, name);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    wnt_ok(EVP_CipherInit(ctx, c, NULL, iv, enc));
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_IV_FIXED, -1, (void *)iv));
    wnt_ok(EVP_CipherInit(ctx, NULL, key, NULL, -1));
    EVP_CIPHER_free(c);
    return ctx;
}

static int ssh_packet(EVP_CIPHER_CTX *ctx, unsigned char *p, size_t n, unsigned char *tag, int enc)
{
    unsigned char last;

    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_IV_GEN, 1, &last));
    if (!enc)
        wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_TAG, 16, tag));
    assert_int_equal(EVP_Cipher(ctx, NULL, p, 4), 4);
    assert_int_equal(EVP_Cipher(ctx, p + 4, p + 4, (unsigned)n), n);
    if (EVP_Cipher(ctx, NULL, NULL, 0) < 0)
        return 0;
    if (enc)
        wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, 16, tag));
    wnt_assert_no_errors();
    return 1;
}

/* The IV of packet number i: the last eight bytes counted up. */
static void ssh_iv(unsigned char out[12], const unsigned char iv[12], unsigned i)
{
    int at;

    memcpy(out, iv, 12);
    for (; i > 0; i--)
        for (at = 11; at >= 4 && ++out[at] == 0; at--)
            ;
}

static void ssh_talk(OSSL_LIB_CTX *from, OSSL_LIB_CTX *to, const char *name,
                     const unsigned char *iv)
{
    EVP_CIPHER *d = aead_fetch(wnt_default(), name);
    EVP_CIPHER_CTX *w = ssh_end(from, name, iv, 1), *r = ssh_end(to, name, iv, 0);
    unsigned char packet[4 + 300], want[300], tag[16], want_tag[16], nonce[12], plain[300];
    unsigned i;

    for (i = 0; i < 12; i++) {
        size_t n = 16 * (1 + wnt_rand_below(18));
        struct aead_msg m = { key, nonce, packet, plain, 12, 4, n, 16, 0, 0 };

        wnt_rand_bytes(packet, sizeof(packet));
        memcpy(plain, packet + 4, n);
        assert_int_equal(ssh_packet(w, packet, n, tag, 1), 1);
        ssh_iv(nonce, iv, i);
        aead_seal(d, NULL, &m, want, want_tag);
        assert_memory_equal(packet + 4, want, n);
        assert_memory_equal(tag, want_tag, 16);
        if (i == 7)
            tag[4] ^= 1;        /* a forged one is refused, and the next passes */
        assert_int_equal(ssh_packet(r, packet, n, tag, 0), i != 7);
        if (i != 7)
            assert_memory_equal(packet + 4, plain, n);
    }
    EVP_CIPHER_CTX_free(w);
    EVP_CIPHER_CTX_free(r);
    EVP_CIPHER_free(d);
}

static void openssh(void **state)
{
    static const unsigned char ivs[][12] = {
        { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xfe },
        { 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xff, 0xff, 0xfe },
        { 1, 2, 3, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe },
    };
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        ssh_talk(wnt_wolf(), wnt_default(), "AES-256-GCM", ivs[i]);
        ssh_talk(wnt_default(), wnt_wolf(), "AES-256-GCM", ivs[i]);
        ssh_talk(wnt_wolf(), wnt_wolf(), "AES-128-GCM", ivs[i]);
    }
}

/* The counting controls where they are not allowed. */
static void counting_refused(void **state)
{
    EVP_CIPHER *c = aead_fetch(wnt_wolf(), "AES-128-GCM");
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    unsigned char buf[16] = { 0 };

    (void)state;
    wnt_ok(EVP_CipherInit_ex2(ctx, c, key, buf, 1, NULL));
    /* no fixed field */
    assert_true(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_IV_GEN, 8, buf) <= 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_IV_FIXED, 4, buf));
    /* taking the sender's IV is for decryption */
    assert_true(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_IV_INV, 8, buf) <= 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, NULL, 0, NULL));
    assert_true(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_IV_INV, 13, buf) <= 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_IV_INV, 8, buf));
    /* an IV too short to count in */
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 4, NULL));
    assert_true(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_IV_GEN, 4, buf) <= 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    EVP_CIPHER_CTX_free(ctx);
    ctx = EVP_CIPHER_CTX_new();
    wnt_ok(EVP_CipherInit_ex2(ctx, c, NULL, buf, 1, NULL));
    assert_true(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_IV_GEN, 8, buf) <= 0);
    wnt_assert_prov_error(PROV_R_NO_KEY_SET);
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_directions),
        cmocka_unit_test(through_evp_cipher),
        cmocka_unit_test(message_between_records),
        cmocka_unit_test(bad_additional_data),
        cmocka_unit_test(not_in_place),
        cmocka_unit_test(openssh),
        cmocka_unit_test(counting_refused),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
