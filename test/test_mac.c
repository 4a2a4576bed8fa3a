/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC through libcrypto: HMAC, CMAC, GMAC, KMAC and Poly1305 against
 * published values and against the default provider, in random pieces, with
 * duplicates, restarts, keys as parameters, and misuse.
 */
#define OPENSSL_SUPPRESS_DEPRECATED     /* HMAC_Init_ex() and its kin */

#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/hmac.h>
#include <openssl/params.h>

#include "mac.h"

static const struct mac_kind kinds[] = {
    { "HMAC", "MD5", 0, 16 }, { "HMAC", "SHA1", 0, 20 }, { "HMAC", "SHA2-224", 0, 28 },
    { "HMAC", "SHA2-256", 0, 32 }, { "HMAC", "SHA2-384", 0, 48 }, { "HMAC", "SHA2-512", 0, 64 },
    { "HMAC", "SHA2-512/224", 0, 28 }, { "HMAC", "SHA2-512/256", 0, 32 },
    { "HMAC", "SHA3-224", 0, 28 }, { "HMAC", "SHA3-256", 0, 32 }, { "HMAC", "SHA3-384", 0, 48 },
    { "HMAC", "SHA3-512", 0, 64 }, { "HMAC", "MD5-SHA1", 0, 36 },
    { "HMAC", "RIPEMD-160", 0, 20 }, { "HMAC", "BLAKE2B-512", 0, 64 },
    { "HMAC", "BLAKE2S-256", 0, 32 }, { "BLAKE2BMAC", NULL, 33, 64 },
    { "BLAKE2BMAC", NULL, 64, 64 }, { "BLAKE2SMAC", NULL, 1, 32 }, { "BLAKE2SMAC", NULL, 32, 32 },
    { "CMAC", "AES-128-CBC", 16, 16 }, { "CMAC", "AES-192-CBC", 24, 16 },
    { "CMAC", "AES-256-CBC", 32, 16 }, { "CMAC", "DES-EDE3-CBC", 24, 8 },
    { "GMAC", "AES-128-GCM", 16, 16 }, { "GMAC", "AES-192-GCM", 24, 16 },
    { "GMAC", "AES-256-GCM", 32, 16 }, { "KMAC-128", NULL, 0, 32 }, { "KMAC-256", NULL, 0, 64 },
    { "POLY1305", NULL, 32, 16 }
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void known_answers(void **state)
{
    FILE *f = wnt_vectors("mac.txt");
    struct wnt_record r;
    size_t count = 0;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r), count++) {
        EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), wnt_text(&r, "Mac"), wnt_text(&r, "Algorithm"));
        unsigned char *key, *in, *want, *iv = NULL, *custom = NULL, got[256];
        size_t keylen, n, len, ivlen, customlen, got_len = 0;
        OSSL_PARAM params[5], *p = params;
        int xof = 1;

        assert_int_equal(wnt_hex(&r, "Key", &key, &keylen), 1);
        assert_int_equal(wnt_hex(&r, "Input", &in, &n), 1);
        assert_int_equal(wnt_hex(&r, "Output", &want, &len), 1);
        if (wnt_hex(&r, "Iv", &iv, &ivlen))
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, ivlen);
        if (wnt_hex(&r, "Custom", &custom, &customlen))
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom, customlen);
        if (wnt_text(&r, "Size") != NULL)
            *p++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &len);
        if (wnt_text(&r, "Xof") != NULL)
            *p++ = OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &xof);
        *p = OSSL_PARAM_construct_end();
        wnt_ok(EVP_MAC_init(ctx, key, keylen, params));
        wnt_ok(EVP_MAC_update(ctx, in, n));
        wnt_ok(EVP_MAC_final(ctx, got, &got_len, sizeof(got)));
        if (got_len != len || memcmp(got, want, len) != 0)
            fail_msg("%s %s", wnt_text(&r, "Mac"), wnt_text(&r, "Output"));
        free(key);
        free(in);
        free(want);
        free(iv);
        free(custom);
        EVP_MAC_CTX_free(ctx);
    }
    fclose(f);
    assert_true(count > 100);
    wnt_assert_no_errors();
}

static void same_list(const OSSL_PARAM *a, const OSSL_PARAM *b)
{
    size_t n = 0, m = 0;

    for (; a != NULL && a[n].key != NULL; n++)
        ;
    for (; b != NULL && b[m].key != NULL; m++) {
        const OSSL_PARAM *p = OSSL_PARAM_locate_const(a, b[m].key);

        assert_non_null(p);
        assert_int_equal(p->data_type, b[m].data_type);
    }
    assert_int_equal(n, m);
}

static void called_alike(const char *name, void *arg)
{
    if (!EVP_MAC_is_a(arg, name))
        fail_msg("one provider only has the name %s", name);
}

static void looks_like_default(void **state)
{
    static const char *const macs[] = { "HMAC", "CMAC", "GMAC", "KMAC-128", "KMAC-256",
                                        "POLY1305", "BLAKE2BMAC", "BLAKE2SMAC" };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(macs) / sizeof(macs[0]); i++) {
        EVP_MAC *w = EVP_MAC_fetch(wnt_wolf(), macs[i], NULL);
        EVP_MAC *d = EVP_MAC_fetch(wnt_default(), macs[i], NULL);

        assert_non_null(w);
        wnt_assert_wolfnano(EVP_MAC_get0_provider(w));
        EVP_MAC_names_do_all(w, called_alike, d);
        EVP_MAC_names_do_all(d, called_alike, w);
        same_list(EVP_MAC_gettable_params(w), EVP_MAC_gettable_params(d));
        same_list(EVP_MAC_gettable_ctx_params(w), EVP_MAC_gettable_ctx_params(d));
        same_list(EVP_MAC_settable_ctx_params(w), EVP_MAC_settable_ctx_params(d));
        EVP_MAC_free(w);
        EVP_MAC_free(d);
    }
    wnt_assert_no_errors();
}

static void update_in_pieces(EVP_MAC_CTX *ctx, const unsigned char *in, size_t n)
{
    size_t piece;

    for (; n > 0; in += piece, n -= piece) {
        piece = 1 + wnt_rand_below(n);
        wnt_ok(EVP_MAC_update(ctx, in, piece));
    }
    wnt_ok(EVP_MAC_update(ctx, in, 0));
}

static void agrees_with_default(void **state)
{
    unsigned char ours[64], theirs[64];
    struct mac_message m;
    size_t i, round;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);

        for (round = 0; round < 100; round++) {
            EVP_MAC_CTX *copy;
            size_t cut;

            mac_random(&m, &kinds[i]);
            mac_reference(&kinds[i], &m, theirs);
            cut = wnt_rand_below(m.n + 1);
            wnt_ok(mac_init(ctx, &kinds[i], &m));
            update_in_pieces(ctx, m.in, cut);
            copy = EVP_MAC_CTX_dup(ctx);
            assert_non_null(copy);
            update_in_pieces(copy, m.in + cut, m.n - cut);
            wnt_ok(EVP_MAC_update(ctx, (const void *)"?", 1));
            mac_finish(copy, &kinds[i], ours);
            assert_memory_equal(ours, theirs, kinds[i].size);
            EVP_MAC_CTX_free(copy);
        }
        EVP_MAC_CTX_free(ctx);
        wnt_assert_no_errors();
    }
}

/* Every short length, the data ending at a page's end. */
static void short_lengths(void **state)
{
    unsigned char ours[64], theirs[64];
    struct mac_message m;
    size_t i, n;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);

        for (n = 0; n <= 300; n++) {
            unsigned char *in = wnt_guarded(n);

            mac_random(&m, &kinds[i]);
            m.n = n;
            wnt_rand_bytes(m.in, n);
            memcpy(in, m.in, n);
            wnt_ok(mac_init(ctx, &kinds[i], &m));
            wnt_ok(EVP_MAC_update(ctx, in, n));
            mac_finish(ctx, &kinds[i], ours);
            mac_reference(&kinds[i], &m, theirs);
            assert_memory_equal(ours, theirs, kinds[i].size);
            wnt_guarded_free(in, n);
        }
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

/* Init without a key starts over with the key in use: after final, mid-stream,
 * and directly after init. */
static void restarts(void **state)
{
    unsigned char first[64], again[64];
    struct mac_message m;
    size_t i, round;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx;

        if (mac_is(&kinds[i], "GMAC") || mac_is(&kinds[i], "POLY1305"))
            continue;
        ctx = mac_new(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);
        mac_random(&m, &kinds[i]);
        m.n = 50;
        mac_reference(&kinds[i], &m, first);
        wnt_ok(mac_init(ctx, &kinds[i], &m));
        for (round = 0; round < 3; round++) {
            if (round == 1)
                wnt_ok(EVP_MAC_update(ctx, (const void *)"20 bytes, abandoned.", 20));
            wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
            wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
            mac_finish(ctx, &kinds[i], again);
            assert_memory_equal(first, again, kinds[i].size);
            if (round == 0)
                wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
        }
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

/* The same through the old HMAC functions, whose digest is wolfnano's. */
static void restarts_old_interface(void **state)
{
    static const char *const digests[] = { "SHA2-256", "SHA3-256" };
    unsigned char first[64], again[64];
    unsigned n;
    size_t i;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_MD *md = EVP_MD_fetch(wnt_wolf(), digests[i], NULL);
        HMAC_CTX *ctx = HMAC_CTX_new();

        wnt_assert_wolfnano(EVP_MD_get0_provider(md));
        wnt_ok(HMAC_Init_ex(ctx, "key", 3, md, NULL));
        wnt_ok(HMAC_Update(ctx, (const void *)"data", 4));
        wnt_ok(HMAC_Final(ctx, first, &n));
        wnt_ok(HMAC_Init_ex(ctx, NULL, 0, NULL, NULL));
        wnt_ok(HMAC_Update(ctx, (const void *)"other", 5));
        wnt_ok(HMAC_Init_ex(ctx, NULL, 0, NULL, NULL));
        wnt_ok(HMAC_Update(ctx, (const void *)"data", 4));
        wnt_ok(HMAC_Final(ctx, again, &n));
        assert_memory_equal(first, again, n);
        HMAC_CTX_free(ctx);
        EVP_MD_free(md);
    }
    wnt_assert_no_errors();
}

/* A one-time key and a nonce are good for one message. */
static void refuses_restarts(void **state)
{
    static const struct mac_kind poly = { "POLY1305", NULL, 32, 16 };
    static const struct mac_kind gmac = { "GMAC", "AES-128-GCM", 16, 16 };
    unsigned char out[16], first[16];
    struct mac_message m;
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    EVP_MAC_CTX *ctx;

    (void)state;
    mac_random(&m, &poly);
    ctx = mac_new(wnt_wolf(), "POLY1305", NULL);
    wnt_ok(mac_init(ctx, &poly, &m));
    wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));           /* nothing happened yet */
    wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
    mac_finish(ctx, &poly, out);
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
    wnt_ok(mac_init(ctx, &poly, &m));
    EVP_MAC_CTX_free(ctx);

    mac_random(&m, &gmac);
    ctx = mac_new(wnt_wolf(), "GMAC", "AES-128-GCM");
    wnt_ok(mac_init(ctx, &gmac, &m));
    wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
    wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    mac_finish(ctx, &gmac, first);
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, m.iv, m.ivlen);
    wnt_ok(EVP_MAC_init(ctx, NULL, 0, params));         /* the IV anew: the caller's wish */
    wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
    mac_finish(ctx, &gmac, out);
    assert_memory_equal(out, first, 16);
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

/* Key, digest and cipher as parameters, in one array or several. */
static void keys_as_parameters(void **state)
{
    unsigned char ours[64], theirs[64];
    struct mac_message m;
    size_t i;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);
        OSSL_PARAM params[3], *p = params;

        mac_random(&m, &kinds[i]);
        mac_reference(&kinds[i], &m, theirs);
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, m.key, m.keylen);
        if (mac_is(&kinds[i], "GMAC"))
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, m.iv, m.ivlen);
        *p = OSSL_PARAM_construct_end();
        wnt_ok(EVP_MAC_init(ctx, NULL, 0, params));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        mac_finish(ctx, &kinds[i], ours);
        assert_memory_equal(ours, theirs, kinds[i].size);
        wnt_ok(EVP_MAC_CTX_set_params(ctx, params));
        wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        mac_finish(ctx, &kinds[i], ours);
        assert_memory_equal(ours, theirs, kinds[i].size);
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

static void misuse(void **state)
{
    unsigned char out[64];
    struct mac_message m;
    size_t i, n;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = mac_new(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);
        int gmac = mac_is(&kinds[i], "GMAC");

        mac_random(&m, &kinds[i]);
        /* no key */
        assert_int_equal(EVP_MAC_update(ctx, m.in, 5), 0);
        wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        assert_int_equal(EVP_MAC_final(ctx, out, &n, sizeof(out)), 0);
        wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        if (!gmac && !mac_is(&kinds[i], "POLY1305")) {
            assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
            wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        }
        /* a wrong key length */
        if (!mac_is(&kinds[i], "HMAC") && strncmp(kinds[i].mac, "BLAKE2", 6) != 0) {
            assert_int_equal(EVP_MAC_init(ctx, m.key, 3, NULL), 0);
            wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
        }
        /* no room, then room: the context was not spoilt */
        wnt_ok(mac_init(ctx, &kinds[i], &m));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        memset(out, 0x5a, sizeof(out));
        assert_int_equal(EVP_MAC_final(ctx, out, &n, kinds[i].size - 1), 0);
        assert_true(ERR_peek_error() != 0);
        ERR_clear_error();
        assert_int_equal(out[0], 0x5a);
        mac_finish(ctx, &kinds[i], out);
        /* once only */
        assert_int_equal(EVP_MAC_update(ctx, m.in, 5), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        assert_int_equal(EVP_MAC_final(ctx, out, &n, sizeof(out)), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        wnt_ok(mac_init(ctx, &kinds[i], &m));
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

static void one_call(void **state)
{
    unsigned char ours[64], theirs[64];
    size_t n = 0;

    (void)state;
    assert_ptr_equal(EVP_Q_mac(wnt_wolf(), "HMAC", NULL, "SHA3-256", NULL, "key", 3,
                               (const void *)"data", 4, ours, sizeof(ours), &n), ours);
    assert_int_equal(n, 32);
    assert_non_null(EVP_Q_mac(wnt_default(), "HMAC", NULL, "SHA3-256", NULL, "key", 3,
                              (const void *)"data", 4, theirs, sizeof(theirs), &n));
    assert_memory_equal(ours, theirs, 32);
    assert_non_null(EVP_Q_mac(wnt_wolf(), "CMAC", NULL, "AES-128-CBC", NULL, "0123456789abcdef",
                              16, (const void *)"data", 4, ours, sizeof(ours), &n));
    assert_int_equal(n, 16);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(looks_like_default),
        cmocka_unit_test(agrees_with_default),
        cmocka_unit_test(short_lengths),
        cmocka_unit_test(restarts),
        cmocka_unit_test(restarts_old_interface),
        cmocka_unit_test(refuses_restarts),
        cmocka_unit_test(keys_as_parameters),
        cmocka_unit_test(misuse),
        cmocka_unit_test(one_call),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
