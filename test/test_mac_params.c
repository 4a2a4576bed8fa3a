/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What single MACs take besides a key: digests and ciphers that do not fit, IVs of
 * GMAC, the parameters of KMAC and BLAKE2, and the TLS records of HMAC.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "mac.h"

static int set_text(EVP_MAC_CTX *ctx, const char *key, const char *value)
{
    OSSL_PARAM params[2] = {
        OSSL_PARAM_construct_utf8_string(key, (char *)value, 0), OSSL_PARAM_construct_end()
    };

    return EVP_MAC_CTX_set_params(ctx, params);
}

static void wrong_algorithms(void **state)
{
    unsigned char key[32] = { 1 };
    EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), "HMAC", NULL);

    (void)state;
    assert_int_equal(EVP_MAC_init(ctx, key, 32, NULL), 0);
    wnt_assert_prov_error(PROV_R_MISSING_MESSAGE_DIGEST);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_DIGEST, "SHA5"), 0);
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_DIGEST, "shake256"));
    assert_int_equal(EVP_MAC_init(ctx, key, 32, NULL), 0);
    wnt_assert_prov_error(PROV_R_XOF_DIGESTS_NOT_ALLOWED);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_DIGEST, "sha-256"));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 0);
    assert_int_equal(EVP_MAC_CTX_get_block_size(ctx), 64);
    wnt_ok(EVP_MAC_init(ctx, (const void *)"", 0, NULL));       /* an empty key is a key */
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 32);
    EVP_MAC_CTX_free(ctx);

    ctx = mac_new(wnt_wolf(), "CMAC", NULL);
    assert_int_equal(EVP_MAC_init(ctx, key, 16, NULL), 0);
    wnt_assert_error(ERR_LIB_EVP, EVP_R_NO_CIPHER_SET);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "AES-128-GCM"), 0);
    wnt_assert_prov_error(PROV_R_INVALID_MODE);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "AES-512-CBC"), 0);
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 0);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "aes128"));
    wnt_ok(EVP_MAC_init(ctx, key, 16, NULL));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 16);
    /* a new cipher counts from the next key on */
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "DES3"));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 16);
    wnt_ok(EVP_MAC_init(ctx, key, 24, NULL));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 8);
    EVP_MAC_CTX_free(ctx);

    ctx = mac_new(wnt_wolf(), "GMAC", NULL);
    assert_int_equal(EVP_MAC_init(ctx, key, 16, NULL), 0);
    wnt_assert_error(ERR_LIB_EVP, EVP_R_NO_CIPHER_SET);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "AES-128-CBC"), 0);
    wnt_assert_prov_error(PROV_R_INVALID_MODE);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "id-aes128-GCM"));
    wnt_ok(EVP_MAC_init(ctx, key, 16, NULL));
    /* never without a nonce */
    assert_int_equal(EVP_MAC_update(ctx, key, 16), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

static void gmac_iv_lengths(void **state)
{
    static const struct mac_kind k = { "GMAC", "AES-256-GCM", 32, 16 };
    unsigned char ours[16], theirs[16], iv[129] = { 7 };
    EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), "GMAC", "AES-256-GCM");
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    struct mac_message m;

    (void)state;
    mac_random(&m, &k);
    for (m.ivlen = 1; m.ivlen <= sizeof(m.iv); m.ivlen++) {
        mac_reference(&k, &m, theirs);
        wnt_ok(mac_init(ctx, &k, &m));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        mac_finish(ctx, &k, ours);
        assert_memory_equal(ours, theirs, 16);
    }
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, 129);
    assert_int_equal(EVP_MAC_CTX_set_params(ctx, params), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, 0);
    assert_int_equal(EVP_MAC_CTX_set_params(ctx, params), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, 128);
    wnt_ok(EVP_MAC_CTX_set_params(ctx, params));
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

static void kmac_parameters(void **state)
{
    unsigned char ours[1000], theirs[1000], key[513], custom[513];
    const char *const names[] = { "KMAC-128", "KMAC-256" };
    size_t i, round;

    (void)state;
    memset(custom, 'c', sizeof(custom));
    for (i = 0; i < 2; i++) {
        EVP_MAC_CTX *w = mac_new(wnt_wolf(), names[i], NULL);
        EVP_MAC_CTX *d = mac_new(wnt_default(), names[i], NULL);
        OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
        size_t size, n;

        assert_int_equal(EVP_MAC_CTX_get_mac_size(w), EVP_MAC_CTX_get_mac_size(d));
        assert_int_equal(EVP_MAC_CTX_get_block_size(w), EVP_MAC_CTX_get_block_size(d));
        for (round = 0; round < 60; round++) {
            int xof = (int)wnt_rand_below(2);
            OSSL_PARAM all[] = {
                OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &xof),
                OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom,
                                                  wnt_rand_below(513)),
                OSSL_PARAM_construct_end()
            };
            size_t keylen = 4 + wnt_rand_below(509);

            size = 1 + wnt_rand_below(sizeof(ours));
            wnt_rand_bytes(key, keylen);
            wnt_ok(EVP_MAC_init(w, key, keylen, all));
            wnt_ok(EVP_MAC_init(d, key, keylen, all));
            assert_int_equal(EVP_MAC_CTX_get_mac_size(w), size);
            wnt_ok(EVP_MAC_update(w, key, keylen));
            wnt_ok(EVP_MAC_update(d, key, keylen));
            if (round % 3 == 0) {       /* "xof" and "size" still count */
                wnt_ok(EVP_MAC_finalXOF(w, ours, size));
                wnt_ok(EVP_MAC_finalXOF(d, theirs, size));
            } else {
                wnt_ok(EVP_MAC_final(w, ours, &n, sizeof(ours)));
                assert_int_equal(n, size);
                wnt_ok(EVP_MAC_final(d, theirs, &n, sizeof(theirs)));
            }
            assert_memory_equal(ours, theirs, size);
        }
        assert_int_equal(EVP_MAC_init(w, key, 513, NULL), 0);
        wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
        size = 0xffffff / 8 + 1;
        params[0] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
        assert_int_equal(EVP_MAC_CTX_set_params(w, params), 0);
        wnt_assert_prov_error(PROV_R_INVALID_OUTPUT_LENGTH);
        params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom, 513);
        assert_int_equal(EVP_MAC_CTX_set_params(w, params), 0);
        wnt_assert_prov_error(PROV_R_INVALID_CUSTOM_LENGTH);
        EVP_MAC_CTX_free(w);
        EVP_MAC_CTX_free(d);
    }
    wnt_assert_no_errors();
}

/* The constant-time MAC of a record gives what plain HMAC gives, for every
 * length that the padding leaves open. */
static void tls_records(void **state)
{
    static const char *const digests[] = { "MD5", "SHA1", "SHA2-224", "SHA2-256", "SHA2-384",
                                           "SHA2-512" };
    unsigned char header[13], record[1200], want[64], got[64];
    size_t i, size, n, len;

    (void)state;
    for (i = 0; i < sizeof(digests) / sizeof(digests[0]); i++) {
        EVP_MAC_CTX *w = mac_new(wnt_wolf(), "HMAC", digests[i]);
        EVP_MAC_CTX *d = mac_new(wnt_default(), "HMAC", digests[i]);
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, &size),
            OSSL_PARAM_construct_end()
        };
        size_t mac;

        wnt_rand_bytes(header, sizeof(header));
        wnt_rand_bytes(record, sizeof(record));
        wnt_ok(EVP_MAC_init(d, (const void *)"a key", 5, NULL));
        mac = EVP_MAC_CTX_get_mac_size(d);
        for (size = mac + 1; size < sizeof(record); size += 1 + wnt_rand_below(40)) {
            size_t most = size - mac - 1, least = most > 255 ? most - 255 : 0;

            for (n = least; n <= most; n += 1 + (size > 500 ? wnt_rand_below(30) : 0)) {
                wnt_ok(EVP_MAC_init(d, NULL, 0, NULL));
                wnt_ok(EVP_MAC_update(d, header, sizeof(header)));
                wnt_ok(EVP_MAC_update(d, record, n));
                wnt_ok(EVP_MAC_final(d, want, &len, sizeof(want)));
                wnt_ok(EVP_MAC_init(w, (const void *)"a key", 5, params));
                wnt_ok(EVP_MAC_update(w, header, sizeof(header)));
                wnt_ok(EVP_MAC_update(w, record, n));
                wnt_ok(EVP_MAC_final(w, got, &len, sizeof(got)));
                assert_int_equal(len, mac);
                if (memcmp(got, want, mac) != 0)
                    fail_msg("%s, %zu of %zu bytes", digests[i], n, size);
            }
        }
        /* what cannot be a record */
        size = 300;
        wnt_ok(EVP_MAC_init(w, (const void *)"a key", 5, params));
        assert_int_equal(EVP_MAC_final(w, got, &len, sizeof(got)), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        assert_int_equal(EVP_MAC_update(w, header, 12), 0);
        wnt_assert_prov_error(PROV_R_INVALID_INPUT_LENGTH);
        wnt_ok(EVP_MAC_update(w, header, 13));
        assert_int_equal(EVP_MAC_update(w, record, size - mac), 0);
        wnt_assert_prov_error(PROV_R_INVALID_INPUT_LENGTH);
        wnt_ok(EVP_MAC_update(w, record, size - mac - 1));
        wnt_ok(EVP_MAC_final(w, got, &len, sizeof(got)));
        /* and back to plain data */
        size = 0;
        wnt_ok(EVP_MAC_init(w, NULL, 0, params));
        wnt_ok(EVP_MAC_init(d, NULL, 0, NULL));
        wnt_ok(EVP_MAC_update(w, record, 77));
        wnt_ok(EVP_MAC_update(d, record, 77));
        wnt_ok(EVP_MAC_final(w, got, &len, sizeof(got)));
        wnt_ok(EVP_MAC_final(d, want, &len, sizeof(want)));
        assert_memory_equal(got, want, mac);
        EVP_MAC_CTX_free(w);
        EVP_MAC_CTX_free(d);
    }
    wnt_assert_no_errors();
}

/* Output size, salt and personalisation of every length. */
static void blake2_parameters(void **state)
{
    static const struct {
        const char *name;
        size_t size, part;
    } macs[] = { { "BLAKE2BMAC", 64, 16 }, { "BLAKE2SMAC", 32, 8 } };
    unsigned char key[64], salt[17], custom[17], in[300], ours[64], theirs[64];
    OSSL_PARAM params[5];
    size_t i, size, got, n;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_MAC_CTX *w = mac_new(wnt_wolf(), macs[i].name, NULL);
        EVP_MAC_CTX *d = mac_new(wnt_default(), macs[i].name, NULL);

        for (size = 1; size <= macs[i].size; size++) {
            size_t keylen = 1 + wnt_rand_below(macs[i].size);

            wnt_rand_bytes(key, sizeof(key));
            wnt_rand_bytes(salt, sizeof(salt));
            wnt_rand_bytes(custom, sizeof(custom));
            wnt_rand_bytes(in, sizeof(in));
            n = wnt_rand_below(sizeof(in));
            params[0] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
            params[1] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_SALT, salt,
                                                          wnt_rand_below(macs[i].part + 1));
            params[2] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom,
                                                          wnt_rand_below(macs[i].part + 1));
            params[3] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key, keylen);
            params[4] = OSSL_PARAM_construct_end();
            wnt_ok(EVP_MAC_init(w, NULL, 0, params));
            wnt_ok(EVP_MAC_init(d, NULL, 0, params));
            assert_int_equal(EVP_MAC_CTX_get_mac_size(w), size);
            assert_int_equal(EVP_MAC_CTX_get_block_size(w), EVP_MAC_CTX_get_block_size(d));
            wnt_ok(EVP_MAC_update(w, in, n));
            wnt_ok(EVP_MAC_update(d, in, n));
            wnt_ok(EVP_MAC_final(w, ours, &got, sizeof(ours)));
            assert_int_equal(got, size);
            wnt_ok(EVP_MAC_final(d, theirs, &got, sizeof(theirs)));
            assert_memory_equal(ours, theirs, size);
        }
        EVP_MAC_CTX_free(w);
        EVP_MAC_CTX_free(d);
    }
    wnt_assert_no_errors();
}

/* Each wrong parameter by itself; the context keeps what it had. */
static void blake2_refuses(void **state)
{
    static const struct {
        const char *param;
        size_t value;           /* or length */
        int reason;
    } cases[] = {
        { OSSL_MAC_PARAM_SIZE, 0, PROV_R_NOT_XOF_OR_INVALID_LENGTH },
        { OSSL_MAC_PARAM_SIZE, 33, PROV_R_NOT_XOF_OR_INVALID_LENGTH },
        { OSSL_MAC_PARAM_KEY, 0, PROV_R_INVALID_KEY_LENGTH },
        { OSSL_MAC_PARAM_KEY, 33, PROV_R_INVALID_KEY_LENGTH },
        { OSSL_MAC_PARAM_SALT, 9, PROV_R_INVALID_SALT_LENGTH },
        { OSSL_MAC_PARAM_CUSTOM, 9, PROV_R_INVALID_CUSTOM_LENGTH },
    };
    unsigned char bytes[40] = { 1 }, first[32], again[32];
    EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), "BLAKE2SMAC", NULL);
    size_t i, n;

    (void)state;
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(PROV_R_NO_KEY_SET);
    assert_int_equal(EVP_MAC_init(ctx, bytes, 33, NULL), 0);
    wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
    wnt_ok(EVP_MAC_init(ctx, bytes, 32, NULL));
    wnt_ok(EVP_MAC_final(ctx, first, &n, sizeof(first)));
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t value = cases[i].value;
        OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

        params[0] = strcmp(cases[i].param, OSSL_MAC_PARAM_SIZE) == 0
            ? OSSL_PARAM_construct_size_t(cases[i].param, &value)
            : OSSL_PARAM_construct_octet_string(cases[i].param, bytes, value);
        assert_int_equal(EVP_MAC_CTX_set_params(ctx, params), 0);
        wnt_assert_prov_error(cases[i].reason);
        assert_int_equal(EVP_MAC_init(ctx, NULL, 0, params), 0);
        wnt_assert_prov_error(cases[i].reason);
        wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
        wnt_ok(EVP_MAC_final(ctx, again, &n, sizeof(again)));
        assert_int_equal(n, 32);
        assert_memory_equal(first, again, 32);
    }
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_algorithms),
        cmocka_unit_test(gmac_iv_lengths),
        cmocka_unit_test(kmac_parameters),
        cmocka_unit_test(blake2_parameters),
        cmocka_unit_test(blake2_refuses),
        cmocka_unit_test(tls_records),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
